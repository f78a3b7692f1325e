//! Making the weights of the evaluation from nothing.
pub mod check;
pub mod data;
pub mod fit;
