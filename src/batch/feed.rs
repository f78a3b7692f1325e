//! The thread that reads.
//!
//! Reading a pipe may wait for ever, so this thread belongs to nobody: when a run is ended it is
//! left behind where it waits, with nothing in hand, and it goes away with the program or when it
//! finds that no more is wanted.

use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;

use super::cost;
use super::journal::Earlier;
use super::queue::Task;
use super::run::{Event, Finding, Shared};
use super::shard::Shard;
use super::unique::Admission;
use crate::records::output::Record;
use crate::records::output::Solved;
use crate::records::{Entry, Item, ReadOptions, Reader, Source};

/// What a run reads.
#[derive(Debug, Default)]
pub struct Feed {
    /// Where lines come from, in this order.
    pub sources: Vec<Source>,
    /// How they are read.
    pub reading: ReadOptions,
    /// The part of them that is wanted; none if all are.
    pub shard: Option<Shard>,
    /// What was solved before.
    pub earlier: Option<Earlier>,
}

impl Feed {
    /// Reads everything, and has it solved. Ends early if no more is wanted.
    pub(super) fn run(mut self, shared: &Shared, events: &Sender<Event>) {
        let last_stream = self.sources.iter().rposition(Source::is_stream);
        let mut reader = Reader::new(std::mem::take(&mut self.sources), self.reading);
        loop {
            let may_wait = last_stream.is_some_and(|last| reader.done() <= last);
            shared.at_stream.store(may_wait, Ordering::SeqCst);
            let Some(item) = reader.next() else { break };
            if self.take(item, shared, events).is_none() {
                return;
            }
        }
        let unclaimed = self.earlier.as_mut().map_or(Ok(None), Earlier::unclaimed);
        let end = match unclaimed {
            Ok(unclaimed) => {
                Event::End { read: shared.queue.end(), inputs: reader.inputs().to_vec(), unclaimed }
            }
            Err(error) => Event::Refused(error),
        };
        let _ = events.send(end);
    }

    /// Passes on what was read. None if no more is wanted.
    fn take(&mut self, item: Item, shared: &Shared, events: &Sender<Event>) -> Option<()> {
        let finding = match item {
            Item::Entry(entry) => return self.entry(entry, shared, events),
            Item::Empty { file } => Finding::Empty { file },
            Item::MissingPositions(short) => Finding::Short(short),
            Item::Failure(error) => Finding::Failure(error),
        };
        let number = shared.queue.number()?;
        events.send(Event::Found(vec![(number, finding)])).ok()
    }

    fn entry(&mut self, entry: Entry, shared: &Shared, events: &Sender<Event>) -> Option<()> {
        let position = entry.problem.as_ref().ok().map(|problem| &problem.diagram.position);
        if self.shard.is_some_and(|shard| !shard.has(position)) {
            return Some(());
        }
        let cost = position.map_or(0.0, cost::predict);
        let kept = match self.earlier.as_mut().map(|earlier| earlier.claim(&entry)) {
            Some(Err(error)) => {
                let _ = events.send(Event::Refused(error));
                return None;
            }
            Some(Ok(kept)) => kept,
            None => None,
        };
        let number = shared.queue.number()?;
        let send = |finding| events.send(Event::Found(vec![(number, finding)])).ok();
        if let Some(kept) = kept {
            return send(Finding::Kept { kept, cost });
        }
        let diagram = match entry.problem {
            Ok(problem) => problem.diagram,
            Err(error) => {
                return send(Finding::Record {
                    record: Box::new(Record { id: entry.id, outcome: Err(error) }),
                    cost,
                });
            }
        };
        let task = Task { number, id: entry.id, diagram, cost };
        match shared.unique.as_ref().map(|unique| unique.admit(task.clone())) {
            None => shared.queue.put(task),
            Some(Admission::Solve(task)) => shared.queue.put(task),
            Some(Admission::Waits) => {}
            Some(Admission::Known(task, solution)) => {
                let solved = Solved {
                    diagram: task.diagram,
                    solution: *solution,
                    time: std::time::Duration::ZERO,
                };
                return send(Finding::Record {
                    record: Box::new(Record { id: task.id, outcome: Ok(solved) }),
                    cost,
                });
            }
        }
        Some(())
    }
}
