//! The learned evaluation: a guess at a position's score from the patterns of its board.
//!
//! It orders moves and guesses windows, and nothing that Yose reports depends on it.
//!
//! # From a board to a number
//!
//! | step | file |
//! |---|---|
//! | 46 patterns of twelve kinds lie on the board: corners, edges, lines, diagonals | `patterns` |
//! | the discs of a pattern are one number in balanced base 3: a *feature*; a move changes the features of its squares | `features` |
//! | a feature's weight, looked up for two stages of the game in one packed word; all 46 added in one sum | `evaluation`, `packed` |
//! | the two sums blended by the empties | `packed` |
//!
//! The weights are kept once for patterns that mirror into each other (`classes`), and come from a file (`file`), by default
//! from the one that is part of the program. `arch` holds the kernels for wider registers, beside the plain ones that define
//! them. [`crate::training`] makes the weights.
//!
//! # Where the ideas come from
//!
//! A linear sum over patterns is Logistello's (Buro 1997); the twelve kinds are Edax's; the vector update and the gathers of packed
//! words are from the write-up of Edax's AVX version (SEEDS.md A1-A4), packing two stages in a word from chess programs (B1). Balanced
//! digits (own +1, opponent's -1, empty 0) are our own turn: seen from the other side every digit changes its sign, so that passing
//! the turn is one negation.

pub mod arch;
mod classes;
mod evaluation;
mod features;
mod file;
pub mod packed;
pub mod patterns;

pub use classes::{CLASSES, Classes};
pub use evaluation::{Evaluation, UNIT};
pub use features::Features;
pub use file::{SPREAD_DEPTHS, StageWeights, Weights, WeightsError};
