//! The thread's own tables, and the key they are asked with: five to eleven empties.
//!
//! # Solid discs
//! A disc on a square whose four lines are all full can neither be flipped nor help to flip: only its colour counts, at the end. So
//! a table is asked for the position in which every such disc of the opponent is the player's own, whose score is two higher for each
//! (Matsuo and Narazaki; Edax at 8 and 9 empties; SEEDS.md, row A8). Positions that differ in solid discs share an entry.
//!
//! This is not exact as it stands, because a game may end with empties, which go to the winner: a shift of the disc difference can
//! change who that is. Let a finished game with e empties have difference d; its score is d + e·sign(d). Shifted by k discs
//! in the player's favour it is d + 2k + e·sign(d + 2k), which is *at least* the old score + 2k, and through the tree the same
//! holds for every position. So a **lower** bound proven for one colouring of the solid discs holds, shifted, for every
//! colouring with *more* of them the player's own, and an **upper** bound for every one with *fewer*. In the other direction it
//! can only be wrong where the sign changed, and there the shifted score lies within e of zero; e is less than the position's own
//! empties, as a game that is over is never looked up. So a shifted lower bound of `empties` or more holds too, and an upper bound
//! of `-empties` or less. An entry notes how many discs were repainted when it was made (`offset`), and its bounds are used by these
//! two rules.

use super::constants::{MIDDLE_TABLE_BYTES, SHALLOW_TABLE_BYTES};
use crate::othello::{Bitboard, Position, Square, arch};
use crate::table::{LocalTable, hash};

/// A thread's tables, one for each stage that has its own.
#[derive(Debug)]
pub(super) struct LocalTables {
    /// Seven to eleven empties.
    pub(super) middle: LocalTable,
    /// Five and six.
    pub(super) shallow: LocalTable,
}

impl LocalTables {
    /// Tables of their usual sizes, or, for tests and measurements, of none.
    pub(super) fn new(in_use: bool) -> LocalTables {
        let table = |bytes| LocalTable::new(if in_use { bytes } else { 0 });
        LocalTables { middle: table(MIDDLE_TABLE_BYTES), shallow: table(SHALLOW_TABLE_BYTES) }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.middle.clear();
        self.shallow.clear();
    }
}

/// What a local table is asked: the position as it is kept there, and how many discs were repainted to make it so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    position: Position,
    hash: u64,
    repainted: i32,
}

/// What a local table knew.
pub(super) enum Known {
    /// Enough to answer.
    Answer(i32),
    /// At most a move to begin with.
    Move(Option<Square>),
}

impl Key {
    /// The key of a position, with its solid discs repainted if `solid`.
    #[inline(always)]
    pub(super) fn new(position: &Position, solid: bool) -> Key {
        let mut key = *position;
        let mut repainted = 0;
        if solid {
            let discs = Bitboard(arch::all_full((position.player | position.opponent).0)) & position.opponent;
            repainted = discs.count() as i32;
            key = Position { player: key.player | discs, opponent: key.opponent ^ discs };
        }
        Key { position: key, hash: hash(&key), repainted }
    }

    /// Starts to bring what `table` may know of the position into the cache.
    #[inline(always)]
    pub(super) fn prefetch(&self, table: &LocalTable) {
        table.prefetch(self.hash);
    }

    /// What `table` knows of the position, which has this many `empties`.
    #[inline(always)]
    pub(super) fn look_up(&self, table: &LocalTable, empties: u32, alpha: i32) -> Known {
        let Some(entry) = table.probe(self.hash, &self.position) else { return Known::Move(None) };
        let (lower, upper) = (i32::from(entry.lower) - 2 * self.repainted, i32::from(entry.upper) - 2 * self.repainted);
        let (offset, empties) = (i32::from(entry.offset), empties as i32);
        if lower > alpha && (self.repainted <= offset || lower >= empties) {
            return Known::Answer(lower);
        }
        if upper <= alpha && (self.repainted >= offset || upper <= -empties) {
            return Known::Answer(upper);
        }
        Known::Move(entry.best_move())
    }

    /// Notes in `table` what a search with `alpha` answered, and the move that gave it.
    #[inline(always)]
    pub(super) fn note(&self, table: &mut LocalTable, empties: u32, alpha: i32, answer: i32, mv: Option<Square>) {
        let (lower, upper) = if answer > alpha { (answer, 64) } else { (-64, answer) };
        // The opponent's repainted discs are stable, so no true bound is shifted beyond the scale; the edges of the scale
        // themselves (no bound) stay where they are.
        let shifted = |bound: i32| (bound + 2 * self.repainted).clamp(-64, 64);
        table.store(self.hash, &self.position, empties, shifted(lower), shifted(upper), mv, self.repainted);
    }
}
