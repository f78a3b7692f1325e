//! The options and the items of a [`Reader`](super::Reader).

use std::fmt;

use crate::othello::Colour;

use super::error::{Location, ReadError};
use super::formats::Format;
use super::game::{Selection, Span};
use super::notes::Notes;
use super::problem::{MalformedClaims, Problem};
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
    /// Whether entries have [`Notes`]. If a folder has a file `WTHOR.JOU`, the names of the players
    /// in its databases are read from it.
    pub notes: bool,
    /// What is done with an entry of which some claims cannot be read.
    pub malformed_claims: MalformedClaims,
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
    /// The comment of the entry and the game that it is of. Empty unless they are requested.
    pub notes: Notes,
    /// The position, or the error.
    pub problem: Result<Problem, ReadError>,
}

/// An item of a [`Reader`](super::Reader).
#[derive(Debug)]
pub enum Item {
    /// A line that is neither blank nor a comment, or a position of a game.
    Entry(Entry),
    /// The end of a source without entries.
    Empty(EmptySource),
    /// The end of a source with games that do not have the selected positions.
    MissingPositions(MissingPositions),
    /// A source that could not be read, or not to its end. At the end of all sources: they have
    /// content, but no entry.
    Failure(FileError),
}

/// A source without entries, and what it has instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmptySource {
    /// The name of the source.
    pub file: String,
    /// What it has.
    pub(super) content: Content,
}

/// What a source without entries has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// At most blank lines and comments.
    Nothing,
    /// A number of other lines, none of which is an entry.
    Lines(u64),
    /// A number of games, none of which is selected.
    Games(u64),
    /// The header of a database without games.
    DatabaseHeader,
}

impl fmt::Display for EmptySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: holds no positions", self.file)?;
        match self.content {
            Content::Nothing => Ok(()),
            Content::Lines(1) => write!(f, "; its only line is a header or describes a run"),
            Content::Lines(count) => write!(f, "; its {count} lines are headers or describe a run"),
            Content::Games(1) => write!(f, "; its only game is not selected"),
            Content::Games(count) => write!(f, "; none of its {count} games is selected"),
            Content::DatabaseHeader => write!(f, "; its header counts no games"),
        }
    }
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
