//! Seven to eleven empties: the thread's own table ([`super::cached`]), and moves ordered by what they leave and by their value to
//! the learned evaluation.
//!
//! Of a node that a move refutes, a quarter to a third of the cost is to look at all the others. So moves are made one by one, those first that are more
//! often good, until one leaves the opponent hardly a reply ([`FEW_REPLIES`]); what was made so far is ordered, and the best of it is
//! tried before the rest are made. In trees where one side is far ahead, and those are the most, that is the rule.
//!
//! Before moves are tried, the table is asked about each child: one that is known to refute ends the node, one that is known not to
//! need not be entered (Egaroucid does the same). Before that, where it is likely enough, a child's stable discs are asked whether they alone
//! refute (Edax asks from 15 empties up). Such a child counts as one node, as it does where it is only ordered. Children's places in
//! the table are on their way from memory before the first one is looked at.

use arrayvec::ArrayVec;

use super::cached::{Key, Known, OpenLines};
use super::chances::Price;
use super::constants::{DEEP_EMPTIES, EVALUATED_EMPTIES, EVALUATED_WITHIN, FEW_REPLIES, MIDDLE_EMPTIES, weight};
use super::last::NONE;
use super::ordering::{cheap_value, weighted};
use super::parity::odd_quadrants;
use super::statistics::Outcome;
use super::worker::Worker;
use crate::eval::Features;
use crate::othello::{Bitboard, Position, Square};

/// A move, what it leads to, and what the tables are asked about that.
struct Child {
    key: Key,
    position: Position,
    square: Square,
    replies: u64,
}

impl Child {
    /// The features of what the move leads to from `position`, which has these `features`.
    #[inline(always)]
    fn features(&self, position: &Position, features: &Features) -> Features {
        features.after(self.square, position.opponent ^ self.position.player)
    }
}

/// There are at most as many moves as empties.
const MOST_MOVES: usize = DEEP_EMPTIES as usize - 1;

/// All moves but the one that was tried first.
type Children = ArrayVec<Child, MOST_MOVES>;

/// The values of those that have to be tried, with their places among the children. They change places when the best is sought; the
/// children, which are larger, stay.
type Values = ArrayVec<(i32, u8), MOST_MOVES>;

/// What is taken from the value of a move that is not evaluated: more than values differ by, so that it is tried after those that are.
const NOT_EVALUATED: i32 = 1 << 24;

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
        let first = |squares: Bitboard, others: Bitboard| if squares.is_empty() { others } else { squares };
        let best = first(self.rest & Bitboard::CORNERS, first(self.rest & self.odd, self.rest));
        let square = best.into_iter().next()?;
        self.rest ^= Bitboard::of(square);
        Some(square)
    }
}

impl Worker<'_> {
    /// A position with seven to eleven `empties`; `key` is its own, `moves` are its legal moves, `features` its patterns if it has
    /// [`EVALUATED_EMPTIES`] or more.
    pub(super) fn middle(
        &mut self,
        position: &Position,
        key: &Key,
        features: Option<&Features>,
        moves: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        self.nodes.count(empties);
        let mut watch = self.watch();
        if let Some(upper) = self.stability_cut(position, empties, alpha) {
            self.note(&watch, empties, Outcome::Stability);
            return upper;
        }
        if moves == 0 {
            return self.pass(position, empties, alpha);
        }
        let known_move = match key.look_up(&self.local.middle, empties, alpha) {
            Known::Answer(answer) => {
                self.note(&watch, empties, Outcome::Table);
                return answer;
            }
            Known::Move(mv) => mv,
        };

        #[cfg(feature = "record")]
        self.record(position, Bitboard(moves), &[known_move], alpha);

        let mut left = Bitboard(moves);
        let (mut best, mut best_move) = (NONE, None);
        let mut tried = 0;
        // The move that refuted before is tried before the others are looked at.
        if let Some(square) = known_move {
            debug_assert!(left.contains(square), "{square} was remembered for another position");
            left ^= Bitboard::of(square);
            let child = position.after(square, position.flips(square));
            tried += 1;
            self.watch_move(&mut watch);
            let key = Key::new(&child, self.solid_keys);
            key.prefetch(self.local.of(empties - 1));
            let mv = Child { key, position: child, replies: child.moves().0, square };
            best = -self.after_middle(position, features, &mv, empties, !alpha);
            best_move = Some(square);
        }
        if best <= alpha && !left.is_empty() {
            let lines = OpenLines::of(position.empties(), self.solid_keys);
            let by_stability = self.may_refute_by_stability(position, empties, alpha);
            let mut squares = Inviting::new(left, position.empties());
            let (mut children, mut values) = (Children::new(), Values::new());
            loop {
                let made = children.len();
                // Whether a move was met that is good enough to be tried before the rest are made.
                let mut enough = false;
                while !enough && let Some(square) = squares.next() {
                    let flips = position.flips(square);
                    if flips == position.opponent {
                        return 64;
                    }
                    let child = position.after(square, flips);
                    if by_stability && let Some(upper) = self.stability_cut(&child, empties - 1, !alpha) {
                        self.nodes.count(empties - 1);
                        self.note(&watch, empties, Outcome::Child);
                        key.note(&mut self.local.middle, empties, alpha, -upper, Some(square));
                        return -upper;
                    }
                    let child_key = Key::repainted(&child, lines.full_after(square));
                    child_key.prefetch(self.local.of(empties - 1));
                    let replies = child.moves();
                    children.push(Child { key: child_key, position: child, square, replies: replies.0 });
                    enough = weighted(replies) <= FEW_REPLIES && children.len() < left.count() as usize;
                }
                for (place, child) in children.iter().enumerate().skip(made) {
                    self.nodes.count(empties - 1);
                    match child.key.look_up(self.local.of(empties - 1), empties - 1, !alpha) {
                        Known::Answer(answer) if -answer > alpha => {
                            self.note(&watch, empties, Outcome::Child);
                            key.note(&mut self.local.middle, empties, alpha, -answer, Some(child.square));
                            return -answer;
                        }
                        // This one does not refute: it need not be tried.
                        Known::Answer(answer) => {
                            if -answer > best {
                                (best, best_move) = (-answer, Some(child.square));
                            }
                        }
                        Known::Move(_) => values.push((0, place as u8)),
                    }
                }
                self.value_moves(position, features, &children, &mut values, empties, alpha);
                while let Some(place) = take_best(&mut values) {
                    let mv = &children[place as usize];
                    tried += 1;
                    self.watch_move(&mut watch);
                    let answer = -self.after_middle(position, features, mv, empties, !alpha);
                    if answer > best {
                        (best, best_move) = (answer, Some(mv.square));
                    }
                    if best > alpha || enough {
                        break;
                    }
                }
                if best > alpha || !enough {
                    break;
                }
            }
        }
        self.note(&watch, empties, if best > alpha { Outcome::Cut(tried) } else { Outcome::All });
        key.note(&mut self.local.middle, empties, alpha, best, best_move);
        best
    }

    /// Gives the moves in `values` theirs: the cheap one for all, and the evaluation for those that may be the best.
    #[inline(always)]
    fn value_moves(
        &self,
        position: &Position,
        features: Option<&Features>,
        children: &Children,
        values: &mut Values,
        empties: u32,
        alpha: i32,
    ) {
        let odd = odd_quadrants(position.empties().0);
        let mut most = i32::MIN;
        for (value, place) in values.iter_mut() {
            let child = &children[*place as usize];
            *value = cheap_value(self.tuning, child.square, &child.position, Bitboard(child.replies), odd);
            most = most.max(*value);
        }
        let Some(features) = features else { return };
        if values.len() < 2 {
            return;
        }
        let price = Price::middle(self.tuning);
        for (value, place) in values {
            if *value < most - EVALUATED_WITHIN {
                *value -= NOT_EVALUATED;
                continue;
            }
            let features = children[*place as usize].features(position, features);
            let ahead = -self.evaluation.value(&features, empties - 1);
            let replies = weighted(Bitboard(children[*place as usize].replies));
            // The promise counts the replies in its own way.
            let tie = *value + replies as i32 * weight::REPLY;
            *value = tie + price.promise(ahead, alpha, replies);
        }
    }

    /// The values of these moves of a position, as if none was remembered and no table knew of what they lead to.
    #[cfg(feature = "record")]
    pub(super) fn middle_values(
        &self,
        position: &Position,
        features: Option<&Features>,
        moves: Bitboard,
        empties: u32,
        alpha: i32,
    ) -> Vec<(Square, i32)> {
        let child = |square| {
            let child = position.after(square, position.flips(square));
            Child { key: Key::new(&child, self.solid_keys), position: child, square, replies: child.moves().0 }
        };
        let children: Children = moves.into_iter().map(child).collect();
        let mut values: Values = (0..children.len()).map(|place| (0, place as u8)).collect();
        self.value_moves(position, features, &children, &mut values, empties, alpha);
        values.into_iter().map(|(value, place)| (children[place as usize].square, value)).collect()
    }

    /// Searches what a move leads to from a position with so many `empties`.
    #[inline(always)]
    fn after_middle(
        &mut self,
        position: &Position,
        features: Option<&Features>,
        mv: &Child,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        if empties == MIDDLE_EMPTIES {
            return self.shallow(&mv.position, &mv.key, mv.replies, empties - 1, alpha);
        }
        let features = features.filter(|_| empties > EVALUATED_EMPTIES).map(|features| mv.features(position, features));
        self.middle(&mv.position, &mv.key, features.as_ref(), mv.replies, empties - 1, alpha)
    }
}
