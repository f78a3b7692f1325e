//! The kernels of the evaluation, once for each build tier, side by side.
//!
//! [`portable`] is plain Rust and defines what each kernel means; `avx2` (tier v3) and `avx512`
//! (tier v4) hold the same functions for wider registers. The tier is chosen when Yose is compiled
//! ([`crate::tier`]), and every tier at or below the chosen one is compiled and tested against
//! `portable`.
//!
//! What a tier takes is what was fastest. Nanoseconds on an AMD EPYC of the Zen 3 kind (`cargo
//! bench --bench evaluation`, the least of a hundred samples, as the machine was shared):
//!
//! | kernel | portable tier | plain Rust compiled for v3 | v3 |
//! |---|---|---|---|
//! | `after` | 7.3 | 4.1 | 4.2 |
//! | `sum` | 31 | 22 | 24, gathered |
//! | `sum` of two tables, not packed | 71 | 33 | 50, gathered |
//! | `extract` | 36, disc by disc | 37 | 16, by shuffles; 97, by PEXT |
//! | `extract` by products ([`gather`](super::gather)) | 171 | 141 | |
//! | `code` | 9 | 3.4 | 0.4 |
//!
//! So tier v3 takes the plain sum: gathers are made of single loads on AMD's processors up to Zen
//! 3, and on Intel's where they have been slowed down against data sampling. Tier v4 gathers; its
//! kernels have not been timed yet.
//!
//! Tried and dropped: to cut no index but read a zero where it is out of bounds (a branch a lane;
//! 30 for the plain sum); vector indices and single loads (34); margins before and behind the
//! weights, as far as 16 bits lead, so that no index need be cut (a tenth less for the plain sum,
//! nothing in the whole solver); to extract by half rows from a table of 24 KiB (20 for v3, 35 for
//! the portable tier).

pub mod portable;

#[cfg(tier_v3)]
pub mod avx2;
#[cfg(tier_v4)]
pub mod avx512;

cfg_select! {
    tier_v4 => {
        pub use avx2::after;
        pub use avx512::{code, extract, sum};
    }
    tier_v3 => {
        pub use avx2::{after, code, extract};
        pub use portable::sum;
    }
    _ => {
        pub use portable::{after, code, extract, sum};
    }
}

#[cfg(test)]
mod tests;
