//! Where threads that solve together find each other.
//!
//! Each thread has a *seat*. A thread without work sits idle on the board until another one, at a node worth dividing,
//! opens a *split point* there ([`split`](super::split)) and calls it; a thread that searches looks at one counter,
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

use super::constants::{HELPERS, SPLITS_OF_A_THREAD};
use super::split::{SplitPoint, Work};
use crate::sync::{AtomicUsize, Condvar, Mutex, MutexGuard, Ordering};

/// A seat's number.
pub(super) type SeatId = usize;
/// A split point's number.
pub(super) type SplitId = usize;

/// The seats and split points of threads that solve together. `W` is what is done at a split point.
#[derive(Debug)]
pub(super) struct Board<W> {
    /// For each seat: what wakes the thread that sits there. It waits with the lock of `places`.
    wakes: Box<[CachePadded<Condvar>]>,
    splits: Box<[CachePadded<SplitPoint<W>>]>,
    places: Mutex<Places>,
    /// How many threads are idle: as `places` says, where everybody sees it.
    idle: CachePadded<AtomicUsize>,
}

/// Who is where.
#[derive(Debug)]
struct Places {
    /// Threads without work.
    idle: Vec<Idle>,
    /// Split points with moves that nobody has taken, and room for helpers.
    open: Vec<SplitId>,
    /// For each seat: the split point that the thread there was called to.
    called_to: Box<[Option<SplitId>]>,
    /// For each split point: how many help there.
    helpers: Box<[usize]>,
}

/// A thread without work.
#[derive(Clone, Copy, Debug)]
struct Idle {
    seat: SeatId,
    /// A thread that waits for the helpers at its own split point helps only those who work below it: anything else
    /// might keep it longer than they need.
    within: Option<SplitId>,
}

impl<W: Work> Board<W> {
    /// A board with so many seats.
    pub(super) fn new(seats: usize) -> Board<W> {
        let splits = if seats > 1 { seats * SPLITS_OF_A_THREAD } else { 0 };
        Board {
            wakes: (0..seats).map(|_| CachePadded::default()).collect(),
            splits: (0..splits).map(|_| CachePadded::default()).collect(),
            places: Mutex::new(Places {
                idle: Vec::with_capacity(seats),
                open: Vec::with_capacity(splits),
                called_to: vec![None; seats].into(),
                helpers: vec![0; splits].into(),
            }),
            idle: CachePadded::default(),
        }
    }

    pub(super) fn seats(&self) -> usize {
        self.wakes.len()
    }

    /// Wakes those who have nothing to help with, so that they look whether they are wanted elsewhere.
    pub(super) fn nudge(&self) {
        // Who has looked and not yet gone to sleep holds the lock.
        drop(self.places.lock());
        for wake in &self.wakes {
            wake.notify_one();
        }
    }

    #[inline(always)]
    pub(super) fn split_point(&self, split: SplitId) -> &SplitPoint<W> {
        &self.splits[split]
    }

    /// Whether a thread is idle.
    #[inline(always)]
    pub(super) fn anybody_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Whether work below `split` is in vain, because this split point or one above it was refuted.
    #[inline(always)]
    pub(super) fn is_refuted(&self, mut split: Option<SplitId>) -> bool {
        while let Some(id) = split {
            let point = self.split_point(id);
            if point.is_refuted() {
                return true;
            }
            split = point.parent();
        }
        false
    }

    /// Whether `split` is `above` or lies below it.
    fn is_within(&self, split: SplitId, above: SplitId) -> bool {
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
    pub(super) fn open(&self, seat: SeatId, parent: Option<SplitId>, work: impl FnOnce() -> W) -> Option<SplitId> {
        let mut places = self.places.lock();
        let may_help =
            |idle: &Idle| idle.within.is_none_or(|above| parent.is_some_and(|parent| self.is_within(parent, above)));
        if !places.idle.iter().any(may_help) {
            return None;
        }
        let own = seat * SPLITS_OF_A_THREAD;
        let id = (own..own + SPLITS_OF_A_THREAD).find(|&id| self.split_point(id).take())?;
        let work = work();
        let most = HELPERS.min(work.left() - 1);
        self.split_point(id).begin(parent, work);
        let mut called = 0;
        while called < most
            && let Some(place) = places.idle.iter().position(may_help)
        {
            let idle = places.idle.swap_remove(place);
            places.called_to[idle.seat] = Some(id);
            self.wakes[idle.seat].notify_one();
            called += 1;
        }
        places.helpers[id] = called;
        if called < most {
            places.open.push(id);
        }
        self.tell_idle(&places);
        Some(id)
    }

    /// Closes a split point to those who have not come yet.
    pub(super) fn close(&self, split: SplitId) {
        self.places.lock().open.retain(|&id| id != split);
    }

    /// A helper goes. The owner hears of the last one.
    pub(super) fn leave(&self, split: SplitId) {
        let mut places = self.places.lock();
        places.helpers[split] -= 1;
        if places.helpers[split] == 0 {
            self.wakes[split / SPLITS_OF_A_THREAD].notify_one();
        }
    }

    /// What the thread on `seat` can help with. It waits until there is something, or until `enough` says that it need
    /// not wait.
    pub(super) fn wait(&self, seat: SeatId, enough: impl Fn() -> bool) -> Option<SplitId> {
        self.wait_within(self.places.lock(), Idle { seat, within: None }, |_| enough())
    }

    /// What the owner of a split point, on `seat`, can do for its helpers. It waits until there is something, or until
    /// no helper is left.
    pub(super) fn wait_for_helpers(&self, seat: SeatId, split: SplitId) -> Option<SplitId> {
        self.wait_within(self.places.lock(), Idle { seat, within: Some(split) }, |places| places.helpers[split] == 0)
    }

    fn wait_within(
        &self,
        mut places: MutexGuard<'_, Places>,
        me: Idle,
        enough: impl Fn(&Places) -> bool,
    ) -> Option<SplitId> {
        if enough(&places) {
            return None;
        }
        if let Some(split) = self.join_open(&mut places, me) {
            return Some(split);
        }
        places.idle.push(me);
        self.tell_idle(&places);
        loop {
            self.wakes[me.seat].wait(&mut places);
            // Who was called must come, as the caller has counted on it.
            if let Some(split) = places.called_to[me.seat].take() {
                return Some(split);
            }
            if enough(&places) {
                places.idle.retain(|idle| idle.seat != me.seat);
                self.tell_idle(&places);
                return None;
            }
        }
    }

    /// Joins the open split point with the largest trees, if there is one.
    fn join_open(&self, places: &mut Places, me: Idle) -> Option<SplitId> {
        places.open.retain(|&id| self.split_point(id).has_moves());
        let eligible =
            places.open.iter().copied().filter(|&id| me.within.is_none_or(|above| self.is_within(id, above)));
        let split = eligible.max_by_key(|&id| self.split_point(id).empties())?;
        places.helpers[split] += 1;
        if places.helpers[split] == HELPERS {
            places.open.retain(|&id| id != split);
        }
        Some(split)
    }

    fn tell_idle(&self, places: &Places) {
        self.idle.store(places.idle.len(), Ordering::Relaxed);
    }
}
