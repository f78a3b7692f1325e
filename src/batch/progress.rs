//! The progress of a run, for a program that shows it. The library prints nothing.

use std::fmt::{self, Display};
use std::ops::AddAssign;

use super::cost::Cost;

/// Positions that are solved: what was predicted of them, and what they took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Finished {
    /// The number of positions.
    pub positions: u64,
    /// The sum of their predicted costs.
    pub cost: Cost,
    /// The sum of their node counts.
    pub nodes: u64,
}

impl Finished {
    /// Adds a position with its predicted cost and its node count.
    pub fn add(&mut self, cost: Cost, nodes: u64) {
        *self += Finished { positions: 1, cost, nodes };
    }
}

impl AddAssign for Finished {
    fn add_assign(&mut self, other: Finished) {
        self.positions += other.positions;
        self.cost += other.cost;
        self.nodes += other.nodes;
    }
}

/// Receives the progress of a run. Workers call [`begin`](Progress::begin) and
/// [`end`](Progress::end), the thread that writes calls the other methods; so they must be quick.
/// By default, each does nothing.
///
/// Costs are predicted costs in nodes ([`cost`](super::cost)). They are the measure of the
/// remaining work, since positions differ a hundredfold.
pub trait Progress: fmt::Debug + Sync {
    /// A worker begins positions with this predicted cost in total. Workers count from 0.
    fn begin(&self, worker: usize, cost: Cost) {
        let _ = (worker, cost);
    }

    /// A worker ends what it began last.
    fn end(&self, worker: usize) {
        let _ = worker;
    }

    /// The records of these positions are written.
    fn done(&self, finished: Finished) {
        let _ = finished;
    }

    /// A position has a record of an earlier run, so this predicted cost is not spent.
    fn resumed(&self, cost: Cost) {
        let _ = cost;
    }

    /// Calls `write`, which writes records. A display on the same terminal makes room for them.
    fn write_records(&self, write: &mut dyn FnMut()) {
        write();
    }

    /// A message about the input: an invalid line, an unreadable file.
    fn message(&self, message: &dyn Display) {
        let _ = message;
    }
}

impl dyn Progress + '_ {
    /// Calls `write` through [`Progress::write_records`], and returns its result.
    pub fn writing<R>(&self, write: impl FnOnce() -> R) -> R {
        let (mut write, mut result) = (Some(write), None);
        self.write_records(&mut || result = write.take().map(|write| write()));
        result.expect("`write_records` calls its argument")
    }
}

/// No display. Messages are dropped too.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {}
