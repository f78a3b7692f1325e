//! When a search ends before it is done: limits on its nodes and its time, and a word from outside.
//!
//! Threads that work on one position share its [`Account`]: each adds its nodes to it now and then, looks at the clock,
//! and ends its work when somebody has noted that the end has come. Every node with many empties asks
//! ([`Hand::interrupted`](super::split::Hand::interrupted)), so it is noticed within a fraction of a millisecond. What
//! is unwound then is neither believed nor stored.

use std::time::{Duration, Instant};

use super::worker::Worker;
use crate::sync::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// How far a search may go. Nothing is limited by default.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// It ends soon after so many nodes: within a hundred thousand more for each thread. The line of play counts.
    pub nodes: Option<u64>,
    /// It ends after so long.
    pub time: Option<Duration>,
}

impl Limits {
    /// No limits.
    pub const NONE: Limits = Limits { nodes: None, time: None };
}

/// Why a search ended before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// [`Limits::nodes`] were searched.
    Nodes,
    /// [`Limits::time`] was over.
    Time,
    /// The crew was told to stop ([`Crew::stop`](super::Crew::stop)).
    Called,
}

/// How many nodes a thread searches between two looks at the limits.
const BETWEEN_LOOKS: u64 = 1 << 14;

/// What the threads that work on one position know of its limits.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// Nodes that all threads have told of.
    nodes: AtomicU64,
    /// The limit of nodes.
    most: AtomicU64,
    /// The end, in nanoseconds after the crew's beginning.
    end: AtomicU64,
    /// 0 while the search goes on; else why it ends.
    stopped: AtomicU8,
}

impl Account {
    /// Begins to count for a search. `beginning` is the crew's.
    pub(super) fn open(&self, limits: &Limits, beginning: Instant) {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let end = limits.time.map_or(u64::MAX, |time| nanoseconds(beginning.elapsed().saturating_add(time)));
        self.nodes.store(0, Ordering::Relaxed);
        self.most.store(limits.nodes.unwrap_or(u64::MAX), Ordering::Relaxed);
        self.end.store(end, Ordering::Relaxed);
        self.stopped.store(0, Ordering::Relaxed);
    }

    /// Notes that the search ends. The first reason is kept.
    fn stop(&self, why: Stopped) {
        let _ = self.stopped.compare_exchange(0, 1 + why as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why the search ends, if it does.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        match self.stopped.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Stopped::Nodes),
            2 => Some(Stopped::Time),
            _ => Some(Stopped::Called),
        }
    }

    /// Adds nodes, and looks whether a limit is reached.
    pub(super) fn add(&self, nodes: u64, beginning: Instant, called: &AtomicBool) {
        let all = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let end = self.end.load(Ordering::Relaxed);
        if all >= self.most.load(Ordering::Relaxed) {
            self.stop(Stopped::Nodes);
        } else if end != u64::MAX && beginning.elapsed() >= Duration::from_nanos(end) {
            self.stop(Stopped::Time);
        } else if called.load(Ordering::Relaxed) {
            self.stop(Stopped::Called);
        }
    }

    /// After how many nodes a thread is to look at the limits again.
    fn between_looks(&self) -> u64 {
        BETWEEN_LOOKS.min(self.most.load(Ordering::Relaxed) / 8)
    }
}

impl Worker<'_> {
    /// Begins to work within limits.
    pub(super) fn limit(&mut self, limits: &Limits) {
        self.account().open(limits, self.crew.beginning());
        self.tell_all_nodes(0);
    }

    /// Tells the account of this thread's nodes, of which there are `nodes` in all, if there are enough to tell.
    #[inline(always)]
    pub(super) fn tell_nodes(&mut self, nodes: u64) {
        if nodes - self.told >= self.next_look {
            self.tell_all_nodes(nodes);
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn tell_all_nodes(&mut self, nodes: u64) {
        let account = self.account();
        account.add(nodes - self.told, self.crew.beginning(), self.crew.called());
        let next_look = account.between_looks();
        (self.told, self.next_look) = (nodes, next_look);
    }

    /// The account of the position that this thread works on.
    #[inline(always)]
    pub(super) fn account(&self) -> &Account {
        self.crew.account(self.task)
    }
}
