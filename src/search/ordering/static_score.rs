//! Which move to try first.
//!
//! Where one move is enough to refute a position, the first one tried should be it, and a cheap one. Without looking deeper, the
//! best sign of both is how few replies the move leaves (*fastest first*); stable corners, the kind of square and parity break
//! ties. Where there are empties enough to pay for it, [`children`](crate::search::ordering::score_moves) adds the learned evaluation; hash moves are tried before
//! anything is scored, by the callers.

use crate::othello::{Bitboard, Position, Square, stability};
use crate::search::constants::{SQUARE_VALUE, weight};
use crate::search::move_list::{MoveList, ScoredMove};
use crate::search::parameters::{Parameter, Parameters};

/// Scores a move by what it leaves, without the evaluation.
#[inline(always)]
pub(in crate::search) fn scored_move(
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
