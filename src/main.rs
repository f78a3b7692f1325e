//! The `yose` program: parses the arguments, runs one command, ends with its exit status.

mod commands;
mod process_name;

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

/// Parses the arguments and runs the command.
///
/// It is never inlined into `main`, which must run on any CPU: see `yose::tier::check`.
#[inline(never)]
fn run() -> ExitCode {
    process_name::restore();
    let result = match Cli::try_parse() {
        Ok(cli) => cli.run(),
        Err(help_or_error) => commands::print_usage(&help_or_error),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => failure(&commands::message(&error)),
    }
}

/// Prints an error message to standard error. An error of that write is ignored.
#[inline(never)]
fn failure(message: &str) -> ExitCode {
    let mut stderr = std::io::stderr().lock();
    for part in ["yose: ", message, "\n"] {
        let _ = stderr.write_all(part.as_bytes());
    }
    Exit::Failure.into()
}
