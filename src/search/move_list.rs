//! The moves of a node with their scores for move ordering.

use arrayvec::ArrayVec;

use crate::othello::{Bitboard, Position, Square};

/// A move, what it leads to, and how early to try it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    /// The position after the move.
    pub(super) child: Position,
    /// The opponent's replies, once it is valued.
    pub(super) replies: u64,
    /// The higher, the earlier.
    pub(super) value: i32,
    pub(super) square: Square,
}

impl ScoredMove {
    /// The discs that the move turned over in `position`, where it was made.
    #[inline(always)]
    pub(super) fn flips(&self, position: &Position) -> Bitboard {
        position.opponent ^ self.child.player
    }
}

/// Moves with their values. A position has far fewer legal moves than 60, but never more.
pub(super) type MoveList = ArrayVec<ScoredMove, 60>;

/// Brings the best of the moves from `from` on to `from`.
#[inline(always)]
pub(super) fn select(moves: &mut [ScoredMove], from: usize) -> ScoredMove {
    let mut best = from;
    for i in from + 1..moves.len() {
        if moves[i].value > moves[best].value {
            best = i;
        }
    }
    moves.swap(from, best);
    moves[from]
}
