//! What a list will take on this machine: nodes by [`cost`](super::cost), and time by the pace at
//! which it searches now.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::cost::{Prediction, Range, Total};
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

/// Nodes a second on so many threads, measured by searching for about `time`.
///
/// # Errors
/// If there is no memory for the tables.
pub fn pace(
    evaluation: &Arc<Evaluation>,
    threads: NonZeroUsize,
    time: Duration,
) -> Result<f64, TableError> {
    let config = Config {
        table_bytes: TABLE_BYTES,
        evaluation: Arc::clone(evaluation),
        ..Config::default()
    };
    let solvers =
        (0..threads.get()).map(|_| Searcher::new(config.clone())).collect::<Result<Vec<_>, _>>()?;
    let start = Instant::now();
    let trial = move |(worker, mut solver): (usize, Searcher)| {
        let mut nodes = 0;
        for number in worker.. {
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                break;
            }
            let diagram: Diagram = TRIAL[number % TRIAL.len()].parse().expect("a position");
            let request =
                Request { position: diagram.position, window: Window::FULL, all_moves: false };
            // What the table knows already would be no work.
            solver.clear();
            nodes += solver.solve_within(&request, &Limits { nodes: None, time: Some(left) }).nodes;
        }
        nodes
    };
    let nodes: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> =
            solvers.into_iter().enumerate().map(|one| scope.spawn(move || trial(one))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a search does not panic")).sum()
    });
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
