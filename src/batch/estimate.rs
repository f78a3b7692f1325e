//! The estimate for a list: its nodes by [`cost`](super::cost), and its time on this machine by the
//! speed in a short trial.

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
    pub by_empties: [Total; 65],
    /// The whole list.
    pub all: Total,
    /// The identifier and the predicted nodes of the most expensive position.
    pub most_expensive: Option<(String, f64)>,
}

impl Default for Estimate {
    fn default() -> Estimate {
        Estimate {
            by_empties: std::array::from_fn(|_| Total::default()),
            all: Total::default(),
            most_expensive: None,
        }
    }
}

impl Estimate {
    /// Adds a position.
    pub fn add(&mut self, id: &str, position: &Position, evaluation: &Evaluation) {
        let prediction = Prediction::of(position, evaluation);
        self.all.add(prediction);
        self.by_empties[position.empties().count() as usize].add(prediction);
        let nodes = prediction.mean();
        if self.most_expensive.as_ref().is_none_or(|(_, most)| nodes > *most) {
            self.most_expensive = Some((id.to_owned(), nodes));
        }
    }

    /// The time of the list in seconds, at a speed in nodes per second.
    pub fn time(&self, speed: f64) -> Range {
        let Range { low, mean, high } = self.all.nodes();
        Range { low: low / speed, mean: mean / speed, high: high / speed }
    }
}

/// The positions of the trial: FFO 40 and 42, with 20 and 22 empties. One thread takes about a
/// second for both.
const TRIAL: [&str; 2] = [
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
    "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X",
];

/// The size of each thread's table in the trial, in bytes. In a long list no thread helps another,
/// so each has a table of its own here.
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
pub fn measure_speed(
    evaluation: &Arc<Evaluation>,
    threads: NonZeroUsize,
    time: Duration,
) -> Result<f64, SpeedError> {
    let config = Config {
        table_bytes: TABLE_BYTES,
        evaluation: Arc::clone(evaluation),
        ..Config::default()
    };
    let mut searchers = Searcher::independent(&config, threads)?;
    searchers.iter_mut().try_for_each(Searcher::prepare)?;
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
        let mean = Total::mean;
        let sum: f64 = estimate.by_empties.iter().map(mean).sum();
        assert!((mean(&estimate.all) / sum - 1.0).abs() < 1e-9);
        let most_expensive =
            if mean(&estimate.by_empties[22]) > mean(&estimate.by_empties[20]) / 2.0 {
                "c"
            } else {
                "a"
            };
        let (id, _) = estimate.most_expensive.as_ref().expect("there are positions");
        assert_eq!(id, most_expensive);
        assert_eq!(estimate.time(2.0).mean, mean(&estimate.all) / 2.0);
    }

    #[test]
    fn the_speed_is_that_of_all_threads() {
        let two = NonZeroUsize::new(2).expect("two");
        let time = Duration::from_millis(100);
        let speed = measure_speed(&Evaluation::embedded(), two, time).expect("32 MiB");
        assert!(speed > 10_000.0, "{speed} nodes per second");
    }
}
