//! From a position to its score, best move and principal variation.

mod passes;
mod root;

pub use root::Searcher;
