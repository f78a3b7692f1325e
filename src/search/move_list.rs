//! The moves of a node with their scores for move ordering.

use std::hint::select_unpredictable;

use arrayvec::ArrayVec;

use crate::othello::{Bitboard, Position, Square};

/// The place of a move in the move ordering: moves of the first class before those of the second,
/// and by score within a class. A greater key comes earlier.
///
/// Both parts are packed into one integer, so that a comparison is one instruction. Scores of a
/// node's moves differ by less than [`OrderKey::CLASS`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct OrderKey(i32);

impl OrderKey {
    /// The distance between the classes.
    const CLASS: i32 = 1 << 24;

    /// The key of a move of the first class.
    #[inline(always)]
    pub(super) fn first(score: i32) -> OrderKey {
        OrderKey(score)
    }

    /// The key of a move of the second class: its score is not good enough for an expensive
    /// computation that the moves of the first class get.
    #[inline(always)]
    pub(super) fn second(score: i32) -> OrderKey {
        OrderKey(score - OrderKey::CLASS)
    }

    /// The score, for a key of the first class.
    #[inline(always)]
    pub(super) fn score(self) -> i32 {
        self.0
    }

    /// The key as one integer with the same order.
    #[cfg(feature = "record")]
    pub(super) fn to_i32(self) -> i32 {
        self.0
    }
}

/// A move with its child and its key for move ordering.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    /// The position after the move.
    pub(super) child: Position,
    /// The opponent's replies; 0 until the move is scored.
    pub(super) replies: u64,
    pub(super) key: OrderKey,
    pub(super) square: Square,
}

impl ScoredMove {
    /// The discs that the move flips in `position`, where it is made.
    #[inline(always)]
    pub(super) fn flips(&self, position: &Position) -> Bitboard {
        position.opponent ^ self.child.player
    }
}

/// The moves of a node, at most 60.
pub(super) type MoveList = ArrayVec<ScoredMove, 60>;

/// Swaps the move with the greatest key of those from the index `from` on to `from`, and returns
/// it.
#[inline(always)]
pub(super) fn select_best(moves: &mut [ScoredMove], from: usize) -> ScoredMove {
    let (mut best, mut greatest) = (from, moves[from].key);
    for (i, mv) in moves.iter().enumerate().skip(from + 1) {
        let greater = mv.key > greatest;
        best = select_unpredictable(greater, i, best);
        greatest = select_unpredictable(greater, mv.key, greatest);
    }
    moves.swap(from, best);
    moves[from]
}
