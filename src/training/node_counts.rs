//! The node counts of a list of positions with given parameters of the search.
//!
//! Parameters are judged by node counts, because these are the same on every machine. One thread
//! solves each position with cleared tables, so the count of a position depends neither on the
//! other positions nor on the number of threads.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::search_settings::{SearchError, SearchSettings};
use crate::batch::executor::{TaskList, in_order};
use crate::othello::Position;
use crate::search::{Parameters, Request, Searcher, Window};

/// Solves every position with each of the `candidates`, and returns the node counts: a list for
/// each candidate, in the order of the positions. Calls `progress` with the number of finished
/// searches.
///
/// # Errors
/// If there is no memory for the tables, or if a thread cannot be started.
pub fn count_nodes<const N: usize>(
    positions: &[Position],
    candidates: &[Parameters; N],
    settings: &SearchSettings,
    mut progress: impl FnMut(usize),
) -> Result<[Vec<u64>; N], SearchError> {
    let searcher = |parameters: &Parameters| settings.searcher(Some(*parameters));
    let searchers = |_| candidates.iter().map(searcher).collect::<Result<Vec<Searcher>, _>>();
    let mut states: Vec<Vec<Searcher>> =
        (0..settings.threads.get()).map(searchers).collect::<Result<_, _>>()?;
    let solve = |searchers: &mut Vec<Searcher>, index: usize| {
        let searcher = &mut searchers[index % N];
        searcher.clear();
        let position = positions[index / N];
        searcher.solve(&Request { position, window: Window::FULL, all_moves: false }).nodes
    };
    let mut nodes = [const { Vec::new() }; N];
    let mut done = 0;
    let tasks = TaskList::new(0..N * positions.len());
    let Ok(()) = in_order(&mut states, &tasks, solve, |count| {
        nodes[done % N].push(count);
        done += 1;
        progress(done);
        Ok::<_, Infallible>(ControlFlow::Continue(()))
    })?;
    Ok(nodes)
}

/// The node counts of a list of positions, summed up in two ways.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NodeTotal {
    /// The sum. The few largest positions dominate it.
    pub nodes: u64,
    /// The mean of the natural logarithms, in which every position has the same weight.
    pub mean_ln: f64,
}

impl NodeTotal {
    /// The total of a list that is not empty.
    pub fn of(nodes: &[u64]) -> NodeTotal {
        let logarithms: f64 = nodes.iter().map(|&count| (count.max(1) as f64).ln()).sum();
        NodeTotal {
            nodes: nodes.iter().sum(),
            mean_ln: to_nine_decimals(logarithms / nodes.len() as f64),
        }
    }
}

/// Rounds to nine decimals. The last digits of a logarithm differ between machines.
pub(super) fn to_nine_decimals(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::Arc;

    use super::*;
    use crate::eval::{Evaluation, Weights};
    use crate::search::{Config, Parameter};
    use crate::training::self_play::{SelfPlay, self_play};
    use crate::training::stratified_sample::EmptiesRange;

    #[test]
    fn node_counts_are_those_of_a_new_searcher() {
        let evaluation = Arc::new(Evaluation::new(&Weights::zero()));
        let options = SelfPlay { empties: EmptiesRange { low: 10, high: 12 }, count: 9, seed: 4 };
        let positions = self_play(&options, &evaluation, &[], |_| ()).expect("threads");
        let mut other = Parameters::default();
        other[Parameter::CornerStability] = 0;
        other[Parameter::OddQuadrant] *= 4;
        let candidates = [Parameters::default(), other];
        let fresh = candidates.map(|parameters| {
            let nodes = |&position: &Position| {
                let (evaluation, parameters) = (evaluation.clone(), Some(parameters));
                let config =
                    Config { table_bytes: 1 << 20, evaluation, parameters, ..Config::default() };
                let mut searcher = Searcher::new(config).expect("there is memory");
                searcher.solve(&Request { position, window: Window::FULL, all_moves: false }).nodes
            };
            positions.iter().map(nodes).collect::<Vec<u64>>()
        });
        assert_ne!(fresh[0], fresh[1], "the parameters matter");
        for threads in 1..=3 {
            let threads = NonZeroUsize::new(threads).expect("at least one");
            let settings = SearchSettings {
                table_bytes: 1 << 20,
                threads,
                ..SearchSettings::new(evaluation.clone())
            };
            let mut reported = Vec::new();
            let nodes = count_nodes(&positions, &candidates, &settings, |done| reported.push(done))
                .expect("there is memory");
            assert_eq!(nodes, fresh);
            assert!(reported.into_iter().eq(1..=18));
        }
    }

    #[test]
    fn a_total_has_the_sum_and_the_mean_logarithm() {
        let total = NodeTotal::of(&[1, 100, 10_000]);
        assert_eq!(total.nodes, 10_101);
        assert!((total.mean_ln - 100f64.ln()).abs() < 1e-9);
        assert_eq!(NodeTotal::of(&[0]).mean_ln, 0.0);
    }
}
