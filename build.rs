//! Names the build tier (`src/tier.rs`), so that its instructions are spelt out in one place:
//! `cfg(tier_v3)` holds in tiers v3 and v4, `cfg(tier_v4)` in v4 alone, neither in the portable
//! one.

use std::env;

/// What the kernels of tier v3 are made of, and what those of v4 need besides.
const V3: [&str; 2] = ["avx2", "bmi2"];
const V4: [&str; 5] = ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(tier_v3, tier_v4)");
    // What the compiler was told to use, by `target-cpu` or otherwise.
    let enabled = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let enabled: Vec<&str> = enabled.split(',').collect();
    let has = |features: &[&str]| features.iter().all(|feature| enabled.contains(feature));
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("x86_64") || !has(&V3) {
        return;
    }
    println!("cargo::rustc-cfg=tier_v3");
    if has(&V4) {
        println!("cargo::rustc-cfg=tier_v4");
    }
}
