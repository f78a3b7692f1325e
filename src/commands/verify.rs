//! `yose verify`: confirms or refutes claims.

use std::fs;
use std::io::{self, IsTerminal, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::{ValueEnum, ValueHint};

use yose::batch::{
    Journal, Output, SearcherOptions, Shard, StopCause, StopSignal, Stream, Survey, Workload, cost,
};
use yose::records::output::{ResultFormat, Sink, Writer, readable};
use yose::records::{Entry, Item, MalformedClaims, ReadOptions, Reader, Source};
use yose::verify::output::{csv::Csv, jsonl::JsonLines, summary_text, table::Table};
use yose::verify::{
    self, EarlierFindings, Finding, Report, Run, RunError, Sample, Summary, Verdict, VerifyInput,
    VerifySearchers,
};

use super::against::SolverOutputArgs;
use super::common::{
    Destination, Format, LimitArgs, OutputArgs, OutputStream, TableArgs, TableSize, ThreadArgs,
    Unfinished, VerboseArgs, WeightsArgs,
};
use super::input::InputArgs;
use super::progress::{Display, ProgressArgs, Style};
use super::{Exit, say, signals};

/// Confirm or refute every claim that files make about positions
///
/// Claims are the scores of moves in OBF, the theoretical scores of WTHOR databases, the bounds of
/// "Othello is Solved", and the scores, bounds and best moves in the CSV and JSON Lines of Yose and
/// of other programs. Each claim gets a search of its own with the narrowest window that decides
/// it: a bound costs less than a score.
///
/// Each claim gives one record, in the order of the input. It is `confirmed` or `refuted`. At a
/// limit it is `consistent` if the proven bounds agree with it, else `open`. An entry that cannot
/// be read is `malformed`. So is a claim that cannot be read; the other claims of its entry are
/// examined. An entry without a claim, such as a prediction, is `unclaimed`. Every refutation is
/// confirmed by a second search, on one thread with an empty table. Standard error then gets the
/// location, the claim, the true score and the principal variation. The table of the second search
/// has the size of --hash, but 1GiB at most. The weights change the cost of a verdict, never the
/// verdict.
///
/// With --output, each record is in the file as soon as it is found, in the order in which claims
/// are settled. At the end the records are put into the order of the input. (A table is written in
/// that order from the beginning.) A run with --resume continues the file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    solver: SolverOutputArgs,

    /// Examine N positions, drawn at random from those with claims
    ///
    /// All files are read to their end first. Lines that cannot be read are reported too.
    #[arg(long, value_name = "N")]
    sample: Option<NonZeroUsize>,

    /// Seed of the sample; another seed gives another sample
    #[arg(long, value_name = "S", default_value = "1", requires = "sample")]
    seed: u64,

    #[command(flatten)]
    output: OutputArgs<OutputFormat>,

    /// Continue the file that --output names, if it exists
    ///
    /// Give the same files and options as before. Claims that the file confirms or refutes are
    /// kept. Claims without a record, and those that a limit or the end of the run has left
    /// unsettled, are verified. The file must belong to the input: each record is compared with its
    /// claim. CSV and JSON Lines can be resumed.
    #[arg(long, requires = "output", conflicts_with = "force")]
    resume: bool,

    /// Verify only a part of the lines: part I of N
    ///
    /// The position alone decides to which part a line belongs, the same on every machine, so all
    /// claims about one position are in the same part. The records of all parts in one file are
    /// those of the whole list: --resume puts them in order and sums them up.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Accept the certificates of this folder as evidence
    ///
    /// A claim is confirmed without a search if the checker accepts a certificate of its position,
    /// or of the position after its move, that proves it. Without one, or if the checker refuses
    /// it, the claim is searched. `yose certify --claims` writes the certificates of a list.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    certificates: Option<PathBuf>,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    verbose: VerboseArgs,

    #[command(flatten)]
    weights: WeightsArgs,

    #[command(flatten)]
    progress: ProgressArgs,
}

const EXAMPLES: &str = "\
Examples:
  yose verify ffo-20-39.obf                        a table on the terminal
  yose verify knowledge_*.csv -o verdicts.csv      bounds of \"Othello is Solved\", into a file
  yose verify WTH_*.wtb --sample 200 --seed 1      200 games of a database
  yose verify scores.csv --time-limit 10s          another engine's scores, 10 s for each
  yose verify big.csv -o verdicts.csv --resume     start, or continue after an interruption

Exit status:
  0  all claims are confirmed
  1  a claim is refuted
  2  wrong usage, or a file that cannot be read or written
  3  an entry or a claim cannot be read, or is impossible; all others are confirmed
  4  a limit left claims unsettled; all others are confirmed, or cannot be read
  75 ended by SIGTERM, SIGHUP or at the deadline, 130 by Ctrl-C; safe to start again with --resume";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OutputFormat {
    /// A table for people
    Table,
    /// CSV: one line with the names of the columns, then one for each claim
    Csv,
    /// JSON Lines: an object for the run, one for each claim, and one that sums them up
    Jsonl,
}

impl Format for OutputFormat {
    const TABLE: OutputFormat = OutputFormat::Table;
    const DEFAULT: &str = "The default is a table on a terminal, JSON Lines for a file name that \
        ends in .jsonl, .ndjson or .json, and CSV otherwise.";

    fn of_extension(extension: Option<&str>) -> OutputFormat {
        match extension {
            Some("jsonl" | "ndjson" | "json") => OutputFormat::Jsonl,
            _ => OutputFormat::Csv,
        }
    }
}

impl OutputFormat {
    /// The format for reading records back; `None` if they cannot be read back.
    fn stored(self) -> Option<ResultFormat> {
        match self {
            OutputFormat::Table => None,
            OutputFormat::Csv => Some(ResultFormat::Csv),
            OutputFormat::Jsonl => Some(ResultFormat::JsonLines),
        }
    }

    fn writer(self) -> Box<dyn Writer<Run, Finding, Summary>> {
        match self {
            OutputFormat::Table => Box::new(Table::default()),
            OutputFormat::Csv => Box::new(Csv),
            OutputFormat::Jsonl => Box::new(JsonLines),
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let deadline = args.limits.deadline();
    let stop = StopSignal::default();
    signals::stop_on_signals(&stop)?;
    let sources = args.solver.claims(args.input.sources("verify"))?;
    // Each claim is verified by itself.
    let reading =
        ReadOptions { malformed_claims: MalformedClaims::SetAside, ..args.input.read.reading() };
    if let Some(folder) = &args.certificates {
        fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    }
    let format = args.output.format();
    let table_size = args.table.size()?;
    let weights = args.weights.source();
    let (evaluation, weights) =
        if format == OutputFormat::Jsonl { weights.recorded()? } else { weights.named()? };
    let mut inputs = sources.clone();
    inputs.extend(args.weights.source().file().map(|file| Source::File(file.to_owned())));
    args.input.read.messages.check(&inputs, args.output.file.path())?;
    let destination = args.output.file.destination(&inputs)?;
    let sample =
        args.sample.map(|positions| Sample { positions: positions.get(), seed: args.seed });
    let style = args.progress.style();
    let survey = args.survey((&sources, reading), format, table_size);
    let drawn = sample.map(|sample| draw(sample, Reader::new(sources.clone(), reading)));
    let workload = match &drawn {
        None => survey.workload,
        Some(drawn) => Some(workload(drawn, args.shard)),
    };
    let options = SearcherOptions::new().threads(args.threads.count().get()).evaluation(evaluation);
    let options = table_size.apply(options, workload);
    let searchers = VerifySearchers::new(&options)?;
    args.verbose.table(options.first_table_bytes(), options.chosen_table());
    let run = Run {
        weights,
        limits: args.limits.limits(),
        sample,
        shard: args.shard,
        inputs: survey.inputs,
        certificates: args.certificates.clone(),
        ..Run::new(&options)
    };
    let again = if args.resume { again(&sources, reading, sample) } else { None };
    let mut stream = None;
    let (mut output, earlier) = args.open_output(&destination, format, &run, again, &mut stream)?;
    let open = move || items(Reader::new(sources, reading), drawn);
    let input = VerifyInput { open, earlier, deadline };
    let beside_records = args.output.file.path().is_none() && io::stdout().is_terminal();
    let messages = Arc::new(args.input.read.messages.open()?);
    let progress =
        Display::start(style, workload, beside_records, searchers.searchers(), &messages);
    let meter = searchers.searchers().node_meter();
    let result = verify::run(&run, searchers, input, &mut *output, &progress, &stop);
    // Removes the progress bar before any other output.
    drop((progress, output));
    args.verbose.table_use(meter.table_bytes_in_use());
    let messages_written = messages.finish();
    let report = result.map_err(|error| match error {
        RunError::Output(error) => args.output.file.error(stream.as_ref(), error),
        error => error.into(),
    })?;
    let (journal, partial) = args.output.file.end(stream, report.cause.is_none())?;
    let mut text = unfinished_text(&report, journal, partial);
    if format != OutputFormat::Table || args.output.file.path().is_some() {
        text += &summary_text(&report.summary);
    }
    // The exit status has the outcome, so an error of this write is ignored.
    let _ = io::stderr().lock().write_all(text.as_bytes());
    Ok(exit(&report, messages_written))
}

/// An output, and the findings that it has already.
type OpenedOutput<'a> = (Box<dyn Output<Run, Finding, Summary> + 'a>, Option<EarlierFindings>);

impl Args {
    /// The first reading of the input, as far as the output, the progress or the size of the table
    /// needs it. A sample is drawn by a reading of its own.
    fn survey(
        &self,
        (sources, reading): (&[Source], ReadOptions),
        format: OutputFormat,
        table: TableSize,
    ) -> Survey {
        let predicted = table == TableSize::Auto || self.progress.style() != Style::Silent;
        if format == OutputFormat::Jsonl || (predicted && self.sample.is_none()) {
            Survey::of(sources, reading, self.shard)
        } else {
            Survey::names_only(sources)
        }
    }

    /// Opens the output before any claim is verified. A file is a journal, if it can be; another
    /// output is put into `stream`. `items` is the input, if it can be read twice.
    fn open_output<'a>(
        &self,
        destination: &Destination<'_>,
        format: OutputFormat,
        run: &Run,
        items: Option<impl Iterator<Item = Item>>,
        stream: &'a mut Option<OutputStream>,
    ) -> Result<OpenedOutput<'a>> {
        let writer = format.writer();
        match (destination, format.stored()) {
            (Destination::File(path), Some(stored)) if self.resume => {
                let (journal, earlier) = verify::resume(path, writer, stored, run, items)?;
                Ok((Box::new(journal), earlier))
            }
            (Destination::File(path), Some(_)) => {
                let journal = Journal::create(path, self.output.file.force, writer, true)?;
                Ok((Box::new(journal), None))
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
                Ok((Box::new(Stream::new(sink, true)), None))
            }
        }
    }
}

/// What was left undone, how to continue the journal, and the name of the partial file of another
/// output.
fn unfinished_text(report: &Report, journal: Option<&Path>, partial: Option<String>) -> String {
    let tally = &report.summary.tally;
    let open = tally.with_verdict(Verdict::Consistent) + tally.with_verdict(Verdict::Open);
    let what = match (report.cause, &report.unclaimed) {
        (None, Some(error)) => return format!("yose: {}\n", super::advice::with_advice(error)),
        (None, None) if open == 0 => return String::new(),
        (None, None) if open == 1 => "1 claim hit a limit".to_owned(),
        (None, None) => format!("{} claims hit a limit", readable(open)),
        (Some(cause), _) => {
            let why = match cause {
                StopCause::Interrupt => "interrupted",
                StopCause::Terminate => "terminated",
                StopCause::Deadline => "the deadline is reached",
            };
            format!("{why}; the remaining claims are not verified")
        }
    };
    let how = match (journal, report.cause) {
        (Some(path), Some(_)) => {
            format!("; the same command with --resume continues {}", path.display())
        }
        (Some(path), None) => {
            format!("; higher limits and --resume continue {}", path.display())
        }
        (None, _) => String::new(),
    };
    let partial = partial.map(|file| format!("yose: the verdicts are in {file}\n"));
    format!("yose: {what}{how}\n{}", partial.unwrap_or_default())
}

/// The items once more, for a comparison with the findings of an earlier run. `None` if the input
/// can be read only once.
fn again(
    sources: &[Source],
    reading: ReadOptions,
    sample: Option<Sample>,
) -> Option<Box<dyn Iterator<Item = Item>>> {
    let reader = || Reader::new(sources.to_vec(), reading);
    let can_be_read = !sources.iter().any(Source::is_stream);
    can_be_read.then(|| items(reader(), sample.map(|sample| sample.draw(reader()))))
}

/// Draws a sample, and reports it if there are fewer positions.
fn draw(sample: Sample, input: Reader) -> Vec<Item> {
    let drawn = sample.draw(input);
    let found = drawn.iter().filter(|item| has_claims(item)).count();
    if found < sample.positions {
        let found = readable(found as u64);
        say(&format!("yose: the sample has all positions with claims: {found}"));
    }
    drawn
}

/// Whether an item has a claim that can be verified.
fn has_claims(item: &Item) -> bool {
    let Item::Entry(Entry { problem: Ok(problem), .. }) = item else { return false };
    !problem.claims.is_empty()
}

/// The items of the input: those that are drawn, or all.
fn items(all: Reader, drawn: Option<Vec<Item>>) -> Box<dyn Iterator<Item = Item>> {
    match drawn {
        None => Box::new(all),
        Some(drawn) => Box::new(drawn.into_iter()),
    }
}

/// The workload of the entries of a shard that are all in memory.
fn workload(items: &[Item], shard: Option<Shard>) -> Workload {
    let mut workload = Workload::default();
    for item in items {
        if let Item::Entry(Entry { problem: Ok(problem), .. }) = item
            && shard.is_none_or(|shard| shard.contains(Some(&problem.diagram.position)))
        {
            workload.add(cost::predict(&problem.diagram.position));
        }
    }
    workload
}

/// The exit status: that of the most severe outcome.
fn exit(report: &Report, messages_written: bool) -> Exit {
    let Report { summary, cause, unclaimed } = report;
    let tally = &summary.tally;
    if tally.with_verdict(Verdict::Refuted) > 0 {
        return Exit::Different;
    }
    match cause {
        Some(StopCause::Interrupt) => return Exit::Interrupted,
        Some(StopCause::Terminate | StopCause::Deadline) => return Exit::Terminated,
        None => {}
    }
    if summary.unreadable > 0 || unclaimed.is_some() || !messages_written {
        Exit::Failure
    } else if tally.with_verdict(Verdict::Consistent) + tally.with_verdict(Verdict::Open) > 0 {
        Exit::Limit
    } else if tally.malformed > 0 {
        Exit::Invalid
    } else {
        Exit::Done
    }
}
