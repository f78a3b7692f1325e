//! Where threads that solve together find each other.
//!
//! Each thread has a *seat*. A thread without work sits idle on the board until another one, at a node worth dividing,
//! opens a *split point* there ([`split`](crate::search::parallel::split_point)) and calls it; a thread that searches looks at one counter,
//! which says whether somebody is idle, and at nothing else. So one thread alone searches exactly the same nodes as it
//! would without all this.
//!
//! Everything about *who is where* lies under one lock that is taken only when somebody comes, goes or divides work.
//! Everything about *the moves* of a split point is in the split point, under its own lock. Who holds a split point's
//! lock never asks for the board's. Seats and split points are made once.
//!
//! The board does not know what is done at its split points. So the models (`search::models`) can have something small
//! done there, and try every order in which threads may come and go.

use crossbeam_utils::CachePadded;

use crate::search::constants::{HELPERS_PER_SPLIT_POINT, SPLIT_POINTS_PER_WORKER};
use crate::search::parallel::split_point::{SplitPoint, Work};
use crate::sync::{AtomicUsize, Condvar, Mutex, MutexGuard, Ordering};

/// A seat's number.
pub(in crate::search) type WorkerId = usize;
/// A split point's number.
pub(in crate::search) type SplitPointId = usize;

/// The seats and split points of threads that solve together. `W` is what is done at a split point.
#[derive(Debug)]
pub(in crate::search) struct SplitRegistry<W> {
    /// For each seat: what wakes the thread that sits there. It waits with the lock of `places`.
    wakes: Box<[CachePadded<Condvar>]>,
    splits: Box<[CachePadded<SplitPoint<W>>]>,
    places: Mutex<RegistryState>,
    /// How many threads are idle: as `places` says, where everybody sees it.
    idle: CachePadded<AtomicUsize>,
}

/// Who is where.
#[derive(Debug)]
struct RegistryState {
    /// Threads without work.
    idle: Vec<IdleWorker>,
    /// Split points with moves that nobody has taken, and room for helpers.
    open: Vec<SplitPointId>,
    /// For each seat: the split point that the thread there was called to.
    called_to: Box<[Option<SplitPointId>]>,
    /// For each split point: how many help there.
    helpers: Box<[usize]>,
}

/// A thread without work.
#[derive(Clone, Copy, Debug)]
struct IdleWorker {
    worker_id: WorkerId,
    /// A thread that waits for the helpers at its own split point helps only those who work below it: anything else
    /// might keep it longer than they need.
    within: Option<SplitPointId>,
}

impl<W: Work> SplitRegistry<W> {
    /// A board with so many seats.
    pub(in crate::search) fn new(workers: usize) -> SplitRegistry<W> {
        let splits = if workers > 1 { workers * SPLIT_POINTS_PER_WORKER } else { 0 };
        SplitRegistry {
            wakes: (0..workers).map(|_| CachePadded::default()).collect(),
            splits: (0..splits).map(|_| CachePadded::default()).collect(),
            places: Mutex::new(RegistryState {
                idle: Vec::with_capacity(workers),
                open: Vec::with_capacity(splits),
                called_to: vec![None; workers].into(),
                helpers: vec![0; splits].into(),
            }),
            idle: CachePadded::default(),
        }
    }

    pub(in crate::search) fn workers(&self) -> usize {
        self.wakes.len()
    }

    /// Wakes those who have nothing to help with, so that they look whether they are wanted elsewhere.
    pub(in crate::search) fn wake_all(&self) {
        // Who has looked and not yet gone to sleep holds the lock.
        drop(self.places.lock());
        for wake in &self.wakes {
            wake.notify_one();
        }
    }

    #[inline(always)]
    pub(in crate::search) fn split_point(&self, split: SplitPointId) -> &SplitPoint<W> {
        &self.splits[split]
    }

    /// Whether a thread is idle.
    #[inline(always)]
    pub(in crate::search) fn has_idle_workers(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Whether work below `split` is in vain, because this split point or one above it was refuted.
    #[inline(always)]
    pub(in crate::search) fn has_cutoff(&self, mut split: Option<SplitPointId>) -> bool {
        while let Some(id) = split {
            let point = self.split_point(id);
            if point.has_cutoff() {
                return true;
            }
            split = point.parent();
        }
        false
    }

    /// Whether `split` is `above` or lies below it.
    fn is_within(&self, split: SplitPointId, above: SplitPointId) -> bool {
        let mut at = Some(split);
        while let Some(id) = at {
            if id == above {
                return true;
            }
            at = self.split_point(id).parent();
        }
        false
    }

    /// Opens a split point of the thread on `seat` below `parent`, and calls idle threads to it. `work` gives what is
    /// to be done there, with two moves or more. None if nobody is idle who may help there, or if the thread has no
    /// split point left.
    pub(in crate::search) fn open(
        &self,
        worker_id: WorkerId,
        parent: Option<SplitPointId>,
        work: impl FnOnce() -> W,
    ) -> Option<SplitPointId> {
        let mut places = self.places.lock();
        let may_help = |idle: &IdleWorker| {
            idle.within
                .is_none_or(|above| parent.is_some_and(|parent| self.is_within(parent, above)))
        };
        if !places.idle.iter().any(may_help) {
            return None;
        }
        let own = worker_id * SPLIT_POINTS_PER_WORKER;
        let id = (own..own + SPLIT_POINTS_PER_WORKER).find(|&id| self.split_point(id).take())?;
        let work = work();
        let most = HELPERS_PER_SPLIT_POINT.min(work.left() - 1);
        self.split_point(id).begin(parent, work);
        let mut called = 0;
        while called < most
            && let Some(place) = places.idle.iter().position(may_help)
        {
            let idle = places.idle.swap_remove(place);
            places.called_to[idle.worker_id] = Some(id);
            self.wakes[idle.worker_id].notify_one();
            called += 1;
        }
        places.helpers[id] = called;
        if called < most {
            places.open.push(id);
        }
        self.publish_idle(&places);
        Some(id)
    }

    /// Closes a split point to those who have not come yet.
    pub(in crate::search) fn close(&self, split: SplitPointId) {
        self.places.lock().open.retain(|&id| id != split);
    }

    /// A helper goes. The owner hears of the last one.
    pub(in crate::search) fn leave(&self, split: SplitPointId) {
        let mut places = self.places.lock();
        places.helpers[split] -= 1;
        if places.helpers[split] == 0 {
            self.wakes[split / SPLIT_POINTS_PER_WORKER].notify_one();
        }
    }

    /// What the thread on `seat` can help with. It waits until there is something, or until `enough` says that it need
    /// not wait.
    pub(in crate::search) fn wait(
        &self,
        worker_id: WorkerId,
        enough: impl Fn() -> bool,
    ) -> Option<SplitPointId> {
        self.wait_within(self.places.lock(), IdleWorker { worker_id, within: None }, |_| enough())
    }

    /// What the owner of a split point, on `seat`, can do for its helpers. It waits until there is something, or until
    /// no helper is left.
    pub(in crate::search) fn wait_for_helpers(
        &self,
        worker_id: WorkerId,
        split: SplitPointId,
    ) -> Option<SplitPointId> {
        self.wait_within(
            self.places.lock(),
            IdleWorker { worker_id, within: Some(split) },
            |places| places.helpers[split] == 0,
        )
    }

    fn wait_within(
        &self,
        mut places: MutexGuard<'_, RegistryState>,
        me: IdleWorker,
        enough: impl Fn(&RegistryState) -> bool,
    ) -> Option<SplitPointId> {
        if enough(&places) {
            return None;
        }
        if let Some(split) = self.join_open_split_point(&mut places, me) {
            return Some(split);
        }
        places.idle.push(me);
        self.publish_idle(&places);
        loop {
            self.wakes[me.worker_id].wait(&mut places);
            // Who was called must come, as the caller has counted on it.
            if let Some(split) = places.called_to[me.worker_id].take() {
                return Some(split);
            }
            if enough(&places) {
                places.idle.retain(|idle| idle.worker_id != me.worker_id);
                self.publish_idle(&places);
                return None;
            }
        }
    }

    /// Joins the open split point with the largest trees, if there is one.
    fn join_open_split_point(
        &self,
        places: &mut RegistryState,
        me: IdleWorker,
    ) -> Option<SplitPointId> {
        places.open.retain(|&id| self.split_point(id).has_moves());
        let eligible = places
            .open
            .iter()
            .copied()
            .filter(|&id| me.within.is_none_or(|above| self.is_within(id, above)));
        let split = eligible.max_by_key(|&id| self.split_point(id).empties())?;
        places.helpers[split] += 1;
        if places.helpers[split] == HELPERS_PER_SPLIT_POINT {
            places.open.retain(|&id| id != split);
        }
        Some(split)
    }

    fn publish_idle(&self, places: &RegistryState) {
        self.idle.store(places.idle.len(), Ordering::Relaxed);
    }
}
