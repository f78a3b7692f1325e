//! Counts of what the search does at each node, for [`Statistics`](super::statistics::Statistics).
//!
//! Without the feature `stats` every method here is empty and costs nothing.

#[cfg(feature = "stats")]
use crate::search::search_pass::SearchPass;
use crate::search::worker::Worker;

/// How the result of a node was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum NodeOutcome {
    /// A stability cut-off.
    Stability,
    /// A cut-off by the node's entry in a table.
    Table,
    /// A cut-off by a child's stable discs, or by its entry in a table.
    Child,
    /// A fail high of the n-th move that was searched, from 1.
    Cut(u32),
    /// All moves failed low.
    All,
}

/// The node counts at the entry of a node and at the start of its last move.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct NodeTally {
    #[cfg(feature = "stats")]
    at_entry: u64,
    #[cfg(feature = "stats")]
    at_move: u64,
}

impl Worker<'_> {
    /// Starts the tally of a node.
    #[inline(always)]
    pub(in crate::search) fn begin_node(&self) -> NodeTally {
        NodeTally {
            #[cfg(feature = "stats")]
            at_entry: self.nodes.total(),
            #[cfg(feature = "stats")]
            at_move: 0,
        }
    }

    /// Marks the start of the node's next move.
    #[inline(always)]
    pub(in crate::search) fn begin_move(&self, _tally: &mut NodeTally) {
        #[cfg(feature = "stats")]
        {
            _tally.at_move = self.nodes.total();
        }
    }

    /// Adds a node to the statistics. Nodes of selective passes are not counted.
    #[inline(always)]
    pub(in crate::search) fn end_node(
        &mut self,
        _tally: &NodeTally,
        _empties: u32,
        _outcome: NodeOutcome,
    ) {
        #[cfg(feature = "stats")]
        if self.search_pass == SearchPass::Exact {
            let now = self.nodes.total();
            let row = &mut self.statistics.rows[_empties as usize];
            row.entered += 1;
            match _outcome {
                NodeOutcome::Stability => row.stability_cuts += 1,
                NodeOutcome::Table => row.table_cuts += 1,
                NodeOutcome::Child => row.child_cuts += 1,
                NodeOutcome::All => row.all_nodes += 1,
                NodeOutcome::Cut(searched) => {
                    row.cuts += 1;
                    row.first_cuts += u64::from(searched == 1);
                    row.cut_tree += now - _tally.at_entry;
                    // The nodes of move ordering are not waste of the moves before.
                    row.waste += if searched > 1 { _tally.at_move - _tally.at_entry } else { 0 };
                }
            }
        }
    }

    /// Adds the nodes of a search pass, which began at a node count of `before`.
    pub(in crate::search) fn count_pass_nodes(&mut self, _name: &str, _before: u64) {
        #[cfg(feature = "stats")]
        {
            let nodes = self.nodes.total() - _before;
            self.statistics.add_search_pass(_name, nodes);
        }
    }
}
