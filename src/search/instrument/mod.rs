//! Instruments for measuring the search: statistics by number of empties (`statistics`, counted by
//! `tally`), the cost of every move of a node (`recorder`), and samples of evaluated positions
//! (`sampler`).

pub(in crate::search) mod recorder;
pub(in crate::search) mod sampler;
pub(in crate::search) mod statistics;
pub(in crate::search) mod tally;
