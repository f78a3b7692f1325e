//! The rounds in which a position is searched: a guess, selective rounds with growing confidence, and the exact one.
//!
//! Each round begins with a narrow window about what the round before it found, and with the moves and the proofs that it left in
//! the table. Small positions are searched exactly at once.

use super::constants::{FIRST_GUESS_DEPTH, ROUNDS_EMPTIES, later_rounds};
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
        for &tenths in [first].iter().chain(later_rounds(empties)) {
            guess = self.round(Round::Selective(tenths), position, guess, alpha, beta);
            if self.quit {
                return guess;
            }
        }
        let score = self.round(Round::Exact, position, guess, alpha, beta);
        debug_assert!(self.quit || !self.guessed, "the exact round of {position:?} rests on a guess");
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
            if self.quit {
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
