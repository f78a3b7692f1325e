//! What the stages of the tree hand to each other about a node.

use crate::eval::Features;
use crate::othello::Position;
use crate::search::local_tables::Key;
use crate::search::node_type::NodeType;

/// The result of a node whose moves have not been searched: below every score.
pub(in crate::search) const NO_SCORE: i32 = -100;

/// A node with five to twelve empties, and what its parent has computed of it.
pub(in crate::search) struct NodeContext<'a> {
    pub(in crate::search) position: &'a Position,
    pub(in crate::search) key: &'a Key,
    /// The legal moves.
    pub(in crate::search) moves: u64,
    pub(in crate::search) stability: StabilityState,
}

/// Whether the stable discs of the side that is not to move have been tested for a cut-off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum StabilityState {
    /// Not yet: they may give one.
    Untested,
    /// Yes, by the parent: they give none.
    Tested,
}

/// What the type of a node with seven to twelve empties is predicted from.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) enum NodeEstimate<'a> {
    /// The evaluation of its patterns, from
    /// [`EVALUATION_EMPTIES`](crate::search::constants::EVALUATION_EMPTIES) empties up, and its
    /// value, if the parent has computed it.
    Features(&'a Features, Option<i16>),
    /// The type of its parent, with fewer empties.
    NodeType(NodeType),
}

/// A position after a pass.
pub(in crate::search) enum AfterPass {
    /// The other side is to move, and has these moves.
    Moves(Position, u64),
    /// Neither side can move: the final score of the side that had to pass.
    GameOver(i32),
}

impl AfterPass {
    /// The outcome of a pass in `position`, whose side to move has no legal move.
    pub(in crate::search) fn of(position: &Position) -> AfterPass {
        let passed = position.passed();
        let moves = passed.moves();
        if moves.is_empty() {
            AfterPass::GameOver(position.final_score().discs())
        } else {
            AfterPass::Moves(passed, moves.0)
        }
    }
}
