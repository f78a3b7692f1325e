//! Reviews of games: what each move has cost against perfect play.
//!
//! Every position of a game with few enough empties is solved with the scores of all moves. A move
//! that does not keep the score of its position is a *mistake*; the difference are the *discs
//! lost*. The score of each position, seen by Black, is the *theoretical result* of the game so
//! far. A mistake that changes the winner is a *turning point*.
//!
//! | module | content |
//! |---|---|
//! | [`games`] | the games of files, as positions with the moves that were played |
//! | [`moves`] | a move that is reviewed, a game, the players |
//! | [`effort`] | the number of empties from which a machine can review games in a given time |
//! | [`run()`] | all games on all threads, each game backwards |
//! | [`lines`] | the lines of JSON Lines, to be written and to be read back |
//! | [`output`] | writers: table, CSV, JSON Lines, and the games again with their evaluations |
//!
//! # Backwards
//! The positions of a game are solved from its end to its beginning. The position after a move
//! is solved before the position in which the move was played, so the transposition table has the
//! score of one of its moves, and much of what the others need. Measured:
//! docs/reviewing-games.md, "Time".
//!
//! # What must hold
//! - Scores are exact. A position whose search was stopped is left out, and its game is marked as
//!   not complete.
//! - The score of a position is that of the move played in the position before it, from the other
//!   point of view, if that move was no mistake of the side to move: a review never contradicts
//!   itself.

pub mod effort;
pub mod games;
pub mod lines;
pub mod moves;
pub mod output;
mod run;

pub use effort::{Effort, all_moves_cost};
pub use games::{Game, Turn, read_games};
pub use moves::{PlayerSummary, Players, Review, ReviewedMove, SideSummary, players};
pub use run::{Order, ReviewError, ReviewOptions, run};
