//! What one line of a position file says, and what is said of a line that cannot be read.

use thiserror::Error;

use crate::othello::{Diagram, DiagramError, Move, Score};

/// A position, and what its line claims about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The position, with its colours.
    pub diagram: Diagram,
    /// The claims, in the order of the line. At most one for each move, every move legal, every score even.
    pub claims: Vec<Claim>,
}

impl Problem {
    /// A position without claims.
    pub fn new(diagram: Diagram) -> Problem {
        Problem { diagram, claims: Vec::new() }
    }
}

/// A score that somebody published. It is seen by the side to move of the position, as all scores are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The move that is said to have this score; none if the claim is about the position as a whole.
    pub mv: Option<Move>,
    /// The score.
    pub score: Score,
}

/// What is wrong in a line. A format's reader knows no more than this; [`ReadError`] adds the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineError {
    /// Byte offset in the line at which reading stopped.
    pub offset: usize,
    /// What is wrong there.
    pub what: String,
    /// What would be right.
    pub hint: String,
}

impl From<DiagramError> for LineError {
    fn from(error: DiagramError) -> LineError {
        LineError { offset: error.offset, what: error.what, hint: error.hint.to_owned() }
    }
}

/// Why a line was not read: `file:line:column: what is wrong; what would be right`.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}:{line}:{column}: {what}; {hint}")]
pub struct ReadError {
    /// The file's name, fit to be printed.
    pub file: String,
    /// The line's number; the first line has 1.
    pub line: u64,
    /// The column at which reading stopped, counted in characters; the first one has 1.
    pub column: usize,
    /// What is wrong there.
    pub what: String,
    /// What would be right.
    pub hint: String,
}
