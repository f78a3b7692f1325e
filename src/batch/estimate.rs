//! What a list will take on this machine: nodes by [`cost`](super::cost), and time by the pace at
//! which it searches now.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::cost::{Prediction, Range, Total};
use super::executor::{TaskList, ThreadError, in_order};
use crate::eval::Evaluation;
use crate::othello::{Diagram, Position};
use crate::search::{Config, Limits, Request, Searcher, Window};
use crate::table::TableError;

/// The predicted nodes of a list.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// By the number of empties.
    pub by_empties: [Total; 61],
    /// All together.
    pub all: Total,
    /// The position that is predicted to take most, by its identifier, and how much.
    pub dearest: Option<(String, f64)>,
}

impl Default for Estimate {
    fn default() -> Estimate {
        Estimate { by_empties: [Total::default(); 61], all: Total::default(), dearest: None }
    }
}

impl Estimate {
    /// Counts a position in.
    pub fn add(&mut self, id: &str, position: &Position, evaluation: &Evaluation) {
        let prediction = Prediction::of(position, evaluation);
        self.all.add(prediction);
        if let Some(total) = self.by_empties.get_mut(position.empties().count() as usize) {
            total.add(prediction);
        }
        let nodes = prediction.mean();
        if self.dearest.as_ref().is_none_or(|(_, most)| nodes > *most) {
            self.dearest = Some((id.to_owned(), nodes));
        }
    }

    /// The time that the list takes at a pace of so many nodes a second, with the spread of its
    /// nodes.
    pub fn time(&self, pace: f64) -> Range {
        let Range { low, mean, high } = self.all.nodes();
        Range { low: low / pace, mean: mean / pace, high: high / pace }
    }
}

/// What the pace is measured with: FFO 40 and 42, of 20 and 22 empties, a second's work or so for a
/// thread.
const TRIAL: [&str; 2] = [
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
    "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X",
];

/// The size of a table for measuring the pace. There is one for each thread, as the threads are to
/// work as in a long list, in which nobody helps anybody.
const TABLE_BYTES: u64 = 16 << 20;

/// Why the speed could not be measured.
#[derive(Debug, Error)]
pub enum SpeedError {
    /// There is not enough memory for the tables.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
}

/// Nodes per second on all `threads` together, measured in a trial that takes about `time`.
///
/// # Errors
/// If there is not enough memory for the tables, or if a thread cannot be started.
pub fn pace(
    evaluation: &Arc<Evaluation>,
    threads: NonZeroUsize,
    time: Duration,
) -> Result<f64, SpeedError> {
    let config = Config {
        table_bytes: TABLE_BYTES,
        evaluation: Arc::clone(evaluation),
        ..Config::default()
    };
    let mut searchers = (0..threads.get())
        .map(|_| Searcher::new(config.clone()))
        .collect::<Result<Vec<_>, TableError>>()?;
    let start = Instant::now();
    let left = || time.saturating_sub(start.elapsed());
    let positions = TRIAL.iter().cycle().take_while(|_| !left().is_zero());
    let work = |searcher: &mut Searcher, text: &&str| {
        let diagram: Diagram = text.parse().expect("a position");
        let request =
            Request { position: diagram.position, window: Window::FULL, all_moves: false };
        // Entries of the trial before would save nodes.
        searcher.clear();
        searcher.solve_within(&request, &Limits { nodes: None, time: Some(left()) }).nodes
    };
    let mut nodes = 0;
    let add = |searched: u64| {
        nodes += searched;
        Ok::<_, SpeedError>(ControlFlow::Continue(()))
    };
    in_order(&mut searchers, &TaskList::new(positions), work, add)??;
    Ok(nodes as f64 / start.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_summed_up_by_their_empties() {
        let evaluation = Evaluation::embedded();
        let mut estimate = Estimate::default();
        let positions = TRIAL.map(|text| text.parse::<Diagram>().expect("a position").position);
        for (id, position) in ["a", "b", "c"].iter().zip([positions[0], positions[0], positions[1]])
        {
            estimate.add(id, &position, &evaluation);
        }
        assert_eq!((estimate.all.positions, estimate.by_empties[20].positions), (3, 2));
        let mean = |total: &Total| total.nodes().mean;
        let sum: f64 = estimate.by_empties.iter().map(mean).sum();
        assert!((mean(&estimate.all) / sum - 1.0).abs() < 1e-9);
        let dearest = if mean(&estimate.by_empties[22]) > mean(&estimate.by_empties[20]) / 2.0 {
            "c"
        } else {
            "a"
        };
        assert_eq!(estimate.dearest.as_ref().map(|(id, _)| id.as_str()), Some(dearest));
        assert_eq!(estimate.time(2.0).mean, mean(&estimate.all) / 2.0);
    }

    #[test]
    fn the_pace_is_that_of_all_threads() {
        let two = NonZeroUsize::new(2).expect("two");
        let pace = pace(&Evaluation::embedded(), two, Duration::from_millis(100)).expect("32 MiB");
        assert!(pace > 10_000.0, "{pace} nodes a second");
    }
}
