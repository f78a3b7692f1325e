//! What a node is expected to be, and what that spares.
//!
//! In a search with null windows the nodes of a path take turns: a move that refutes is followed by a node where no answer does. Where a
//! position's value lies far from alpha, that tells which of the two it is, before anything is searched. Where nothing refutes all moves
//! have to be tried, in whatever order: to look at them first, to order them or to ask the table about them, is in vain.
//!
//! So it is done with 7 to 11 empties ([`crate::search::nodes::middle`]). With more, the same takes up to 1.4 % more nodes than to look. (Null-window
//! searches of chess programs tell cut nodes and all-nodes apart by their place in the tree, Stockfish's `cutNode`.)

use crate::eval::UNIT;
use crate::search::constants::NODE_TYPE_MARGIN;

/// What a node is expected to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum Expected {
    /// Some move refutes.
    Cut,
    /// None does, and so all have to be tried.
    All,
    /// Either.
    Open,
}

impl Expected {
    /// What a node is expected to be whose value, in units of the evaluation, is this.
    #[inline(always)]
    pub(in crate::search) fn of(value: i32, alpha: i32) -> Expected {
        Expected::by(value - alpha * UNIT)
    }

    /// What a node with a value `margin` above alpha is expected to be, in units of the evaluation.
    #[inline(always)]
    fn by(margin: i32) -> Expected {
        if margin > NODE_TYPE_MARGIN {
            Expected::Cut
        } else if margin < -NODE_TYPE_MARGIN {
            Expected::All
        } else {
            Expected::Open
        }
    }

    /// What is expected of the node after a move, where `tried` moves were tried before it. If the best one did not refute, a node is
    /// not what it was expected to be.
    #[inline(always)]
    pub(in crate::search) fn after(self, tried: u32) -> Expected {
        match self {
            Expected::All => Expected::Cut,
            Expected::Cut if tried == 0 => Expected::All,
            Expected::Cut | Expected::Open => Expected::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_from_alpha_nodes_take_turns() {
        let path = |margin, tried| Expected::by(margin).after(tried);
        assert_eq!(
            [path(20 * UNIT, 0), path(0, 0), path(-20 * UNIT, 0)],
            [Expected::All, Expected::Open, Expected::Cut]
        );
        assert_eq!(
            [path(20 * UNIT, 1), path(0, 1), path(-20 * UNIT, 1)],
            [Expected::Open, Expected::Open, Expected::Cut]
        );
    }
}
