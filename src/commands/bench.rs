//! `yose bench`: nodes and time of a suite.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueHint;
use serde::Serialize;

use yose::batch::bench::{BenchMode, Measurement, SUITES, Timing};
use yose::batch::{SearcherOptions, Survey};
use yose::records::output::readable;
use yose::records::{ReadOptions, Source};
use yose::search::Config;

use super::against::{self, AgainstArgs};
use super::common::{TableArgs, VerboseArgs, WeightsArgs, all_cores};
use super::{Exit, print, say};

/// Measure how fast a suite of positions is solved
///
/// Prints the nodes and the time of each position and of the whole suite. Without --each the
/// positions are solved as a list, side by side, with one transposition table for all, as
/// `yose solve` does. With --each they are solved one after the other, each on all threads with an
/// empty table. The scores are compared with those of the suite.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit status:
  0  done; all scores agree with the suite
  1  a score differs from the suite's, or from the other solver's
  2  wrong usage, or a file that cannot be read")]
pub struct Args {
    /// The suite: a file, or one of the built-in ffo-1-19, ffo-20-39 and ffo-40-59
    #[arg(value_name = "SUITE", default_value = "ffo-20-39", value_hint = ValueHint::FilePath)]
    suite: PathBuf,

    /// Number of threads; several numbers, such as 1,2,4, are each compared with the first
    ///
    /// The default is the number of processors that this program may use.
    #[arg(short, long, value_name = "N", value_delimiter = ',')]
    threads: Vec<NonZeroUsize>,

    /// Solve one position after the other, each on all threads
    #[arg(long)]
    each: bool,

    /// Measure N times, and print the median of each figure
    #[arg(long, value_name = "N", default_value = "1")]
    runs: NonZeroUsize,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    verbose: VerboseArgs,

    #[command(flatten)]
    weights: WeightsArgs,

    #[command(flatten)]
    against: AgainstArgs,

    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let suite = source(&args.suite)?;
    let mode = if args.each { BenchMode::Each } else { BenchMode::List };
    let table_size = args.table.size()?;
    let (evaluation, weights) = args.weights.source().evaluation()?;
    let threads = if args.threads.is_empty() { vec![all_cores()] } else { args.threads };
    // One size for all measurements.
    let most = threads.iter().map(|threads| threads.get()).max().unwrap_or(1);
    let survey = Survey::of(std::slice::from_ref(&suite), ReadOptions::default(), None);
    let options = table_size.apply(SearcherOptions::new().threads(most), survey.workload);
    let (table_bytes, auto_table) = (options.first_table_bytes(), options.chosen_table());
    args.verbose.table(table_bytes, auto_table);
    if args.against.against.is_some() && threads.len() > 1 {
        bail!("--against needs one number of threads");
    }
    let mut measured: Vec<Measurement> = Vec::new();
    let mut other = None;
    for &threads in &threads {
        let once = || {
            let config = Config {
                table_bytes,
                table_limit: auto_table.map(|size| size.limit),
                evaluation: evaluation.clone(),
                ..Config::default()
            };
            Measurement::run(&suite, mode, config, threads)
        };
        let (mut runs, mut others) = (Vec::new(), Vec::new());
        for run in 0..args.runs.get() {
            // In turn, each as often the first of its pair.
            if run % 2 == 0 {
                runs.push(once()?);
            }
            others.extend(args.against.run(&suite)?);
            if run % 2 == 1 {
                runs.push(once()?);
            }
        }
        let measurement = Measurement::median(&runs);
        other = against::median(others);
        match &other {
            _ if args.json => {}
            Some(other) => print(&against::table(&measurement, other))?,
            None => print(&table(&measurement))?,
        }
        measured.push(measurement);
    }
    if args.json {
        let settings =
            Settings { suite: suite.name(), mode, runs: args.runs.get(), table_bytes, weights };
        let other = other.iter().zip(&args.against.against);
        let other =
            other.map(|(run, command)| against::measurement(command, &measured[0], run)).next();
        print(&json(&settings, &measured, other)?)?;
    } else if measured.len() > 1 {
        print(&comparison(&measured))?;
    }
    let wrong: Vec<&Timing> =
        measured.iter().flat_map(|one| &one.positions).filter(|one| is_wrong(one)).collect();
    for one in &wrong {
        let claim = one.claim.map(|score| score.to_string()).unwrap_or_default();
        say(&format!("yose: {}: the score is {}, but the suite has {claim}", one.id, one.score));
    }
    let mut differ = false;
    for (one, result) in other.iter().flat_map(|run| against::differing(&measured[0], run)) {
        differ = true;
        let (own, other) = (one.score, result.score);
        say(&format!("yose: {}: the score is {own}, but the other solver has {other}", one.id));
    }
    Ok(if wrong.is_empty() && !differ { Exit::Done } else { Exit::Different })
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
            "{}: neither a file nor a built-in suite; the built-in suites are {}",
            source.name(),
            names.join(", ")
        );
    }
    Ok(source)
}

fn is_wrong(one: &Timing) -> bool {
    one.claim.is_some_and(|claim| claim != one.score)
}

/// Nodes per second, or nothing without a time.
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

/// A table of several numbers of threads, each compared with the first.
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

/// The settings of all measurements.
struct Settings {
    suite: String,
    mode: BenchMode,
    runs: usize,
    table_bytes: u64,
    weights: String,
}

/// The measurements, and that of another solver if there was one.
fn json(
    settings: &Settings,
    measured: &[Measurement],
    other: Option<serde_json::Value>,
) -> Result<String> {
    #[derive(Serialize)]
    struct BenchJson<'a> {
        version: &'static str,
        tier: &'static str,
        suite: &'a str,
        way: &'static str,
        runs: usize,
        table_bytes: u64,
        weights: &'a str,
        measurements: Vec<serde_json::Value>,
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
    let measurements = measurements.map(serde_json::to_value).chain(other.map(Ok));
    let measurements = measurements.collect::<Result<_, _>>()?;
    let bench = BenchJson {
        version: env!("CARGO_PKG_VERSION"),
        tier: yose::tier::NAME,
        suite: &settings.suite,
        way: match settings.mode {
            BenchMode::List => "batch",
            BenchMode::Each => "each",
        },
        runs: settings.runs,
        table_bytes: settings.table_bytes,
        weights: &settings.weights,
        measurements,
    };
    Ok(serde_json::to_string(&bench)? + "\n")
}
