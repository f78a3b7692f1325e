//! The moves of a position with many empties, ordered by all that is known: replies, corners and squares ([`super::ordering`]), and
//! the learned evaluation: of what moves lead to, or some plies ahead on the principal variation ([`super::look_ahead`]). Null windows with
//! more empties have an ordering of their own ([`super::refutation`]).

use super::chances::Price;
use super::constants::{Node, PRICED_EMPTIES, look_ahead_depth, weight};
use super::look_ahead::UNBOUNDED;
use super::ordering::{Scored, Scores, score, weighted};
use super::parity::odd_quadrants;
use super::tuning::Scalar;
use super::worker::Worker;
use crate::eval::Features;
use crate::othello::{Bitboard, Position, Square};

impl Worker<'_> {
    /// These moves of a position with many empties, with their values. The more empties, the further the evaluation looks
    /// ahead.
    pub(super) fn children(&mut self, position: &Position, features: &Features, moves: Bitboard, node: Node) -> Scores {
        let empties = position.empties();
        if let Node::Null(alpha) = node
            && empties.count() >= PRICED_EMPTIES
        {
            return self.priced_children(position, features, moves, alpha);
        }
        let odd = odd_quadrants(empties.0);
        let depth = look_ahead_depth(empties.count(), node);
        let price = Price::deep(self.tuning, empties.count());
        let mut best = -UNBOUNDED;
        let scored = moves.into_iter().map(|square| {
            let flips = position.flips(square);
            let mut mv = score(self.tuning, square, position.after(square, flips), odd);
            match depth {
                None => self.nodes.count(empties.count() - 1),
                Some(depth) => {
                    let features = features.after(square, flips);
                    if let Some(sampler) = &mut self.sampler {
                        sampler.offer(&mv.child);
                    }
                    // How bad a bad move is does not matter.
                    let enough = (self.tuning[Scalar::LookAheadMargin] - best).min(UNBOUNDED);
                    let replies = Bitboard(mv.replies);
                    let ahead = -self.look_ahead(&mv.child, &features, replies, depth, -UNBOUNDED, enough);
                    best = best.max(ahead);
                    match node {
                        Node::Pv => mv.value += ahead * self.tuning[Scalar::DeepEvaluation],
                        Node::Null(alpha) => {
                            // What replies cost is told better than by a weight for each.
                            let replies = weighted(replies);
                            mv.value += replies as i32 * weight::REPLY;
                            mv.value += price.promise(ahead, alpha, replies);
                        }
                    }
                }
            }
            mv
        });
        scored.collect()
    }

    /// All moves of a position, those that its entry in the table remembers first and the others by value.
    pub(super) fn sorted_children(
        &mut self,
        position: &Position,
        features: &Features,
        known_moves: [Option<Square>; 2],
        node: Node,
    ) -> Scores {
        let mut children = self.children(position, features, position.moves(), node);
        let remembered = |mv: &Scored| known_moves.iter().position(|&known| known == Some(mv.square)).unwrap_or(2);
        children.sort_by_key(|mv| (remembered(mv), -mv.value));
        children
    }
}
