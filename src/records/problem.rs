//! What one entry of a position file says, and what is said of one that cannot be read.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::othello::{Diagram, DiagramError, Move, Score};
use crate::search::Bounds;

use super::text::column_of;

/// A position, and what its line claims about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The position, with its colours.
    pub diagram: Diagram,
    /// The claims, in the order of the line. Every move in them is legal, every score even, and no
    /// move is claimed to have two scores.
    pub claims: Vec<Claim>,
}

impl Problem {
    /// A position without claims.
    pub fn new(diagram: Diagram) -> Problem {
        Problem { diagram, claims: Vec::new() }
    }

    /// The score that the claims give the position: the highest of those claimed exactly for it or
    /// for a move, as a list of moves is expected to have the best one in it. None if there is no
    /// such claim.
    pub fn claimed_score(&self) -> Option<Score> {
        self.claims.iter().filter_map(|claim| claim.statement.exact()).map(|(_, score)| score).max()
    }
}

/// Something that somebody published about a position, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The column at which it stands, counted in characters; the first one has 1. In a WTHOR
    /// database it is the byte of the game's record. With the [`Location`] of its entry it can be
    /// found again.
    pub column: usize,
    /// What is claimed.
    pub statement: Statement,
}

impl Claim {
    /// The claim that stands at a byte offset in a line.
    pub(super) fn at(line: &str, offset: usize, statement: Statement) -> Claim {
        Claim { column: column_of(line, offset), statement }
    }
}

/// What a claim says. All scores are seen by the side to move of the position, those of moves too.
///
/// Every kind of statement about a score is one of bounds: an exact score has them equal, a lower
/// or an upper bound alone has the other at the end of the scale, and a win, a draw and a loss are
/// +2…+64, 0 and -64…-2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// The position's score lies within these bounds.
    Score(Bounds),
    /// The score of a legal move, or of a forced pass, lies within these bounds.
    MoveScore(Move, Bounds),
    /// Each of these moves keeps the position's score; others may do so too.
    BestMoves(Vec<Move>),
}

impl Statement {
    /// The exact score that is stated, with the move that is said to have it; no move means the
    /// position.
    pub fn exact(&self) -> Option<(Option<Move>, Score)> {
        match *self {
            Statement::Score(bounds) => bounds.exact().map(|score| (None, score)),
            Statement::MoveScore(mv, bounds) => bounds.exact().map(|score| (Some(mv), score)),
            Statement::BestMoves(_) => None,
        }
    }

    /// What the statement is about, if it is about a score: a move, or the position.
    pub(super) fn subject(&self) -> Option<Option<Move>> {
        match *self {
            Statement::Score(_) => Some(None),
            Statement::MoveScore(mv, _) => Some(Some(mv)),
            Statement::BestMoves(_) => None,
        }
    }
}

/// Bounds that are one score.
pub(super) const fn exactly(score: Score) -> Bounds {
    Bounds { lower: score, upper: score }
}

/// Where an entry stands: `file:line` or `file#game`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The file's name, fit to be printed.
    pub file: Arc<str>,
    /// Where in the file.
    pub at: LineOrGame,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file, self.at)
    }
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LineOrGame {
    /// A line of text; the first one has 1.
    Line(u64),
    /// A game of a database that has no lines; the first one has 1.
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

/// What is wrong in a line. A format's reader knows no more than this; [`ReadError`] adds the
/// place.
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
    /// What is wrong at an offset, and what would be right.
    pub(super) fn new(
        offset: usize,
        what: impl Into<String>,
        hint: impl Into<String>,
    ) -> LineError {
        LineError { offset, what: what.into(), hint: hint.into() }
    }

    /// The same error of a piece that stands `start` bytes into the line.
    pub(super) fn within(self, start: usize) -> LineError {
        LineError { offset: start + self.offset, ..self }
    }
}

impl From<DiagramError> for LineError {
    fn from(error: DiagramError) -> LineError {
        LineError { offset: error.offset, what: error.what, hint: error.hint.to_owned() }
    }
}

/// Why an entry was not read: `file:line:column: what is wrong; what would be right`.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{location}:{column}: {what}; {hint}")]
pub struct ReadError {
    /// Where it stands.
    pub location: Location,
    /// The column at which reading stopped, as [`Claim::column`] counts it.
    pub column: usize,
    /// What is wrong there.
    pub what: String,
    /// What would be right.
    pub hint: String,
}

/// What is said of a move that cannot be made: what is wrong, and what would be right.
pub(super) fn illegal(mv: Move, diagram: &Diagram) -> (String, String) {
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
    let deed = match mv {
        Move::Place(square) => format!("play {square}"),
        Move::Pass => "pass".to_owned(),
    };
    (format!("{side} cannot {deed}"), hint)
}
