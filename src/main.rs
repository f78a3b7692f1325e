//! The `yose` program: parse the arguments, run one command, turn what comes of it into an exit status.

mod commands;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use commands::{Cli, Exit};

fn main() -> ExitCode {
    if let Err(message) = yose::tier::check() {
        return failure(&message);
    }
    // clap prints help, versions and usage errors itself; a wrong usage ends with status 2.
    match Cli::parse().run() {
        Ok(exit) => exit.into(),
        Err(error) => failure(&format!("{error:#}")),
    }
}

/// Says why nothing more can be done. That nobody reads it does not matter any more.
fn failure(message: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "yose: {message}");
    Exit::Failure.into()
}
