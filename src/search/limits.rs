//! Node limits, time limits and aborts.
//!
//! The workers that search one root position share its [`Budget`]. Each adds its nodes to it at
//! intervals, and compares the sum and the clock with the limits. The first worker that finds a
//! limit exceeded stores the reason. Every node with many empties reads it
//! (`SplitWorker::should_abort` in `src/search/parallel/split_point.rs`), so all workers abort
//! within a fraction of a millisecond. Results of aborted searches are neither used nor stored.

use std::time::{Duration, Instant};

use crate::sync::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// The limits of a search. The default is no limits.
///
/// ```
/// use yose::{Limits, Options, Position, Solver, StopReason};
///
/// let limits = Limits { nodes: Some(1000), ..Limits::NONE };
/// let mut solver = Solver::builder().threads(1).table_bytes(1 << 20).build()?;
/// // The whole game is too large for any solver.
/// let options = Options { limits, ..Options::default() };
/// let solution = solver.solve_with(&Position::START, &options);
/// assert_eq!(solution.stopped, Some(StopReason::Nodes));
/// # Ok::<(), yose::SolverError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// The node limit. The search ends within a hundred thousand nodes for each thread after it.
    /// The nodes of the principal variation count too.
    pub nodes: Option<u64>,
    /// The time limit.
    pub time: Option<Duration>,
}

impl Limits {
    /// No limits.
    pub const NONE: Limits = Limits { nodes: None, time: None };
}

/// The reason for which a search ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The node limit, [`Limits::nodes`].
    Nodes,
    /// The time limit, [`Limits::time`].
    Time,
    /// A call of [`ThreadPool::abort`](super::ThreadPool::abort).
    Aborted,
}

/// The largest number of nodes between two checks of the limits by one worker.
const NODES_BETWEEN_CHECKS: u64 = 1 << 14;

/// The end of a selective pass: how far a search has come. Searches of fewer empties than have
/// selective passes reach no milestone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Milestone {
    /// The number of selective passes that follow, before the exact pass.
    pub passes_left: u32,
    /// The score that the pass has found. It is not proven.
    pub score: i32,
    /// The nodes of the search so far.
    pub nodes: u64,
}

impl Milestone {
    /// The bits of a packed milestone that hold its nodes.
    const NODES: u64 = (1 << 48) - 1;
    /// The packed value before the first milestone.
    const NONE: u64 = 0;
    /// The packed value when the score is found.
    const OVER: u64 = u64::MAX;

    /// The milestone as one word, so that it is read as a whole.
    fn pack(self) -> u64 {
        let score = (self.score.clamp(-64, 64) + 64) as u64;
        (u64::from(self.passes_left) + 1) << 56 | score << 48 | self.nodes.min(Milestone::NODES)
    }

    fn unpack(packed: u64) -> Option<Milestone> {
        (packed != Milestone::NONE && packed != Milestone::OVER).then(|| Milestone {
            passes_left: (packed >> 56) as u32 - 1,
            score: (packed >> 48 & 0xff) as i32 - 64,
            nodes: packed & Milestone::NODES,
        })
    }
}

/// The budget of one root position: its limits, and what is used of them.
#[derive(Debug, Default)]
pub(super) struct Budget {
    /// The nodes that workers have added.
    nodes: AtomicU64,
    /// The node limit, or `u64::MAX`.
    node_limit: AtomicU64,
    /// The end of the time limit in nanoseconds since the pool was made, or `u64::MAX`.
    deadline: AtomicU64,
    /// 0 while the search continues; else 1 + the [`StopReason`].
    stop_reason: AtomicU8,
    /// The last [`Milestone`], packed.
    milestone: AtomicU64,
}

impl Budget {
    /// Starts the budget of a new search. `started` is the time from which deadlines count.
    pub(super) fn start(&self, limits: &Limits, started: Instant) {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let deadline = limits
            .time
            .map_or(u64::MAX, |time| nanoseconds(started.elapsed().saturating_add(time)));
        self.nodes.store(0, Ordering::Relaxed);
        self.node_limit.store(limits.nodes.unwrap_or(u64::MAX), Ordering::Relaxed);
        self.deadline.store(deadline, Ordering::Relaxed);
        self.stop_reason.store(0, Ordering::Relaxed);
        self.milestone.store(Milestone::NONE, Ordering::Relaxed);
    }

    /// Stores a milestone of the search for the score, of which the caller has taken `unflushed`
    /// nodes that are not in the budget. Searches of single moves after it have none.
    pub(super) fn reach(&self, passes_left: u32, score: i32, unflushed: u64) {
        if self.milestone.load(Ordering::Relaxed) != Milestone::OVER {
            let milestone = Milestone { passes_left, score, nodes: self.nodes() + unflushed };
            self.milestone.store(milestone.pack(), Ordering::Relaxed);
        }
    }

    /// The score is found.
    pub(super) fn score_is_found(&self) {
        self.milestone.store(Milestone::OVER, Ordering::Relaxed);
    }

    /// The last milestone. `None` before the first one, and when the score is found.
    pub(super) fn milestone(&self) -> Option<Milestone> {
        Milestone::unpack(self.milestone.load(Ordering::Relaxed))
    }

    /// Ends the search for this reason. Only the first reason is kept.
    fn stop(&self, reason: StopReason) {
        let reason = 1 + reason as u8;
        let _ = self.stop_reason.compare_exchange(0, reason, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The reason for which the search ends, or `None` while it continues.
    pub(super) fn stop_reason(&self) -> Option<StopReason> {
        match self.stop_reason.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(StopReason::Nodes),
            2 => Some(StopReason::Time),
            _ => Some(StopReason::Aborted),
        }
    }

    /// Ends the search: no nodes count any more.
    pub(super) fn finish(&self) {
        self.nodes.store(0, Ordering::Relaxed);
        self.milestone.store(Milestone::NONE, Ordering::Relaxed);
    }

    /// The nodes that workers have added so far. 0 if no search runs.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds nodes, and checks the limits and the `abort_flag` of the pool.
    pub(super) fn add_nodes(&self, nodes: u64, started: Instant, abort_flag: &AtomicBool) {
        let total = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let deadline = self.deadline.load(Ordering::Relaxed);
        if total >= self.node_limit.load(Ordering::Relaxed) {
            self.stop(StopReason::Nodes);
        } else if deadline != u64::MAX && started.elapsed() >= Duration::from_nanos(deadline) {
            self.stop(StopReason::Time);
        } else if abort_flag.load(Ordering::Relaxed) {
            self.stop(StopReason::Aborted);
        }
    }

    /// The number of nodes after which a worker must check the limits again.
    pub(super) fn check_interval(&self) -> u64 {
        NODES_BETWEEN_CHECKS.min(self.node_limit.load(Ordering::Relaxed) / 8)
    }
}
