//! What the threads that solve together share: the table, the limits of each one's position, and the
//! [`board`](crate::search::parallel::registry) on which they find each other.

use std::time::Instant;

use crossbeam_utils::CachePadded;

use crate::search::limits::Budget;
use crate::search::parallel::registry::{SplitRegistry, WorkerId};
use crate::search::parallel::split_node::SplitNode;
use crate::search::parameters::Parameters;
use crate::search::solution::Config;
use crate::sync::{AtomicBool, Ordering};
use crate::table::{SharedTable, TableError};

/// What the solvers of a crew share. It is made with them ([`Searcher::crew`](super::Searcher::crew)).
#[derive(Debug)]
pub struct ThreadPool {
    pub(in crate::search) config: Config,
    pub(in crate::search) parameters: Parameters,
    pub(in crate::search) table: SharedTable,
    pub(in crate::search) registry: SplitRegistry<SplitNode>,
    /// For each seat: the limits of the position that the thread there solves.
    budgets: Box<[CachePadded<Budget>]>,
    /// Whether everybody is to stop.
    aborted: AtomicBool,
    started: Instant,
}

impl ThreadPool {
    /// A crew with so many seats, and a fresh table.
    ///
    /// # Errors
    /// If the memory for the table cannot be had.
    pub(in crate::search) fn new(config: Config, workers: usize) -> Result<ThreadPool, TableError> {
        let table = SharedTable::new(config.table_bytes)?;
        let parameters = config.parameters.unwrap_or_else(|| Parameters::of(&config.evaluation));
        Ok(ThreadPool {
            config,
            parameters,
            table,
            registry: SplitRegistry::new(workers),
            budgets: (0..workers).map(|_| CachePadded::default()).collect(),
            aborted: AtomicBool::new(false),
            started: Instant::now(),
        })
    }

    /// How many solvers the crew has.
    pub fn workers(&self) -> usize {
        self.registry.workers()
    }

    /// Has everybody stop, now and from now on: searches end within a fraction of a millisecond and tell what is proven
    /// so far.
    pub fn stop(&self) {
        self.aborted.store(true, Ordering::Relaxed);
        self.wake_all();
    }

    /// Whether [`ThreadPool::stop`] was called.
    pub fn stopped(&self) -> bool {
        self.aborted.load(Ordering::Relaxed)
    }

    /// Wakes those who have nothing to help with, so that they look whether they are wanted elsewhere.
    pub fn wake_all(&self) {
        self.registry.wake_all();
    }

    pub(in crate::search) fn abort_flag(&self) -> &AtomicBool {
        &self.aborted
    }

    pub(in crate::search) fn started(&self) -> Instant {
        self.started
    }

    #[inline(always)]
    pub(in crate::search) fn budget(&self, worker_id: WorkerId) -> &Budget {
        &self.budgets[worker_id]
    }
}
