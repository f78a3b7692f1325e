//! The shared transposition table: four entries to a bucket, 32 bytes an entry, two cache lines a
//! bucket.
//!
//! An entry holds the whole position (128 bits), proven bounds, ProbCut bounds, two hash moves, the
//! cost of its proof and its generation. Threads read and write it without locks ([`slot`]). A torn
//! read is a miss.
//!
//! Any size works, as the index is a high product ([`hash`](super::hash())). Entries are not
//! cleared between positions. Each search pass is a *generation*. The entry that took the fewest
//! nodes is replaced first; its nodes count a quarter for each generation that has passed since. So
//! the hash moves of a selective pass are still there for the exact pass.
//!
//! ProbCut bounds hold in the generation that wrote them, and are not read in any other.

use std::fmt;

use thiserror::Error;

use super::hash::index;
use super::memory::afford;
use super::prefetch::prefetch;
use super::slot::{self, Slot};
use super::written::Written;
use crate::large_pages::{LARGE_FROM, request_large_pages};
use crate::othello::{Position, Square};
use crate::sync::{AtomicU8, AtomicU64, Ordering, zeros};

/// Entries in a bucket.
const WAYS: usize = 4;
/// Words of a bucket: two cache lines.
const WORDS: usize = WAYS * slot::WORDS;
/// Bytes of a bucket, to which it is aligned.
const BUCKET_BYTES: usize = WORDS * size_of::<u64>();

/// Why a table could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// The memory for so many bytes is not to be had.
    #[error("there is no memory for a table of {}", gib(*.0))]
    OutOfMemory(u64),
    /// So many tables of so many bytes are more than the memory that there is.
    #[error("{}", too_large(*bytes, *count, *there))]
    TooLarge {
        /// Bytes of each.
        bytes: u64,
        /// How many tables.
        count: usize,
        /// Bytes of memory.
        there: u64,
    },
}

fn too_large(bytes: u64, count: usize, there: u64) -> String {
    let (bytes, there) = (gib(bytes), gib(there));
    match count {
        1 => format!("a table of {bytes} does not fit into the memory there is, {there}"),
        _ => format!("{count} tables of {bytes} each do not fit into the memory there is, {there}"),
    }
}

fn gib(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / (1u64 << 30) as f64)
}

/// What is known of a position. MoveList are in discs for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Proven: the score is at least this.
    pub lower: i8,
    /// Proven: the score is at most this.
    pub upper: i8,
    /// In all likelihood, the score is at least and at most this; forgotten with the generation.
    pub selective: (i8, i8),
    /// The move that proved the last lower bound, and the one before it.
    pub moves: [Option<Square>; 2],
    /// The binary logarithm of the nodes that it took.
    pub cost: u8,
}

impl Entry {
    /// Nothing known.
    pub const UNKNOWN: Entry =
        Entry { lower: -64, upper: 64, selective: (-64, 64), moves: [None; 2], cost: 0 };

    /// An entry's word: lower, upper, two moves (64 is none), cost, generation, likely lower,
    /// likely upper.
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

    /// What a word says to those who search in `generation`.
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

/// The word of an empty slot: no entry is packed to it.
const EMPTY: u64 = 0;

/// What a generation takes from an entry's worth: two doublings of its cost. In the mean of the
/// logarithms, trees of 22 empties in a table of 32,768 entries have 0.1 % more nodes than in one
/// with room for all, trees of 24 empties in one of 131,072 0.3 %; when older generations went
/// first, they had 1.8 and 2.2 % more. One doubling and three are as good within 0.1 % (with 22),
/// eight take 0.6 and 0.4 % more.
const DOUBLINGS_OF_A_GENERATION: i32 = 2;

/// How much a packed entry is worth keeping, seen from a generation: the least goes first.
fn worth(word: u64, generation: u8) -> i32 {
    let [_, _, _, _, cost, written, ..] = word.to_le_bytes();
    match word {
        EMPTY => i32::MIN,
        _ => i32::from(cost) - DOUBLINGS_OF_A_GENERATION * i32::from(age(generation, written)),
    }
}

/// How many generations ago one was written, seen from another. They are counted modulo 256; what
/// seems to be long past may be of another thread, whose search began a little later, and is as
/// good as new.
fn age(generation: u8, written: u8) -> u8 {
    /// How much later that may be.
    const AHEAD: u8 = 64;
    match generation.wrapping_sub(written) {
        age if age > u8::MAX - AHEAD => 0,
        age => age,
    }
}

/// The table that all threads share.
pub struct SharedTable {
    /// The buckets' memory, and what aligns them. It is asked for in words: for these the system
    /// has pages of zeros; memory with a stricter alignment is cleared by hand, a quarter of a
    /// second for 256 MiB.
    memory: Box<[AtomicU64]>,
    /// The words before the first bucket.
    skipped: usize,
    /// The number of buckets.
    count: usize,
    /// Where anything was ever stored.
    touched: Written,
    generation: AtomicU8,
}

impl SharedTable {
    /// A table of at most `bytes` bytes, and at least one bucket.
    ///
    /// # Errors
    /// If the memory is not to be had: if the machine has less, or the system refuses.
    pub fn new(bytes: u64) -> Result<SharedTable, TableError> {
        afford(bytes, 1)?;
        let count = usize::try_from(bytes / BUCKET_BYTES as u64).unwrap_or(usize::MAX).max(1);
        // One more, so that they may begin where the first is aligned.
        let words = count.checked_add(1).and_then(|count| count.checked_mul(WORDS));
        let mut memory = words.and_then(zeros).ok_or(TableError::OutOfMemory(bytes))?;
        if bytes >= LARGE_FROM {
            request_large_pages(&mut memory);
        }
        let skipped = memory.as_ptr().addr().wrapping_neg() % BUCKET_BYTES / size_of::<AtomicU64>();
        Ok(SharedTable {
            memory,
            skipped,
            count,
            touched: Written::new(count),
            generation: AtomicU8::new(0),
        })
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.count * BUCKET_BYTES) as u64
    }

    /// The number of the bucket for `hash`.
    #[inline(always)]
    fn number(&self, hash: u64) -> usize {
        index(hash, self.count as u64) as usize
    }

    /// The words of a bucket.
    #[inline(always)]
    fn bucket(&self, number: usize) -> &[AtomicU64] {
        &self.memory[self.skipped + number * WORDS..][..WORDS]
    }

    #[inline(always)]
    fn slots(&self, bucket: usize) -> [Slot<'_>; WAYS] {
        let (slots, _) = self.bucket(bucket).as_chunks();
        std::array::from_fn(|way| Slot(&slots[way]))
    }

    /// Starts to bring the bucket for `hash` into the cache.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        let bucket = self.bucket(self.number(hash));
        prefetch(&bucket[0]);
        prefetch(&bucket[WORDS / 2]);
    }

    /// What the table knows of `position`, whose hash is `hash`, for those who search in
    /// `generation`.
    #[inline(always)]
    pub fn probe(&self, hash: u64, position: &Position, generation: u8) -> Option<Entry> {
        let word = self.slots(self.number(hash)).iter().find_map(|slot| slot.read(position))?;
        Some(Entry::unpack(word, generation))
    }

    /// Notes that the score of `position` lies between `entry`'s bounds. What was known of it
    /// before is kept: the tighter of each bound, and the old moves behind the new.
    pub fn store(&self, hash: u64, position: &Position, entry: Entry, generation: u8) {
        let bucket = self.number(hash);
        let slots = self.slots(bucket);
        let mut victim = slots[0];
        let mut least = i32::MAX;
        for slot in slots {
            if slot.read(position).is_some() {
                victim = slot;
                break;
            }
            let worth = worth(slot.glance(), generation);
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        victim.write(position, |known| {
            let entry = known.map_or(entry, |known| merge(Entry::unpack(known, generation), entry));
            entry.pack(generation)
        });
        self.touched.note(bucket);
    }

    /// Everything that the table holds, as those see it who search in `generation`.
    #[cfg(test)]
    pub(crate) fn entries(&self, generation: u8) -> Vec<(Position, Entry)> {
        let board = |word: &AtomicU64| crate::othello::Bitboard(word.load(Ordering::Relaxed));
        let entry = |Slot([player, opponent, data, _]): Slot<'_>| {
            let position = Position { player: board(player), opponent: board(opponent) };
            (position, Entry::unpack(data.load(Ordering::Relaxed), generation))
        };
        let entries = (0..self.count).flat_map(|bucket| self.slots(bucket)).map(entry);
        entries.filter(|(position, _)| !(position.player | position.opponent).is_empty()).collect()
    }

    /// Starts a new generation and returns its number. Entries of older ones stay, but are replaced
    /// first.
    pub fn next_generation(&self) -> u8 {
        self.generation.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
    }

    /// Forgets everything, in a time that grows with what there is to forget. What others store
    /// meanwhile may be kept or not.
    pub fn clear(&self) {
        self.touched
            .take()
            .flatten()
            .for_each(|bucket| self.slots(bucket).into_iter().for_each(Slot::clear));
        self.generation.store(0, Ordering::Relaxed);
    }
}

/// Two entries of one position joined.
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
    // Guesses may contradict each other: the newer one counts.
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
    fn what_others_write_meanwhile_is_not_old() {
        assert_eq!((age(7, 7), age(8, 7), age(7, 8), age(7, 7 + 64), age(3, 250)), (0, 1, 0, 0, 9));
        assert_eq!((age(7, 7 + 65), age(100, 200)), (191, 156), "a long time ago");
    }

    #[test]
    fn bounds_and_moves_are_joined() {
        let table = SharedTable::new(1 << 20).expect("a mebibyte");
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
    fn selective_bounds_are_joined_and_the_newer_one_counts() {
        let joined = |old, new| merge(selective(old, 64), new).selective;
        assert_eq!(joined(2, selective(-64, 8)), (2, 8));
        assert_eq!(joined(2, selective(-4, 2)), (2, 2));
        assert_eq!(joined(2, selective(6, 64)), (6, 64));
        assert_eq!(
            joined(2, selective(-64, 0)),
            (-64, 0),
            "a guess that contradicts an older one takes its place"
        );
        // What is proven and what is guessed are told apart, even where they contradict each other.
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
    fn selective_bounds_are_forgotten_with_their_generation() {
        let table = SharedTable::new(1 << 20).expect("a mebibyte");
        let at = position(7);
        let key = hash(&at);
        let read = |generation| {
            table
                .probe(key, &at, generation)
                .map(|entry| (entry.lower, entry.upper, entry.selective))
        };
        table.store(key, &at, Entry { selective: (10, 64), ..bounds(2, 64, 5) }, 1);
        assert_eq!(read(1), Some((2, 64, (10, 64))));
        assert_eq!(read(2), Some((2, 64, (-64, 64))), "what is proven stays");
        assert_eq!(
            read(0),
            Some((2, 64, (-64, 64))),
            "nor is a guess seen from a generation before"
        );
        // A later generation's proof does not carry the old guess on under its own number.
        table.store(key, &at, bounds(-64, 8, 3), 2);
        assert_eq!(read(2), Some((2, 8, (-64, 64))));
        assert_eq!(read(1), Some((2, 8, (-64, 64))));
        // Nor does a later guess.
        table.store(key, &at, Entry { selective: (-64, 6), ..Entry::UNKNOWN }, 3);
        assert_eq!(read(3), Some((2, 8, (-64, 6))));
        assert_eq!(read(4), Some((2, 8, (-64, 64))));
    }

    /// ProbCut bounds of one generation are not read in the next one, whichever slots they share.
    #[test]
    fn prob_cut_bounds_are_not_read_in_another_generation() {
        let table = SharedTable::new(4 << 10).expect("32 buckets");
        let rounds = if cfg!(miri) { 20 } else { 600 };
        for round in 0..rounds {
            let generation = table.next_generation();
            for n in 0..40 {
                let at = position(n * 7 + round % 5);
                let key = hash(&at);
                if let Some(entry) = table.probe(key, &at, generation) {
                    // A guess says in which generation it was made.
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
    fn a_cleared_table_knows_nothing_and_buckets_are_aligned() {
        let most = if cfg!(miri) { 1 << 13 } else { 1 << 20 };
        for bytes in [0, 128, 1000, most] {
            let table = SharedTable::new(bytes).expect("memory");
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
    fn the_old_and_the_cheap_give_way() {
        // One bucket: everything meets in it.
        let table = SharedTable::new(0).expect("a bucket");
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
        assert_eq!(held(&table), [1, 3, 4, 8], "what was expensive is kept for some generations");
        for n in 9..12 {
            table.store(hash(&position(n)), &position(n), bounds(0, 2, 1), 5);
        }
        assert_eq!(held(&table), [3, 9, 10, 11], "and then gives way, later if it was met again");
        table.clear();
        assert_eq!(held(&table), [0; 0]);
    }

    /// Writers of two different positions and readers that check every word they get: an entry
    /// always belongs to its position, and its bounds to one write.
    #[test]
    fn no_torn_entry_is_read() {
        let table = SharedTable::new(0).expect("a bucket");
        // More positions than slots, so that slots change hands all the time.
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
