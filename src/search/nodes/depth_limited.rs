//! Depth-limited alpha-beta search with the learned [`Evaluation`](crate::eval::Evaluation) at its
//! leaves.
//!
//! It gives the first guess of a position's score ([`crate::search::driver`]) and the values of
//! ProbCut ([`super::prob_cut`]). Values are in units of 1 / [`UNIT`] disc, for the side to move.
//! No score that Yose reports depends on them.

use crate::eval::{Features, UNIT};
use crate::othello::{Bitboard, Position};
use crate::search::move_list::{MoveList, select_best};
use crate::search::ordering::static_score::scored_move;
use crate::search::worker::Worker;

/// More than any value of the evaluation.
pub(in crate::search) const INFINITY: i32 = 100 * UNIT;

impl Worker<'_> {
    /// The fail-soft value of a position by a search of `depth` plies in the window from `alpha` to
    /// `beta`. `moves` are its legal moves; at depth 0 they are not used.
    pub(in crate::search) fn depth_limited(
        &mut self,
        position: &Position,
        features: &Features,
        moves: Bitboard,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let empties = position.empties().count();
        self.nodes.count(empties);
        if depth == 0 {
            return self.evaluation.value(features, empties);
        }
        if moves.is_empty() {
            let passed = position.passed();
            let replies = passed.moves();
            return if replies.is_empty() {
                position.final_score().discs() * UNIT
            } else {
                -self.depth_limited(&passed, &features.passed(), replies, depth, -beta, -alpha)
            };
        }
        if depth == 1 {
            return self.best_leaf(position, features, moves, beta);
        }
        let (mut best, mut alpha) = (-INFINITY, alpha);
        let mut children = MoveList::new();
        for square in moves {
            let child = position.after(square, position.flips(square));
            children.push(scored_move(self.parameters, square, child, 0));
        }
        for i in 0..children.len() {
            let mv = select_best(&mut children, i);
            let features = features.after(mv.square, mv.flips(position));
            let replies = Bitboard(mv.replies);
            let value =
                -self.depth_limited(&mv.child, &features, replies, depth - 1, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The best value of the children of a position by the evaluation, or the first that is at
    /// least `beta`.
    #[inline(always)]
    fn best_leaf(
        &mut self,
        position: &Position,
        features: &Features,
        moves: Bitboard,
        beta: i32,
    ) -> i32 {
        let empties = position.empties().count();
        let mut best = -INFINITY;
        for square in moves {
            let flips = position.flips(square);
            self.nodes.count(empties - 1);
            let value = if flips == position.opponent {
                64 * UNIT
            } else {
                -self.evaluation.value(&features.after(square, flips), empties - 1)
            };
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }
}
