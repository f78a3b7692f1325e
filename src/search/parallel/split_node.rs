//! A node at a split point: its moves, and the best result that any worker has found so far.

use crate::eval::Features;
use crate::othello::{Position, Square};
#[cfg(feature = "stats")]
use crate::search::instrument::statistics::Statistics;
use crate::search::move_list::{MoveList, ScoredMove, select_best};
use crate::search::node_counts::NodeCounts;
use crate::search::parallel::registry::WorkerId;
use crate::search::parallel::split_point::SplitWork;
use crate::search::search_pass::SearchPass;

/// What a helper needs in order to search moves of another worker's node.
#[derive(Clone, Debug)]
pub(in crate::search) struct SplitContext {
    pub(in crate::search) position: Position,
    /// The patterns of `position`.
    pub(in crate::search) features: Features,
    pub(in crate::search) empties: u32,
    /// The null window's alpha, for the side to move in `position`.
    pub(in crate::search) alpha: i32,
    /// The worker whose root position this node belongs to.
    pub(in crate::search) owner: WorkerId,
    pub(in crate::search) search_pass: SearchPass,
    /// The generation of the transposition table in which this search pass writes.
    pub(in crate::search) generation: u8,
}

/// The result of the moves of a node that were searched so far.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct NodeResult {
    /// The best score, for the side to move.
    pub(in crate::search) best: i32,
    pub(in crate::search) best_move: Option<Square>,
    /// Whether the result rests on a ProbCut bound. A fail high rests on its one move, a fail low
    /// on every move.
    pub(in crate::search) unproven: bool,
}

impl NodeResult {
    /// Adds a move with this fail-soft score and returns whether it fails high.
    #[inline(always)]
    pub(in crate::search) fn add(
        &mut self,
        score: i32,
        square: Square,
        unproven: bool,
        alpha: i32,
    ) -> bool {
        if score > self.best {
            (self.best, self.best_move) = (score, Some(square));
        }
        let fails_high = score > alpha;
        self.unproven = unproven || (self.unproven && !fails_high);
        fails_high
    }
}

/// The score of a move for the side that makes it, and whether it rests on a ProbCut bound.
type MoveResult = (i32, bool);

/// The nodes that a helper has searched for another worker.
#[derive(Debug, Default)]
pub(in crate::search) struct Effort {
    pub(in crate::search) nodes: NodeCounts,
    #[cfg(feature = "stats")]
    pub(in crate::search) statistics: Statistics,
}

/// A node at a split point.
#[derive(Debug)]
pub(in crate::search) struct SplitNode {
    context: SplitContext,
    moves: MoveList,
    /// The index of the first move that no worker has taken.
    next: usize,
    pub(in crate::search) result: NodeResult,
    /// What helpers have searched.
    pub(in crate::search) effort: Effort,
}

impl SplitNode {
    /// A node with these `moves` left, and the `result` of those before them.
    pub(in crate::search) fn new(
        context: SplitContext,
        moves: &[ScoredMove],
        result: NodeResult,
    ) -> SplitNode {
        let moves = moves.iter().copied().collect();
        SplitNode { context, moves, next: 0, result, effort: Effort::default() }
    }
}

impl SplitWork for SplitNode {
    type Context = SplitContext;
    type Move = ScoredMove;
    type MoveResult = MoveResult;
    type Effort = Effort;

    fn context(&self) -> &SplitContext {
        &self.context
    }

    fn empties(&self) -> u32 {
        self.context.empties
    }

    fn moves_left(&self) -> usize {
        self.moves.len() - self.next
    }

    fn take_move(&mut self) -> Option<ScoredMove> {
        (self.moves_left() > 0).then(|| {
            self.next += 1;
            select_best(&mut self.moves, self.next - 1)
        })
    }

    fn add_result(&mut self, mv: &ScoredMove, (score, unproven): MoveResult) -> bool {
        self.result.add(score, mv.square, unproven, self.context.alpha)
    }

    fn add_effort(&mut self, effort: Effort) {
        self.effort.nodes.add(&effort.nodes);
        #[cfg(feature = "stats")]
        self.effort.statistics.add(&effort.statistics);
    }
}
