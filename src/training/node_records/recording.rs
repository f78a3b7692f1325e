//! Makes node records: solves positions and records nodes on the way.

use std::ops::ControlFlow;

use super::NodeRecord;
use crate::othello::Position;
use crate::search::Searcher;
use crate::table::TableError;
use crate::training::node_counts::SearchSettings;
use crate::training::work::for_each_in_order;

/// The records of one solved position.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedPosition {
    /// The recorded nodes, in the order of the search.
    pub records: Vec<NodeRecord>,
    /// The number of all nodes, those of the search itself and those that the records needed.
    pub nodes: u64,
}

/// Solves the positions, each with one thread and cleared tables, and records about one in
/// `one_in[empties]` of the nodes whose moves are searched ([`Searcher::record`]). Passes the
/// records of each position to `consume`, in the order of the positions. `consume` ends the work
/// when it breaks.
///
/// # Errors
/// If there is no memory for the tables.
pub fn record(
    positions: &[Position],
    one_in: &[u64; 65],
    settings: &SearchSettings,
    consume: impl FnMut(usize, RecordedPosition) -> ControlFlow<()>,
) -> Result<(), TableError> {
    let record_position = |searcher: &mut Searcher, index: usize| {
        searcher.clear();
        let recording = searcher.record(&positions[index], one_in);
        let records =
            recording.records.into_iter().map(|node| NodeRecord::new(node, &settings.evaluation));
        RecordedPosition { records: records.collect(), nodes: recording.nodes }
    };
    for_each_in_order(positions.len(), settings.searchers()?, record_position, consume);
    Ok(())
}
