//! The exact solver.
//!
//! A [`Searcher`] takes a [`Request`] and returns a [`Solution`]. The path of a position:
//!
//! ```text
//! Searcher → driver: root → passes → MTD(f) → nodes: deep → middle → shallow → last four
//!                                                  ↓
//!                            ordering: hash moves, cost model, static score
//! ```
//!
//! | folder or file | what it holds |
//! |---|---|
//! | `driver/` | the root: score by selective passes and MTD(f); best move, principal variation |
//! | `nodes/` | the stages of the tree by the number of empties, ProbCut, depth-limited search |
//! | `ordering/` | static score, parity, cost model, expected refutation cost |
//! | `parallel/` | the thread pool, split points and their registry |
//! | `instrument/` | statistics, recorded nodes, sampled positions |
//! | `worker` | one thread's search: the data that all of the above work on |
//! | `local_tables`, `move_list`, `node_type` | shared by several stages |
//! | `search_pass`, `stability_cutoff` | likewise |
//! | `constants` | the fixed numbers that steer the search |
//! | `parameters` | the numbers that are fitted together with the weights |
//! | `limits`, `node_counts`, `solution` | limits, what counts as a node, requests and solutions |
//!
//! # Null windows
//!
//! Every node answers a null window: is the score above alpha? A score takes two of them if the
//! guess is right. The stages differ by the number of empties: where subtrees are large, the order
//! of moves deserves time; near the end only speed counts. The guide,
//! `docs/how-the-search-works.md`, explains the whole search.
//!
//! # Several threads
//!
//! Searchers that share a table belong to one [`ThreadPool`], each on a thread of its own. Idle
//! ones [`help`](Searcher::help) the others at split points. A single thread never splits, so its
//! node counts are the same on every machine.
//!
//! # Sources
//!
//! The division into stages, the static score and the solvers for the last four squares follow what
//! Edax (Richard Delorme, <https://github.com/abulmo/edax-reversi>), its AVX version (Toshihiko
//! Okuhara, <https://github.com/okuhara/edax-reversi-AVX>) and Neural Reversi have in common. Each
//! file names its sources, and what it does otherwise.

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

pub(crate) use driver::Refuter;
pub use driver::Searcher;
#[cfg(feature = "record")]
pub use instrument::recorder::Recording;
pub use instrument::recorder::{RecordedMove, RecordedNode};
pub use instrument::statistics::{Row, Statistics};
pub use limits::{Limits, Milestone, StopReason, WindowResult};
pub use node_counts::NodeCounts;
pub use parallel::pool::ThreadPool;
pub(crate) use parallel::pool::auto_table;
pub use parallel::split_point::Activity;
pub use parameters::{PARAMETERS, Parameter, ParameterSpec, Parameters};
pub use solution::{Bounds, Config, Request, Solution, Window};
