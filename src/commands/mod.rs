//! The commands of the program, a file for each.
//!
//! A command turns its arguments into calls of the library, and the results into text and an exit
//! status. It contains no logic that a user of the library would miss. [`common`], [`input`],
//! [`messages`] and [`progress`] hold groups of arguments that several commands share. [`advice`]
//! adds the names of arguments to the errors of the library, which has none.

mod advice;
mod against;
mod bench;
mod certify;
mod common;
mod complete;
mod engine;
mod estimate;
mod exit;
mod fingerprint;
mod input;
mod merge;
mod messages;
mod perft;
mod plan;
mod plan_merge;
mod progress;
mod report;
mod review;
mod show;
mod signals;
mod solve;
mod task;
mod tier;
mod train;
mod verify;

use std::io::{self, Write};
use std::sync::LazyLock;

use anyhow::{Error, Result, anyhow, bail};
use clap::{Parser, Subcommand};

pub use advice::message;
pub use exit::Exit;

use yose::eval::{Description, EMBEDDED, Evaluation, Weights};
use yose::records::output::readable;
use yose::records::{Entry, Item, Notes, Problem, ReadOptions, Reader};

/// The text of `--version`; `-V` prints its first line.
///
/// It is made at every start, so only the header of the weight file is read for it.
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
    format!("{}\n{}\nweights: {weights}", env!("CARGO_PKG_VERSION"), tier::description())
});

/// A text in one line. A long one is cut.
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
/// A score is the disc difference at the end of perfect play, from the point of view of the side to
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
  0  everything is done
  1  a fingerprint differs, or a claim is refuted
  2  wrong usage, or a file that cannot be read or written
  3  some lines of the input are invalid
  4  some positions hit a limit
  75 ended by SIGTERM, SIGHUP or a deadline, 130 by Ctrl-C"
)]
pub struct Cli {
    #[command(flatten)]
    tier: tier::TierArgs,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::Args),
    Verify(verify::Args),
    Certify(certify::Args),
    Estimate(estimate::Args),
    Review(review::Args),
    Report(report::Args),
    Show(show::Args),
    Perft(perft::Args),
    Engine(engine::Args),
    Fingerprint(fingerprint::Args),
    Merge(merge::Args),
    Plan(plan::Args),
    Task(task::Args),
    Bench(bench::Args),
    Train(train::Args),
    Completions(complete::Args),
    /// Print the manual page of this program, for `man`
    Man,
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> Result<Exit> {
        self.tier.check()?;
        match self.command {
            Command::Solve(args) => solve::run(args),
            Command::Verify(args) => verify::run(args),
            Command::Certify(args) => certify::run(args),
            Command::Estimate(args) => estimate::run(args),
            Command::Review(args) => review::run(args),
            Command::Report(args) => report::run(args),
            Command::Show(args) => show::run(args),
            Command::Perft(args) => perft::run(args),
            Command::Engine(args) => engine::run(args),
            Command::Fingerprint(args) => fingerprint::run(args),
            Command::Merge(args) => merge::run(args),
            Command::Plan(args) => plan::run(args),
            Command::Task(args) => task::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Train(args) => train::run(args),
            Command::Completions(args) => complete::completions(args),
            Command::Man => complete::man(),
        }
    }
}

/// Writes to standard output and flushes it. Unlike `println!`, it does not panic when a pipe is
/// closed.
fn print(text: &str) -> Result<()> {
    write(text).map_err(output_error)
}

/// The same, with the error of the system.
fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
}

/// Prints help and versions to standard output, usage errors to standard error.
pub fn print_usage(text: &clap::Error) -> Result<Exit> {
    let printed = text.print().and_then(|()| io::stdout().flush());
    match text.use_stderr() {
        // The exit status reports the error, even if its message cannot be written.
        true => Ok(Exit::Failure),
        false => printed.map(|()| Exit::Done).map_err(output_error),
    }
}

/// The error that an output cannot be written. A reader that has closed a pipe, such as `head`, has
/// all that it wants, so there is no reason of the system to report.
fn output_error(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => anyhow!("the output was closed"),
        _ => Error::new(error).context("the output cannot be written"),
    }
}

/// Prints a line to standard error. An error of that write is ignored: there is nowhere to report
/// it, and the exit status has the outcome. `eprintln!` would panic.
fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// The position in arguments; a shell may have split it at blanks.
fn position(words: &[String]) -> Result<Problem> {
    read_argument(&words.join(" "), ReadOptions::default()).map(|(problem, _)| problem)
}

/// The position or the last position of a game in a text, and its notes.
fn read_argument(text: &str, options: ReadOptions) -> Result<(Problem, Notes)> {
    let source = input::arguments(&[text.to_owned()]);
    let mut items = Reader::new(source.into_iter().collect(), options);
    let problem = match items.next() {
        Some(Item::Entry(Entry { problem: Ok(problem), notes, .. })) => (problem, notes),
        Some(Item::Entry(Entry { problem: Err(error), .. })) => {
            let (column, what, hint) = (error.column, error.what, error.hint);
            bail!("the position, column {column}: {what}; {hint}")
        }
        Some(Item::Empty(empty)) => bail!("{empty}"),
        Some(Item::MissingPositions(missing)) => bail!("{missing}"),
        Some(Item::Failure(error)) => return Err(error.into()),
        None => bail!("no position is given"),
    };
    match items.next() {
        None => Ok(problem),
        Some(_) => bail!("the text has several positions; give one, or a file"),
    }
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
