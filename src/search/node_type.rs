//! The predicted type of a node, after Knuth and Moore (1975): cut node or all-node.
//!
//! In a tree of null windows the types alternate along a path. A move that fails high is followed
//! by an all-node, where no reply does. Where the evaluation of a position lies far from alpha, its
//! type is known before anything is searched. At an all-node every move must be searched, in
//! whatever order, so the work of ordering the moves and of probing the table for each child is
//! saved.
//!
//! The search uses the prediction from 7 to 12 empties ([`crate::search::nodes::middle`]). A wrong
//! prediction costs time and never changes a result. Stockfish's `cutNode` is the same idea; it
//! follows from the place in the tree alone.
//!
//! Source: D. E. Knuth and R. W. Moore, "An Analysis of Alpha-Beta Pruning", Artificial
//! Intelligence 6 (1975), <https://doi.org/10.1016/0004-3702(75)90019-3>.

use crate::eval::UNIT;
use crate::search::constants::NODE_TYPE_MARGIN;

/// The predicted type of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeType {
    /// Some move fails high.
    Cut,
    /// No move fails high, so all of them must be searched.
    All,
    /// Either.
    Unknown,
}

impl NodeType {
    /// The type of a node from its evaluation, in units of 1 / [`UNIT`] disc, and alpha, in discs;
    /// both for its side to move.
    #[inline(always)]
    pub(super) fn of(value: i32, alpha: i32) -> NodeType {
        NodeType::of_margin(value - alpha * UNIT)
    }

    /// The type of a node whose evaluation lies this far above alpha, in units of 1 / [`UNIT`]
    /// disc.
    #[inline(always)]
    fn of_margin(margin: i32) -> NodeType {
        if margin > NODE_TYPE_MARGIN {
            NodeType::Cut
        } else if margin < -NODE_TYPE_MARGIN {
            NodeType::All
        } else {
            NodeType::Unknown
        }
    }

    /// The type of the child after a move, when `searched` siblings were searched before it. If the
    /// first of them did not fail high, the prediction of a cut node is withdrawn.
    #[inline(always)]
    pub(super) fn of_child(self, searched: u32) -> NodeType {
        match self {
            NodeType::All => NodeType::Cut,
            NodeType::Cut if searched == 0 => NodeType::All,
            NodeType::Cut | NodeType::Unknown => NodeType::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_from_alpha_the_types_alternate() {
        let child = |margin, searched| NodeType::of_margin(margin).of_child(searched);
        assert_eq!(
            [child(20 * UNIT, 0), child(0, 0), child(-20 * UNIT, 0)],
            [NodeType::All, NodeType::Unknown, NodeType::Cut]
        );
        assert_eq!(
            [child(20 * UNIT, 1), child(0, 1), child(-20 * UNIT, 1)],
            [NodeType::Unknown, NodeType::Unknown, NodeType::Cut]
        );
    }
}
