//! What an x86-64 CPU can do, what each build tier needs, and which tier is the fastest.
//!
//! Three programs compile this file: Yose (`src/tier.rs`), the launcher that carries all tiers
//! (`launcher/`), and `build.rs`. It depends on nothing but `std`.
//!
//! The feature detection of the standard library cannot serve here: for a feature that the build
//! enables it is `true` at compile time. All values here are single words, so the compiler has no
//! reason to use vector registers.
//!
//! The levels v3 and v4 are those of the System V ABI for x86-64, section 3.1.1,
//! <https://gitlab.com/x86-psABIs/x86-64-ABI>.

use std::arch::x86_64::{__cpuid, __cpuid_count};

/// A build tier for x86-64. A greater one needs all that a smaller one needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Tier {
    /// Every x86-64 CPU.
    Portable,
    /// The instructions of Haswell (2013).
    V3,
    /// Those, and AVX-512 as in Skylake-SP (2017).
    V4,
}

/// Bits of CPUID, and the register states that the operating system saves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Features {
    /// Leaf 1, register ECX.
    pub(crate) leaf_1c: u32,
    /// Leaf 7, register EBX.
    pub(crate) leaf_7b: u32,
    /// Leaf 7, register ECX.
    pub(crate) leaf_7c: u32,
    /// Leaf 8000_0001, register ECX.
    pub(crate) extended_1c: u32,
    /// The lower half of XCR0; 0 where it cannot be read.
    pub(crate) saved: u32,
}

/// The state of the XMM and YMM registers in XCR0.
const AVX_STATE: u32 = 0x06;
/// Those, and the three states of AVX-512.
const AVX512_STATE: u32 = 0xe6;

impl Tier {
    /// All tiers, the greatest first.
    pub(crate) const ALL: [Tier; 3] = [Tier::V4, Tier::V3, Tier::Portable];

    /// The name in `yose --version`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Tier::Portable => "portable",
            Tier::V3 => "x86-64-v3",
            Tier::V4 => "x86-64-v4",
        }
    }

    /// What a build with this `target-cpu` may use.
    pub(crate) const fn needs(self) -> Features {
        match self {
            Tier::Portable => Features::NONE,
            Tier::V3 => Features {
                // SSE3, SSSE3, FMA, CMPXCHG16B, SSE4.1, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C
                leaf_1c: bits(&[0, 9, 12, 13, 19, 20, 22, 23, 27, 28, 29]),
                // BMI1, AVX2, BMI2
                leaf_7b: bits(&[3, 5, 8]),
                leaf_7c: 0,
                // LAHF, LZCNT
                extended_1c: bits(&[0, 5]),
                saved: AVX_STATE,
            },
            Tier::V4 => Features {
                // AVX-512 F, DQ, CD, BW, VL
                leaf_7b: Tier::V3.needs().leaf_7b | bits(&[16, 17, 28, 30, 31]),
                saved: AVX512_STATE,
                ..Tier::V3.needs()
            },
        }
    }

    /// What a CPU must have besides for this tier to be the fastest there.
    ///
    /// Skylake-SP, Cascade Lake and Cooper Lake reduce the clock of a core that uses 512-bit
    /// registers. This may cost more than the tier v4 gains (docs/experiments/kernels.md,
    /// "Tiers").
    /// Later CPUs with AVX-512, of both makers, hardly do, and have VBMI2, which those three lack.
    const fn is_fastest_with(self) -> Features {
        match self {
            Tier::V4 => Features { leaf_7c: bits(&[6]), ..Features::NONE },
            Tier::V3 | Tier::Portable => Features::NONE,
        }
    }
}

impl Features {
    /// No feature.
    pub(crate) const NONE: Features =
        Features { leaf_1c: 0, leaf_7b: 0, leaf_7c: 0, extended_1c: 0, saved: 0 };

    /// The features of the CPU that this runs on.
    #[inline(never)]
    pub(crate) fn of_this_cpu() -> Features {
        let leaf_1c = __cpuid(1).ecx;
        let leaf_7 = (__cpuid(0).eax >= 7).then(|| __cpuid_count(7, 0));
        let extended_1c =
            if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
        Features {
            leaf_1c,
            leaf_7b: leaf_7.map_or(0, |leaf| leaf.ebx),
            leaf_7c: leaf_7.map_or(0, |leaf| leaf.ecx),
            extended_1c,
            saved: saved(leaf_1c),
        }
    }

    /// Whether all of `needed` are here.
    pub(crate) const fn include(self, needed: Features) -> bool {
        self.leaf_1c & needed.leaf_1c == needed.leaf_1c
            && self.leaf_7b & needed.leaf_7b == needed.leaf_7b
            && self.leaf_7c & needed.leaf_7c == needed.leaf_7c
            && self.extended_1c & needed.extended_1c == needed.extended_1c
            && self.saved & needed.saved == needed.saved
    }

    /// Whether a build of this tier runs on a CPU with these features.
    pub(crate) const fn can_run(self, tier: Tier) -> bool {
        self.include(tier.needs())
    }

    /// The tier that is the fastest on a CPU with these features.
    pub(crate) fn fastest_tier(self) -> Tier {
        let is_fast = |tier: &Tier| self.can_run(*tier) && self.include(tier.is_fastest_with());
        Tier::ALL.into_iter().find(is_fast).unwrap_or(Tier::Portable)
    }
}

/// A word with these bits set.
const fn bits(set: &[u32]) -> u32 {
    let mut word = 0;
    let mut i = 0;
    while i < set.len() {
        word |= 1 << set[i];
        i += 1;
    }
    word
}

/// The register states that the operating system saves, as XCR0 bits.
fn saved(leaf_1c: u32) -> u32 {
    let osxsave = leaf_1c >> 27 & 1 != 0;
    if !osxsave {
        return 0;
    }
    // SAFETY: OSXSAVE is set, so the operating system has enabled XGETBV.
    (unsafe { xgetbv() }) as u32
}

/// # Safety
/// The operating system must have enabled XGETBV (CPUID.1:ECX.OSXSAVE).
#[target_feature(enable = "xsave")]
unsafe fn xgetbv() -> u64 {
    // SAFETY: the condition of this function.
    unsafe { std::arch::x86_64::_xgetbv(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CPUs as they report themselves: leaf 1 ECX, leaf 7 EBX and ECX, leaf 8000_0001 ECX, XCR0.
    const CPUS: [(&str, [u32; 5], Tier); 10] = [
        ("Core 2 (Merom)", [0x0000_e3bd, 0, 0, 0x0000_0001, 0], Tier::Portable),
        ("Nehalem", [0x0098_e3bd, 0, 0, 0x0000_0001, 0], Tier::Portable),
        ("Sandy Bridge", [0x1fba_e3bf, 0, 0, 0x0000_0001, 0x07], Tier::Portable),
        ("Haswell", [0x7ffa_fbbf, 0x0000_27ab, 0, 0x0000_0021, 0x07], Tier::V3),
        ("Haswell, AVX switched off", [0x7ffa_fbbf, 0x0000_27ab, 0, 0x21, 0x03], Tier::Portable),
        ("Zen 2", [0x7ed8_320b, 0x219c_91a9, 0x0040_0004, 0x75c2_37ff, 0x207], Tier::V3),
        ("Skylake-SP", [0x7ffe_fbff, 0xd39f_fffb, 0x0000_0008, 0x0000_0121, 0xe7], Tier::V3),
        ("Cascade Lake", [0x7ffe_fbff, 0xd39f_fffb, 0x0000_0808, 0x0000_0121, 0xe7], Tier::V3),
        ("Ice Lake-SP", [0x7ffe_fbff, 0xf3bf_bffb, 0x4040_5f4e, 0x0000_0121, 0xe7], Tier::V4),
        ("Zen 4", [0x7ef8_320b, 0xf1bf_97a9, 0x0040_5fce, 0x75c2_37ff, 0x2e7], Tier::V4),
    ];

    fn features(words: [u32; 5]) -> Features {
        let [leaf_1c, leaf_7b, leaf_7c, extended_1c, saved] = words;
        Features { leaf_1c, leaf_7b, leaf_7c, extended_1c, saved }
    }

    #[test]
    fn each_cpu_has_its_fastest_tier() {
        for (name, words, expected) in CPUS {
            assert_eq!(features(words).fastest_tier(), expected, "{name}");
        }
    }

    #[test]
    fn avx_512_that_is_not_the_fastest_can_be_run() {
        for (name, words, _) in CPUS.iter().filter(|cpu| cpu.0.contains("Lake")) {
            assert!(features(*words).can_run(Tier::V4), "{name}");
        }
        let skylake = CPUS.iter().find(|cpu| cpu.0 == "Skylake-SP").expect("it is in the list");
        assert!(features(skylake.1).can_run(Tier::V4));
    }

    #[test]
    fn every_feature_of_a_tier_is_needed() {
        for tier in [Tier::V3, Tier::V4] {
            let all = tier.needs();
            assert!(all.can_run(tier));
            for word in 0..5 {
                for bit in 0..32 {
                    let mut words =
                        [all.leaf_1c, all.leaf_7b, all.leaf_7c, all.extended_1c, all.saved];
                    if words[word] >> bit & 1 != 0 {
                        words[word] &= !(1 << bit);
                        assert!(!features(words).can_run(tier), "{tier:?}, word {word}, bit {bit}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_tiers_are_ordered() {
        assert!(Tier::ALL.is_sorted_by(|a, b| a > b));
        assert!(Tier::V4.needs().include(Tier::V3.needs()));
    }

    /// The standard library agrees, as far as it knows the features.
    #[test]
    fn this_cpu_is_seen_as_the_standard_library_sees_it() {
        let cpu = Features::of_this_cpu();
        let v3 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("movbe")
            && is_x86_feature_detected!("popcnt");
        assert_eq!(cpu.can_run(Tier::V3), v3);
        let v4 = v3
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        assert_eq!(cpu.can_run(Tier::V4), v4);
    }
}
