//! One of the 64 squares, and a move: a square or a pass.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use thiserror::Error;

/// A square of the board. Its index is 0 for a1, 1 for b1, 7 for h1, 8 for a2, 63 for h8: the order
/// of the squares in position files.
///
/// ```
/// use yose::othello::Square;
///
/// let square: Square = "c4".parse()?;
/// assert_eq!((square.index(), square.file(), square.rank()), (26, 2, 3));
/// assert_eq!(Square::new(63).to_string(), "h8");
/// # Ok::<(), yose::othello::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The square with the given index.
    ///
    /// # Panics
    /// Panics if `index` is 64 or more.
    #[inline(always)]
    #[track_caller]
    pub const fn new(index: u8) -> Square {
        assert!(index < 64, "a square's index is below 64");
        Square(index)
    }

    /// The square that holds the lowest set bit of a board word.
    ///
    /// # Panics
    /// Panics in debug builds if `bits` is 0. A release build then returns an arbitrary square.
    #[inline(always)]
    pub(crate) const fn of_lowest_bit(bits: u64) -> Square {
        debug_assert!(bits != 0);
        Square(bits.trailing_zeros() as u8 & 63)
    }

    /// The index: 0 for a1 to 63 for h8.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // `new` has checked this. With the mask the compiler omits bounds checks on tables of 64.
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
        f.write_char((b'a' + self.file() as u8) as char)?;
        f.write_char((b'1' + self.rank() as u8) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that is not a square or a move. The field is that text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a move; a move is a square from a1 to h8, or `--` for a pass")]
pub struct MoveError(pub String);

impl FromStr for Square {
    type Err = MoveError;

    /// Reads `a1` to `h8`, in either case.
    fn from_str(text: &str) -> Result<Square, MoveError> {
        match text.as_bytes() {
            [file @ (b'a'..=b'h' | b'A'..=b'H'), rank @ b'1'..=b'8'] => {
                Ok(Square((rank - b'1') * 8 + (file.to_ascii_lowercase() - b'a')))
            }
            _ => Err(MoveError(text.to_owned())),
        }
    }
}

/// A move: a disc on a square, or a pass, which is legal only where no square is.
///
/// ```
/// use yose::othello::{Move, Square};
///
/// assert_eq!("D3".parse(), Ok(Move::Place(Square::new(19))));
/// assert_eq!("pass".parse(), Ok(Move::Pass));
/// assert_eq!(Move::Pass.to_string(), "--");
/// ```
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
    fn an_error_names_the_text_that_is_not_a_move() {
        for text in ["", "a", "a0", "a9", "i1", "a11", "é", "1a"] {
            assert_eq!(text.parse::<Move>(), Err(MoveError(text.to_owned())));
        }
        for pass in ["--", "PS", "pa", "Pass"] {
            assert_eq!(pass.parse(), Ok(Move::Pass));
        }
    }
}
