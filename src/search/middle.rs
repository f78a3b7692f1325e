//! Seven to eleven empties: the thread's own table ([`super::cached`]), and moves ordered by what they leave and by their value to
//! the learned evaluation.
//!
//! While its moves are looked at, the table is asked about each child: one that is known to refute ends the node, one that is known not to
//! need not be entered (Egaroucid does the same). Such a child counts as one node, as it does where it is only ordered.

use super::cached::{Key, Known};
use super::constants::{EVALUATED_EMPTIES, MIDDLE_EMPTIES};
use super::last::NONE;
use super::ordering::{Scored, Scores, score, select};
use super::parity::odd_quadrants;
use super::statistics::Outcome;
use super::tuning::Scalar;
use super::worker::Worker;
use crate::eval::Features;
use crate::othello::{Bitboard, Position};

impl Worker<'_> {
    /// A position with seven to eleven `empties`; `moves` are its legal moves, `features` its patterns if it has
    /// [`EVALUATED_EMPTIES`] or more.
    pub(super) fn middle(
        &mut self,
        position: &Position,
        features: Option<&Features>,
        moves: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        self.nodes.count(empties);
        let mut watch = self.watch();
        let key = Key::new(position, self.solid_keys);
        key.prefetch(&self.local.middle);
        if let Some(upper) = self.stability_cut(position, empties, alpha) {
            self.note(&watch, empties, Outcome::Stability);
            return upper;
        }
        if moves == 0 {
            return self.pass(position, empties, alpha);
        }
        let known_move = match key.look_up(&self.local.middle, empties, alpha) {
            Known::Answer(answer) => {
                self.note(&watch, empties, Outcome::Table);
                return answer;
            }
            Known::Move(mv) => mv,
        };

        let mut left = Bitboard(moves);
        let (mut best, mut best_move) = (NONE, None);
        let mut tried = 0;
        // The move that refuted before is tried before the others are looked at.
        if let Some(square) = known_move {
            debug_assert!(left.contains(square), "{square} was remembered for another position");
            left ^= Bitboard::of(square);
            let child = position.after(square, position.flips(square));
            tried += 1;
            self.watch_move(&mut watch);
            let mv = Scored { child, replies: child.moves().0, value: 0, square };
            best = -self.after_middle(position, features, &mv, empties, !alpha);
            best_move = Some(square);
        }
        if best <= alpha {
            let odd = odd_quadrants(position.empties().0);
            let mut scores = Scores::new();
            for square in left {
                let flips = position.flips(square);
                if flips == position.opponent {
                    return 64;
                }
                self.nodes.count(empties - 1);
                let child = position.after(square, flips);
                match self.child_known(&child, empties - 1, alpha) {
                    Some(answer) if answer > alpha => {
                        self.note(&watch, empties, Outcome::Child);
                        key.note(&mut self.local.middle, empties, alpha, answer, Some(square));
                        return answer;
                    }
                    // This one does not refute: it need not be tried.
                    Some(answer) => {
                        if answer > best {
                            (best, best_move) = (answer, Some(square));
                        }
                        continue;
                    }
                    None => {}
                }
                let mut mv = score(self.tuning, square, child, odd);
                if let Some(features) = features {
                    let value = -self.evaluation.value(&features.after(square, flips), empties - 1);
                    mv.value += value * self.tuning[Scalar::MiddleEvaluation];
                }
                scores.push(mv);
            }
            for i in 0..scores.len() {
                let mv = select(&mut scores, i);
                tried += 1;
                self.watch_move(&mut watch);
                let answer = -self.after_middle(position, features, &mv, empties, !alpha);
                if answer > best {
                    (best, best_move) = (answer, Some(mv.square));
                }
                if best > alpha {
                    break;
                }
            }
        }
        self.note(&watch, empties, if best > alpha { Outcome::Cut(tried) } else { Outcome::All });
        key.note(&mut self.local.middle, empties, alpha, best, best_move);
        best
    }

    /// What the tables know of a child with so many `empties`, if that is enough for an answer; seen by the side that moves to it.
    #[inline(always)]
    fn child_known(&self, child: &Position, empties: u32, alpha: i32) -> Option<i32> {
        let key = Key::new(child, self.solid_keys);
        let table = if empties >= MIDDLE_EMPTIES { &self.local.middle } else { &self.local.shallow };
        match key.look_up(table, empties, !alpha) {
            Known::Answer(answer) => Some(-answer),
            Known::Move(_) => None,
        }
    }

    /// Searches what a move leads to from a position with so many `empties`.
    #[inline(always)]
    fn after_middle(
        &mut self,
        position: &Position,
        features: Option<&Features>,
        mv: &Scored,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        match features {
            Some(features) if empties > EVALUATED_EMPTIES => {
                let features = features.after(mv.square, mv.flips(position));
                self.middle(&mv.child, Some(&features), mv.replies, empties - 1, alpha)
            }
            _ => self.near_the_end(&mv.child, mv.replies, empties - 1, alpha),
        }
    }
}
