//! How a position's score is found: by null windows alone, from a guess outwards; in rounds, where trees are large.
//!
//! *Is the score at least the guess? Is it more?* If the guess is right, these two questions are all that an exact score takes, and each may be
//! answered by the moves that are cheapest for it. A search with an open window along a principal variation (PVS, as in Edax) proves the same, but
//! both sides of it by the same moves, chosen for their value: on lists of 8 to 24 empties it took 4 to 20 % more nodes.
//! Where a guess is wrong, the next question begins at the bound that the answer gave (MTD(f); Plaat and others 1996).
//!
//! The guess is the evaluation's, some plies ahead. With many empties it is made better by selective rounds, which take likely
//! bounds for proven ones ([`crate::search::nodes::prob_cut`]), with growing confidence; the exact round begins with what they found, and with the
//! moves and the proofs that they left in the table.

use crate::eval::{Features, UNIT};
use crate::othello::Position;
use crate::search::constants::{SELECTIVE_EMPTIES, guess_depth, rounds};
use crate::search::nodes::depth_limited::INFINITY;
use crate::search::nodes::prob_cut::SearchPass;
use crate::search::parameters::Parameter;
use crate::search::worker::Worker;

/// What the statistics call the last round.
const EXACT: &str = "exact";

impl Worker<'_> {
    /// The score of a position between `alpha` and `beta`: an answer between them is the score, one at or below `alpha` an upper
    /// bound of it, one at or above `beta` a lower bound.
    pub(in crate::search) fn iterate_passes(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let empties = position.empties().count();
        let mut guess = self.guess(position, empties);
        if empties >= SELECTIVE_EMPTIES {
            for tenths in rounds(empties, self.parameters[Parameter::FirstPass].unsigned_abs()) {
                guess = self.round(SearchPass::Selective(tenths), position, guess, alpha, beta);
                if self.place.quit {
                    return guess;
                }
            }
        }
        let score = self.round(SearchPass::Exact, position, guess, alpha, beta);
        debug_assert!(
            self.place.quit || !self.guessed,
            "the exact round of {position:?} rests on a guess"
        );
        score
    }

    /// What the score may be, before anything is searched: an even number.
    fn guess(&mut self, position: &Position, empties: u32) -> i32 {
        let Some(depth) = guess_depth(empties) else { return position.final_score().discs() };
        let value = self.depth_limited(
            position,
            &Features::of(position),
            position.moves(),
            depth,
            -INFINITY,
            INFINITY,
        );
        (value as f64 / f64::from(2 * UNIT)).round() as i32 * 2
    }

    /// The answer of one round. Guesses of the round before are forgotten.
    fn round(
        &mut self,
        round: SearchPass,
        position: &Position,
        guess: i32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let before = self.nodes.total();
        self.round = round;
        self.generation = self.table.next_generation();
        let score = self.near(position, guess, alpha, beta);
        match round {
            SearchPass::Exact => self.count_pass_nodes(EXACT, before),
            SearchPass::Selective(tenths) => {
                self.count_pass_nodes(&format!("selective, {tenths} tenths"), before)
            }
        }
        score
    }

    /// The score between `alpha` and `beta`, asked for by null windows that begin at `guess` and go where it lies.
    fn near(&mut self, position: &Position, guess: i32, alpha: i32, beta: i32) -> i32 {
        let empties = position.empties().count();
        let moves = position.moves().0;
        let (mut lower, mut upper) = (alpha, beta);
        let mut threshold = (guess - 1).clamp(alpha, beta - 1);
        loop {
            let answer = self.search(position, moves, empties, threshold);
            if self.place.quit {
                return answer;
            }
            if answer > threshold {
                lower = answer;
                if lower >= upper {
                    // In a selective round they may contradict each other: the newer one counts.
                    return lower;
                }
                threshold = lower;
            } else {
                upper = answer;
                if lower >= upper {
                    return upper;
                }
                threshold = upper - 1;
            }
        }
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

    /// After a selective round every bound that the table holds as proven is true, whatever the round took on trust, with weights
    /// that are right, that are noise, and that take the worst for the best. (Once a null window's answer lost its mark when
    /// it was searched again with an open window.)
    #[test]
    fn what_selective_rounds_store_as_proven_is_true() {
        let mut rng = SmallRng::seed_from_u64(12);
        let weights = Weights::embedded().expect("embedded weights");
        let noise = {
            let mut rng = SmallRng::seed_from_u64(13);
            weights.map(|_| rng.random_range(-3000..=3000))
        };
        let evaluations = [weights.map(|weight| weight), noise, weights.map(|weight| -weight)];
        let mut judge =
            Searcher::new(Config { table_bytes: 16 << 20, ..Config::default() }).expect("16 MiB");
        let (mut checked, mut guesses) = (0, 0);
        for evaluation in evaluations {
            let evaluation = Arc::new(Evaluation::new(&evaluation));
            for table_bytes in [16 << 10, 64 << 10] {
                let config = Config {
                    table_bytes,
                    evaluation: Arc::clone(&evaluation),
                    ..Config::default()
                };
                let mut solver = Searcher::new(config).expect("a small table");
                for tenths in (0..4).cycle().take(60) {
                    let position = position(&mut rng, 14);
                    let mut worker = solver.worker();
                    worker.round = SearchPass::Selective(tenths);
                    // What is guessed at a high alpha is met again at lower ones, and then with an open window.
                    for (alpha, beta) in [(40, 44), (20, 24), (0, 4), (-20, -16), (-65, 65)] {
                        let answer = worker.near(&position, (alpha + beta) / 2, alpha, beta);
                        assert!((-64..=64).contains(&answer));
                    }
                    let generation = worker.generation;
                    for (at, entry) in solver.shared().table.entries(generation) {
                        guesses += u32::from(entry.likely != (-64, 64));
                        if (entry.lower, entry.upper) == (-64, 64) {
                            continue;
                        }
                        let request =
                            Request { position: at, window: Window::FULL, all_moves: false };
                        let score =
                            judge.solve(&request).bounds.exact().expect("the full window").discs()
                                as i8;
                        assert!(
                            entry.lower <= score && score <= entry.upper,
                            "{at:?}: {entry:?}, but {score}"
                        );
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 1000 && guesses > 200, "{checked} proofs, {guesses} guesses");
    }
}
