//! The local transposition table: one thread's, without locks, small enough for a core's cache.
//!
//! Near the end of the game most transpositions occur within a few moves, and a small table finds
//! them. The key selects the one entry that a position may have, and a store always replaces it.
//! Two entries a line, one of which keeps the position with more empties, cost more nodes and more
//! time: docs/experiments/tables.md, "Replacement in the local tables".
//!
//! # Entries of 16 bytes that identify the whole position
//!
//! A position has 128 bits, which [`LocalKey`] mixes *reversibly*: two positions never have the
//! same key. Some bits of the key are the index of the entry. An entry stores all of the others,
//! and in the place of the index what is known of the position ([`LocalEntry`]). So index and entry
//! together identify the position, with no bit left out. This is *quotienting* (John G. Cleary,
//! "Compact Hash Tables Using Bidirectional Linear Probing", IEEE Transactions on Computers C-33,
//! 1984), here without probing.
//!
//! An entry holds one proven bound, so entries of other searches stay valid. A search clears the
//! table only to make its node count reproducible.

use std::fmt;

use bytemuck::Zeroable;

use super::prefetch::prefetch;
use crate::large_pages::LargePages;
use crate::othello::Position;

/// The 128 bits of a position, mixed reversibly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalKey {
    first: u64,
    second: u64,
}

impl LocalKey {
    /// The key of a position.
    ///
    /// Two rounds of a Feistel network, each of which changes one word by a function of the other
    /// one. Whatever the functions are, the second word undoes the first round and then the first
    /// word gives the position back.
    #[inline(always)]
    pub fn of(position: &Position) -> LocalKey {
        let first = position.opponent.0 ^ mix(position.player.0);
        LocalKey { first, second: position.player.0 ^ mix(first) }
    }
}

/// A multiplication whose halves are folded: every bit of `word` changes high and low bits.
#[inline(always)]
fn mix(word: u64) -> u64 {
    /// 2^64 / φ, where φ² = φ + 1 (the golden ratio), rounded to an odd number.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = u128::from(word) * u128::from(FACTOR);
    product as u64 ^ (product >> 64) as u64
}

/// What is known of a position: one bound of its score, and a hash move.
///
/// The bits from the lowest on: 7 for the bound, 4 for the offset, and, in tables of 15 index bits
/// and more, 4 for the hash move: its number plus 1, or 0 for none. Zero is no bound, so that an
/// empty table needs no mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalEntry(u16);

/// A proven bound, in discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalBound {
    /// The score is at least this.
    Lower(i32),
    /// The score is at most this.
    Upper(i32),
}

impl LocalEntry {
    /// The offsets from here on are stored as this one.
    pub const LARGEST_OFFSET: i32 = 15;

    const OFFSET_SHIFT: u32 = 7;
    const MOVE_SHIFT: u32 = 11;
    /// The index bits of a table from which on its entries have room for a hash move.
    const INDEX_BITS_WITH_MOVE: u32 = Self::MOVE_SHIFT + 4;

    /// An entry without a hash move. The bound is even, and says something: it is a lower bound
    /// above -64, or an upper one below 64. `offset` is the number that it is relative to.
    #[inline(always)]
    pub fn new(bound: LocalBound, offset: i32) -> LocalEntry {
        // Codes 1 to 63 are the lower bounds from -60 to 64, codes 64 to 127 the upper bounds from
        // -64 to 62. The lower bound -62, code 0, is taken for none.
        let code = match bound {
            LocalBound::Lower(score) => (score + 62) >> 1,
            LocalBound::Upper(score) => 64 + ((score + 64) >> 1),
        };
        debug_assert!((0..128).contains(&code), "{bound:?}");
        let offset = offset.min(Self::LARGEST_OFFSET);
        LocalEntry(code as u16 | (offset as u16) << Self::OFFSET_SHIFT)
    }

    /// The bound. An entry without one has a lower bound of -64.
    #[inline(always)]
    pub fn bound(self) -> LocalBound {
        let code = i32::from(self.0 & 127);
        match code {
            0 => LocalBound::Lower(-64),
            1..64 => LocalBound::Lower(2 * code - 62),
            _ => LocalBound::Upper(2 * (code - 64) - 64),
        }
    }

    /// The number that the bound is relative to, or [`LARGEST_OFFSET`](Self::LARGEST_OFFSET) for
    /// that and every larger one. The tables store positions with normalised solid discs, whose
    /// scores differ by this offset (`src/search/local_tables.rs`).
    #[inline(always)]
    pub fn offset(self) -> i32 {
        i32::from(self.0 >> Self::OFFSET_SHIFT & 15)
    }

    /// The entry with a hash move, given by its number among the empty squares; `None` for none.
    #[inline(always)]
    pub fn with_move(self, number: Option<u32>) -> LocalEntry {
        let bits = number.map_or(0, |number| number as u16 + 1);
        LocalEntry(self.0 & ((1 << Self::MOVE_SHIFT) - 1) | bits << Self::MOVE_SHIFT)
    }

    /// The number of the hash move among the empty squares.
    #[inline(always)]
    pub fn move_number(self) -> Option<u32> {
        u32::from(self.0 >> Self::MOVE_SHIFT).checked_sub(1)
    }
}

/// The transposition table of one thread: a power of two of entries, of 16 bytes each.
pub struct LocalTable {
    slots: LargePages<Slot>,
    /// The number of bits of the index.
    index_bits: u32,
    /// Whether entries have hash moves.
    has_moves: bool,
}

#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(16))]
struct Slot {
    first: u64,
    /// The second word of the key without its highest bits, which are the index, shifted up by
    /// their number. The entry is below.
    rest: u64,
}

impl LocalTable {
    /// A table with 2^`index_bits` entries, or `None` if there is not enough memory. One that is
    /// not `in_use` stores nothing: every probe misses.
    ///
    /// From 15 bits on, its entries have hash moves.
    ///
    /// # Panics
    /// If there are fewer than 11 bits or more than 16.
    pub fn new(index_bits: u32, in_use: bool) -> Option<LocalTable> {
        assert!((LocalEntry::MOVE_SHIFT..=u16::BITS).contains(&index_bits));
        let slots = LargePages::try_zeroed(if in_use { 1 << index_bits } else { 0 })?;
        let has_moves = index_bits >= LocalEntry::INDEX_BITS_WITH_MOVE;
        Some(LocalTable { slots, index_bits, has_moves })
    }

    /// The bytes of memory that a table takes.
    pub(crate) fn memory(index_bits: u32) -> usize {
        LargePages::<Slot>::bytes(1 << index_bits)
    }

    #[inline(always)]
    fn index(&self, key: LocalKey) -> usize {
        (key.second >> (64 - self.index_bits)) as usize
    }

    /// Prefetches the entry for `key` into the cache.
    #[inline(always)]
    pub fn prefetch(&self, key: LocalKey) {
        if let Some(slot) = self.slots.get(self.index(key)) {
            prefetch(slot);
        }
    }

    /// The entry of the position with this `key`, if the table has one.
    #[inline(always)]
    pub fn probe(&self, key: LocalKey) -> Option<LocalEntry> {
        self.slots.get(self.index(key)).and_then(|slot| slot.entry(key, self.index_bits))
    }

    /// Stores an entry of the position with this `key`. If the table has an entry of the same
    /// position with the same kind of bound and the same offset, the tighter bound stays. An old
    /// hash move stays unless there is a new one, which is given by its number among the empty
    /// squares.
    #[inline(always)]
    pub fn store(&mut self, key: LocalKey, entry: LocalEntry, move_number: Option<u32>) {
        let (index, index_bits, has_moves) = (self.index(key), self.index_bits, self.has_moves);
        let Some(slot) = self.slots.get_mut(index) else { return };
        let (mut entry, mut move_number) = (entry, move_number);
        if let Some(old) = slot.entry(key, index_bits) {
            let tighter = match (old.bound(), entry.bound()) {
                (LocalBound::Lower(old), LocalBound::Lower(new)) => old > new,
                (LocalBound::Upper(old), LocalBound::Upper(new)) => old < new,
                _ => false,
            };
            if tighter && old.offset() == entry.offset() {
                entry = old;
            }
            if has_moves {
                move_number = move_number.or(old.move_number());
            }
        }
        if has_moves {
            entry = entry.with_move(move_number);
        }
        *slot = Slot { first: key.first, rest: key.second << index_bits | u64::from(entry.0) };
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::zeroed());
    }
}

impl Slot {
    /// The entry, if it is of the position with this `key`.
    #[inline(always)]
    fn entry(&self, key: LocalKey, index_bits: u32) -> Option<LocalEntry> {
        // The bits of the key cancel each other, if they are the same.
        let entry = self.rest ^ key.second << index_bits;
        (self.first == key.first && entry >> index_bits == 0).then_some(LocalEntry(entry as u16))
    }
}

impl fmt::Debug for LocalTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalTable").field("bytes", &size_of_val(&*self.slots)).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::othello::Bitboard;

    fn position(player: u64, opponent: u64) -> Position {
        Position { player: Bitboard(player), opponent: Bitboard(opponent) }
    }

    /// The position with this key: the rounds undone in reverse order.
    fn unmixed(key: LocalKey) -> Position {
        let player = key.second ^ mix(key.first);
        position(player, key.first ^ mix(player))
    }

    /// Every bound that an entry may get.
    fn bounds() -> impl Iterator<Item = LocalBound> {
        let lower = (-62..=64).step_by(2).map(LocalBound::Lower);
        lower.chain((-64..=62).step_by(2).map(LocalBound::Upper))
    }

    #[test]
    fn an_entry_has_what_it_was_made_of() {
        for bound in bounds() {
            for offset in 0..40 {
                for number in (0..12).map(Some).chain([None]) {
                    let entry = LocalEntry::new(bound, offset).with_move(number);
                    let expected = match bound {
                        LocalBound::Lower(-62) => LocalBound::Lower(-64),
                        _ => bound,
                    };
                    assert_eq!(entry.bound(), expected);
                    assert_eq!(entry.offset(), offset.min(15));
                    assert_eq!(entry.move_number(), number);
                }
            }
        }
    }

    #[test]
    fn an_empty_table_knows_nothing() {
        let table = LocalTable::new(15, true).expect("there is memory");
        // The only key that an entry of zeros is of: it has no bound and no offset.
        let zero = LocalKey { first: 0, second: 0 };
        let entry = table.probe(zero).expect("an entry");
        assert_eq!((entry.bound(), entry.offset()), (LocalBound::Lower(-64), 0));
        let none = LocalTable::new(15, false).expect("no memory is needed");
        assert!(none.probe(zero).is_none());
    }

    #[test]
    fn the_tighter_bound_of_a_kind_stays_and_the_other_kind_replaces_it() {
        let key = LocalKey::of(&position(0x1234_5678, 0xabcd_0000_0000));
        let mut table = LocalTable::new(15, true).expect("there is memory");
        let mut stored = |bound, offset, number| {
            table.store(key, LocalEntry::new(bound, offset), number);
            let entry = table.probe(key).expect("an entry");
            (entry.bound(), entry.offset(), entry.move_number())
        };
        use LocalBound::{Lower, Upper};
        assert_eq!(stored(Lower(4), 2, Some(7)), (Lower(4), 2, Some(7)));
        assert_eq!(stored(Lower(2), 2, None), (Lower(4), 2, Some(7)));
        assert_eq!(stored(Lower(6), 2, Some(3)), (Lower(6), 2, Some(3)));
        assert_eq!(stored(Lower(2), 1, None), (Lower(2), 1, Some(3)));
        assert_eq!(stored(Upper(10), 1, None), (Upper(10), 1, Some(3)));
        assert_eq!(stored(Upper(12), 1, None), (Upper(10), 1, Some(3)));
        assert_eq!(stored(Upper(-8), 1, None), (Upper(-8), 1, Some(3)));
    }

    proptest! {
        #[test]
        fn a_key_gives_the_position_back(player: u64, opponent: u64) {
            let position = position(player, opponent);
            prop_assert_eq!(unmixed(LocalKey::of(&position)), position);
        }

        /// All keys with the same index as a stored one, and with the same bits but for a few: only
        /// the key itself is found.
        #[test]
        fn an_entry_is_found_by_its_own_key_only(
            first: u64, second: u64, changes in prop::collection::vec(0u32..128, 1..4),
            index_bits in 12u32..=16, code in 0usize..128, offset in 0i32..20,
        ) {
            let key = LocalKey { first, second };
            let bound = bounds().nth(code).expect("one of 128");
            let mut table = LocalTable::new(index_bits, true).expect("there is memory");
            table.store(key, LocalEntry::new(bound, offset), Some(11));
            let entry = table.probe(key).expect("the entry");
            let plain = LocalEntry::new(bound, offset);
            prop_assert_eq!((entry.bound(), entry.offset()), (plain.bound(), plain.offset()));
            prop_assert_eq!(entry.move_number(), (index_bits >= 15).then_some(11));
            let mut other = key;
            for bit in changes {
                if bit < 64 {
                    other.first ^= 1 << bit;
                } else {
                    other.second ^= 1 << (bit - 64);
                }
            }
            prop_assert_eq!(table.probe(other).is_some(), other == key);
        }
    }
}
