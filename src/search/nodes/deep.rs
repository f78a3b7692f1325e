//! Thirteen empties and more: the shared transposition table, and every means to save nodes.
//!
//! A node tries these in order; each may end it:
//!
//! 1. the opponent's stable discs ([`crate::search::stability_cutoff`]);
//! 2. its entry in the transposition table;
//! 3. its own stable discs, now or after a move, and the entries of its children (enhanced
//!    transposition cut-offs; A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Exploiting Graph
//!    Properties of Game Trees", AAAI-96, 1996);
//! 4. in a selective pass, ProbCut ([`super::prob_cut`]);
//! 5. the hash moves;
//! 6. at [`DEEP_EMPTIES`], the entries of its children in the worker's local table;
//! 7. the other moves, in the order of [`crate::search::ordering`], shared with idle workers once
//!    the first move has failed low ([`crate::search::parallel`]).

use std::ops::ControlFlow::{self, Break, Continue};

use arrayvec::ArrayVec;

use super::context::{AfterPass, NO_SCORE, NodeContext, NodeEstimate, StabilityState};
use crate::eval::Features;
use crate::othello::{Bitboard, Position, Square};
use crate::search::constants::{DEEP_EMPTIES, EVALUATION_EMPTIES};
use crate::search::instrument::tally::{NodeOutcome, NodeTally};
use crate::search::local_tables::{Key, LocalProbe, OpenLines};
use crate::search::move_list::{MoveList, ScoredMove, select_best};
use crate::search::ordering::static_score::unscored_moves;
use crate::search::parallel::registry::SplitRegistry;
use crate::search::parallel::split_node::{Effort, NodeResult, SplitContext, SplitNode};
use crate::search::parallel::split_point::{SplitWorker, WorkerState};
use crate::search::search_pass::SearchPass;
use crate::search::stability_cutoff::{OwnStability, upper_bound};
use crate::search::worker::Worker;
use crate::table::{Entry, hash};

// Children of deep nodes have features.
const _: () = assert!(DEEP_EMPTIES > EVALUATION_EMPTIES);

/// A node whose moves are searched.
struct DeepNode<'a> {
    position: &'a Position,
    features: &'a Features,
    /// The legal moves; at least one.
    moves: Bitboard,
    /// The hash of `position`.
    key: u64,
    empties: u32,
    alpha: i32,
    /// The worker's node count when the node was entered.
    entered_at: u64,
}

/// The result of the moves of a node that were searched so far.
struct Progress {
    result: NodeResult,
    /// The number of moves searched.
    searched: u32,
    tally: NodeTally,
}

/// A score that ends the node, or what its search goes on with.
type Outcome<T> = ControlFlow<i32, T>;

impl Worker<'_> {
    /// Searches a position with at least [`DEEP_EMPTIES`] of which nothing is known yet.
    pub(super) fn enter_deep(
        &mut self,
        position: &Position,
        moves: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        self.deep(position, &Features::of(position), moves, empties, alpha)
    }

    /// Searches a position with at least [`DEEP_EMPTIES`]. `features` are its patterns, `moves` its
    /// legal moves.
    fn deep(
        &mut self,
        position: &Position,
        features: &Features,
        moves: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        let key = hash(position);
        self.table.prefetch(key);
        self.nodes.count(empties);
        let tally = self.begin_node();
        if let Some(upper) = upper_bound(position, alpha) {
            self.end_node(&tally, empties, NodeOutcome::Stability);
            return upper;
        }
        if moves == 0 {
            return self.pass_deep(position, features, empties, alpha);
        }
        let entered_at = self.nodes.total();
        self.flush_nodes(entered_at);
        if self.should_abort() {
            return alpha;
        }
        let moves = Bitboard(moves);
        let node = DeepNode { position, features, moves, key, empties, alpha, entered_at };
        match self.search_node(&node, tally) {
            Break(score) | Continue(score) => score,
        }
    }

    /// Searches a node with legal moves.
    #[inline(always)]
    fn search_node(&mut self, node: &DeepNode<'_>, tally: NodeTally) -> Outcome<i32> {
        let &DeepNode { position, features, moves, empties, alpha, .. } = node;
        let hash_moves = self.probe_node(node, &tally)?;
        let result = NodeResult { best: NO_SCORE, best_move: None, unproven: false };
        let mut progress = Progress { result, searched: 0, tally };
        let own = OwnStability::of(position, alpha);
        if let Some(lower) = own.as_ref().and_then(OwnStability::lower_bound) {
            self.end_node(&progress.tally, empties, NodeOutcome::Stability);
            return Break(lower);
        }
        // Whether the children were looked at, and so counted, before they are ordered.
        let counted = empties > DEEP_EMPTIES || own.is_some();
        let mut left = unscored_moves(position, moves);
        self.probe_children(node, own.as_ref(), counted, &mut left, &mut progress)?;
        if let Some(bound) = self.prob_cut(position, features, moves, empties, alpha) {
            self.unproven = true;
            return Break(bound);
        }
        #[cfg(feature = "record")]
        self.record_deep(node, &hash_moves);

        self.search_hash_moves(node, hash_moves, &mut left, &mut progress)?;
        if progress.result.best <= alpha {
            if !counted {
                left.iter().for_each(|_| self.nodes.count(empties - 1));
            }
            if empties == DEEP_EMPTIES {
                self.probe_local_children(node, &mut left, &mut progress)?;
            }
            self.score_moves(position, features, &mut left, alpha);
            self.search_ordered_moves(node, &mut left, &mut progress)?;
        }
        let Progress { result: NodeResult { best, best_move, unproven }, searched, tally } =
            progress;
        let outcome = if best > alpha { NodeOutcome::Cut(searched) } else { NodeOutcome::All };
        self.end_node(&tally, empties, outcome);
        self.unproven = unproven;
        let bounds = if best > alpha { (best, 64) } else { (-64, best) };
        // The best of the moves that fail low is no good hash move for a higher alpha.
        self.store(node, bounds, best_move.filter(|_| best > alpha));
        Continue(best)
    }

    /// Probes the transposition table for the node. Continues with its hash moves.
    #[inline(always)]
    fn probe_node(
        &mut self,
        node: &DeepNode<'_>,
        tally: &NodeTally,
    ) -> Outcome<[Option<Square>; 2]> {
        let &DeepNode { position, key, empties, alpha, .. } = node;
        let Some(entry) = self.table.probe(key, position, self.generation) else {
            return Continue([None; 2]);
        };
        let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        if lower > alpha || upper <= alpha {
            self.end_node(tally, empties, NodeOutcome::Table);
            return Break(if lower > alpha { lower } else { upper });
        }
        if self.search_pass != SearchPass::Exact {
            let (lower, upper) = (i32::from(entry.selective.0), i32::from(entry.selective.1));
            if lower > alpha || upper <= alpha {
                self.unproven = true;
                return Break(if lower > alpha { lower } else { upper });
            }
        }
        Continue(entry.moves)
    }

    /// Tests the node's own stable discs after each move of `left`, and probes the transposition
    /// table for each child. Removes the moves that need no search from `left`.
    ///
    /// The list is changed in place: to return one would copy all of it, 2,400 bytes.
    #[inline(always)]
    fn probe_children(
        &mut self,
        node: &DeepNode<'_>,
        own: Option<&OwnStability>,
        counted: bool,
        left: &mut MoveList,
        progress: &mut Progress,
    ) -> Outcome<()> {
        let &DeepNode { empties, alpha, .. } = node;
        let keys = self.prefetch_children(left, empties);
        let mut kept = 0;
        for (i, &key) in keys.iter().enumerate() {
            let mv = left[i];
            if counted {
                self.nodes.count(empties - 1);
            }
            if mv.child.player.is_empty() {
                return Break(64);
            }
            if let Some(lower) = own.and_then(|own| own.lower_bound_after(mv.square, &mv.child)) {
                return self.cut_by_child(node, progress, lower, mv.square);
            }
            if empties > DEEP_EMPTIES
                && let Some(entry) = self.table.probe(key, &mv.child, self.generation)
            {
                let (lower, upper) = (-i32::from(entry.upper), -i32::from(entry.lower));
                if lower > alpha {
                    return self.cut_by_child(node, progress, lower, mv.square);
                }
                if upper <= alpha {
                    // This move fails low and is not searched.
                    progress.result.add(upper, mv.square, false, alpha);
                    continue;
                }
            }
            left[kept] = mv;
            kept += 1;
        }
        left.truncate(kept);
        Continue(())
    }

    /// Probes the local table for the children of a node with [`DEEP_EMPTIES`] empties, as
    /// [`probe_children`](Worker::probe_children) does the shared one.
    #[inline(always)]
    fn probe_local_children(
        &mut self,
        node: &DeepNode<'_>,
        left: &mut MoveList,
        progress: &mut Progress,
    ) -> Outcome<()> {
        let &DeepNode { position, empties, alpha, .. } = node;
        let lines = OpenLines::of(position.empties(), self.normalise_keys);
        let mut keys: ArrayVec<Key, 60> = ArrayVec::new();
        for mv in left.iter() {
            let key = Key::normalised(&mv.child, lines.solid_after(mv.square));
            key.prefetch(&self.local.middle);
            keys.push(key);
        }
        let mut kept = 0;
        for (i, key) in keys.iter().enumerate() {
            let mv = left[i];
            if let LocalProbe::Cutoff(bound) = key.probe(&self.local.middle, empties - 1, !alpha) {
                if -bound > alpha {
                    return self.cut_by_child(node, progress, -bound, mv.square);
                }
                progress.result.add(-bound, mv.square, false, alpha);
                continue;
            }
            left[kept] = mv;
            kept += 1;
        }
        left.truncate(kept);
        Continue(())
    }

    /// Ends a node with a lower bound that a child gives without a search.
    fn cut_by_child(
        &mut self,
        node: &DeepNode<'_>,
        progress: &Progress,
        lower: i32,
        square: Square,
    ) -> Outcome<()> {
        self.end_node(&progress.tally, node.empties, NodeOutcome::Child);
        self.store(node, (lower, 64), Some(square));
        Break(lower)
    }

    /// The hashes of the children of a node with `empties` empties, with a prefetch of their
    /// buckets of the shared table.
    #[inline(always)]
    fn prefetch_children(&self, children: &MoveList, empties: u32) -> ArrayVec<u64, 60> {
        let mut keys = ArrayVec::new();
        for mv in children {
            let key = hash(&mv.child);
            if empties > DEEP_EMPTIES {
                self.table.prefetch(key);
            }
            keys.push(key);
        }
        keys
    }

    /// Searches the hash moves that are in `left`, and removes them from it.
    #[inline(always)]
    fn search_hash_moves(
        &mut self,
        node: &DeepNode<'_>,
        hash_moves: [Option<Square>; 2],
        left: &mut MoveList,
        progress: &mut Progress,
    ) -> Outcome<()> {
        for square in hash_moves.into_iter().flatten() {
            debug_assert!(
                node.moves.contains(square),
                "{square} is the hash move of another position"
            );
            let Some(i) = left.iter().position(|mv| mv.square == square) else { continue };
            let mut mv = left.remove(i);
            mv.replies = mv.child.moves().0;
            if self.search_deep_move(node, &mv, progress)? {
                break;
            }
        }
        Continue(())
    }

    /// Searches the moves in `left` in the order of their scores, and shares them with idle workers
    /// once a move has failed low.
    #[inline(always)]
    fn search_ordered_moves(
        &mut self,
        node: &DeepNode<'_>,
        left: &mut MoveList,
        progress: &mut Progress,
    ) -> Outcome<()> {
        for i in 0..left.len() {
            if progress.searched > 0
                && self.may_split(node.empties, left.len() - i)
                && let Some(result) = self.split_node(node, &left[i..], progress.result)
            {
                if self.state.aborted {
                    return Break(node.alpha);
                }
                progress.result = result;
                progress.searched = left.len() as u32;
                break;
            }
            let mv = select_best(left, i);
            if self.search_deep_move(node, &mv, progress)? {
                break;
            }
        }
        Continue(())
    }

    /// Searches a move and adds its score to the result. Continues with whether it fails high;
    /// breaks if the search is aborted.
    #[inline(always)]
    fn search_deep_move(
        &mut self,
        node: &DeepNode<'_>,
        mv: &ScoredMove,
        progress: &mut Progress,
    ) -> Outcome<bool> {
        progress.searched += 1;
        self.begin_move(&mut progress.tally);
        let score = -self.search_child(node.position, node.features, mv, !node.alpha);
        if self.should_abort() {
            return Break(node.alpha);
        }
        Continue(progress.result.add(score, mv.square, self.unproven, node.alpha))
    }

    /// Searches the child after a move in `position`, whose patterns are `features`. `alpha` and
    /// the result are those of the child's side to move.
    #[inline(always)]
    fn search_child(
        &mut self,
        position: &Position,
        features: &Features,
        mv: &ScoredMove,
        alpha: i32,
    ) -> i32 {
        self.unproven = false;
        let empties = position.empties().count() - 1;
        let features = features.after(mv.square, mv.flips(position));
        if empties >= DEEP_EMPTIES {
            return self.deep(&mv.child, &features, mv.replies, empties, alpha);
        }
        let key = Key::new(&mv.child, self.normalise_keys);
        key.prefetch(&self.local.middle);
        // The node may have tested the child's stable discs. A second test costs little up here.
        let stability = StabilityState::Untested;
        let child = NodeContext { position: &mv.child, key: &key, moves: mv.replies, stability };
        self.middle(&child, NodeEstimate::Features(&features, None), empties, alpha)
    }

    /// Searches on after a forced pass.
    #[cold]
    #[inline(never)]
    fn pass_deep(
        &mut self,
        position: &Position,
        features: &Features,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        match AfterPass::of(position) {
            AfterPass::GameOver(score) => score,
            AfterPass::Moves(passed, moves) => {
                -self.deep(&passed, &features.passed(), moves, empties, !alpha)
            }
        }
    }

    /// Stores bounds of the node in the shared table, as ProbCut bounds if they are unproven.
    fn store(&self, node: &DeepNode<'_>, (lower, upper): (i32, i32), best_move: Option<Square>) {
        let cost = (self.nodes.total() - node.entered_at).max(1).ilog2() as u8;
        let bounds = (lower as i8, upper as i8);
        let moves = [best_move, None];
        let entry = if self.unproven {
            Entry { selective: bounds, moves, cost, ..Entry::UNKNOWN }
        } else {
            Entry { lower: bounds.0, upper: bounds.1, moves, cost, ..Entry::UNKNOWN }
        };
        self.table.store(node.key, node.position, entry, self.generation);
    }

    /// Records the node, if the recorder wants it.
    #[cfg(feature = "record")]
    fn record_deep(&mut self, node: &DeepNode<'_>, hash_moves: &[Option<Square>]) {
        let &DeepNode { position, moves, alpha, .. } = node;
        let scores = |worker: &mut Self| {
            let mut children = unscored_moves(position, moves);
            worker.score_moves(position, &Features::of(position), &mut children, alpha);
            children.iter().map(|mv| (mv.square, mv.key.to_i32())).collect()
        };
        let search = |worker: &mut Self, child: &Position, alpha: i32| {
            worker.unproven = false;
            let (moves, empties) = (child.moves().0, child.empties().count());
            if empties >= DEEP_EMPTIES {
                worker.enter_deep(child, moves, empties, alpha)
            } else {
                worker.enter_middle(child, moves, empties, alpha)
            }
        };
        self.record(position, moves, hash_moves, alpha, scores, search);
    }
}

/// How moves of deep nodes are shared among workers.
impl Worker<'_> {
    /// Whether `moves` moves of a node, after one that failed low, may be shared now.
    #[inline(always)]
    fn may_split(&self, empties: u32, moves: usize) -> bool {
        empties >= self.pool.config.split_empties
            && moves >= 2
            && self.pool.registry.has_idle_workers()
    }

    /// Searches these moves of a node together with idle workers; `result` is that of the moves
    /// before. `None` if no worker is idle that may help. If the result is void, `state.aborted` is
    /// set afterwards.
    #[inline(never)]
    fn split_node(
        &mut self,
        node: &DeepNode<'_>,
        moves: &[ScoredMove],
        result: NodeResult,
    ) -> Option<NodeResult> {
        let context = SplitContext {
            position: *node.position,
            features: *node.features,
            empties: node.empties,
            alpha: node.alpha,
            owner: self.owner,
            search_pass: self.search_pass,
            generation: self.generation,
        };
        let work = || SplitNode::new(context.clone(), moves, result);
        let SplitNode { result, effort, .. } = self.split(&context, work)?;
        self.nodes.add(&effort.nodes);
        // The helpers have flushed their own nodes.
        self.flushed += effort.nodes.total();
        #[cfg(feature = "stats")]
        self.statistics.add(&effort.statistics);
        Some(result)
    }
}

impl<'a> SplitWorker<'a> for Worker<'a> {
    type Work = SplitNode;

    #[inline(always)]
    fn registry(&self) -> &'a SplitRegistry<SplitNode> {
        &self.pool.registry
    }

    #[inline(always)]
    fn state(&mut self) -> &mut WorkerState {
        &mut self.state
    }

    #[inline(always)]
    fn budget_is_spent(&self) -> bool {
        self.budget().stop_reason().is_some()
    }

    fn search_move(&mut self, node: &SplitContext, mv: &ScoredMove) -> (i32, bool) {
        let score = -self.search_child(&node.position, &node.features, mv, !node.alpha);
        (score, self.unproven)
    }

    fn search_for_owner(&mut self, node: &SplitContext, search: impl FnOnce(&mut Self)) -> Effort {
        let own = (self.owner, self.search_pass, self.generation, self.flushed);
        let nodes = std::mem::take(&mut self.nodes);
        #[cfg(feature = "stats")]
        let statistics = std::mem::take(&mut self.statistics);
        (self.owner, self.search_pass, self.generation, self.flushed) =
            (node.owner, node.search_pass, node.generation, 0);
        search(self);
        self.flush_all_nodes(self.nodes.total());
        (self.owner, self.search_pass, self.generation, self.flushed) = own;
        Effort {
            nodes: std::mem::replace(&mut self.nodes, nodes),
            #[cfg(feature = "stats")]
            statistics: std::mem::replace(&mut self.statistics, statistics),
        }
    }
}
