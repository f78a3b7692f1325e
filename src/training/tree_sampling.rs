//! Training positions from Yose's own search trees.
//!
//! The evaluation orders moves, so it should be accurate on the positions that move ordering
//! evaluates. These differ from the positions of games: most of them follow a bad move. Each root
//! is solved with cleared tables, so the sample does not depend on the number of threads.
//!
//! The positions of one tree are similar to each other, and there are millions of them with few
//! empties. So each root contributes at most a quota for each number of empties, chosen at random
//! from its whole tree.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::search_settings::{SearchError, SearchSettings};
use super::stratified_sample::{EmptiesRange, StratifiedSample};
use crate::batch::executor::{TaskList, in_order};
use crate::eval::Evaluation;
use crate::othello::Position;
use crate::search::Searcher;

/// The size of each thread's table, in bytes; small, because it is cleared for every root.
const TABLE_BYTES: u64 = 4 << 20;

/// The quota of a root, in even shares of the sample. It is above 1, because some roots contribute
/// less than an even share.
const SHARES_PER_ROOT: usize = 2;

/// What [`sample_search_trees`] collects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeSampling {
    /// The empties of the positions.
    pub empties: EmptiesRange,
    /// The number of positions, distributed evenly over the numbers of empties.
    pub count: usize,
    /// About one in `one_in` of the positions that a search evaluates is considered; at least 1.
    pub one_in: u64,
}

/// Solves the roots one after the other and collects positions from their trees, until the sample
/// is complete. Positions equal or symmetric to one of `excluded` are left out. Calls `progress`
/// with the number of solved roots and the number of positions.
///
/// # Errors
/// If there is no memory for the tables, or if a thread cannot be started.
pub fn sample_search_trees(
    roots: &[Position],
    sampling: &TreeSampling,
    evaluation: &Arc<Evaluation>,
    excluded: &[Position],
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<Position>, SearchError> {
    let settings =
        SearchSettings { table_bytes: TABLE_BYTES, ..SearchSettings::new(evaluation.clone()) };
    let mut searchers = settings.searchers()?;
    let mut sample = StratifiedSample::new(sampling.empties, sampling.count);
    sample.exclude(excluded);
    let strata = sampling.empties.count();
    let quota = (SHARES_PER_ROOT * sampling.count).div_ceil(strata * roots.len().max(1));
    let sample_tree = |searcher: &mut Searcher, (index, root): (usize, &Position)| {
        searcher.clear();
        let mut positions = searcher.sample(root, sampling.one_in);
        positions.shuffle(&mut Pcg64Mcg::seed_from_u64(index as u64));
        let mut left = [quota; 61];
        positions.retain(|position| {
            let empties = position.empties().count();
            let left = &mut left[empties.min(60) as usize];
            let is_kept = sampling.empties.contains(empties) && *left > 0;
            *left -= usize::from(is_kept);
            is_kept
        });
        positions
    };
    let mut solved = 0;
    let tasks = TaskList::new(roots.iter().enumerate());
    let Ok(()) = in_order(&mut searchers, &tasks, sample_tree, |positions: Vec<Position>| {
        for position in &positions {
            sample.add(position);
        }
        solved += 1;
        progress(solved, sample.len());
        let flow =
            if sample.is_complete() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        Ok::<_, Infallible>(flow)
    })?;
    Ok(sample.into_positions())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::training::self_play::{SelfPlay, self_play};

    #[test]
    fn a_sample_has_the_requested_empties_and_is_reproducible() {
        let evaluation = Arc::new(Evaluation::new(&Weights::zero()));
        let roots = SelfPlay { empties: EmptiesRange { low: 17, high: 17 }, count: 4, seed: 3 };
        let roots = self_play(&roots, &evaluation, &[], |_| ()).expect("threads");
        let sampling =
            TreeSampling { empties: EmptiesRange { low: 13, high: 15 }, count: 60, one_in: 4 };
        let sample = || {
            sample_search_trees(&roots, &sampling, &evaluation, &[], |_, _| ())
                .expect("there is memory")
        };
        let found = sample();
        assert!((40..=60).contains(&found.len()), "every root contributes");
        assert!(found.iter().all(|position| sampling.empties.contains(position.empties().count())));
        assert_eq!(sample(), found);
    }
}
