//! The exact solver.
//!
//! # From the root to the last disc
//!
//! A [`Searcher`] takes a [`Request`] and gives a [`Solution`]. Below it, the number of empties decides what is done with a position: where
//! trees are large it pays to think about the order of moves, near the end only speed counts.
//!
//! | empties | file | table | moves are tried |
//! |---|---|---|---|
//! | any | `root`, `rounds` | | asks for the score by null windows, in selective rounds and an exact one; then for the move and the line that give it |
//! | 12 and more | `deep` | shared | remembered moves, then by their chance to refute over its cost; from 14 on by what the refutation will cost |
//! | 7 to 11 | `middle` | local | the remembered move, then by replies, corners, square and parity; from 9 on the evaluation tells the best of these apart |
//! | 5 and 6 | `shallow` | local | by parity |
//! | 4 to 1 | `last` | none | by parity, fixed at four |
//!
//! `worker` says what all these ask of each other (a null window: *is the score above alpha?*) and hands a position to the right
//! one. `parity`, `ordering`, `depth_limited`, `chances`, `refutation` and `children`, each built on those before it, are what they order moves by;
//! `expected` tells where there is nothing to order, and `stable` where the stable discs alone decide.
//! `likely` says what a selective round takes on trust, and why nothing of it reaches the exact one; `cached` how a thread uses its own
//! tables, and why repainting solid discs is exact. `constants` and `parameters` hold every number, with where it comes from; `nodes` says
//! what a node is, `statistics` where they go, `recorder` what the moves would have cost that were not tried, and `sampler` keeps boards
//! to train the evaluation on.
//!
//! # Several threads
//! Solvers that share a table are a [`ThreadPool`], each on a thread of its own. Those who have a position to solve solve it; those who have none
//! [`help`](Searcher::help) them: `crew` is what they share, `board` where they find each other, `split` how moves are shared out, and
//! `divide` what that means for a node of the search. `models` tries the orders in which threads may come to all this. `limits` ends
//! a search before it is done. One thread alone meets none of it, so that its nodes are the same on every machine.
//!
//! # Where ideas come from
//!
//! The stages, the cheap ordering and the solvers for the last four squares follow what Edax, its AVX
//! version and Neural Reversi have in common; each file names what it owes to whom, and what it does otherwise.

mod constants;
mod driver;
mod instrument;
mod limits;
mod local_tables;
mod move_list;
mod node_counts;
mod node_type;
mod nodes;
mod ordering;
mod parallel;
mod parameters;
mod search_pass;
mod solution;
mod stability_cutoff;
#[cfg(test)]
mod testing;
mod worker;

pub use driver::Searcher;
#[cfg(feature = "record")]
pub use instrument::recorder::Recording;
pub use instrument::recorder::{RecordedMove, RecordedNode};
pub use instrument::statistics::{Row, Statistics};
pub use limits::{Limits, StopReason};
pub use node_counts::NodeCounts;
pub use parallel::pool::ThreadPool;
pub use parameters::{PARAMETERS, Parameter, ParameterSpec, Parameters};
pub use solution::{Bounds, Config, Request, Solution, Window};
