//! The state that the threads of a run share, and the events that they send to the thread that
//! writes. All other modules of a run use this one.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::cost::Cost;
use super::executor::ThreadError;
use super::journal::{JournalError, ResumedRecord};
use super::queue::{Queue, Task};
use super::unique::Unique;
use crate::othello::Position;
use crate::records::output::{Record, Solved};
use crate::records::{EmptySource, FileError, Input, MissingPositions, Notes, ReadError};
use crate::search::{Bounds, Searcher, Solution, ThreadPool, Window};

/// What else is done with a position when its search has ended, by the thread that solved it.
#[doc(hidden)]
pub trait SolvedHook: Debug + Sync {
    /// `proven` are the bounds that are proven. The tables of the searcher are as the search has
    /// left them.
    fn solved(&self, searcher: &mut Searcher, position: &Position, proven: Bounds);
}

/// A message to the thread that writes.
#[derive(Debug)]
pub(super) enum Event {
    /// The results of some entries, each with the number of its entry.
    Results(Vec<(u64, EntryResult)>),
    /// The whole input is read.
    EndOfInput {
        /// The number of entries.
        read: u64,
        /// The inputs, with their digests.
        inputs: Vec<Input>,
        /// Set if the journal has records that belong to no entry.
        unclaimed: Option<JournalError>,
    },
    /// The run was stopped while the reader waited for input, after this number of entries.
    Stopped(u64),
    /// The input does not belong to the journal.
    Refused(JournalError),
    /// A thread could not be started. The others do its work.
    FewerThreads(ThreadError),
    /// The thread that reads has panicked.
    Panicked(Box<dyn Any + Send>),
}

/// The result of an entry, or a message about a source. Both have a number, so that messages appear
/// between the records to which they belong.
#[derive(Debug)]
pub(super) enum EntryResult {
    /// A new record, with the predicted cost of its position.
    Record { record: Box<Record>, cost: Cost },
    /// A record of an earlier run, with the predicted cost of its position.
    Resumed { record: ResumedRecord, cost: Cost },
    /// A source without positions.
    Empty(EmptySource),
    /// A file with fewer positions than its header declares.
    MissingPositions(MissingPositions),
    /// A source that could not be read.
    Failure(FileError),
}

impl EntryResult {
    /// The result of an entry that could not be read.
    pub(super) fn invalid(id: String, notes: Notes, error: ReadError, cost: Cost) -> EntryResult {
        EntryResult::Record { record: Box::new(Record { id, notes, outcome: Err(error) }), cost }
    }

    /// The result of a position that was searched with a window.
    pub(super) fn solved(
        task: Task,
        solution: Solution,
        window: Window,
        time: Duration,
    ) -> EntryResult {
        let outcome = Ok(Solved { diagram: task.diagram, solution, window, time });
        let record = Record { id: task.id, notes: task.notes, outcome };
        EntryResult::Record { record: Box::new(record), cost: task.cost }
    }
}

/// The state that the threads of a run share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) queue: Queue,
    /// The scores that are to be found exactly.
    pub(super) window: Window,
    /// Set if positions that are equal but for symmetry are solved once.
    pub(super) unique: Option<Unique>,
    /// Whether no further position may be begun.
    pub(super) stopped: AtomicBool,
    /// Whether the reader may have to wait for its input.
    pub(super) at_stream: AtomicBool,
    pub(super) thread_pools: Vec<Arc<ThreadPool>>,
}

impl Shared {
    /// Aborts all searches. No further position is begun.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.thread_pools.iter().for_each(|pool| pool.abort());
    }
}
