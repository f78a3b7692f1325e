//! Counting nodes, the measure of a search that is the same on every machine.
//!
//! A node is: every position entered above three empties (by a move or by a pass), every child looked at to order moves or
//! to find a cut-off by the table or by stable discs, and every call of the solvers for three, two and one empty squares. So count Edax and Neural
//! Reversi, and figures may be set side by side.

/// Nodes by their number of empties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeCounts([u64; 65]);

impl Default for NodeCounts {
    fn default() -> NodeCounts {
        NodeCounts([0; 65])
    }
}

impl NodeCounts {
    /// One more node with this many empties.
    #[inline(always)]
    pub(super) fn count(&mut self, empties: u32) {
        self.0[empties as usize] += 1;
    }

    /// Adds what was counted elsewhere.
    pub(super) fn add(&mut self, other: &NodeCounts) {
        for (count, other) in self.0.iter_mut().zip(other.0) {
            *count += other;
        }
    }

    /// All nodes.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The nodes by empties, 0 to 64.
    pub fn by_empties(&self) -> &[u64; 65] {
        &self.0
    }
}
