//! Embeds the builds of Yose that the environment names: one variable a tier, with the path of an
//! executable. Without them the launcher compiles, for lints, and has nothing to run.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The variables, and the tiers as `src/tier/cpu.rs` of Yose has them.
const IMAGES: [(&str, &str); 3] = [
    ("YOSE_IMAGE_V4", "Tier::V4"),
    ("YOSE_IMAGE_V3", "Tier::V3"),
    ("YOSE_IMAGE_PORTABLE", "Tier::Portable"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut list = String::from("&[\n");
    for (variable, tier) in IMAGES {
        println!("cargo::rerun-if-env-changed={variable}");
        let Some(path) = env::var_os(variable).filter(|path| !path.is_empty()) else { continue };
        let path = fs::canonicalize(&path)
            .unwrap_or_else(|error| panic!("{variable}, {}: {error}", Path::new(&path).display()));
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(list, "    ({tier}, include_bytes!({path:?})),").expect("a string");
    }
    list.push_str("]\n");
    let out = env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("images.rs"), list).expect("the list of images is written");
}
