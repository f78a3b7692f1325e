//! What the threads that solve together share: the table, and the board on which they find each other.
//!
//! Each thread has a *seat*. A thread without work sits idle on the board until another one, at a node worth dividing, opens a
//! *split point* there ([`split`](super::split)) and calls it; a thread that searches looks at one counter, which says whether
//! somebody is idle, and at nothing else. So one thread alone searches exactly the same nodes as it would without all this.
//!
//! Everything about *who is where* is in the board, under one lock that is taken only when somebody comes, goes or divides work. Everything
//! about *the moves* of a split point is in the split point, under its own lock. Who holds a split point's lock never asks for the board's.
//! Seats and split points are made once, with the crew.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use crossbeam_utils::CachePadded;
use parking_lot::{Condvar, Mutex, MutexGuard};

use super::constants::{HELPERS, SPLITS_OF_A_THREAD};
use super::limits::Account;
use super::solution::Config;
use super::split::SplitPoint;
use crate::table::{SharedTable, TableError};

/// A seat's number.
pub(super) type SeatId = usize;
/// A split point's number.
pub(super) type SplitId = usize;

/// What the solvers of a crew share. It is made with them ([`Solver::crew`](super::Solver::crew)).
#[derive(Debug)]
pub struct Crew {
    pub(super) config: Config,
    pub(super) table: SharedTable,
    seats: Box<[CachePadded<Seat>]>,
    splits: Box<[CachePadded<SplitPoint>]>,
    board: Mutex<Board>,
    /// How many threads are idle: the board's own number, where everybody sees it.
    idle: CachePadded<AtomicUsize>,
    /// Whether everybody is to stop.
    called: AtomicBool,
    beginning: Instant,
}

/// A thread's place.
#[derive(Debug, Default)]
struct Seat {
    /// Wakes the thread that sits here. It waits with the board's lock.
    wake: Condvar,
    /// The limits of the position that this thread solves.
    account: Account,
}

/// Who is where.
#[derive(Debug)]
struct Board {
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
    /// A thread that waits for the helpers at its own split point helps only those who work below it: anything else might keep it
    /// longer than they need.
    within: Option<SplitId>,
}

impl Crew {
    /// A crew with so many seats, and a fresh table.
    ///
    /// # Errors
    /// If the memory for the table cannot be had.
    pub(super) fn new(config: Config, seats: usize) -> Result<Crew, TableError> {
        let table = SharedTable::new(config.table_bytes)?;
        let splits = if seats > 1 { seats * SPLITS_OF_A_THREAD } else { 0 };
        Ok(Crew {
            config,
            table,
            seats: (0..seats).map(|_| CachePadded::default()).collect(),
            splits: (0..splits).map(|_| CachePadded::default()).collect(),
            board: Mutex::new(Board {
                idle: Vec::with_capacity(seats),
                open: Vec::with_capacity(splits),
                called_to: vec![None; seats].into(),
                helpers: vec![0; splits].into(),
            }),
            idle: CachePadded::default(),
            called: AtomicBool::new(false),
            beginning: Instant::now(),
        })
    }

    /// How many solvers the crew has.
    pub fn seats(&self) -> usize {
        self.seats.len()
    }

    /// Has everybody stop, now and from now on: searches end within a fraction of a millisecond and tell what is proven so far.
    pub fn stop(&self) {
        self.called.store(true, Ordering::Relaxed);
        self.nudge();
    }

    /// Whether [`Crew::stop`] was called.
    pub fn stopped(&self) -> bool {
        self.called.load(Ordering::Relaxed)
    }

    /// Wakes those who have nothing to help with, so that they look whether they are wanted elsewhere.
    pub fn nudge(&self) {
        // Who has looked and not yet gone to sleep holds the lock.
        drop(self.board.lock());
        for seat in &self.seats {
            seat.wake.notify_one();
        }
    }

    pub(super) fn called(&self) -> &AtomicBool {
        &self.called
    }

    pub(super) fn beginning(&self) -> Instant {
        self.beginning
    }

    #[inline(always)]
    pub(super) fn account(&self, seat: SeatId) -> &Account {
        &self.seats[seat].account
    }

    #[inline(always)]
    pub(super) fn split_point(&self, split: SplitId) -> &SplitPoint {
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

    /// Opens a split point of the thread on `seat` below `parent`, and calls idle threads to it. `begin` writes the work down in it.
    /// None if nobody is idle who may help there, or if the thread has no split point left.
    pub(super) fn open(
        &self,
        seat: SeatId,
        parent: Option<SplitId>,
        moves: usize,
        begin: impl FnOnce(&SplitPoint),
    ) -> Option<SplitId> {
        let mut board = self.board.lock();
        let may_help =
            |idle: &Idle| idle.within.is_none_or(|above| parent.is_some_and(|parent| self.is_within(parent, above)));
        if !board.idle.iter().any(may_help) {
            return None;
        }
        let own = seat * SPLITS_OF_A_THREAD;
        let id = (own..own + SPLITS_OF_A_THREAD).find(|&id| self.split_point(id).take())?;
        begin(self.split_point(id));
        let most = HELPERS.min(moves - 1);
        let mut called = 0;
        while called < most
            && let Some(place) = board.idle.iter().position(may_help)
        {
            let idle = board.idle.swap_remove(place);
            board.called_to[idle.seat] = Some(id);
            self.seats[idle.seat].wake.notify_one();
            called += 1;
        }
        board.helpers[id] = called;
        if called < most {
            board.open.push(id);
        }
        self.tell_idle(&board);
        Some(id)
    }

    /// Closes a split point to those who have not come yet.
    pub(super) fn close(&self, split: SplitId) {
        self.board.lock().open.retain(|&id| id != split);
    }

    /// A helper goes. The owner hears of the last one.
    pub(super) fn leave(&self, split: SplitId) {
        let mut board = self.board.lock();
        board.helpers[split] -= 1;
        if board.helpers[split] == 0 {
            self.seats[split / SPLITS_OF_A_THREAD].wake.notify_one();
        }
    }

    /// What the thread on `seat` can help with. It waits until there is something, or until `enough` says that it need not wait.
    pub(super) fn wait(&self, seat: SeatId, enough: impl Fn() -> bool) -> Option<SplitId> {
        self.wait_within(self.board.lock(), Idle { seat, within: None }, |_| enough())
    }

    /// What the owner of a split point, on `seat`, can do for its helpers. It waits until there is something, or until no helper is left.
    pub(super) fn wait_for_helpers(&self, seat: SeatId, split: SplitId) -> Option<SplitId> {
        self.wait_within(self.board.lock(), Idle { seat, within: Some(split) }, |board| board.helpers[split] == 0)
    }

    fn wait_within(
        &self,
        mut board: MutexGuard<'_, Board>,
        me: Idle,
        enough: impl Fn(&Board) -> bool,
    ) -> Option<SplitId> {
        if enough(&board) {
            return None;
        }
        if let Some(split) = self.join_open(&mut board, me) {
            return Some(split);
        }
        board.idle.push(me);
        self.tell_idle(&board);
        loop {
            self.seats[me.seat].wake.wait(&mut board);
            // Who was called must come, as the caller has counted on it.
            if let Some(split) = board.called_to[me.seat].take() {
                return Some(split);
            }
            if enough(&board) {
                board.idle.retain(|idle| idle.seat != me.seat);
                self.tell_idle(&board);
                return None;
            }
        }
    }

    /// Joins the open split point with the largest trees, if there is one.
    fn join_open(&self, board: &mut Board, me: Idle) -> Option<SplitId> {
        board.open.retain(|&id| self.split_point(id).has_moves());
        let eligible = board.open.iter().copied().filter(|&id| me.within.is_none_or(|above| self.is_within(id, above)));
        let split = eligible.max_by_key(|&id| self.split_point(id).empties())?;
        board.helpers[split] += 1;
        if board.helpers[split] == HELPERS {
            board.open.retain(|&id| id != split);
        }
        Some(split)
    }

    fn tell_idle(&self, board: &Board) {
        self.idle.store(board.idle.len(), Ordering::Relaxed);
    }
}
