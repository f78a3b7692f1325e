//! What positions cost: the nodes that solving them takes with given parameters of the search.
//!
//! Nodes are what the parameters are judged by, as they are the same on every machine and do not
//! depend on what else it is doing. Each position is solved by one thread with cleared tables, so
//! its nodes do not depend on the other positions, nor on the number of threads.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::work::{all_cores, in_order};
use crate::eval::Evaluation;
use crate::othello::Position;
use crate::search::{Config, Parameters, Request, Searcher, Window};
use crate::table::TableError;

/// The size of a table: small, as it is cleared for each position, and large enough for some twenty
/// empties.
pub const TABLE_BYTES: u64 = 16 << 20;

/// What positions are solved with.
#[derive(Clone, Debug)]
pub struct Means {
    /// What orders the moves.
    pub evaluation: Arc<Evaluation>,
    /// The size of a table. There is one for each thread and each set of parameters.
    pub table_bytes: u64,
    /// How many threads there are. They change the time, and nothing else.
    pub threads: NonZeroUsize,
}

impl Means {
    /// This evaluation, all cores, and tables of [`TABLE_BYTES`].
    pub fn new(evaluation: Arc<Evaluation>) -> Means {
        Means { evaluation, table_bytes: TABLE_BYTES, threads: all_cores() }
    }
}

/// The nodes of each of the positions with each of `candidates`. `each` is told how many solutions
/// there are.
///
/// # Errors
/// If there is no memory for the tables.
pub fn count<const N: usize>(
    positions: &[Position],
    candidates: &[Parameters; N],
    means: &Means,
    mut each: impl FnMut(usize),
) -> Result<[Vec<u64>; N], TableError> {
    let Means { evaluation, table_bytes, threads } = means;
    let solver = |&parameters: &Parameters| {
        let (evaluation, parameters) = (evaluation.clone(), Some(parameters));
        Searcher::new(Config {
            table_bytes: *table_bytes,
            evaluation,
            parameters,
            ..Config::default()
        })
    };
    let solvers = || candidates.iter().map(solver).collect::<Result<Vec<Searcher>, _>>();
    let states = (0..threads.get()).map(|_| solvers()).collect::<Result<_, _>>()?;
    let work = |solvers: &mut Vec<Searcher>, number: usize| {
        let solver = &mut solvers[number % N];
        solver.clear();
        let position = positions[number / N];
        solver.solve(&Request { position, window: Window::FULL, all_moves: false }).nodes
    };
    let mut nodes = [const { Vec::new() }; N];
    in_order(N * positions.len(), states, work, |number, count| {
        nodes[number % N].push(count);
        each(number + 1);
        ControlFlow::Continue(())
    });
    Ok(nodes)
}

/// The nodes of a list of positions, summed up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Total {
    /// All nodes. The few largest positions decide it.
    pub nodes: u64,
    /// The mean of their natural logarithms, in which every position has the same say.
    pub mean_ln: f64,
}

impl Total {
    /// The total of a list that is not empty.
    pub fn of(nodes: &[u64]) -> Total {
        let logarithms: f64 = nodes.iter().map(|&count| (count.max(1) as f64).ln()).sum();
        Total { nodes: nodes.iter().sum(), mean_ln: rounded(logarithms / nodes.len() as f64) }
    }
}

/// A number with nine decimals: logarithms differ from machine to machine in the sixteenth.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::search::Parameter;
    use crate::training::pool::Empties;
    use crate::training::self_play::{SelfPlay, self_play};

    #[test]
    fn nodes_are_those_of_a_fresh_solver() {
        let evaluation = Arc::new(Evaluation::new(&Weights::zero()));
        let wanted = SelfPlay { empties: Empties { low: 10, high: 12 }, count: 9, seed: 4 };
        let positions = self_play(&wanted, &evaluation, &[], |_| ());
        let mut other = Parameters::default();
        other[Parameter::CornerStability] = 0;
        other[Parameter::OddQuadrant] *= 4;
        let candidates = [Parameters::default(), other];
        let fresh = candidates.map(|parameters| {
            let nodes = |&position: &Position| {
                let (evaluation, parameters) = (evaluation.clone(), Some(parameters));
                let config =
                    Config { table_bytes: 1 << 20, evaluation, parameters, ..Config::default() };
                let mut solver = Searcher::new(config).expect("there is memory");
                solver.solve(&Request { position, window: Window::FULL, all_moves: false }).nodes
            };
            positions.iter().map(nodes).collect::<Vec<u64>>()
        });
        assert_ne!(fresh[0], fresh[1], "the parameters matter");
        for threads in 1..=3 {
            let threads = NonZeroUsize::new(threads).expect("at least one");
            let means = Means { table_bytes: 1 << 20, threads, ..Means::new(evaluation.clone()) };
            let mut told = Vec::new();
            let nodes = count(&positions, &candidates, &means, |done| told.push(done))
                .expect("there is memory");
            assert_eq!(nodes, fresh);
            assert!(told.into_iter().eq(1..=18));
        }
    }

    #[test]
    fn totals_are_sums_and_means() {
        let total = Total::of(&[1, 100, 10_000]);
        assert_eq!(total.nodes, 10_101);
        assert!((total.mean_ln - 100f64.ln()).abs() < 1e-9);
        assert_eq!(Total::of(&[0]).mean_ln, 0.0);
    }
}
