//! Move ordering: the order in which a node searches its moves.
//!
//! | empties | order after the hash moves | file |
//! |---|---|---|
//! | 14 and more | expected refutation cost | `refutation_cost`, `score_moves` |
//! | 12 and 13 | priority in the cost model | `cost_model`, `score_moves` |
//! | 10 and 11 | static score; the best moves by the cost model | `static_score`, `cost_model` |
//! | 7 to 9 | static score | `static_score` |
//! | 6 and fewer | parity | `parity` |
//!
//! A move ordering can change node counts, but no score.

pub(in crate::search) mod cost_model;
pub(in crate::search) mod parity;
pub(in crate::search) mod refutation_cost;
pub(in crate::search) mod score_moves;
pub(in crate::search) mod static_score;
