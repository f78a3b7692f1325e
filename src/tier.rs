//! The build tier: the instructions that this binary was compiled for, and the check that the CPU
//! has them.
//!
//! | tier | required instructions | what it gives |
//! |---|---|---|
//! | `portable` | none | plain Rust on every CPU |
//! | `x86-64-v3` | AVX2, BMI1, BMI2, LZCNT, POPCNT | 4 directions, 16 features in a register |
//! | `x86-64-v4` | those, and AVX-512 F, BW, CD, DQ, VL | leading zeros counted in each lane |
//!
//! The tier follows from the target features of the compiler (`.cargo/config.toml` sets
//! `target-cpu=native`). It is fixed at compile time because a kernel of a few instructions must be
//! inlined into the search. `build.rs` sets `cfg(tier_v3)` and `cfg(tier_v4)`. All tiers search the
//! same nodes.
//!
//! On a CPU without the instructions the program would die of an illegal instruction, so [`check`]
//! runs first. One case is left: on a CPU without AVX (before 2011), the start-up code of the
//! standard library, which is compiled for the tier as well, runs before `check`.

/// The tier of this binary.
pub const NAME: &str = cfg_select! {
    tier_v4 => "x86-64-v4",
    tier_v3 => "x86-64-v3",
    _ => "portable",
};

/// The error message on a CPU that cannot run this binary.
const UNSUPPORTED: &str = cfg_select! {
    tier_v4 => {
        "this binary was built for a CPU with AVX-512 F, BW, CD, DQ and VL (x86-64-v4), and this \
         CPU lacks some of them; build on this machine with `cargo build --release`, or for any \
         x86-64 CPU with RUSTFLAGS=\"-C target-cpu=x86-64\""
    }
    _ => {
        "this binary was built for a CPU with AVX2, BMI1, BMI2, LZCNT and POPCNT (x86-64-v3), and \
         this CPU lacks some of them; build on this machine with `cargo build --release`, or for \
         any x86-64 CPU with RUSTFLAGS=\"-C target-cpu=x86-64\""
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
    if !x86::supports_build() {
        return Err(UNSUPPORTED);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = UNSUPPORTED;
    Ok(())
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! CPUID. The feature detection of the standard library cannot serve here: for a feature that
    //! the build enables it is `true` at compile time. All values here are single words, so the
    //! compiler has no reason to use vector registers.

    use std::arch::x86_64::{__cpuid, __cpuid_count};

    /// The bit of a feature if this build uses it, else 0.
    const fn bit(used: bool, bit: u32) -> u32 {
        (used as u32) << bit
    }

    /// The bits that this build needs in leaf 1, register ECX.
    const LEAF_1C: u32 =
        bit(cfg!(target_feature = "popcnt"), 23) | bit(cfg!(target_feature = "avx"), 28);
    /// The bits that it needs in leaf 7, register EBX.
    const LEAF_7B: u32 = bit(cfg!(target_feature = "bmi1"), 3)
        | bit(cfg!(target_feature = "avx2"), 5)
        | bit(cfg!(target_feature = "bmi2"), 8)
        | bit(cfg!(target_feature = "avx512f"), 16)
        | bit(cfg!(target_feature = "avx512dq"), 17)
        | bit(cfg!(target_feature = "avx512cd"), 28)
        | bit(cfg!(target_feature = "avx512bw"), 30)
        | bit(cfg!(target_feature = "avx512vl"), 31);
    /// The bits that it needs in leaf 8000_0001, register ECX.
    const EXTENDED_1C: u32 = bit(cfg!(target_feature = "lzcnt"), 5);
    /// The register states that the operating system must save, as XCR0 bits: XMM and YMM for AVX,
    /// three more for AVX-512.
    const SAVED: u64 = if cfg!(target_feature = "avx512f") {
        0xe6
    } else if cfg!(target_feature = "avx") {
        0x06
    } else {
        0
    };

    /// Whether the CPU has all features of this build, and the operating system saves their
    /// registers.
    #[inline(never)]
    pub(super) fn supports_build() -> bool {
        let leaf_1c = __cpuid(1).ecx;
        let leaf_7b = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
        let extended_1c =
            if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
        leaf_1c & LEAF_1C == LEAF_1C
            && leaf_7b & LEAF_7B == LEAF_7B
            && extended_1c & EXTENDED_1C == EXTENDED_1C
            && saved(leaf_1c) & SAVED == SAVED
    }

    /// The register states that the operating system saves, as XCR0 bits.
    fn saved(leaf_1c: u32) -> u64 {
        let osxsave = leaf_1c >> 27 & 1 != 0;
        if !osxsave {
            return 0;
        }
        // SAFETY: OSXSAVE is set, so the operating system has enabled XGETBV.
        unsafe { xgetbv() }
    }

    /// # Safety
    /// The operating system must have enabled XGETBV (CPUID.1:ECX.OSXSAVE).
    #[target_feature(enable = "xsave")]
    unsafe fn xgetbv() -> u64 {
        // SAFETY: the condition of this function.
        unsafe { std::arch::x86_64::_xgetbv(0) }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_cpu_that_runs_this_test_is_supported() {
        assert_eq!(super::check(), Ok(()));
    }
}
