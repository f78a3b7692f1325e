//! `yose bench`: how fast a suite is solved.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueHint;
use serde::Serialize;

use yose::batch::bench::{Measurement, SUITES, Timing, Way};
use yose::records::Source;
use yose::records::output::readable;
use yose::search::Config;

use super::weights::WeightsSource;
use super::work::all_cores;
use super::{Exit, print, size};

/// Measure how fast a suite of positions is solved
///
/// Prints nodes and time of each position and of all together. Positions are solved as a list, side
/// by side, with one table that is kept from one to the next, as `yose solve` does; with --each one
/// after the other, on all threads, with an empty table. MoveList are compared with those that the
/// suite gives.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit status:
  0  done, and all scores as the suite has them
  1  a score differs from the suite's
  2  wrong usage, or a file that cannot be read")]
pub struct Args {
    /// The suite: ffo-1-19, ffo-20-39 or ffo-40-59, which are built in, or a file
    #[arg(value_name = "SUITE", default_value = "ffo-20-39", value_hint = ValueHint::FilePath)]
    suite: PathBuf,

    /// Threads that solve; several numbers, such as 1,2,4, are compared with the first
    ///
    /// Without it: as many as there are processors that this program may use.
    #[arg(short, long, value_name = "N", value_delimiter = ',')]
    threads: Vec<NonZeroUsize>,

    /// Solve one position after the other, each on all threads
    #[arg(long)]
    each: bool,

    /// Measure N times, and give the median of each figure
    #[arg(long, value_name = "N", default_value = "1")]
    runs: NonZeroUsize,

    /// Size of the transposition table, such as 512MiB or 4G; at least 1MiB
    #[arg(long, value_name = "SIZE", default_value = "256MiB", env = "YOSE_HASH", value_parser = size::parse_table)]
    hash: u64,

    /// Search with other weights: a weight file, `embedded`, or `zero` for weights that know
    /// nothing
    #[arg(long, value_name = "WEIGHTS", default_value = "embedded", value_hint = ValueHint::FilePath)]
    weights: WeightsSource,

    /// Print one JSON object in place of tables
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let suite = source(&args.suite)?;
    let way = if args.each { Way::Each } else { Way::Batch };
    let (evaluation, weights) = args.weights.evaluation()?;
    let threads = if args.threads.is_empty() { vec![all_cores()] } else { args.threads };
    let mut measured: Vec<Measurement> = Vec::new();
    for &threads in &threads {
        let once = || {
            let config = Config {
                table_bytes: args.hash,
                evaluation: evaluation.clone(),
                ..Config::default()
            };
            Measurement::take(&suite, way, config, threads)
        };
        let runs = (0..args.runs.get()).map(|_| once()).collect::<Result<Vec<_>, _>>()?;
        let measurement = Measurement::median(&runs);
        if !args.json {
            print(&table(&measurement))?;
        }
        measured.push(measurement);
    }
    if args.json {
        let head = Head {
            suite: suite.name(),
            way,
            runs: args.runs.get(),
            table_bytes: args.hash,
            weights,
        };
        print(&json(&head, &measured)?)?;
    } else if measured.len() > 1 {
        print(&comparison(&measured))?;
    }
    let wrong: Vec<&Timing> =
        measured.iter().flat_map(|one| &one.positions).filter(|one| is_wrong(one)).collect();
    for one in &wrong {
        let claim = one.claim.map(|score| score.to_string()).unwrap_or_default();
        eprintln!(
            "yose: {}: the score is {}, and not {claim} as the suite has it",
            one.id, one.score
        );
    }
    Ok(if wrong.is_empty() { Exit::Done } else { Exit::Different })
}

/// A built-in suite by its name, or a file.
fn source(argument: &Path) -> Result<Source> {
    if let Some(suite) = SUITES.iter().find(|suite| Path::new(&suite.name()) == argument) {
        return Ok(suite.clone());
    }
    let source = Source::of_argument(argument);
    if source.is_stream() {
        bail!("{}: a suite is read more than once, so it must be a file", source.name());
    }
    if !argument.exists() {
        let names: Vec<String> = SUITES.iter().map(Source::name).collect();
        bail!(
            "{}: is no file and no built-in suite; those are {}",
            source.name(),
            names.join(", ")
        );
    }
    Ok(source)
}

fn is_wrong(one: &Timing) -> bool {
    one.claim.is_some_and(|claim| claim != one.score)
}

/// Nodes in a second, in words.
fn rate(nodes: u64, seconds: f64) -> String {
    if seconds > 0.0 { readable((nodes as f64 / seconds) as u64) } else { String::new() }
}

fn table(measurement: &Measurement) -> String {
    let width = measurement
        .positions
        .iter()
        .map(|one| one.id.chars().count())
        .max()
        .unwrap_or(0)
        .max("position".len());
    let row = |cells: [&str; 6]| {
        let [id, empties, score, nodes, seconds, rate] = cells;
        format!("{id:<width$}  {empties:>7}  {score:>5}  {nodes:>15}  {seconds:>9}  {rate:>13}\n")
    };
    let mut text = row(["position", "empties", "score", "nodes", "seconds", "nodes/s"]);
    for one in &measurement.positions {
        let seconds = one.time.as_secs_f64();
        text += &row([
            &one.id,
            &one.diagram.position.empties().count().to_string(),
            &one.score.to_string(),
            &readable(one.nodes),
            &format!("{seconds:.3}"),
            &rate(one.nodes, seconds),
        ]);
    }
    let seconds = measurement.time.as_secs_f64();
    let total = match measurement.threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    let nodes = measurement.nodes();
    text + &row([&total, "", "", &readable(nodes), &format!("{seconds:.3}"), &rate(nodes, seconds)])
        + "\n"
}

/// Several thread counts, beside the first.
fn comparison(measured: &[Measurement]) -> String {
    let mut text =
        "threads    seconds            nodes        nodes/s  times as fast  nodes, to the first\n"
            .to_owned();
    let first = &measured[0];
    for one in measured {
        let (seconds, nodes) = (one.time.as_secs_f64(), one.nodes());
        text += &format!(
            "{:>7}  {seconds:>9.3}  {:>15}  {:>13}  {:>13.2}  {:>18.1}%\n",
            one.threads,
            readable(nodes),
            rate(nodes, seconds),
            first.time.as_secs_f64() / seconds,
            100.0 * nodes as f64 / first.nodes().max(1) as f64,
        );
    }
    text
}

/// What is measured.
struct Head {
    suite: String,
    way: Way,
    runs: usize,
    table_bytes: u64,
    weights: String,
}

fn json(head: &Head, measured: &[Measurement]) -> Result<String> {
    #[derive(Serialize)]
    struct BenchJson<'a> {
        version: &'static str,
        tier: &'static str,
        suite: &'a str,
        way: &'static str,
        runs: usize,
        table_bytes: u64,
        weights: &'a str,
        measurements: Vec<MeasurementJson<'a>>,
    }
    #[derive(Serialize)]
    struct MeasurementJson<'a> {
        threads: usize,
        nodes: u64,
        seconds: f64,
        positions: Vec<PositionJson<'a>>,
    }
    #[derive(Serialize)]
    struct PositionJson<'a> {
        id: &'a str,
        position: String,
        empties: u32,
        score: i32,
        claim: Option<i32>,
        nodes: u64,
        seconds: f64,
    }

    fn position(one: &Timing) -> PositionJson<'_> {
        PositionJson {
            id: &one.id,
            position: one.diagram.to_string(),
            empties: one.diagram.position.empties().count(),
            score: one.score.discs(),
            claim: one.claim.map(|score| score.discs()),
            nodes: one.nodes,
            seconds: one.time.as_secs_f64(),
        }
    }
    let measurements = measured.iter().map(|one| MeasurementJson {
        threads: one.threads,
        nodes: one.nodes(),
        seconds: one.time.as_secs_f64(),
        positions: one.positions.iter().map(position).collect(),
    });
    let bench = BenchJson {
        version: env!("CARGO_PKG_VERSION"),
        tier: yose::tier::NAME,
        suite: &head.suite,
        way: match head.way {
            Way::Batch => "batch",
            Way::Each => "each",
        },
        runs: head.runs,
        table_bytes: head.table_bytes,
        weights: &head.weights,
        measurements: measurements.collect(),
    };
    Ok(serde_json::to_string(&bench)? + "\n")
}
