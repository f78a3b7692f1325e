//! The exact solver.

mod cached;
mod constants;
mod deep;
mod estimate;
mod last;
mod middle;
mod nodes;
mod ordering;
mod parity;
mod pv;
mod root;
mod shallow;
mod solution;
mod worker;

pub use nodes::NodeCounts;
pub use root::Solver;
pub use solution::{Bounds, Config, Request, Solution, Window};
