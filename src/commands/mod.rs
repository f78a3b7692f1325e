//! What users type: one file for each command.
//!
//! A command turns its arguments into calls of the library, and what the library answers into text
//! and an exit status; what a user of the library would miss does not belong here.

mod bench;
mod complete;
mod estimate;
mod exit;
mod fingerprint;
mod input;
mod merge;
mod output;
mod perft;
mod progress;
mod show;
mod size;
mod solve;
mod train;
mod verify;
mod weights;
mod work;

use std::io::{self, Write};
use std::sync::LazyLock;

use anyhow::{Context, Result, anyhow};
use clap::{Parser, Subcommand};

pub use exit::Exit;

use yose::eval::{Description, EMBEDDED, Evaluation, Weights};
use yose::records::output::readable;
use yose::records::{Problem, obf};

/// What `--version` says; `-V` gives the first line.
///
/// It is made at every start, so the weights are not read for it, only what their file says of
/// them.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let weights = match Weights::describe(EMBEDDED) {
        Ok(Description { origin, stages }) => format!(
            "embedded, {} stages, {} bytes in a file, {} in memory\norigin of the weights: {}",
            stages.len(),
            readable(EMBEDDED.len() as u64),
            readable(Evaluation::bytes_for(stages.len()) as u64),
            in_a_line(&origin),
        ),
        Err(error) => error.to_string(),
    };
    format!("{}\nbuild tier: {}\nweights: {weights}", env!("CARGO_PKG_VERSION"), yose::tier::NAME)
});

/// A text, or the beginning of it if it is long, in one line.
fn in_a_line(text: &str) -> String {
    const LONGEST: usize = 160;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}... (`yose train show` has all of it)", &text[..end]),
        None => text,
    }
}

/// Solve Othello endgames perfectly: positions in, exact scores out
///
/// A score is the difference of discs at the end of perfect play by both sides, seen by the side to
/// move: an even number from -64 to +64. Squares that stay empty count for the winner.
#[derive(Debug, Parser)]
#[command(
    name = "yose",
    version,
    long_version = LONG_VERSION.as_str(),
    arg_required_else_help = true,
    max_term_width = 100,
    help_expected = true,
    after_help = "\
Exit status:
  0  all done
  1  a fingerprint differs, or a claim is refuted
  2  wrong usage, or a file that cannot be read or written
  3  some lines of the input are invalid
  4  some positions hit a limit
  75 ended by SIGTERM or a deadline, 130 by Ctrl-C"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::Args),
    Verify(verify::Args),
    Estimate(estimate::Args),
    Show(show::Args),
    Perft(perft::Args),
    Fingerprint(fingerprint::Args),
    Merge(merge::Args),
    Bench(bench::Args),
    Train(train::Args),
    Completions(complete::Args),
    /// Print the manual page of this program, for `man`
    Man,
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> Result<Exit> {
        match self.command {
            Command::Solve(args) => solve::run(args),
            Command::Verify(args) => verify::run(args),
            Command::Estimate(args) => estimate::run(args),
            Command::Show(args) => show::run(args),
            Command::Perft(args) => perft::run(args),
            Command::Fingerprint(args) => fingerprint::run(args),
            Command::Merge(args) => merge::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Train(args) => train::run(args),
            Command::Completions(args) => complete::completions(args),
            Command::Man => complete::man(),
        }
    }
}

/// Writes to standard output, at once: `println!` would panic where the other end of a pipe is
/// gone.
fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    let result = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Err(anyhow!("the output was closed"))
        }
        result => result.context("the output cannot be written"),
    }
}

/// The position in arguments that a shell may have cut at blanks.
fn position(words: &[String]) -> Result<Problem> {
    let text = words.join(" ");
    // OBF holds every plain position too, and never guesses a side.
    obf::read(&text).map_err(|error| {
        let column = text[..error.offset].chars().count() + 1;
        anyhow!("the position, column {column}: {}; {}", error.what, error.hint)
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
