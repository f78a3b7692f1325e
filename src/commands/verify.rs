//! `yose verify`: confirms or refutes claims.

use std::io::{self, IsTerminal, Write as _};
use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::Result;
use clap::ValueEnum;

use yose::batch::{SearcherOptions, StopCause, StopSignal, Stream, Survey, Workload, cost};
use yose::records::output::{Sink, Writer};
use yose::records::{Entry, Item, MalformedClaims, ReadOptions, Reader, Source};
use yose::verify::output::{csv::Csv, jsonl::JsonLines, summary_text, table::Table};
use yose::verify::{self, Finding, Report, Run, Sample, Summary, Verdict, VerifySearchers};

use super::common::{
    Format, LimitArgs, OutputArgs, SharedStream, TableArgs, ThreadArgs, Unfinished, WeightsArgs,
};
use super::input::InputArgs;
use super::progress::{Display, ProgressArgs, Style};
use super::{Exit, signals};

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
/// examined. An entry without a claim, such as a prediction, is `unclaimed`. Every
/// refutation is confirmed by a second search, on one thread with an empty table. Standard error
/// then gets the location, the claim, the true score and the principal variation. The table of the
/// second search has the size of --hash, but 1GiB at most. The weights change the cost of a
/// verdict, never the verdict.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

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

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    table: TableArgs,

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

Exit status:
  0  all claims are confirmed
  1  a claim is refuted
  2  wrong usage, or a file that cannot be read or written
  3  an entry or a claim cannot be read, or is impossible; all others are confirmed
  4  a limit left claims unsettled; all others are confirmed, or cannot be read
  75 ended by SIGTERM, SIGHUP or at the deadline, 130 by Ctrl-C; all records written are true";

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

    fn of_extension(extension: Option<&str>) -> OutputFormat {
        match extension {
            Some("jsonl" | "ndjson" | "json") => OutputFormat::Jsonl,
            _ => OutputFormat::Csv,
        }
    }
}

impl OutputFormat {
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
    let sources = args.input.sources("verify");
    // Each claim is verified by itself.
    let reading =
        ReadOptions { malformed_claims: MalformedClaims::SetAside, ..args.input.read.reading() };
    let format = args.output.format();
    let table_bytes = args.table.bytes()?;
    let weights = args.weights.source();
    let (evaluation, weights) =
        if format == OutputFormat::Jsonl { weights.recorded()? } else { weights.named()? };
    let options = SearcherOptions::new()
        .threads(args.threads.count().get())
        .table_bytes(table_bytes)
        .evaluation(evaluation);
    let searchers = VerifySearchers::new(&options)?;
    let mut inputs = sources.clone();
    inputs.extend(args.weights.source().file().map(|file| Source::File(file.to_owned())));
    args.input.read.messages.check(&inputs, args.output.file.path())?;
    let stream = SharedStream::new(args.output.file.open(&inputs, Unfinished::Kept)?);
    let mut output = Stream::new(Sink::new(format.writer(), stream.clone()), true);
    let messages = Arc::new(args.input.read.messages.open()?);

    let sample =
        args.sample.map(|positions| Sample { positions: positions.get(), seed: args.seed });
    let style = args.progress.style();
    let read_inputs = format == OutputFormat::Jsonl || (style != Style::Silent && sample.is_none());
    let survey = if read_inputs {
        Survey::of(&sources, reading, None)
    } else {
        Survey::names_only(&sources)
    };
    let run = Run {
        weights,
        limits: args.limits.limits(),
        sample,
        inputs: survey.inputs,
        ..Run::new(&options)
    };
    let reader = Reader::new(sources, reading);
    let (items, workload): (Box<dyn Iterator<Item = Item>>, _) = match sample {
        None => (Box::new(reader), survey.workload),
        Some(sample) => {
            let drawn = sample.draw(reader);
            let workload = Some(workload(&drawn));
            (Box::new(drawn.into_iter()), workload)
        }
    };
    let beside_records = args.output.file.path().is_none() && io::stdout().is_terminal();
    let progress =
        Display::start(style, workload, beside_records, searchers.searchers(), &messages);
    let result = verify::run(&run, searchers, items, &mut output, &progress, &stop, deadline);
    // Removes the progress bar before any other output.
    drop((progress, output));
    let messages_written = messages.finish();
    let stream = stream.into_inner();
    let report = match result {
        Ok(report) => report,
        Err(error) => return Err(stream.error(error)),
    };
    let file = match report.cause {
        None => stream.finish().map(|()| None)?,
        Some(_) => stream.leave()?,
    };
    let mut text = match report.cause {
        None => String::new(),
        Some(StopCause::Interrupt) => {
            "yose: interrupted; the remaining claims are not verified\n".to_owned()
        }
        Some(StopCause::Terminate) => {
            "yose: terminated; the remaining claims are not verified\n".to_owned()
        }
        Some(StopCause::Deadline) => {
            "yose: the deadline is reached; the remaining claims are not verified\n".to_owned()
        }
    };
    if let Some(file) = file {
        text += &format!("yose: the verdicts are in {file}\n");
    }
    if format != OutputFormat::Table || args.output.file.path().is_some() {
        text += &summary_text(&report.summary);
    }
    // The exit status has the outcome, so an error of this write is ignored.
    let _ = io::stderr().lock().write_all(text.as_bytes());
    Ok(exit(&report, messages_written))
}

/// The workload of entries that are all in memory.
fn workload(items: &[Item]) -> Workload {
    let mut workload = Workload::default();
    for item in items {
        if let Item::Entry(Entry { problem: Ok(problem), .. }) = item {
            workload.positions += 1;
            workload.cost += cost::predict(&problem.diagram.position);
        }
    }
    workload
}

/// The exit status: that of the most severe outcome.
fn exit(report: &Report, messages_written: bool) -> Exit {
    let Report { summary, cause } = report;
    let tally = &summary.tally;
    if tally.with_verdict(Verdict::Refuted) > 0 {
        return Exit::Different;
    }
    match cause {
        Some(StopCause::Interrupt) => return Exit::Interrupted,
        Some(StopCause::Terminate | StopCause::Deadline) => return Exit::Terminated,
        None => {}
    }
    if summary.unreadable > 0 || !messages_written {
        Exit::Failure
    } else if tally.with_verdict(Verdict::Consistent) + tally.with_verdict(Verdict::Open) > 0 {
        Exit::Limit
    } else if tally.malformed > 0 {
        Exit::Invalid
    } else {
        Exit::Done
    }
}
