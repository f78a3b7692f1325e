//! The kernels of the evaluation, one file for each build tier.
//!
//! | kernel | what it computes | portable | x86-64-v3 | x86-64-v4 | aarch64-neon |
//! |---|---|---|---|---|---|
//! | `extract` | all features of a board | disc by disc | shuffles | shuffles | table look-ups |
//! | `after` | all features after a move | plain loop | AVX2 | AVX2 | plain loop |
//! | `sum` | the sum of 46 weights | plain loop | plain loop | gathers | vector of indices |
//!
//! [`portable`] is plain Rust and defines the result of each kernel; `avx2`, `avx512` and `neon`
//! compute the same with vector registers. The tier is chosen at compile time ([`crate::tier`]).
//! Every tier up to the chosen one is compiled and tested against `portable`.
//!
//! Tier v3 uses the plain sum because a gather of 32-bit words is no faster than single loads on
//! AMD CPUs up to Zen 3, and on Intel CPUs with mitigations against data sampling. Alternatives
//! that were measured and are not used are in `benches/evaluation/alternatives`; figures are in
//! docs/experiments/evaluation.md, "Kernels".

pub mod portable;

#[cfg(tier_v3)]
pub mod avx2;
#[cfg(tier_v4)]
pub mod avx512;
#[cfg(target_arch = "aarch64")]
pub mod neon;

cfg_select! {
    tier_v4 => {
        pub use avx2::after;
        pub use avx512::{extract, sum};
    }
    tier_v3 => {
        pub use avx2::{after, extract};
        pub use portable::sum;
    }
    target_arch = "aarch64" => {
        pub use neon::{extract, sum};
        pub use portable::after;
    }
    _ => {
        pub use portable::{after, extract, sum};
    }
}

#[cfg(test)]
mod tests;
