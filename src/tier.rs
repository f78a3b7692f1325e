//! The build tier: the instructions that this binary was compiled for, and the check that the CPU
//! has them.
//!
//! | tier | required instructions | what it gives |
//! |---|---|---|
//! | `portable` | none | plain Rust on every CPU |
//! | `x86-64-v3` | AVX2, BMI, FMA, LZCNT, MOVBE... | 4 directions, 16 features in a register |
//! | `x86-64-v4` | those, and AVX-512 F, BW, CD, DQ, VL | leading zeros counted in each lane |
//! | `aarch64-neon` | NEON, which every 64-bit ARM CPU has | boards turned by RBIT |
//!
//! `cpu.rs` has the complete lists. The tier follows from the target features of the compiler
//! (`.cargo/config.toml` sets `target-cpu=native`). It is fixed at compile time because a kernel of
//! a few instructions must be inlined into the search. `build.rs` sets `cfg(tier_v3)` and
//! `cfg(tier_v4)`. All tiers search the same nodes.
//!
//! On a CPU without the instructions the program would die of an illegal instruction, so [`check`]
//! runs first. One case is left: on a CPU without AVX (before 2011), the start-up code of the
//! standard library, which is compiled for the tier as well, runs before `check`.
//!
//! `launcher/` makes one executable of the builds for all tiers, and runs the fastest one.

#[cfg(target_arch = "x86_64")]
mod cpu;

/// The tier of this binary.
pub const NAME: &str = cfg_select! {
    tier_v4 => "x86-64-v4",
    tier_v3 => "x86-64-v3",
    target_arch = "aarch64" => "aarch64-neon",
    _ => "portable",
};

/// The error message on a CPU that cannot run this binary.
const UNSUPPORTED: &str = cfg_select! {
    tier_v4 => {
        "this binary was built for a CPU with AVX-512 F, BW, CD, DQ and VL (x86-64-v4), and this \
         CPU lacks some of them; build on this machine with `cargo build --release`, or for any \
         x86-64 CPU with RUSTFLAGS=\"-C target-cpu=x86-64\""
    }
    tier_v3 => {
        "this binary was built for a CPU with AVX2, BMI1, BMI2, F16C, FMA, LZCNT, MOVBE and POPCNT \
         (x86-64-v3), and this CPU lacks some of them; build on this machine with `cargo build \
         --release`, or for any x86-64 CPU with RUSTFLAGS=\"-C target-cpu=x86-64\""
    }
    _ => {
        "this binary was built for another CPU, and this CPU lacks some of its instructions; build \
         on this machine with `cargo build --release`, or for any x86-64 CPU with \
         RUSTFLAGS=\"-C target-cpu=x86-64\""
    }
};

/// Checks that this CPU can run this binary. Must be called first, from a function that does
/// nothing else: other code in the same function may be compiled to the instructions in question.
///
/// # Errors
/// A message with the instructions that this binary needs, and with what to do.
#[inline(never)]
pub fn check() -> Result<(), &'static str> {
    #[cfg(target_arch = "x86_64")]
    if !cpu::Features::of_this_cpu().include(BUILD) {
        return Err(UNSUPPORTED);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = UNSUPPORTED;
    Ok(())
}

/// The tier that is faster than this binary's on this CPU, if there is one.
pub fn faster() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let fastest = cpu::Features::of_this_cpu().fastest_tier();
        let own = cpu::Tier::ALL.into_iter().find(|tier| tier.name() == NAME)?;
        (fastest > own).then_some(fastest.name())
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// What this build uses of what the compiler uses by itself in integer code. It can be more than
/// the tier needs (`target-cpu=native`) and less (AVX2 and BMI2 alone).
#[cfg(target_arch = "x86_64")]
const BUILD: cpu::Features = cpu::Features {
    leaf_1c: bit(cfg!(target_feature = "sse3"), 0)
        | bit(cfg!(target_feature = "ssse3"), 9)
        | bit(cfg!(target_feature = "fma"), 12)
        | bit(cfg!(target_feature = "cmpxchg16b"), 13)
        | bit(cfg!(target_feature = "sse4.1"), 19)
        | bit(cfg!(target_feature = "sse4.2"), 20)
        | bit(cfg!(target_feature = "movbe"), 22)
        | bit(cfg!(target_feature = "popcnt"), 23)
        | bit(cfg!(target_feature = "avx"), 28)
        | bit(cfg!(target_feature = "f16c"), 29),
    leaf_7b: bit(cfg!(target_feature = "bmi1"), 3)
        | bit(cfg!(target_feature = "avx2"), 5)
        | bit(cfg!(target_feature = "bmi2"), 8)
        | bit(cfg!(target_feature = "avx512f"), 16)
        | bit(cfg!(target_feature = "avx512dq"), 17)
        | bit(cfg!(target_feature = "avx512ifma"), 21)
        | bit(cfg!(target_feature = "avx512cd"), 28)
        | bit(cfg!(target_feature = "avx512bw"), 30)
        | bit(cfg!(target_feature = "avx512vl"), 31),
    leaf_7c: bit(cfg!(target_feature = "avx512vbmi"), 1)
        | bit(cfg!(target_feature = "avx512vbmi2"), 6)
        | bit(cfg!(target_feature = "gfni"), 8)
        | bit(cfg!(target_feature = "avx512vnni"), 11)
        | bit(cfg!(target_feature = "avx512bitalg"), 12)
        | bit(cfg!(target_feature = "avx512vpopcntdq"), 14),
    extended_1c: bit(cfg!(target_feature = "lzcnt"), 5),
    saved: if cfg!(target_feature = "avx512f") {
        cpu::Tier::V4.needs().saved
    } else if cfg!(target_feature = "avx") {
        cpu::Tier::V3.needs().saved
    } else {
        0
    },
};

/// The bit of a feature if this build uses it, else 0.
#[cfg(target_arch = "x86_64")]
const fn bit(used: bool, bit: u32) -> u32 {
    (used as u32) << bit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_that_runs_this_test_is_supported() {
        assert_eq!(check(), Ok(()));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_tier_of_this_build_can_be_run_and_is_of_the_list() {
        let own = cpu::Tier::ALL.into_iter().find(|tier| tier.name() == NAME).expect("a tier");
        assert!(cpu::Features::of_this_cpu().can_run(own));
        assert!(faster() != Some(NAME));
        assert!(cpu::Features::of_this_cpu().include(BUILD));
        assert_eq!(BUILD.saved & own.needs().saved, own.needs().saved);
    }
}
