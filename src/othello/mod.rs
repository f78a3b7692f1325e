//! The rules of Othello, and nothing else.
//!
//! In reading order: [`Square`] and [`Move`], [`Bitboard`] (a set of squares), [`Score`],
//! [`Position`] (legal moves and the positions that they lead to), [`Diagram`] (a position as text,
//! with colours), [`Symmetry`], [`stability`] (discs that can never be flipped), [`perft()`] (the
//! number of move sequences). [`arch`] has the kernels: the functions that each build tier has its
//! own version of.

#[doc(hidden)]
pub mod arch;
mod bitboard;
mod diagram;
mod perft;
mod position;
mod score;
mod square;
#[doc(hidden)]
pub mod stability;
mod symmetry;

pub use bitboard::{Bitboard, Squares};
pub use diagram::{Colour, Diagram, DiagramError};
pub use perft::perft;
pub use position::Position;
pub use score::Score;
pub(crate) use score::final_score;
pub use square::{Move, MoveError, Square};
pub use symmetry::Symmetry;
