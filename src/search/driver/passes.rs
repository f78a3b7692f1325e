//! Iterative deepening by selectivity: selective passes of growing confidence, then the exact pass.
//!
//! The first guess of the score is the value of a depth-limited search. From [`SELECTIVE_EMPTIES`]
//! empties up, selective passes improve it: they use ProbCut bounds (`nodes/prob_cut.rs`). The
//! exact pass starts with their guess, and with the hash moves and the proven bounds that they left
//! in the transposition table. Each pass is a run of MTD(f) (`mtdf.rs`).
//!
//! Edax and Neural Reversi deepen by depth and selectivity. Here every pass has the full depth.

use crate::eval::{Features, UNIT};
use crate::othello::Position;
use crate::search::constants::{SELECTIVE_EMPTIES, guess_depth, selective_passes};
use crate::search::nodes::INFINITY;
use crate::search::parameters::Parameter;
use crate::search::search_pass::SearchPass;
use crate::search::worker::Worker;

/// The name of the exact pass in the statistics.
const EXACT: &str = "exact";

impl Worker<'_> {
    /// The score of a position in the window from `alpha` to `beta`. A result between them is the
    /// score; at or below `alpha` it is an upper bound of it, at or above `beta` a lower bound.
    pub(in crate::search) fn iterate_passes(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let empties = position.empties().count();
        let mut guess = self.first_guess(position, empties);
        if empties >= SELECTIVE_EMPTIES {
            let first = self.parameters[Parameter::FirstPass].unsigned_abs();
            let passes = selective_passes(empties, first);
            for (passes_left, &tenths) in (0..passes.len() as u32).rev().zip(&passes) {
                let pass = SearchPass::Selective(tenths);
                guess = self.run_pass(pass, position, guess, alpha, beta);
                if self.state.aborted {
                    return guess;
                }
                self.budget().reach(passes_left, guess, self.nodes.total() - self.flushed);
            }
        }
        let score = self.run_pass(SearchPass::Exact, position, guess, alpha, beta);
        debug_assert!(
            self.state.aborted || !self.unproven,
            "the exact pass of {position:?} rests on a ProbCut bound"
        );
        score
    }

    /// A guess of the score before any pass: an even number.
    fn first_guess(&mut self, position: &Position, empties: u32) -> i32 {
        let Some(depth) = guess_depth(empties) else { return position.final_score().discs() };
        let features = Features::of(position);
        let moves = position.moves();
        let value = self.depth_limited(position, &features, moves, depth, -INFINITY, INFINITY);
        (value as f64 / f64::from(2 * UNIT)).round() as i32 * 2
    }

    /// The result of one pass. It starts a new generation, so the ProbCut bounds of the pass before
    /// are no longer read.
    fn run_pass(
        &mut self,
        pass: SearchPass,
        position: &Position,
        guess: i32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let before = self.nodes.total();
        self.search_pass = pass;
        self.generation = self.table.next_generation();
        let score = self.mtdf(position, guess, alpha, beta);
        match pass {
            SearchPass::Exact => self.count_pass_nodes(EXACT, before),
            SearchPass::Selective(tenths) => {
                self.count_pass_nodes(&format!("selective, {tenths} tenths"), before);
            }
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::eval::{Evaluation, Weights};
    use crate::search::testing::position;
    use crate::search::{Config, Request, Searcher, Window};

    #[test]
    fn the_end_of_each_selective_pass_is_a_milestone_until_the_score_is_found() {
        let config = Config { table_bytes: 4 << 20, ..Config::default() };
        let mut searcher = Searcher::new(config).expect("4 MiB");
        let mut rng = SmallRng::seed_from_u64(3);
        for empties in [SELECTIVE_EMPTIES - 1, SELECTIVE_EMPTIES] {
            let position = position(&mut rng, empties);
            let mut worker = searcher.worker();
            worker.bounds(&position, Window::FULL);
            let milestone = worker.budget().milestone();
            assert_eq!(milestone.is_some(), empties == SELECTIVE_EMPTIES);
            if let Some(milestone) = milestone {
                assert_eq!(milestone.passes_left, 0);
                assert!((-64..=64).contains(&milestone.score));
                assert!(milestone.nodes > 0 && milestone.nodes < worker.nodes.total());
            }
            let request = Request { position, window: Window::FULL, all_moves: true };
            worker.solve(&request);
            let pool = searcher.thread_pool();
            assert_eq!((pool.nodes_of(0) > 0, pool.milestone_of(0)), (true, None));
            searcher.solve(&request);
            assert_eq!(searcher.thread_pool().nodes_of(0), 0);
        }
    }

    /// After a selective pass every bound that the table holds as proven is true: with the embedded
    /// weights, with random weights, and with negated weights. A null window that is searched again
    /// with an open window must not lose the mark of a ProbCut bound.
    #[test]
    fn what_selective_passes_store_as_proven_is_true() {
        let mut rng = SmallRng::seed_from_u64(12);
        let weights = Weights::embedded().expect("embedded weights");
        let noise = {
            let mut rng = SmallRng::seed_from_u64(13);
            weights.map(|_| rng.random_range(-3000..=3000))
        };
        let evaluations = [weights.map(|weight| weight), noise, weights.map(|weight| -weight)];
        let config = Config { table_bytes: 16 << 20, ..Config::default() };
        let mut judge = Searcher::new(config).expect("16 MiB");
        let (mut checked, mut unproven) = (0, 0);
        for evaluation in evaluations {
            let evaluation = Arc::new(Evaluation::new(&evaluation));
            for table_bytes in [16 << 10, 64 << 10] {
                let evaluation = Arc::clone(&evaluation);
                let config = Config { table_bytes, evaluation, ..Config::default() };
                let mut searcher = Searcher::new(config).expect("a small table");
                for tenths in (0..4).cycle().take(60) {
                    let position = position(&mut rng, 14);
                    let mut worker = searcher.worker();
                    worker.search_pass = SearchPass::Selective(tenths);
                    // ProbCut bounds at a high alpha are met again at lower ones, and then with an
                    // open window.
                    for (alpha, beta) in [(40, 44), (20, 24), (0, 4), (-20, -16), (-65, 65)] {
                        let score = worker.mtdf(&position, (alpha + beta) / 2, alpha, beta);
                        assert!((-64..=64).contains(&score));
                    }
                    let generation = worker.generation;
                    for (at, entry) in searcher.thread_pool().table.entries(generation) {
                        unproven += u32::from(entry.selective != (-64, 64));
                        if (entry.lower, entry.upper) == (-64, 64) {
                            continue;
                        }
                        let request =
                            Request { position: at, window: Window::FULL, all_moves: false };
                        let bounds = judge.solve(&request).bounds;
                        let score = bounds.exact().expect("the full window").discs() as i8;
                        assert!(
                            entry.lower <= score && score <= entry.upper,
                            "{at:?}: {entry:?}, but {score}"
                        );
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 1000 && unproven > 200, "{checked} proven, {unproven} unproven");
    }
}
