//! The nodes of the search tree, by their number of empties.

pub(in crate::search) mod deep;
pub(in crate::search) mod depth_limited;
pub(in crate::search) mod last_four;
pub(in crate::search) mod local_tables;
pub(in crate::search) mod middle;
pub(in crate::search) mod node_type;
pub(in crate::search) mod prob_cut;
pub(in crate::search) mod shallow;
pub(in crate::search) mod split_node;
pub(in crate::search) mod stability_cutoff;
