//! The parameters of the search ([`Parameters`]) by SPSA on node counts.
//!
//! Each iteration perturbs all parameters at once, solves a batch of positions with the perturbed
//! parameters and with those on the opposite side, and steps towards the side that needs fewer
//! nodes ([`spsa`]). The whole list is measured at intervals. The list should be a few hundred
//! positions of the kind that matters, and none of those by which the search is judged.
//!
//! The log (`log`) is the state of the run. An interrupted run continues from its log and ends
//! with the same values, with any number of threads.

mod log;
mod options;
pub mod spsa;
#[cfg(test)]
mod tests;

use std::path::Path;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use serde_json::Value;
use thiserror::Error;

use super::node_counts::{NodeTotal, count_nodes};
use super::search_settings::{SearchError, SearchSettings};
use crate::othello::Position;
use crate::search::Parameters;
use log::Log;
use spsa::{Values, to_parameters};

pub use log::LogError;
pub use options::{Objective, TuneOptions};

/// Why parameters could not be fitted.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The list is empty.
    #[error("there are no positions to tune on")]
    NoPositions,
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The positions cannot be searched.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// A finished iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct TuneIteration {
    /// Its number, from 1 on.
    pub iteration: u32,
    /// The objective at the perturbed values and at those on the opposite side.
    pub objectives: [f64; 2],
    /// The values after the iteration.
    pub values: Values,
}

/// The nodes of the whole list, at the start and after some iterations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measurement {
    /// The number of finished iterations.
    pub iterations: u32,
    /// The parameters at the start, and the nodes with them.
    pub start: (Parameters, NodeTotal),
    /// The mean of the parameters after the last iterations, and the nodes with it.
    pub current: (Parameters, NodeTotal),
}

/// An event of a run, for progress messages.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event<'a> {
    /// An iteration is finished.
    Iteration(&'a TuneIteration),
    /// The whole list is being measured; the number of its solved positions.
    Measuring(usize),
    /// The whole list was measured.
    Measured(&'a Measurement),
}

/// The positions, and what they are solved with.
struct Run<'a> {
    positions: &'a [Position],
    settings: &'a SearchSettings,
    log: Log,
}

/// Fits the parameters to the nodes of `positions`. The file `log` keeps the state. `about`
/// describes the positions and settings in its header; a log with another header is an error.
/// Calls `on_event` for progress.
///
/// # Errors
/// If there are no positions, if the log cannot be read or written or has another header, if there
/// is no memory for the tables, or if a thread cannot be started.
pub fn tune(
    positions: &[Position],
    options: &TuneOptions,
    settings: &SearchSettings,
    log: &Path,
    about: &Value,
    mut on_event: impl FnMut(Event<'_>),
) -> Result<Measurement, TuneError> {
    if positions.is_empty() {
        return Err(TuneError::NoPositions);
    }
    let log = Log::open(log, &log::header(options, settings.table_bytes, about))?;
    let mut run = Run { positions, settings, log };
    let start = (options.start, run.measure(&options.start, 0, &mut on_event)?);
    let start_values = options.start.values().map(f64::from);
    let mut values = run.log.values.last().copied().unwrap_or(start_values);
    // Shuffled, so that the batches are alike whatever the order of the list.
    let mut shuffled = positions.to_vec();
    shuffled.shuffle(&mut Pcg64Mcg::seed_from_u64(options.spsa.seed));
    loop {
        let done = run.log.iterations();
        let is_last = done >= options.iterations;
        let is_due = done > 0 && options.every > 0 && done.is_multiple_of(options.every);
        if is_due || is_last {
            let mean = mean_of_last(&run.log.values, options.mean_of);
            let tuned = mean.map_or(options.start, |mean| to_parameters(&mean));
            let current = (tuned, run.measure(&tuned, done, &mut on_event)?);
            let measurement = Measurement { iterations: done, start, current };
            if is_last {
                return Ok(measurement);
            }
            on_event(Event::Measured(&measurement));
        }
        let iteration = done + 1;
        let batch = batch(&shuffled, options.batch, done);
        let sides = options.spsa.sides(&values, iteration);
        let nodes = count_nodes(&batch, &sides, settings, |_| ())?;
        let objectives = nodes.map(|nodes| options.objective.of(&nodes));
        values = options.spsa.after(&values, iteration, objectives);
        let finished = TuneIteration { iteration, objectives, values };
        run.log.add_iteration(&finished).map_err(LogError::from)?;
        on_event(Event::Iteration(&finished));
    }
}

/// The batch after `done` iterations: the next positions of the list, which starts again at its
/// end.
fn batch(positions: &[Position], size: usize, done: u32) -> Vec<Position> {
    let first = done as usize * size % positions.len();
    positions.iter().cycle().skip(first).take(size.min(positions.len())).copied().collect()
}

/// The mean of the last `count` values, at least of one; `None` if there are no values.
fn mean_of_last(values: &[Values], count: u32) -> Option<Values> {
    let values = &values[values.len().saturating_sub(count.max(1) as usize)..];
    let mean = |parameter| {
        values.iter().map(|values: &Values| values[parameter]).sum::<f64>() / values.len() as f64
    };
    (!values.is_empty()).then(|| std::array::from_fn(mean))
}

impl Run<'_> {
    /// The nodes of the whole list after so many iterations: from the log, or counted and written
    /// to the log.
    fn measure(
        &mut self,
        parameters: &Parameters,
        iteration: u32,
        on_event: &mut impl FnMut(Event<'_>),
    ) -> Result<NodeTotal, TuneError> {
        if let Some(total) = self.log.measurement(iteration) {
            return Ok(total);
        }
        let progress = |done| on_event(Event::Measuring(done));
        let [nodes] = count_nodes(self.positions, &[*parameters], self.settings, progress)?;
        let total = NodeTotal::of(&nodes);
        self.log.add_measurement(total).map_err(LogError::from)?;
        Ok(total)
    }
}
