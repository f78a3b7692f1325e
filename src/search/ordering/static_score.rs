//! Which move to try first.
//!
//! Where one move is enough to refute a position, the first one tried should be it, and a cheap one. Without looking deeper, the
//! best sign of both is how few replies the move leaves (*fastest first*); stable corners, the kind of square and parity break
//! ties. Where there are empties enough to pay for it, [`children`](crate::search::ordering::score_moves) adds the learned evaluation; hash moves are tried before
//! anything is scored, by the callers.

use arrayvec::ArrayVec;

use crate::othello::{Bitboard, Position, Square, stability};
use crate::search::constants::{SQUARE_VALUE, weight};
use crate::search::parameters::{Parameter, Parameters};

/// A move, what it leads to, and how early to try it.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct ScoredMove {
    /// The position after the move.
    pub(in crate::search) child: Position,
    /// The opponent's replies, once it is valued.
    pub(in crate::search) replies: u64,
    /// The higher, the earlier.
    pub(in crate::search) value: i32,
    pub(in crate::search) square: Square,
}

impl ScoredMove {
    /// The discs that the move turned over in `position`, where it was made.
    #[inline(always)]
    pub(in crate::search) fn flips(&self, position: &Position) -> Bitboard {
        position.opponent ^ self.child.player
    }
}

/// Moves with their values. A position has far fewer legal moves than 60, but never more.
pub(in crate::search) type MoveList = ArrayVec<ScoredMove, 60>;

/// MoveList a move by what it leaves, without the evaluation.
#[inline(always)]
pub(in crate::search) fn score(
    parameters: &Parameters,
    square: Square,
    child: Position,
    odd: u64,
) -> ScoredMove {
    let replies = child.moves();
    ScoredMove {
        child,
        replies: replies.0,
        value: static_score(parameters, square, &child, replies, odd),
        square,
    }
}

/// These moves of a position, not valued yet.
#[inline(always)]
pub(in crate::search) fn unscored_moves(position: &Position, moves: Bitboard) -> MoveList {
    // Filled in place: to collect would copy room for sixty moves, most of it empty.
    let mut scores = MoveList::new();
    for square in moves {
        let child = position.after(square, position.flips(square));
        scores.push(ScoredMove { child, replies: 0, value: 0, square });
    }
    scores
}

/// The value of a move by what it leaves: `child`, with its `replies`. `odd` are the squares of quadrants with an odd number of empties.
#[inline(always)]
pub(in crate::search) fn static_score(
    parameters: &Parameters,
    square: Square,
    child: &Position,
    replies: Bitboard,
    odd: u64,
) -> i32 {
    tie_break_score(parameters, square, child, odd) - weighted(replies) as i32 * weight::REPLY
}

/// What tells moves apart that are alike in what matters more: their square, its quadrant's parity, and corners with what leans on them.
#[inline(always)]
pub(in crate::search) fn tie_break_score(
    parameters: &Parameters,
    square: Square,
    child: &Position,
    odd: u64,
) -> i32 {
    let mut value = SQUARE_VALUE[square.index()] * parameters[Parameter::Square];
    value +=
        stability::corner_stability(child.opponent) as i32 * parameters[Parameter::CornerStability];
    if odd >> square.index() & 1 != 0 {
        value += parameters[Parameter::OddQuadrant];
    }
    value
}

/// The number of replies, those to corners counted twice.
#[inline(always)]
pub(in crate::search) fn weighted(replies: Bitboard) -> u32 {
    replies.count() + (replies & Bitboard::CORNERS).count()
}

/// Brings the best of the moves from `from` on to `from`.
#[inline(always)]
pub(in crate::search) fn select(moves: &mut [ScoredMove], from: usize) -> ScoredMove {
    let mut best = from;
    for i in from + 1..moves.len() {
        if moves[i].value > moves[best].value {
            best = i;
        }
    }
    moves.swap(from, best);
    moves[from]
}
