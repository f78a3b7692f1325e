//! Which move to try first.
//!
//! Where one move is enough to refute a position, the first one tried should be it, and a cheap one. Without looking deeper, the
//! best sign of both is how few replies the move leaves (*fastest first*); stable corners, the kind of square and parity break
//! ties. The learned evaluation, when it comes, adds its score to [`Scored::value`] in [`score`] where there are empties enough
//! to pay for it; hash moves are tried before anything is scored, by the callers.

use arrayvec::ArrayVec;

use super::constants::{LOOK_AHEAD_MARGIN, Node, SQUARE_VALUE, look_ahead_depth, weight};
use super::estimate::UNBOUNDED;
use super::parity::odd_quadrants;
use super::worker::Worker;
use crate::othello::{Bitboard, Position, Square, stability};

/// A move, what it leads to, and how early to try it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    /// The position after the move.
    pub(super) child: Position,
    /// The opponent's replies.
    pub(super) replies: u64,
    /// The higher, the earlier.
    pub(super) value: i32,
    pub(super) square: Square,
}

/// Moves with their values. A position has far fewer legal moves than 60, but never more.
pub(super) type Scores = ArrayVec<Scored, 60>;

/// Scores a move: the weighted sum of what [`weight`] names.
#[inline(always)]
pub(super) fn score(square: Square, child: Position, odd: u64) -> Scored {
    let replies = child.moves();
    let weighted = replies.count() + (replies & Bitboard::CORNERS).count();
    let mut value = SQUARE_VALUE[square.index()] * weight::SQUARE;
    value -= weighted as i32 * weight::REPLY;
    value += stability::corner_stability(child.opponent) as i32 * weight::CORNER_STABILITY;
    if odd >> square.index() & 1 != 0 {
        value += weight::ODD_QUADRANT;
    }
    Scored { child, replies: replies.0, value, square }
}

impl Worker<'_> {
    /// These moves of a position with many empties, with their values. The more empties, the further the estimate looks
    /// ahead.
    pub(super) fn children(&mut self, position: &Position, moves: Bitboard, node: Node) -> Scores {
        let empties = position.empties();
        let odd = odd_quadrants(empties.0);
        let depth = look_ahead_depth(empties.count(), node);
        let mut best = -UNBOUNDED;
        let scored = moves.into_iter().map(|square| {
            let mut mv = score(square, position.after(square, position.flips(square)), odd);
            self.nodes.count(empties.count() - 1);
            if let Some(depth) = depth {
                // How bad a bad move is does not matter.
                let enough = (LOOK_AHEAD_MARGIN - best).min(UNBOUNDED);
                let ahead = -self.look_ahead(&mv.child, Bitboard(mv.replies), depth, -UNBOUNDED, enough);
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
