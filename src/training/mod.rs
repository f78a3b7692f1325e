//! Making the weights of the evaluation from nothing.
pub mod check;
pub mod data;
pub mod fit;
pub mod label;
pub mod pool;
pub mod self_play;
pub mod spread;
pub mod tree;
pub mod work;
