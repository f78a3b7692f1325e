//! The kernels of the rules, one file for each build tier.
//!
//! [`portable`] is plain Rust and defines what each kernel computes. `avx2` (tier v3), `avx512`
//! (tier v4) and `neon` (64-bit ARM) have versions of those kernels that gain by it. The tier is
//! fixed at compile time ([`crate::tier`]), so that kernels are inlined into the search. Every tier
//! up to the chosen one is compiled. The tests compare all versions with definitions that walk the
//! board square by square. Measurements: docs/experiments/kernels.md.
//!
//! A board is one word: bit 0 is a1, bit 7 is h1, bit 63 is h8. The four line directions are
//! numbered as in [`rays::STEPS`]. "Up" means towards higher bits, "down" towards lower bits.

pub mod portable;
pub mod rays;

#[cfg(tier_v3)]
pub mod avx2;
#[cfg(tier_v4)]
pub mod avx512;
#[cfg(target_arch = "aarch64")]
pub mod neon;

pub use portable::{last_flips, potential_moves};

cfg_select! {
    tier_v4 => {
        pub use avx2::{all_full, stability_closure, moves};
        pub use avx512::flips;
    }
    tier_v3 => {
        pub use avx2::{all_full, flips, stability_closure, moves};
    }
    target_arch = "aarch64" => {
        pub use neon::{flips, stability_closure, moves};
        pub use portable::all_full;
    }
    _ => {
        pub use portable::{all_full, flips, stability_closure, moves};
    }
}

#[cfg(test)]
mod tests;
