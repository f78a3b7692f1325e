//! Names the build tier (`src/tier.rs`), so that its instructions are spelt out in one place:
//! `cfg(tier_v3)` holds in tiers v3 and v4, `cfg(tier_v4)` in v4 alone, neither in the portable
//! one.

//!
//! A build that nobody chose a CPU for gets a warning if this machine can run a faster tier. Cargo
//! prints it for `cargo install` from a folder and from git, not for a crate of a registry;
//! `yose --version` has it in every case.

use std::env;

#[cfg(target_arch = "x86_64")]
#[allow(dead_code)]
#[path = "src/tier/cpu.rs"]
mod cpu;

/// What the kernels of tier v3 are made of, and what those of v4 need besides.
const V3: [&str; 2] = ["avx2", "bmi2"];
const V4: [&str; 5] = ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tier/cpu.rs");
    println!("cargo::rustc-check-cfg=cfg(tier_v3, tier_v4)");
    // What the compiler was told to use, by `target-cpu` or otherwise.
    let enabled = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let enabled: Vec<&str> = enabled.split(',').collect();
    let has = |features: &[&str]| features.iter().all(|feature| enabled.contains(feature));
    let is_x86 = env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("x86_64");
    let is_v3 = is_x86 && has(&V3);
    let is_v4 = is_v3 && has(&V4);
    if is_v3 {
        println!("cargo::rustc-cfg=tier_v3");
    }
    if is_v4 {
        println!("cargo::rustc-cfg=tier_v4");
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86 && env::var("HOST") == env::var("TARGET") && !chooses_a_cpu() {
        let built = match (is_v3, is_v4) {
            (false, _) => cpu::Tier::Portable,
            (true, false) => cpu::Tier::V3,
            (true, true) => cpu::Tier::V4,
        };
        let fastest = cpu::Features::of_this_cpu().fastest_tier();
        if fastest > built {
            println!(
                "cargo::warning=this builds the tier {}; this CPU can run {}, which is faster: set \
                 RUSTFLAGS=\"-C target-cpu={}\" in the environment of this command",
                built.name(),
                fastest.name(),
                fastest.name()
            );
        }
    }
}

/// Whether the flags of the compiler name a CPU or features.
#[cfg(target_arch = "x86_64")]
fn chooses_a_cpu() -> bool {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    flags.contains("target-cpu") || flags.contains("target-feature")
}
