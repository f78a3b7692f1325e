//! One thread's solver: its tables, which it keeps from position to position.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::eval::Features;
use crate::othello::Position;
use crate::search::driver::refuter::Refuter;
#[cfg(feature = "record")]
use crate::search::instrument::recorder::{Recorder, Recording};
use crate::search::instrument::sampler::Sampler;
#[cfg(feature = "stats")]
use crate::search::instrument::statistics::Statistics;
use crate::search::limits::Limits;
use crate::search::local_tables::LocalTables;
use crate::search::node_counts::NodeCounts;
use crate::search::nodes::INFINITY;
use crate::search::parallel::pool::{ThreadPool, thread_bytes};
use crate::search::parallel::registry::WorkerId;
use crate::search::parallel::split_point::{Activity, SplitWorker, WorkerState};
use crate::search::search_pass::SearchPass;
use crate::search::solution::{Config, Request, Solution, Window};
use crate::search::worker::Worker;
use crate::table::{TableError, check_memory_with_threads};

/// One thread's solver.
///
/// It solves positions one after the other and keeps its tables between them. Searchers that belong
/// to one [`ThreadPool`], each on a thread of its own, share a transposition table and help each
/// other.
#[derive(Debug)]
pub struct Searcher {
    pool: Arc<ThreadPool>,
    id: WorkerId,
    /// The local tables, which are made before the first search.
    local: Option<LocalTables>,
}

impl Searcher {
    /// A searcher with empty tables, alone in its thread pool.
    ///
    /// # Errors
    /// If the memory for the shared table is not available.
    pub fn new(config: Config) -> Result<Searcher, TableError> {
        Ok(Searcher::join(&Arc::new(ThreadPool::new(config, 1)?), 0))
    }

    /// `threads` searchers, each alone in its thread pool.
    ///
    /// # Errors
    /// If the memory for all of their tables is not available.
    pub fn independent(
        config: &Config,
        threads: NonZeroUsize,
    ) -> Result<Vec<Searcher>, TableError> {
        let threads = threads.get();
        check_memory_with_threads((config.table_bytes, threads), (thread_bytes(), threads))?;
        let config = Config { table_limit: None, ..config.clone() };
        (0..threads).map(|_| Searcher::new(config.clone())).collect()
    }

    /// `threads` searchers that share a table and help each other.
    ///
    /// # Errors
    /// If the memory for the shared table is not available, or if it does not suffice for this many
    /// threads.
    pub fn pool(config: Config, threads: NonZeroUsize) -> Result<Vec<Searcher>, TableError> {
        let pool = Arc::new(ThreadPool::new(config, threads.get())?);
        Ok((0..threads.get()).map(|id| Searcher::join(&pool, id)).collect())
    }

    fn join(pool: &Arc<ThreadPool>, id: WorkerId) -> Searcher {
        Searcher { pool: Arc::clone(pool), id, local: None }
    }

    /// Makes the local tables, if they are not there yet. The first search does so too, but it
    /// cannot return an error. So searchers take little memory until they search.
    ///
    /// # Errors
    /// If the memory is not available.
    pub fn prepare(&mut self) -> Result<(), TableError> {
        if self.local.is_none() {
            let tables = LocalTables::new(self.pool.config.local_tables);
            let missing = TableError::NoLocalTables(LocalTables::memory() as u64);
            self.local = Some(tables.ok_or(missing)?);
        }
        Ok(())
    }

    /// What the searcher shares with the others of its pool.
    pub fn thread_pool(&self) -> &Arc<ThreadPool> {
        &self.pool
    }

    /// The index of this searcher in its thread pool.
    pub(crate) fn index(&self) -> usize {
        self.id
    }

    /// The size of the shared table in bytes, once all of its memory is in use.
    pub fn table_bytes(&self) -> u64 {
        self.pool.table.bytes()
    }

    /// A search on this thread, with this searcher's tables.
    ///
    /// # Panics
    /// If there is not enough memory for the local tables. [`Searcher::prepare`] finds that out.
    pub(in crate::search) fn worker(&mut self) -> Worker<'_> {
        if let Err(error) = self.prepare() {
            panic!("{error}");
        }
        let local = self.local.as_mut().expect("they are prepared");
        let pool = &*self.pool;
        pool.budget(self.id).start(&Limits::NONE, pool.started());
        Worker {
            pool,
            state: WorkerState::new(self.id),
            owner: self.id,
            flushed: 0,
            flush_interval: 0,
            table: &pool.table,
            local,
            evaluation: &pool.config.evaluation,
            parameters: &pool.parameters,
            nodes: NodeCounts::default(),
            #[cfg(feature = "stats")]
            statistics: Statistics::default(),
            search_pass: SearchPass::Exact,
            generation: pool.table.next_generation(),
            unproven: false,
            sampler: None,
            #[cfg(feature = "record")]
            recorder: None,
            normalise_keys: pool.config.normalise_keys,
        }
    }

    /// Solves one position.
    pub fn solve(&mut self, request: &Request) -> Solution {
        self.solve_within(request, &Limits::NONE)
    }

    /// Solves one position, or stops early at a limit or when the thread pool is aborted. Then
    /// [`Solution::stopped`] has the reason.
    pub fn solve_within(&mut self, request: &Request, limits: &Limits) -> Solution {
        let mut worker = self.worker();
        worker.limit(limits);
        let solution = worker.solve(request);
        self.pool.budget(self.id).finish();
        solution
    }

    /// Helps the other searchers of the pool, and sleeps while none needs help. Returns when
    /// `is_done` returns true. It is called before each sleep and after each
    /// [`ThreadPool::wake_all`]; a search that is under way is finished first. It is called under
    /// the pool's lock, so it must be quick and must not call the pool. `activity` is called before
    /// and after each search for another.
    pub fn help(&mut self, is_done: impl Fn() -> bool, activity: impl Fn(Activity)) {
        self.worker().help(is_done, activity);
    }

    /// Removes every entry of the tables, so that the next solve takes the nodes of a new searcher.
    pub fn clear(&mut self) {
        self.pool.table.clear();
        if let Some(local) = &mut self.local {
            local.clear();
        }
    }

    /// The value of a position by a depth-limited search of `depth` plies, for the side to move, in
    /// units of 1 / [`UNIT`](crate::eval::UNIT) disc. It is an estimate and proves nothing.
    pub fn estimate(&mut self, position: &Position, depth: u32) -> i32 {
        let (features, moves) = (Features::of(position), position.moves());
        self.worker().depth_limited(position, &features, moves, depth, -INFINITY, INFINITY)
    }

    /// A search for single moves that prove a bound, with this searcher's tables.
    pub(crate) fn refuter(&mut self) -> Refuter<'_> {
        Refuter::new(self.worker())
    }

    /// Solves a position, and returns about one in `one_in` of the positions that the search
    /// evaluated in order to sort moves, repetitions included. The evaluation is trained on them.
    pub fn sample(&mut self, position: &Position, one_in: u64) -> Vec<Position> {
        let mut worker = self.worker();
        worker.sampler = Some(Sampler::new(one_in));
        worker.bounds(position, Window::FULL);
        worker.sampler.map_or_else(Vec::new, |sampler| sampler.positions)
    }

    /// Solves a position, and records what every move costs at about one in `one_in[empties]` of
    /// the nodes of the exact pass whose moves are searched. A rate of 0 records none; nodes with
    /// fewer than seven empties are never recorded.
    #[cfg(feature = "record")]
    pub fn record(&mut self, position: &Position, one_in: &[u64; 65]) -> Recording {
        let mut worker = self.worker();
        worker.recorder = Some(Recorder::new(one_in));
        worker.bounds(position, Window::FULL);
        let records = worker.recorder.map_or_else(Vec::new, |recorder| recorder.records);
        Recording { records, nodes: worker.nodes.total() }
    }
}
