//! Positions from Yose's own search trees.
//!
//! These are the boards that move ordering sees, and so those on which the evaluation should be
//! right. They differ from those of games: most lie behind a bad move. Each root is solved with
//! fresh tables, so the same positions come whatever the number of threads.
//!
//! The boards of one tree resemble each other, and there are millions with few empties. So every
//! root may give only a few times its share of each number of empties, chosen by chance from all
//! over its tree.

use std::ops::ControlFlow;
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::pool::{Empties, Pool};
use super::work::{all_cores, in_order};
use crate::eval::Evaluation;
use crate::othello::Position;
use crate::search::{Config, Searcher};
use crate::table::TableError;

/// The size of each thread's table: small, as it is cleared for every root.
const TABLE_BYTES: u64 = 4 << 20;

/// How many times its share a root may give: some give less.
const SHARES: usize = 2;

/// What positions are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// The empties of the positions.
    pub empties: Empties,
    /// How many positions, shared evenly among the numbers of empties.
    pub count: usize,
    /// About one in so many of the boards that the search meets is looked at; at least 1.
    pub one_in: u64,
}

/// Solves the roots one after the other until there are as many positions as wanted. Those
/// symmetric to ones of `known` are left out. `each` is told how many roots are done, and how many
/// positions there are.
///
/// # Errors
/// If there is no memory for the tables.
pub fn sample_trees(
    roots: &[Position],
    wanted: &Sampling,
    evaluation: &Arc<Evaluation>,
    known: &[Position],
    mut each: impl FnMut(usize, usize),
) -> Result<Vec<Position>, TableError> {
    let config =
        || Config { table_bytes: TABLE_BYTES, evaluation: evaluation.clone(), ..Config::default() };
    let solvers =
        (0..all_cores().get()).map(|_| Searcher::new(config())).collect::<Result<_, _>>()?;
    let mut pool = Pool::new(wanted.empties, wanted.count);
    pool.exclude(known);
    let numbers = (wanted.empties.high - wanted.empties.low + 1) as usize;
    let most = (SHARES * wanted.count).div_ceil(numbers * roots.len().max(1));
    let work = |solver: &mut Searcher, number: usize| {
        solver.clear();
        let mut positions = solver.sample(&roots[number], wanted.one_in);
        positions.shuffle(&mut Pcg64Mcg::seed_from_u64(number as u64));
        let mut left = [most; 61];
        positions.retain(|position| {
            let empties = position.empties().count();
            let left = &mut left[empties.min(60) as usize];
            let kept = wanted.empties.contains(empties) && *left > 0;
            *left -= usize::from(kept);
            kept
        });
        positions
    };
    in_order(roots.len(), solvers, work, |number, positions| {
        for position in &positions {
            pool.offer(position);
        }
        each(number + 1, pool.len());
        if pool.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    Ok(pool.into_positions())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::training::self_play::{SelfPlay, self_play};

    #[test]
    fn trees_give_positions_of_the_asked_empties() {
        let evaluation = Arc::new(Evaluation::new(&Weights::zero()));
        let roots = SelfPlay { empties: Empties { low: 17, high: 17 }, count: 4, seed: 3 };
        let roots = self_play(&roots, &evaluation, &[], |_| ());
        let wanted = Sampling { empties: Empties { low: 13, high: 15 }, count: 60, one_in: 4 };
        let sample =
            || sample_trees(&roots, &wanted, &evaluation, &[], |_, _| ()).expect("there is memory");
        let found = sample();
        assert!((40..=60).contains(&found.len()), "every root gives a share");
        assert!(found.iter().all(|position| wanted.empties.contains(position.empties().count())));
        assert_eq!(sample(), found);
    }
}
