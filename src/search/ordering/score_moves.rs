//! The moves of a position with many empties, ordered by all that is known: replies, corners and squares ([`crate::search::ordering::static_score`]), and
//! the learned evaluation of what they lead to ([`crate::search::ordering::cost_model`]). With more empties they have an ordering of their own
//! ([`crate::search::ordering::refutation_cost`]).

use crate::eval::Features;
use crate::othello::{Position, Square};
use crate::search::constants::{DEEP_EMPTIES, REFUTATION_COST_EMPTIES};
use crate::search::move_list::{MoveList, ScoredMove};
use crate::search::ordering::cost_model::CostModel;
use crate::search::ordering::parity::odd_quadrants;
use crate::search::ordering::static_score::{
    static_score, tie_break_score, unscored_moves, weighted,
};
use crate::search::worker::Worker;

impl Worker<'_> {
    /// Gives moves of a position their replies, and their values for the question whether one of them leads to more than `alpha`.
    pub(in crate::search) fn score_moves(
        &mut self,
        position: &Position,
        features: &Features,
        children: &mut MoveList,
        alpha: i32,
    ) {
        match position.empties().count() {
            REFUTATION_COST_EMPTIES.. => {
                self.score_by_refutation_cost(position, features, children, alpha)
            }
            DEEP_EMPTIES.. => {
                self.score_by_cost_model(position, features, children, alpha);
            }
            _ => {
                let odd = odd_quadrants(position.empties().0);
                for mv in children {
                    let replies = mv.child.moves();
                    mv.replies = replies.0;
                    mv.value = static_score(self.parameters, mv.square, &mv.child, replies, odd);
                }
            }
        }
    }

    /// Values moves by their chance to refute over its cost, which the evaluation of what they lead to and the replies there tell; and
    /// gives the best of those evaluations, for the side that moves.
    pub(in crate::search) fn score_by_cost_model(
        &mut self,
        position: &Position,
        features: &Features,
        children: &mut MoveList,
        alpha: i32,
    ) -> i32 {
        let odd = odd_quadrants(position.empties().0);
        let empties = position.empties().count();
        let price = CostModel::deep(self.parameters, empties);
        let mut most = i32::MIN;
        for mv in children {
            if let Some(sampler) = &mut self.sampler {
                sampler.offer(&mv.child);
            }
            let replies = mv.child.moves();
            let ahead =
                -self.evaluation.value(&features.after(mv.square, mv.flips(position)), empties - 1);
            most = most.max(ahead);
            mv.replies = replies.0;
            mv.value = tie_break_score(self.parameters, mv.square, &mv.child, odd)
                + price.promise(ahead, alpha, weighted(replies));
        }
        most
    }

    /// All moves of a position, those that its entry in the table remembers first and the others by value.
    pub(in crate::search) fn sorted_moves(
        &mut self,
        position: &Position,
        features: &Features,
        hash_moves: [Option<Square>; 2],
        alpha: i32,
    ) -> MoveList {
        let mut children = unscored_moves(position, position.moves());
        let empties = position.empties().count();
        children.iter().for_each(|_| self.nodes.count(empties - 1));
        self.score_moves(position, features, &mut children, alpha);
        let remembered = |mv: &ScoredMove| {
            hash_moves.iter().position(|&known| known == Some(mv.square)).unwrap_or(2)
        };
        children.sort_by_key(|mv| (remembered(mv), -mv.value));
        children
    }
}
