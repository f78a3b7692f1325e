//! `yose-check`: prints what certificates prove.

use std::process::ExitCode;
use std::{env, fs, io::Write};

use yose_check::check;

const HELP: &str = "\
Checks certificates of Othello scores: yose-check [OPTIONS] FILE...
Prints for each file what it proves, of which position (X is to move), or what is wrong.

  --max-memory MIB  bytes of memory that a check may take, in MiB (4096)
  --max-work N      positions that its leaf searches may look at (100000000000)

Exit status: 0 every file proves its claim, 1 a file does not, 2 wrong usage or a file error";

fn main() -> ExitCode {
    let (mut limits, mut files) = ([4 << 30, 100_000_000_000], Vec::new());
    let mut arguments = env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next()?.to_str()?.parse::<u64>().ok();
        let understood = match argument.to_str() {
            Some("--help") => return print(HELP, 0),
            Some("--max-memory") => number().map(|mib| limits[0] = mib.saturating_mul(1 << 20)),
            Some("--max-work") => number().map(|work| limits[1] = work),
            Some(option) if option.starts_with('-') => None,
            _ => {
                files.push(argument);
                continue;
            }
        };
        if understood.is_none() {
            return print(&format!("what is `{}`?\n{HELP}", argument.display()), 2);
        }
    }
    let mut status = if files.is_empty() { 2 } else { 0 };
    for file in &files {
        let (text, worst) = match fs::read(file).map(|bytes| check(&bytes, limits, &|| false)) {
            Ok(Ok((claim, [nodes, leaves, work]))) => {
                (format!("proved: {claim}; {nodes} nodes, {leaves} leaves, {work} searched"), 0)
            }
            Ok(Err(fault)) => (fault, 1),
            Err(error) => (format!("cannot be read: {error}"), 2),
        };
        status = status.max(worst);
        if print(&format!("{}: {text}", file.display()), 0) != ExitCode::SUCCESS {
            return ExitCode::from(2);
        }
    }
    if files.is_empty() { print(HELP, 2) } else { ExitCode::from(status) }
}

/// Prints a line and returns `status`, or 2 if the output cannot be written.
fn print(text: &str, status: u8) -> ExitCode {
    ExitCode::from(if writeln!(std::io::stdout(), "{text}").is_ok() { status } else { 2 })
}
