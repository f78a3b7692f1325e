//! The moves of a position with many empties, ordered by all that is known: replies, corners and squares ([`super::ordering`]), and
//! the estimate some plies ahead ([`super::estimate`]).
//!
//! This is the learned evaluation's place, when it comes: it takes that of the estimate in [`Scored::value`](Scored).

use super::constants::{ESTIMATE_UNBOUNDED, LOOK_AHEAD_MARGIN, Node, look_ahead_depth, weight};
use super::ordering::{Scored, Scores, score};
use super::parity::odd_quadrants;
use super::worker::Worker;
use crate::othello::{Bitboard, Position, Square};

impl Worker<'_> {
    /// These moves of a position with many empties, with their values. The more empties, the further the estimate looks
    /// ahead.
    pub(super) fn children(&mut self, position: &Position, moves: Bitboard, node: Node) -> Scores {
        let empties = position.empties();
        let odd = odd_quadrants(empties.0);
        let depth = look_ahead_depth(empties.count(), node);
        let mut best = -ESTIMATE_UNBOUNDED;
        let scored = moves.into_iter().map(|square| {
            let mut mv = score(square, position.after(square, position.flips(square)), odd);
            self.nodes.count(empties.count() - 1);
            if let Some(depth) = depth {
                // How bad a bad move is does not matter.
                let enough = (LOOK_AHEAD_MARGIN - best).min(ESTIMATE_UNBOUNDED);
                let ahead = -self.look_ahead(&mv.child, Bitboard(mv.replies), depth, -ESTIMATE_UNBOUNDED, enough);
                best = best.max(ahead);
                mv.value += ahead * weight::ESTIMATE;
            }
            mv
        });
        scored.collect()
    }

    /// All moves of a position, those that its entry in the table remembers first and the others by value.
    pub(super) fn sorted_children(
        &mut self,
        position: &Position,
        known_moves: [Option<Square>; 2],
        node: Node,
    ) -> Scores {
        let mut children = self.children(position, position.moves(), node);
        let remembered = |mv: &Scored| known_moves.iter().position(|&known| known == Some(mv.square)).unwrap_or(2);
        children.sort_by_key(|mv| (remembered(mv), -mv.value));
        children
    }
}
