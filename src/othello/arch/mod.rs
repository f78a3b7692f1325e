//! The kernels of the rules, once for each build tier, side by side.
//!
//! [`portable`] is plain Rust and defines what each kernel means; `avx2` (tier v3) and `avx512` (tier v4) hold the same
//! functions for wider registers. The tier is chosen when Yose is compiled ([`crate::tier`]), so that a kernel is
//! inlined into the search, and every tier at or below the chosen one is compiled and tested against `portable`.

pub mod portable;
pub mod rays;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
pub mod avx2;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512cd",
    target_feature = "avx512vl",
    target_feature = "bmi2"
))]
pub mod avx512;

pub use portable::{all_full, potential_moves};

cfg_select! {
    all(
        target_arch = "x86_64",
        target_feature = "avx512f",
        target_feature = "avx512cd",
        target_feature = "avx512vl",
        target_feature = "bmi2"
    ) => {
        pub use avx2::{last_flips, moves};
        pub use avx512::flips;
    }
    all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2") => {
        pub use avx2::{flips, last_flips, moves};
    }
    _ => {
        pub use portable::{flips, last_flips, moves};
    }
}

#[cfg(test)]
mod tests;
