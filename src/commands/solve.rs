//! `yose solve`: position files in, exact scores out.

use std::io::{self, IsTerminal, Write as _};
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::{ValueEnum, ValueHint};

use yose::batch::{
    self, Cause, Earlier, Feed, Journal, Output, Plan, Pool, Progress, Report, RunError, Shard,
    Stop, Stream, Style, Survey,
};
use yose::othello::Score;
use yose::records::output::{Run, Sink, readable};
use yose::records::{ReadOptions, Source};
use yose::search::{Config, Window};

use super::input::InputArgs;
use super::output::{Destination, OutputFormat};
use super::progress::ProgressArgs;
use super::weights::WeightsSource;
use super::work::{self, LimitArgs, ThreadArgs};
use super::{Exit, size};

/// Solve every position of the files, and write their scores
///
/// A line of a file is a position: 64 squares a1, b1, ... h8 as `X`, `O` and `-`, then the side to
/// move, `X` or `O`; fields with scores may follow, as in OBF files. Or it is a game, of which
/// --at-empties and --games say what is taken: a transcript such as f5d6c3, or GGF; files may also
/// be WTHOR databases, the CSV of "Othello is Solved", or Yose's own CSV and JSON Lines. All are
/// known by their looks. Blank lines and comments from a `%` on are skipped. A line or a game that
/// cannot be read is reported, and the rest goes on.
///
/// Every position gives one record, in the order of the input, as soon as it and those before it
/// are solved. Positions are solved side by side, one on each thread, the longest first among those
/// that have been read; threads that find none left help with the others.
///
/// Ctrl-C and SIGTERM end a run in good order: all that is finished is written, and what is proven
/// of the rest. With --output, --resume goes on from there.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Write the records to FILE, and not to standard output
    ///
    /// A file that exists is left alone unless --resume or --force is given. Each result is in the
    /// file as soon as it is known, in the order in which they are finished; at the end they are
    /// put into the order of the input. (A table is written in that order from the beginning.)
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Replace the file that --output names, if it exists
    #[arg(long, requires = "output", conflicts_with = "resume")]
    force: bool,

    /// Go on with the file that --output names, if it exists
    ///
    /// Give the same files and options as before. Results that are in the file are kept; a position
    /// is solved if it has none, or one that a limit or the end of the run has cut short. The file
    /// must belong to the input: each result is compared with the line that it names, by identifier
    /// and position. CSV and JSON Lines can be gone on with.
    #[arg(long, requires = "output")]
    resume: bool,

    /// Write results in the order in which they are finished
    #[arg(long)]
    unordered: bool,

    /// Format of the records
    ///
    /// Without it: a table on a terminal; JSON Lines into a file whose name ends in .jsonl, .ndjson
    /// or .json; OBF into one that ends in .obf; else CSV.
    #[arg(long, value_name = "FORMAT")]
    format: Option<OutputFormat>,

    /// Solve only a part of the lines: the I-th of N
    ///
    /// Which part a line belongs to is told by its position, the same on every machine; parts are
    /// of about the same size. `yose merge` joins what comes of them.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Solve positions that are equal but for symmetry once
    ///
    /// Every line gets its record; those after the first cost no nodes. Takes memory for every
    /// different position.
    #[arg(long)]
    unique: bool,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Let each thread solve for itself, with tables that are empty before each position
    ///
    /// So the nodes of a position depend on nothing but the position and --hash, whatever the
    /// number of threads. Each thread has a table of the size that --hash tells; as it is emptied
    /// each time, a small one is better for small positions. No thread helps another.
    #[arg(long)]
    deterministic: bool,

    #[command(flatten)]
    limits: LimitArgs,

    /// Size of the transposition table, such as 512MiB or 4G; at least 1MiB
    #[arg(long, value_name = "SIZE", default_value = "256MiB", env = "YOSE_HASH", value_parser = size::parse_table)]
    hash: u64,

    /// Search with other weights: a weight file, `embedded`, or `zero` for weights that know
    /// nothing
    ///
    /// The evaluation's weights say which moves are tried first. They change what a score costs,
    /// and never the score.
    #[arg(long, value_name = "WEIGHTS", default_value = "embedded", value_hint = ValueHint::FilePath)]
    weights: WeightsSource,

    /// What is to be known of each position
    #[arg(long, value_name = "GOAL", default_value = "exact")]
    goal: Goal,

    /// Tell exactly only the scores between A and B
    ///
    /// A score of A or less is only shown to be so, and a score of B or more too; the narrower the
    /// window, the faster the answer. A and B are numbers from -64 to 64. `--goal wld` is `--window
    /// -1,1`; only one of the two can be given.
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, value_parser = parse_window, conflicts_with = "goal")]
    window: Option<Window>,

    /// Give the score of every legal move, not only of the best
    ///
    /// JSON Lines has them in `moves`, CSV in one more column of that name, the table in a second
    /// line, OBF in fields.
    #[arg(long)]
    all_moves: bool,

    /// At the end, print what the search did at each number of empties, on standard error
    ///
    /// Nodes by how they were answered, how often the first move tried was enough to refute, the
    /// share of nodes that went into moves searched before the one that failed high, and the share
    /// of each search pass.
    #[cfg(feature = "stats")]
    #[arg(long)]
    stats: bool,

    #[command(flatten)]
    progress: ProgressArgs,
}

const EXAMPLES: &str = "\
Examples:
  yose solve positions.obf                    a table on the terminal
  yose solve positions.obf -o scores.csv      the same as CSV, into a file
  yose solve a.obf b.txt --format jsonl       two files, with all that is known
  generate | yose solve --side X --goal wld   bare boards from another program: who wins?
  yose solve WTH_2024.wtb --games 1-10        the positions whose theoretical scores a database has
  yose solve games.txt --at-empties 0-16      the last positions of games
  yose solve big.obf -o big.csv --resume      begin, or go on after an interruption

Exit status:
  0    all done
  2    wrong usage, or a file that cannot be read or written
  3    some lines of the input are invalid; all others are solved
  4    some positions hit a limit; all others are solved
  75   ended by SIGTERM or at the deadline; safe to start again with --resume
  130  ended by Ctrl-C";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Goal {
    /// The exact score
    Exact,
    /// Only whether it is a win, a loss or a draw, which is faster
    Wld,
}

fn parse_window(text: &str) -> Result<Window, String> {
    const HINT: &str = "write two numbers from -64 to 64 and a comma, such as -3,3";
    let (alpha, beta) = text.split_once(',').ok_or_else(|| format!("there is no comma; {HINT}"))?;
    let edge = |text: &str| {
        let number = text.trim().parse().ok().and_then(Score::try_new);
        number.ok_or_else(|| format!("`{}` is no score; {HINT}", text.trim()))
    };
    let (alpha, beta) = (edge(alpha)?, edge(beta)?);
    Window::new(alpha, beta)
        .ok_or_else(|| format!("no score lies between {alpha} and {beta}; {HINT}"))
}

impl Args {
    fn window(&self) -> Window {
        self.window.unwrap_or(match self.goal {
            Goal::Exact => Window::FULL,
            Goal::Wld => Window::WIN_LOSS_DRAW,
        })
    }

    /// Opens the output before any work is done, so that a wrong path costs nothing. A file is a
    /// journal, if it can be.
    fn output(
        &self,
        destination: &Destination<'_>,
        format: OutputFormat,
        run: &Run,
        (sources, reading): (&[Source], ReadOptions),
    ) -> Result<(Box<dyn Output>, Option<Earlier>)> {
        let in_order = !self.unordered;
        match (destination, format.form()) {
            (Destination::File(path), Some(form)) if self.resume => {
                let input = (sources, reading, self.shard);
                let (journal, earlier) =
                    batch::resume(path, format.writer(), form, run, in_order, input)?;
                Ok((Box::new(journal), earlier))
            }
            (Destination::File(path), Some(_)) => {
                Ok((Box::new(Journal::create(path, self.force, format.writer(), in_order)?), None))
            }
            (_, None) if self.resume => {
                bail!(
                    "only CSV and JSON Lines can be gone on with; give --format csv or --format jsonl"
                )
            }
            (_, _) if self.resume => {
                bail!("--resume needs a file that can be read again, and --output names none")
            }
            _ => Ok((
                Box::new(Stream::new(
                    Sink::new(format.writer(), destination.open(self.force)?),
                    in_order,
                )),
                None,
            )),
        }
    }

    /// Says on standard error what was left undone, and how to go on.
    fn tell(&self, report: &Report, destination: &Destination<'_>) {
        let summary = &report.summary;
        if let Some(error) = &report.unclaimed
            && report.cause.is_none()
        {
            say(&format!("yose: {error}"));
        }
        let why = match report.cause {
            Some(Cause::Interrupt) => "interrupted",
            Some(Cause::Terminate) => "told to end",
            Some(Cause::Deadline) => "the deadline has come",
            None if summary.limit > 0 => "some positions hit a limit",
            None => return,
        };
        let (done, left) =
            (readable(summary.exact + summary.bounds), readable(summary.cut_short()));
        let mut text = format!(
            "yose: {why}: {done} of {} positions are solved, {left} are not",
            readable(summary.positions())
        );
        if let (Destination::File(path), false) = (destination, summary.cut_short() == 0) {
            text += &match report.cause {
                Some(_) => {
                    format!("; the same command with --resume goes on with {}", path.display())
                }
                None => format!("; higher limits and --resume go on with {}", path.display()),
            };
        }
        say(&text);
    }
}

/// Writes a line to standard error. That nobody reads it does not matter.
fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let deadline = args.limits.deadline();
    let stop = Stop::default();
    work::stop_on_signals(&stop)?;
    let sources = args.input.sources("solve");
    let reading = args.input.reading();
    let format = args.format.unwrap_or_else(|| OutputFormat::of_output(args.output.as_deref()));
    // Weights and memory come first: without them no empty file is left behind that the next try
    // would not replace.
    let (evaluation, weights) = args.weights.recorded()?;
    let config = Config { table_bytes: args.hash, evaluation, ..Config::default() };
    let pool = if args.deterministic { Pool::deterministic } else { Pool::crew }(
        config,
        args.threads.count(),
    )?;
    // The weight file is no more to be written over than the positions.
    let mut inputs = sources.clone();
    inputs.extend(args.weights.file().map(|file| Source::File(file.to_owned())));
    let destination = Destination::of(args.output.as_deref(), &inputs)?;

    let style = args.progress.style();
    let survey = if style != Style::None || format == OutputFormat::Jsonl {
        Survey::of(&sources, reading, args.shard)
    } else {
        Survey::skipped(&sources)
    };
    let run = Run {
        threads: pool.threads(),
        deterministic: args.deterministic,
        table_bytes: args.hash,
        weights,
        window: args.window(),
        all_moves: args.all_moves,
        limits: args.limits.limits(),
        shard: args.shard.map(|shard| shard.to_string()),
        inputs: survey.inputs,
    };
    let (mut output, earlier) = args.output(&destination, format, &run, (&sources, reading))?;
    let feed = Feed { sources, reading, shard: args.shard, earlier };
    let beside_records = args.output.is_none() && io::stdout().is_terminal();
    let progress = Progress::start(style, survey.workload, beside_records, &pool);
    let plan = Plan { unique: args.unique, deadline };
    let result = batch::run(&run, plan, pool, feed, &mut *output, &progress, &stop);
    // The bar goes before anything else is said.
    drop(progress);
    let report = result.map_err(|error| match (&args.output, error) {
        (Some(file), RunError::Output(error)) => anyhow!("{}: {error}", file.display()),
        (_, error) => anyhow!(error),
    })?;
    #[cfg(feature = "stats")]
    if args.stats {
        eprint!("{}", report.summary.statistics);
    }
    args.tell(&report, &destination);
    Ok(exit(&report))
}

/// What the exit status tells of a run, the gravest first. That a run was ended is told before all:
/// it may be started again.
fn exit(report: &Report) -> Exit {
    let summary = &report.summary;
    match report.cause {
        Some(Cause::Interrupt) => return Exit::Interrupted,
        Some(Cause::Terminate | Cause::Deadline) => return Exit::StopReason,
        None => {}
    }
    // A file that is missing is worse than a line that is.
    if summary.unreadable > 0 || report.unclaimed.is_some() {
        Exit::Failure
    } else if summary.limit > 0 {
        Exit::Limit
    } else if summary.invalid > 0 {
        Exit::Invalid
    } else {
        Exit::Done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_read_with_their_signs() {
        let window =
            |alpha, beta| Window::new(Score::new(alpha), Score::new(beta)).ok_or(String::new());
        assert_eq!(parse_window("-3,3"), window(-3, 3));
        assert_eq!(parse_window("+0, +64"), window(0, 64));
        for (text, part) in [
            ("3", "no comma"),
            ("3,3", "no score lies between +3 and +3"),
            ("4,-4", "no score lies between"),
            ("-65,0", "`-65` is no score"),
            ("a,0", "`a` is no score"),
            ("1,2,3", "`2,3` is no score"),
        ] {
            let error = parse_window(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
