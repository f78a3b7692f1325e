//! Move scores of deep nodes, by number of empties: static scores, the cost model, or the expected
//! refutation cost.

use std::cmp::Reverse;

use crate::eval::Features;
use crate::othello::{Bitboard, Position, Square};
use crate::search::constants::{
    CHEAP_REFUTATION, CHEAP_REFUTATION_BELOW, DEEP_EMPTIES, NEGLIGIBLE_PART,
    REFUTATION_COST_4_PLY_EMPTIES, REFUTATION_COST_EMPTIES,
};
use crate::search::move_list::{MoveList, OrderKey, ScoredMove};
use crate::search::ordering::cost_model::{CostModel, RefutationCost};
use crate::search::ordering::parity::odd_quadrants;
use crate::search::ordering::refutation_cost::NullWindow;
use crate::search::ordering::static_score::{
    static_score, tie_break_score, unscored_moves, weighted_mobility,
};
use crate::search::parameters::Parameter;
use crate::search::worker::Worker;

impl Worker<'_> {
    /// Sets the replies and the keys of `moves` of a position, for a null window of `alpha`.
    pub(in crate::search) fn score_moves(
        &mut self,
        position: &Position,
        features: &Features,
        moves: &mut MoveList,
        alpha: i32,
    ) {
        match position.empties().count() {
            REFUTATION_COST_EMPTIES.. => {
                self.score_by_refutation_cost(position, features, moves, alpha)
            }
            DEEP_EMPTIES.. => {
                self.score_by_cost_model(position, features, moves, alpha);
            }
            _ => {
                let odd = odd_quadrants(position.empties().0);
                for mv in moves {
                    let replies = mv.child.moves();
                    let score = static_score(self.parameters, mv.square, &mv.child, replies, odd);
                    mv.replies = replies.0;
                    mv.key = OrderKey::first(score);
                }
            }
        }
    }

    /// Scores moves by their priority in the [cost model](CostModel), and by the tie-break score.
    /// Returns the best evaluation after a move, for the side that makes it.
    fn score_by_cost_model(
        &mut self,
        position: &Position,
        features: &Features,
        moves: &mut MoveList,
        alpha: i32,
    ) -> i32 {
        let odd = odd_quadrants(position.empties().0);
        let empties = position.empties().count();
        let model = CostModel::deep(self.parameters, empties);
        let mut best = i32::MIN;
        for mv in moves {
            if let Some(sampler) = &mut self.sampler {
                sampler.offer(&mv.child);
            }
            let replies = mv.child.moves();
            let features = features.after(mv.square, mv.flips(position));
            let value = -self.evaluation.value(&features, empties - 1);
            best = best.max(value);
            let tie_break = tie_break_score(self.parameters, mv.square, &mv.child, odd);
            let priority = model.priority(value, alpha, weighted_mobility(replies));
            mv.replies = replies.0;
            mv.key = OrderKey::first(tie_break + priority);
        }
        best
    }

    /// Scores moves by their [expected refutation cost](Worker::refutation_cost), and by the
    /// tie-break score.
    ///
    /// All moves are scored by the cost model first. Costs are computed for the moves near the best
    /// one; the others come after them. No cost is computed where that takes more nodes than it
    /// saves: where a single move is near the best, at a likely all-node, and at a node with a
    /// cheap refutation.
    fn score_by_refutation_cost(
        &mut self,
        position: &Position,
        features: &Features,
        moves: &mut MoveList,
        alpha: i32,
    ) {
        let best_value = self.score_by_cost_model(position, features, moves, alpha);
        let empties = position.empties().count();
        let model = CostModel::deep(self.parameters, empties);
        // At an all-node every move is searched, in whatever order.
        let doubt = self.in_nats(Parameter::RefutationDoubt);
        if moves.len() < 2 || model.log_cut_probability(best_value, alpha) < -doubt {
            return;
        }
        moves.sort_by_key(|mv| Reverse(mv.key));
        let best = moves[0].key.score();
        if empties < CHEAP_REFUTATION_BELOW && best > CHEAP_REFUTATION {
            return;
        }
        let threshold = best - self.in_nats(Parameter::RefutationWindow);
        // No other move can come first.
        if moves[1].key.score() < threshold {
            return;
        }
        let window = NullWindow { alpha, model, negligible_part: NEGLIGIBLE_PART };
        let plies = if empties >= REFUTATION_COST_4_PLY_EMPTIES { 4 } else { 2 };
        let odd = odd_quadrants(position.empties().0);
        let mut least = RefutationCost::MAX;
        for mv in moves {
            if mv.key.score() < threshold {
                mv.key = OrderKey::second(mv.key.score());
                continue;
            }
            let features = features.after(mv.square, mv.flips(position));
            // The exact cost of a move that is much more expensive than another does not matter.
            let eighths = self.parameters[Parameter::RefutationLimit].unsigned_abs();
            let limit = least.times_eighths(eighths);
            let replies = Bitboard(mv.replies);
            let cost = self.refutation_cost(&window, &mv.child, &features, replies, plies, limit);
            least = least.min(cost);
            let tie_break = tie_break_score(self.parameters, mv.square, &mv.child, odd);
            mv.key = OrderKey::first(tie_break + cost.priority());
        }
    }

    /// A parameter in hundredths of a nat, in the unit of move scores.
    fn in_nats(&self, parameter: Parameter) -> i32 {
        self.parameters[parameter].saturating_mul(CostModel::NAT / 100)
    }

    /// All moves of a position in the order of the search: the `hash_moves`, then the others by
    /// score for a null window of `alpha`.
    pub(in crate::search) fn sorted_moves(
        &mut self,
        position: &Position,
        features: &Features,
        hash_moves: [Option<Square>; 2],
        alpha: i32,
    ) -> MoveList {
        let mut moves = unscored_moves(position, position.moves());
        let empties = position.empties().count();
        moves.iter().for_each(|_| self.nodes.count(empties - 1));
        self.score_moves(position, features, &mut moves, alpha);
        let hash_rank = |mv: &ScoredMove| {
            let rank = hash_moves.iter().position(|&hash_move| hash_move == Some(mv.square));
            rank.unwrap_or(hash_moves.len())
        };
        moves.sort_by_key(|mv| (hash_rank(mv), Reverse(mv.key)));
        moves
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;
    use crate::search::testing::position;
    use crate::search::{Config, Searcher};

    #[test]
    fn every_move_is_scored_once_with_its_child_and_replies() {
        let mut rng = SmallRng::seed_from_u64(21);
        let mut solver = Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() })
            .expect("there is memory");
        for number in 0..30 {
            let position = position(&mut rng, 14 + number % 10);
            let features = Features::of(&position);
            let mut worker = solver.worker();
            let mut scored = unscored_moves(&position, position.moves());
            let alpha = number as i32 * 2 - 31;
            worker.score_by_refutation_cost(&position, &features, &mut scored, alpha);
            let mut moves = Bitboard::EMPTY;
            for mv in &scored {
                moves |= Bitboard::of(mv.square);
                assert_eq!(mv.child, position.after(mv.square, position.flips(mv.square)));
                assert_eq!(mv.replies, mv.child.moves().0);
            }
            assert_eq!(
                (moves, scored.len()),
                (position.moves(), moves.count() as usize),
                "{position:?}"
            );
        }
    }
}
