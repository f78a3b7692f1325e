//! The rounds in which a position is searched: a guess, selective rounds with growing confidence, and the exact one.
//!
//! Each round begins with a narrow window about what the round before it found, and with the moves and the proofs that it left in
//! the table. Small positions are searched exactly at once.

use super::constants::{FIRST_GUESS_DEPTH, ROUNDS_EMPTIES, rounds};
use super::likely::Round;
use super::look_ahead::UNBOUNDED;
use super::tuning::Scalar;
use super::worker::Worker;
use crate::eval::{Features, UNIT};
use crate::othello::Position;

/// What the statistics call the last round.
const EXACT: &str = "exact";

impl Worker<'_> {
    /// The score of a position between `alpha` and `beta`, as [`Worker::pv`] answers it.
    pub(super) fn by_rounds(&mut self, position: &Position, alpha: i32, beta: i32) -> i32 {
        let empties = position.empties().count();
        let moves = position.moves();
        if empties < ROUNDS_EMPTIES {
            let before = self.nodes.total();
            let score = self.pv(position, moves.0, empties, alpha, beta);
            self.note_round(EXACT, before);
            return score;
        }
        let features = Features::of(position);
        let value = self.look_ahead(position, &features, moves, FIRST_GUESS_DEPTH, -UNBOUNDED, UNBOUNDED);
        let mut guess = (value as f64 / f64::from(2 * UNIT)).round() as i32 * 2;
        let first = self.tuning[Scalar::FirstRound].unsigned_abs();
        for tenths in rounds(empties, first) {
            guess = self.round(Round::Selective(tenths), position, guess, alpha, beta);
            if self.place.quit {
                return guess;
            }
        }
        let score = self.round(Round::Exact, position, guess, alpha, beta);
        debug_assert!(self.place.quit || !self.guessed, "the exact round of {position:?} rests on a guess");
        score
    }

    /// The answer of one round. Guesses of the round before are forgotten.
    fn round(&mut self, round: Round, position: &Position, guess: i32, alpha: i32, beta: i32) -> i32 {
        let before = self.nodes.total();
        self.round = round;
        self.generation = self.table.next_generation();
        let score = self.near(position, guess, alpha, beta);
        match round {
            Round::Exact => self.note_round(EXACT, before),
            Round::Selective(tenths) => self.note_round(&format!("selective, {tenths} tenths"), before),
        }
        score
    }

    /// The score between `alpha` and `beta`, asked for with windows that begin about `guess` and widen on the side where it lies.
    fn near(&mut self, position: &Position, guess: i32, alpha: i32, beta: i32) -> i32 {
        let empties = position.empties().count();
        let moves = position.moves().0;
        let (mut from, mut to) = ((guess - 1).clamp(alpha, beta - 1), (guess + 1).clamp(alpha + 1, beta));
        let (mut lower, mut upper) = (alpha, beta);
        let mut step = 2;
        loop {
            let answer = self.pv(position, moves, empties, from, to);
            if self.place.quit {
                return answer;
            }
            if answer >= to && to < upper {
                lower = answer;
                (from, to) = (answer - 1, (answer - 1 + step).min(upper));
            } else if answer <= from && from > lower {
                upper = answer;
                (from, to) = ((answer + 1 - step).max(lower), answer + 1);
            } else {
                // Between the edges, or beyond one that is the caller's own; or, in a selective round, contradicting itself.
                return answer;
            }
            if lower >= upper {
                return answer;
            }
            step *= 2;
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
    use crate::search::{Config, Request, Solver, Window};

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
        let mut judge = Solver::new(Config { table_bytes: 16 << 20, ..Config::default() }).expect("16 MiB");
        let (mut checked, mut guesses) = (0, 0);
        for evaluation in evaluations {
            let evaluation = Arc::new(Evaluation::new(&evaluation));
            for table_bytes in [16 << 10, 64 << 10] {
                let config = Config { table_bytes, evaluation: Arc::clone(&evaluation), ..Config::default() };
                let mut solver = Solver::new(config).expect("a small table");
                for tenths in (0..4).cycle().take(60) {
                    let position = position(&mut rng, 14);
                    let mut worker = solver.worker();
                    worker.round = Round::Selective(tenths);
                    // What is guessed at a high alpha is met again at lower ones, and then with an open window.
                    for (alpha, beta) in [(40, 44), (20, 24), (0, 4), (-20, -16), (-65, 65)] {
                        let answer = worker.pv(&position, position.moves().0, 14, alpha, beta);
                        assert!((-64..=64).contains(&answer));
                    }
                    let generation = worker.generation;
                    for (at, entry) in solver.shared().table.entries(generation) {
                        guesses += u32::from(entry.likely != (-64, 64));
                        if (entry.lower, entry.upper) == (-64, 64) {
                            continue;
                        }
                        let request = Request { position: at, window: Window::FULL, all_moves: false };
                        let score = judge.solve(&request).bounds.exact().expect("the full window").discs() as i8;
                        assert!(entry.lower <= score && score <= entry.upper, "{at:?}: {entry:?}, but {score}");
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 1000 && guesses > 200, "{checked} proofs, {guesses} guesses");
    }
}
