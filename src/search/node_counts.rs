//! Node counts, the measure of a search that is the same on every machine.
//!
//! These count as one node each:
//!
//! - a position with four or more empties that the search enters, by a move or by a pass,
//! - a child that is made for move ordering, for a table look-up or for its stable discs,
//! - a call of the solver for three, two or one empty squares.
//!
//! Edax and Neural Reversi count in the same way, so their figures can be compared.

/// The numbers of nodes by empties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeCounts([u64; 65]);

impl Default for NodeCounts {
    fn default() -> NodeCounts {
        NodeCounts([0; 65])
    }
}

impl NodeCounts {
    /// Counts one node with this many `empties`.
    #[inline(always)]
    pub(super) fn count(&mut self, empties: u32) {
        self.0[empties as usize] += 1;
    }

    /// Adds the counts of `other`.
    pub(super) fn add(&mut self, other: &NodeCounts) {
        for (count, other) in self.0.iter_mut().zip(other.0) {
            *count += other;
        }
    }

    /// The number of all nodes.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The numbers of nodes with 0 to 64 empties.
    pub fn by_empties(&self) -> &[u64; 65] {
        &self.0
    }
}
