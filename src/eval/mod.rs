//! The learned evaluation: an estimate of a position's score from the patterns on its board.
//!
//! It orders moves, chooses first windows and bounds the searches of selective passes. No reported
//! score depends on it.
//!
//! # From a board to a value
//!
//! | step | file |
//! |---|---|
//! | the kinds of pattern: corners, edges, lines, diagonals; 46 instances | `patterns` |
//! | the configuration of each instance as a number in balanced base 3, a *feature* | `features` |
//! | the sum of the 46 weights, for two neighbouring stages in one word | `evaluation` |
//! | the interpolation between the two stages | `tapered` |
//!
//! Reflected configurations share a weight (`symmetry`). Weights are quantised to 16 bits, in 1 /
//! [`UNIT`] disc. They come from a file (`file`), of which one is embedded. `arch` has the kernels:
//! extraction of all features, their update after a move, and the sum. `shuffle_tables` has the
//! constants of the extraction. [`crate::training`] fits the weights.
//!
//! # Sources
//!
//! - A linear sum over patterns with weights by stage: M. Buro, "Statistical feature combination
//!   for the evaluation of game positions", Journal of Artificial Intelligence Research (1995), and
//!   "Improving heuristic mini-max search by supervised learning", Artificial Intelligence (2002).
//! - The shapes of the patterns: Edax ([`patterns`]).
//! - Incremental features in vector registers, and gathered weights: T. Okuhara, "Edax AVX",
//!   <http://www.amy.hi-ho.ne.jp/okuhara/edaxopt.htm>.
//! - Two stages in one word: chess engines ([`tapered`]).
//!
//! Balanced digits and the extraction by byte shuffles are Yose's own.

pub mod arch;
mod evaluation;
mod features;
mod file;
pub mod patterns;
#[cfg(tier_v3)]
mod shuffle_tables;
mod symmetry;
pub mod tapered;

pub use evaluation::{Evaluation, UNIT};
pub use features::Features;
pub use file::{DEVIATION_DEPTHS, Description, EMBEDDED, StageWeights, Weights, WeightsError};
pub use symmetry::{SYMMETRY_CLASSES, symmetry_classes};
