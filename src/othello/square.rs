//! One of the 64 squares, and a move: a square or a pass.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A square of the board. a1 is index 0, b1 index 1, … h8 index 63: the order in which position
/// files write them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The square with the given index.
    ///
    /// # Panics
    /// If `index` is not below 64.
    #[inline(always)]
    #[track_caller]
    pub const fn new(index: u8) -> Square {
        assert!(index < 64, "a square's index is below 64");
        Square(index)
    }

    /// The square that holds the lowest set bit of a board word.
    ///
    /// # Panics
    /// If `bits` is 0 (checked in debug builds; a release build gives an arbitrary square of the
    /// board).
    #[inline(always)]
    pub(crate) const fn of_lowest_bit(bits: u64) -> Square {
        debug_assert!(bits != 0);
        Square(bits.trailing_zeros() as u8 & 63)
    }

    /// 0 for a1 … 63 for h8.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what `new` has checked, so that tables of 64 are read without
        // a bounds check.
        (self.0 & 63) as usize
    }

    /// The column, 0 (a) to 7 (h).
    pub const fn file(self) -> usize {
        self.index() & 7
    }

    /// The row, 0 (the top one, written `1`) to 7.
    pub const fn rank(self) -> usize {
        self.index() >> 3
    }

    /// All squares, a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + Clone {
        (0..64).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no square or move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a move; a move is a square from a1 to h8, or `--` for a pass")]
pub struct MoveError(pub String);

impl FromStr for Square {
    type Err = MoveError;

    /// Reads `a1` … `h8`, in either case.
    fn from_str(text: &str) -> Result<Square, MoveError> {
        match text.as_bytes() {
            [file @ (b'a'..=b'h' | b'A'..=b'H'), rank @ b'1'..=b'8'] => {
                Ok(Square((rank - b'1') * 8 + (file.to_ascii_lowercase() - b'a')))
            }
            _ => Err(MoveError(text.to_owned())),
        }
    }
}

/// What a side to move does: place a disc, or pass because it has no legal move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A disc on this square.
    Place(Square),
    /// No legal move; the turn goes to the other side. Written `--`.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => fmt::Display::fmt(square, f),
            Move::Pass => f.write_str("--"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = MoveError;

    /// Reads a square in either case, or a pass as `--`, `ps`, `pa` or `pass`.
    fn from_str(text: &str) -> Result<Move, MoveError> {
        match text.to_ascii_lowercase().as_str() {
            "--" | "ps" | "pa" | "pass" => Ok(Move::Pass),
            _ => text.parse().map(Move::Place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_prints_and_reads_back() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse::<Square>(), Ok(square));
            assert_eq!(square.to_string().to_uppercase().parse::<Square>(), Ok(square));
            assert_eq!(Square::new(square.index() as u8), square);
        }
        assert_eq!(Square::new(0).to_string(), "a1");
        assert_eq!(Square::new(7).to_string(), "h1");
        assert_eq!(Square::new(8).to_string(), "a2");
    }

    #[test]
    fn what_is_no_move_is_named() {
        for text in ["", "a", "a0", "a9", "i1", "a11", "é", "1a"] {
            assert_eq!(text.parse::<Move>(), Err(MoveError(text.to_owned())));
        }
        for pass in ["--", "PS", "pa", "Pass"] {
            assert_eq!(pass.parse(), Ok(Move::Pass));
        }
    }
}
