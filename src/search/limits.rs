//! Node limits, time limits and aborts.
//!
//! The workers that search one root position share its [`Budget`]. Each adds its nodes to it at
//! intervals, and compares the sum and the clock with the limits. The first worker that finds a
//! limit exceeded stores the reason. Every node with many empties reads it
//! (`SplitWorker::should_abort` in `src/search/parallel/split_point.rs`), so all workers abort
//! within a fraction of a millisecond. Results of aborted searches are neither used nor stored.

use std::time::{Duration, Instant};

use crate::othello::Square;
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

/// What a null window at the root has shown, for people who watch a search. Only the exact pass
/// proves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WindowResult {
    /// The number of empties: the depth of the search.
    pub empties: u32,
    /// The ProbCut margin of the pass in tenths of a standard deviation; `None` in the exact pass.
    pub margin: Option<u32>,
    /// The bounds of the score that the pass has found so far.
    pub lower: i32,
    /// See `lower`.
    pub upper: i32,
    /// The hash move of the root.
    pub best_move: Option<Square>,
    /// The nodes of the search so far, in units of 2^20.
    pub mega_nodes: u64,
}

impl WindowResult {
    /// The packed value before the first result.
    const NONE: u64 = 0;
    /// The packed margin of the exact pass.
    const EXACT: u64 = 0xff;
    /// The packed square if there is none.
    const NO_SQUARE: u64 = 64;
    /// The largest number of nodes that is packed.
    const MOST_NODES: u64 = (1 << 26) - 1;

    /// The result as one word, so that it is read as a whole.
    fn pack(self) -> u64 {
        let score = |score: i32| (score.clamp(-64, 64) + 64) as u64;
        let margin = self.margin.map_or(WindowResult::EXACT, u64::from);
        let square = self.best_move.map_or(WindowResult::NO_SQUARE, |square| square.index() as u64);
        margin << 56
            | score(self.lower) << 48
            | score(self.upper) << 40
            | square << 32
            | u64::from(self.empties) << 26
            | self.mega_nodes.min(WindowResult::MOST_NODES)
    }

    fn unpack(packed: u64) -> Option<WindowResult> {
        let byte = |shift: u32| packed >> shift & 0xff;
        (packed != WindowResult::NONE).then(|| WindowResult {
            empties: (packed >> 26 & 0x3f) as u32,
            margin: Some(byte(56)).filter(|m| *m != WindowResult::EXACT).map(|m| m as u32),
            lower: byte(48) as i32 - 64,
            upper: byte(40) as i32 - 64,
            best_move: Some(byte(32) as u8).filter(|square| *square < 64).map(Square::new),
            mega_nodes: packed & WindowResult::MOST_NODES,
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
    /// The last [`WindowResult`], packed.
    window_result: AtomicU64,
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
        self.window_result.store(WindowResult::NONE, Ordering::Relaxed);
    }

    /// Stores a milestone of the search for the score, of which the caller has taken `unflushed`
    /// nodes that are not in the budget. Searches of single moves after it have none.
    pub(super) fn reach(&self, passes_left: u32, score: i32, unflushed: u64) {
        if self.milestone.load(Ordering::Relaxed) != Milestone::OVER {
            let milestone = Milestone { passes_left, score, nodes: self.nodes() + unflushed };
            self.milestone.store(milestone.pack(), Ordering::Relaxed);
        }
    }

    /// Stores what a null window of the search for the score has shown.
    pub(super) fn window_ends(&self, result: WindowResult) {
        if self.milestone.load(Ordering::Relaxed) != Milestone::OVER {
            self.window_result.store(result.pack(), Ordering::Relaxed);
        }
    }

    /// What the last null window has shown; `None` before the first one.
    pub(super) fn window_result(&self) -> Option<WindowResult> {
        WindowResult::unpack(self.window_result.load(Ordering::Relaxed))
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
        self.window_result.store(WindowResult::NONE, Ordering::Relaxed);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_windows_are_packed_and_unpacked() {
        let result = WindowResult {
            empties: 30,
            margin: Some(11),
            lower: -64,
            upper: 14,
            best_move: Some(Square::new(63)),
            mega_nodes: 123_456,
        };
        let exact = WindowResult { margin: None, best_move: None, lower: 14, ..result };
        for result in [result, exact] {
            assert_eq!(WindowResult::unpack(result.pack()), Some(result));
        }
        assert_eq!(WindowResult::unpack(WindowResult::NONE), None);
    }
}
