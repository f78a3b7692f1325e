//! The thread that reads the input, and puts positions into the queue.
//!
//! A read from a pipe may block for ever. So this thread is detached: when a run is stopped, the
//! thread stays where it waits. It ends with the program, or when its next read returns and the
//! queue accepts no more entries.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use super::cost::{self, Cost};
use super::executor::{ResultSender, ThreadError};
use super::journal::EarlierResults;
use super::queue::Task;
use super::shard::Shard;
use super::shared::{EntryResult, Event, Shared};
use super::unique::Lookup;
use crate::records::{Entry, Item, ReadOptions, Reader, Source};

/// The input of a run, and the part of it that must be solved.
#[derive(Debug, Default)]
pub struct InputReader {
    /// The sources, in the order in which they are read.
    pub sources: Vec<Source>,
    /// How they are read.
    pub reading: ReadOptions,
    /// The part that is solved; all if `None`.
    pub shard: Option<Shard>,
    /// The results of an earlier run. Their entries are not solved again.
    pub earlier: Option<EarlierResults>,
}

impl InputReader {
    /// Starts the thread, which reads until the end of the input, or until the queue accepts no
    /// more entries.
    pub(super) fn start(
        self,
        shared: &Arc<Shared>,
        events: &ResultSender<Event>,
    ) -> Result<(), ThreadError> {
        let (shared, events) = (Arc::clone(shared), events.clone());
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || {
                let run = AssertUnwindSafe(|| self.run(&shared, &events));
                if let Err(panic) = catch_unwind(run) {
                    events.send(Event::Panicked(panic));
                }
            })
            .map(drop)
            .map_err(ThreadError)
    }

    fn run(mut self, shared: &Shared, events: &ResultSender<Event>) {
        let last_stream = self.sources.iter().rposition(Source::is_stream);
        let mut reader = Reader::new(std::mem::take(&mut self.sources), self.reading);
        loop {
            let may_wait = last_stream.is_some_and(|last| reader.done() <= last);
            shared.at_stream.store(may_wait, Ordering::SeqCst);
            let Some(item) = reader.next() else { break };
            if !self.pass_on(item, shared, events) {
                return;
            }
        }
        let unclaimed = self.earlier.as_mut().map_or(Ok(None), EarlierResults::unclaimed);
        events.send(match unclaimed {
            Ok(unclaimed) => Event::EndOfInput {
                read: shared.queue.end_input(),
                inputs: reader.inputs().to_vec(),
                unclaimed,
            },
            Err(error) => Event::Refused(error),
        });
    }

    /// Passes an item on. Returns false if no more is wanted.
    fn pass_on(&mut self, item: Item, shared: &Shared, events: &ResultSender<Event>) -> bool {
        let result = match item {
            Item::Entry(entry) => return self.entry(entry, shared, events),
            Item::Empty(empty) => EntryResult::Empty(empty),
            Item::MissingPositions(missing) => EntryResult::MissingPositions(missing),
            Item::Failure(error) => EntryResult::Failure(error),
        };
        shared
            .queue
            .reserve()
            .is_some_and(|number| events.send(Event::Results(vec![(number, result)])))
    }

    /// Puts an entry into the queue, or sends its result if that is known already. Returns false if
    /// no more is wanted.
    fn entry(&mut self, entry: Entry, shared: &Shared, events: &ResultSender<Event>) -> bool {
        let position = entry.problem.as_ref().ok().map(|problem| &problem.diagram.position);
        if self.shard.is_some_and(|shard| !shard.contains(position)) {
            return true;
        }
        let cost = position.map_or(Cost::ZERO, cost::predict);
        let earlier = match self.earlier.as_mut().map(|earlier| earlier.claim(&entry)) {
            Some(Err(error)) => {
                events.send(Event::Refused(error));
                return false;
            }
            Some(Ok(record)) => record,
            None => None,
        };
        let Some(number) = shared.queue.reserve() else { return false };
        let send = |result| events.send(Event::Results(vec![(number, result)]));
        if let Some(record) = earlier {
            return send(EntryResult::Resumed { record, cost });
        }
        let diagram = match entry.problem {
            Ok(problem) => problem.diagram,
            Err(error) => return send(EntryResult::invalid(entry.id, entry.notes, error, cost)),
        };
        let task = Task { number, id: entry.id, notes: entry.notes, diagram, cost };
        let Some(unique) = &shared.unique else {
            shared.queue.push(task);
            return true;
        };
        match unique.look_up(task) {
            Lookup::New(task) => shared.queue.push(task),
            Lookup::Pending => {}
            Lookup::Solved(task, solution) => {
                return send(EntryResult::solved(task, *solution, shared.window, Duration::ZERO));
            }
        }
        true
    }
}
