//! Transposition tables: from positions to proven bounds and hash moves.
//!
//! | table | depth of the tree | who uses it |
//! |---|---|---|
//! | [`SharedTable`] | 13 empties and more | all threads, without locks |
//! | [`LocalTable`] | 5 to 12 empties | one thread |
//!
//! Both identify a position by all of its 128 bits: no position is taken for another one. The
//! [`hash()`] only selects the bucket of the shared table. Both hold proven bounds, so correctness
//! never needs a cleared table. The shared table also holds ProbCut bounds, which only selective
//! passes read.

mod auto;
mod control_group;
mod error;
mod gradual_pages;
mod growth;
mod hash;
mod local;
mod memory;
#[cfg(test)]
mod models;
mod prefetch;
mod shared;
mod slot;
mod touched;

pub use auto::AutoTable;
pub use error::TableError;
pub use hash::hash;
pub use local::{LocalBound, LocalEntry, LocalKey, LocalTable};
pub use memory::{check_memory, check_memory_with_threads, readable_size};
pub use shared::{Entry, SharedTable};
