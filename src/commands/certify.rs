//! `yose certify`: files that prove scores to an independent checker.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::Result;
use clap::ValueHint;

use yose::Window;
use yose::batch::{SearcherOptions, Searchers, StopCause, StopSignal, Workload, cost};
use yose::certificate::{Certified, CertifyError, ListOptions, ToCertify, certify_list, file_name};
use yose::records::output::{bounds_text, readable};
use yose::records::{Entry, Item, Problem, Reader};
use yose::verify::requests;

use super::common::{CertificateArgs, TableArgs, ThreadArgs, WeightsArgs, made_folder};
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
/// are not solved again, so the same command continues after an interruption. A certificate that
/// proves too little for the command is replaced.
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

    #[command(flatten)]
    certificates: CertificateArgs,

    /// Prove what the files claim, instead of the score of each position
    ///
    /// Claims are those that `yose verify` reads. That of a move is proved by a certificate of the
    /// position after it. A bound has a smaller certificate than a score. Of a wrong claim, the
    /// certificate shows that it is wrong.
    #[arg(long, conflicts_with_all = ["goal", "window"])]
    claims: bool,

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
    let folder = made_folder(&args.output)?;
    let options = ListOptions { folder, certificate: args.certificates.options() };
    let goal = (!args.claims).then(|| window(args.window, args.goal));
    let stop = StopSignal::default();
    signals::stop_on_signals(&stop)?;
    let messages = args.input.read.messages.open()?;
    let mut faults = Faults::default();
    let entries = Reader::new(sources, args.input.read.reading())
        .filter_map(|item| entry(item, &messages, &mut faults));
    let tasks = tasks(entries, goal);
    let mut workload = Workload::default();
    tasks.iter().for_each(|task| workload.add(cost::predict(&task.position)));
    let searcher_options =
        SearcherOptions::new().threads(args.threads.count().get()).evaluation(evaluation);
    let searcher_options = table_size.apply(searcher_options, Some(workload));
    let mut searchers = Searchers::shared_table(&searcher_options)?;
    print(HEADER)?;
    let result = certify_list(tasks, &options, &mut searchers, &stop, |certified| {
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

/// The identifier and the problem of an item. Prints what is wrong with it.
fn entry(item: Item, messages: &Messages, faults: &mut Faults) -> Option<(String, Problem)> {
    match item {
        Item::Entry(Entry { id, problem, .. }) => match problem {
            Ok(problem) => return Some((id, problem)),
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

/// What is certified: each position with this window, or without one what decides the claims. Then
/// a position is certified once, with a window that decides all claims about it.
fn tasks(
    entries: impl Iterator<Item = (String, Problem)>,
    window: Option<Window>,
) -> Vec<ToCertify> {
    let Some(window) = window else { return claimed(entries) };
    let task = |(id, problem): (String, Problem)| {
        let position = problem.diagram.position;
        ToCertify { id, position, window }
    };
    entries.map(task).collect()
}

fn claimed(entries: impl Iterator<Item = (String, Problem)>) -> Vec<ToCertify> {
    let (mut tasks, mut files) = (Vec::<ToCertify>::new(), HashMap::new());
    for (id, problem) in entries {
        for claim in &problem.claims {
            for request in requests(&claim.statement, &problem.diagram.position) {
                let (position, window) = (request.position, request.window);
                let number = *files.entry(file_name(&position)).or_insert(tasks.len());
                match tasks.get_mut(number) {
                    Some(task) => task.window = joined(task.window, window),
                    None => tasks.push(ToCertify { id: id.clone(), position, window }),
                }
            }
        }
    }
    tasks
}

/// The least window that contains both.
fn joined(one: Window, other: Window) -> Window {
    let alpha = one.alpha().min(other.alpha());
    Window::new(alpha, one.beta().max(other.beta())).expect("alpha is below beta")
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
