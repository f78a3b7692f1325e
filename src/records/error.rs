//! Locations in input files, and the errors that name them.
//!
//! A reader of one line reports a [`LineError`]: a byte offset, what is wrong, and what would be
//! right. The [`Reader`](super::Reader) adds the location and returns a [`ReadError`].

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::othello::{Diagram, DiagramError, Move};

/// The location of an entry, printed as `file:line` or `file#game`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The name of the file, without control characters.
    pub file: Arc<str>,
    /// The line or the game in the file.
    pub at: LineOrGame,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file, self.at)
    }
}

/// The number of a line or of a game in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LineOrGame {
    /// A line of a text; the first line has 1.
    Line(u64),
    /// A game of a binary database; the first game has 1.
    Game(u64),
}

impl fmt::Display for LineOrGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineOrGame::Line(line) => write!(f, ":{line}"),
            LineOrGame::Game(game) => write!(f, "#{game}"),
        }
    }
}

/// An error in a line, without the location of the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineError {
    /// Byte offset in the line at which reading stopped.
    pub offset: usize,
    /// What is wrong there.
    pub what: String,
    /// What would be right.
    pub hint: String,
}

impl LineError {
    /// An error at a byte offset.
    pub(super) fn new(
        offset: usize,
        what: impl Into<String>,
        hint: impl Into<String>,
    ) -> LineError {
        LineError { offset, what: what.into(), hint: hint.into() }
    }

    /// The same error for a part of the line that begins at byte `start`.
    pub(super) fn within(self, start: usize) -> LineError {
        LineError { offset: start + self.offset, ..self }
    }
}

impl From<DiagramError> for LineError {
    fn from(error: DiagramError) -> LineError {
        LineError::new(error.offset, error.what, error.hint)
    }
}

/// An entry that could not be read, printed as
/// `file:line:column: what is wrong; what would be right`.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{location}:{column}: {what}; {hint}")]
pub struct ReadError {
    /// The location of the entry.
    pub location: Location,
    /// The column at which reading stopped, counted as in [`Claim::column`](super::Claim::column).
    pub column: usize,
    /// What is wrong there.
    pub what: String,
    /// What would be right.
    pub hint: String,
}

/// The error for a move that is not legal: what is wrong, and what would be right.
pub(super) fn illegal_move(mv: Move, diagram: &Diagram) -> (String, String) {
    let position = &diagram.position;
    let side = diagram.to_move;
    let hint = if position.is_over() {
        "the game is over".to_owned()
    } else if position.must_pass() {
        format!("{side} has no move and must pass")
    } else {
        let moves: Vec<String> =
            position.moves().into_iter().map(|square| square.to_string()).collect();
        format!("the legal moves are {}", moves.join(" "))
    };
    let action = match mv {
        Move::Place(square) => format!("play {square}"),
        Move::Pass => "pass".to_owned(),
    };
    (format!("{side} cannot {action}"), hint)
}
