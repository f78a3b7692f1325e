//! Split points: the moves of one node, searched by several workers.
//!
//! A node is split only if a worker is idle and the node's first move did not fail high. Such a
//! node is probably an all-node, where every move must be searched and no work is wasted. This is
//! the *Young Brothers Wait Concept* (R. Feldmann, B. Monien, P. Mysliwietz, O. Vornberger,
//! "Distributed Game-Tree Search", ICCA Journal 12(2), 1989; R. Feldmann, "Game Tree Search on
//! Massively Parallel Systems", thesis, University of Paderborn, 1993).
//!
//! The worker that splits a node *owns* the split point; *helpers* join it. All of them take the
//! next move and search it, until no move is left or one fails high. Such a cut-off sets a flag,
//! which stops every search below the split point. The results of stopped searches are dropped.
//!
//! An owner without moves helps its helpers, but only below its own split point, so that it can go
//! on as soon as they are done. (The *helpful master* concept; Edax and Stockfish do the same.)
//!
//! # No result misses a move
//! A helper that is stopped drops a move that it has taken. Before it leaves the split point, it
//! has seen a cut-off above, or a spent budget. The owner waits for its helpers to leave, reads the
//! same flags afterwards, and drops the whole node. So a flag must not be cleared while a worker
//! searches below it.
//!
//! This file distributes moves. [`SplitWork`] and [`SplitWorker`] define what a move and its result
//! are; the search implements them ([`split_node`](crate::search::parallel::split_node) and
//! [`Worker`](crate::search::worker::Worker)).

use crate::search::parallel::registry::{SplitPointId, SplitRegistry, WorkerId};
use crate::sync::{AtomicBool, AtomicU32, AtomicUsize, Mutex, Ordering};

/// The parent of a split point that has none.
const NO_PARENT: usize = usize::MAX;

/// The work at a split point: the moves of a node, and the result so far.
pub(in crate::search) trait SplitWork {
    /// The data that a helper needs to search the node's moves.
    type Context: Clone;
    type Move;
    /// The result of one move.
    type MoveResult;
    /// The nodes that a helper has searched.
    type Effort;

    fn context(&self) -> &Self::Context;

    /// The node's number of empties. Helpers prefer split points with many.
    fn empties(&self) -> u32;

    /// The number of moves that no worker has taken.
    fn moves_left(&self) -> usize;

    /// Takes the next move.
    fn take_move(&mut self) -> Option<Self::Move>;

    /// Adds the result of a move. Returns whether the move fails high.
    fn add_result(&mut self, mv: &Self::Move, result: Self::MoveResult) -> bool;

    /// Adds what a helper has searched.
    fn add_effort(&mut self, effort: Self::Effort);
}

/// A split point. It is reused: free, then claimed and started by its owner, then finished.
#[derive(Debug)]
pub(in crate::search) struct SplitPoint<W> {
    /// Whether it is claimed.
    in_use: AtomicBool,
    /// Whether a move has failed high, or the owner's search was aborted. Searches below are
    /// useless then.
    cutoff: AtomicBool,
    /// Whether moves are left to take.
    has_moves: AtomicBool,
    empties: AtomicU32,
    /// The split point above this one, or [`NO_PARENT`].
    parent: AtomicUsize,
    work: Mutex<Option<W>>,
}

impl<W> Default for SplitPoint<W> {
    fn default() -> SplitPoint<W> {
        SplitPoint {
            in_use: AtomicBool::new(false),
            cutoff: AtomicBool::new(false),
            has_moves: AtomicBool::new(false),
            empties: AtomicU32::new(0),
            parent: AtomicUsize::new(NO_PARENT),
            work: Mutex::new(None),
        }
    }
}

impl<W: SplitWork> SplitPoint<W> {
    /// Claims the split point for its owner. Returns false if it is in use. Only the owner calls
    /// this.
    pub(in crate::search) fn claim(&self) -> bool {
        !self.in_use.swap(true, Ordering::Relaxed)
    }

    #[inline(always)]
    pub(in crate::search) fn has_cutoff(&self) -> bool {
        self.cutoff.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(in crate::search) fn parent(&self) -> Option<SplitPointId> {
        let parent = self.parent.load(Ordering::Relaxed);
        (parent != NO_PARENT).then_some(parent)
    }

    /// Whether there are moves left that are worth searching.
    pub(in crate::search) fn has_moves(&self) -> bool {
        self.has_moves.load(Ordering::Relaxed) && !self.has_cutoff()
    }

    pub(in crate::search) fn empties(&self) -> u32 {
        self.empties.load(Ordering::Relaxed)
    }

    /// Starts the split point with its work. The owner calls this before any helper is assigned.
    pub(in crate::search) fn start(&self, parent: Option<SplitPointId>, work: W) {
        self.empties.store(work.empties(), Ordering::Relaxed);
        self.parent.store(parent.unwrap_or(NO_PARENT), Ordering::Relaxed);
        self.cutoff.store(false, Ordering::Relaxed);
        self.has_moves.store(true, Ordering::Relaxed);
        *self.work.lock() = Some(work);
    }

    /// Frees the split point and returns its work. The owner calls this when no helper is left.
    fn finish(&self) -> W {
        let work = self.work.lock().take().expect("only the owner finishes its split point");
        self.in_use.store(false, Ordering::Relaxed);
        work
    }

    /// Calls `f` with the work, under the lock.
    ///
    /// # Panics
    /// Panics if the split point is not started, or is finished. No worker is there then.
    fn with_work<R>(&self, f: impl FnOnce(&mut W) -> R) -> R {
        f(self.work.lock().as_mut().expect("the owner waits for its helpers"))
    }

    /// Takes the next move. `None` if no move is left, or after a cut-off.
    fn take_move(&self) -> Option<W::Move> {
        self.with_work(|work| {
            let mv = if self.has_cutoff() { None } else { work.take_move() };
            self.has_moves.store(mv.is_some() && work.moves_left() > 0, Ordering::Relaxed);
            mv
        })
    }

    /// Adds the result of a move, unless another move has failed high before.
    fn add_result(&self, mv: &W::Move, result: W::MoveResult) {
        self.with_work(|work| {
            if !self.has_cutoff() && work.add_result(mv, result) {
                self.set_cutoff();
            }
        });
    }

    fn set_cutoff(&self) {
        self.cutoff.store(true, Ordering::Relaxed);
    }
}

/// What a worker begins to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// It searches.
    Busy,
    /// It waits for work.
    Idle,
}

/// The state of a worker with regard to split points.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct WorkerState {
    pub(in crate::search) worker_id: WorkerId,
    /// The innermost split point at or below which the worker searches.
    pub(in crate::search) split_point: Option<SplitPointId>,
    /// Whether the worker's search is aborted: its results are meaningless.
    pub(in crate::search) aborted: bool,
}

impl WorkerState {
    /// The state of a worker at no split point.
    pub(in crate::search) fn new(worker_id: WorkerId) -> WorkerState {
        WorkerState { worker_id, split_point: None, aborted: false }
    }
}

/// A worker that splits nodes and helps other workers.
pub(in crate::search) trait SplitWorker<'a> {
    type Work: SplitWork + 'a;

    fn registry(&self) -> &'a SplitRegistry<Self::Work>;

    fn state(&mut self) -> &mut WorkerState;

    /// Whether the budget of the searched root position is spent. Once true, it stays true until
    /// that search has ended.
    fn budget_is_spent(&self) -> bool;

    /// Searches a move. The result is meaningless if [`should_abort`](SplitWorker::should_abort)
    /// returns true afterwards.
    fn search_move(
        &mut self,
        context: &<Self::Work as SplitWork>::Context,
        mv: &<Self::Work as SplitWork>::Move,
    ) -> <Self::Work as SplitWork>::MoveResult;

    /// Calls `search` to search moves of another worker's node, and returns the effort of that. The
    /// state of this worker's own search is restored afterwards.
    fn search_for_owner(
        &mut self,
        context: &<Self::Work as SplitWork>::Context,
        search: impl FnOnce(&mut Self),
    ) -> <Self::Work as SplitWork>::Effort;

    /// Whether this worker's search is aborted: the budget is spent, or a split point above has a
    /// cut-off. All search functions return at once then, with meaningless results.
    #[inline(always)]
    fn should_abort(&mut self) -> bool {
        let WorkerState { split_point, aborted, .. } = *self.state();
        let aborted = aborted || self.budget_is_spent() || self.registry().has_cutoff(split_point);
        self.state().aborted = aborted;
        aborted
    }

    /// Searches the moves of a node together with idle workers. `work` makes the work.
    ///
    /// Returns the work with its result, or `None` if no idle worker may help. Sets `aborted` in
    /// the state if the result is meaningless.
    fn split(
        &mut self,
        context: &<Self::Work as SplitWork>::Context,
        work: impl FnOnce() -> Self::Work,
    ) -> Option<Self::Work> {
        let registry = self.registry();
        let WorkerState { worker_id, split_point: parent, .. } = *self.state();
        let id = registry.open(worker_id, parent, work)?;
        let split_point = registry.split_point(id);
        self.state().split_point = Some(id);
        self.search_moves(id, context);
        registry.close(id);
        if self.state().aborted {
            // The same cause stops the helpers. They check this flag first.
            split_point.set_cutoff();
        }
        self.state().aborted = false;
        while let Some(below) = registry.wait_for_helpers(worker_id, id) {
            self.help_at(below);
        }
        self.state().split_point = parent;
        let work = split_point.finish();
        self.should_abort();
        Some(work)
    }

    /// Takes moves of a split point and searches them, until no move is left or the search is
    /// aborted.
    fn search_moves(&mut self, id: SplitPointId, context: &<Self::Work as SplitWork>::Context) {
        let split_point = self.registry().split_point(id);
        while let Some(mv) = split_point.take_move() {
            let result = self.search_move(context, &mv);
            if self.should_abort() {
                break;
            }
            split_point.add_result(&mv, result);
        }
    }

    /// Helps at another worker's split point, which this worker has joined.
    fn help_at(&mut self, id: SplitPointId) {
        let registry = self.registry();
        let split_point = registry.split_point(id);
        let context = split_point.with_work(|work| work.context().clone());
        let own_state = *self.state();
        *self.state() = WorkerState { split_point: Some(id), aborted: false, ..own_state };
        let effort = self.search_for_owner(&context, |worker| worker.search_moves(id, &context));
        split_point.with_work(|work| work.add_effort(effort));
        registry.leave(id);
        *self.state() = own_state;
    }

    /// Helps other workers, and waits while none needs help, until `stop` returns true. `stop` is
    /// called with the lock of the registry, `activity` before and after each search.
    fn help(&mut self, stop: impl Fn() -> bool, activity: impl Fn(Activity)) {
        let worker_id = self.state().worker_id;
        while let Some(id) = self.registry().wait_for_work(worker_id, &stop) {
            activity(Activity::Busy);
            self.help_at(id);
            activity(Activity::Idle);
        }
    }
}
