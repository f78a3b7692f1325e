//! One run over a list, from the reader to the output.
//!
//! ```text
//! reader thread → queue → workers → events → the calling thread, which writes
//!        └── invalid lines, results of an earlier run, messages ──┘
//! ```
//!
//! Every entry has a number, by which records are put back into the order of the input. It is
//! outstanding until its record is written. Messages about lines and files have numbers as well, so
//! that they appear in the same order.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use thiserror::Error;

use super::executor::{
    ResultReceiver, ResultSender, TaskQueue, ThreadError, Worker, channel, execute,
};
use super::input_reader::InputReader;
use super::journal::JournalError;
use super::output::Output;
use super::progress::{Finished, Progress};
use super::queue::{Queue, Task};
use super::reorder::ReorderBuffer;
use super::searchers::Searchers;
use super::shared::{EntryResult, Event, Shared, SolvedHook};
use super::solving::Solving;
use super::stop::{StopCause, StopSignal};
use super::unique::Unique;
use crate::records::Source;
use crate::records::output::{Run, SinkError, Summary};
use crate::search::{Searcher, Solution, StopReason};

/// How a list is solved, as far as it changes no record of a single position.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions<'a> {
    /// Whether positions that are equal but for symmetry are solved once.
    pub unique: bool,
    /// The time at which the run ends, even if work is left.
    pub deadline: Option<Instant>,
    /// What else is done with each position.
    #[doc(hidden)]
    pub hook: Option<&'a dyn SolvedHook>,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Report {
    /// The sums over all records.
    pub summary: Summary,
    /// Set if the run ended before its work was done.
    pub cause: Option<StopCause>,
    /// Set if the output has records that belong to no entry of the input. They stay in the file.
    pub unclaimed: Option<JournalError>,
}

/// Why a run failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] SinkError),
    /// The journal cannot be continued with this input.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
}

/// Solves every entry of `input` and writes a record for each to `output`, between the header and
/// the footer of the run. Scores are those of the side to move.
///
/// `run` has the window, the limits of each position and whether all moves are wanted; its other
/// fields are only recorded. `searchers` are those that `run` describes.
///
/// Invalid lines and unreadable files are reported to `progress`, and the run continues. When
/// `stop` is set, or at the deadline, the records of the positions under way have the bounds that
/// are proven. All entries that were read get a record. For that, files are read to their end; no
/// more is read from pipes.
///
/// # Errors
/// If the output cannot be written, if the journal turns out to belong to another input, or if a
/// thread cannot be started.
///
/// # Panics
/// If one of the threads panics.
pub fn run(
    run: &Run,
    options: RunOptions<'_>,
    searchers: Searchers,
    input: InputReader,
    output: &mut dyn Output,
    progress: &dyn Progress,
    stop: &StopSignal,
) -> Result<Report, RunError> {
    let start = Instant::now();
    progress.writing(|| output.begin(run))?;
    let thread_pools = searchers.thread_pools();
    let shared = Arc::new(Shared {
        window: run.window,
        queue: Queue::new(thread_pools.clone(), searchers.threads() == 1),
        unique: options.unique.then(Unique::default),
        stopped: AtomicBool::new(false),
        // True from the start: a stop may come before the reader begins.
        at_stream: AtomicBool::new(input.sources.iter().any(Source::is_stream)),
        thread_pools,
    });
    // A run that is stopped already, or past its deadline, begins no position at all.
    if options.deadline.is_some_and(|deadline| deadline <= start) {
        stop.stop(StopCause::Deadline);
    }
    if stop.cause().is_some() {
        shared.stop();
    }
    let mut writing = Writing {
        shared: &shared,
        reorder: output.in_order().then(ReorderBuffer::default),
        output,
        progress,
        summary: Summary { inputs: run.inputs.clone(), ..Summary::default() },
        written: 0,
        unclaimed: None,
    };
    let mut searchers = searchers.searchers;
    let solving = Solving { run, shared: &shared, progress, hook: options.hook };
    let work = |worker: &Worker<Event>, searcher: &mut Searcher, chunk: Vec<Task>| {
        solving.chunk(worker, searcher, chunk);
    };
    let (sender, events) = channel();
    let refused = |error| {
        sender.send(Event::FewerThreads(error));
    };
    execute(&mut searchers, &shared.queue, work, refused, sender.clone(), || {
        thread::scope(|scope| {
            // Ends the watcher.
            let _finish = stop.finish_on_drop();
            let _close = Closing(&shared);
            let watch = || watch(stop, options.deadline, &shared, &sender);
            let watcher = thread::Builder::new().name("watcher".to_owned());
            watcher.spawn_scoped(scope, watch).map_err(ThreadError)?;
            input.start(&shared, &sender)?;
            let result = writing.write_all(&events);
            if result.is_err() {
                shared.stop();
            }
            result
        })
    })??;
    let (summary, unclaimed) = writing.end(start)?;
    Ok(Report { summary, cause: stop.cause(), unclaimed })
}

/// Ends the reader and the workers when the thread that writes ends, even by a panic.
struct Closing<'a>(&'a Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.queue.end_input();
        TaskQueue::close(&self.0.queue);
    }
}

/// Waits until the run is stopped, and then ends its searches.
fn watch(
    stop: &StopSignal,
    deadline: Option<Instant>,
    shared: &Shared,
    events: &ResultSender<Event>,
) {
    if stop.wait(deadline).is_none() {
        return;
    }
    shared.stop();
    // The rest of a file is read, which takes little time. A pipe may take any time.
    if shared.at_stream.load(Ordering::SeqCst) {
        events.send(Event::Stopped(shared.queue.end_input()));
    }
}

/// The thread that writes: the calling thread of [`run()`].
struct Writing<'a> {
    shared: &'a Shared,
    output: &'a mut dyn Output,
    progress: &'a dyn Progress,
    /// Set if records are written in the order of the input.
    reorder: Option<ReorderBuffer<EntryResult>>,
    summary: Summary,
    /// The number of entries whose results are written.
    written: u64,
    unclaimed: Option<JournalError>,
}

impl Writing<'_> {
    /// Writes until the results of all entries that were read are written, or until a worker has
    /// panicked. The executor passes the panic on.
    fn write_all(&mut self, events: &ResultReceiver<Event>) -> Result<(), RunError> {
        let mut read = None;
        while read != Some(self.written)
            && let Some(event) = events.receive()
        {
            match event {
                Event::Results(results) => self.results(results)?,
                Event::EndOfInput { read: all, inputs, unclaimed } => {
                    read = Some(all);
                    self.summary.inputs = inputs;
                    self.unclaimed = unclaimed;
                }
                Event::Stopped(all) => read = Some(all),
                Event::Refused(error) => return Err(error.into()),
                Event::Panicked(panic) => resume_unwind(panic),
                Event::FewerThreads(error) => self
                    .progress
                    .message(&format_args!("{error}; the run continues with fewer threads")),
            }
        }
        Ok(())
    }

    fn results(&mut self, results: Vec<(u64, EntryResult)>) -> Result<(), RunError> {
        let before = self.written;
        let (mut finished, mut resumed) = (Finished::default(), Vec::new());
        for (number, result) in results {
            match &result {
                EntryResult::Record { record, cost: predicted } => {
                    if let Ok(answer) = &record.outcome {
                        let Solution { nodes, stopped, .. } = answer.solution;
                        match stopped {
                            // It is not done, but its nodes were searched.
                            Some(StopReason::Aborted) => finished.nodes += nodes,
                            _ => finished.add(*predicted, nodes),
                        }
                    }
                }
                EntryResult::Resumed { cost, .. } => resumed.push(*cost),
                _ => {}
            }
            match &mut self.reorder {
                None => self.write(number, result),
                Some(reorder) => {
                    reorder.insert(number, result);
                    while let Some((number, result)) =
                        self.reorder.as_mut().and_then(ReorderBuffer::pop)
                    {
                        self.write(number, result);
                    }
                }
            }
        }
        self.progress.writing(|| self.output.flush())?;
        // After the flush: only written records count as done.
        if finished.positions > 0 || finished.nodes > 0 {
            self.progress.done(finished);
        }
        resumed.into_iter().for_each(|cost| self.progress.resumed(cost));
        self.shared.queue.release((self.written - before) as usize);
        Ok(())
    }

    fn write(&mut self, number: u64, result: EntryResult) {
        match result {
            EntryResult::Record { record, .. } => {
                if let Err(error) = &record.outcome {
                    self.progress.message(error);
                }
                self.summary.add(&record);
                self.output.record(number, &record);
            }
            EntryResult::Resumed { record, .. } => {
                self.summary.keep(record.status, record.nodes, record.time);
                self.output.keep(number, record.offset);
            }
            EntryResult::Empty(empty) => self.progress.message(&empty),
            EntryResult::MissingPositions(missing) => self.progress.message(&missing),
            EntryResult::Failure(error) => {
                self.summary.unreadable += 1;
                self.progress.message(&error);
            }
        }
        self.written += 1;
    }

    fn end(mut self, start: Instant) -> Result<(Summary, Option<JournalError>), SinkError> {
        self.summary.time = start.elapsed();
        self.progress.writing(|| self.output.end(&self.summary))?;
        Ok((self.summary, self.unclaimed))
    }
}
