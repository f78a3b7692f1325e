//! The split-point registry: idle workers and open split points find each other here.
//!
//! A worker without work waits in the registry. A worker that searches reads one counter, the
//! number of idle workers. If it is above zero and the node is worth splitting, the worker opens a
//! [split point](crate::search::parallel::split_point) and assigns idle workers to it. A single
//! thread never does, so it searches the same nodes as it would without parallel search.
//!
//! # Locks
//! One lock holds the state of the registry: which workers are idle, which split points are open,
//! and how many helpers each has. It is taken only to open or close a split point, and when a
//! helper joins or leaves. The moves of a split point are in the split point, under a lock of its
//! own. Code that holds a split point's lock must not take the registry's lock.
//!
//! Workers and split points are allocated once, for the life of the thread pool.
//!
//! The registry is generic over the work at a split point. So the models
//! (`src/search/parallel/models.rs`) can use work of a few steps, and try every order in which
//! threads may act.

use crossbeam_utils::CachePadded;

use crate::search::constants::{HELPERS_PER_SPLIT_POINT, SPLIT_POINTS_PER_WORKER};
use crate::search::parallel::split_point::{SplitPoint, SplitWork};
use crate::sync::{AtomicUsize, Condvar, Mutex, MutexGuard, Ordering};

/// The index of a worker in its thread pool, from 0.
pub(in crate::search) type WorkerId = usize;

/// The index of a split point. Worker w owns those from w · [`SPLIT_POINTS_PER_WORKER`] on.
pub(in crate::search) type SplitPointId = usize;

/// The workers and split points of a thread pool. `W` is the work at a split point.
#[derive(Debug)]
pub(in crate::search) struct SplitRegistry<W> {
    /// For each worker: the condition variable on which it waits, with the lock of `state`.
    wakeups: Box<[CachePadded<Condvar>]>,
    split_points: Box<[CachePadded<SplitPoint<W>>]>,
    state: Mutex<RegistryState>,
    /// The length of `state.idle`, which can be read without the lock.
    idle_count: CachePadded<AtomicUsize>,
}

/// The state of the workers and split points.
#[derive(Debug)]
struct RegistryState {
    idle: Vec<IdleWorker>,
    /// Split points that may have moves left and have room for helpers.
    open: Vec<SplitPointId>,
    /// For each worker: the split point that it was assigned to while it was idle.
    assigned: Box<[Option<SplitPointId>]>,
    /// For each split point: the number of its helpers.
    helpers: Box<[usize]>,
}

/// A worker that waits for work.
#[derive(Clone, Copy, Debug)]
struct IdleWorker {
    worker_id: WorkerId,
    /// The split point below which it may help; `None`: anywhere. An owner that waits for its
    /// helpers helps only below its own split point. Other work might take longer than theirs.
    within: Option<SplitPointId>,
}

impl<W: SplitWork> SplitRegistry<W> {
    /// A registry for this many `workers`.
    pub(in crate::search) fn new(workers: usize) -> SplitRegistry<W> {
        let split_points = if workers > 1 { workers * SPLIT_POINTS_PER_WORKER } else { 0 };
        SplitRegistry {
            wakeups: (0..workers).map(|_| CachePadded::default()).collect(),
            split_points: (0..split_points).map(|_| CachePadded::default()).collect(),
            state: Mutex::new(RegistryState {
                idle: Vec::with_capacity(workers),
                open: Vec::with_capacity(split_points),
                assigned: vec![None; workers].into(),
                helpers: vec![0; split_points].into(),
            }),
            idle_count: CachePadded::default(),
        }
    }

    /// The bytes of memory that the split points of each worker take.
    pub(in crate::search) const fn bytes_per_worker() -> usize {
        SPLIT_POINTS_PER_WORKER * size_of::<CachePadded<SplitPoint<W>>>()
    }

    /// The number of workers.
    pub(in crate::search) fn workers(&self) -> usize {
        self.wakeups.len()
    }

    /// Wakes all idle workers. Each evaluates its condition to stop waiting again.
    pub(in crate::search) fn wake_all(&self) {
        // A worker that has evaluated its condition and does not wait yet holds the lock. Without
        // the lock here it would miss the notification.
        drop(self.state.lock());
        for wakeup in &self.wakeups {
            wakeup.notify_one();
        }
    }

    #[inline(always)]
    pub(in crate::search) fn split_point(&self, id: SplitPointId) -> &SplitPoint<W> {
        &self.split_points[id]
    }

    /// Whether a worker is idle.
    #[inline(always)]
    pub(in crate::search) fn has_idle_workers(&self) -> bool {
        self.idle_count.load(Ordering::Relaxed) > 0
    }

    /// Whether a split point, or one above it, has a cut-off, so that searches below are useless.
    #[inline(always)]
    pub(in crate::search) fn has_cutoff(&self, mut id: Option<SplitPointId>) -> bool {
        while let Some(current) = id {
            let split_point = self.split_point(current);
            if split_point.has_cutoff() {
                return true;
            }
            id = split_point.parent();
        }
        false
    }

    /// Whether the split point `id` is `ancestor` or lies below it.
    fn is_within(&self, id: SplitPointId, ancestor: SplitPointId) -> bool {
        let mut current = Some(id);
        while let Some(id) = current {
            if id == ancestor {
                return true;
            }
            current = self.split_point(id).parent();
        }
        false
    }

    /// Opens a split point of a worker below `parent`, and assigns idle workers to it. `work` makes
    /// its work, with two moves or more.
    ///
    /// Returns `None` if no idle worker may help there, or if the worker has no free split point.
    pub(in crate::search) fn open(
        &self,
        worker_id: WorkerId,
        parent: Option<SplitPointId>,
        work: impl FnOnce() -> W,
    ) -> Option<SplitPointId> {
        let mut state = self.state.lock();
        let may_help = |idle: &IdleWorker| {
            idle.within.is_none_or(|ancestor| {
                parent.is_some_and(|parent| self.is_within(parent, ancestor))
            })
        };
        if !state.idle.iter().any(may_help) {
            return None;
        }
        let first = worker_id * SPLIT_POINTS_PER_WORKER;
        let mut own = first..first + SPLIT_POINTS_PER_WORKER;
        let id = own.find(|&id| self.split_point(id).claim())?;
        let work = work();
        let max_helpers = HELPERS_PER_SPLIT_POINT.min(work.moves_left() - 1);
        self.split_point(id).start(parent, work);
        let mut helpers = 0;
        while helpers < max_helpers
            && let Some(index) = state.idle.iter().position(may_help)
        {
            let idle = state.idle.swap_remove(index);
            state.assigned[idle.worker_id] = Some(id);
            self.wakeups[idle.worker_id].notify_one();
            helpers += 1;
        }
        state.helpers[id] = helpers;
        if helpers < max_helpers {
            state.open.push(id);
        }
        self.publish_idle_count(&state);
        Some(id)
    }

    /// Closes a split point: no further helper joins it.
    pub(in crate::search) fn close(&self, id: SplitPointId) {
        self.state.lock().open.retain(|&open| open != id);
    }

    /// Removes a helper from a split point. The last one to leave wakes the owner.
    pub(in crate::search) fn leave(&self, id: SplitPointId) {
        let mut state = self.state.lock();
        state.helpers[id] -= 1;
        if state.helpers[id] == 0 {
            self.wakeups[id / SPLIT_POINTS_PER_WORKER].notify_one();
        }
    }

    /// Waits until there is a split point that the worker can help at, and returns it. Returns
    /// `None` as soon as `stop` returns true. `stop` is called with the lock of the registry.
    pub(in crate::search) fn wait_for_work(
        &self,
        worker_id: WorkerId,
        stop: impl Fn() -> bool,
    ) -> Option<SplitPointId> {
        self.wait_until(self.state.lock(), IdleWorker { worker_id, within: None }, |_| stop())
    }

    /// Waits until there is a split point below the worker's own split point `id` that it can help
    /// at, and returns it. Returns `None` as soon as `id` has no helper left.
    pub(in crate::search) fn wait_for_helpers(
        &self,
        worker_id: WorkerId,
        id: SplitPointId,
    ) -> Option<SplitPointId> {
        let idle = IdleWorker { worker_id, within: Some(id) };
        self.wait_until(self.state.lock(), idle, |state| state.helpers[id] == 0)
    }

    fn wait_until(
        &self,
        mut state: MutexGuard<'_, RegistryState>,
        idle: IdleWorker,
        stop: impl Fn(&RegistryState) -> bool,
    ) -> Option<SplitPointId> {
        if stop(&state) {
            return None;
        }
        if let Some(id) = self.join_open_split_point(&mut state, idle) {
            return Some(id);
        }
        state.idle.push(idle);
        self.publish_idle_count(&state);
        loop {
            self.wakeups[idle.worker_id].wait(&mut state);
            // First, because an assigned worker is counted as a helper already.
            if let Some(id) = state.assigned[idle.worker_id].take() {
                return Some(id);
            }
            if stop(&state) {
                state.idle.retain(|other| other.worker_id != idle.worker_id);
                self.publish_idle_count(&state);
                return None;
            }
        }
    }

    /// Joins the open split point with the most empties, if there is one where the worker may help.
    fn join_open_split_point(
        &self,
        state: &mut RegistryState,
        idle: IdleWorker,
    ) -> Option<SplitPointId> {
        state.open.retain(|&id| self.split_point(id).has_moves());
        let eligible = state
            .open
            .iter()
            .copied()
            .filter(|&id| idle.within.is_none_or(|ancestor| self.is_within(id, ancestor)));
        let id = eligible.max_by_key(|&id| self.split_point(id).empties())?;
        state.helpers[id] += 1;
        if state.helpers[id] == HELPERS_PER_SPLIT_POINT {
            state.open.retain(|&open| open != id);
        }
        Some(id)
    }

    fn publish_idle_count(&self, state: &RegistryState) {
        self.idle_count.store(state.idle.len(), Ordering::Relaxed);
    }
}
