//! One run over a list, from the reader to the output.
//!
//! ```text
//! feed (a thread) → queue → work (a thread each) → events → the calling thread, which writes
//!        └───────── what is not to be solved ────────┘
//! ```
//!
//! Every entry has a number, by which records are put back in order, and counts as outstanding
//! until it is written. Messages about lines and files go the same way as records, so that they
//! come in the same order.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;

use thiserror::Error;

use super::Progress;
use super::feed::Feed;
use super::journal::{JournalError, Kept};
use super::order::Order;
use super::output::Output;
use super::queue::Queue;
use super::stop::{Cause, Stop};
use super::unique::Unique;
use super::work::{Pool, Work};
use crate::records::output::{Record, Run, SinkError, Summary};
use crate::records::{FileError, Input, MissingPositions, Source};
use crate::search::ThreadPool;

/// How a list is solved, beside what its records depend on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    /// Whether positions that are equal but for symmetry are solved once.
    pub unique: bool,
    /// When the run is to end, whatever is left.
    pub deadline: Option<Instant>,
}

/// What came of a run.
#[derive(Debug)]
pub struct Report {
    /// The records, summed up.
    pub summary: Summary,
    /// Why it ended before its work was done, if it did.
    pub cause: Option<Cause>,
    /// Whether the output has records that belong to nothing in the input. They are left where they
    /// are.
    pub unclaimed: Option<JournalError>,
}

/// Why a run could not be brought to its end.
#[derive(Debug, Error)]
pub enum RunError {
    /// The output takes no more; there is no use in solving on.
    #[error(transparent)]
    Output(#[from] SinkError),
    /// The journal is that of another input.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// There are no threads to be had.
    #[error("a thread cannot be started: {0}")]
    Threads(io::Error),
}

/// What the thread that writes is told.
#[derive(Debug)]
pub(super) enum Event {
    /// Entries are done with; here are their numbers.
    Found(Vec<(u64, Finding)>),
    /// All is read.
    End {
        /// How many entries that were.
        read: u64,
        /// The inputs, with their digests.
        inputs: Vec<Input>,
        /// Whether there are records of an earlier run for which no entry came.
        unclaimed: Option<JournalError>,
    },
    /// The run was ended while the reader waited for more: these many entries were read.
    Cut(u64),
    /// The input does not belong to the journal.
    Refused(JournalError),
    /// A thread is gone.
    Panicked,
}

/// What came of an entry, or of a source.
#[derive(Debug)]
pub(super) enum Finding {
    /// A record, with the predicted cost of its position.
    Record { record: Box<Record>, cost: f64 },
    /// A record of an earlier run, with the same.
    Kept { kept: Kept, cost: f64 },
    /// A source without positions.
    Empty { file: String },
    /// A file that promised more.
    Short(MissingPositions),
    /// A source that could not be read.
    Failure(FileError),
}

/// What the threads of a run share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) queue: Queue,
    pub(super) unique: Option<Unique>,
    /// Whether no more positions are to be begun.
    pub(super) stopped: AtomicBool,
    /// Whether the reader may have to wait for its input.
    pub(super) at_stream: AtomicBool,
    thread_pools: Vec<Arc<ThreadPool>>,
}

impl Shared {
    /// Ends all searches. Positions that come after are not begun.
    fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.thread_pools.iter().for_each(|thread_pool| thread_pool.abort());
    }
}

/// Solves every entry that `feed` reads and writes a record for each to `output`, between what is
/// written of the run as a whole.
///
/// What is wrong with a line or a file is told through `progress`, and the rest goes on. When
/// `stop` is called, or the deadline comes, what is being solved is written with the bounds that
/// are proven, and so is everything that has been read. Files are read to their end for that; from
/// pipes no more is taken.
///
/// # Errors
/// If the output takes no more, if the journal turns out to be that of another input, or if there
/// are no threads.
///
/// # Panics
/// If one of its threads has panicked.
pub fn run(
    run: &Run,
    plan: Plan,
    pool: Pool,
    feed: Feed,
    output: &mut dyn Output,
    progress: &Progress,
    stop: &Stop,
) -> Result<Report, RunError> {
    let start = Instant::now();
    progress.make_way(|| output.begin(run))?;
    let thread_pools = pool.thread_pools();
    let shared = Arc::new(Shared {
        queue: Queue::new(thread_pools.clone(), pool.threads() == 1),
        unique: plan.unique.then(Unique::default),
        stopped: AtomicBool::new(false),
        // The reader may not have begun when the end comes.
        at_stream: AtomicBool::new(feed.sources.iter().any(Source::is_stream)),
        thread_pools,
    });
    // What has come already strikes before the first position is begun, and not when a thread finds
    // the time.
    if plan.deadline.is_some_and(|deadline| deadline <= start) {
        stop.call(Cause::Deadline);
    }
    if stop.cause().is_some() {
        shared.stop();
    }
    let (sender, events) = mpsc::channel();
    let in_order = output.in_order();
    let mut writing = Writing {
        shared: &shared,
        output,
        progress,
        order: in_order.then(Order::default),
        summary: Summary { inputs: run.inputs.clone(), ..Summary::default() },
        written: 0,
        unclaimed: None,
    };
    let result = std::thread::scope(|scope| {
        let begin = || {
            let reader = std::thread::Builder::new().name("reader".to_owned());
            let (reading, events) = (Arc::clone(&shared), sender.clone());
            reader.spawn(move || feed.run(&reading, &events))?;
            let watcher = std::thread::Builder::new().name("watcher".to_owned());
            let (watched, events) = (&shared, sender.clone());
            watcher.spawn_scoped(scope, move || watch(stop, plan.deadline, watched, &events))?;
            pool.solvers.into_iter().enumerate().try_for_each(|(worker, solver)| {
                let events = sender.clone();
                Work { run, shared: &shared, progress, worker, events }.begin(scope, solver)
            })
        };
        let result = begin().map_err(RunError::Threads).and_then(|()| writing.all(&events));
        shared.queue.end();
        if result.is_err() {
            shared.stop();
        }
        shared.queue.close();
        stop.over();
        result
    });
    result?;
    writing
        .end(start)
        .map(|(summary, unclaimed)| Report { summary, cause: stop.cause(), unclaimed })
        .map_err(RunError::Output)
}

/// Waits for the end of the run, and brings it about if it is called for.
fn watch(stop: &Stop, deadline: Option<Instant>, shared: &Shared, events: &Sender<Event>) {
    if stop.wait(deadline).is_none() {
        return;
    }
    shared.stop();
    // From files the rest is read, which takes no time to speak of; nobody knows how long a pipe
    // would take.
    if shared.at_stream.load(Ordering::SeqCst) {
        let _ = events.send(Event::Cut(shared.queue.end()));
    }
}

/// What the thread that writes works with.
struct Writing<'a> {
    shared: &'a Shared,
    output: &'a mut dyn Output,
    progress: &'a Progress,
    /// What came before its turn, if order is wanted.
    order: Option<Order<Finding>>,
    summary: Summary,
    written: u64,
    unclaimed: Option<JournalError>,
}

impl Writing<'_> {
    /// Writes until all that was read is written.
    fn all(&mut self, events: &Receiver<Event>) -> Result<(), RunError> {
        let mut read = None;
        while read != Some(self.written) {
            match events.recv().expect("the caller holds a sender") {
                Event::Found(found) => self.found(found)?,
                Event::End { read: all, inputs, unclaimed } => {
                    read = Some(all);
                    self.summary.inputs = inputs;
                    self.unclaimed = unclaimed;
                }
                Event::Cut(all) => read = Some(all),
                Event::Refused(error) => return Err(error.into()),
                // The scope of the threads passes it on.
                Event::Panicked => break,
            }
        }
        Ok(())
    }

    fn found(&mut self, found: Vec<(u64, Finding)>) -> Result<(), RunError> {
        let before = self.written;
        let (mut cost, mut nodes, mut solved, mut kept) = (0.0, 0, 0, Vec::new());
        for (number, finding) in found {
            match &finding {
                Finding::Record { record, cost: predicted } => {
                    if let Ok(answer) = &record.outcome {
                        cost += predicted;
                        nodes += answer.solution.nodes;
                        solved += 1;
                    }
                }
                Finding::Kept { cost, .. } => kept.push(*cost),
                _ => {}
            }
            match &mut self.order {
                None => self.write(number, finding),
                Some(order) => {
                    order.put(number, finding);
                    while let Some((number, finding)) = self.order.as_mut().and_then(Order::next) {
                        self.write(number, finding);
                    }
                }
            }
        }
        self.progress.make_way(|| self.output.flush())?;
        // Only what is safe is told to be done.
        if solved > 0 {
            self.progress.done(solved, cost, nodes);
        }
        kept.into_iter().for_each(|cost| self.progress.kept(cost));
        self.shared.queue.settle((self.written - before) as usize);
        Ok(())
    }

    fn write(&mut self, number: u64, finding: Finding) {
        match finding {
            Finding::Record { record, .. } => {
                if let Err(error) = &record.outcome {
                    self.progress.say(error);
                }
                self.summary.add(&record);
                self.output.record(number, &record);
            }
            Finding::Kept { kept, .. } => {
                self.summary.count(kept.status);
                self.summary.kept += 1;
                self.output.keep(number, kept.place);
            }
            Finding::Empty { file } => {
                self.progress.say(&format_args!("{file}: holds no positions"))
            }
            Finding::Short(short) => self.progress.say(&short),
            Finding::Failure(error) => {
                self.summary.unreadable += 1;
                self.progress.say(&error);
            }
        }
        self.written += 1;
    }

    fn end(mut self, start: Instant) -> Result<(Summary, Option<JournalError>), SinkError> {
        self.summary.time = start.elapsed();
        self.progress.make_way(|| self.output.end(&self.summary))?;
        Ok((self.summary, self.unclaimed))
    }
}
