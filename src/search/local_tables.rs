//! A worker's own transposition tables, for five to twelve empties, and their keys.
//!
//! # Solid-disc-normalised keys
//!
//! A *solid disc* stands on a square whose four lines are full. It can neither be flipped nor help
//! to flip: only its colour counts, at the end of the game. The key of a position therefore gives
//! all solid discs of the opponent to the player. With k such discs the score of the key is 2k
//! higher. Positions that differ only in the colours of solid discs share an entry. Edax does the
//! same at 8 and 9 empties (Toshihiko Okuhara, <https://github.com/okuhara/edax-reversi-AVX>).
//!
//! # Why bounds are shifted in one direction only
//!
//! A game may end with empties, which go to the winner, so a shift of the disc difference can
//! change who wins. Let a finished game have e empties and disc difference d. Its score is
//!
//! ```text
//! s(d) = d + e · sign(d),    so    s(d + 2k) ≥ s(d) + 2k    for k ≥ 0.
//! ```
//!
//! Through the tree the same holds for the score of every position. Hence:
//!
//! 1. A *lower* bound that is proven with k discs normalised holds, shifted, with k or fewer. An
//!    *upper* bound holds, shifted, with k or more.
//! 2. In the other direction a bound can be wrong only where the sign of d changed. There the
//!    shifted score lies less than `empties` from zero, as a finished game is never looked up. So a
//!    shifted lower bound of at least `empties` holds too, and a shifted upper bound of at most
//!    `-empties`.
//!
//! An entry stores the number of discs that were normalised when it was made, and its bounds are
//! used by these two rules. `tests/exactness.rs` compares searches with and without normalised
//! keys.

use crate::othello::arch::rays::LINES;
use crate::othello::{Bitboard, Position, Square, arch};
use crate::search::constants::{MIDDLE_EMPTIES, MIDDLE_TABLE_BYTES, SHALLOW_TABLE_BYTES};
use crate::table::{LocalTable, hash};

/// A worker's own tables, one for each stage of the tree that has its own.
#[derive(Debug)]
pub(super) struct LocalTables {
    /// Seven to twelve empties.
    pub(super) middle: LocalTable,
    /// Five and six empties.
    pub(super) shallow: LocalTable,
}

impl LocalTables {
    /// Empty tables of their usual sizes, or of no size at all, for tests and measurements. `None`
    /// if there is not enough memory.
    pub(super) fn new(in_use: bool) -> Option<LocalTables> {
        let table = |bytes| LocalTable::new(if in_use { bytes } else { 0 });
        let (middle, shallow) = (table(MIDDLE_TABLE_BYTES)?, table(SHALLOW_TABLE_BYTES)?);
        Some(LocalTables { middle, shallow })
    }

    /// The bytes of memory that tables of their usual sizes take.
    pub(super) fn memory() -> usize {
        LocalTable::memory(MIDDLE_TABLE_BYTES) + LocalTable::memory(SHALLOW_TABLE_BYTES)
    }

    /// The table for positions with `empties` empties.
    #[inline(always)]
    pub(super) fn of(&self, empties: u32) -> &LocalTable {
        if empties >= MIDDLE_EMPTIES { &self.middle } else { &self.shallow }
    }

    /// Removes every entry.
    pub(super) fn clear(&mut self) {
        self.middle.clear();
        self.shallow.clear();
    }
}

/// The solid-disc-normalised key of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    /// The position with the opponent's solid discs given to the player.
    position: Position,
    hash: u64,
    /// The number of discs given.
    normalised: i32,
}

/// The squares on lines with empty squares: every other square is solid.
///
/// A child of the position has one empty square less. Its solid squares follow from these sets
/// without a second look at the lines.
pub(super) struct OpenLines {
    /// The squares on at least one line with an empty square.
    one: u64,
    /// The squares on the lines of at least two empty squares.
    two: u64,
}

impl OpenLines {
    /// The lines through `empties`, or, if keys are not `normalised`, the whole board.
    #[inline(always)]
    pub(super) fn of(empties: Bitboard, normalised: bool) -> OpenLines {
        let mut lines = OpenLines { one: 0, two: if normalised { 0 } else { !0 } };
        for square in empties {
            let through = LINES[square.index()];
            lines.two |= lines.one & through;
            lines.one |= through;
        }
        lines
    }

    /// The solid squares after a disc is placed on `square`.
    #[inline(always)]
    pub(super) fn solid_after(&self, square: Square) -> Bitboard {
        Bitboard(!(self.two | self.one & !LINES[square.index()]))
    }
}

/// The result of a probe of a local table.
pub(super) enum LocalProbe {
    /// A bound that decides the null window.
    Cutoff(i32),
    /// No such bound; the hash move, if there is one.
    HashMove(Option<Square>),
}

impl Key {
    /// The key of `position`, without normalisation unless `normalise`.
    #[inline(always)]
    pub(super) fn new(position: &Position, normalise: bool) -> Key {
        let occupied = (position.player | position.opponent).0;
        let solid = if normalise { arch::all_full(occupied) } else { 0 };
        Key::normalised(position, Bitboard(solid))
    }

    /// The key of `position`, whose solid squares are `solid`.
    #[inline(always)]
    pub(super) fn normalised(position: &Position, solid: Bitboard) -> Key {
        let discs = solid & position.opponent;
        let key = Position { player: position.player | discs, opponent: position.opponent ^ discs };
        Key { position: key, hash: hash(&key), normalised: discs.count() as i32 }
    }

    /// Prefetches the key's entry of `table`.
    #[inline(always)]
    pub(super) fn prefetch(&self, table: &LocalTable) {
        table.prefetch(self.hash);
    }

    /// Probes `table` for the position, which has `empties` empties, with the null window `alpha`.
    #[inline(always)]
    pub(super) fn probe(&self, table: &LocalTable, empties: u32, alpha: i32) -> LocalProbe {
        let Some(entry) = table.probe(self.hash, &self.position) else {
            return LocalProbe::HashMove(None);
        };
        let shift = 2 * self.normalised;
        let (lower, upper) = (i32::from(entry.lower) - shift, i32::from(entry.upper) - shift);
        let (offset, empties) = (i32::from(entry.offset), empties as i32);
        if lower > alpha && (self.normalised <= offset || lower >= empties) {
            return LocalProbe::Cutoff(lower);
        }
        if upper <= alpha && (self.normalised >= offset || upper <= -empties) {
            return LocalProbe::Cutoff(upper);
        }
        LocalProbe::HashMove(entry.best_move())
    }

    /// The hash move that `table` has for the position.
    pub(super) fn hash_move(&self, table: &LocalTable) -> Option<Square> {
        table.probe(self.hash, &self.position)?.best_move()
    }

    /// Stores in `table` the fail-soft `score` of a search with `alpha`, and the move that gave it.
    #[inline(always)]
    pub(super) fn store(&self, table: &mut LocalTable, alpha: i32, score: i32, mv: Option<Square>) {
        let (lower, upper) = if score > alpha { (score, 64) } else { (-64, score) };
        // The normalised discs are stable, so no proven bound leaves -64..=64 by the shift. The
        // ends of the scale mean "no bound" and stay where they are.
        let shifted = |bound: i32| (bound + 2 * self.normalised).clamp(-64, 64);
        let (lower, upper) = (shifted(lower), shifted(upper));
        table.store(self.hash, &self.position, lower, upper, mv, self.normalised);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_keys_of_children_are_those_of_their_boards(
            discs: u64,
            holes in prop::collection::btree_set(0u8..64, 1..12),
            normalise: bool,
        ) {
            let empties: Bitboard = holes.into_iter().map(Square::new).collect();
            let discs = Bitboard(discs);
            let position = Position::new(discs & !empties, !discs & !empties);
            let lines = OpenLines::of(empties, normalise);
            for square in empties {
                // Whether the move is legal does not matter to the key.
                let child = position.after(square, Bitboard::EMPTY);
                let key = Key::normalised(&child, lines.solid_after(square));
                let plain = Key::new(&child, normalise);
                prop_assert_eq!(
                    (key.position, key.hash, key.normalised),
                    (plain.position, plain.hash, plain.normalised)
                );
            }
        }
    }
}
