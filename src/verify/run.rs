//! A list of claims, verified on several threads.
//!
//! Entries are read in blocks, and begun in the order of the input: so each is written soon after
//! it is finished, as those before it are finished too, or nearly. Threads that find no entry left
//! help with the others, so that nobody waits for the block's end. Memory is that of one block,
//! whatever the length of the list.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Instant;

use parking_lot::Mutex;
use thiserror::Error;

use super::examine::Examiner;
use super::finding::{Examined, Finding, Verdict};
use super::output::{Output, Summary};
use super::register::{Register, Relation};
use super::sample::Sample;
use super::words;
use crate::batch::executor::worker_thread;
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

/// Examines the entries of a block on all threads, and writes what comes of them.
fn examine(
    block: &[Item],
    (solvers, second): (&mut [Searcher], &Mutex<Searcher>),
    thread_pools: &[Arc<ThreadPool>],
    limits: Limits,
    writing: &mut Writing<'_>,
) -> Result<(), RunError> {
    let entries = block.iter().enumerate().filter_map(|(number, item)| match item {
        Item::Entry(entry) => Some((number, entry)),
        _ => None,
    });
    let entries: Vec<(usize, &Entry)> = entries.collect();
    let progress = writing.progress;
    let (entries, next, working) =
        (&entries, &AtomicUsize::new(0), &AtomicIsize::new(solvers.len() as isize));
    std::thread::scope(|scope| {
        let (sender, found) = mpsc::channel();
        let end = || {
            next.store(entries.len(), Ordering::SeqCst);
            thread_pools.iter().for_each(|thread_pool| thread_pool.abort());
        };
        for (worker, solver) in solvers.iter_mut().enumerate() {
            let sender = sender.clone();
            let work = move || {
                {
                    // Whatever happens to this thread, the others are not to wait for it.
                    let _leave = Leave { working, thread_pool: Arc::clone(solver.thread_pool()) };
                    let mut examiner = Examiner { solver: &mut *solver, second, limits };
                    while let Some(&(number, entry)) =
                        entries.get(next.fetch_add(1, Ordering::SeqCst))
                    {
                        progress.begin(worker, cost_of(entry));
                        let findings = examiner.entry(entry);
                        progress.end(worker);
                        // Nobody listens if the output takes no more.
                        let _ = sender.send((number, findings));
                    }
                    drop(sender);
                }
                solver.help(|| working.load(Ordering::SeqCst) <= 0);
            };
            if let Err(error) = worker_thread(worker).spawn_scoped(scope, work) {
                end();
                working.store(0, Ordering::SeqCst);
                thread_pools.iter().for_each(|thread_pool| thread_pool.wake_all());
                return Err(ThreadError(error).into());
            }
        }
        drop(sender);
        let mut early: Vec<Option<Vec<Finding>>> = block.iter().map(|_| None).collect();
        for (number, item) in block.iter().enumerate() {
            let Item::Entry(entry) = item else {
                writing.message(item);
                continue;
            };
            while early[number].is_none() {
                // All senders are gone if a thread has panicked; the scope passes that on.
                let Ok((number, findings)) = found.recv() else { return Ok(()) };
                early[number] = Some(findings);
            }
            if let Err(error) = writing.findings(entry, early[number].take().unwrap_or_default()) {
                end();
                return Err(error.into());
            }
        }
        Ok(())
    })
}

/// Tells the others of a thread_pool that a thread has no more work.
struct Leave<'a> {
    working: &'a AtomicIsize,
    thread_pool: Arc<ThreadPool>,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        if self.working.fetch_sub(1, Ordering::SeqCst) <= 1 {
            self.thread_pool.wake_all();
        }
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
    /// Says what is not about an entry.
    fn message(&mut self, item: &Item) {
        match item {
            Item::Entry(_) => {}
            Item::Empty { file } => {
                self.progress.message(&format_args!("{file}: holds no positions"))
            }
            Item::MissingPositions(short) => self.progress.message(short),
            Item::Failure(error) => {
                self.summary.unreadable += 1;
                self.progress.message(error);
            }
        }
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
