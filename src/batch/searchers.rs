//! The searchers of a run, one for each thread, and the search of one position within limits.

use std::num::NonZeroUsize;
use std::sync::Arc;

use super::survey::Workload;
use crate::eval::Evaluation;
use crate::search::{
    Bounds, Config, Limits, Milestone, NodeCounts, Request, Searcher, Solution, StopReason,
    ThreadPool, WindowResult, auto_table,
};
use crate::table::{AutoTable, TableError};

/// The threads and the memory of a run. They change the nodes and the time, never a score.
///
/// ```
/// use yose::batch::{SearcherOptions, Searchers};
///
/// let options = SearcherOptions::new().threads(2).table_bytes(16 << 20);
/// assert_eq!(Searchers::shared_table(&options)?.threads(), 2);
/// # Ok::<(), yose::TableError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearcherOptions {
    threads: NonZeroUsize,
    config: Config,
    auto_table: Option<AutoTable>,
}

impl SearcherOptions {
    /// As many threads as the program may use processors, and a transposition table of 256 MiB.
    pub fn new() -> SearcherOptions {
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        SearcherOptions { threads, config: Config::default(), auto_table: None }
    }

    /// Sets the number of threads.
    ///
    /// # Panics
    /// If `threads` is 0.
    #[track_caller]
    #[must_use]
    pub fn threads(self, threads: usize) -> SearcherOptions {
        let threads = NonZeroUsize::new(threads).expect("a run has at least one thread");
        SearcherOptions { threads, ..self }
    }

    /// Sets the largest size of a transposition table in bytes.
    #[must_use]
    pub fn table_bytes(mut self, table_bytes: u64) -> SearcherOptions {
        self.config.table_bytes = table_bytes;
        (self.config.table_limit, self.auto_table) = (None, None);
        self
    }

    /// Chooses the size of a shared table by the predicted cost of the list, and by the memory that
    /// is free now. `workload` is that of [`Survey`](super::Survey); `None` if the list can be read
    /// only once. Set the number of threads before.
    ///
    /// Tables that are not shared do not grow beyond the size that was chosen.
    #[must_use]
    pub fn auto_table(mut self, workload: Option<Workload>) -> SearcherOptions {
        let threads = self.threads.get();
        let nodes = workload.map(|workload| workload.nodes_at_a_time(threads));
        let size = auto_table(nodes, threads);
        self.config = self.config.with_auto_table(&size);
        self.auto_table = Some(size);
        self
    }

    /// The size that [`SearcherOptions::auto_table`] has chosen.
    pub fn chosen_table(&self) -> Option<AutoTable> {
        self.auto_table
    }

    /// Sets the evaluation. The default is the embedded one.
    #[doc(hidden)]
    #[must_use]
    pub fn evaluation(mut self, evaluation: Arc<Evaluation>) -> SearcherOptions {
        self.config.evaluation = evaluation;
        self
    }

    /// The number of threads.
    pub(crate) fn thread_count(&self) -> NonZeroUsize {
        self.threads
    }

    /// The size of a table in bytes: the largest, or the first one that was chosen.
    pub fn first_table_bytes(&self) -> u64 {
        self.config.table_bytes
    }

    /// The configuration of each searcher.
    pub(crate) fn config(&self) -> Config {
        self.config.clone()
    }
}

impl Default for SearcherOptions {
    /// The options of [`SearcherOptions::new`].
    fn default() -> SearcherOptions {
        SearcherOptions::new()
    }
}

/// The searchers of a run, one for each thread.
#[derive(Debug)]
pub struct Searchers {
    pub(crate) searchers: Vec<Searcher>,
    deterministic: bool,
}

impl Searchers {
    /// Searchers that share one table and help each other.
    ///
    /// # Errors
    /// If there is not enough memory for the table and this many threads.
    pub fn shared_table(options: &SearcherOptions) -> Result<Searchers, TableError> {
        Searchers::pool(options.config(), options.threads)
    }

    /// The same for any configuration.
    pub(super) fn pool(config: Config, threads: NonZeroUsize) -> Result<Searchers, TableError> {
        Ok(Searchers { searchers: Searcher::pool(config, threads)?, deterministic: false })
    }

    /// Searchers that share nothing. Each has a table of the size of `options`, which is cleared
    /// before each position. So the nodes of a position depend only on the position and on the size
    /// of the table, not on the number of threads.
    ///
    /// # Errors
    /// If there is not enough memory for the tables.
    pub fn deterministic(options: &SearcherOptions) -> Result<Searchers, TableError> {
        let searchers = Searcher::independent(&options.config, options.threads)?;
        Ok(Searchers { searchers, deterministic: true })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.searchers.len()
    }

    /// Whether each searcher has a table of its own and no helpers.
    pub fn is_deterministic(&self) -> bool {
        self.deterministic
    }

    /// What counts the nodes of the positions that are being solved.
    pub fn node_meter(&self) -> NodeMeter {
        let meter = |searcher: &Searcher| (Arc::clone(searcher.thread_pool()), searcher.index());
        NodeMeter(self.searchers.iter().map(meter).collect())
    }

    /// The thread pools of the searchers, each once.
    pub(crate) fn thread_pools(&self) -> Vec<Arc<ThreadPool>> {
        let pools = self.searchers.iter().map(|searcher| Arc::clone(searcher.thread_pool()));
        if self.deterministic { pools.collect() } else { pools.take(1).collect() }
    }
}

/// Reads the node counts of searches while they run, and how much of their table is in use.
#[derive(Clone, Debug, Default)]
pub struct NodeMeter(Vec<(Arc<ThreadPool>, usize)>);

impl NodeMeter {
    /// About how many nodes the present search of a worker has taken so far, with those of its
    /// helpers. 0 if it searches no position of its own. Workers count from 0.
    pub fn nodes(&self, worker: usize) -> u64 {
        self.0.get(worker).map_or(0, |(pool, index)| pool.nodes_of(*index))
    }

    /// The bytes of the transposition table that are in use; of the first one if there are several.
    pub fn table_bytes_in_use(&self) -> u64 {
        self.0.first().map_or(0, |(pool, _)| pool.table_bytes_in_use())
    }

    /// The last milestone of the present search of a worker.
    #[doc(hidden)]
    pub fn milestone(&self, worker: usize) -> Option<Milestone> {
        self.0.get(worker).and_then(|(pool, index)| pool.milestone_of(*index))
    }

    /// What the last null window of the present search of a worker has shown.
    #[doc(hidden)]
    pub fn window_result(&self, worker: usize) -> Option<WindowResult> {
        self.0.get(worker).and_then(|(pool, index)| pool.window_result_of(*index))
    }
}

/// Solves one position. A complete solution is never marked as stopped: a search may end and exceed
/// its limit at the same time.
pub(crate) fn solve_within(
    searcher: &mut Searcher,
    request: &Request,
    limits: &Limits,
) -> Solution {
    let mut solution = searcher.solve_within(request, limits);
    if solution.stopped.is_some() && is_complete(request, &solution) {
        solution.stopped = None;
    }
    solution
}

/// The solution of a position whose search was aborted before it began.
pub(crate) fn not_begun() -> Solution {
    Solution {
        bounds: Bounds::UNKNOWN,
        best_move: None,
        pv: Vec::new(),
        moves: Vec::new(),
        nodes: 0,
        profile: NodeCounts::default(),
        stopped: Some(StopReason::Aborted),
        #[cfg(feature = "stats")]
        statistics: crate::search::Statistics::default(),
    }
}

/// Whether a solution has the exact score and a principal variation to the end of the game, and
/// nothing more was requested.
fn is_complete(request: &Request, solution: &Solution) -> bool {
    let end = solution.pv.iter().try_fold(request.position, |position, &mv| position.make(mv));
    solution.bounds.exact().is_some() && !request.all_moves && end.is_some_and(|end| end.is_over())
}
