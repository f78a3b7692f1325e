//! The learned evaluation some plies ahead: a small alpha-beta search with [`Evaluation`](crate::eval::Evaluation) at its leaves.
//!
//! It says where the search for a score begins ([`crate::search::driver::passes`]), and which positions a selective round may leave out
//! ([`crate::search::nodes::prob_cut`]). Values are in units of 1 / [`UNIT`] disc.

use crate::eval::{Features, UNIT};
use crate::othello::{Bitboard, Position};
use crate::search::ordering::static_score::{MoveList, score, select};
use crate::search::worker::Worker;

/// More than any value, either way.
pub(in crate::search) const INFINITY: i32 = 100 * UNIT;

impl Worker<'_> {
    /// The value of a position by a search of `depth` plies, within `alpha` and `beta` (fail-soft); `moves` are its legal moves, which
    /// at depth 0 are not asked for.
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
        let (mut best, mut alpha) = (-INFINITY, alpha);
        if depth == 1 {
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
            return best;
        }
        let mut children = MoveList::new();
        for square in moves {
            children.push(score(
                self.parameters,
                square,
                position.after(square, position.flips(square)),
                0,
            ));
        }
        for i in 0..children.len() {
            let mv = select(&mut children, i);
            let features = features.after(mv.square, mv.flips(position));
            let value = -self.depth_limited(
                &mv.child,
                &features,
                Bitboard(mv.replies),
                depth - 1,
                -beta,
                -alpha,
            );
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
