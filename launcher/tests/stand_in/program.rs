//! A program that the launcher carries in its tests, in place of Yose. It reports what it was
//! started with, and ends as it is ordered to.
//!
//! `launch.rs` compiles it once for each tier. Its `main` is the one of C, so that the standard
//! library does not change the dispositions of signals first.

#![no_main]

use std::ffi::{CStr, OsStr, c_char, c_int};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::{env, fs, process};

#[unsafe(no_mangle)]
extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
    let arguments: Vec<&OsStr> = (0..argc as usize)
        // SAFETY: the C library passes `argc` strings.
        .map(|i| OsStr::from_bytes(unsafe { CStr::from_ptr(*argv.add(i)) }.to_bytes()))
        .collect();
    let argument = |i: usize| arguments.get(i).and_then(|text| text.to_str()).unwrap_or("");
    match argument(1) {
        "exit" => process::exit(argument(2).parse().expect("a number")),
        "abort" => process::abort(),
        "copy" => {
            let text = io::read_to_string(io::stdin()).expect("standard input");
            io::stdout().write_all(text.as_bytes()).expect("standard output");
            io::stderr().write_all(text.as_bytes()).expect("standard error");
            0
        }
        _ => {
            println!("tier {}", env!("STAND_IN_TIER"));
            println!("arguments {arguments:?}");
            println!("process {}", process::id());
            println!("variable {:?}", env::var_os("STAND_IN_VARIABLE"));
            println!("folder {}", env::current_dir().expect("a folder").display());
            let status = fs::read_to_string("/proc/self/status").expect("/proc");
            for line in status.lines().filter(|line| line.starts_with("Sig")) {
                println!("{}", line.replace('\t', " "));
            }
            let limits = fs::read_to_string("/proc/self/limits").expect("/proc");
            let size = limits.lines().find(|line| line.starts_with("Max file size"));
            println!("{}", size.expect("the limit"));
            for descriptor in 0..20 {
                if let Ok(path) = fs::read_link(format!("/proc/self/fd/{descriptor}")) {
                    println!("descriptor {descriptor} {}", path.display());
                }
            }
            0
        }
    }
}
