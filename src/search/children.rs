//! The moves of a position with many empties, ordered by all that is known: replies, corners and squares ([`super::ordering`]), and
//! the learned evaluation of what they lead to ([`super::chances`]). With more empties they have an ordering of their own
//! ([`super::refutation`]).

use super::chances::Price;
use super::constants::{DEEP_EMPTIES, PRICED_EMPTIES};
use super::ordering::{Scored, Scores, cheap_value, tie_value, unvalued, weighted};
use super::parity::odd_quadrants;
use super::worker::Worker;
use crate::eval::Features;
use crate::othello::{Position, Square};

impl Worker<'_> {
    /// Gives moves of a position their replies, and their values for the question whether one of them leads to more than `alpha`.
    pub(super) fn value_children(
        &mut self,
        position: &Position,
        features: &Features,
        children: &mut Scores,
        alpha: i32,
    ) {
        match position.empties().count() {
            PRICED_EMPTIES.. => self.price_children(position, features, children, alpha),
            DEEP_EMPTIES.. => {
                self.promise_children(position, features, children, alpha);
            }
            _ => {
                let odd = odd_quadrants(position.empties().0);
                for mv in children {
                    let replies = mv.child.moves();
                    mv.replies = replies.0;
                    mv.value = cheap_value(self.tuning, mv.square, &mv.child, replies, odd);
                }
            }
        }
    }

    /// Values moves by their chance to refute over its cost, which the evaluation of what they lead to and the replies there tell; and
    /// gives the best of those evaluations, for the side that moves.
    pub(super) fn promise_children(
        &mut self,
        position: &Position,
        features: &Features,
        children: &mut Scores,
        alpha: i32,
    ) -> i32 {
        let odd = odd_quadrants(position.empties().0);
        let empties = position.empties().count();
        let price = Price::deep(self.tuning, empties);
        let mut most = i32::MIN;
        for mv in children {
            if let Some(sampler) = &mut self.sampler {
                sampler.offer(&mv.child);
            }
            let replies = mv.child.moves();
            let ahead = -self.evaluation.value(&features.after(mv.square, mv.flips(position)), empties - 1);
            most = most.max(ahead);
            mv.replies = replies.0;
            mv.value =
                tie_value(self.tuning, mv.square, &mv.child, odd) + price.promise(ahead, alpha, weighted(replies));
        }
        most
    }

    /// All moves of a position, those that its entry in the table remembers first and the others by value.
    pub(super) fn sorted_children(
        &mut self,
        position: &Position,
        features: &Features,
        known_moves: [Option<Square>; 2],
        alpha: i32,
    ) -> Scores {
        let mut children = unvalued(position, position.moves());
        let empties = position.empties().count();
        children.iter().for_each(|_| self.nodes.count(empties - 1));
        self.value_children(position, features, &mut children, alpha);
        let remembered = |mv: &Scored| known_moves.iter().position(|&known| known == Some(mv.square)).unwrap_or(2);
        children.sort_by_key(|mv| (remembered(mv), -mv.value));
        children
    }
}
