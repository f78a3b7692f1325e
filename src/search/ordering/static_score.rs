//! The static move score: move ordering without a search and without the evaluation.
//!
//! ```text
//! static score    = tie-break score - weight · weighted mobility of the opponent after the move
//! tie-break score = corner stability + parity of the quadrant
//! ```
//!
//! At a cut node, the first move searched should fail high, and at a low cost. The best static sign
//! of both is a low mobility of the opponent. (Other engines call this ordering *fastest first*.)
//! The other terms are small, and mostly break ties. Where there are enough empties, the
//! [cost model](crate::search::ordering::cost_model) adds the evaluation
//! ([`crate::search::ordering::score_moves`]).

use std::hint::select_unpredictable;

use crate::othello::{Bitboard, Position, Square, stability};
use crate::search::constants::REPLY_WEIGHT;
use crate::search::move_list::{MoveList, OrderKey, ScoredMove};
use crate::search::parameters::{Parameter, Parameters};

/// The move to `square`, which leads to `child`, with its static score. `odd` is as in
/// [`static_score`].
#[inline(always)]
pub(in crate::search) fn scored_move(
    parameters: &Parameters,
    square: Square,
    child: Position,
    odd: u64,
) -> ScoredMove {
    let replies = child.moves();
    let score = static_score(parameters, square, &child, replies, odd);
    ScoredMove { child, replies: replies.0, key: OrderKey::first(score), square }
}

/// The given moves of a position, without replies and keys.
#[inline(always)]
pub(in crate::search) fn unscored_moves(position: &Position, moves: Bitboard) -> MoveList {
    // Filled in place: `collect` would copy the whole array, most of which is unused.
    let mut list = MoveList::new();
    for square in moves {
        let child = position.after(square, position.flips(square));
        list.push(ScoredMove { child, replies: 0, key: OrderKey::first(0), square });
    }
    list
}

/// The static score of the move to `square`, which leads to `child` with the opponent's `replies`.
/// `odd` are the squares of quadrants with an odd number of empties before the move.
#[inline(always)]
pub(in crate::search) fn static_score(
    parameters: &Parameters,
    square: Square,
    child: &Position,
    replies: Bitboard,
    odd: u64,
) -> i32 {
    let mobility = weighted_mobility(replies) as i32;
    tie_break_score(parameters, square, child, odd) - mobility * REPLY_WEIGHT
}

/// The part of the static score that does not depend on the mobility.
#[inline(always)]
pub(in crate::search) fn tie_break_score(
    parameters: &Parameters,
    square: Square,
    child: &Position,
    odd: u64,
) -> i32 {
    let corners = stability::corner_stability(child.opponent) as i32;
    let is_odd = odd >> square.index() & 1 != 0;
    corners * parameters[Parameter::CornerStability]
        + select_unpredictable(is_odd, parameters[Parameter::OddQuadrant], 0)
}

/// The number of legal moves, with moves to corners counted twice.
#[inline(always)]
pub(in crate::search) fn weighted_mobility(moves: Bitboard) -> u32 {
    moves.count() + (moves & Bitboard::CORNERS).count()
}
