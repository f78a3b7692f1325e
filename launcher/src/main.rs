//! The launcher: the first thing that runs in the executable with all tiers.
//!
//! The executable carries Yose built for each tier of x86-64. The launcher asks the CPU which tier
//! is the fastest there, writes that build into a file in memory, and executes it: the process
//! becomes that build. So the search has no call through a pointer, and signals, exit statuses,
//! standard streams and panics are those of the build itself. `--tier` and `YOSE_TIER` choose
//! another tier.
//!
//! The launcher is compiled for every x86-64 CPU. `scripts/build-all-tiers.sh` builds all.
//!
//! `main` is the one of C: the start-up of Rust's standard library would ignore SIGPIPE and open
//! closed standard streams, and Yose must get both as the launcher got them.

#![cfg_attr(not(test), no_main)]

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!("the launcher is for Linux on x86-64; elsewhere one build of Yose is enough");

mod choice;
#[path = "../../src/tier/cpu.rs"]
mod cpu;
mod execute;

use std::env;
use std::ffi::{CStr, c_char, c_int};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;

use cpu::{Features, Tier};

/// The executables, the greatest tier first.
const IMAGES: &[(Tier, &[u8])] = include!(concat!(env!("OUT_DIR"), "/images.rs"));

/// The exit status of Yose for wrong usage, and for what cannot be done.
const FAILURE: c_int = 2;

/// What the C library calls.
///
/// # Safety
/// `argv` is an array of `argc` strings and a null pointer, none of which is ever changed.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
    let count = usize::try_from(argc).unwrap_or(0);
    let arguments: Vec<&[u8]> = (0..count)
        // SAFETY: the condition of this function.
        .map(|i| unsafe { CStr::from_ptr(*argv.add(i)) }.to_bytes())
        .collect();
    let variable = env::var_os(choice::VARIABLE);
    let variable = variable.as_ref().map(|value| value.as_bytes());
    let carried: Vec<Tier> = IMAGES.iter().map(|(tier, _)| *tier).collect();
    let cpu = Features::of_this_cpu();
    let error = match choice::tier(arguments.get(1..).unwrap_or(&[]), variable, &carried, cpu) {
        Ok(tier) => {
            let image =
                IMAGES.iter().find(|image| image.0 == tier).map_or(&[][..], |image| image.1);
            // SAFETY: the condition of this function.
            unsafe { execute::execute(image, argv) }
        }
        Err(message) => message,
    };
    // There is nowhere to report that this cannot be written; the exit status says it.
    let _ = std::io::stderr().write_all(format!("yose: {error}\n").as_bytes());
    FAILURE
}
