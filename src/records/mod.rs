//! Position files: what is read, and what is written.
//!
//! Data passes through this room twice, and each way has one type that everything else is told in:
//!
//! - **In**: [`Reader`] turns files and standard input into [`Entry`]s, one for every line that is
//!   neither blank nor a comment, or for the positions of a game that are wanted, in order and one
//!   at a time, so that a list of any length needs the memory of one line. An entry holds a
//!   [`Problem`] (a position, and the [`Claim`]s that somebody made about it) or a [`ReadError`]
//!   (where it goes wrong, and what would be right).
//! - **Out**: a [`Record`](output::Record) for each entry goes through one of the writers in
//!   [`output`].
//!
//! Each format has a file, with its leniencies at its head:
//!
//! | | |
//! |---|---|
//! | [`obf`], [`plain`] | positions, with and without the scores of their moves |
//! | [`transcript`], [`ggf`], [`wthor`] | games; `game` plays them, and selects their positions |
//! | [`csv`], [`jsonl`] | what Yose writes, read back; `results` tells what both claim |
//! | [`solved`] | the files of "Othello is Solved" |
//!
//! Which format a text has is told in `lines`.
//!
//! Nothing here knows the solver's insides or the command line. The shape (one small file per
//! format, the leniencies listed at its head, errors that name a place and a remedy) follows
//! shakmaty's `fen` module and hyperfine's `export` folder.

mod columns;
pub mod csv;
mod game;
pub mod ggf;
pub mod jsonl;
mod line;
mod lines;
pub mod obf;
pub mod output;
pub mod plain;
mod problem;
mod reader;
pub mod results;
mod row;
pub mod solved;
mod source;
mod text;
pub mod transcript;
pub mod wthor;

pub use game::{Selection, Span};
pub use problem::{Claim, LineError, LineOrGame, Location, Problem, ReadError, Statement};
pub use reader::{Entry, Item, MissingPositions, ReadOptions, Reader};
pub(crate) use source::hex;
pub use source::{FileError, Input, Source};
#[doc(hidden)]
pub use text::printable;

/// The formats that position files have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Positions with the scores of their moves: see [`obf`].
    Obf,
    /// Positions alone: see [`plain`].
    Plain,
    /// The moves of games: see [`transcript`].
    Transcript,
    /// Games of servers: see [`ggf`].
    Ggf,
    /// Databases of tournament games: see [`wthor`].
    Wthor,
    /// The files of "Othello is Solved": see [`solved`].
    Solved,
    /// CSV, as Yose writes it: see [`csv`].
    Csv,
    /// JSON Lines, as Yose writes them: see [`jsonl`].
    JsonLines,
}
