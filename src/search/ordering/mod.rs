//! Which move to try first.

pub(in crate::search) mod cost_model;
pub(in crate::search) mod parity;
pub(in crate::search) mod refutation_cost;
pub(in crate::search) mod score_moves;
pub(in crate::search) mod static_score;
