//! The patterns of a board as numbers.

use super::arch;
use super::patterns::LANES;
use crate::othello::{Bitboard, Position, Square};

/// The features of a position, seen by the side to move: for each of the 46
/// [`PATTERNS`](super::patterns::PATTERNS), its discs as a number in balanced base 3, own +1, the
/// opponent's -1, empty 0.
///
/// A copy is 96 bytes, and cheaper than undoing a move: the search computes the child's features
/// from the parent's and drops them when it returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct Features(pub(in crate::eval) [i16; LANES]);

impl Features {
    /// The features of a position, from its board.
    #[inline]
    pub fn of(position: &Position) -> Features {
        arch::extract(position)
    }

    /// The features, the patterns' first and then the unused lanes'.
    #[inline(always)]
    pub fn as_array(&self) -> &[i16; LANES] {
        &self.0
    }

    /// The features after a move, seen by the opponent, whose turn it is then. They are those of a
    /// board if `square` was empty and `flips` held discs of the opponent; if not, they are numbers
    /// without a meaning, and so is a value made from them.
    #[inline(always)]
    pub fn after(&self, square: Square, flips: Bitboard) -> Features {
        arch::after(self, square, flips)
    }

    /// The same board seen by the other side.
    #[inline(always)]
    pub fn passed(&self) -> Features {
        Features(self.0.map(i16::wrapping_neg))
    }
}
