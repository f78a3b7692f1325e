//! What can be watched of a search.

pub(in crate::search) mod recorder;
pub(in crate::search) mod sampler;
pub(in crate::search) mod statistics;
pub(in crate::search) mod tally;
