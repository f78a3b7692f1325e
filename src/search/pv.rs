//! Nodes whose score is wanted, not only a bound: the principal variation.
//!
//! The first move is searched with the node's own window, the others only asked whether they beat it (a null window), and searched
//! with the window when they do. So the score is found out where trees are small, near the end of the principal variation, and is
//! handed up as the threshold that the large trees beside it are asked about: that is worth more than any guess at the root. (PVS;
//! Edax's `PVS_midgame`, with the difference that its windows come from iterative deepening.)

use super::constants::{Node, PV_EMPTIES};
use super::last::NONE;
use super::split::Hand;
use super::worker::Worker;
use crate::eval::Features;
use crate::othello::{Position, stability};
use crate::table::hash;

impl Worker<'_> {
    /// The score of a position between `alpha` and `beta`: an answer between them is the score, one at or below `alpha` an upper
    /// bound of it, one at or above `beta` a lower bound.
    pub(super) fn pv(&mut self, position: &Position, moves: u64, empties: u32, alpha: i32, beta: i32) -> i32 {
        self.guessed = false;
        if empties < PV_EMPTIES {
            return self.bisect(position, moves, empties, alpha, beta);
        }
        self.nodes.count(empties);
        if moves == 0 {
            let passed = position.passed();
            let replies = passed.moves();
            return if replies.is_empty() {
                position.final_score().discs()
            } else {
                -self.pv(&passed, replies.0, empties, -beta, -alpha)
            };
        }
        let (mut lower, mut upper) = (-64, stability::upper_bound(position));
        let key = hash(position);
        let mut known_moves = [None; 2];
        if let Some(entry) = self.table.probe(key, position, self.generation) {
            lower = i32::from(entry.lower);
            upper = upper.min(i32::from(entry.upper));
            known_moves = entry.moves;
        }
        if lower >= beta || lower == upper {
            return lower;
        }
        if upper <= alpha {
            return upper;
        }
        // What is known cannot be missed by windows that reach one beyond it.
        let (alpha, beta) = (alpha.max(lower - 1), beta.min(upper + 1));
        let before = self.nodes.total();
        self.tell_nodes(before);
        if self.interrupted() {
            return alpha;
        }

        let features = Features::of(position);
        let children = self.sorted_children(position, &features, known_moves, Node::Pv);
        let (mut best, mut best_move, mut guessed) = (NONE, None, false);
        for mv in &children {
            let floor = alpha.max(best);
            let mut answer;
            if best == NONE {
                answer = -self.pv(&mv.child, mv.replies, empties - 1, -beta, -floor);
            } else {
                answer = -self.search_child(position, &features, mv, !floor);
                // The second search begins where this answer left off, so that it rests on this one's guesses too.
                guessed |= self.guessed;
                if floor < answer && answer < beta && !self.interrupted() {
                    answer = -self.pv(&mv.child, mv.replies, empties - 1, -beta, 1 - answer);
                }
            }
            guessed |= self.guessed;
            if self.interrupted() {
                return alpha;
            }
            if answer > best {
                best = answer;
                best_move = Some(mv.square);
                if best >= beta {
                    break;
                }
            }
        }
        let lower = if best > alpha { best } else { -64 };
        let upper = if best < beta { best } else { 64 };
        self.guessed = guessed;
        self.remember(key, position, (lower, upper), best_move, before);
        best
    }

    /// The same by null windows alone, from the middle outwards, where trees are small.
    fn bisect(&mut self, position: &Position, moves: u64, empties: u32, alpha: i32, beta: i32) -> i32 {
        let (mut lower, mut upper) = (-64, 64);
        loop {
            // The even thresholds that still tell something.
            let lowest = (lower + 2).max(alpha + 1 + ((alpha + 1) & 1));
            let highest = upper.min(beta + (beta & 1));
            if lowest > highest {
                return if lower >= beta || lower == upper { lower } else { upper };
            }
            let threshold = ((lowest + highest) / 4 * 2).clamp(lowest, highest);
            let answer = self.search(position, moves, empties, threshold - 1);
            if answer >= threshold {
                lower = lower.max(answer);
            } else {
                upper = upper.min(answer);
            }
        }
    }
}
