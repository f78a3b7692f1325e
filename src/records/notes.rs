//! What a source says about an entry besides its position and its claims.
//!
//! Notes change no result. A record repeats them if the run asks for their columns.

use std::sync::Arc;

use crate::othello::{Score, Square};

/// The notes of an entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// The comment of the line, such as `FFO 20`: the text after a `%`, or the `comment` of CSV and
    /// JSON Lines. Control characters are replaced by `�`.
    pub comment: Option<Box<str>>,
    /// The game that the position is of.
    pub game: Option<Box<GameNotes>>,
}

/// The notes of a position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameNotes {
    /// The name of the file.
    pub file: Arc<str>,
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// The number of the move that is played in the position: 1 in the start position.
    pub move_number: u64,
    /// The move that led to the position; `None` in the first position.
    pub last_move: Option<Square>,
    /// What the file says about the game.
    pub details: GameDetails,
}

/// What a file says about a game besides its moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameDetails {
    /// The year in which the game was played.
    pub year: Option<u16>,
    /// The name of Black.
    pub black: Option<Box<str>>,
    /// The name of White.
    pub white: Option<Box<str>>,
    /// The score of the game as it was played. In [`GameNotes`] it is seen by the side to move in
    /// the position, elsewhere by Black.
    pub real_score: Option<Score>,
}
