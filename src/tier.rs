//! The build tier: which instructions this binary was compiled for, and whether this CPU has them.
//!
//! | tier | asks for | what it gives |
//! |---|---|---|
//! | `portable` | nothing | plain Rust everywhere |
//! | `x86-64-v3` | AVX2, BMI1, BMI2, LZCNT, POPCNT | four directions, sixteen features a register |
//! | `x86-64-v4` | the same and AVX-512 F, BW, CD, DQ, VL | leading zeros counted per lane |
//!
//! The tier is chosen by the features that the compiler is told to use (`.cargo/config.toml` says
//! `target-cpu=native`), because kernels of two instructions must be inlined into the search to be
//! worth having; `build.rs` tells it to the code as `cfg(tier_v3)` and `cfg(tier_v4)`. All tiers
//! search the same nodes. On a CPU without the tier's instructions the program would die of an
//! illegal one, so [`check`] looks first. (One gap is left: on a CPU without even AVX, of before
//! 2011, the standard library's own start-up code, compiled for the tier like all else, comes
//! before it.)

/// The tier of this binary.
pub const NAME: &str = cfg_select! {
    tier_v4 => "x86-64-v4",
    tier_v3 => "x86-64-v3",
    _ => "portable",
};

/// What a user is told whose CPU cannot run this binary.
const REFUSAL: &str = cfg_select! {
    tier_v4 => {
        "this binary was built for a CPU with AVX-512 F, BW, CD, DQ and VL (x86-64-v4), and this one lacks some of that; build one here with \
         `cargo build --release`, or for any x86-64 CPU with RUSTFLAGS=\"-C target-cpu=x86-64\""
    }
    _ => {
        "this binary was built for a CPU with AVX2, BMI1, BMI2, LZCNT and POPCNT (x86-64-v3), and this one lacks some of that; build one here \
         with `cargo build --release`, or for any x86-64 CPU with RUSTFLAGS=\"-C target-cpu=x86-64\""
    }
};

/// Whether this CPU can run this binary. To be asked before anything else, and by code that does
/// nothing else: whatever stands in the same function may be compiled to the very instructions that
/// are in question.
///
/// # Errors
/// What this binary needs, and what to do about it.
#[inline(never)]
pub fn check() -> Result<(), &'static str> {
    #[cfg(target_arch = "x86_64")]
    if !x86::suffices() {
        return Err(REFUSAL);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = REFUSAL;
    Ok(())
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! The standard library's feature detection answers at compile time for what the build enables,
    //! which is just what is in question here; so the CPU is asked itself. Nothing here is longer
    //! than a word, so that nothing is compiled to wide registers.

    use std::arch::x86_64::{__cpuid, __cpuid_count};

    /// The bit of a feature, if this build uses it.
    const fn bit(used: bool, bit: u32) -> u32 {
        (used as u32) << bit
    }

    /// What this build uses of leaf 1, register ECX.
    const LEAF_1C: u32 =
        bit(cfg!(target_feature = "popcnt"), 23) | bit(cfg!(target_feature = "avx"), 28);
    /// Of leaf 7, register EBX.
    const LEAF_7B: u32 = bit(cfg!(target_feature = "bmi1"), 3)
        | bit(cfg!(target_feature = "avx2"), 5)
        | bit(cfg!(target_feature = "bmi2"), 8)
        | bit(cfg!(target_feature = "avx512f"), 16)
        | bit(cfg!(target_feature = "avx512dq"), 17)
        | bit(cfg!(target_feature = "avx512cd"), 28)
        | bit(cfg!(target_feature = "avx512bw"), 30)
        | bit(cfg!(target_feature = "avx512vl"), 31);
    /// Of leaf 8000_0001, register ECX.
    const EXTENDED_1C: u32 = bit(cfg!(target_feature = "lzcnt"), 5);
    /// The register states that the operating system must save: XMM and YMM, and the three of
    /// AVX-512.
    const SAVED: u64 = if cfg!(target_feature = "avx512f") {
        0xe6
    } else if cfg!(target_feature = "avx") {
        0x06
    } else {
        0
    };

    /// Whether the CPU has what this build uses, and the operating system saves it.
    #[inline(never)]
    pub(super) fn suffices() -> bool {
        let leaf_1c = __cpuid(1).ecx;
        let leaf_7b = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
        let extended_1c =
            if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
        leaf_1c & LEAF_1C == LEAF_1C
            && leaf_7b & LEAF_7B == LEAF_7B
            && extended_1c & EXTENDED_1C == EXTENDED_1C
            && saved(leaf_1c) & SAVED == SAVED
    }

    /// The register states that the operating system saves.
    fn saved(leaf_1c: u32) -> u64 {
        let osxsave = leaf_1c >> 27 & 1 != 0;
        if !osxsave {
            return 0;
        }
        // SAFETY: the CPU says that the operating system has enabled XGETBV.
        unsafe { xgetbv() }
    }

    /// # Safety
    /// The operating system must have enabled XGETBV (CPUID.1:ECX.OSXSAVE).
    #[target_feature(enable = "xsave")]
    unsafe fn xgetbv() -> u64 {
        // SAFETY: as the caller promises.
        unsafe { std::arch::x86_64::_xgetbv(0) }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_binary_that_runs_may_run() {
        assert_eq!(super::check(), Ok(()));
    }
}
