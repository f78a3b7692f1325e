//! `yose task`: solves a task of a plan.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow};
use clap::ValueHint;

use yose::batch::{SearcherOptions, Searchers, StopCause, StopSignal};
use yose::plan::{Attempt, Begun, Folder, Manifest, Setting, Task};
use yose::records::output::readable;

use super::common::{Deadline, TableArgs, ThreadArgs, WeightsArgs};
use super::messages::Messages;
use super::progress::{Display, ProgressArgs};
use super::{Exit, say, signals};

/// Solve a task of a plan
///
/// The results stand beside the task. Each is on the disk of the file system as soon as it is
/// found, so the same command goes on where an earlier one has ended, however it ended. A finished
/// task has a file with the ending .done; to solve it again does nothing.
///
/// While another process solves the task, the command waits. It does no harm if the file system has
/// no locks, and both solve it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  yose task plan/tasks/00000/00000001.csv -t 1
  yose task plan --number 1 -t 1

Exit status:
  0    the task is finished
  2    wrong usage, or a file that cannot be read or written
  75   ended by SIGTERM, SIGHUP or at the deadline; safe to start again
  130  ended by Ctrl-C")]
pub struct Args {
    /// The file of the task; with --number, the folder of the plan
    #[arg(value_name = "TASK", value_hint = ValueHint::FilePath)]
    task: PathBuf,

    /// The number of the task in the plan, from 1
    #[arg(long, value_name = "N")]
    number: Option<u64>,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Give each thread its own table, which is empty before each position, as in `yose solve`
    #[arg(long)]
    deterministic: bool,

    /// Solve the task even if another process solves it
    ///
    /// For file systems on which locks do not work and block. If two processes solve a task, the
    /// first to finish wins. Results are right in any case.
    #[arg(long)]
    no_lock: bool,

    /// End the run after a time, or at a moment such as 2026-01-31T18:00:00Z
    ///
    /// The exit status is 75.
    #[arg(long, value_name = "WHEN", value_parser = Deadline::parse)]
    deadline: Option<Deadline>,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    weights: WeightsArgs,

    #[command(flatten)]
    progress: ProgressArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let deadline = args.deadline.and_then(|deadline| deadline.instant(Instant::now()));
    let stop = StopSignal::default();
    signals::stop_on_signals(&stop)?;
    let path = match args.number {
        Some(number) => number_of(&args.task, number)?,
        None => args.task.clone(),
    };
    let task = Task::open(&path)?;
    let name = path.display();
    let waiting = || say(&format!("{name}: another process solves this task; waiting for it"));
    let mut attempt = match task.begin(!args.no_lock, &stop, waiting)? {
        Begun::Attempt(attempt) => attempt,
        Begun::Finished(_) => {
            say(&format!("{name}: is finished already"));
            return Ok(Exit::Done);
        }
        Begun::Stopped(cause) => return Ok(stopped(&args, cause, 0, task.positions())),
    };
    if attempt.ignored() > 0 {
        let count = readable(attempt.ignored());
        say(&format!(
            "{name}: {count} lines of earlier attempts are not used: they are no results of this task"
        ));
    }
    let (cause, threads) = solve(&args, &mut attempt, deadline, &stop)?;
    if let Some(cause) = cause {
        return Ok(stopped(&args, cause, attempt.solved(), task.positions()));
    }
    attempt.finish(threads)?;
    Ok(Exit::Done)
}

/// The file of the task with this number.
fn number_of(folder: &std::path::Path, number: u64) -> Result<PathBuf> {
    let folder = Folder::new(folder);
    let tasks = Manifest::read(&folder)?.tasks;
    match (1..=tasks).contains(&number) {
        true => Ok(folder.task(number)),
        false => Err(anyhow!("there is no task {number}; the plan has 1 to {tasks}")),
    }
}

fn solve(
    args: &Args,
    attempt: &mut Attempt<'_>,
    deadline: Option<Instant>,
    stop: &StopSignal,
) -> Result<(Option<StopCause>, usize)> {
    let table = args.table.size()?;
    let (evaluation, weights) = args.weights.source().named()?;
    let options = SearcherOptions::new().threads(args.threads.count().get()).evaluation(evaluation);
    let workload = attempt.workload();
    let (options, searchers) = match args.deterministic {
        true => {
            let options = table.deterministic().apply(options, None);
            let searchers = Searchers::deterministic(&options)?;
            (options, searchers)
        }
        false => {
            let options = table.apply(options, Some(workload));
            let searchers = Searchers::shared_table(&options)?;
            (options, searchers)
        }
    };
    let table_bytes = options.first_table_bytes();
    let threads = searchers.threads();
    let messages = Arc::new(Messages::default());
    let style = args.progress.style();
    let progress = Display::start(style, Some(workload), false, &searchers, &messages);
    let deterministic = args.deterministic;
    let setting = Setting { searchers, table_bytes, weights, deterministic, deadline };
    let result = attempt.solve(setting, &progress, stop);
    // Removes the progress bar before any other output.
    drop(progress);
    messages.finish();
    Ok((result?, threads))
}

/// Reports the end of an attempt that did not finish, and returns the exit status.
fn stopped(args: &Args, cause: StopCause, solved: usize, positions: usize) -> Exit {
    let (why, exit) = match cause {
        StopCause::Interrupt => ("interrupted", Exit::Interrupted),
        StopCause::Terminate => ("terminated", Exit::Terminated),
        StopCause::Deadline => ("the deadline is reached", Exit::Terminated),
    };
    let (solved, positions) = (readable(solved as u64), readable(positions as u64));
    let task = args.task.display();
    say(&format!(
        "yose: {why}: {solved} of {positions} positions are solved; the same command continues {task}"
    ));
    exit
}
