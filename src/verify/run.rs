//! A list of claims, verified on several threads.
//!
//! Entries are read in blocks, and begun in the order of the input: so each is written soon after
//! it is finished, as those before it are finished too, or nearly. Threads that find no entry left
//! help with the others, so that nobody waits for the block's end. Memory is that of one block,
//! whatever the length of the list.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use thiserror::Error;

use super::examine::Examiner;
use super::finding::{Examined, Finding, Verdict};
use super::output::{Output, Summary};
use super::register::{Register, Relation};
use super::sample::Sample;
use super::words;
use crate::batch::executor::{Help, HelpedTaskList, in_order};
use crate::batch::{Progress, Searchers, StopCause, StopSignal, ThreadError, cost};
use crate::records::output::{SinkError, bounds_text};
use crate::records::{Entry, Input, Item, Statement};
use crate::search::{Config, Limits, Searcher, ThreadPool};
use crate::table::TableError;

/// How many entries are read before the first of them must be done.
const BLOCK: usize = 256;

/// The second solver's table has the size of the first ones', but no more than this.
const SECOND_TABLE: u64 = 1 << 30;

/// How a run is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Threads that search.
    pub threads: usize,
    /// Size of the shared table in bytes.
    pub table_bytes: u64,
    /// Where the evaluation's weights come from, with the digest of their file; they change nodes
    /// and no verdict.
    pub weights: Input,
    /// How far the searches for one claim may go.
    pub limits: Limits,
    /// What part of the entries is examined; none if all are.
    pub sample: Option<Sample>,
    /// The sources, with the digests of those that could be read beforehand.
    pub inputs: Vec<Input>,
}

/// Why a run could not be brought to its end.
#[derive(Debug, Error)]
pub enum RunError {
    /// The output takes no more.
    #[error(transparent)]
    Output(#[from] SinkError),
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
}

/// What came of a run.
#[derive(Debug)]
pub struct Report {
    /// The findings, summed up.
    pub summary: Summary,
    /// Why it ended before its work was done, if it did.
    pub cause: Option<StopCause>,
}

/// The solvers of a run: one for each thread, and one for second searches.
#[derive(Debug)]
pub struct Team {
    searchers: Searchers,
    second: Mutex<Searcher>,
}

impl Team {
    /// Solvers for so many threads, with a shared table of `config.table_bytes`, and one with a
    /// table of its own of the same size, but 1 GiB at the most. It takes no memory before it is
    /// needed.
    ///
    /// # Errors
    /// If the memory for the tables cannot be had.
    pub fn new(config: Config, threads: NonZeroUsize) -> Result<Team, TableError> {
        let alone = Config { table_bytes: config.table_bytes.min(SECOND_TABLE), ..config.clone() };
        let searchers = Searchers::shared_table(config, threads)?;
        Ok(Team { searchers, second: Mutex::new(Searcher::new(alone)?) })
    }

    /// The solvers for the threads.
    pub fn searchers(&self) -> &Searchers {
        &self.searchers
    }
}

/// Examines every claim of `items` and writes a finding for each to `output`, between what is
/// written of the run as a whole.
///
/// Lines and files that cannot be read, refutations and contradictions are told through `progress`
/// as well. When `stop` is called, or the deadline comes, no more is read, and claims that were
/// read and are not settled are open.
///
/// # Errors
/// If the output takes no more, or if there are no threads.
pub fn run(
    run: &Run,
    team: Team,
    items: impl Iterator<Item = Item>,
    output: &mut Output,
    progress: &dyn Progress,
    (stop, deadline): (&StopSignal, Option<Instant>),
) -> Result<Report, RunError> {
    let (mut items, start) = (items, Instant::now());
    progress.writing(|| output.begin(run))?;
    let Team { searchers, mut second } = team;
    let thread_pools = [
        Arc::clone(searchers.searchers[0].thread_pool()),
        Arc::clone(second.get_mut().thread_pool()),
    ];
    let mut solvers = searchers.searchers;
    let mut writing =
        Writing { output, progress, register: Register::default(), summary: Summary::default() };
    std::thread::scope(|scope| {
        let watch = || {
            if stop.wait(deadline).is_some() {
                thread_pools.iter().for_each(|thread_pool| thread_pool.abort());
            }
        };
        std::thread::Builder::new().spawn_scoped(scope, watch).map_err(ThreadError)?;
        let _finish = stop.finish_on_drop();
        while !thread_pools[0].is_aborted() {
            let block: Vec<Item> = items.by_ref().take(BLOCK).collect();
            if block.is_empty() {
                break;
            }
            examine(&block, (&mut solvers, &second), &thread_pools, run.limits, &mut writing)?;
        }
        Ok::<(), RunError>(())
    })?;
    let Writing { mut summary, .. } = writing;
    summary.time = start.elapsed();
    progress.writing(|| output.end(&summary))?;
    Ok(Report { summary, cause: stop.cause() })
}

/// Examines the entries of a block on all threads, and writes their findings in the order of the
/// input. Idle threads help the others.
fn examine(
    block: &[Item],
    (searchers, second): (&mut [Searcher], &Mutex<Searcher>),
    thread_pools: &[Arc<ThreadPool>],
    limits: Limits,
    writing: &mut Writing<'_>,
) -> Result<(), RunError> {
    let worker = |(index, solver)| Worker { index, examiner: Examiner { solver, second, limits } };
    let mut workers: Vec<Worker<'_>> = searchers.iter_mut().enumerate().map(worker).collect();
    let entries = block.iter().filter_map(|item| match item {
        Item::Entry(entry) => Some(entry),
        _ => None,
    });
    let tasks = HelpedTaskList::new(entries, &thread_pools[0]);
    let progress = writing.progress;
    let work = |worker: &mut Worker<'_>, entry: &Entry| {
        progress.begin(worker.index, cost_of(entry));
        let findings = worker.examiner.entry(entry);
        progress.end(worker.index);
        findings
    };
    let mut items = block.iter();
    in_order(&mut workers, &tasks, work, |findings| {
        if let Some(entry) = writing.messages(&mut items)
            && let Err(error) = writing.findings(entry, findings)
        {
            thread_pools.iter().for_each(|pool| pool.abort());
            return Err(RunError::Output(error));
        }
        Ok(ControlFlow::Continue(()))
    })??;
    // The messages after the last entry.
    writing.messages(&mut items);
    Ok(())
}

/// A thread that examines entries.
struct Worker<'a> {
    index: usize,
    examiner: Examiner<'a>,
}

impl Help for Worker<'_> {
    fn help(&mut self, is_done: &dyn Fn() -> bool) {
        self.examiner.solver.help(is_done);
    }
}

fn cost_of(entry: &Entry) -> f64 {
    entry.problem.as_ref().map_or(0.0, |problem| cost::predict(&problem.diagram.position))
}

/// What writes.
struct Writing<'a> {
    output: &'a mut Output,
    progress: &'a dyn Progress,
    register: Register,
    summary: Summary,
}

impl Writing<'_> {
    /// Reports the items before the next entry, and returns that entry.
    fn messages<'i>(&mut self, items: &mut impl Iterator<Item = &'i Item>) -> Option<&'i Entry> {
        for item in items {
            match item {
                Item::Entry(entry) => return Some(entry),
                Item::Empty { file } => {
                    self.progress.message(&format_args!("{file}: holds no positions"));
                }
                Item::MissingPositions(missing) => self.progress.message(missing),
                Item::Failure(error) => {
                    self.summary.unreadable += 1;
                    self.progress.message(error);
                }
            }
        }
        None
    }

    /// Writes the findings about an entry.
    fn findings(&mut self, entry: &Entry, mut findings: Vec<Finding>) -> Result<(), SinkError> {
        let mut nodes = 0;
        for finding in &mut findings {
            self.relate(finding);
            self.summary.tally.add(finding);
            if finding.verdict() == Verdict::Refuted
                || finding.outcome.as_ref().map_or(true, |examined| examined.note.is_some())
            {
                self.progress.message(&words::sentence(finding).unwrap_or_default());
            }
            nodes += finding.outcome.as_ref().map_or(0, |examined| examined.nodes);
        }
        self.progress.writing(|| self.output.findings(&findings))?;
        if entry.problem.is_ok() {
            self.progress.done(1, cost_of(entry), nodes);
        }
        Ok(())
    }

    /// Sets a claim about a position beside the earlier ones.
    fn relate(&mut self, finding: &mut Finding) {
        let Ok(Examined { diagram, claim: Some(claim), relation, .. }) = &mut finding.outcome
        else {
            return;
        };
        let Statement::Score(bounds) = claim.statement else { return };
        *relation = self.register.note(&diagram.position, bounds, &finding.location);
        if let Some(Relation::Contradicts { first, claimed }) = relation {
            let column = claim.column;
            let (bounds, claimed) = (bounds_text(bounds), bounds_text(*claimed));
            self.progress.message(&format_args!(
                "{}:{column}: contradiction: the score is claimed to be {bounds} here, and {claimed} in {first}",
                finding.location
            ));
        }
    }
}
