//! Twelve empties and more: the shared table, and every means to need fewer nodes.
//!
//! A node asks, in this order: is alpha out of reach by stable discs, or passed by them; does the table know enough; does the table know enough of a
//! child (*enhanced transposition cut-off*); in a selective round, is the score likely enough above alpha; do the moves that the table
//! remembers refute; and then the rest, ordered.

use arrayvec::ArrayVec;

use crate::eval::Features;
use crate::othello::{Bitboard, Position, Square};
use crate::search::constants::DEEP_EMPTIES;
use crate::search::instrument::statistics::NodeOutcome;
use crate::search::nodes::last_four::NONE;
use crate::search::nodes::prob_cut::SearchPass;
use crate::search::nodes::split_node::NodeResult;
use crate::search::nodes::stability_cutoff::{OwnStability, upper_bound};
use crate::search::ordering::static_score::{MoveList, select, unscored_moves};
use crate::search::parallel::split_point::SplitWorker;
use crate::search::worker::Worker;
use crate::table::{Entry, hash};

impl Worker<'_> {
    /// A position with at least twelve `empties`; `moves` are its legal moves, `features` its patterns.
    pub(in crate::search) fn deep(
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
        let mut watch = self.watch();
        if let Some(upper) = upper_bound(position, alpha) {
            self.note(&watch, empties, NodeOutcome::Stability);
            return upper;
        }
        if moves == 0 {
            return self.pass(position, empties, alpha);
        }
        let before = self.nodes.total();
        self.flush_nodes(before);
        if self.interrupted() {
            return alpha;
        }

        let mut hash_moves = [None; 2];
        if let Some(entry) = self.table.probe(key, position, self.generation) {
            if i32::from(entry.lower) > alpha {
                self.note(&watch, empties, NodeOutcome::Table);
                return i32::from(entry.lower);
            }
            if i32::from(entry.upper) <= alpha {
                self.note(&watch, empties, NodeOutcome::Table);
                return i32::from(entry.upper);
            }
            if self.round != SearchPass::Exact {
                let (lower, upper) = (i32::from(entry.likely.0), i32::from(entry.likely.1));
                if lower > alpha || upper <= alpha {
                    self.guessed = true;
                    return if lower > alpha { lower } else { upper };
                }
            }
            hash_moves = entry.moves;
        }

        // What the children are known to be, before anything is searched.
        let mut left = MoveList::new();
        let (mut best, mut best_move) = (NONE, None);
        let refuting = OwnStability::of(position, alpha);
        if let Some(lower) = refuting.as_ref().and_then(OwnStability::lower_bound) {
            self.note(&watch, empties, NodeOutcome::Stability);
            return lower;
        }
        let asked = empties > DEEP_EMPTIES || refuting.is_some();
        let nexts = unscored_moves(position, Bitboard(moves));
        let keys = self.keys(&nexts, empties);
        for (mv, &child_key) in nexts.iter().zip(&keys) {
            if asked {
                self.nodes.count(empties - 1);
            }
            if mv.child.player.is_empty() {
                return 64;
            }
            let after = |refuting: &OwnStability| refuting.lower_bound_after(mv.square, &mv.child);
            if let Some(lower) = refuting.as_ref().and_then(after) {
                self.note(&watch, empties, NodeOutcome::Child);
                self.remember(key, position, (lower, 64), Some(mv.square), before);
                return lower;
            }
            if empties > DEEP_EMPTIES
                && let Some(entry) = self.table.probe(child_key, &mv.child, self.generation)
            {
                let (lower, upper) = (-i32::from(entry.upper), -i32::from(entry.lower));
                if lower > alpha {
                    self.note(&watch, empties, NodeOutcome::Child);
                    self.remember(key, position, (lower, 64), Some(mv.square), before);
                    return lower;
                }
                // This one does not refute: it need not be tried.
                if upper <= alpha {
                    if upper > best {
                        (best, best_move) = (upper, Some(mv.square));
                    }
                    continue;
                }
            }
            left.push(*mv);
        }

        if let Some(bound) = self.prob_cut(position, features, Bitboard(moves), empties, alpha) {
            self.guessed = true;
            return bound;
        }

        #[cfg(feature = "record")]
        self.record(position, Bitboard(moves), &hash_moves, alpha);

        // Whether one of the answers so far rests on a guess.
        let mut guessed = false;
        let mut tried = 0;
        // Moves that refuted before are tried before the others are looked at.
        for square in hash_moves.into_iter().flatten() {
            debug_assert!(
                Bitboard(moves).contains(square),
                "{square} was remembered for another position"
            );
            let Some(place) = left.iter().position(|mv| mv.square == square) else { continue };
            let mut mv = left.remove(place);
            mv.replies = mv.child.moves().0;
            tried += 1;
            self.begin_move(&mut watch);
            let answer = -self.search_child(position, features, &mv, !alpha);
            if self.interrupted() {
                return alpha;
            }
            guessed |= self.guessed;
            if answer > best {
                (best, best_move) = (answer, Some(square));
            }
            if best > alpha {
                break;
            }
        }
        if best <= alpha {
            let children = &mut left;
            if !asked {
                children.iter().for_each(|_| self.nodes.count(empties - 1));
            }
            self.score_moves(position, features, children, alpha);
            for i in 0..children.len() {
                if tried > 0 && self.may_split(empties, children.len() - i) {
                    let joint = NodeResult { best, best_move, guessed };
                    if let Some(joint) =
                        self.divide((position, features), &children[i..], (empties, alpha), joint)
                    {
                        if self.place.quit {
                            return alpha;
                        }
                        NodeResult { best, best_move, guessed } = joint;
                        self.guessed = guessed;
                        tried = children.len() as u32;
                        break;
                    }
                }
                let mv = select(children, i);
                tried += 1;
                self.begin_move(&mut watch);
                let answer = -self.search_child(position, features, &mv, !alpha);
                if self.interrupted() {
                    return alpha;
                }
                guessed |= self.guessed;
                if answer > best {
                    (best, best_move) = (answer, Some(mv.square));
                }
                if best > alpha {
                    break;
                }
            }
        }
        self.note(
            &watch,
            empties,
            if best > alpha { NodeOutcome::Cut(tried) } else { NodeOutcome::All },
        );
        // A refutation rests on the move that refutes alone; that nothing refutes, on all.
        self.guessed = if best > alpha { self.guessed } else { guessed };
        let bounds = if best > alpha { (best, 64) } else { (-64, best) };
        // Where nothing refuted, what came nearest is no good first move for a higher alpha.
        let refuting = best_move.filter(|_| best > alpha);
        self.remember(key, position, bounds, refuting, before);
        best
    }

    /// The hashes of the children of a position with so many `empties`. What the table may know of them is on its way from memory.
    #[inline(always)]
    fn keys(&self, nexts: &MoveList, empties: u32) -> ArrayVec<u64, 60> {
        let mut keys = ArrayVec::new();
        for mv in nexts {
            let key = hash(&mv.child);
            if empties > DEEP_EMPTIES {
                self.table.prefetch(key);
            }
            keys.push(key);
        }
        keys
    }

    /// Notes bounds in the shared table, as likely ones if they rest on a guess. `before` is the count of nodes when the node was
    /// entered.
    pub(in crate::search) fn remember(
        &self,
        key: u64,
        position: &Position,
        (lower, upper): (i32, i32),
        best_move: Option<Square>,
        before: u64,
    ) {
        let cost = (self.nodes.total() - before).max(1).ilog2() as u8;
        let bounds = (lower as i8, upper as i8);
        let moves = [best_move, None];
        let entry = if self.guessed {
            Entry { likely: bounds, moves, cost, ..Entry::UNKNOWN }
        } else {
            Entry { lower: bounds.0, upper: bounds.1, moves, cost, ..Entry::UNKNOWN }
        };
        self.table.store(key, position, entry, self.generation);
    }
}
