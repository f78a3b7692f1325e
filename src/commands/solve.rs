//! `yose solve`: position files in, exact scores out.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::{ValueEnum, ValueHint};

use yose::batch::{self, Progress, Style, Survey};
use yose::othello::Score;
use yose::records::output::{Run, Sink};
use yose::records::{Reader, Source};
use yose::search::{Config, Solver, Window};

use super::input::InputArgs;
use super::output::{self, OutputFormat};
use super::weights::WeightsSource;
use super::{Exit, size};

/// Solve every position of the files, and write their scores
///
/// A line of a file is a position: 64 squares a1, b1, ... h8 as `X`, `O` and `-`, then the side to move, `X` or `O`; fields
/// with scores may follow, as in OBF files. Or it is a game, of which --at-empties and --games say what is taken: a transcript such as
/// f5d6c3, or GGF; files may also be WTHOR databases, the CSV of "Othello is Solved", or Yose's own CSV and JSON Lines. All are
/// known by their looks. Blank lines and comments from a `%` on are skipped. A line or a game that cannot be read is reported, and
/// the rest goes on.
///
/// Every position gives one record, in the order of the input, as soon as it is solved.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Write the records to FILE, and not to standard output
    ///
    /// A file that exists is left alone unless --force is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Replace the file that --output names, if it exists
    #[arg(long, requires = "output")]
    force: bool,

    /// Format of the records
    ///
    /// Without it: a table on a terminal; JSON Lines into a file whose name ends in .jsonl, .ndjson or
    /// .json; OBF into one that ends in .obf; else CSV.
    #[arg(long, value_name = "FORMAT")]
    format: Option<OutputFormat>,

    /// Size of the position table, such as 512MiB or 4G; at least 1MiB
    #[arg(long, value_name = "SIZE", default_value = "256MiB", env = "YOSE_HASH", value_parser = size::parse_table)]
    hash: u64,

    /// Search with other weights: a weight file, `embedded`, or `zero` for weights that know nothing
    ///
    /// The evaluation's weights say which moves are tried first. They change what a score costs, and never the score.
    #[arg(long, value_name = "WEIGHTS", default_value = "embedded", value_hint = ValueHint::FilePath)]
    weights: WeightsSource,

    /// What is to be known of each position
    #[arg(long, value_name = "GOAL", default_value = "exact")]
    goal: Goal,

    /// Tell exactly only the scores between A and B
    ///
    /// A score of A or less is only shown to be so, and a score of B or more too; the narrower the window, the faster
    /// the answer. A and B are numbers from -64 to 64. `--goal wld` is `--window -1,1`; only one of the two can be
    /// given.
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, value_parser = parse_window, conflicts_with = "goal")]
    window: Option<Window>,

    /// Give the score of every legal move, not only of the best
    ///
    /// JSON Lines has them in `moves`, CSV in one more column of that name, the table in a second line, OBF in fields.
    #[arg(long)]
    all_moves: bool,

    /// At the end, print what the search did at each number of empties, on standard error
    ///
    /// Nodes by how they were answered, how often the first move tried was enough to refute, the share of nodes that went into moves
    /// tried before the one that refuted, and the share of each round of the search.
    #[cfg(feature = "stats")]
    #[arg(long)]
    stats: bool,

    /// How progress is shown on standard error
    #[arg(long, value_name = "STYLE", default_value = "auto")]
    progress: ProgressStyle,
}

const EXAMPLES: &str = "\
Examples:
  yose solve positions.obf                    a table on the terminal
  yose solve positions.obf -o scores.csv      the same as CSV, into a file
  yose solve a.obf b.txt --format jsonl       two files, with all that is known
  generate | yose solve --side X --goal wld   bare boards from another program: who wins?
  yose solve WTH_2024.wtb --games 1-10        the positions whose theoretical scores a database has
  yose solve games.txt --at-empties 0-16      the last positions of games

Exit status:
  0  all done
  2  wrong usage, or a file that cannot be read or written
  3  some lines of the input are invalid; all others are solved";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Goal {
    /// The exact score
    Exact,
    /// Only whether it is a win, a loss or a draw, which is faster
    Wld,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProgressStyle {
    /// A bar on a terminal, plain lines elsewhere
    Auto,
    /// A bar with the time that is left, if standard error is a terminal
    Bar,
    /// A line every ten seconds
    Plain,
    /// Nothing
    None,
}

impl ProgressStyle {
    fn style(self) -> Style {
        match self {
            ProgressStyle::Auto if io::stderr().is_terminal() => Style::Bar,
            ProgressStyle::Auto | ProgressStyle::Plain => Style::Plain,
            ProgressStyle::Bar => Style::Bar,
            ProgressStyle::None => Style::None,
        }
    }
}

fn parse_window(text: &str) -> Result<Window, String> {
    const HINT: &str = "write two numbers from -64 to 64 and a comma, such as -3,3";
    let (alpha, beta) = text.split_once(',').ok_or_else(|| format!("there is no comma; {HINT}"))?;
    let edge = |text: &str| {
        let number = text.trim().parse().ok().and_then(Score::try_new);
        number.ok_or_else(|| format!("`{}` is no score; {HINT}", text.trim()))
    };
    let (alpha, beta) = (edge(alpha)?, edge(beta)?);
    Window::new(alpha, beta).ok_or_else(|| format!("no score lies between {alpha} and {beta}; {HINT}"))
}

impl Args {
    fn window(&self) -> Window {
        self.window.unwrap_or(match self.goal {
            Goal::Exact => Window::FULL,
            Goal::Wld => Window::WIN_LOSS_DRAW,
        })
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let sources = args.input.sources("solve");
    let reading = args.input.reading();
    let format = args.format.unwrap_or_else(|| OutputFormat::of_output(args.output.as_deref()));
    // Weights and memory come first: without them no empty file is left behind that the next try would not replace.
    let (evaluation, weights) = args.weights.recorded()?;
    let mut solver = Solver::new(Config { table_bytes: args.hash, evaluation, ..Config::default() })?;
    // The weight file is no more to be written over than the positions.
    let mut inputs = sources.clone();
    inputs.extend(args.weights.file().map(|file| Source::File(file.to_owned())));
    let output = output::open(args.output.as_deref(), &inputs, args.force)?;
    let mut sink = Sink::new(format.writer(), output);

    let style = args.progress.style();
    let survey = if style != Style::None || format == OutputFormat::Jsonl {
        Survey::of(&sources, reading)
    } else {
        Survey::skipped(&sources)
    };
    let run = Run {
        threads: 1,
        table_bytes: args.hash,
        weights,
        window: args.window(),
        all_moves: args.all_moves,
        inputs: survey.inputs,
    };
    let mut reader = Reader::new(sources, reading);
    let beside_records = args.output.is_none() && io::stdout().is_terminal();
    let progress = Progress::start(style, survey.workload, beside_records);
    let result = batch::run(&run, &mut solver, &mut reader, &mut sink, &progress);
    // The bar goes before anything else is said.
    drop(progress);
    let summary = result.map_err(|error| match args.output {
        Some(file) => anyhow!("{}: {error}", file.display()),
        None => anyhow!("{error}"),
    })?;
    #[cfg(feature = "stats")]
    if args.stats {
        eprint!("{}", summary.statistics);
    }
    // A file that is missing is worse than a line that is.
    Ok(if summary.unreadable > 0 {
        Exit::Failure
    } else if summary.invalid > 0 {
        Exit::Invalid
    } else {
        Exit::Done
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_read_with_their_signs() {
        let window = |alpha, beta| Window::new(Score::new(alpha), Score::new(beta)).ok_or(String::new());
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
