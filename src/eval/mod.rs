//! The learned evaluation: an estimate of a position's score from the patterns of its board.
//!
//! It orders moves and chooses first windows. No score that Yose reports depends on it.
//!
//! # From a board to a number
//!
//! | step | file |
//! |---|---|
//! | 46 patterns of twelve kinds lie on the board: corners, edges, lines, diagonals | `patterns` |
//! | the discs of a pattern as one number in balanced base 3: a *feature* | `features` |
//! | the sum of the 46 weights, for two stages of the game in one word | `evaluation`, `packed` |
//! | the two sums blended by the empties | `packed` |
//!
//! The features of a board are computed all at once by byte shuffles (`shuffles`), or pattern by
//! pattern by multiplication (`gather`). `codes` has a two-bit code for eight squares.
//!
//! Patterns that mirror into each other share a weight (`classes`). The weights come from a file
//! (`file`); one is embedded in the program. `arch` holds the kernels for wider registers, beside
//! the plain ones that define them. [`crate::training`] makes the weights.
//!
//! # Sources
//!
//! - A linear sum over patterns: M. Buro, "Logistello", and "An Evaluation Function for Othello
//!   Based on Statistics" (1997), <https://skatgame.net/mburo/ps/evalfunc.pdf>.
//! - The twelve kinds of pattern are those of Edax (Richard Delorme,
//!   <https://github.com/abulmo/edax-reversi>).
//! - The update of all features in vector registers, and the gather of packed words: Toshihiko
//!   Okuhara's write-up of his AVX version of Edax, <https://github.com/okuhara/edax-reversi-AVX>.
//! - Two stages in one word: "Packed Evaluation", chess programming.
//! - Base-3 numbers by one multiplication: "Bit Gathering and base-2-to-base-3 conversion for
//!   Othello" (2014).
//!
//! The digits here are balanced: own disc +1, opponent's -1, empty 0. For the other side every
//! digit changes its sign, so a pass negates each feature.

pub mod arch;
mod classes;
pub mod codes;
mod evaluation;
mod features;
mod file;
pub mod gather;
pub mod packed;
pub mod patterns;
#[cfg(tier_v3)]
mod shuffles;

pub use classes::{CLASSES, Classes};
pub use evaluation::{Evaluation, UNIT};
pub use features::Features;
pub use file::{DEVIATION_DEPTHS, Description, EMBEDDED, StageWeights, Weights, WeightsError};
