//! The thread that reads the items of a run, and the blocks in which the run takes them.
//!
//! A read from a pipe may wait for ever. So a block is what has been read by now, and at least one
//! item: the claims of a line are verified before the next line comes. The thread is detached. When
//! a run is stopped, the thread stays where it waits. It ends with the program, or when its next
//! read returns.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use crate::batch::ThreadError;
use crate::records::Item;

/// The number of items in a block, at most, and of those that are read ahead.
const BLOCK: usize = 256;

/// What the run is told.
enum Event {
    /// An item was read.
    Item(Box<Item>),
    /// The input has ended, or the thread that read it has panicked.
    End(thread::Result<()>),
    /// The run must end.
    Stop,
}

/// The items of a run as they are read.
pub(super) struct Incoming {
    events: Receiver<Event>,
    /// Whether no more items come.
    ended: bool,
}

/// Ends the wait for items.
pub(super) struct Waker(SyncSender<Event>);

impl Waker {
    /// Wakes the run if it waits for an item. If it does not wait, it sees by itself that it must
    /// end.
    pub fn stop(&self) {
        // Only a full channel has no room. Then nobody waits.
        let _ = self.0.try_send(Event::Stop);
    }
}

impl Incoming {
    /// Starts the thread, which calls `open` and reads the items.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn start<I: Iterator<Item = Item>>(
        open: impl FnOnce() -> I + Send + 'static,
    ) -> Result<(Incoming, Waker), ThreadError> {
        let (sender, events) = mpsc::sync_channel(BLOCK);
        let waker = Waker(sender.clone());
        let read = move || {
            let all = || open().try_for_each(|item| sender.send(Event::Item(Box::new(item))).ok());
            let result = panic::catch_unwind(AssertUnwindSafe(all)).map(drop);
            // The run may have ended.
            let _ = sender.send(Event::End(result));
        };
        let reader = thread::Builder::new().name("reader".to_owned());
        reader.spawn(read).map_err(ThreadError)?;
        Ok((Incoming { events, ended: false }, waker))
    }

    /// The next items: those that have been read, or the next one when it comes. Empty if the input
    /// has ended or the run must end.
    ///
    /// # Panics
    /// If the thread has panicked.
    pub fn block(&mut self) -> Vec<Item> {
        let mut block = Vec::new();
        while !self.ended && block.len() < BLOCK {
            let event = match block.is_empty() {
                true => self.events.recv().ok(),
                false => self.events.try_recv().ok(),
            };
            match event {
                Some(Event::Item(item)) => block.push(*item),
                Some(Event::End(result)) => {
                    self.ended = true;
                    if let Err(panicked) = result {
                        panic::resume_unwind(panicked);
                    }
                }
                Some(Event::Stop) => self.ended = true,
                None => break,
            }
        }
        block
    }

    /// Whether the input was read to its end, or the run must end.
    pub fn has_ended(&self) -> bool {
        self.ended
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::records::{ReadOptions, Reader, Source};

    fn items() -> Vec<Item> {
        let text = "XO\nOX\n".repeat(300);
        let source = Source::Memory { name: "list", bytes: text.into_bytes().into() };
        Reader::new(vec![source], ReadOptions::default()).collect()
    }

    #[test]
    fn a_block_is_what_has_been_read() {
        let (permit, wait) = mpsc::channel::<()>();
        let open = move || items().into_iter().inspect(move |_| wait.recv().expect("a permit"));
        let (mut incoming, waker) = Incoming::start(open).expect("a thread");
        permit.send(()).expect("the thread");
        assert_eq!(incoming.block().len(), 1, "it does not wait for the second one");
        (0..599).for_each(|_| permit.send(()).expect("the thread"));
        let mut rest = 0;
        while !incoming.has_ended() {
            let block = incoming.block().len();
            assert!(block <= BLOCK);
            rest += block;
        }
        assert_eq!((rest, incoming.block().len()), (599, 0));
        waker.stop();
    }

    #[test]
    fn a_stop_ends_the_wait_and_a_panic_is_passed_on() {
        let (_permit, wait) = mpsc::channel::<()>();
        let open = move || {
            items().into_iter().inspect(move |_| {
                let _ = wait.recv();
            })
        };
        let (mut incoming, waker) = Incoming::start(open).expect("a thread");
        thread::scope(|scope| {
            scope.spawn(|| waker.stop());
            assert!(incoming.block().is_empty() && incoming.has_ended());
        });
        let open = || items().into_iter().inspect(|_| panic!("of the reader"));
        let (mut incoming, _waker) = Incoming::start(open).expect("a thread");
        let panicked = panic::catch_unwind(AssertUnwindSafe(|| incoming.block()));
        assert_eq!(panicked.expect_err("a panic").downcast_ref(), Some(&"of the reader"));
    }
}
