//! A rough estimate of a score from counts: mobility, corners, discs. It helps to order moves high in the tree, and nothing that is
//! reported depends on it. The learned evaluation will take its place.
//!
//! A linear form of five differences between the sides. Its weights are rounded from least-squares fits (close positions weighing
//! more) to some 120,000 exactly solved positions each of 8, 10, 12, 13, 14 and 24 empties; its mean error there was 9 discs at 24
//! empties and 11 to 12 at 8 to 14, against 21 for knowing nothing.

use super::constants::ESTIMATE_DISC as DISC;
use super::ordering::score;
use super::worker::Worker;
use crate::othello::{Bitboard, Position, stability};

/// A doubling of (own moves + 2) against (the opponent's moves + 2).
const MOBILITY_DOUBLING: f64 = 9.8;
/// A legal move to a corner.
const CORNER_MOVE: i32 = 4 * DISC + DISC / 2;
/// A disc on a corner, or beside one on the edge.
const CORNER_STABILITY: i32 = 4 * DISC + DISC / 2;
/// A disc more than the opponent: a burden, before the end.
const DISC_MORE: i32 = -DISC / 3;
/// Being to move.
const TO_MOVE: i32 = DISC + DISC / 2;

/// `MOBILITY[moves]`: [`MOBILITY_DOUBLING`] times the binary logarithm of `moves + 2`.
static MOBILITY: [i32; 65] = {
    let mut table = [0; 65];
    let mut moves = 0;
    while moves < 65 {
        table[moves] = (MOBILITY_DOUBLING * DISC as f64 * log2(moves as f64 + 2.0)) as i32;
        moves += 1;
    }
    table
};

/// The binary logarithm of a number from 1 on, to twenty binary places, by repeated squaring.
const fn log2(number: f64) -> f64 {
    let (mut x, mut log) = (number, 0.0);
    while x >= 2.0 {
        x /= 2.0;
        log += 1.0;
    }
    let mut place = 0.5;
    let mut n = 0;
    while n < 20 {
        x *= x;
        if x >= 2.0 {
            x /= 2.0;
            log += place;
        }
        place /= 2.0;
        n += 1;
    }
    log
}

/// The estimated score for the side to move, in units of 1 / [`DISC`], where `moves` are its legal moves.
#[inline(always)]
pub(super) fn estimate(position: &Position, moves: Bitboard) -> i32 {
    let Position { player, opponent } = *position;
    let replies = position.passed().moves();
    let corners = |set: Bitboard| (set & Bitboard::CORNERS).count() as i32;
    let stability = |discs| stability::corner_stability(discs) as i32;
    MOBILITY[moves.count() as usize] - MOBILITY[replies.count() as usize]
        + (corners(moves) - corners(replies)) * CORNER_MOVE
        + (stability(player) - stability(opponent)) * CORNER_STABILITY
        + (player.count() as i32 - opponent.count() as i32) * DISC_MORE
        + TO_MOVE
}

impl Worker<'_> {
    /// The estimate by a search of `depth` plies, within `alpha` and `beta` (fail-soft), in units of 1 / [`DISC`].
    pub(super) fn look_ahead(
        &mut self,
        position: &Position,
        moves: Bitboard,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        self.nodes.count(position.empties().count());
        if moves.is_empty() {
            let passed = position.passed();
            let replies = passed.moves();
            return if replies.is_empty() {
                position.final_score().discs() * DISC
            } else {
                -self.look_ahead(&passed, replies, depth, -beta, -alpha)
            };
        }
        if depth == 0 {
            return estimate(position, moves);
        }
        let mut children: super::ordering::Scores =
            moves.into_iter().map(|square| score(square, position.after(square, position.flips(square)), 0)).collect();
        if depth > 1 {
            children.sort_unstable_by_key(|mv| -mv.value);
        }
        let (mut best, mut alpha) = (i32::MIN, alpha);
        for mv in &children {
            let value = -self.look_ahead(&mv.child, Bitboard(mv.replies), depth - 1, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
