//! Twelve empties and more: the shared table, and every means to need fewer nodes.
//!
//! A node asks, in this order: is alpha out of reach by stable discs; does the table know enough; does the table know enough of a
//! child (*enhanced transposition cut-off*); do the moves that the table remembers refute; and then the rest, ordered.

use super::last::NONE;
use super::ordering::{Scores, score, select};
use super::parity::odd_quadrants;
use super::worker::Worker;
use crate::othello::{Bitboard, Position, Square};
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

        let odd = odd_quadrants(position.empties().0);
        let mut children: Scores = Scores::new();
        for square in Bitboard(moves) {
            let flips = position.flips(square);
            if flips == position.opponent {
                return 64;
            }
            children.push(score(square, position.after(square, flips), odd));
            self.nodes.count(empties - 1);
        }
        // What the table knows of the children.
        if empties > super::constants::DEEP_EMPTIES {
            for mv in &mut children {
                self.nodes.count(empties - 1);
                if let Some(entry) = self.table.probe(hash(&mv.child), &mv.child) {
                    let lower = -i32::from(entry.upper);
                    if lower > alpha {
                        self.remember(key, position, alpha, lower, Some(mv.square), before);
                        return lower;
                    }
                }
            }
        }
        for mv in &mut children {
            if Some(mv.square) == known_moves[0] {
                mv.value = i32::MAX;
            } else if Some(mv.square) == known_moves[1] {
                mv.value = i32::MAX - 1;
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
        self.remember(key, position, alpha, best, best_move, before);
        best
    }

    /// Notes an answer in the shared table. `before` is the count of nodes when the node was entered.
    fn remember(&self, key: u64, position: &Position, alpha: i32, answer: i32, mv: Option<Square>, before: u64) {
        let cost = (self.nodes.total() - before).max(1).ilog2() as u8;
        let (lower, upper) = if answer > alpha { (answer as i8, 64) } else { (-64, answer as i8) };
        self.table.store(key, position, Entry { lower, upper, moves: [mv, None], cost });
    }
}
