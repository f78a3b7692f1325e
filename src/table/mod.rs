//! What has been proven: positions with bounds on their scores.
//!
//! Two tables, used at different depths of the tree ([`crate::search`]). The [`SharedTable`] is
//! large, lives in main memory and belongs to all threads; the [`LocalTable`] is small, lives in a
//! core's cache and belongs to one. Both identify a position by all of its 128 bits, so that no two
//! positions are ever taken for one another; [`hash()`] only says where to look. Both hold proven
//! bounds and never need clearing for correctness.

mod hash;
mod local;
mod memory;
#[cfg(test)]
mod models;
mod prefetch;
mod shared;
mod slot;
mod written;

pub use hash::hash;
pub use local::{LocalEntry, LocalTable};
pub use memory::afford;
pub use shared::{Entry, SharedTable, TableError};
