//! What the search does at split points: a node's moves as the work that threads share, and a [`Worker`] as a hand that
//! does it.

use crate::eval::Features;
use crate::othello::{Position, Square};
#[cfg(feature = "stats")]
use crate::search::instrument::statistics::Statistics;
use crate::search::node_counts::NodeCounts;
use crate::search::nodes::prob_cut::SearchPass;
use crate::search::ordering::static_score::{MoveList, ScoredMove, select};
use crate::search::parallel::registry::{Board, WorkerId};
use crate::search::parallel::split_point::{Place, SplitWorker, Work};
use crate::search::worker::Worker;

/// A divided node's moves, ordered.
#[derive(Debug)]
pub(in crate::search) struct Moves {
    node: Node,
    moves: MoveList,
    /// The moves before this one are taken.
    next: usize,
    joint: NodeResult,
    /// What the helpers searched.
    spent: Effort,
}

/// The node that is divided.
#[derive(Clone, Debug)]
pub(in crate::search) struct Node {
    position: Position,
    features: Features,
    empties: u32,
    alpha: i32,
    /// Whose position it belongs to.
    task: WorkerId,
    round: SearchPass,
    generation: u8,
}

/// What a node's moves have come to so far.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct NodeResult {
    pub(in crate::search) best: i32,
    pub(in crate::search) best_move: Option<Square>,
    /// Whether an answer rests on a guess: of those at or below alpha any, of one above alpha itself.
    pub(in crate::search) guessed: bool,
}

/// A move's answer, seen by the side that makes it, and whether it rests on a guess.
type Answer = (i32, bool);

/// What a thread searched for another one's node.
#[derive(Debug, Default)]
pub(in crate::search) struct Effort {
    nodes: NodeCounts,
    #[cfg(feature = "stats")]
    statistics: Statistics,
}

impl Work for Moves {
    type Node = Node;
    type Move = ScoredMove;
    type Answer = Answer;
    type Effort = Effort;

    fn node(&self) -> &Node {
        &self.node
    }

    fn empties(&self) -> u32 {
        self.node.empties
    }

    fn left(&self) -> usize {
        self.moves.len() - self.next
    }

    fn take(&mut self) -> Option<ScoredMove> {
        (self.left() > 0).then(|| {
            self.next += 1;
            select(&mut self.moves, self.next - 1)
        })
    }

    fn note(&mut self, mv: &ScoredMove, (answer, guessed): Answer) -> bool {
        let joint = &mut self.joint;
        if answer > joint.best {
            (joint.best, joint.best_move) = (answer, Some(mv.square));
        }
        let refutes = answer > self.node.alpha;
        // A refutation rests on the move that refutes alone.
        joint.guessed = guessed || (joint.guessed && !refutes);
        refutes
    }

    fn add(&mut self, spent: Effort) {
        self.spent.nodes.add(&spent.nodes);
        #[cfg(feature = "stats")]
        self.spent.statistics.add(&spent.statistics);
    }
}

impl<'a> SplitWorker<'a> for Worker<'a> {
    type Work = Moves;

    #[inline(always)]
    fn board(&self) -> &'a Board<Moves> {
        &self.crew.board
    }

    #[inline(always)]
    fn place(&mut self) -> &mut Place {
        &mut self.place
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.account().stopped().is_some()
    }

    fn search_move(&mut self, node: &Node, mv: &ScoredMove) -> Answer {
        let answer = -self.search_child(&node.position, &node.features, mv, !node.alpha);
        (answer, self.guessed)
    }

    fn on_behalf(&mut self, node: &Node, what: impl FnOnce(&mut Self)) -> Effort {
        let mine = (self.task, self.round, self.generation, self.flushed);
        let nodes = std::mem::take(&mut self.nodes);
        #[cfg(feature = "stats")]
        let statistics = std::mem::take(&mut self.statistics);
        (self.task, self.round, self.generation, self.flushed) =
            (node.task, node.round, node.generation, 0);
        what(self);
        self.flush_all_nodes(self.nodes.total());
        (self.task, self.round, self.generation, self.flushed) = mine;
        Effort {
            nodes: std::mem::replace(&mut self.nodes, nodes),
            #[cfg(feature = "stats")]
            statistics: std::mem::replace(&mut self.statistics, statistics),
        }
    }
}

impl Worker<'_> {
    /// Whether the moves that are left at a node, of which one was tried, may be divided now.
    #[inline(always)]
    pub(in crate::search) fn may_split(&self, empties: u32, moves: usize) -> bool {
        empties >= self.crew.config.split_empties
            && moves >= 2
            && self.crew.board.has_idle_workers()
    }

    /// Searches these moves of a node together with idle threads; `joint` is what those before have come to. None if
    /// nobody is idle who may help. If the answer is in vain, `quit` says so afterwards.
    #[inline(never)]
    pub(in crate::search) fn divide(
        &mut self,
        (position, features): (&Position, &Features),
        moves: &[ScoredMove],
        (empties, alpha): (u32, i32),
        joint: NodeResult,
    ) -> Option<NodeResult> {
        let node = Node {
            position: *position,
            features: *features,
            empties,
            alpha,
            task: self.task,
            round: self.round,
            generation: self.generation,
        };
        let work = || Moves {
            node: node.clone(),
            moves: moves.iter().copied().collect(),
            next: 0,
            joint,
            spent: Effort::default(),
        };
        let Moves { joint, spent, .. } = self.share(&node, work)?;
        self.nodes.add(&spent.nodes);
        // The helpers have told of their own nodes.
        self.flushed += spent.nodes.total();
        #[cfg(feature = "stats")]
        self.statistics.add(&spent.statistics);
        Some(joint)
    }
}
