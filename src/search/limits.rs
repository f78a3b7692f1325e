//! When a search ends before it is done: limits on its nodes and its time, and a word from outside.
//!
//! Threads that work on one position share its [`Budget`]: each adds its nodes to it now and then, looks at the clock,
//! and ends its work when somebody has noted that the end has come. Every node with many empties asks
//! ([`SplitWorker::interrupted`](crate::search::parallel::split_point::SplitWorker::interrupted)), so it is noticed within a fraction of a millisecond. What
//! is unwound then is neither believed nor stored.

use std::time::{Duration, Instant};

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
pub enum StopReason {
    /// [`Limits::nodes`] were searched.
    Nodes,
    /// [`Limits::time`] was over.
    Time,
    /// The crew was told to stop ([`ThreadPool::stop`](super::ThreadPool::stop)).
    Aborted,
}

/// How many nodes a thread searches between two looks at the limits.
const NODES_BETWEEN_CHECKS: u64 = 1 << 14;

/// What the threads that work on one position know of its limits.
#[derive(Debug, Default)]
pub(super) struct Budget {
    /// Nodes that all threads have told of.
    nodes: AtomicU64,
    /// The limit of nodes.
    most: AtomicU64,
    /// The end, in nanoseconds after the crew's beginning.
    end: AtomicU64,
    /// 0 while the search goes on; else why it ends.
    stopped: AtomicU8,
}

impl Budget {
    /// Begins to count for a search. `beginning` is the crew's.
    pub(super) fn open(&self, limits: &Limits, beginning: Instant) {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let end = limits
            .time
            .map_or(u64::MAX, |time| nanoseconds(beginning.elapsed().saturating_add(time)));
        self.nodes.store(0, Ordering::Relaxed);
        self.most.store(limits.nodes.unwrap_or(u64::MAX), Ordering::Relaxed);
        self.end.store(end, Ordering::Relaxed);
        self.stopped.store(0, Ordering::Relaxed);
    }

    /// Notes that the search ends. The first reason is kept.
    fn stop(&self, why: StopReason) {
        let _ =
            self.stopped.compare_exchange(0, 1 + why as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why the search ends, if it does.
    pub(super) fn stopped(&self) -> Option<StopReason> {
        match self.stopped.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(StopReason::Nodes),
            2 => Some(StopReason::Time),
            _ => Some(StopReason::Aborted),
        }
    }

    /// Adds nodes, and looks whether a limit is reached.
    pub(super) fn add(&self, nodes: u64, beginning: Instant, called: &AtomicBool) {
        let all = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let end = self.end.load(Ordering::Relaxed);
        if all >= self.most.load(Ordering::Relaxed) {
            self.stop(StopReason::Nodes);
        } else if end != u64::MAX && beginning.elapsed() >= Duration::from_nanos(end) {
            self.stop(StopReason::Time);
        } else if called.load(Ordering::Relaxed) {
            self.stop(StopReason::Aborted);
        }
    }

    /// After how many nodes a thread is to look at the limits again.
    pub(super) fn check_interval(&self) -> u64 {
        NODES_BETWEEN_CHECKS.min(self.most.load(Ordering::Relaxed) / 8)
    }
}
