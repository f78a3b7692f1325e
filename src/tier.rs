//! The build tier: which instructions this binary was compiled for, and whether this CPU has them.
//!
//! | tier | asks for | what it gives |
//! |---|---|---|
//! | `portable` | nothing | plain Rust everywhere |
//! | `x86-64-v3` | AVX2, BMI1, BMI2, LZCNT, POPCNT | four directions in one register, bits gathered by PEXT |
//! | `x86-64-v4` | the same and AVX-512 F, BW, CD, DQ, VL | leading zeros counted per lane |
//!
//! The tier is chosen by the features that the compiler is told to use (`.cargo/config.toml` says `target-cpu=native`), because kernels
//! of two instructions must be inlined into the search to be worth having. All tiers search the same nodes. A CPU without the
//! tier's instructions would die of an illegal one, so [`check`] looks first.

/// The tier of this binary.
pub const NAME: &str = cfg_select! {
    all(
        target_arch = "x86_64",
        target_feature = "avx512f",
        target_feature = "avx512cd",
        target_feature = "avx512vl",
        target_feature = "bmi2"
    ) => "x86-64-v4",
    all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2") => "x86-64-v3",
    _ => "portable",
};

/// Whether this CPU can run this binary.
///
/// # Errors
/// The instructions that are missing, and what to do about it.
#[cfg(target_arch = "x86_64")]
pub fn check() -> Result<(), String> {
    let missing: Vec<&str> = x86::compiled_for().filter(|&(_, present)| !present).map(|(name, _)| name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "this binary was built for {NAME}, and this CPU has no {}; build one for this machine with `cargo build --release`, or for any x86-64 \
         CPU with RUSTFLAGS=\"-C target-cpu=x86-64\"",
        missing.join(", ")
    ))
}

/// Whether this CPU can run this binary: always, where there is one tier.
///
/// # Errors
/// None.
#[cfg(not(target_arch = "x86_64"))]
pub fn check() -> Result<(), String> {
    Ok(())
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! The standard library's feature detection answers at compile time for what the build enables, which is just what is in question
    //! here; so the CPU is asked itself.

    use std::arch::x86_64::{__cpuid, __cpuid_count};

    /// The registers of one CPUID leaf that are looked at.
    #[derive(Clone, Copy)]
    enum Register {
        Leaf1C,
        Leaf7B,
        Extended1C,
    }

    /// What the operating system must save for a feature to be usable.
    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    enum State {
        None,
        Ymm,
        Zmm,
    }

    use Register::{Extended1C, Leaf1C, Leaf7B};

    /// The features that a tier may use: name, whether this build does, where CPUID tells of it.
    const FEATURES: [(&str, bool, Register, u32, State); 10] = [
        ("POPCNT", cfg!(target_feature = "popcnt"), Leaf1C, 23, State::None),
        ("LZCNT", cfg!(target_feature = "lzcnt"), Extended1C, 5, State::None),
        ("BMI1", cfg!(target_feature = "bmi1"), Leaf7B, 3, State::None),
        ("BMI2", cfg!(target_feature = "bmi2"), Leaf7B, 8, State::None),
        ("AVX2", cfg!(target_feature = "avx2"), Leaf7B, 5, State::Ymm),
        ("AVX-512F", cfg!(target_feature = "avx512f"), Leaf7B, 16, State::Zmm),
        ("AVX-512DQ", cfg!(target_feature = "avx512dq"), Leaf7B, 17, State::Zmm),
        ("AVX-512CD", cfg!(target_feature = "avx512cd"), Leaf7B, 28, State::Zmm),
        ("AVX-512BW", cfg!(target_feature = "avx512bw"), Leaf7B, 30, State::Zmm),
        ("AVX-512VL", cfg!(target_feature = "avx512vl"), Leaf7B, 31, State::Zmm),
    ];

    /// The features that this build uses, and whether the CPU has them.
    pub(super) fn compiled_for() -> impl Iterator<Item = (&'static str, bool)> {
        let leaf_1c = __cpuid(1).ecx;
        let leaf_7b = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
        let extended_1c = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
        let saved = saved_state(leaf_1c);
        FEATURES.into_iter().filter(|&(_, used, ..)| used).map(move |(name, _, register, bit, state)| {
            let word = match register {
                Leaf1C => leaf_1c,
                Leaf7B => leaf_7b,
                Extended1C => extended_1c,
            };
            (name, word >> bit & 1 != 0 && saved >= state)
        })
    }

    /// The widest registers that the operating system saves.
    fn saved_state(leaf_1c: u32) -> State {
        let osxsave = leaf_1c >> 27 & 1 != 0;
        if !osxsave {
            return State::None;
        }
        // SAFETY: the CPU says that the operating system has enabled XGETBV.
        let enabled = unsafe { xgetbv() };
        match enabled {
            _ if enabled & 0xe6 == 0xe6 => State::Zmm,
            _ if enabled & 0x06 == 0x06 => State::Ymm,
            _ => State::None,
        }
    }

    /// # Safety
    /// The operating system must have enabled XGETBV (CPUID.1:ECX.OSXSAVE).
    #[target_feature(enable = "xsave")]
    unsafe fn xgetbv() -> u64 {
        // SAFETY: as the caller promises.
        unsafe { std::arch::x86_64::_xgetbv(0) }
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn this_cpu_has_what_this_test_runs_on() {
            for (feature, present) in super::compiled_for() {
                assert!(present, "{feature}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_binary_that_runs_may_run() {
        assert_eq!(super::check(), Ok(()));
    }
}
