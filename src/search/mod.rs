//! The exact solver.

mod solution;

pub use solution::{Bounds, Config, Request, Solution, Solver, Window};
