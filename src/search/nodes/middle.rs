//! Seven to eleven empties: the thread's own table ([`crate::search::nodes::local_tables`]), and moves ordered by what they leave and by their value to
//! the learned evaluation.
//!
//! Of a node that a move refutes, a quarter to a third of the cost is to look at all the others. So moves are made one by one, those first
//! that are more often good, until one leaves the opponent hardly a reply ([`FEW_REPLIES`]); what was made so far is ordered, and the best
//! of it is tried before the rest are made. In trees where one side is far ahead, and those are the most, that is the rule. A node where no
//! move is [expected](crate::search::nodes::node_type) to refute looks at none: it tries them all in turn.
//!
//! Before moves are tried elsewhere, the table is asked about each child: one that is known to refute ends the node, one that is known not to
//! need not be entered (Egaroucid does the same). Before that, where it is likely enough, stable discs are asked whether they alone
//! refute ([`crate::search::nodes::stability_cutoff`]). A child that is made counts as one node, whatever becomes of it. Children's places in
//! the table are on their way from memory before the first one is looked at.

use arrayvec::ArrayVec;

use crate::eval::Features;
use crate::othello::{Bitboard, Position, Square};
use crate::search::constants::{
    DEEP_EMPTIES, EVALUATION_EMPTIES, EVALUATION_WINDOW, FEW_REPLIES, MIDDLE_EMPTIES, weight,
};
use crate::search::instrument::statistics::{NodeOutcome, NodeTally};
use crate::search::nodes::last_four::NONE;
use crate::search::nodes::local_tables::{Key, LocalProbe, OpenLines};
use crate::search::nodes::node_type::Expected;
use crate::search::nodes::stability_cutoff::{OwnStability, Stability, upper_bound};
use crate::search::ordering::cost_model::CostModel;
use crate::search::ordering::parity::odd_quadrants;
use crate::search::ordering::static_score::{static_score, weighted};
use crate::search::worker::{NodeContext, Worker};

/// By what it is told how a node will end.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) enum NodeEstimate<'a> {
    /// [`EVALUATION_EMPTIES`] or more: by the evaluation of its patterns, and its value, if somebody asked for it before.
    Features(&'a Features, Option<i16>),
    /// Fewer: by what was expected of the node before.
    Expected(Expected),
}

/// A move, what it leads to, and what the tables are asked about that.
struct Child {
    key: Key,
    position: Position,
    square: Square,
    replies: u64,
    /// Its value to the evaluation, once that was asked.
    value: Option<i16>,
}

impl Child {
    /// The features of what the move leads to from `position`, which has these `features`.
    #[inline(always)]
    fn features(&self, position: &Position, features: &Features) -> Features {
        features.after(self.square, position.opponent ^ self.position.player)
    }
}

/// There are at most as many moves as empties.
const MAX_MOVES: usize = DEEP_EMPTIES as usize - 1;

/// All moves but the one that was tried first.
type Children = ArrayVec<Child, MAX_MOVES>;

/// The values of those that have to be tried, with their places among the children. They change places when the best is sought; the
/// children, which are larger, stay.
type Values = ArrayVec<(i32, u8), MAX_MOVES>;

/// What is taken from the value of a move that is not evaluated: more than values differ by, so that it is tried after those that are.
const UNEVALUATED_PENALTY: i32 = 1 << 24;

/// Takes the best of the values away, and gives its place among the children.
#[inline(always)]
fn take_best(values: &mut Values) -> Option<u8> {
    let mut best = 0;
    for i in 1..values.len() {
        if values[i].0 > values[best].0 {
            best = i;
        }
    }
    values.swap_pop(best).map(|(_, place)| place)
}

/// The squares of moves in the order in which they are looked at: corners, then those in quadrants with an odd number of empties.
struct Inviting {
    rest: Bitboard,
    odd: Bitboard,
}

impl Inviting {
    #[inline(always)]
    fn new(moves: Bitboard, empties: Bitboard) -> Inviting {
        Inviting { rest: moves, odd: Bitboard(odd_quadrants(empties.0)) }
    }
}

impl Iterator for Inviting {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let first =
            |squares: Bitboard, others: Bitboard| if squares.is_empty() { others } else { squares };
        let best = first(self.rest & Bitboard::CORNERS, first(self.rest & self.odd, self.rest));
        let square = best.into_iter().next()?;
        self.rest ^= Bitboard::of(square);
        Some(square)
    }
}

/// A node whose moves are tried.
struct Node<'a> {
    position: &'a Position,
    key: &'a Key,
    /// If it has [`EVALUATION_EMPTIES`] or more.
    features: Option<&'a Features>,
    empties: u32,
    alpha: i32,
    expected: Expected,
}

/// What came of a node's moves so far.
struct Found {
    best: i32,
    best_move: Option<Square>,
    /// How many were tried.
    tried: u32,
    watch: NodeTally,
}

impl Found {
    /// A move has this score, or at most this.
    #[inline(always)]
    fn take(&mut self, score: i32, square: Square) {
        if score > self.best {
            (self.best, self.best_move) = (score, Some(square));
        }
    }
}

impl Worker<'_> {
    /// A position with seven to eleven `empties`.
    pub(in crate::search) fn middle(
        &mut self,
        arrival: &NodeContext<'_>,
        sight: NodeEstimate<'_>,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        let &NodeContext { position, key, moves, stability } = arrival;
        self.nodes.count(empties);
        let watch = self.watch();
        if stability == Stability::Unknown
            && let Some(upper) = upper_bound(position, alpha)
        {
            self.note(&watch, empties, NodeOutcome::Stability);
            return upper;
        }
        if moves == 0 {
            return self.pass(position, empties, alpha);
        }
        let hash_move = match key.look_up(&self.local.middle, empties, alpha) {
            LocalProbe::Answer(answer) => {
                self.note(&watch, empties, NodeOutcome::Table);
                return answer;
            }
            LocalProbe::Move(mv) => mv,
        };

        #[cfg(feature = "record")]
        self.record(position, Bitboard(moves), &[hash_move], alpha);

        let (features, expected) = match sight {
            NodeEstimate::Features(features, value) => {
                let value =
                    value.map_or_else(|| self.evaluation.value(features, empties), i32::from);
                (Some(features), Expected::of(value, alpha))
            }
            NodeEstimate::Expected(expected) => (None, expected),
        };
        let node = Node { position, key, features, empties, alpha, expected };
        let mut found = Found { best: NONE, best_move: None, tried: 0, watch };
        let mut left = Bitboard(moves);
        // The move that refuted before is tried before the others are looked at.
        if let Some(square) = hash_move {
            debug_assert!(left.contains(square), "{square} was remembered for another position");
            left ^= Bitboard::of(square);
            let child = position.after(square, position.flips(square));
            let key = Key::new(&child, self.solid_keys);
            key.prefetch(self.local.of(empties - 1));
            let mv = Child { key, position: child, replies: child.moves().0, square, value: None };
            self.try_move(&node, &mv, Stability::Unknown, &mut found);
        }
        if found.best <= alpha && !left.is_empty() {
            let ended = match expected {
                Expected::All => self.search_in_static_order(&node, left, &mut found),
                Expected::Cut | Expected::Open => self.search_best_first(&node, left, &mut found),
            };
            if let Some(score) = ended {
                return score;
            }
        }
        let Found { best, best_move, tried, watch } = found;
        self.note(
            &watch,
            empties,
            if best > alpha { NodeOutcome::Cut(tried) } else { NodeOutcome::All },
        );
        key.note(&mut self.local.middle, empties, alpha, best, best_move);
        best
    }

    /// Tries the moves of a node where none is expected to refute. The answer is the node's, if no search was needed for it.
    fn search_in_static_order(
        &mut self,
        node: &Node<'_>,
        left: Bitboard,
        found: &mut Found,
    ) -> Option<i32> {
        let &Node { position, empties, alpha, .. } = node;
        let lines = OpenLines::of(position.empties(), self.solid_keys);
        let mut children = Children::new();
        for square in Inviting::new(left, position.empties()) {
            let Some(child) = self.child(node, &lines, square) else { return Some(64) };
            children.push(child);
        }
        for (place, mv) in children.iter().enumerate() {
            self.try_move(node, mv, Stability::Unknown, found);
            if found.best > alpha {
                // These were made all the same.
                children[place + 1..].iter().for_each(|_| self.nodes.count(empties - 1));
                break;
            }
        }
        None
    }

    /// Tries the moves of a node of which one may refute, the most promising first. The answer is the node's, if it ends without a search.
    fn search_best_first(
        &mut self,
        node: &Node<'_>,
        left: Bitboard,
        found: &mut Found,
    ) -> Option<i32> {
        let &Node { position, key, empties, alpha, .. } = node;
        let lines = OpenLines::of(position.empties(), self.solid_keys);
        let refuting = OwnStability::of(position, alpha);
        let stability = if refuting.is_some() { Stability::Asked } else { Stability::Unknown };
        if let Some(lower) = refuting.as_ref().and_then(OwnStability::lower_bound) {
            self.note(&found.watch, empties, NodeOutcome::Stability);
            return Some(lower);
        }
        let mut squares = Inviting::new(left, position.empties());
        let (mut children, mut values) = (Children::new(), Values::new());
        loop {
            let made = children.len();
            // Whether a move was met that is good enough to be tried before the rest are made.
            let mut enough = false;
            while !enough && let Some(square) = squares.next() {
                self.nodes.count(empties - 1);
                let Some(child) = self.child(node, &lines, square) else { return Some(64) };
                let after =
                    |refuting: &OwnStability| refuting.lower_bound_after(square, &child.position);
                if let Some(lower) = refuting.as_ref().and_then(after) {
                    self.note(&found.watch, empties, NodeOutcome::Child);
                    key.note(&mut self.local.middle, empties, alpha, lower, Some(square));
                    return Some(lower);
                }
                enough = weighted(Bitboard(child.replies)) <= FEW_REPLIES;
                children.push(child);
                enough &= children.len() < left.count() as usize;
            }
            for (place, child) in children.iter().enumerate().skip(made) {
                match child.key.look_up(self.local.of(empties - 1), empties - 1, !alpha) {
                    LocalProbe::Answer(answer) if -answer > alpha => {
                        self.note(&found.watch, empties, NodeOutcome::Child);
                        key.note(
                            &mut self.local.middle,
                            empties,
                            alpha,
                            -answer,
                            Some(child.square),
                        );
                        return Some(-answer);
                    }
                    // This one does not refute: it need not be tried.
                    LocalProbe::Answer(answer) => found.take(-answer, child.square),
                    LocalProbe::Move(_) => values.push((0, place as u8)),
                }
            }
            self.score_moves_by_value(
                position,
                node.features,
                &mut children,
                &mut values,
                empties,
                alpha,
            );
            while let Some(place) = take_best(&mut values) {
                self.try_move(node, &children[place as usize], stability, found);
                if found.best > alpha || enough {
                    break;
                }
            }
            if found.best > alpha || !enough {
                return None;
            }
        }
    }

    /// What a move of a node leads to, its place in the table on its way from memory. None, if it leaves the opponent no disc.
    #[inline(always)]
    fn child(&self, node: &Node<'_>, lines: &OpenLines, square: Square) -> Option<Child> {
        let flips = node.position.flips(square);
        if flips == node.position.opponent {
            return None;
        }
        let position = node.position.after(square, flips);
        let key = Key::repainted(&position, lines.full_after(square));
        key.prefetch(self.local.of(node.empties - 1));
        Some(Child { key, position, square, replies: position.moves().0, value: None })
    }

    /// Searches what a move of a node leads to; `stability` is the child's.
    #[inline(always)]
    fn try_move(&mut self, node: &Node<'_>, mv: &Child, stability: Stability, found: &mut Found) {
        let (empties, alpha) = (node.empties - 1, !node.alpha);
        let expected = node.expected.after(found.tried);
        found.tried += 1;
        self.begin_move(&mut found.watch);
        let arrival =
            NodeContext { position: &mv.position, key: &mv.key, moves: mv.replies, stability };
        let answer = if node.empties == MIDDLE_EMPTIES {
            self.shallow(&arrival, empties, alpha)
        } else {
            let evaluated = node.features.filter(|_| node.empties > EVALUATION_EMPTIES);
            let features = evaluated.map(|features| mv.features(node.position, features));
            let sight = match &features {
                Some(features) => NodeEstimate::Features(features, mv.value),
                None => NodeEstimate::Expected(expected),
            };
            self.middle(&arrival, sight, empties, alpha)
        };
        found.take(-answer, mv.square);
    }

    /// Gives the moves in `values` theirs: the cheap one for all, and the evaluation for those that may be the best.
    #[inline(always)]
    fn score_moves_by_value(
        &self,
        position: &Position,
        features: Option<&Features>,
        children: &mut Children,
        values: &mut Values,
        empties: u32,
        alpha: i32,
    ) {
        let odd = odd_quadrants(position.empties().0);
        let mut most = i32::MIN;
        for (value, place) in values.iter_mut() {
            let child = &children[*place as usize];
            *value = static_score(
                self.parameters,
                child.square,
                &child.position,
                Bitboard(child.replies),
                odd,
            );
            most = most.max(*value);
        }
        let Some(features) = features else { return };
        if values.len() < 2 {
            return;
        }
        let price = CostModel::middle(self.parameters);
        for (value, place) in values {
            if *value < most - EVALUATION_WINDOW {
                *value -= UNEVALUATED_PENALTY;
                continue;
            }
            let child = &mut children[*place as usize];
            let ahead = self.evaluation.value(&child.features(position, features), empties - 1);
            child.value = Some(ahead as i16);
            let replies = weighted(Bitboard(child.replies));
            // The promise counts the replies in its own way.
            let tie = *value + replies as i32 * weight::REPLY;
            *value = tie + price.promise(-ahead, alpha, replies);
        }
    }

    /// The values of these moves of a position, as if none was remembered and no table knew of what they lead to.
    #[cfg(feature = "record")]
    pub(in crate::search) fn middle_scores(
        &self,
        position: &Position,
        features: Option<&Features>,
        moves: Bitboard,
        empties: u32,
        alpha: i32,
    ) -> Vec<(Square, i32)> {
        let child = |square| {
            let child = position.after(square, position.flips(square));
            Child {
                key: Key::new(&child, self.solid_keys),
                position: child,
                square,
                replies: child.moves().0,
                value: None,
            }
        };
        let mut children: Children = moves.into_iter().map(child).collect();
        let mut values: Values = (0..children.len()).map(|place| (0, place as u8)).collect();
        self.score_moves_by_value(position, features, &mut children, &mut values, empties, alpha);
        values.into_iter().map(|(value, place)| (children[place as usize].square, value)).collect()
    }
}
