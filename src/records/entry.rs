//! The options and the items of a [`Reader`](super::Reader).

use std::fmt;

use crate::othello::Colour;

use super::error::{Location, ReadError};
use super::formats::Format;
use super::game::{Selection, Span};
use super::problem::Problem;
use super::source::FileError;

/// The options for reading sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// The format of all sources. `None`: each file and each line is recognised from its content.
    pub format: Option<Format>,
    /// The side to move in positions that do not name it: in plain positions, CSV and JSON Lines.
    pub side: Option<Colour>,
    /// The positions that games give. Positions that are not part of a game are not affected.
    pub selection: Selection,
}

/// An entry of the input: a line, or a position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The identifier in the output: the `id` of CSV and JSON Lines if there is one, `file#game`
    /// for games of GGF and WTHOR, else `file:line`. If a game may give several positions, `@` and
    /// the number of empties follow.
    pub id: String,
    /// The location. A game with several lines has the location of its first line.
    pub location: Location,
    /// The position, or the error.
    pub problem: Result<Problem, ReadError>,
}

/// An item of a [`Reader`](super::Reader).
#[derive(Debug)]
pub enum Item {
    /// A line that is neither blank nor a comment, or a position of a game.
    Entry(Entry),
    /// The end of a source without entries.
    Empty {
        /// The name of the source.
        file: String,
    },
    /// The end of a source with games that do not have the selected positions.
    MissingPositions(MissingPositions),
    /// A source that could not be read, or not to its end.
    Failure(FileError),
}

/// The number of games in a file that do not have the selected positions, as they ended before
/// them or began after them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingPositions {
    /// The name of the file.
    pub file: String,
    /// The number of selected games.
    pub games: u64,
    /// The number of selected games without an entry.
    pub without: u64,
    /// The numbers of empties of the selected positions.
    pub empties: Span,
}

impl fmt::Display for MissingPositions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MissingPositions { file, games, without, empties } = self;
        let (noun, verb) = (
            if *games == 1 { "game" } else { "games" },
            if *without == 1 { "has" } else { "have" },
        );
        write!(f, "{file}: {without} of {games} {noun} {verb} no position with {empties} empties")
    }
}
