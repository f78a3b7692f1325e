//! The rules of Othello, and nothing else.
//!
//! In reading order: [`Square`] and [`Move`], [`Bitboard`], [`Score`], [`Position`] (what may be
//! played and what it leads to), [`Diagram`] (a position as text, with colours), [`Symmetry`],
//! [`stability`] (discs that can never be flipped), [`perft()`] (counting games, the first test of
//! all this). [`arch`] holds the kernels: flips, moves and the last flip, for each build tier.

pub mod arch;
mod bitboard;
mod diagram;
mod perft;
mod position;
mod score;
mod square;
pub mod stability;
mod symmetry;

pub use bitboard::{Bitboard, Squares};
pub use diagram::{BLACK, Colour, Diagram, DiagramError, EMPTY, WHITE};
pub use perft::perft;
pub use position::Position;
pub use score::Score;
pub(crate) use score::final_score;
pub use square::{Move, MoveError, Square};
pub use symmetry::Symmetry;
