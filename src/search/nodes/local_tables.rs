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

use crate::othello::arch::rays::LINES;
use crate::othello::{Bitboard, Position, Square, arch};
use crate::search::constants::{MIDDLE_EMPTIES, MIDDLE_TABLE_BYTES, SHALLOW_TABLE_BYTES};
use crate::table::{LocalTable, hash};

/// A thread's tables, one for each stage that has its own.
#[derive(Debug)]
pub(in crate::search) struct LocalTables {
    /// Seven to eleven empties.
    pub(in crate::search) middle: LocalTable,
    /// Five and six.
    pub(in crate::search) shallow: LocalTable,
}

impl LocalTables {
    /// Tables of their usual sizes, or, for tests and measurements, of none.
    pub(in crate::search) fn new(in_use: bool) -> LocalTables {
        let table = |bytes| LocalTable::new(if in_use { bytes } else { 0 });
        LocalTables { middle: table(MIDDLE_TABLE_BYTES), shallow: table(SHALLOW_TABLE_BYTES) }
    }

    /// The one for positions with so many empties.
    #[inline(always)]
    pub(in crate::search) fn of(&self, empties: u32) -> &LocalTable {
        if empties >= MIDDLE_EMPTIES { &self.middle } else { &self.shallow }
    }

    /// Forgets everything.
    pub(in crate::search) fn clear(&mut self) {
        self.middle.clear();
        self.shallow.clear();
    }
}

/// What a local table is asked: the position as it is kept there, and how many discs were repainted to make it so.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Key {
    position: Position,
    hash: u64,
    repainted: i32,
}

/// The lines through the empty squares of a position: what lies on none of them is solid. For the position's children, of which each
/// has one empty square less, that is told without looking at all lines again.
pub(in crate::search) struct OpenLines {
    /// The squares on a line with an empty square.
    one: u64,
    /// The squares on lines with two, or on lines of two.
    two: u64,
}

impl OpenLines {
    /// The lines through these squares, or, where keys are not repainted, all.
    #[inline(always)]
    pub(in crate::search) fn of(empties: Bitboard, solid: bool) -> OpenLines {
        let mut lines = OpenLines { one: 0, two: if solid { 0 } else { !0 } };
        for square in empties {
            let through = LINES[square.index()];
            lines.two |= lines.one & through;
            lines.one |= through;
        }
        lines
    }

    /// The squares all of whose lines are full once `square` is.
    #[inline(always)]
    pub(in crate::search) fn full_after(&self, square: Square) -> Bitboard {
        Bitboard(!(self.two | self.one & !LINES[square.index()]))
    }
}

/// What a local table knew.
pub(in crate::search) enum LocalProbe {
    /// Enough to answer.
    Answer(i32),
    /// At most a move to begin with.
    Move(Option<Square>),
}

impl Key {
    /// The key of a position, with its solid discs repainted if `solid`.
    #[inline(always)]
    pub(in crate::search) fn new(position: &Position, solid: bool) -> Key {
        let full = if solid { arch::all_full((position.player | position.opponent).0) } else { 0 };
        Key::repainted(position, Bitboard(full))
    }

    /// The key of a position, with those of the opponent's discs repainted that are `solid`.
    #[inline(always)]
    pub(in crate::search) fn repainted(position: &Position, solid: Bitboard) -> Key {
        let discs = solid & position.opponent;
        let key = Position { player: position.player | discs, opponent: position.opponent ^ discs };
        Key { position: key, hash: hash(&key), repainted: discs.count() as i32 }
    }

    /// Starts to bring what `table` may know of the position into the cache.
    #[inline(always)]
    pub(in crate::search) fn prefetch(&self, table: &LocalTable) {
        table.prefetch(self.hash);
    }

    /// What `table` knows of the position, which has this many `empties`.
    #[inline(always)]
    pub(in crate::search) fn look_up(
        &self,
        table: &LocalTable,
        empties: u32,
        alpha: i32,
    ) -> LocalProbe {
        let Some(entry) = table.probe(self.hash, &self.position) else {
            return LocalProbe::Move(None);
        };
        let (lower, upper) = (
            i32::from(entry.lower) - 2 * self.repainted,
            i32::from(entry.upper) - 2 * self.repainted,
        );
        let (offset, empties) = (i32::from(entry.offset), empties as i32);
        if lower > alpha && (self.repainted <= offset || lower >= empties) {
            return LocalProbe::Answer(lower);
        }
        if upper <= alpha && (self.repainted >= offset || upper <= -empties) {
            return LocalProbe::Answer(upper);
        }
        LocalProbe::Move(entry.best_move())
    }

    /// Notes in `table` what a search with `alpha` answered, and the move that gave it.
    #[inline(always)]
    pub(in crate::search) fn note(
        &self,
        table: &mut LocalTable,
        empties: u32,
        alpha: i32,
        answer: i32,
        mv: Option<Square>,
    ) {
        let (lower, upper) = if answer > alpha { (answer, 64) } else { (-64, answer) };
        // The opponent's repainted discs are stable, so no true bound is shifted beyond the scale; the edges of the scale
        // themselves (no bound) stay where they are.
        let shifted = |bound: i32| (bound + 2 * self.repainted).clamp(-64, 64);
        table.store(
            self.hash,
            &self.position,
            empties,
            shifted(lower),
            shifted(upper),
            mv,
            self.repainted,
        );
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn children_have_the_keys_of_their_boards(
            discs: u64, holes in prop::collection::btree_set(0u8..64, 1..12), solid: bool,
        ) {
            let empties: Bitboard = holes.into_iter().map(Square::new).collect();
            let position = Position::new(Bitboard(discs) & !empties, !Bitboard(discs) & !empties);
            let lines = OpenLines::of(empties, solid);
            for square in empties {
                // Whether the move is legal does not matter to the key.
                let child = position.after(square, Bitboard::EMPTY);
                let (key, plain) = (Key::repainted(&child, lines.full_after(square)), Key::new(&child, solid));
                prop_assert_eq!((key.position, key.hash, key.repainted), (plain.position, plain.hash, plain.repainted));
            }
        }
    }
}
