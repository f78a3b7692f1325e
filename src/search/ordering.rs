//! Which move to try first.
//!
//! Where one move is enough to refute a position, the first one tried should be it, and a cheap one. Without looking deeper, the
//! best sign of both is how few replies the move leaves (*fastest first*); stable corners, the kind of square and parity break
//! ties. Where there are empties enough to pay for it, [`children`](super::children) adds the learned evaluation; hash moves are tried before
//! anything is scored, by the callers.

use arrayvec::ArrayVec;

use super::constants::{SQUARE_VALUE, weight};
use super::tuning::{Scalar, Tuning};
use crate::othello::{Bitboard, Position, Square, stability};

/// A move, what it leads to, and how early to try it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    /// The position after the move.
    pub(super) child: Position,
    /// The opponent's replies, once it is valued.
    pub(super) replies: u64,
    /// The higher, the earlier.
    pub(super) value: i32,
    pub(super) square: Square,
}

impl Scored {
    /// The discs that the move turned over in `position`, where it was made.
    #[inline(always)]
    pub(super) fn flips(&self, position: &Position) -> Bitboard {
        position.opponent ^ self.child.player
    }
}

/// Moves with their values. A position has far fewer legal moves than 60, but never more.
pub(super) type Scores = ArrayVec<Scored, 60>;

/// Scores a move by what it leaves, without the evaluation.
#[inline(always)]
pub(super) fn score(tuning: &Tuning, square: Square, child: Position, odd: u64) -> Scored {
    let replies = child.moves();
    Scored { child, replies: replies.0, value: cheap_value(tuning, square, &child, replies, odd), square }
}

/// These moves of a position, not valued yet.
#[inline(always)]
pub(super) fn unvalued(position: &Position, moves: Bitboard) -> Scores {
    // Filled in place: to collect would copy room for sixty moves, most of it empty.
    let mut scores = Scores::new();
    for square in moves {
        let child = position.after(square, position.flips(square));
        scores.push(Scored { child, replies: 0, value: 0, square });
    }
    scores
}

/// The value of a move by what it leaves: `child`, with its `replies`. `odd` are the squares of quadrants with an odd number of empties.
#[inline(always)]
pub(super) fn cheap_value(tuning: &Tuning, square: Square, child: &Position, replies: Bitboard, odd: u64) -> i32 {
    tie_value(tuning, square, child, odd) - weighted(replies) as i32 * weight::REPLY
}

/// What tells moves apart that are alike in what matters more: their square, its quadrant's parity, and corners with what leans on them.
#[inline(always)]
pub(super) fn tie_value(tuning: &Tuning, square: Square, child: &Position, odd: u64) -> i32 {
    let mut value = SQUARE_VALUE[square.index()] * tuning[Scalar::Square];
    value += stability::corner_stability(child.opponent) as i32 * tuning[Scalar::CornerStability];
    if odd >> square.index() & 1 != 0 {
        value += tuning[Scalar::OddQuadrant];
    }
    value
}

/// The number of replies, those to corners counted twice.
#[inline(always)]
pub(super) fn weighted(replies: Bitboard) -> u32 {
    replies.count() + (replies & Bitboard::CORNERS).count()
}

/// Brings the best of the moves from `from` on to `from`.
#[inline(always)]
pub(super) fn select(moves: &mut [Scored], from: usize) -> Scored {
    let mut best = from;
    for i in from + 1..moves.len() {
        if moves[i].value > moves[best].value {
            best = i;
        }
    }
    moves.swap(from, best);
    moves[from]
}
