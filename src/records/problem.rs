//! A position with the claims that its line makes about it.

use crate::othello::{Diagram, Move, Score};
use crate::search::Bounds;

use super::error::{LineOrGame, Location, ReadError};
use super::format_reader::EntryError;
use super::text::column_of;

/// A problem: a position, and the claims that its line makes about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The position and the colour of the side to move.
    pub diagram: Diagram,
    /// The claims in the order of the line. Their moves are legal, their scores are even, and each
    /// move has at most one score.
    pub claims: Vec<Claim>,
    /// The claims that cannot be read, in the order of the line. A [`Reader`](super::Reader)
    /// returns them only with [`MalformedClaims::SetAside`].
    pub malformed: Vec<MalformedClaim>,
}

impl Problem {
    /// A position without claims.
    pub fn new(diagram: Diagram) -> Problem {
        Problem { diagram, claims: Vec::new(), malformed: Vec::new() }
    }

    /// The claimed score of the position, from the point of view of the side to move: the highest
    /// exact score that is claimed for the position or for a move. `None` without such a claim.
    ///
    /// A list of moves with scores is assumed to contain the best move.
    pub fn claimed_score(&self) -> Option<Score> {
        self.claims.iter().filter_map(|claim| claim.statement.exact()).map(|(_, score)| score).max()
    }
}

/// A published statement about a position, and its column in the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The column in the line, counted in characters from 1. In a WTHOR database: the byte in the
    /// record of the game, from 1.
    pub column: usize,
    /// The statement.
    pub statement: Statement,
}

impl Claim {
    /// A claim at a byte offset in a line.
    pub(super) fn at(line: &str, offset: usize, statement: Statement) -> Claim {
        Claim { column: column_of(line, offset), statement }
    }
}

/// A claim that cannot be read: its field is malformed, its move is not legal, or its score is
/// impossible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MalformedClaim {
    /// The line or the game. An entry may have several lines.
    pub at: LineOrGame,
    /// The column at which reading stopped, counted as in [`Claim::column`].
    pub column: usize,
    /// What is wrong there.
    pub what: String,
    /// What would be right.
    pub hint: String,
}

impl MalformedClaim {
    /// The claim with this error.
    pub(super) fn of(EntryError { at, column, error }: EntryError) -> MalformedClaim {
        MalformedClaim { at, column, what: error.what, hint: error.hint }
    }

    /// The error for the claim of an entry at `location`.
    pub(crate) fn error(&self, location: &Location) -> ReadError {
        let MalformedClaim { at, column, what, hint } = self.clone();
        let location = Location { file: location.file.clone(), at };
        ReadError { location, column, what, hint }
    }
}

/// What a [`Reader`](super::Reader) does with an entry of which some claims cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MalformedClaims {
    /// The whole entry is an error: that of its first malformed claim. Such a line is often another
    /// one than was meant.
    #[default]
    Refuse,
    /// The position and the other claims are read, and [`Problem::malformed`] has the errors.
    SetAside,
}

/// A statement about a position. All scores, also those of moves, are from the point of view of the
/// side to move in the position.
///
/// Each statement about a score is a pair of bounds. The bounds of an exact score are equal. The
/// missing side of a lower or an upper bound is the end of the scale. A win has the bounds
/// +2…+64, a draw 0, a loss -64…-2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// The score of the position lies within these bounds.
    Score(Bounds),
    /// The score of a legal move, or of a forced pass, lies within these bounds.
    MoveScore(Move, Bounds),
    /// Each of these moves keeps the score of the position. Other moves may keep it too.
    BestMoves(Vec<Move>),
}

impl Statement {
    /// The exact score of the statement, and the move that has it (`None`: the position). `None` if
    /// the statement has no exact score.
    pub fn exact(&self) -> Option<(Option<Move>, Score)> {
        match *self {
            Statement::Score(bounds) => bounds.exact().map(|score| (None, score)),
            Statement::MoveScore(mv, bounds) => bounds.exact().map(|score| (Some(mv), score)),
            Statement::BestMoves(_) => None,
        }
    }

    /// The move (`Some(None)`: the position) whose score is stated. `None` if no score is stated.
    pub(super) fn subject(&self) -> Option<Option<Move>> {
        match *self {
            Statement::Score(_) => Some(None),
            Statement::MoveScore(mv, _) => Some(Some(mv)),
            Statement::BestMoves(_) => None,
        }
    }
}

/// Bounds with one score.
pub(super) const fn exactly(score: Score) -> Bounds {
    Bounds { lower: score, upper: score }
}
