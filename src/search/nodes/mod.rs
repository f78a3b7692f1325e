//! The nodes of the search tree: one file for each stage, chosen by the number of empties.
//!
//! | file | empties | transposition table | order of moves |
//! |---|---|---|---|
//! | [`deep`] | 13 and more | shared | hash moves, cost model; from 14 the refutation cost |
//! | [`middle`] | 7 to 12 | local | hash move, then static score; from 10 the evaluation as well |
//! | [`shallow`] | 5 and 6 | local | parity and kind of square |
//! | [`last_four`] | 1 to 4 | none | parity, fixed at four empties |
//!
//! A stage calls itself and those below it in this table, never one above. [`entry`] chooses the
//! stage of a root. [`context`] has what the stages hand to each other. [`prob_cut`] and
//! [`depth_limited`] are what a node uses instead of searching its moves.

pub(in crate::search) mod context;
pub(in crate::search) mod deep;
pub(in crate::search) mod depth_limited;
pub(in crate::search) mod entry;
pub(in crate::search) mod last_four;
pub(in crate::search) mod middle;
pub(in crate::search) mod prob_cut;
pub(in crate::search) mod shallow;

pub(in crate::search) use depth_limited::INFINITY;
