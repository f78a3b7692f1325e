//! The `yose` program: parse the arguments, run one command, turn what comes of it into an exit status.

mod commands;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use commands::{Cli, Exit};

fn main() -> ExitCode {
    match yose::tier::check() {
        Ok(()) => run(),
        Err(message) => failure(message),
    }
}

/// Never inlined into `main`, which must run on any CPU.
#[inline(never)]
fn run() -> ExitCode {
    // clap prints help, versions and usage errors itself; a wrong usage ends with status 2.
    match Cli::parse().run() {
        Ok(exit) => exit.into(),
        Err(error) => failure(&format!("{error:#}")),
    }
}

/// Says why nothing more can be done. That nobody reads it does not matter any more.
#[inline(never)]
fn failure(message: &str) -> ExitCode {
    let mut stderr = std::io::stderr().lock();
    for part in ["yose: ", message, "\n"] {
        let _ = stderr.write_all(part.as_bytes());
    }
    Exit::Failure.into()
}
