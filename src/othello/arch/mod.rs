//! The kernels of the rules, once for each build tier, side by side.
//!
//! [`portable`] is plain Rust and defines what each kernel means; `avx2` (tier v3) and `avx512`
//! (tier v4) hold the same functions for wider registers, where these are faster in the whole
//! solver. The tier is chosen when Yose is compiled ([`crate::tier`]), so that a kernel is inlined
//! into the search, and every tier at or below the chosen one is compiled and tested against
//! `portable`.

pub mod portable;
pub mod rays;

#[cfg(tier_v3)]
pub mod avx2;
#[cfg(tier_v4)]
pub mod avx512;

pub use portable::{last_flips, potential_moves};

cfg_select! {
    tier_v4 => {
        pub use avx2::{all_full, stability_closure, moves};
        pub use avx512::flips;
    }
    tier_v3 => {
        pub use avx2::{all_full, flips, stability_closure, moves};
    }
    _ => {
        pub use portable::{all_full, flips, stability_closure, moves};
    }
}

#[cfg(test)]
mod tests;
