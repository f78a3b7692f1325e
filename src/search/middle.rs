//! Seven to eleven empties: the thread's own table, and moves ordered by what they leave.
//!
//! # Solid discs
//! A disc on a square whose four lines are all full can neither be flipped nor help to flip: only its colour counts, at the end. So
//! the table is asked for the position in which every such disc of the opponent is the player's own, whose score is two higher for each
//! (Matsuo and Narazaki; Edax at 8 and 9 empties; SEEDS.md, row A8). Positions that differ in solid discs share an entry.
//!
//! This is not exact as it stands, because a game may end with empties, which go to the winner: a shift of the disc difference can
//! change who that is. Let a finished game with e empties have difference d; its score is d + e·sign(d). Shifted by 2k discs
//! in the player's favour it is d + 2k + e·sign(d + 2k), which is *at least* the old score + 2k, and through the tree the same
//! holds for every position. So a **lower** bound proven for one colouring of the solid discs holds, shifted, for every
//! colouring with *more* of them the player's own, and an **upper** bound for every one with *fewer*. In the other direction it
//! can only be wrong where the sign changed, and a score whose sign changed lies within the number of empties of
//! zero: so a shifted lower bound of `empties` or more holds too, and an upper bound of `-empties` or less. An
//! entry notes how many discs were repainted when it was made (`offset`), and its bounds are used by these two rules.

use super::last::NONE;
use super::ordering::{Scores, score, select};
use super::parity::odd_quadrants;
use super::worker::Worker;
use crate::othello::{Bitboard, Position, arch};
use crate::table::hash;

/// What the local table is asked: the position as it is kept there, and how many discs were repainted.
struct Key {
    position: Position,
    hash: u64,
    repainted: i32,
}

impl Key {
    #[inline(always)]
    fn new(position: &Position, solid: bool) -> Key {
        let mut key = *position;
        let mut repainted = 0;
        if solid {
            let discs = Bitboard(arch::all_full((position.player | position.opponent).0)) & position.opponent;
            repainted = discs.count() as i32;
            key = Position { player: key.player | discs, opponent: key.opponent ^ discs };
        }
        Key { position: key, hash: hash(&key), repainted }
    }
}

impl Worker<'_> {
    /// A position with seven to eleven `empties`; `moves` are its legal moves.
    pub(super) fn middle(&mut self, position: &Position, moves: u64, empties: u32, alpha: i32) -> i32 {
        self.nodes.count(empties);
        if let Some(upper) = self.stability_cut(position, empties, alpha) {
            return upper;
        }
        if moves == 0 {
            return self.pass(position, empties, alpha);
        }

        let key = Key::new(position, self.solid_keys);
        let mut known_move = None;
        if let Some(entry) = self.local.probe(key.hash, &key.position) {
            // Both scales count the player's repainted discs; the shift of this position takes them off again.
            let (lower, upper) =
                (i32::from(entry.lower) - 2 * key.repainted, i32::from(entry.upper) - 2 * key.repainted);
            let offset = i32::from(entry.offset);
            if lower > alpha && (key.repainted <= offset || lower >= empties as i32) {
                return lower;
            }
            if upper <= alpha && (key.repainted >= offset || upper <= -(empties as i32)) {
                return upper;
            }
            known_move = entry.best_move();
        }

        let mut left = Bitboard(moves);
        let mut best = NONE;
        let mut best_move = None;
        if let Some(square) = known_move.filter(|&square| left.contains(square)) {
            left ^= Bitboard::of(square);
            let child = position.after(square, position.flips(square));
            best = -self.below_deep(&child, child.moves().0, empties - 1, !alpha);
            best_move = Some(square);
        }
        if best <= alpha && !left.is_empty() {
            let odd = odd_quadrants(position.empties().0);
            let mut scores = Scores::new();
            for square in left {
                let flips = position.flips(square);
                if flips == position.opponent {
                    return 64;
                }
                self.nodes.count(empties - 1);
                scores.push(score(square, position.after(square, flips), odd));
            }
            for i in 0..scores.len() {
                let mv = select(&mut scores, i);
                let answer = -self.below_deep(&mv.child, mv.replies, empties - 1, !alpha);
                if answer > best {
                    best = answer;
                    best_move = Some(mv.square);
                    if best > alpha {
                        break;
                    }
                }
            }
        }

        let (lower, upper) = if best > alpha { (best, 64) } else { (-64, best) };
        let shifted = |bound: i32| (bound + 2 * key.repainted).clamp(-64, 64);
        let store = (shifted(lower), shifted(upper));
        self.local.store(key.hash, &key.position, empties, store.0, store.1, best_move, key.repainted);
        best
    }
}
