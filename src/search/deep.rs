//! Twelve empties and more: the shared table, and every means to need fewer nodes.
//!
//! A node asks, in this order: is alpha out of reach by stable discs; does the table know enough; does the table know enough of a
//! child (*enhanced transposition cut-off*); do the moves that the table remembers refute; and then the rest, ordered.

use super::constants::{DEEP_EMPTIES, Node};
use super::last::NONE;
use super::ordering::select;
use super::worker::Worker;
use crate::othello::{Position, Square};
use crate::table::{Entry, hash};

impl Worker<'_> {
    /// A position with at least twelve `empties`; `moves` are its legal moves.
    pub(super) fn deep(&mut self, position: &Position, moves: u64, empties: u32, alpha: i32) -> i32 {
        let key = hash(position);
        self.table.prefetch(key);
        self.nodes.count(empties);
        if let Some(upper) = self.stability_cut(position, empties, alpha) {
            return upper;
        }
        if moves == 0 {
            return self.pass(position, empties, alpha);
        }
        let before = self.nodes.total();

        let mut known_moves = [None; 2];
        if let Some(entry) = self.table.probe(key, position) {
            if i32::from(entry.lower) > alpha {
                return i32::from(entry.lower);
            }
            if i32::from(entry.upper) <= alpha {
                return i32::from(entry.upper);
            }
            known_moves = entry.moves;
        }

        let mut children = self.children(position, moves, empties, known_moves, Node::Null);
        if children.iter().any(|mv| mv.child.player.is_empty()) {
            return 64;
        }
        // What the table knows of the children.
        if empties > DEEP_EMPTIES {
            for mv in &children {
                self.nodes.count(empties - 1);
                if let Some(entry) = self.table.probe(hash(&mv.child), &mv.child) {
                    let lower = -i32::from(entry.upper);
                    if lower > alpha {
                        self.remember(key, position, lower, 64, Some(mv.square), before);
                        return lower;
                    }
                }
            }
        }
        let (mut best, mut best_move) = (NONE, None);
        for i in 0..children.len() {
            let mv = select(&mut children, i);
            let answer = -self.search(&mv.child, mv.replies, empties - 1, !alpha);
            if answer > best {
                best = answer;
                best_move = Some(mv.square);
                if best > alpha {
                    break;
                }
            }
        }
        let (lower, upper) = if best > alpha { (best, 64) } else { (-64, best) };
        self.remember(key, position, lower, upper, best_move, before);
        best
    }

    /// Notes bounds in the shared table. `before` is the count of nodes when the node was entered.
    pub(super) fn remember(
        &self,
        key: u64,
        position: &Position,
        lower: i32,
        upper: i32,
        best_move: Option<Square>,
        before: u64,
    ) {
        let cost = (self.nodes.total() - before).max(1).ilog2() as u8;
        let entry = Entry { lower: lower as i8, upper: upper as i8, moves: [best_move, None], cost };
        self.table.store(key, position, entry);
    }
}
