//! The kernels of the evaluation, once for each build tier, side by side: [`portable`] is plain Rust and defines what each means.

pub mod portable;

pub use portable::{after, extract, sum};
