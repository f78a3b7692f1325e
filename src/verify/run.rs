//! Verifies a list of claims on several threads.
//!
//! Entries are read in blocks. The workers begin the entries of a block in the order of the input,
//! and the calling thread writes the findings: in the same order, or as they are finished if the
//! output wants it. So a finding is written soon after its searches end. A worker without an entry
//! helps the others, so that no thread is idle at the end of a block. Only one block is in memory,
//! whatever the length of the list.
//!
//! What needs no search is done before the searches of a block begin: errors of lines and files,
//! positions without claims, and the comparison of the claims about one position.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use thiserror::Error;

use super::claim_register::ClaimRegister;
use super::finding::Finding;
use super::summary::{Run, Summary};
use super::verifier::ClaimVerifier;
use super::writing::{ItemResult, Writing};
use crate::batch::executor::{Help, HelpedTaskList, Worker, channel, execute};
use crate::batch::{
    Output, Progress, SearcherOptions, Searchers, StopCause, StopSignal, ThreadError, cost,
};
use crate::records::output::SinkError;
use crate::records::{Entry, Item};
use crate::search::{Searcher, ThreadPool};
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
    /// Makes the searchers: one for each thread of `options`, which share a table, and one for
    /// second searches, whose own table has the same size, but at most 1 GiB. The system gives the
    /// memory of that table when it is first used.
    ///
    /// # Errors
    /// If there is not enough memory for the tables.
    pub fn new(options: &SearcherOptions) -> Result<VerifySearchers, TableError> {
        let mut config = options.config();
        config.table_bytes = config.table_bytes.min(SECOND_TABLE);
        let searchers = Searchers::shared_table(options)?;
        Ok(VerifySearchers { searchers, second: Mutex::new(Searcher::new(config)?) })
    }

    /// The searchers of the threads.
    pub fn searchers(&self) -> &Searchers {
        &self.searchers
    }
}

/// Verifies every claim of `items`, and writes a header, a finding for each claim, and a footer to
/// `output`. An entry without a claim, and one that cannot be read, gives one finding as well. The
/// findings are in the order of the input if the output wants that, else as they are finished;
/// those of one entry are written together.
///
/// `run` has the limits for each claim; its other fields are only recorded. Invalid lines,
/// unreadable files, refutations and contradictions are also reported to `progress`, which gets
/// them in the order of the findings.
///
/// When `stop` is set, or at the deadline, no more is read. Claims that were read and are neither
/// confirmed nor refuted then have the verdict of a limit.
///
/// # Errors
/// If the output cannot be written, or if a thread cannot be started.
///
/// # Panics
/// If one of the threads panics.
///
/// # Examples
/// ```
/// use yose::batch::{NoProgress, SearcherOptions, StopSignal};
/// use yose::records::{ReadOptions, Reader, Source};
/// use yose::verify::{self, Finding, Run, Verdict, VerifySearchers};
///
/// // FFO 20, with a wrong score for the move g6.
/// let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// let list = format!("{board}; H5:+6; G6:+2;\n");
/// let source = Source::Memory { name: "list", bytes: list.into_bytes().into() };
/// let items = Reader::new(vec![source], ReadOptions::default());
///
/// let options = SearcherOptions::new().threads(1).table_bytes(1 << 20);
/// let searchers = VerifySearchers::new(&options)?;
/// let (run, stop) = (Run::new(&options), StopSignal::default());
/// let mut findings: Vec<Finding> = Vec::new();
/// let report = verify::run(&run, searchers, items, &mut findings, &NoProgress, &stop, None)?;
///
/// let verdicts: Vec<Verdict> = findings.iter().map(Finding::verdict).collect();
/// assert_eq!(verdicts, [Verdict::Confirmed, Verdict::Refuted]);
/// let g6 = findings[1].outcome.as_ref().map_err(Clone::clone)?;
/// assert_eq!(g6.proven.exact().map(|score| score.discs()), Some(-2));
/// assert_eq!(report.summary.tally.with_verdict(Verdict::Refuted), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(
    run: &Run,
    searchers: VerifySearchers,
    items: impl Iterator<Item = Item>,
    output: &mut dyn Output<Run, Finding, Summary>,
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
    let verifier = |searcher| ClaimVerifier { searcher, second: &second, limits: run.limits };
    let mut blocks = Blocks {
        verifiers: searchers.iter_mut().map(verifier).collect(),
        thread_pools: &thread_pools,
        register: ClaimRegister::default(),
        progress,
    };
    let mut writing = Writing::new(output, progress);
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
            blocks.verify(block, &mut writing)?;
        }
        Ok::<(), RunError>(())
    })?;
    let summary = writing.end(start)?;
    Ok(Report { summary, cause: stop.cause() })
}

/// Verifies blocks of entries, one after the other.
struct Blocks<'a> {
    /// One for each thread.
    verifiers: Vec<ClaimVerifier<'a>>,
    /// That of the verifiers, and that of the second searches.
    thread_pools: &'a [Arc<ThreadPool>],
    register: ClaimRegister,
    progress: &'a dyn Progress,
}

impl Blocks<'_> {
    /// Verifies the entries of a block on all threads, and writes their findings.
    fn verify(&mut self, block: Vec<Item>, writing: &mut Writing<'_>) -> Result<(), RunError> {
        let mut tasks = Vec::with_capacity(block.len());
        for item in block {
            let number = writing.reserve();
            match self.without_search(item) {
                Ok(result) => writing.add(number, result)?,
                Err(entry) => {
                    let comparisons = self.register.add_entry(&entry);
                    tasks.push((number, entry, comparisons));
                }
            }
        }
        let tasks = HelpedTaskList::new(tasks, &self.thread_pools[0]);
        let work = |worker: &Worker<_>, verifier: &mut ClaimVerifier<'_>, (_, task)| {
            let (number, entry, comparisons): (u64, Box<Entry>, Vec<_>) = task;
            let cost = predicted_cost(&entry);
            self.progress.begin(worker.index, cost);
            let mut findings = verifier.verify_entry(&entry);
            self.progress.end(worker.index);
            for (finding, comparison) in findings.iter_mut().zip(comparisons) {
                if let Ok(outcome) = &mut finding.outcome {
                    outcome.comparison = comparison;
                }
            }
            findings.extend(Finding::malformed(&entry));
            findings.sort_by_key(Finding::column);
            worker.report((number, ItemResult::Findings { findings, cost }));
        };
        let (sender, results) = channel();
        let verifiers = &mut self.verifiers;
        let progress = self.progress;
        let refused = |error: ThreadError| {
            progress.message(&format_args!("{error}; the run continues with fewer threads"));
        };
        execute(verifiers, &tasks, work, refused, sender, || {
            while let Some((number, result)) = results.receive() {
                if let Err(error) = writing.add(number, result) {
                    self.thread_pools.iter().for_each(|thread_pool| thread_pool.abort());
                    return Err(RunError::Output(error));
                }
            }
            Ok(())
        })?
    }

    /// The result of an item that needs no search. The error is an entry with claims.
    fn without_search(&self, item: Item) -> Result<ItemResult, Box<Entry>> {
        Ok(match item {
            Item::Entry(entry) => {
                if entry.problem.as_ref().is_ok_and(|problem| !problem.claims.is_empty()) {
                    return Err(Box::new(entry));
                }
                let mut findings: Vec<Finding> = Finding::malformed(&entry).collect();
                if findings.is_empty() {
                    findings.push(Finding::without_claim(&entry));
                }
                ItemResult::Findings { findings, cost: predicted_cost(&entry) }
            }
            Item::Empty(empty) => ItemResult::Empty(empty),
            Item::MissingPositions(missing) => ItemResult::MissingPositions(missing),
            Item::Failure(error) => ItemResult::Failure(error),
        })
    }
}

impl Help for ClaimVerifier<'_> {
    fn searcher(&mut self) -> &mut Searcher {
        self.searcher
    }
}

/// The predicted cost of an entry in nodes; 0 if it cannot be read.
fn predicted_cost(entry: &Entry) -> f64 {
    entry.problem.as_ref().map_or(0.0, |problem| cost::predict(&problem.diagram.position))
}
