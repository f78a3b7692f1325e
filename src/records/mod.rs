//! Position files: what is read, and what is written.
//!
//! Data passes through this room twice, and each way has one type that everything else is told in:
//!
//! - **In**: [`Reader`] turns files and standard input into [`Entry`]s, one for every line that is neither blank nor a
//!   comment, in order and one at a time, so that a list of any length needs the memory of one line. An entry holds a
//!   [`Problem`] (a position, and what the line claims about it) or a [`ReadError`] (where the line goes wrong, and
//!   what would be right). Which text makes a problem is told in one file for each format: [`obf`] and [`plain`].
//! - **Out**: a [`Record`](output::Record) for each entry goes through one of the writers in [`output`].
//!
//! Nothing here knows the solver's insides or the command line. The shape (one small file per format, the leniencies
//! listed at its head, errors that name a place and a remedy) follows shakmaty's `fen` module and hyperfine's `export`
//! folder.

mod line;
pub mod obf;
pub mod output;
pub mod plain;
mod problem;
mod reader;
mod text;

pub use problem::{Claim, LineError, Problem, ReadError};
pub(crate) use reader::hex;
pub use reader::{Entry, FileError, Input, Item, Reader, Reading, Source};
pub use text::printable;

use crate::othello::Colour;

/// The formats that position files have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Positions with the scores of their moves: see [`obf`].
    Obf,
    /// Positions alone: see [`plain`].
    Plain,
}

impl Format {
    /// The format that a line has by its looks: what holds a `;` is OBF.
    pub fn recognise(line: &str) -> Format {
        if line.contains(';') { Format::Obf } else { Format::Plain }
    }

    /// Reads a line, without its end and its comment, in this format. `side` is the side to move in plain positions
    /// that do not name it.
    ///
    /// # Errors
    /// With what the format does not allow, and where in the line it stands.
    pub fn read(self, line: &str, side: Option<Colour>) -> Result<Problem, LineError> {
        match self {
            Format::Obf => obf::read(line),
            Format::Plain => plain::read(line, side),
        }
    }
}
