//! One thread's search: its tables, node counts and position in the thread pool.
//!
//! [`Worker`] holds the data. The search itself is a set of methods, one file for each stage of the
//! tree, in [`crate::search::nodes`]; the order of moves is in [`crate::search::ordering`].

use crate::eval::Evaluation;
#[cfg(feature = "record")]
use crate::search::instrument::recorder::Recorder;
use crate::search::instrument::sampler::Sampler;
#[cfg(feature = "stats")]
use crate::search::instrument::statistics::Statistics;
use crate::search::limits::{Budget, Limits};
use crate::search::local_tables::LocalTables;
use crate::search::node_counts::NodeCounts;
use crate::search::parallel::pool::ThreadPool;
use crate::search::parallel::registry::WorkerId;
use crate::search::parallel::split_point::WorkerState;
use crate::search::parameters::Parameters;
use crate::search::search_pass::SearchPass;
use crate::table::SharedTable;

/// One thread's search.
///
/// All search methods answer a *null window*: is the score above `alpha`? `alpha` is a disc
/// difference. The result is a fail-soft bound: above `alpha` it is a lower bound of the score, at
/// or below `alpha` an upper bound. Scores are those of the side to move. A child is searched with
/// `-alpha - 1`, which is `!alpha`, and its result is negated.
pub(super) struct Worker<'a> {
    pub(super) pool: &'a ThreadPool,
    /// The worker's split point, and whether its search is aborted.
    pub(super) state: WorkerState,
    /// The worker whose root position this one searches: itself, or the one that it helps.
    pub(super) owner: WorkerId,
    /// The part of `nodes` that is in the owner's [`Budget`] already.
    pub(super) flushed: u64,
    /// The number of new nodes after which they are flushed to the budget.
    pub(super) flush_interval: u64,
    pub(super) table: &'a SharedTable,
    pub(super) local: &'a mut LocalTables,
    pub(super) evaluation: &'a Evaluation,
    pub(super) parameters: &'a Parameters,
    pub(super) nodes: NodeCounts,
    #[cfg(feature = "stats")]
    pub(super) statistics: Statistics,
    pub(super) search_pass: SearchPass,
    /// The generation of the transposition table in which this search pass writes.
    pub(super) generation: u8,
    /// Whether the last result rests on a ProbCut bound. The caller of a search method clears it.
    pub(super) unproven: bool,
    /// Collects positions that are ordered by the evaluation, if set.
    pub(super) sampler: Option<Sampler>,
    /// Records nodes, if set; `None` while a node is recorded.
    #[cfg(feature = "record")]
    pub(super) recorder: Option<Recorder>,
    /// Whether the keys of the local tables are solid-disc-normalised.
    pub(super) normalise_keys: bool,
}

impl Worker<'_> {
    /// Starts the budget of this worker's position.
    pub(super) fn limit(&mut self, limits: &Limits) {
        self.budget().start(limits, self.pool.started());
        self.flush_all_nodes(0);
    }

    /// Adds this worker's nodes, `nodes` in all, to the budget if enough are new.
    #[inline(always)]
    pub(super) fn flush_nodes(&mut self, nodes: u64) {
        if nodes - self.flushed >= self.flush_interval {
            self.flush_all_nodes(nodes);
        }
    }

    /// Adds this worker's nodes, `nodes` in all, to the budget.
    #[cold]
    #[inline(never)]
    pub(super) fn flush_all_nodes(&mut self, nodes: u64) {
        self.table.advance_large_pages();
        let budget = self.budget();
        budget.add_nodes(nodes - self.flushed, self.pool.started(), self.pool.abort_flag());
        let flush_interval = budget.check_interval();
        (self.flushed, self.flush_interval) = (nodes, flush_interval);
    }

    /// The budget of the position that this worker searches.
    #[inline(always)]
    pub(super) fn budget(&self) -> &Budget {
        self.pool.budget(self.owner)
    }
}
