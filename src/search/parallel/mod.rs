//! Parallel search: several workers on one position.
//!
//! `pool` is the data that workers share, `registry` assigns idle workers to split points,
//! `split_point` distributes the moves of a node, and `split_node` is a node of the search at a
//! split point. `models` tests all of this in every order of the threads.

#[cfg(test)]
mod models;
pub(in crate::search) mod pool;
pub(in crate::search) mod registry;
pub(in crate::search) mod split_node;
pub(in crate::search) mod split_point;
