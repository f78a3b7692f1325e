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
//! An entry stores the number of discs that were normalised when it was made, and its bound is used
//! by these two rules. `tests/exactness.rs` compares searches with and without normalised
//! keys.

use crate::othello::arch::rays::LINES;
use crate::othello::{Bitboard, Position, Square, arch};
use crate::search::constants::{MIDDLE_EMPTIES, MIDDLE_INDEX_BITS, SHALLOW_INDEX_BITS};
use crate::table::{LocalBound, LocalEntry, LocalKey, LocalTable};

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
        let table = |index_bits| LocalTable::new(index_bits, in_use);
        let (middle, shallow) = (table(MIDDLE_INDEX_BITS)?, table(SHALLOW_INDEX_BITS)?);
        Some(LocalTables { middle, shallow })
    }

    /// The bytes of memory that tables of their usual sizes take.
    pub(super) fn memory() -> usize {
        LocalTable::memory(MIDDLE_INDEX_BITS) + LocalTable::memory(SHALLOW_INDEX_BITS)
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
    /// The position with the opponent's solid discs given to the player, mixed.
    mixed: LocalKey,
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
    /// No such bound; the hash move, if there is one, by its number among the empty squares.
    HashMove(Option<u32>),
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
        Key { mixed: LocalKey::of(&key), normalised: discs.count() as i32 }
    }

    /// Prefetches the key's entry of `table`.
    #[inline(always)]
    pub(super) fn prefetch(&self, table: &LocalTable) {
        table.prefetch(self.mixed);
    }

    /// Probes `table` for the position, which has `empties` empties, with the null window `alpha`.
    #[inline(always)]
    pub(super) fn probe(&self, table: &LocalTable, empties: u32, alpha: i32) -> LocalProbe {
        let Some(entry) = table.probe(self.mixed) else {
            return LocalProbe::HashMove(None);
        };
        let (shift, offset) = (2 * self.normalised, entry.offset());
        match entry.bound() {
            LocalBound::Lower(lower) => {
                let lower = lower - shift;
                // The offset may be larger than the one that is stored.
                let holds = self.normalised <= offset || lower >= empties as i32;
                if lower > alpha && holds {
                    return LocalProbe::Cutoff(lower);
                }
            }
            LocalBound::Upper(upper) => {
                let upper = upper - shift;
                let known = offset < LocalEntry::LARGEST_OFFSET;
                let holds = known && self.normalised >= offset || upper <= -(empties as i32);
                if upper <= alpha && holds {
                    return LocalProbe::Cutoff(upper);
                }
            }
        }
        LocalProbe::HashMove(entry.move_number())
    }

    /// The hash move that `table` has for the position, by its number among the empty squares.
    pub(super) fn hash_move(&self, table: &LocalTable) -> Option<u32> {
        table.probe(self.mixed)?.move_number()
    }

    /// Stores in `table` the fail-soft `score` of a search with `alpha`, and the move that gave it,
    /// by its number among the empty squares.
    #[inline(always)]
    pub(super) fn store(&self, table: &mut LocalTable, alpha: i32, score: i32, mv: Option<u32>) {
        // The normalised discs are stable, so no proven bound leaves -64..=64 by the shift. The
        // ends of the scale mean "no bound", before the shift and after it.
        let shifted = (score + 2 * self.normalised).clamp(-64, 64);
        let bound = match score > alpha {
            true if shifted > -64 => LocalBound::Lower(shifted),
            false if shifted < 64 => LocalBound::Upper(shifted),
            _ => return,
        };
        table.store(self.mixed, LocalEntry::new(bound, self.normalised), mv);
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
                    (key.mixed, key.normalised),
                    (plain.mixed, plain.normalised)
                );
            }
        }
    }

    /// What a search proves of a position is found again, unless the shift by the normalised discs
    /// takes it beyond an end of the scale.
    #[test]
    fn bounds_come_back_as_they_were_stored() {
        let position = Position { player: Bitboard(0x1234), opponent: Bitboard(0xabcd_0000) };
        let mixed = LocalKey::of(&position);
        for normalised in 0..LocalEntry::LARGEST_OFFSET {
            let key = Key { mixed, normalised };
            let shift = 2 * normalised;
            for score in (-64..=64).step_by(2) {
                for alpha in -65..=64 {
                    let mut table = LocalTable::new(SHALLOW_INDEX_BITS, true).expect("memory");
                    key.store(&mut table, alpha, score, None);
                    let found = match key.probe(&table, 8, alpha) {
                        LocalProbe::Cutoff(bound) => Some(bound),
                        LocalProbe::HashMove(_) => None,
                    };
                    let shifted = (score + shift).min(64);
                    // The lower bound -62 is kept as -64; bounds that say nothing are not kept.
                    let lower = if shifted == -62 { -64 } else { shifted };
                    let expected = match score > alpha {
                        true => Some(lower - shift).filter(|lower| shifted > -64 && *lower > alpha),
                        false => Some(score).filter(|_| score + shift < 64),
                    };
                    assert_eq!(found, expected, "{score}, alpha {alpha}, {normalised} discs");
                }
            }
        }
    }
}
