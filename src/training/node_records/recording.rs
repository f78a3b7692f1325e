//! Makes node records: solves positions and records nodes on the way.

use std::ops::ControlFlow;

use super::NodeRecord;
use crate::batch::executor::{TaskList, in_order};
use crate::othello::Position;
use crate::search::Searcher;
use crate::training::search_settings::{SearchError, SearchSettings};

/// The records of one solved position.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedPosition {
    /// The recorded nodes, in the order of the search.
    pub records: Vec<NodeRecord>,
    /// The number of all nodes, those of the search itself and those that the records needed.
    pub nodes: u64,
}

/// Solves the positions, each with one thread and cleared tables, and records about one in
/// `one_in[empties]` of the nodes whose moves are searched ([`Searcher::record`]). Calls `report`
/// with the records of each position, in the order of the positions. An error of `report` ends the
/// work.
///
/// # Errors
/// The outer error: there is no memory for the tables, or a thread cannot be started. The inner
/// error: that of `report`.
pub fn record<E>(
    positions: &[Position],
    one_in: &[u64; 65],
    settings: &SearchSettings,
    mut report: impl FnMut(RecordedPosition) -> Result<(), E>,
) -> Result<Result<(), E>, SearchError> {
    let record_position = |searcher: &mut Searcher, position: &Position| {
        searcher.clear();
        let recording = searcher.record(position, one_in);
        let record = |node| NodeRecord::new(node, &settings.evaluation);
        let records = recording.records.into_iter().map(record).collect();
        RecordedPosition { records, nodes: recording.nodes }
    };
    let mut searchers = settings.searchers()?;
    let tasks = TaskList::new(positions);
    Ok(in_order(&mut searchers, &tasks, record_position, |recorded| {
        report(recorded).map(ControlFlow::Continue)
    })?)
}
