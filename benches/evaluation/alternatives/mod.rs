//! Kernels that were measured and are not part of the program, for comparison with those that are.
//!
//! | file | what it computes | how |
//! |---|---|---|
//! | `products` | all features of a board | multiplications |
//! | `avx2` | the same; the sum of the weights | PEXT; gathers |
//! | `two_bit_codes` | the configuration of eight squares, two bits each | byte shuffle |
//!
//! `tests/it/evaluation_alternatives.rs` includes this module and compares each kernel with the
//! program's.

#[cfg(tier_v3)]
pub mod avx2;
pub mod products;
pub mod two_bit_codes;
