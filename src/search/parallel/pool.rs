//! The thread pool: the data that searchers of one table share.
//!
//! Searchers that share a pool share the transposition table, and help each other at split points
//! ([`registry`](crate::search::parallel::registry)). The pool starts no threads. Its user calls
//! one [`Searcher`](crate::search::Searcher) on each thread.

use std::time::Instant;

use crossbeam_utils::CachePadded;

use crate::search::limits::{Budget, Milestone, WindowResult};
use crate::search::local_tables::LocalTables;
use crate::search::parallel::registry::{SplitRegistry, WorkerId};
use crate::search::parallel::split_node::SplitNode;
use crate::search::parameters::Parameters;
use crate::search::solution::Config;
use crate::sync::{AtomicBool, Ordering};
use crate::table::{AutoTable, SharedTable, TableError, check_memory_with_threads};

/// The data that the searchers of a pool share. [`Searcher::pool`](crate::search::Searcher::pool)
/// makes it.
#[derive(Debug)]
pub struct ThreadPool {
    pub(in crate::search) config: Config,
    pub(in crate::search) parameters: Parameters,
    pub(in crate::search) table: SharedTable,
    pub(in crate::search) registry: SplitRegistry<SplitNode>,
    /// For each worker: the budget of its root position.
    budgets: Box<[CachePadded<Budget>]>,
    /// Whether all searches are aborted.
    abort_flag: AtomicBool,
    /// The time from which budgets count.
    started: Instant,
}

/// The bytes of memory that each thread needs of its own: local tables, split points, and the used
/// part of its stack.
pub(in crate::search) fn thread_bytes() -> u64 {
    const STACK: usize = 128 << 10;
    (LocalTables::memory() + SplitRegistry::<SplitNode>::bytes_per_worker() + STACK) as u64
}

/// The size of a table for this many `threads`, by the memory that is free and by the `nodes` that
/// are predicted for the positions that are searched at a time.
pub(crate) fn auto_table(nodes: Option<f64>, threads: usize) -> AutoTable {
    AutoTable::choose(nodes, thread_bytes().saturating_mul(threads as u64))
}

impl ThreadPool {
    /// A pool for this many `workers`, with an empty table.
    ///
    /// # Errors
    /// Returns an error if the memory for the table cannot be allocated, or if it does not suffice
    /// for the table and for what each worker needs of its own.
    pub(in crate::search) fn new(config: Config, workers: usize) -> Result<ThreadPool, TableError> {
        // A single thread needs little besides the table. It is not refused for that.
        if workers > 1 {
            check_memory_with_threads((config.table_bytes, 1), (thread_bytes(), workers))?;
        }
        let table = match config.table_limit {
            None => SharedTable::new(config.table_bytes, workers)?,
            Some(limit) => SharedTable::growing(config.table_bytes, limit, workers)?,
        };
        let parameters = config.parameters.unwrap_or_else(|| Parameters::of(&config.evaluation));
        Ok(ThreadPool {
            config,
            parameters,
            table,
            registry: SplitRegistry::new(workers),
            budgets: (0..workers).map(|_| CachePadded::default()).collect(),
            abort_flag: AtomicBool::new(false),
            started: Instant::now(),
        })
    }

    /// The number of searchers.
    pub fn workers(&self) -> usize {
        self.registry.workers()
    }

    /// Aborts all searches of the pool, present and future, until [`ThreadPool::resume`]. They end
    /// within a fraction of a millisecond and return the bounds that are proven so far.
    pub fn abort(&self) {
        self.abort_flag.store(true, Ordering::Relaxed);
        self.wake_all();
    }

    /// Lets searches run again after [`ThreadPool::abort`]. Call it only while none runs.
    pub fn resume(&self) {
        self.abort_flag.store(false, Ordering::Relaxed);
    }

    /// Whether [`ThreadPool::abort`] was called, and no [`ThreadPool::resume`] after it.
    pub fn is_aborted(&self) -> bool {
        self.abort_flag.load(Ordering::Relaxed)
    }

    /// Wakes all searchers that wait in [`Searcher::help`](crate::search::Searcher::help). Each
    /// evaluates its condition to stop waiting again.
    pub fn wake_all(&self) {
        self.registry.wake_all();
    }

    pub(in crate::search) fn abort_flag(&self) -> &AtomicBool {
        &self.abort_flag
    }

    pub(in crate::search) fn started(&self) -> Instant {
        self.started
    }

    /// About how many nodes all present searches of the pool have taken so far.
    pub fn nodes_so_far(&self) -> u64 {
        (0..self.budgets.len()).map(|worker| self.nodes_of(worker)).sum()
    }

    /// About how many nodes the present search of the worker with this index has taken so far, with
    /// those of its helpers. 0 if it searches no position of its own.
    pub fn nodes_of(&self, worker: usize) -> u64 {
        self.budgets[worker].nodes()
    }

    /// The last milestone of the present search of the worker with this index.
    pub fn milestone_of(&self, worker: usize) -> Option<Milestone> {
        self.budgets[worker].milestone()
    }

    /// What the last null window of the present search of the worker with this index has shown.
    pub fn window_result_of(&self, worker: usize) -> Option<WindowResult> {
        self.budgets[worker].window_result()
    }

    /// The bytes of the shared table that are in use.
    pub fn table_bytes_in_use(&self) -> u64 {
        self.table.bytes_in_use()
    }

    /// The budget of a worker's root position.
    #[inline(always)]
    pub(in crate::search) fn budget(&self, worker_id: WorkerId) -> &Budget {
        &self.budgets[worker_id]
    }
}
