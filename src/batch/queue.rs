//! The queue of positions that are read and not yet solved, between the reader and the workers.
//!
//! *Longest first* (longest-processing-time-first scheduling): a long position that is begun last
//! occupies one thread when all others are done. So the position with the highest predicted cost
//! goes first. To keep cheap positions from waiting for ever behind expensive ones that are read
//! later, the queue works in blocks: it empties one block before it begins the next, which consists
//! of everything that was read meanwhile. A single thread gains nothing from this order. It gets
//! positions in the order of the input, so its node counts are the same each time.
//!
//! *In chunks*: a position of ten empties is solved in less time than it takes to wake a thread. So
//! a worker gets cheap positions in chunks of about a millisecond by their predicted cost, and an
//! expensive one alone.
//!
//! *Bounded*: only a fixed number of entries may be outstanding, which means read and not yet
//! written. At that number the reader waits (backpressure). So the memory of a run depends neither
//! on the length of the list, nor on how long an early position holds up the results behind it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use parking_lot::{Condvar, Mutex};

use super::cost::Cost;
use super::executor::TaskQueue;
use crate::othello::Diagram;
use crate::records::Notes;
use crate::search::{Activity, Searcher, ThreadPool};
use crate::table::TableError;

/// The most entries that may be outstanding.
const MAX_OUTSTANDING: usize = 4096;
/// The number of outstanding entries at which the reader continues. To wake it for each entry would
/// cost more than reading.
const RESUME_AT: usize = MAX_OUTSTANDING / 4 * 3;

/// The predicted cost of a chunk, in nodes: about a millisecond.
const CHUNK_COST: f64 = 15_000.0;
/// The nodes for which it is worth to start a thread that helps: some fifteen milliseconds. The
/// start takes about one.
const NODES_PER_HELPER: f64 = 200_000.0;
/// The most positions of a chunk.
const CHUNK_POSITIONS: usize = 256;

/// A position to solve.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// The entry's number in the input, from 0.
    pub number: u64,
    /// The entry's identifier.
    pub id: String,
    /// The entry's notes.
    pub notes: Notes,
    /// The position.
    pub diagram: Diagram,
    /// Its predicted cost.
    pub cost: Cost,
}

/// A task in its block. The most expensive comes first, and of equal ones that which was read
/// first.
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
    /// Wakes the reader when entries may be read again.
    room: Condvar,
    /// The number of tasks in the queue, which can be read without the lock.
    waiting: AtomicUsize,
    /// Whether the workers must end.
    closed: AtomicBool,
    /// The thread pools of the workers. Idle workers wait there.
    thread_pools: Vec<Arc<ThreadPool>>,
    /// The number of idle workers.
    idle: AtomicUsize,
    /// Whether tasks are given out in the order of the input.
    in_order: bool,
}

#[derive(Debug, Default)]
struct State {
    /// The block that is worked on.
    block: BinaryHeap<Waiting>,
    /// The block after it.
    next: BinaryHeap<Waiting>,
    /// The number of entries that were read.
    read: u64,
    /// The predicted cost of the tasks that were added, in nodes.
    cost: f64,
    outstanding: usize,
    /// Whether no more entries are accepted.
    ended: bool,
}

impl Queue {
    /// An empty queue for workers of these thread pools.
    pub fn new(thread_pools: Vec<Arc<ThreadPool>>, in_order: bool) -> Queue {
        Queue {
            state: Mutex::default(),
            room: Condvar::new(),
            waiting: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            thread_pools,
            idle: AtomicUsize::new(0),
            in_order,
        }
    }

    /// Counts an entry as outstanding, and returns its number in the input. Waits while too many
    /// are outstanding. Returns `None` if no more are accepted.
    pub fn reserve(&self) -> Option<u64> {
        let mut state = self.state.lock();
        if state.outstanding >= MAX_OUTSTANDING {
            self.room.wait_while(&mut state, |state| !state.ended && state.outstanding > RESUME_AT);
        }
        if state.ended {
            return None;
        }
        state.outstanding += 1;
        state.read += 1;
        Some(state.read - 1)
    }

    /// Releases entries that are written: they are no longer outstanding.
    pub fn release(&self, entries: usize) {
        let mut state = self.state.lock();
        let before = state.outstanding;
        state.outstanding -= entries;
        if before > RESUME_AT && state.outstanding <= RESUME_AT {
            self.room.notify_one();
        }
    }

    /// Adds a task. Its entry is outstanding.
    pub fn push(&self, task: Task) {
        let priority = if self.in_order { 0 } else { task.cost.mean.to_bits() };
        let waiting = Waiting { rank: (priority, Reverse(task.number)), task };
        let first = {
            let mut state = self.state.lock();
            state.cost += waiting.task.cost.mean;
            state.next.push(waiting);
            // Sequentially consistent with `idle`: either a worker that becomes idle sees the task,
            // or the worker is seen below.
            self.waiting.fetch_add(1, Ordering::SeqCst) == 0
        };
        // A worker that is woken for one task looks for further ones before it waits again.
        if first && self.idle.load(Ordering::SeqCst) > 0 {
            self.wake_all();
        }
    }

    /// Removes the next chunk. `None` if the queue is empty.
    fn pop_chunk(&self) -> Option<Vec<Task>> {
        if self.waiting.load(Ordering::SeqCst) == 0 {
            return None;
        }
        let mut state = self.state.lock();
        if state.block.is_empty() {
            state.block = std::mem::take(&mut state.next);
        }
        let (mut chunk, mut cost) = (Vec::new(), 0.0);
        while cost < CHUNK_COST
            && chunk.len() < CHUNK_POSITIONS
            && let Some(Waiting { task, .. }) = state.block.pop()
        {
            cost += task.cost.mean;
            chunk.push(task);
        }
        self.waiting.fetch_sub(chunk.len(), Ordering::SeqCst);
        (!chunk.is_empty()).then_some(chunk)
    }

    /// Whether a worker is idle.
    pub fn has_idle_workers(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Accepts no more entries, and returns the number of those that were read.
    pub fn end_input(&self) -> u64 {
        let mut state = self.state.lock();
        state.ended = true;
        self.room.notify_one();
        state.read
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    fn wake_all(&self) {
        for pool in &self.thread_pools {
            pool.wake_all();
        }
    }
}

impl TaskQueue<Searcher> for Queue {
    /// A chunk.
    type Task = Vec<Task>;

    fn next(&self) -> Option<Vec<Task>> {
        if self.is_closed() { None } else { self.pop_chunk() }
    }

    /// Lets the worker help the others of its thread pool, or sleep, until there is a task.
    fn wait(&self, searcher: &mut Searcher, activity: &dyn Fn(Activity)) -> bool {
        self.idle.fetch_add(1, Ordering::SeqCst);
        let is_done = || self.waiting.load(Ordering::SeqCst) > 0 || self.is_closed();
        searcher.help(is_done, activity);
        self.idle.fetch_sub(1, Ordering::SeqCst);
        !self.is_closed()
    }

    fn prepare(&self, searcher: &mut Searcher) -> Result<(), TableError> {
        searcher.prepare()
    }

    /// One worker for each position that was read, and helpers for long searches: for those that
    /// are predicted, and for those that take longer than predicted.
    fn useful_workers(&self) -> usize {
        let (positions, cost) = {
            let state = self.state.lock();
            (state.read, state.cost)
        };
        let nodes: u64 = self.thread_pools.iter().map(|pool| pool.nodes_so_far()).sum();
        let helpers = cost.max(nodes as f64) / NODES_PER_HELPER;
        (positions as usize).saturating_add(helpers as usize)
    }

    fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.wake_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    fn task(number: u64, cost: f64) -> Task {
        let diagram = "-XXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X";
        let diagram = diagram.parse().expect("a position");
        let cost = Cost { mean: cost, ..Cost::ZERO };
        Task { number, id: String::new(), notes: Notes::default(), diagram, cost }
    }

    fn numbers(queue: &Queue) -> Vec<Vec<u64>> {
        std::iter::from_fn(|| queue.pop_chunk())
            .map(|chunk| chunk.iter().map(|task| task.number).collect())
            .collect()
    }

    #[test]
    fn the_most_expensive_of_a_block_come_first_and_cheap_ones_in_chunks() {
        let queue = Queue::new(Vec::new(), false);
        for (number, cost) in
            [1.0, 2.0 * CHUNK_COST, 1.0, 9.0 * CHUNK_COST, 0.6 * CHUNK_COST, 0.6 * CHUNK_COST]
                .into_iter()
                .enumerate()
        {
            queue.push(task(number as u64, cost));
        }
        assert_eq!(queue.pop_chunk().map(|chunk| chunk[0].number), Some(3));
        // This task belongs to the next block.
        queue.push(task(6, 99.0 * CHUNK_COST));
        assert_eq!(numbers(&queue), [vec![1], vec![4, 5], vec![0, 2], vec![6]]);
        assert_eq!(queue.pop_chunk(), None);
    }

    #[test]
    fn one_thread_gets_tasks_in_the_order_of_the_input() {
        let queue = Queue::new(Vec::new(), true);
        (0..600).for_each(|number| queue.push(task(number, (number % 7) as f64)));
        let chunks = numbers(&queue);
        assert_eq!(chunks.iter().map(Vec::len).collect::<Vec<_>>(), [256, 256, 88]);
        assert_eq!(chunks.concat(), (0..600).collect::<Vec<_>>());
    }

    #[test]
    fn the_reader_waits_while_too_many_entries_are_outstanding() {
        let queue = Queue::new(Vec::new(), false);
        for number in 0..MAX_OUTSTANDING as u64 {
            assert_eq!(queue.reserve(), Some(number));
        }
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            scope.spawn(|| {
                let sender = sender;
                while let Some(number) = queue.reserve() {
                    sender.send(number).expect("the receiver exists");
                }
            });
            let next = |wait| receiver.recv_timeout(Duration::from_millis(wait));
            assert!(next(50).is_err(), "all entries are outstanding");
            queue.release(MAX_OUTSTANDING - RESUME_AT - 1);
            assert!(next(50).is_err(), "the reader is not woken for each entry");
            queue.release(1);
            for number in MAX_OUTSTANDING..MAX_OUTSTANDING + MAX_OUTSTANDING - RESUME_AT {
                assert_eq!(next(10_000), Ok(number as u64));
            }
            assert!(next(50).is_err());
            assert_eq!(queue.end_input(), (MAX_OUTSTANDING + MAX_OUTSTANDING - RESUME_AT) as u64);
            assert!(next(10_000).is_err(), "the reader has ended");
        });
    }
}
