//! `yose solve`: position files in, exact scores out.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::{ValueEnum, ValueHint};

use yose::Window;
use yose::batch::{
    self, EarlierResults, InputReader, Journal, JournalError, Output, Report, RunError, RunFile,
    RunOptions, SearcherOptions, Searchers, Shard, StopCause, StopSignal, Stream, Survey, Workload,
};
use yose::certificate::{CertificatesBeside, MadeBeside};
use yose::othello::Score;
use yose::records::output::{
    NoteColumns, ResultFormat, Run, Sink, Writer, csv::Csv, jsonl::JsonLines, obf::Obf, readable,
    table::Table,
};
use yose::records::{ReadOptions, Source};

use super::common::{
    CertificateArgs, Destination, Format, LimitArgs, OutputArgs, OutputFileArgs, OutputStream,
    TableArgs, TableSize, ThreadArgs, Unfinished, VerboseArgs, WeightsArgs, made_folder,
    not_an_input,
};
use super::input::InputArgs;
use super::progress::{Display, ProgressArgs, Style};
use super::{Exit, say, signals};

/// Solve every position of the files, and write their scores
///
/// A line of a file is a position: 64 squares a1, b1, ... h8 as `X`, `O` and `-`, then the side to
/// move, `X` or `O`; fields with scores may follow, as in OBF files. Or it is a game, as a
/// transcript such as f5d6c3, in GGF or in SGF; --at-empties and --games select its positions.
/// Files may also be WTHOR databases, the CSV of "Othello is Solved", or Yose's own CSV and JSON
/// Lines. The format is recognised from the content. Blank lines and comments, which begin with
/// `%`, are skipped. A line or a game that cannot be read is reported, and the run continues.
///
/// Every position gives one record, in the order of the input, as soon as it and those before it
/// are solved. Positions are solved side by side, one on each thread. The longest of those that
/// have been read go first. Threads without a position help the others.
///
/// With --output, each result is in the file as soon as it is found, in the order in which
/// positions are finished. At the end the results are put into the order of the input. (A table and
/// OBF are written in that order from the beginning.)
///
/// After Ctrl-C, SIGTERM or SIGHUP, finished results are written, and the proven bounds of the
/// rest. With --output, a run with --resume continues from there.
///
/// Table size, threads and weights change the nodes and the time, never a score.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    output: OutputArgs<OutputFormat>,

    /// Add columns about the game of each position
    ///
    /// CSV and JSON Lines get `file`, `game` (its number), `year`, `black` and `white` (the
    /// players), `real_score` (of the game as it was played, seen by the side to move) and `move`
    /// (the number of the move that is played in the position). The names of the players of a WTHOR
    /// database are read from the file WTHOR.JOU in its folder.
    #[arg(long)]
    game_columns: bool,

    /// Keep the comments of the input: in CSV and JSON Lines in `comment`, in OBF behind a `%`
    ///
    /// A table always has them.
    #[arg(long)]
    comments: bool,

    /// Leave the run and the summary out of JSON Lines, so that each line is a record
    ///
    /// Other programs, such as pandas, then read the file as a table. With --output FILE, the run
    /// and the summary are in FILE.run. Keep it with FILE: --resume and `yose merge` need it.
    #[arg(long)]
    records_only: bool,

    /// Continue the file that --output names, if it exists
    ///
    /// Give the same files and options as before. Results in the file are kept. A position is
    /// solved if it has no result, or one that a limit or the end of the run has cut short. The
    /// file must belong to the input: each result is compared with its line by identifier and
    /// position. CSV and JSON Lines can be resumed.
    #[arg(long, requires = "output", conflicts_with = "force")]
    resume: bool,

    /// Write results in the order in which positions are finished
    #[arg(long)]
    unordered: bool,

    /// Solve only a part of the lines: part I of N
    ///
    /// The position alone decides to which part a line belongs, the same on every machine. The
    /// parts are of about the same size. `yose merge` joins their results.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Solve positions that differ only by symmetry once
    ///
    /// Every line gets its record; those after the first cost no nodes. Needs memory for every
    /// different position.
    #[arg(long)]
    unique: bool,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Give each thread its own table, which is empty before each position
    ///
    /// The nodes of a position then depend only on the position and on --hash, not on the number of
    /// threads. Each thread has a table of the size of --hash; `auto` is 256MiB here. It is cleared
    /// for each position, so a small one is better for small positions. Threads do not help each
    /// other.
    #[arg(long)]
    deterministic: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    verbose: VerboseArgs,

    #[command(flatten)]
    weights: WeightsArgs,

    /// What to find of each position
    ///
    /// CSV and JSON Lines have a win, a draw or a loss in `wld`, whatever the goal is.
    #[arg(long, value_name = "GOAL", default_value = "exact")]
    goal: Goal,

    /// Find only scores between A and B exactly
    ///
    /// Of a score of A or less the result is only an upper bound, of a score of B or more a lower
    /// bound. A narrower window takes less time. A and B are numbers from -64 to 64. `--goal wld`
    /// is `--window -1,1`; only one of the two can be given.
    #[arg(
        long,
        value_name = "A,B",
        allow_hyphen_values = true,
        value_parser = parse_window,
        conflicts_with = "goal"
    )]
    window: Option<Window>,

    /// Find the score of every legal move, not only of the best
    ///
    /// JSON Lines has them in `moves`, CSV in a further column of that name, the table in a second
    /// line, OBF in fields.
    #[arg(long)]
    all_moves: bool,

    /// Beside each score, write a certificate that proves it into this folder
    ///
    /// `yose-check` checks it, a program that shares no code with Yose. The folder is made if it
    /// does not exist. The times of the records are without the certificates. Positions that
    /// --resume takes from the file are not solved, and get none: `yose certify` writes those.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    certificate: Option<PathBuf>,

    #[command(flatten)]
    certificates: CertificateArgs,

    /// At the end, print search statistics by number of empties on standard error
    ///
    /// Nodes by the way in which they were answered, how often the first move failed high, the
    /// share of nodes in moves before the one that failed high, and the share of each search pass.
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
  yose solve a.obf b.txt --format jsonl       two files, results with all details
  generate | yose solve --side X --goal wld   bare boards from another program: who wins?
  yose solve WTH_2024.wtb --games 1-10        the positions of the theoretical scores
  yose solve games.txt --at-empties 0-16      the last positions of games
  yose solve big.obf -o big.csv --resume      start, or continue after an interruption

Exit status:
  0    everything is done
  2    wrong usage, or a file that cannot be read or written
  3    some lines of the input are invalid; all others are solved
  4    some positions hit a limit; all others are solved
  75   ended by SIGTERM, SIGHUP or at the deadline; safe to start again with --resume
  130  ended by Ctrl-C";

/// The output formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OutputFormat {
    /// A table for people
    Table,
    /// CSV: one line with the names of the columns, then one for each position
    Csv,
    /// JSON Lines: an object for the run, one for each position, and one that sums them up
    Jsonl,
    /// OBF, for other solvers: the position and its best move's score, or every move's under
    /// --all-moves
    Obf,
    /// Parquet, for programs that analyse tables; only in builds with the feature `parquet`
    Parquet,
}

impl Format for OutputFormat {
    const TABLE: OutputFormat = OutputFormat::Table;
    const DEFAULT: &str = "The default is a table on a terminal, JSON Lines for a file name that \
        ends in .jsonl, .ndjson or .json, OBF for .obf, Parquet for .parquet, and CSV otherwise.";

    fn of_extension(extension: Option<&str>) -> OutputFormat {
        match extension {
            Some("jsonl" | "ndjson" | "json") => OutputFormat::Jsonl,
            Some("obf") => OutputFormat::Obf,
            Some("parquet") => OutputFormat::Parquet,
            _ => OutputFormat::Csv,
        }
    }
}

impl OutputFormat {
    /// The format for reading records back; `None` if they cannot be read back.
    fn stored(self) -> Option<ResultFormat> {
        match self {
            OutputFormat::Table | OutputFormat::Obf | OutputFormat::Parquet => None,
            OutputFormat::Csv => Some(ResultFormat::Csv),
            OutputFormat::Jsonl => Some(ResultFormat::JsonLines),
        }
    }

    /// Whether the output has the options of the run, with the digest of the weights.
    fn records_run(self) -> bool {
        matches!(self, OutputFormat::Jsonl | OutputFormat::Parquet)
    }

    /// The destination of records in this format.
    ///
    /// # Errors
    /// If it cannot have this format, or is one of `inputs`.
    fn destination<'a>(
        self,
        file: &'a OutputFileArgs,
        inputs: &[Source],
    ) -> Result<Destination<'a>> {
        match self {
            OutputFormat::Parquet => file.parquet_destination(inputs),
            _ => file.destination(inputs),
        }
    }

    /// The writer of the format. `longest_name` is the length of the longest name of a record, if
    /// it is known.
    fn writer(self, records_only: bool, longest_name: Option<usize>) -> Box<dyn Writer> {
        match self {
            OutputFormat::Table => Box::new(Table::new(terminal_width(), longest_name)),
            OutputFormat::Csv => Box::new(Csv::default()),
            OutputFormat::Jsonl if records_only => Box::new(JsonLines::records_only()),
            OutputFormat::Jsonl | OutputFormat::Parquet => Box::new(JsonLines::default()),
            OutputFormat::Obf => Box::new(Obf::default()),
        }
    }
}

/// The number of columns of the terminal that standard output is; `None` if it is none.
fn terminal_width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(width.0.into())
}

/// What is found of each position.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Goal {
    /// The exact score
    Exact,
    /// Only whether it is a win, a draw or a loss, which is faster
    Wld,
}

/// The window of a goal, unless another is given.
pub(super) fn window(window: Option<Window>, goal: Goal) -> Window {
    window.unwrap_or(match goal {
        Goal::Exact => Window::FULL,
        Goal::Wld => Window::WIN_LOSS_DRAW,
    })
}

/// Reads the argument of `--window`.
pub(super) fn parse_window(text: &str) -> Result<Window, String> {
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
        window(self.window, self.goal)
    }

    /// The searchers with a table of this size, and their options. `workload` is the cost of the
    /// input, if it is known.
    ///
    /// # Errors
    /// If there is not enough memory.
    fn searchers(
        &self,
        options: SearcherOptions,
        table: TableSize,
        workload: Option<Workload>,
    ) -> Result<(SearcherOptions, Searchers)> {
        if self.deterministic {
            let options = table.deterministic().apply(options, None);
            let searchers = Searchers::deterministic(&options)?;
            return Ok((options, searchers));
        }
        let options = table.apply(options, workload);
        let searchers = Searchers::shared_table(&options)?;
        Ok((options, searchers))
    }

    /// The first reading of the input, as far as the output, the progress or the size of the table
    /// needs it.
    fn survey(
        &self,
        (sources, reading): (&[Source], ReadOptions),
        format: OutputFormat,
        table: TableSize,
    ) -> Survey {
        let sized = table == TableSize::Auto && !self.deterministic;
        if sized || format != OutputFormat::Csv || self.progress.style() != Style::Silent {
            Survey::of(sources, reading, self.shard)
        } else {
            Survey::names_only(sources)
        }
    }

    /// The notes that records have.
    ///
    /// # Errors
    /// If the format has no place for them.
    fn note_columns(&self, format: OutputFormat) -> Result<NoteColumns> {
        if self.records_only && format != OutputFormat::Jsonl {
            bail!("--records-only needs --format jsonl");
        }
        let has_columns = format.stored().is_some() || format == OutputFormat::Parquet;
        if self.game_columns && !has_columns {
            bail!("--game-columns needs --format csv, jsonl or parquet");
        }
        Ok(NoteColumns { game: self.game_columns, comment: self.comments })
    }

    /// What writes the certificates, if they are wanted.
    ///
    /// # Errors
    /// If their folder cannot be made.
    fn certificates(&self) -> Result<Option<CertificatesBeside>> {
        let Some(path) = &self.certificate else { return Ok(None) };
        Ok(Some(CertificatesBeside::new(made_folder(path)?, self.certificates.options())))
    }

    /// Prints to standard error which certificates are missing. Returns whether all could be
    /// written.
    fn report_certificates(&self, made: &MadeBeside) -> bool {
        let MadeBeside { unfinished, unwritten, error, .. } = made;
        if let Some(error) = error {
            let unwritten = readable(*unwritten);
            say(&format!("yose: certificates that could not be written: {unwritten}; {error}"));
        }
        if *unfinished > 0 {
            let unfinished = readable(*unfinished);
            say(&format!(
                "yose: certificates that were not finished: {unfinished}; `yose certify` makes \
                 those that are missing"
            ));
        }
        error.is_none()
    }

    /// Opens the output before any work is done, so that a wrong path costs nothing. A file is a
    /// journal, if it can be; another output is put into `stream`.
    fn open_output<'a>(
        &self,
        destination: &Destination<'_>,
        (format, writer): (OutputFormat, Box<dyn Writer>),
        run: &Run,
        (sources, reading): (&[Source], ReadOptions),
        stream: &'a mut Option<OutputStream>,
    ) -> Result<(Box<dyn Output + 'a>, Option<EarlierResults>)> {
        let in_order = !self.unordered;
        let stored = format.stored().map(|stored| match self.records_only {
            true => ResultFormat::JsonRecords,
            false => stored,
        });
        match (destination, stored) {
            (Destination::File(path), Some(stored)) if self.resume => {
                let input = (sources, reading, self.shard);
                let (journal, earlier) = batch::resume(path, writer, stored, run, in_order, input)?;
                Ok((self.with_run_file(path, true, Box::new(journal))?, earlier))
            }
            (Destination::File(path), Some(_)) => {
                let force = self.output.file.force;
                let run_file = RunFile::path(path);
                if self.records_only && !force && run_file.exists() {
                    return Err(
                        JournalError::Exists { file: run_file.display().to_string() }.into()
                    );
                }
                let journal = Journal::create(path, force, writer, in_order)?;
                Ok((self.with_run_file(path, force, Box::new(journal))?, None))
            }
            (Destination::Compressed(..), _) if self.resume => {
                bail!("--resume cannot continue a compressed file; name another with --output")
            }
            (_, None) if self.resume => {
                bail!("only CSV and JSON Lines can be resumed; give --format csv or --format jsonl")
            }
            (_, _) if self.resume => {
                bail!("--resume needs a file that can be read again; name one with --output")
            }
            _ => {
                let opened = destination.open(self.output.file.force, Unfinished::Kept)?;
                let sink = Sink::new(writer, stream.insert(opened));
                Ok((Box::new(Stream::new(sink, in_order)), None))
            }
        }
    }

    /// A journal, and with --records-only its run file.
    fn with_run_file(
        &self,
        path: &Path,
        replace: bool,
        journal: Box<dyn Output>,
    ) -> Result<Box<dyn Output>> {
        Ok(match self.records_only {
            true => Box::new(RunFile::create(path, replace, journal)?),
            false => journal,
        })
    }

    /// Prints to standard error what was left undone, how to continue the journal, and the name of
    /// the partial file of another output.
    fn report_unfinished(&self, report: &Report, journal: Option<&Path>, partial: Option<String>) {
        let summary = &report.summary;
        if let Some(error) = &report.unclaimed
            && report.cause.is_none()
        {
            say(&format!("yose: {}", super::advice::with_advice(error)));
        }
        let why = match report.cause {
            Some(StopCause::Interrupt) => "interrupted",
            Some(StopCause::Terminate) => "terminated",
            Some(StopCause::Deadline) => "the deadline is reached",
            None if summary.limit > 0 => "some positions hit a limit",
            None => return,
        };
        let (done, left) = (readable(summary.solved()), readable(summary.cut_short()));
        let mut text = format!(
            "yose: {why}: {done} of {} positions are solved, {left} are not",
            readable(summary.positions())
        );
        if let Some(path) = journal.filter(|_| summary.cut_short() > 0) {
            text += &match report.cause {
                Some(_) => {
                    format!("; the same command with --resume continues {}", path.display())
                }
                None => format!("; higher limits and --resume continue {}", path.display()),
            };
        }
        if let Some(file) = partial {
            text += &format!("; the results are in {file}");
        }
        say(&text);
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let deadline = args.limits.deadline();
    let stop = StopSignal::default();
    signals::stop_on_signals(&stop)?;
    let sources = args.input.sources("solve");
    let format = args.output.format();
    let columns = args.note_columns(format)?;
    let notes = columns != NoteColumns::default() || format == OutputFormat::Table;
    let reading = ReadOptions { notes, ..args.input.read.reading() };
    // Weights and table come before the output file: an error must not leave an empty file behind,
    // which the next run would refuse to replace.
    let table_size = args.table.size()?;
    let weights = args.weights.source();
    let (evaluation, weights) =
        if format.records_run() { weights.recorded()? } else { weights.named()? };
    // The weight file must not be overwritten either.
    let mut inputs = sources.clone();
    inputs.extend(args.weights.source().file().map(|file| Source::File(file.to_owned())));
    let destination = format.destination(&args.output.file, &inputs)?;
    args.input.read.messages.check(&inputs, args.output.file.path())?;
    if let (Destination::File(path), true) = (&destination, args.records_only) {
        not_an_input(&RunFile::path(path), &inputs)?;
    }

    let style = args.progress.style();
    let survey = args.survey((&sources, reading), format, table_size);
    let options = SearcherOptions::new().threads(args.threads.count().get()).evaluation(evaluation);
    let (options, searchers) = args.searchers(options, table_size, survey.workload)?;
    args.verbose.table(options.first_table_bytes(), options.chosen_table());
    let run = Run {
        threads: searchers.threads(),
        deterministic: args.deterministic,
        table_bytes: options.first_table_bytes(),
        auto_table: options.chosen_table(),
        weights,
        window: args.window(),
        all_moves: args.all_moves,
        notes: columns,
        limits: args.limits.limits(),
        shard: args.shard.map(|shard| shard.to_string()),
        inputs: survey.inputs,
    };
    let mut stream = None;
    let writer = format.writer(args.records_only, survey.longest_name);
    let (mut output, earlier) =
        args.open_output(&destination, (format, writer), &run, (&sources, reading), &mut stream)?;
    let messages = Arc::new(args.input.read.messages.open()?);
    let input = InputReader { sources, reading, shard: args.shard, earlier };
    let beside_records = args.output.file.path().is_none() && io::stdout().is_terminal();
    let progress = Display::start(style, survey.workload, beside_records, &searchers, &messages);
    if args.verbose.is_given() {
        progress.print_results();
    }
    let meter = searchers.node_meter();
    let hook = args.certificates()?;
    let hook = hook.as_ref();
    let options = RunOptions { unique: args.unique, deadline, hook: hook.map(|hook| hook as _) };
    let result = batch::run(&run, options, searchers, input, &mut *output, &progress, &stop);
    // Removes the progress bar before any other output.
    drop((progress, output));
    args.verbose.table_use(meter.table_bytes_in_use());
    let messages_written = messages.finish();
    let report = result.map_err(|error| match error {
        RunError::Output(error) => args.output.file.error(stream.as_ref(), error),
        error => error.into(),
    })?;
    let (journal, partial) = args.output.file.end(stream, report.cause.is_none())?;
    #[cfg(feature = "stats")]
    if args.stats {
        say(report.summary.statistics.to_string().trim_end());
    }
    args.report_unfinished(&report, journal, partial);
    let all_certified = hook.is_none_or(|hook| args.report_certificates(&hook.made()));
    Ok(exit(&report, messages_written && all_certified))
}

/// The exit status of a run: the gravest outcome decides. The end of the run by a signal or the
/// deadline comes first, since the run can be started again.
fn exit(report: &Report, messages_written: bool) -> Exit {
    let summary = &report.summary;
    match report.cause {
        Some(StopCause::Interrupt) => return Exit::Interrupted,
        Some(StopCause::Terminate | StopCause::Deadline) => return Exit::Terminated,
        None => {}
    }
    // A missing file is worse than an invalid line.
    if summary.unreadable > 0 || report.unclaimed.is_some() || !messages_written {
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
