//! The searchers of a run, one for each thread, and the search of one position within limits.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::search::{
    Bounds, Config, Limits, NodeCounts, Request, Searcher, Solution, StopReason, ThreadPool,
};
use crate::table::{TableError, check_memory};

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
    /// If there is not enough memory for the table.
    pub fn shared_table(config: Config, threads: NonZeroUsize) -> Result<Searchers, TableError> {
        Ok(Searchers { searchers: Searcher::pool(config, threads)?, deterministic: false })
    }

    /// Searchers without anything in common. Each has a table of its own, which is cleared before
    /// each position. So the nodes of a position depend only on the position and on `config`.
    ///
    /// # Errors
    /// If there is not enough memory for the tables.
    pub fn deterministic(config: Config, threads: NonZeroUsize) -> Result<Searchers, TableError> {
        check_memory(config.table_bytes, threads.get())?;
        let searchers =
            (0..threads.get()).map(|_| Searcher::new(config.clone())).collect::<Result<_, _>>()?;
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

    /// The thread pools of the searchers, each once.
    pub(super) fn thread_pools(&self) -> Vec<Arc<ThreadPool>> {
        let pools = self.searchers.iter().map(|searcher| Arc::clone(searcher.thread_pool()));
        if self.deterministic { pools.collect() } else { pools.take(1).collect() }
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
    if is_complete(request, &solution) {
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
