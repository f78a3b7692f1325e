//! The features of a position: the configuration of each pattern instance as a number.

use super::arch;
use super::patterns::LANES;
use crate::othello::{Bitboard, Position, Square};

/// The features of a position, seen by the side to move: the configuration of each of the 46
/// [`PATTERNS`](super::patterns::PATTERNS) as a number in balanced base 3.
///
/// The search computes a child's features from the parent's ([`after`](Self::after)) and drops them
/// when it returns. A copy is 96 bytes, which costs less than undoing a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct Features(pub(in crate::eval) [i16; LANES]);

impl Features {
    /// The features of a position, extracted from its board.
    #[inline]
    pub fn of(position: &Position) -> Features {
        arch::extract(position)
    }

    /// The features, and the two zeros of the lanes without a pattern.
    #[inline(always)]
    pub fn as_array(&self) -> &[i16; LANES] {
        &self.0
    }

    /// The features after a move, seen by the opponent, who moves next. They are the features of a
    /// position if `square` was empty and `flips` were discs of the opponent. Otherwise they have
    /// no meaning, but no operation on them panics.
    #[inline(always)]
    pub fn after(&self, square: Square, flips: Bitboard) -> Features {
        arch::after(self, square, flips)
    }

    /// The features of the same board, seen by the other side.
    #[inline(always)]
    pub fn passed(&self) -> Features {
        Features(self.0.map(i16::wrapping_neg))
    }
}
