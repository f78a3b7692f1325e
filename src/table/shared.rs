//! The shared transposition table: one for all threads, read and written without locks.
//!
//! A bucket has four slots of 32 bytes, two cache lines in all. An entry holds the whole position
//! (128 bits), proven bounds, ProbCut bounds, two hash moves, the cost of its search and its
//! generation. The table may have any number of buckets (`hash.rs`). Few of them are in use at
//! first, and more as entries need them (`growth.rs`).
//!
//! # Threads
//!
//! Each slot is a seqlock; [`super::slot`] has the layout and the argument for its memory ordering.
//! No probe and no store waits: a torn read is a miss, and a store to a slot that another thread is
//! writing is dropped. Everything else here is a hint that only costs time if it is wrong: the
//! choice of the slot to replace reads data words without the sequence, and two threads may store
//! the same position in two slots of a bucket. Both entries are then true.
//!
//! # Generations and replacement
//!
//! Each search pass is a *generation* (aging). Entries are not cleared between passes or positions.
//! The replaced slot is the one with the least *retention value*: the binary logarithm of the nodes
//! that its entry took, less [`AGE_PENALTY`] for each generation since. So the hash moves of a
//! selective pass are still there for the exact pass.
//!
//! # ProbCut bounds
//!
//! A ProbCut bound is not proven. It is read only by selective passes, and only in the generation
//! that wrote it. Generations are counted modulo 256, so a bound that is exactly 256 generations
//! old is read again. That can mislead a selective pass, as any ProbCut bound can; the exact pass
//! reads proven bounds only.

use std::fmt;

use super::error::TableError;
use super::gradual_pages::GradualPages;
use super::growth::Growth;
use super::hash::bucket_index;
use super::memory::{self, check_memory};
use super::prefetch::prefetch;
use super::slot::{self, Slot};
use super::touched::TouchedBlocks;
use crate::othello::{Position, Square};
use crate::sync::{AtomicU8, AtomicU64, Ordering, zeros};

/// The number of slots in a bucket.
const SLOTS: usize = 4;
/// The number of words in a bucket: two cache lines.
const WORDS: usize = SLOTS * slot::WORDS;
/// The size and the alignment of a bucket in bytes.
pub(super) const BUCKET_BYTES: usize = WORDS * size_of::<u64>();

/// An entry of the shared table. Bounds are in discs, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Proven: the score is at least this.
    pub lower: i8,
    /// Proven: the score is at most this.
    pub upper: i8,
    /// ProbCut bounds: the lower and the upper one. (-64, 64) in every generation but the one that
    /// wrote them.
    pub selective: (i8, i8),
    /// The hash moves: the move that proved the last lower bound, and the one before it.
    pub moves: [Option<Square>; 2],
    /// The cost of the search: the binary logarithm of its nodes.
    pub cost: u8,
}

impl Entry {
    /// An entry without any information.
    pub const UNKNOWN: Entry =
        Entry { lower: -64, upper: 64, selective: (-64, 64), moves: [None; 2], cost: 0 };

    /// The data word of an entry. Its bytes, from the lowest: lower, upper, two moves (64 is none),
    /// cost, generation, ProbCut lower, ProbCut upper.
    fn pack(self, generation: u8) -> u64 {
        let square = |mv: Option<Square>| mv.map_or(64, |square| square.index() as u8);
        u64::from_le_bytes([
            self.lower as u8,
            self.upper as u8,
            square(self.moves[0]),
            square(self.moves[1]),
            self.cost,
            generation,
            self.selective.0 as u8,
            self.selective.1 as u8,
        ])
    }

    /// The entry of a data word, read in `generation`: without the ProbCut bounds of others.
    #[inline(always)]
    fn unpack(word: u64, generation: u8) -> Entry {
        let [lower, upper, first, second, cost, written, selective_lower, selective_upper] =
            word.to_le_bytes();
        let square = |index: u8| (index < 64).then(|| Square::new(index & 63));
        let selective = if written == generation {
            (selective_lower as i8, selective_upper as i8)
        } else {
            (-64, 64)
        };
        Entry {
            lower: lower as i8,
            upper: upper as i8,
            selective,
            moves: [square(first), square(second)],
            cost,
        }
    }
}

/// The data word of an empty slot. No entry has it, because its two hash moves cannot both be a1.
pub(super) const EMPTY: u64 = 0;

/// The loss of retention value for each generation, in doublings of the node count. Measured:
/// docs/experiments/tables.md, "Aging".
const AGE_PENALTY: i32 = 2;

/// The retention value of a data word, seen from `generation`. The slot with the least is replaced.
pub(super) fn retention_value(word: u64, generation: u8) -> i32 {
    let [_, _, _, _, cost, ..] = word.to_le_bytes();
    match word {
        EMPTY => i32::MIN,
        _ => i32::from(cost) - AGE_PENALTY * i32::from(age(generation, word)),
    }
}

/// The age of a data word in generations, seen from `generation`.
///
/// Generations are counted modulo 256. A thread may see entries of a later generation, which
/// another thread started meanwhile. Their age would seem to be close to 256, so the last 64 ages
/// count as 0.
#[inline(always)]
pub(super) fn age(generation: u8, word: u64) -> u8 {
    const LATER_GENERATIONS: u8 = 64;
    let [_, _, _, _, _, written, ..] = word.to_le_bytes();
    match generation.wrapping_sub(written) {
        age if age > u8::MAX - LATER_GENERATIONS => 0,
        age => age,
    }
}

/// The transposition table that all threads share.
pub struct SharedTable {
    /// The buckets and the padding that aligns them. Allocated as words, because the system has
    /// zeroed pages for these; memory with a stricter alignment would be zeroed by the program.
    memory: Box<[AtomicU64]>,
    /// The progress of the memory from small to large pages.
    pages: GradualPages,
    /// The number of words before the first bucket.
    padding: usize,
    /// The number of buckets, and how many of them are in use.
    growth: Growth,
    /// Where entries were stored since the last clear.
    touched: TouchedBlocks,
    generation: AtomicU8,
}

impl SharedTable {
    /// A table of at most `bytes` bytes, but at least one bucket, for this many `threads`.
    ///
    /// # Errors
    /// If the table is larger than the memory, or if the system refuses to allocate it.
    pub fn new(bytes: u64, threads: usize) -> Result<SharedTable, TableError> {
        check_memory(bytes, 1)?;
        SharedTable::growing(bytes, bytes, threads)
    }

    /// A table that takes at most `first` bytes, and then grows further up to `limit` bytes while
    /// the memory is free. The memory up to the limit is reserved.
    ///
    /// # Errors
    /// If the system refuses to allocate it.
    pub fn growing(first: u64, limit: u64, threads: usize) -> Result<SharedTable, TableError> {
        SharedTable::with_free_memory(first, limit, threads, memory::free)
    }

    /// The same, with what returns the bytes of memory that are free.
    pub(super) fn with_free_memory(
        first: u64,
        limit: u64,
        threads: usize,
        free: fn() -> Option<u64>,
    ) -> Result<SharedTable, TableError> {
        let buckets =
            |bytes: u64| usize::try_from(bytes / BUCKET_BYTES as u64).unwrap_or(usize::MAX).max(1);
        let (bytes, first) = (limit.max(first), buckets(first));
        let buckets = buckets(bytes);
        // One bucket more, for the alignment.
        let words = buckets.checked_add(1).and_then(|buckets| buckets.checked_mul(WORDS));
        let memory = words.and_then(zeros).ok_or(TableError::OutOfMemory(bytes))?;
        let padding = memory.as_ptr().addr().wrapping_neg() % BUCKET_BYTES / size_of::<AtomicU64>();
        Ok(SharedTable {
            pages: GradualPages::new(&memory),
            memory,
            padding,
            growth: Growth::new(first, buckets, threads, free),
            touched: TouchedBlocks::new(buckets),
            generation: AtomicU8::new(0),
        })
    }

    /// Moves the next part of the table to a large page if the pause since the last one is over.
    /// Workers call this every few thousand nodes.
    #[inline]
    pub fn advance_large_pages(&self) {
        self.pages.advance(&self.memory[..self.padding + self.growth.in_use() * WORDS]);
    }

    /// The size of the table in bytes, once all of its memory is in use.
    pub fn bytes(&self) -> u64 {
        (self.growth.capacity() * BUCKET_BYTES) as u64
    }

    /// The bytes of the table that are in use.
    pub fn bytes_in_use(&self) -> u64 {
        (self.growth.in_use() * BUCKET_BYTES) as u64
    }

    /// The number of buckets in use.
    #[cfg(test)]
    pub(super) fn buckets_in_use(&self) -> usize {
        self.growth.in_use()
    }

    /// The index of the bucket for `hash`.
    #[inline(always)]
    fn bucket_index(&self, hash: u64) -> usize {
        bucket_index(hash, self.growth.in_use() as u64) as usize
    }

    /// The words of a bucket.
    #[inline(always)]
    fn bucket(&self, index: usize) -> &[AtomicU64] {
        &self.memory[self.padding + index * WORDS..][..WORDS]
    }

    #[inline(always)]
    pub(super) fn slots(&self, bucket: usize) -> [Slot<'_>; SLOTS] {
        let (slots, _) = self.bucket(bucket).as_chunks();
        std::array::from_fn(|index| Slot(&slots[index]))
    }

    /// Prefetches both cache lines of the bucket for `hash`.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        let bucket = self.bucket(self.bucket_index(hash));
        prefetch(&bucket[0]);
        prefetch(&bucket[WORDS / 2]);
    }

    /// The entry of `position`, whose hash is `hash`, if the table has one. Its ProbCut bounds are
    /// those of `generation`.
    #[inline(always)]
    pub fn probe(&self, hash: u64, position: &Position, generation: u8) -> Option<Entry> {
        let word =
            self.slots(self.bucket_index(hash)).iter().find_map(|slot| slot.read(position))?;
        Some(Entry::unpack(word, generation))
    }

    /// Stores an entry of `position`. If the table has one of this position, they are merged: the
    /// tighter of each bound, the greater cost, and the old hash moves behind the new one.
    pub fn store(&self, hash: u64, position: &Position, entry: Entry, generation: u8) {
        let bucket = self.bucket_index(hash);
        let slots = self.slots(bucket);
        let mut victim = slots[0];
        let (mut least, mut replaced) = (i32::MAX, EMPTY);
        for slot in slots {
            if slot.read(position).is_some() {
                (victim, replaced) = (slot, EMPTY);
                break;
            }
            let word = slot.peek_data();
            let value = retention_value(word, generation);
            if value < least {
                (victim, least, replaced) = (slot, value, word);
            }
        }
        victim.write(position, |old| {
            let entry = old.map_or(entry, |old| merge(Entry::unpack(old, generation), entry));
            entry.pack(generation)
        });
        self.mark_touched(bucket);
        if self.growth.count_replaced(replaced, generation) {
            self.grow(&self.growth, generation);
        }
    }

    /// Notes that a bucket was written.
    #[inline(always)]
    pub(super) fn mark_touched(&self, bucket: usize) {
        self.touched.insert(bucket);
    }

    /// All entries of the table, as [`probe`](Self::probe) returns them in `generation`.
    #[cfg(test)]
    pub(crate) fn entries(&self, generation: u8) -> Vec<(Position, Entry)> {
        let board = |word: &AtomicU64| crate::othello::Bitboard(word.load(Ordering::Relaxed));
        let entry = |Slot([player, opponent, data, _]): Slot<'_>| {
            let position = Position { player: board(player), opponent: board(opponent) };
            (position, Entry::unpack(data.load(Ordering::Relaxed), generation))
        };
        let entries = (0..self.growth.capacity()).flat_map(|bucket| self.slots(bucket)).map(entry);
        entries.filter(|(position, _)| !(position.player | position.opponent).is_empty()).collect()
    }

    /// Starts a new generation and returns its number. Entries of older generations stay.
    pub fn next_generation(&self) -> u8 {
        let generation = self.generation.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        self.growth.start_generation(generation);
        generation
    }

    /// Removes all entries, in time proportional to the touched blocks, and starts again with
    /// generation 0 and few buckets in use.
    ///
    /// The table is empty afterwards if no other thread stores meanwhile. An entry that is stored
    /// meanwhile may survive this clear and later ones: its proven bounds stay true, and only node
    /// counts depend on it.
    pub fn clear(&self) {
        self.touched
            .drain()
            .flatten()
            .for_each(|bucket| self.slots(bucket).into_iter().for_each(Slot::clear));
        self.generation.store(0, Ordering::Relaxed);
        self.growth.reset();
    }
}

/// Merges two entries of one position.
fn merge(old: Entry, new: Entry) -> Entry {
    let moves = match (new.moves[0], old.moves) {
        (None, old) => old,
        (Some(mv), [first, second]) if first == Some(mv) => [first, second],
        (Some(mv), [first, _]) => [Some(mv), first],
    };
    debug_assert!(
        old.lower <= new.upper && new.lower <= old.upper,
        "bounds cross: {old:?}, {new:?}"
    );
    // ProbCut bounds may contradict each other. Then the newer ones are kept.
    let selective =
        match (old.selective.0.max(new.selective.0), old.selective.1.min(new.selective.1)) {
            (lower, upper) if lower <= upper => (lower, upper),
            _ => new.selective,
        };
    Entry {
        lower: old.lower.max(new.lower),
        upper: old.upper.min(new.upper),
        selective,
        moves,
        cost: old.cost.max(new.cost),
    }
}

impl fmt::Debug for SharedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedTable").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Bitboard;
    use crate::table::hash;

    fn position(n: u64) -> Position {
        let player = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Position::new(Bitboard(player), Bitboard(!player & n.wrapping_mul(0xd1b5_4a32_d192_ed03)))
    }

    fn bounds(lower: i8, upper: i8, cost: u8) -> Entry {
        Entry { lower, upper, cost, ..Entry::UNKNOWN }
    }

    #[test]
    fn an_entry_packs_and_unpacks() {
        for square in Square::all() {
            let entry = Entry {
                lower: -64,
                upper: -2,
                selective: (-12, -8),
                moves: [Some(square), None],
                cost: 33,
            };
            assert_eq!(Entry::unpack(entry.pack(255), 255), entry);
            assert_eq!(Entry::unpack(entry.pack(255), 0), Entry { selective: (-64, 64), ..entry });
            assert_ne!(entry.pack(0), EMPTY);
        }
        assert_eq!(BUCKET_BYTES, 128);
    }

    #[test]
    fn entries_of_later_generations_have_age_zero() {
        let age = |generation, written| age(generation, Entry::UNKNOWN.pack(written));
        assert_eq!((age(7, 7), age(8, 7), age(7, 8), age(7, 7 + 64), age(3, 250)), (0, 1, 0, 0, 9));
        assert_eq!((age(7, 7 + 65), age(100, 200)), (191, 156), "older generations");
    }

    #[test]
    fn bounds_and_moves_are_merged() {
        let table = SharedTable::new(1 << 20, 1).expect("a mebibyte");
        let at = position(7);
        let key = hash(&at);
        let (a, b) = (Square::new(3), Square::new(4));
        assert_eq!(table.probe(key, &at, 0), None);
        table.store(key, &at, Entry { moves: [Some(a), None], ..bounds(2, 64, 5) }, 0);
        table.store(key, &at, bounds(-64, 8, 3), 0);
        assert_eq!(
            table.probe(key, &at, 0),
            Some(Entry { moves: [Some(a), None], ..bounds(2, 8, 5) })
        );
        table.store(key, &at, Entry { moves: [Some(b), None], ..bounds(4, 64, 9) }, 0);
        assert_eq!(
            table.probe(key, &at, 0),
            Some(Entry { moves: [Some(b), Some(a)], ..bounds(4, 8, 9) })
        );
        table.store(key, &at, Entry { moves: [Some(b), None], ..bounds(6, 64, 9) }, 0);
        assert_eq!(table.probe(key, &at, 0).map(|entry| entry.moves), Some([Some(b), Some(a)]));
    }

    fn selective(lower: i8, upper: i8) -> Entry {
        Entry { selective: (lower, upper), ..Entry::UNKNOWN }
    }

    #[test]
    fn prob_cut_bounds_are_merged_and_newer_ones_replace_contradicting_ones() {
        let merged = |old, new| merge(selective(old, 64), new).selective;
        assert_eq!(merged(2, selective(-64, 8)), (2, 8));
        assert_eq!(merged(2, selective(-4, 2)), (2, 2));
        assert_eq!(merged(2, selective(6, 64)), (6, 64));
        assert_eq!(
            merged(2, selective(-64, 0)),
            (-64, 0),
            "a bound that contradicts an older one replaces it"
        );
        // Proven bounds and ProbCut bounds are kept apart, even if they contradict each other.
        let both = merge(
            Entry { moves: [Some(Square::new(3)), None], ..bounds(-64, 4, 7) },
            selective(10, 64),
        );
        assert_eq!((both.lower, both.upper, both.selective, both.cost), (-64, 4, (10, 64), 7));
        assert_eq!(both.moves, [Some(Square::new(3)), None]);
        let both = merge(selective(10, 64), bounds(-64, 4, 7));
        assert_eq!((both.lower, both.upper, both.selective), (-64, 4, (10, 64)));
    }

    #[test]
    fn prob_cut_bounds_end_with_their_generation_and_proven_ones_stay() {
        let table = SharedTable::new(1 << 20, 1).expect("a mebibyte");
        let at = position(7);
        let key = hash(&at);
        let read = |generation| {
            table
                .probe(key, &at, generation)
                .map(|entry| (entry.lower, entry.upper, entry.selective))
        };
        table.store(key, &at, Entry { selective: (10, 64), ..bounds(2, 64, 5) }, 1);
        assert_eq!(read(1), Some((2, 64, (10, 64))));
        assert_eq!(read(2), Some((2, 64, (-64, 64))), "proven bounds stay");
        assert_eq!(read(0), Some((2, 64, (-64, 64))), "nor are they read in an earlier generation");
        // A proven bound of a later generation does not renew the old ProbCut bound.
        table.store(key, &at, bounds(-64, 8, 3), 2);
        assert_eq!(read(2), Some((2, 8, (-64, 64))));
        assert_eq!(read(1), Some((2, 8, (-64, 64))));
        // Nor does a later ProbCut bound.
        table.store(key, &at, Entry { selective: (-64, 6), ..Entry::UNKNOWN }, 3);
        assert_eq!(read(3), Some((2, 8, (-64, 6))));
        assert_eq!(read(4), Some((2, 8, (-64, 64))));
    }

    /// ProbCut bounds of one generation are not read in the next one, whichever slots they share.
    #[test]
    fn prob_cut_bounds_are_not_read_in_another_generation() {
        let table = SharedTable::new(4 << 10, 1).expect("32 buckets");
        let generations = if cfg!(miri) { 20 } else { 600 };
        for round in 0..generations {
            let generation = table.next_generation();
            for n in 0..40 {
                let at = position(n * 7 + round % 5);
                let key = hash(&at);
                if let Some(entry) = table.probe(key, &at, generation) {
                    // The bound is a function of the generation that wrote it.
                    let mark = (generation % 32) as i8;
                    assert!(
                        entry.selective == (-64, 64) || entry.selective == (mark, mark),
                        "{entry:?} in {generation}"
                    );
                }
                match n % 3 {
                    0 => table.store(key, &at, bounds(-2, 40, 3), generation),
                    _ => table.store(
                        key,
                        &at,
                        selective((generation % 32) as i8, (generation % 32) as i8),
                        generation,
                    ),
                }
            }
        }
        table.clear();
        assert_eq!(table.next_generation(), 1);
    }

    #[test]
    fn a_cleared_table_is_empty_and_buckets_are_aligned() {
        let most = if cfg!(miri) { 1 << 13 } else { 1 << 20 };
        for bytes in [0, 128, 1000, most] {
            let table = SharedTable::new(bytes, 1).expect("memory");
            assert_eq!(table.bytes(), (bytes / 128 * 128).max(128));
            assert_eq!(table.bucket(0).as_ptr().addr() % BUCKET_BYTES, 0);
            for n in 0..2000 {
                table.store(hash(&position(n)), &position(n), bounds(0, 2, 1), 0);
            }
            table.clear();
            assert!((0..2000).all(|n| table.probe(hash(&position(n)), &position(n), 0).is_none()));
        }
    }

    #[test]
    fn old_and_cheap_entries_are_replaced_first() {
        // A table of one bucket.
        let table = SharedTable::new(0, 1).expect("a bucket");
        assert_eq!(table.bytes(), 128);
        let held = |table: &SharedTable| -> Vec<u64> {
            (1..20)
                .filter(|&n| table.probe(hash(&position(n)), &position(n), 0).is_some())
                .collect()
        };
        for (n, cost) in [(1, 9), (2, 3), (3, 7), (4, 5)] {
            table.store(hash(&position(n)), &position(n), bounds(0, 2, cost), 0);
        }
        assert_eq!(held(&table), [1, 2, 3, 4]);
        table.store(hash(&position(5)), &position(5), bounds(0, 2, 1), 0);
        assert_eq!(held(&table), [1, 3, 4, 5], "the cheapest is replaced, even by a cheaper one");
        assert_eq!(table.next_generation(), 1);
        table.store(hash(&position(3)), &position(3), bounds(0, 2, 1), 1);
        for n in 6..9 {
            table.store(hash(&position(n)), &position(n), bounds(0, 2, 1), 1);
        }
        assert_eq!(held(&table), [1, 3, 4, 8], "an expensive entry stays for some generations");
        for n in 9..12 {
            table.store(hash(&position(n)), &position(n), bounds(0, 2, 1), 5);
        }
        assert_eq!(
            held(&table),
            [3, 9, 10, 11],
            "and is then replaced, later if it was stored again"
        );
        table.clear();
        assert_eq!(held(&table), [0; 0]);
    }

    /// Four threads probe and store eight positions in one bucket. Every entry that is read belongs
    /// to its position, and its fields to one store.
    #[test]
    fn no_torn_entry_is_read() {
        let table = SharedTable::new(0, 1).expect("a bucket");
        // More positions than slots, so that slots are replaced all the time.
        let positions: Vec<Position> = (1..9).map(position).collect();
        let times: u64 = if cfg!(miri) { 100 } else { 200_000 };
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let (table, positions) = (&table, &positions);
                scope.spawn(move || {
                    for n in 0..times {
                        let which =
                            (n.wrapping_mul(thread * 2 + 7) >> 3) as usize % positions.len();
                        let at = &positions[which];
                        let mark = which as i8 * 2;
                        if let Some(entry) = table.probe(hash(at), at, 0) {
                            assert_eq!(
                                (entry.lower, entry.upper, entry.cost),
                                (mark, mark, which as u8)
                            );
                        }
                        table.store(hash(at), at, bounds(mark, mark, which as u8), 0);
                    }
                });
            }
        });
    }
}
