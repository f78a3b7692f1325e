//! The moves of a position with many empties, ordered by all that is known: replies, corners and squares ([`super::ordering`]), and
//! the learned evaluation of what they lead to ([`super::chances`]). With more empties they have an ordering of their own
//! ([`super::refutation`]).

use super::chances::Price;
use super::constants::{DEEP_EMPTIES, PRICED_EMPTIES};
use super::ordering::{Scored, Scores, score, tie_value, weighted};
use super::parity::odd_quadrants;
use super::worker::Worker;
use crate::eval::Features;
use crate::othello::{Bitboard, Position, Square};

impl Worker<'_> {
    /// These moves of a position, with their values for the question whether one of them leads to more than `alpha`.
    pub(super) fn children(&mut self, position: &Position, features: &Features, moves: Bitboard, alpha: i32) -> Scores {
        let empties = position.empties().count();
        match empties {
            PRICED_EMPTIES.. => self.priced_children(position, features, moves, alpha),
            DEEP_EMPTIES.. => self.promising_children(position, features, moves, alpha).0,
            _ => {
                let odd = odd_quadrants(position.empties().0);
                let mut scored = |square| {
                    self.nodes.count(empties - 1);
                    score(self.tuning, square, position.after(square, position.flips(square)), odd)
                };
                moves.into_iter().map(&mut scored).collect()
            }
        }
    }

    /// Moves by their chance to refute over its cost, which the evaluation of what they lead to and the replies there tell; and the best
    /// of those evaluations, for the side that moves.
    pub(super) fn promising_children(
        &mut self,
        position: &Position,
        features: &Features,
        moves: Bitboard,
        alpha: i32,
    ) -> (Scores, i32) {
        let odd = odd_quadrants(position.empties().0);
        let empties = position.empties().count();
        let price = Price::deep(self.tuning, empties);
        let mut most = i32::MIN;
        let mut promising = |square| {
            let flips = position.flips(square);
            let child = position.after(square, flips);
            self.nodes.count(empties - 1);
            if let Some(sampler) = &mut self.sampler {
                sampler.offer(&child);
            }
            let replies = child.moves();
            let ahead = -self.evaluation.value(&features.after(square, flips), empties - 1);
            most = most.max(ahead);
            let value = tie_value(self.tuning, square, &child, odd) + price.promise(ahead, alpha, weighted(replies));
            Scored { child, replies: replies.0, value, square }
        };
        let children = moves.into_iter().map(&mut promising).collect();
        (children, most)
    }

    /// All moves of a position, those that its entry in the table remembers first and the others by value.
    pub(super) fn sorted_children(
        &mut self,
        position: &Position,
        features: &Features,
        known_moves: [Option<Square>; 2],
        alpha: i32,
    ) -> Scores {
        let mut children = self.children(position, features, position.moves(), alpha);
        let remembered = |mv: &Scored| known_moves.iter().position(|&known| known == Some(mv.square)).unwrap_or(2);
        children.sort_by_key(|mv| (remembered(mv), -mv.value));
        children
    }
}
