//! Seven to twelve empties: a local table, and moves ordered by static score and evaluation.
//!
//! At a cut node, looking at every other move takes a quarter to a third of the cost. So moves are
//! made one by one in a static order, until one leaves the opponent hardly a reply
//! ([`FEW_REPLIES`]). The moves made so far are scored, and the best is searched before the rest
//! are made. In trees where one side is far ahead, which are most, that is the rule. At a predicted
//! all-node ([`crate::search::node_type`]) the moves are searched in the static order, without
//! scores.
//!
//! Before a move is searched at other nodes, its child's stable discs are tested
//! ([`crate::search::stability_cutoff`]) and its entry in the local table is probed (an enhanced
//! transposition cut-off; Egaroucid does the same here). A child that fails high by them ends the
//! node; one that fails low by them is not searched. A child that is made counts as one node,
//! whatever happens to it.

use std::hint::select_unpredictable;

use arrayvec::ArrayVec;

use super::context::{AfterPass, NO_SCORE, NodeContext, NodeEstimate, StabilityState};
use crate::eval::Features;
use crate::othello::{Bitboard, Position, Square};
use crate::search::constants::{
    DEEP_EMPTIES, EVALUATION_EMPTIES, EVALUATION_WINDOW, FEW_REPLIES, MIDDLE_EMPTIES, REPLY_WEIGHT,
};
use crate::search::instrument::tally::{NodeOutcome, NodeTally};
use crate::search::local_tables::{Key, LocalProbe, OpenLines};
use crate::search::move_list::OrderKey;
use crate::search::node_type::NodeType;
use crate::search::ordering::cost_model::CostModel;
use crate::search::ordering::parity::odd_quadrants;
use crate::search::ordering::static_score::{static_score, weighted_mobility};
use crate::search::stability_cutoff::{OwnStability, upper_bound};
use crate::search::worker::Worker;
use crate::table::LocalTable;

/// The result of a move and its child, before it is searched.
struct Child {
    key: Key,
    position: Position,
    square: Square,
    /// The opponent's legal moves.
    replies: u64,
    /// The evaluation of `position`, once it is computed.
    value: Option<i16>,
    /// The static score of the move, once it is computed.
    static_score: i32,
}

impl Child {
    /// The features of the child of `position`, which has these `features`.
    #[inline(always)]
    fn features(&self, position: &Position, features: &Features) -> Features {
        features.after(self.square, position.opponent ^ self.position.player)
    }
}

/// A node has at most as many moves as empties.
const MAX_MOVES: usize = DEEP_EMPTIES as usize - 1;

/// The children of a node, without that of the hash move.
type Children = ArrayVec<Child, MAX_MOVES>;

/// The children that must be searched: their keys, and their indices among the children. These
/// pairs change places while the best is selected; the children, which are larger, do not.
type Order = ArrayVec<(OrderKey, u8), MAX_MOVES>;

/// Removes the pair with the greatest key and returns its index among the children.
#[inline(always)]
fn take_best(order: &mut Order) -> Option<u8> {
    let (mut best, mut greatest) = (0, order.first()?.0);
    for (i, &(key, _)) in order.iter().enumerate().skip(1) {
        let greater = key > greatest;
        best = select_unpredictable(greater, i, best);
        greatest = select_unpredictable(greater, key, greatest);
    }
    order.swap_pop(best).map(|(_, index)| index)
}

/// The squares of moves in static order: corners, then squares in odd quadrants, then the others.
struct StaticOrder {
    left: Bitboard,
    odd: Bitboard,
}

impl StaticOrder {
    #[inline(always)]
    fn new(moves: Bitboard, empties: Bitboard) -> StaticOrder {
        StaticOrder { left: moves, odd: Bitboard(odd_quadrants(empties.0)) }
    }
}

impl Iterator for StaticOrder {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let corners = self.left & Bitboard::CORNERS;
        let best = corners.or_else(self.left & self.odd).or_else(self.left);
        let square = best.into_iter().next()?;
        self.left ^= Bitboard::of(square);
        Some(square)
    }
}

/// A node whose moves are searched.
struct MiddleNode<'a> {
    position: &'a Position,
    key: &'a Key,
    /// Its features, if it has [`EVALUATION_EMPTIES`] empties or more.
    features: Option<&'a Features>,
    empties: u32,
    alpha: i32,
    node_type: NodeType,
}

impl MiddleNode<'_> {
    /// Stores the fail-soft `score` of the node, and the move that gave it.
    #[inline(always)]
    fn store(&self, table: &mut LocalTable, score: i32, best_move: Option<Square>) {
        let number = best_move.map(|square| self.position.empties().rank(square));
        self.key.store(table, self.alpha, score, number);
    }
}

/// The result of the moves of a node that were searched so far.
struct BestSoFar {
    best: i32,
    best_move: Option<Square>,
    /// The number of moves searched.
    searched: u32,
    tally: NodeTally,
}

impl BestSoFar {
    /// Adds a move with this fail-soft score.
    #[inline(always)]
    fn add(&mut self, score: i32, square: Square) {
        let better = score > self.best;
        self.best = select_unpredictable(better, score, self.best);
        self.best_move = select_unpredictable(better, Some(square), self.best_move);
    }
}

impl Worker<'_> {
    /// Searches a position with seven to twelve empties of which nothing is known yet.
    pub(super) fn enter_middle(
        &mut self,
        position: &Position,
        moves: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        let key = Key::new(position, self.normalise_keys);
        let node = NodeContext { position, key: &key, moves, stability: StabilityState::Untested };
        if empties >= EVALUATION_EMPTIES {
            let features = Features::of(position);
            self.middle(&node, NodeEstimate::Features(&features, None), empties, alpha)
        } else {
            self.middle(&node, NodeEstimate::NodeType(NodeType::Unknown), empties, alpha)
        }
    }

    /// Searches a node with seven to twelve empties.
    pub(super) fn middle(
        &mut self,
        node: &NodeContext<'_>,
        estimate: NodeEstimate<'_>,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        let &NodeContext { position, key, moves, stability } = node;
        self.nodes.count(empties);
        let tally = self.begin_node();
        if stability == StabilityState::Untested
            && let Some(upper) = upper_bound(position, alpha)
        {
            self.end_node(&tally, empties, NodeOutcome::Stability);
            return upper;
        }
        if moves == 0 {
            return self.pass_middle(position, empties, alpha);
        }
        let hash_move = match key.probe(&self.local.middle, empties, alpha) {
            LocalProbe::Cutoff(bound) => {
                self.end_node(&tally, empties, NodeOutcome::Table);
                return bound;
            }
            LocalProbe::HashMove(number) => {
                number.and_then(|number| position.empties().with_rank(number))
            }
        };
        #[cfg(feature = "record")]
        self.record_middle(position, Bitboard(moves), hash_move, alpha);

        let (features, node_type) = match estimate {
            NodeEstimate::Features(features, value) => {
                let value =
                    value.map_or_else(|| self.evaluation.value(features, empties), i32::from);
                (Some(features), NodeType::of(value, alpha))
            }
            NodeEstimate::NodeType(node_type) => (None, node_type),
        };
        let node = MiddleNode { position, key, features, empties, alpha, node_type };
        let mut found = BestSoFar { best: NO_SCORE, best_move: None, searched: 0, tally };
        self.search_moves(&node, Bitboard(moves), hash_move, &mut found)
    }

    /// Searches the moves of a node: the hash move first, then the others.
    #[inline(always)]
    fn search_moves(
        &mut self,
        node: &MiddleNode<'_>,
        moves: Bitboard,
        hash_move: Option<Square>,
        found: &mut BestSoFar,
    ) -> i32 {
        let &MiddleNode { position, empties, alpha, .. } = node;
        let mut left = moves;
        if let Some(square) = hash_move {
            debug_assert!(left.contains(square), "{square} is the hash move of another position");
            left ^= Bitboard::of(square);
            let child = position.after(square, position.flips(square));
            let key = Key::new(&child, self.normalise_keys);
            key.prefetch(self.local.of(empties - 1));
            let mv = Child {
                key,
                position: child,
                replies: child.moves().0,
                square,
                value: None,
                static_score: 0,
            };
            self.search_middle_child(node, &mv, StabilityState::Untested, found);
        }
        if found.best <= alpha && !left.is_empty() {
            let cutoff = match node.node_type {
                NodeType::All => self.search_in_static_order(node, left, found),
                NodeType::Cut | NodeType::Unknown => self.search_best_first(node, left, found),
            };
            if let Some(score) = cutoff {
                return score;
            }
        }
        let &mut BestSoFar { best, best_move, searched, tally } = found;
        let outcome = if best > alpha { NodeOutcome::Cut(searched) } else { NodeOutcome::All };
        self.end_node(&tally, empties, outcome);
        node.store(&mut self.local.middle, best, best_move);
        best
    }

    /// Searches the moves of a predicted all-node in static order. Returns the score of the node if
    /// a wipeout decides it.
    fn search_in_static_order(
        &mut self,
        node: &MiddleNode<'_>,
        left: Bitboard,
        found: &mut BestSoFar,
    ) -> Option<i32> {
        let &MiddleNode { position, empties, alpha, .. } = node;
        let lines = OpenLines::of(position.empties(), self.normalise_keys);
        let mut children = Children::new();
        for square in StaticOrder::new(left, position.empties()) {
            let Some(child) = self.child(node, &lines, square) else { return Some(64) };
            children.push(child);
        }
        for (i, mv) in children.iter().enumerate() {
            self.search_middle_child(node, mv, StabilityState::Untested, found);
            if found.best > alpha {
                // The rest were made all the same, and count.
                children[i + 1..].iter().for_each(|_| self.nodes.count(empties - 1));
                break;
            }
        }
        None
    }

    /// Searches the moves of a node where one may fail high, the best first. Returns the score of
    /// the node if it ends before a search decides it: by a wipeout, by stable discs, or by a
    /// child's entry in the local table.
    fn search_best_first(
        &mut self,
        node: &MiddleNode<'_>,
        left: Bitboard,
        found: &mut BestSoFar,
    ) -> Option<i32> {
        let &MiddleNode { position, features, empties, alpha, .. } = node;
        let lines = OpenLines::of(position.empties(), self.normalise_keys);
        let own = OwnStability::of(position, alpha);
        let stability =
            if own.is_some() { StabilityState::Tested } else { StabilityState::Untested };
        if let Some(lower) = own.as_ref().and_then(OwnStability::lower_bound) {
            self.end_node(&found.tally, empties, NodeOutcome::Stability);
            return Some(lower);
        }
        let mut squares = StaticOrder::new(left, position.empties());
        let (mut children, mut order) = (Children::new(), Order::new());
        loop {
            let made = children.len();
            // Whether a move leaves so few replies that it is searched before the rest are made.
            let mut few_replies = false;
            while !few_replies && let Some(square) = squares.next() {
                self.nodes.count(empties - 1);
                let Some(child) = self.child(node, &lines, square) else { return Some(64) };
                let after = |own: &OwnStability| own.lower_bound_after(square, &child.position);
                if let Some(lower) = own.as_ref().and_then(after) {
                    self.end_node(&found.tally, empties, NodeOutcome::Child);
                    node.store(&mut self.local.middle, lower, Some(square));
                    return Some(lower);
                }
                few_replies = weighted_mobility(Bitboard(child.replies)) <= FEW_REPLIES;
                children.push(child);
                few_replies &= children.len() < left.count() as usize;
            }
            for (i, child) in children.iter_mut().enumerate().skip(made) {
                match child.key.probe(self.local.of(empties - 1), empties - 1, !alpha) {
                    LocalProbe::Cutoff(bound) if -bound > alpha => {
                        self.end_node(&found.tally, empties, NodeOutcome::Child);
                        node.store(&mut self.local.middle, -bound, Some(child.square));
                        return Some(-bound);
                    }
                    // This move fails low.
                    LocalProbe::Cutoff(bound) => found.add(-bound, child.square),
                    LocalProbe::HashMove(_) => {
                        let Child { square, position, replies, .. } = &*child;
                        let replies = Bitboard(*replies);
                        let score = static_score(
                            self.parameters,
                            *square,
                            position,
                            replies,
                            squares.odd.0,
                        );
                        child.static_score = score;
                        order.push((OrderKey::first(score), i as u8));
                    }
                }
            }
            if let Some(features) = features
                && order.len() >= 2
            {
                self.score_by_evaluation(node, features, &mut children, &mut order);
            }
            while let Some(i) = take_best(&mut order) {
                self.search_middle_child(node, &children[i as usize], stability, found);
                if found.best > alpha || few_replies {
                    break;
                }
            }
            if found.best > alpha || !few_replies {
                return None;
            }
        }
    }

    /// The child after the move to `square`, with a prefetch of its entry of the local table.
    /// `None` if the move is a wipeout.
    #[inline(always)]
    fn child(&self, node: &MiddleNode<'_>, lines: &OpenLines, square: Square) -> Option<Child> {
        let flips = node.position.flips(square);
        if flips == node.position.opponent {
            return None;
        }
        let position = node.position.after(square, flips);
        let key = Key::normalised(&position, lines.solid_after(square));
        key.prefetch(self.local.of(node.empties - 1));
        Some(Child {
            key,
            position,
            square,
            replies: position.moves().0,
            value: None,
            static_score: 0,
        })
    }

    /// Searches a child of a node.
    #[inline(always)]
    fn search_middle_child(
        &mut self,
        node: &MiddleNode<'_>,
        mv: &Child,
        stability: StabilityState,
        found: &mut BestSoFar,
    ) {
        let (empties, alpha) = (node.empties - 1, !node.alpha);
        let node_type = node.node_type.of_child(found.searched);
        found.searched += 1;
        self.begin_move(&mut found.tally);
        let child =
            NodeContext { position: &mv.position, key: &mv.key, moves: mv.replies, stability };
        let score = if node.empties == MIDDLE_EMPTIES {
            self.shallow(&child, empties, alpha)
        } else {
            let features = node.features.filter(|_| node.empties > EVALUATION_EMPTIES);
            let features = features.map(|features| mv.features(node.position, features));
            let estimate = match &features {
                Some(features) => NodeEstimate::Features(features, mv.value),
                None => NodeEstimate::NodeType(node_type),
            };
            self.middle(&child, estimate, empties, alpha)
        };
        found.add(-score, mv.square);
    }

    /// Sets the keys in `order` of a node with features: the cost model's priority for the moves
    /// near the best static score, the static score for the others.
    #[inline(always)]
    fn score_by_evaluation(
        &self,
        node: &MiddleNode<'_>,
        features: &Features,
        children: &mut Children,
        order: &mut Order,
    ) {
        let &MiddleNode { position, empties, alpha, .. } = node;
        let scores = order.iter().map(|&(_, i)| children[i as usize].static_score);
        let most = scores.max().unwrap_or(i32::MIN);
        let model = CostModel::middle(self.parameters);
        for (key, i) in order {
            let child = &mut children[*i as usize];
            let score = child.static_score;
            if score < most - EVALUATION_WINDOW {
                *key = OrderKey::second(score);
                continue;
            }
            let value = child.value.map_or_else(
                || self.evaluation.value(&child.features(position, features), empties - 1),
                i32::from,
            );
            child.value = Some(value as i16);
            let replies = weighted_mobility(Bitboard(child.replies));
            // The cost model counts the replies in its own way.
            let tie_break = score + replies as i32 * REPLY_WEIGHT;
            *key = OrderKey::first(tie_break + model.priority(-value, alpha, replies));
        }
    }

    /// Searches on after a forced pass.
    #[cold]
    #[inline(never)]
    fn pass_middle(&mut self, position: &Position, empties: u32, alpha: i32) -> i32 {
        match AfterPass::of(position) {
            AfterPass::GameOver(score) => score,
            AfterPass::Moves(passed, moves) => -self.enter_middle(&passed, moves, empties, !alpha),
        }
    }

    /// Records the node, if the recorder wants it.
    #[cfg(feature = "record")]
    fn record_middle(
        &mut self,
        position: &Position,
        moves: Bitboard,
        hash_move: Option<Square>,
        alpha: i32,
    ) {
        let scores = |worker: &mut Self| worker.middle_scores(position, moves, alpha);
        let search = |worker: &mut Self, child: &Position, alpha: i32| {
            let (moves, empties) = (child.moves().0, child.empties().count());
            if empties >= MIDDLE_EMPTIES {
                worker.enter_middle(child, moves, empties, alpha)
            } else {
                worker.enter_shallow(child, moves, empties, alpha)
            }
        };
        self.record(position, moves, &[hash_move], alpha, scores, search);
    }

    /// The order keys of these moves of a position, as if it had no hash move and no child had an
    /// entry in the local table.
    #[cfg(feature = "record")]
    fn middle_scores(
        &self,
        position: &Position,
        moves: Bitboard,
        alpha: i32,
    ) -> Vec<(Square, i32)> {
        let empties = position.empties().count();
        let features = Features::of(position);
        let key = Key::new(position, self.normalise_keys);
        let node = MiddleNode {
            position,
            key: &key,
            features: (empties >= EVALUATION_EMPTIES).then_some(&features),
            empties,
            alpha,
            node_type: NodeType::Unknown,
        };
        let lines = OpenLines::of(position.empties(), self.normalise_keys);
        let odd = odd_quadrants(position.empties().0);
        let child = |square| {
            let position = position.after(square, position.flips(square));
            let key = Key::normalised(&position, lines.solid_after(square));
            let replies = position.moves();
            let static_score = static_score(self.parameters, square, &position, replies, odd);
            Child { key, position, square, replies: replies.0, value: None, static_score }
        };
        let mut children: Children = moves.into_iter().map(child).collect();
        let keys = children.iter().map(|child| OrderKey::first(child.static_score));
        let mut order: Order = keys.zip(0..).collect();
        if empties >= EVALUATION_EMPTIES && order.len() >= 2 {
            self.score_by_evaluation(&node, &features, &mut children, &mut order);
        }
        order.into_iter().map(|(key, i)| (children[i as usize].square, key.to_i32())).collect()
    }
}
