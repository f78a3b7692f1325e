//! Verifies a list of claims on several threads.
//!
//! A thread of its own reads entries ahead. A block is what it has read by now, and at least one
//! entry. The workers begin the entries of a block in the order of the input, and the calling
//! thread writes the findings: in the same order, or as they are finished if the output is a
//! journal. So a finding is written soon after its searches end, and before the next line of a slow
//! pipe comes. A worker without an entry helps the others, so that no thread is idle at the end of
//! a block. Only a few blocks are in memory, whatever the length of the list.
//!
//! What needs no search is done before the searches of a block begin: errors of lines and files,
//! positions without claims, findings of an earlier run, and the comparison of the claims about one
//! position. So the comparisons follow the order of the input, whatever is found first.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use thiserror::Error;

use super::blocks::Blocks;
use super::claim_register::ClaimRegister;
use super::finding::Finding;
use super::incoming::Incoming;
use super::stored::EarlierFindings;
use super::summary::{Run, Summary};
use super::verifier::ClaimVerifier;
use super::writing::Writing;
use crate::batch::{
    JournalError, Output, Progress, SearcherOptions, Searchers, StopCause, StopSignal, ThreadError,
};
use crate::certificate::CertificateFolder;
use crate::records::Item;
use crate::records::output::SinkError;
use crate::search::Searcher;
use crate::table::TableError;

/// The maximum size of the table for second searches, in bytes.
const SECOND_TABLE: u64 = 1 << 30;

/// Why a run failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] SinkError),
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
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
    /// Set if the output has findings that belong to no claim of the input. They stay in the file.
    pub unclaimed: Option<JournalError>,
}

/// The input of a run.
#[derive(Debug)]
pub struct VerifyInput<F> {
    /// Opens the items, such as a [`Reader`](crate::records::Reader). It is called on the thread
    /// that reads. When a run is stopped, this thread stays where it waits for a pipe.
    pub open: F,
    /// The findings of an earlier run. Their claims are not verified again.
    pub earlier: Option<EarlierFindings>,
    /// The time at which the run ends, even if work is left.
    pub deadline: Option<Instant>,
}

impl<I: Iterator<Item = Item>, F: FnOnce() -> I + Send + 'static> VerifyInput<F> {
    /// An input of which nothing is verified yet, without a deadline.
    pub fn new(open: F) -> VerifyInput<F> {
        VerifyInput { open, earlier: None, deadline: None }
    }
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
        config.table_limit = None;
        let searchers = Searchers::shared_table(options)?;
        Ok(VerifySearchers { searchers, second: Mutex::new(Searcher::new(config)?) })
    }

    /// The searchers of the threads.
    pub fn searchers(&self) -> &Searchers {
        &self.searchers
    }
}

/// Verifies every claim of `input`, and writes a header, a finding for each claim, and a footer to
/// `output`. An entry without a claim, and one that cannot be read, gives one finding as well. The
/// findings are in the order of the input if the output wants that, else as they are finished;
/// those of one entry are written together.
///
/// `run` has the limits for each claim and the shard; its other fields are only recorded. A finding
/// of an earlier run is kept in the output, counted, and reported again. Invalid lines,
/// unreadable files, refutations and contradictions are also reported to `progress`, which gets
/// them in the order of the findings.
///
/// When `stop` is set, or at the deadline, no more is read. Claims that were read and are neither
/// confirmed nor refuted then have the verdict of a limit.
///
/// # Errors
/// If the output cannot be written, the journal cannot be read, or a thread cannot be started.
///
/// # Panics
/// If one of the threads panics.
///
/// # Examples
/// ```
/// use yose::batch::{NoProgress, SearcherOptions, StopSignal};
/// use yose::records::{ReadOptions, Reader, Source};
/// use yose::verify::{self, Finding, Run, Verdict, VerifyInput, VerifySearchers};
///
/// // FFO 20, with a wrong score for the move g6.
/// let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// let list = format!("{board}; H5:+6; G6:+2;\n");
/// let source = Source::Memory { name: "list", bytes: list.into_bytes().into() };
/// let input = VerifyInput::new(|| Reader::new(vec![source], ReadOptions::default()));
///
/// let options = SearcherOptions::new().threads(1).table_bytes(1 << 20);
/// let searchers = VerifySearchers::new(&options)?;
/// let (run, stop) = (Run::new(&options), StopSignal::default());
/// let mut findings: Vec<Finding> = Vec::new();
/// let report = verify::run(&run, searchers, input, &mut findings, &NoProgress, &stop)?;
///
/// let verdicts: Vec<Verdict> = findings.iter().map(Finding::verdict).collect();
/// assert_eq!(verdicts, [Verdict::Confirmed, Verdict::Refuted]);
/// let g6 = findings[1].outcome.as_ref().map_err(Clone::clone)?;
/// assert_eq!(g6.proven.exact().map(|score| score.discs()), Some(-2));
/// assert_eq!(report.summary.tally.with_verdict(Verdict::Refuted), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<I: Iterator<Item = Item>>(
    run: &Run,
    searchers: VerifySearchers,
    input: VerifyInput<impl FnOnce() -> I + Send + 'static>,
    output: &mut dyn Output<Run, Finding, Summary>,
    progress: &dyn Progress,
    stop: &StopSignal,
) -> Result<Report, RunError> {
    let start = Instant::now();
    let VerifyInput { open, earlier, deadline } = input;
    progress.writing(|| output.begin(run))?;
    let VerifySearchers { searchers, mut second } = searchers;
    let thread_pools = [
        Arc::clone(searchers.searchers[0].thread_pool()),
        Arc::clone(second.get_mut().thread_pool()),
    ];
    let mut searchers = searchers.searchers;
    let certificates = run.certificates.as_ref().map(CertificateFolder::new);
    let certificates = certificates.as_ref();
    let verifier =
        |searcher| ClaimVerifier { searcher, second: &second, limits: run.limits, certificates };
    let mut blocks = Blocks {
        verifiers: searchers.iter_mut().map(verifier).collect(),
        thread_pools: &thread_pools,
        register: ClaimRegister::default(),
        earlier,
        progress,
    };
    let mut writing = Writing::new(output, progress);
    let (mut incoming, waker) = Incoming::start(open)?;
    let unclaimed = std::thread::scope(|scope| {
        let watch = || {
            if stop.wait(deadline).is_some() {
                thread_pools.iter().for_each(|thread_pool| thread_pool.abort());
                waker.stop();
            }
        };
        std::thread::Builder::new().spawn_scoped(scope, watch).map_err(ThreadError)?;
        // Ends the watching thread.
        let _finish = stop.finish_on_drop();
        while !incoming.has_ended() && !thread_pools[0].is_aborted() {
            let mut block = incoming.block();
            block.retain(|item| match item {
                Item::Entry(entry) => run.selects(entry),
                _ => true,
            });
            blocks.verify(block, &mut writing)?;
        }
        if thread_pools[0].is_aborted() {
            return Ok(None);
        }
        Ok::<_, RunError>(blocks.earlier.as_mut().map_or(Ok(None), EarlierFindings::unclaimed)?)
    })?;
    let summary = writing.end(start)?;
    Ok(Report { summary, cause: stop.cause(), unclaimed })
}
