//! What has been read and is not solved yet: between the thread that reads and those that solve.
//!
//! *Longest first* within what has been read: a long position that is begun last keeps one thread
//! busy when all others are done. What has been read is taken in blocks, so that a cheap position
//! is not overtaken for ever by dearer ones that are read later: a block is worked off before the
//! next one is begun, but nobody waits for its last positions. One thread alone has nobody to wait
//! for. It takes positions in the order in which they come, so its node counts are the same each
//! time.
//!
//! *In chunks*: a position of ten empties is solved in less time than two threads need to wake each
//! other. Positions are dealt out in handfuls of about a millisecond by their predicted cost; what
//! costs more is dealt out alone.
//!
//! *Within bounds*: only so many entries may be outstanding, which means read and not yet written.
//! Then the reader waits. So memory does not depend on the length of the list, nor on how long an
//! early position holds up the results behind it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use parking_lot::{Condvar, Mutex};

use crate::othello::Diagram;
use crate::search::{Searcher, ThreadPool};

/// How many entries may be outstanding.
const MOST: usize = 4096;
/// The reader goes on when this many are left: waking it for each one would cost more than reading.
const RESUME: usize = MOST / 4 * 3;

/// The predicted cost of a chunk, in the unit of [`cost`](super::cost): about a millisecond.
const CHUNK: f64 = 15_000.0;
/// How many positions a chunk has at most.
const CHUNK_POSITIONS: usize = 256;

/// A position to solve.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// The entry's number in the input, from 0.
    pub number: u64,
    /// The entry's identifier.
    pub id: String,
    /// The position.
    pub diagram: Diagram,
    /// Its predicted cost.
    pub cost: f64,
}

/// A task in its block: the dearest comes first, and of equal ones that which was read first.
#[derive(Debug)]
struct Waiting {
    rank: (u64, Reverse<u64>),
    task: Task,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.rank == other.rank
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> std::cmp::Ordering {
        self.rank.cmp(&other.rank)
    }
}

/// The queue of a run.
#[derive(Debug)]
pub struct Queue {
    state: Mutex<State>,
    /// Wakes the reader when there is room.
    room: Condvar,
    /// How many tasks wait, where threads see it without the lock.
    waiting: AtomicUsize,
    /// Whether nothing will come any more.
    closed: AtomicBool,
    /// Who sleeps or helps, and wants to know of new tasks.
    thread_pools: Vec<Arc<ThreadPool>>,
    /// How many threads do so.
    resting: AtomicUsize,
    /// Whether tasks are taken as they come.
    in_order: bool,
}

#[derive(Debug, Default)]
struct State {
    /// The block that is worked off.
    block: BinaryHeap<Waiting>,
    /// The block after it.
    next: BinaryHeap<Waiting>,
    /// Entries that were read.
    read: u64,
    outstanding: usize,
    /// Whether no more entries are wanted.
    ended: bool,
}

impl Queue {
    /// An empty queue for threads of these thread_pools.
    pub fn new(thread_pools: Vec<Arc<ThreadPool>>, in_order: bool) -> Queue {
        Queue {
            state: Mutex::default(),
            room: Condvar::new(),
            waiting: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            thread_pools,
            resting: AtomicUsize::new(0),
            in_order,
        }
    }

    /// Takes in one entry that was read, and gives its number. Waits while too many are
    /// outstanding. None if no more are wanted.
    pub fn number(&self) -> Option<u64> {
        let mut state = self.state.lock();
        if state.outstanding >= MOST {
            self.room.wait_while(&mut state, |state| !state.ended && state.outstanding > RESUME);
        }
        if state.ended {
            return None;
        }
        state.outstanding += 1;
        state.read += 1;
        Some(state.read - 1)
    }

    /// Lets a task be solved. Its entry has its number.
    pub fn put(&self, task: Task) {
        let dearness = if self.in_order { 0 } else { task.cost.to_bits() };
        let waiting = Waiting { rank: (dearness, Reverse(task.number)), task };
        let first = {
            let mut state = self.state.lock();
            state.next.push(waiting);
            // In the order of all accesses to these counters, either the thread that goes to rest
            // sees the task, or it is seen here.
            self.waiting.fetch_add(1, Ordering::SeqCst) == 0
        };
        // Who has been told of one task looks for all of them before it rests again.
        if first && self.resting.load(Ordering::SeqCst) > 0 {
            self.wake_all();
        }
    }

    /// Takes the next chunk, if a task waits.
    pub fn take(&self) -> Option<Vec<Task>> {
        if self.waiting.load(Ordering::SeqCst) == 0 {
            return None;
        }
        let mut state = self.state.lock();
        if state.block.is_empty() {
            state.block = std::mem::take(&mut state.next);
        }
        let (mut chunk, mut cost) = (Vec::new(), 0.0);
        while cost < CHUNK
            && chunk.len() < CHUNK_POSITIONS
            && let Some(Waiting { task, .. }) = state.block.pop()
        {
            cost += task.cost;
            chunk.push(task);
        }
        self.waiting.fetch_sub(chunk.len(), Ordering::SeqCst);
        (!chunk.is_empty()).then_some(chunk)
    }

    /// Has a thread without a task help the others of its thread_pool, or sleep, until there is
    /// one.
    pub fn rest(&self, solver: &mut Searcher) {
        self.resting.fetch_add(1, Ordering::SeqCst);
        solver.help(|| self.waiting.load(Ordering::SeqCst) > 0 || self.is_closed());
        self.resting.fetch_sub(1, Ordering::SeqCst);
    }

    /// Whether a thread has no task.
    pub fn anybody_rests(&self) -> bool {
        self.resting.load(Ordering::Relaxed) > 0
    }

    /// Notes that so many entries are written.
    pub fn settle(&self, entries: usize) {
        let mut state = self.state.lock();
        let before = state.outstanding;
        state.outstanding -= entries;
        if before > RESUME && state.outstanding <= RESUME {
            self.room.notify_one();
        }
    }

    /// Takes no more entries, and gives the number of those that were read.
    pub fn end(&self) -> u64 {
        let mut state = self.state.lock();
        state.ended = true;
        self.room.notify_one();
        state.read
    }

    /// Sends the threads home, once they have finished what waits.
    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.wake_all();
    }

    /// Whether the threads are to go home.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    fn wake_all(&self) {
        for thread_pool in &self.thread_pools {
            thread_pool.wake_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    fn task(number: u64, cost: f64) -> Task {
        let diagram = "-XXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X";
        Task { number, id: String::new(), diagram: diagram.parse().expect("a position"), cost }
    }

    fn numbers(queue: &Queue) -> Vec<Vec<u64>> {
        std::iter::from_fn(|| queue.take())
            .map(|chunk| chunk.iter().map(|task| task.number).collect())
            .collect()
    }

    #[test]
    fn the_dearest_of_a_block_come_first_and_cheap_ones_together() {
        let queue = Queue::new(Vec::new(), false);
        for (number, cost) in
            [1.0, 2.0 * CHUNK, 1.0, 9.0 * CHUNK, 0.6 * CHUNK, 0.6 * CHUNK].into_iter().enumerate()
        {
            queue.put(task(number as u64, cost));
        }
        assert_eq!(queue.take().map(|chunk| chunk[0].number), Some(3));
        // Of the block after it.
        queue.put(task(6, 99.0 * CHUNK));
        assert_eq!(numbers(&queue), [vec![1], vec![4, 5], vec![0, 2], vec![6]]);
        assert_eq!(queue.take(), None);
    }

    #[test]
    fn one_thread_takes_them_as_they_come() {
        let queue = Queue::new(Vec::new(), true);
        (0..600).for_each(|number| queue.put(task(number, (number % 7) as f64)));
        let chunks = numbers(&queue);
        assert_eq!(chunks.iter().map(Vec::len).collect::<Vec<_>>(), [256, 256, 88]);
        assert_eq!(chunks.concat(), (0..600).collect::<Vec<_>>());
    }

    #[test]
    fn the_reader_waits_while_too_much_is_outstanding() {
        let queue = Queue::new(Vec::new(), false);
        for number in 0..MOST as u64 {
            assert_eq!(queue.number(), Some(number));
        }
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            scope.spawn(|| {
                let sender = sender;
                while let Some(number) = queue.number() {
                    sender.send(number).expect("somebody listens");
                }
            });
            let next = |wait| receiver.recv_timeout(Duration::from_millis(wait));
            assert!(next(50).is_err(), "there is no room");
            queue.settle(MOST - RESUME - 1);
            assert!(next(50).is_err(), "there is not enough room to be worth while");
            queue.settle(1);
            for number in MOST..MOST + MOST - RESUME {
                assert_eq!(next(10_000), Ok(number as u64));
            }
            assert!(next(50).is_err());
            assert_eq!(queue.end(), (MOST + MOST - RESUME) as u64);
            assert!(next(10_000).is_err(), "the reader has ended");
        });
    }
}
