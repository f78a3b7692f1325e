//! The kernels of the evaluation, once for each build tier, side by side.
//!
//! [`portable`] is plain Rust and defines what each kernel means; `avx2` (tier v3) and `avx512` (tier v4) hold the same
//! functions for wider registers. The tier is chosen when Yose is compiled ([`crate::tier`]), and every tier at or below the
//! chosen one is compiled and tested against `portable`.

pub mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
pub mod avx2;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512bw",
    target_feature = "avx512cd",
    target_feature = "avx512vl",
    target_feature = "bmi2"
))]
pub mod avx512;

cfg_select! {
    all(
        target_arch = "x86_64",
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512cd",
        target_feature = "avx512vl",
        target_feature = "bmi2"
    ) => {
        pub use avx2::after;
        pub use avx512::{code, extract, sum};
    }
    all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2") => {
        pub use avx2::{after, code, extract, sum};
    }
    _ => {
        pub use portable::{after, code, extract_by_fours as extract, sum};
    }
}

#[cfg(test)]
mod tests;
