//! `yose certify`: files that prove scores to an independent checker.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;

use yose::Window;
use yose::batch::{SearcherOptions, Searchers, StopCause, StopSignal, Workload, cost};
use yose::certificate::{
    CertificateOptions, Certified, CertifyError, ListOptions, MAX_LEAF_EMPTIES, certify_list,
};
use yose::records::output::{bounds_text, readable};
use yose::records::{Item, Reader};

use super::common::{TableArgs, ThreadArgs, WeightsArgs};
use super::input::InputArgs;
use super::messages::Messages;
use super::solve::{Goal, parse_window, window};
use super::{Exit, output_error, print, say, signals};

/// Solve positions, and write files that prove their scores
///
/// A certificate has the moves that prove the score, and no result of the solver. `yose-check`, a
/// program of 500 lines that shares no code with Yose, checks it; `yose verify --certificates` uses
/// the same check. The guide specifies the format: docs/certificate.md.
///
/// The name of a file is the position in hexadecimal. Positions whose certificate is in the folder
/// are not solved again, so the same command continues after an interruption.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit status:
  0    every position has its certificate
  2    wrong usage, or a file that cannot be read or written
  3    some lines of the input are invalid; all others have their certificates
  75   ended by SIGTERM or SIGHUP, 130 by Ctrl-C; safe to start again")]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// The folder of the certificates; it is made if it does not exist
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: PathBuf,

    /// Positions with up to N empties are searched by the checker; from 0 to 14
    ///
    /// A greater number makes smaller files that take longer to check.
    #[arg(
        long,
        value_name = "N",
        default_value_t = CertificateOptions::default().leaf_empties,
        value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_LEAF_EMPTIES))
    )]
    leaf_empties: u32,

    /// What to prove of each position
    #[arg(long, value_name = "GOAL", default_value = "exact")]
    goal: Goal,

    /// Prove only scores between A and B exactly; of others, that they are not
    #[arg(
        long,
        value_name = "A,B",
        allow_hyphen_values = true,
        value_parser = parse_window,
        conflicts_with = "goal"
    )]
    window: Option<Window>,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// What is wrong with the input.
#[derive(Default)]
struct Faults {
    invalid: bool,
    unreadable: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let sources = args.input.sources("certify");
    args.input.read.messages.check(&sources, None)?;
    let (evaluation, _) = args.weights.source().evaluation()?;
    let table_size = args.table.size()?;
    let folder = args.output;
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let leaf_empties = args.leaf_empties;
    let options = ListOptions {
        folder,
        window: window(args.window, args.goal),
        certificate: CertificateOptions { leaf_empties, ..CertificateOptions::default() },
    };
    let stop = StopSignal::default();
    signals::stop_on_signals(&stop)?;
    let messages = args.input.read.messages.open()?;
    let mut faults = Faults::default();
    let positions: Vec<_> = Reader::new(sources, args.input.read.reading())
        .filter_map(|item| position(item, &messages, &mut faults))
        .collect();
    let mut workload = Workload::default();
    positions.iter().for_each(|(_, position)| workload.add(cost::predict(position)));
    let searcher_options =
        SearcherOptions::new().threads(args.threads.count().get()).evaluation(evaluation);
    let searcher_options = table_size.apply(searcher_options, Some(workload));
    let mut searchers = Searchers::shared_table(&searcher_options)?;
    print(HEADER)?;
    let result = certify_list(positions, &options, &mut searchers, &stop, |certified| {
        super::write(&row(&certified))
    });
    let messages_written = messages.finish();
    match result {
        Err(CertifyError::Report(error)) => return Err(output_error(error)),
        result => result?,
    }
    let interrupted = match stop.cause() {
        Some(StopCause::Interrupt) => Some(Exit::Interrupted),
        Some(_) => Some(Exit::Terminated),
        None => None,
    };
    if let Some(exit) = interrupted {
        say("yose: the run was stopped; the same command continues it");
        return Ok(exit);
    }
    Ok(if faults.unreadable || !messages_written {
        Exit::Failure
    } else if faults.invalid {
        Exit::Invalid
    } else {
        Exit::Done
    })
}

/// The identifier and the position of an item. Prints what is wrong with it.
fn position(
    item: Item,
    messages: &Messages,
    faults: &mut Faults,
) -> Option<(String, yose::Position)> {
    match item {
        Item::Entry(entry) => match entry.problem {
            Ok(problem) => return Some((entry.id, problem.diagram.position)),
            Err(error) => {
                faults.invalid = true;
                messages.print(&error);
            }
        },
        Item::Empty(empty) => messages.print(&empty),
        Item::MissingPositions(missing) => messages.print(&missing),
        Item::Failure(error) => {
            faults.unreadable = true;
            messages.print(&error);
        }
    }
    None
}

const HEADER: &str =
    "position              empties  proved       bytes        moves     solved  certified  file\n";

/// A line of the table.
fn row(certified: &Certified) -> String {
    let Certified { id, empties, bounds, file, bytes, moves, .. } = certified;
    format!(
        "{id:<20}  {empties:>7}  {:>6}  {:>10}  {:>11}  {:>9.3}  {:>9.3}  {file}\n",
        bounds_text(*bounds),
        readable(*bytes),
        readable(*moves),
        certified.solved_in.as_secs_f64(),
        certified.certified_in.as_secs_f64(),
    )
}
