//! The learned evaluation: a guess at a position's score from the patterns of its board.
//!
//! It orders moves and guesses windows, and nothing that Yose reports depends on it.
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
//! A board's features are found at once by byte shuffles (`shuffles`), or pattern by pattern by
//! multiplication (`gather`); eight squares alone have a two-bit code (`codes`).
//!
//! The weights are kept once for patterns that mirror into each other (`classes`), and come from a
//! file (`file`), by default from the one that is part of the program. `arch` holds the kernels for
//! wider registers, beside the plain ones that define them. [`crate::training`] makes the weights.
//!
//! # Where the ideas come from
//!
//! A linear sum over patterns is Logistello's (Buro 1997); the twelve kinds are Edax's; the vector
//! update and the gathers of packed words are from the write-up of Edax's AVX version (SEEDS.md
//! A1-A4), packing two stages in a word from chess programs (B1), numbers by multiplication from
//! NTest's author's circle (C1), shuffles from a solver for the Cell processor (D1). Balanced
//! digits (own +1, opponent's -1, empty 0) are our own turn: seen from the other side every digit
//! changes its sign, so that passing the turn is one negation.

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
