//! Several threads on one search.

#[cfg(test)]
mod models;
pub(in crate::search) mod pool;
pub(in crate::search) mod registry;
pub(in crate::search) mod split_node;
pub(in crate::search) mod split_point;
