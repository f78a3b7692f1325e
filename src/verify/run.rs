//! Verifies a list of claims on several threads.
//!
//! Entries are read in blocks. The workers begin the entries of a block in the order of the input,
//! and the calling thread writes the findings in the same order. So a finding is written soon after
//! its searches end. A worker without an entry helps the others, so that no thread is idle at the
//! end of a block. Only one block is in memory, whatever the length of the list.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use thiserror::Error;

use super::claim_register::{ClaimRegister, Comparison};
use super::finding::{ClaimOutcome, Finding};
use super::messages::finding_message;
use super::output::Output;
use super::summary::{Run, Summary};
use super::verdict::Verdict;
use super::verifier::ClaimVerifier;
use crate::batch::executor::{Help, HelpedTaskList, in_order};
use crate::batch::{Progress, Searchers, StopCause, StopSignal, ThreadError, cost};
use crate::records::output::{SinkError, bounds_text};
use crate::records::{Entry, Item, Statement};
use crate::search::{Config, Searcher, ThreadPool};
use crate::table::TableError;

/// The number of items in a block.
const BLOCK: usize = 256;

/// The maximum size of the table for second searches, in bytes.
const SECOND_TABLE: u64 = 1 << 30;

/// Why a run failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] SinkError),
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Report {
    /// The sums over all findings.
    pub summary: Summary,
    /// Set if the run ended before its work was done.
    pub cause: Option<StopCause>,
}

/// The searchers of a run: one for each thread, and one for second searches.
#[derive(Debug)]
pub struct VerifySearchers {
    searchers: Searchers,
    second: Mutex<Searcher>,
}

impl VerifySearchers {
    /// Searchers for this number of threads, which share a table of `config.table_bytes`, and one
    /// with its own table of the same size, but at most 1 GiB. The system gives the memory of that
    /// table when it is first used.
    ///
    /// # Errors
    /// If there is not enough memory for the tables.
    pub fn new(config: Config, threads: NonZeroUsize) -> Result<VerifySearchers, TableError> {
        let second = Config { table_bytes: config.table_bytes.min(SECOND_TABLE), ..config.clone() };
        let searchers = Searchers::shared_table(config, threads)?;
        Ok(VerifySearchers { searchers, second: Mutex::new(Searcher::new(second)?) })
    }

    /// The searchers of the threads.
    pub fn searchers(&self) -> &Searchers {
        &self.searchers
    }
}

/// Verifies every claim of `items` and writes a finding for each to `output`, between the header
/// and the footer of the run.
///
/// Invalid lines, unreadable files, refutations and contradictions are also reported to `progress`.
/// When `stop` is set, or at the deadline, no more is read. Claims that were read and are neither
/// confirmed nor refuted then have the verdict of a limit.
///
/// # Errors
/// If the output cannot be written, or if a thread cannot be started.
///
/// # Panics
/// If one of the threads panics.
pub fn run(
    run: &Run,
    searchers: VerifySearchers,
    items: impl Iterator<Item = Item>,
    output: &mut Output,
    progress: &dyn Progress,
    stop: &StopSignal,
    deadline: Option<Instant>,
) -> Result<Report, RunError> {
    let (mut items, start) = (items, Instant::now());
    progress.writing(|| output.begin(run))?;
    let VerifySearchers { searchers, mut second } = searchers;
    let thread_pools = [
        Arc::clone(searchers.searchers[0].thread_pool()),
        Arc::clone(second.get_mut().thread_pool()),
    ];
    let mut searchers = searchers.searchers;
    let worker = |(index, searcher)| {
        let verifier = ClaimVerifier { searcher, second: &second, limits: run.limits };
        Worker { index, verifier }
    };
    let mut workers: Vec<Worker<'_>> = searchers.iter_mut().enumerate().map(worker).collect();
    let mut writing = Writing {
        output,
        progress,
        register: ClaimRegister::default(),
        summary: Summary::default(),
    };
    std::thread::scope(|scope| {
        let watch = || {
            if stop.wait(deadline).is_some() {
                thread_pools.iter().for_each(|thread_pool| thread_pool.abort());
            }
        };
        std::thread::Builder::new().spawn_scoped(scope, watch).map_err(ThreadError)?;
        // Ends the watching thread.
        let _finish = stop.finish_on_drop();
        while !thread_pools[0].is_aborted() {
            let block: Vec<Item> = items.by_ref().take(BLOCK).collect();
            if block.is_empty() {
                break;
            }
            verify_block(&block, &mut workers, &thread_pools, &mut writing)?;
        }
        Ok::<(), RunError>(())
    })?;
    let Writing { mut summary, .. } = writing;
    summary.time = start.elapsed();
    progress.writing(|| output.end(&summary))?;
    Ok(Report { summary, cause: stop.cause() })
}

/// Verifies the entries of a block on all workers, and writes their findings in the order of the
/// input. The first of `thread_pools` is that of the workers.
fn verify_block(
    block: &[Item],
    workers: &mut [Worker<'_>],
    thread_pools: &[Arc<ThreadPool>],
    writing: &mut Writing<'_>,
) -> Result<(), RunError> {
    let entries = block.iter().filter_map(|item| match item {
        Item::Entry(entry) => Some(entry),
        _ => None,
    });
    let tasks = HelpedTaskList::new(entries, &thread_pools[0]);
    let progress = writing.progress;
    let work = |worker: &mut Worker<'_>, entry: &Entry| {
        progress.begin(worker.index, predicted_cost(entry));
        let findings = worker.verifier.verify_entry(entry);
        progress.end(worker.index);
        findings
    };
    let mut items = block.iter();
    in_order(workers, &tasks, work, |findings| {
        if let Some(entry) = writing.messages(&mut items)
            && let Err(error) = writing.findings(entry, findings)
        {
            thread_pools.iter().for_each(|thread_pool| thread_pool.abort());
            return Err(RunError::Output(error));
        }
        Ok(ControlFlow::Continue(()))
    })??;
    // The messages after the last entry.
    writing.messages(&mut items);
    Ok(())
}

/// The state of a thread that verifies entries.
struct Worker<'a> {
    index: usize,
    verifier: ClaimVerifier<'a>,
}

impl Help for Worker<'_> {
    fn help(&mut self, is_done: &dyn Fn() -> bool) {
        self.verifier.searcher.help(is_done);
    }
}

/// The predicted cost of an entry in nodes; 0 if it cannot be read.
fn predicted_cost(entry: &Entry) -> f64 {
    entry.problem.as_ref().map_or(0.0, |problem| cost::predict(&problem.diagram.position))
}

/// The thread that writes: the calling thread of [`run()`].
struct Writing<'a> {
    output: &'a mut Output,
    progress: &'a dyn Progress,
    register: ClaimRegister,
    summary: Summary,
}

impl Writing<'_> {
    /// Reports the items before the next entry, and returns that entry.
    fn messages<'i>(&mut self, items: &mut impl Iterator<Item = &'i Item>) -> Option<&'i Entry> {
        for item in items {
            match item {
                Item::Entry(entry) => return Some(entry),
                Item::Empty(empty) => self.progress.message(empty),
                Item::MissingPositions(missing) => self.progress.message(missing),
                Item::Failure(error) => {
                    self.summary.unreadable += 1;
                    self.progress.message(error);
                }
            }
        }
        None
    }

    /// Writes the findings about an entry, and adds them to the summary.
    fn findings(&mut self, entry: &Entry, mut findings: Vec<Finding>) -> Result<(), SinkError> {
        let mut nodes = 0;
        for finding in &mut findings {
            self.compare(finding);
            self.summary.tally.add(finding);
            let unconfirmed = |outcome: &ClaimOutcome| outcome.unconfirmed.is_some();
            if finding.verdict() == Verdict::Refuted
                || finding.outcome.as_ref().map_or(true, unconfirmed)
            {
                self.progress.message(&finding_message(finding).unwrap_or_default());
            }
            nodes += finding.outcome.as_ref().map_or(0, |outcome| outcome.nodes);
        }
        self.progress.writing(|| self.output.findings(&findings))?;
        if entry.problem.is_ok() {
            self.progress.done(1, predicted_cost(entry), nodes);
        }
        Ok(())
    }

    /// Compares a claim about a position's score with the earlier claims about the position.
    /// Reports a contradiction.
    fn compare(&mut self, finding: &mut Finding) {
        let Ok(ClaimOutcome { diagram, claim: Some(claim), comparison, .. }) = &mut finding.outcome
        else {
            return;
        };
        let Statement::Score(bounds) = claim.statement else { return };
        *comparison = self.register.add(&diagram.position, bounds, &finding.location);
        if let Some(Comparison::Contradiction { first, earlier }) = comparison {
            let column = claim.column;
            let (bounds, earlier) = (bounds_text(bounds), bounds_text(*earlier));
            self.progress.message(&format_args!(
                "{}:{column}: contradiction: the score is claimed to be {bounds} here, \
                 and {earlier} in {first}",
                finding.location
            ));
        }
    }
}
