//! The growth of the shared table: how much of its memory is in use.
//!
//! A search of a million nodes stores some tens of thousands of entries. Scattered over a large
//! table, each of them has a cache line, a page and a page fault of its own. Close together, they
//! stay in the caches. So only the first buckets of the memory are in use at first, and more when
//! they do not suffice.
//!
//! The sign of a table that is too small is the replacement of *young* entries: those of a search
//! that is probably still under way. When each bucket in use has lost [`LOSSES_PER_BUCKET`] of them
//! in the mean, the number of buckets is multiplied by [`FACTOR`]. Most entries are never read
//! again, and the cheapest ones are replaced first, so a table that has lost each of its entries
//! twice takes 0 to 3 % more nodes and less time. A table with an automatic size
//! ([`super::AutoTable`]) grows beyond its first size only as long as half of the free memory
//! suffices for a step. The number of replaced entries is halved now and then ([`HALVED_AFTER`]),
//! so that a long list of small positions, each of which loses a few entries, does not make the
//! table grow.
//!
//! The bucket of a hash h among n buckets is ⌊h · n / 2⁶⁴⌋. A greater n never lowers it, and keeps
//! the order of the buckets. So entries are moved in place, from the last bucket to the first: an
//! entry moves up, to a bucket that was emptied before, and no entry is moved twice.
//!
//! # Threads
//!
//! The thread whose store reaches the limit moves the entries, slot by slot, as stores that any
//! thread may interrupt. Then it publishes the new number of buckets. Meanwhile the others probe
//! and store as before. They may miss entries that have moved, and lose entries that they store in
//! buckets already emptied. Every entry holds its whole position, so it is never wrong.
//!
//! One thread grows a table at the same nodes on every machine.

use super::hash::{bucket_index, hash};
use super::shared::{BUCKET_BYTES, EMPTY, SharedTable, age, retention_value};
use super::slot::Slot;
use crate::othello::Position;
use crate::sync::{AtomicUsize, Ordering};

/// The number of buckets in use at first: 1 MiB of the table.
const FIRST: usize = if cfg!(miri) { 64 } else { 8 << 10 };

/// The factor by which the buckets in use increase. Measured: docs/experiments/tables.md, "Growth
/// of the shared table"; this holds for the other constants, too.
const FACTOR: usize = 4;

/// The number of young entries that may be replaced, for each bucket in use, before the next step.
const LOSSES_PER_BUCKET: usize = 8;

/// An entry is young for this many generations for each thread. A position takes two to four.
const YOUNG_GENERATIONS: usize = 2;

/// The number of replaced young entries is halved after this many generations for each thread.
const HALVED_AFTER: usize = 8;

/// How many buckets of a table are in use.
#[derive(Debug)]
pub(super) struct Growth {
    /// The number of buckets that the memory has.
    capacity: usize,
    /// The number of buckets from which on a step is only taken if the memory for it is free. The
    /// same as `capacity` in a table of a fixed size.
    first_size: usize,
    /// The bytes of memory that are free; `None` if the system does not report it.
    free: fn() -> Option<u64>,
    /// The number of buckets in use.
    in_use: AtomicUsize,
    /// The number of young entries that were replaced since the last step, halved now and then.
    losses: AtomicUsize,
    /// The number of generations for which an entry is young.
    young: u8,
    /// The number of generations after which `losses` is halved.
    halved_after: u8,
}

impl Growth {
    /// For a table of `capacity` buckets, searched by this many `threads`. It grows beyond
    /// `first_size` buckets only as far as the memory is `free`.
    pub(super) fn new(
        first_size: usize,
        capacity: usize,
        threads: usize,
        free: fn() -> Option<u64>,
    ) -> Growth {
        let generations = |each: usize| threads.saturating_mul(each).clamp(1, 64) as u8;
        Growth {
            capacity,
            first_size,
            free,
            in_use: AtomicUsize::new(first_size.min(FIRST)),
            losses: AtomicUsize::new(0),
            young: generations(YOUNG_GENERATIONS),
            halved_after: generations(HALVED_AFTER),
        }
    }

    /// The number of buckets that the memory has.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// The number of buckets in use.
    #[inline(always)]
    pub(super) fn in_use(&self) -> usize {
        // Any value that was ever stored is a valid number of buckets.
        self.in_use.load(Ordering::Relaxed)
    }

    /// Counts the replacement of an entry with this data word in `generation`. Returns whether this
    /// thread must now call [`SharedTable::grow`].
    #[inline(always)]
    pub(super) fn count_replaced(&self, word: u64, generation: u8) -> bool {
        let in_use = self.in_use();
        if in_use == self.capacity || word == EMPTY || age(generation, word) >= self.young {
            return false;
        }
        // The count meets the limit once for each step, so one thread grows the table. (If it were
        // halved in the middle of a step, a second thread could repeat the step, which changes
        // nothing.)
        let losses = self.losses.fetch_add(1, Ordering::Relaxed) + 1;
        losses == in_use * LOSSES_PER_BUCKET
    }

    /// Takes note of the start of a generation.
    pub(super) fn start_generation(&self, generation: u8) {
        if generation.is_multiple_of(self.halved_after) {
            // An update that another thread makes meanwhile may be lost: the number is a hint.
            self.losses.store(self.losses.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
        }
    }

    /// Starts again with few buckets.
    pub(super) fn reset(&self) {
        self.publish(self.first_size.min(FIRST));
    }

    /// The number of buckets after the next step. It is the present one if the memory for more is
    /// not free.
    fn next(&self) -> usize {
        let in_use = self.in_use();
        if in_use < self.first_size {
            return self.first_size.min(in_use * FACTOR);
        }
        if in_use == self.capacity {
            return in_use;
        }
        let next = self.capacity.min(in_use * FACTOR);
        let bytes = ((next - in_use) * BUCKET_BYTES) as u64;
        if (self.free)().is_some_and(|free| bytes <= free / 2) { next } else { in_use }
    }

    fn publish(&self, in_use: usize) {
        self.in_use.store(in_use, Ordering::Relaxed);
        self.losses.store(0, Ordering::Relaxed);
    }
}

impl SharedTable {
    /// Moves the entries to their buckets of a larger table, and takes it into use.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&self, growth: &Growth, generation: u8) {
        let (before, after) = (growth.in_use(), growth.next());
        if after == before {
            // The next attempt comes after as many losses again.
            growth.publish(before);
            return;
        }
        for bucket in (0..before).rev() {
            for slot in self.slots(bucket) {
                let Some((position, word)) = slot.read_any() else { continue };
                let hash = hash(&position);
                let target = bucket_index(hash, after as u64) as usize;
                // An entry that is not in its bucket was stored there during the last step. No
                // probe finds it.
                if bucket_index(hash, before as u64) as usize == bucket && target != bucket {
                    self.place(target, &position, word, generation);
                    slot.clear();
                }
            }
        }
        growth.publish(after);
    }

    /// Stores a data word of `position` in a bucket as it is, unless the bucket holds `position`.
    fn place(&self, bucket: usize, position: &Position, word: u64, generation: u8) {
        let slots = self.slots(bucket);
        let value = |slot: &Slot<'_>| retention_value(slot.peek_data(), generation);
        let Some(victim) = slots.into_iter().min_by_key(value) else { return };
        victim.write(position, |old| old.unwrap_or(word));
        self.mark_touched(bucket);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::shared::Entry;
    use super::*;
    use crate::othello::Bitboard;

    /// Eight times the first size.
    const BYTES: u64 = (FIRST * 8 * 128) as u64;

    fn table(threads: usize) -> SharedTable {
        SharedTable::new(BYTES, threads).expect("8 MiB")
    }

    fn position(n: usize) -> Position {
        let player = (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let opponent = !player & (n as u64).wrapping_mul(0xd1b5_4a32_d192_ed03);
        Position::new(Bitboard(player), Bitboard(opponent))
    }

    /// The entry of `position(n)`: its bounds and its cost depend on `n`.
    fn entry(n: usize) -> Entry {
        let score = (n % 64) as i8;
        Entry { lower: score, upper: score, cost: (n % 20) as u8, ..Entry::UNKNOWN }
    }

    fn store(table: &SharedTable, n: usize, generation: u8) {
        table.store(hash(&position(n)), &position(n), entry(n), generation);
    }

    fn probe(table: &SharedTable, n: usize) -> Option<Entry> {
        table.probe(hash(&position(n)), &position(n), 0)
    }

    #[test]
    fn entries_are_found_after_the_table_has_grown() {
        let table = table(1);
        assert_eq!((table.buckets_in_use(), table.bytes()), (FIRST, BYTES));
        let entries = FIRST * 60;
        (0..entries).for_each(|n| store(&table, n, 0));
        assert_eq!(table.buckets_in_use(), 8 * FIRST, "two steps: by four, then to the end");
        let found: Vec<usize> = (0..entries).filter(|&n| probe(&table, n).is_some()).collect();
        assert!(found.iter().all(|&n| probe(&table, n) == Some(entry(n))));
        // The losses of two steps, from 1 and from 4 times `FIRST` buckets, and few afterwards.
        let lost = entries - found.len();
        let steps = FIRST * 5 * LOSSES_PER_BUCKET;
        assert!(steps <= lost && lost < steps + FIRST, "{lost} of {entries}");
        table.clear();
        assert_eq!(table.buckets_in_use(), FIRST);
        assert!((0..entries).all(|n| probe(&table, n).is_none()));
    }

    #[test]
    fn a_table_does_not_grow_for_entries_of_past_searches() {
        let entry = Entry { cost: 9, ..Entry::UNKNOWN };
        let grows = |threads, entries_in_a_generation| {
            let table = table(threads);
            for _ in 0..48 {
                let generation = table.next_generation();
                for i in 0..entries_in_a_generation {
                    let at = position(i + usize::from(generation) * entries_in_a_generation);
                    table.store(hash(&at), &at, entry, generation);
                }
            }
            table.buckets_in_use() > FIRST
        };
        assert!(!grows(1, FIRST), "many entries, but few in any two generations, and few losses");
        assert!(grows(4, FIRST), "with four threads, eight generations may be under way");
        assert!(grows(1, FIRST * 3));
    }

    #[test]
    fn a_table_grows_beyond_its_first_size_while_memory_is_free() {
        let growth = |first_size, capacity, free| Growth::new(first_size, capacity, 1, free);
        let steps = |growth: &Growth| {
            let step = |_: &usize| {
                growth.publish(growth.next());
                Some(growth.in_use())
            };
            std::iter::successors(Some(growth.in_use()), step).take(9).collect::<Vec<_>>()
        };
        let unlimited: fn() -> Option<u64> = || Some(u64::MAX);
        assert_eq!(
            steps(&growth(20 << 20, 100 << 20, unlimited))[..],
            [8, 32, 128, 512, 2 << 10, 8 << 10, 20 << 10, 80 << 10, 100 << 10].map(|n| n << 10)
        );
        assert_eq!(
            steps(&growth(48 << 10, 4 << 20, unlimited))[..7],
            [8, 32, 48, 192, 768, 3072, 4096].map(|n| n << 10)
        );
        // A fixed size asks nobody.
        let fixed = growth(2 << 20, 2 << 20, || panic!("not asked"));
        assert_eq!(steps(&fixed)[..5], [8, 32, 128, 512, 2048].map(|n| n << 10));
        // 16 MiB are free: a step from 1 to 4 MiB is taken, and none from 4 to 16 MiB.
        let little = growth(8 << 10, 1 << 20, || Some(16 << 20));
        assert_eq!(steps(&little)[..4], [8, 32, 32, 32].map(|n| n << 10));
        let unknown = growth(8 << 10, 1 << 20, || None);
        assert_eq!(steps(&unknown)[..2], [8 << 10; 2]);
    }

    #[test]
    fn entries_stay_where_a_step_is_refused() {
        let table = SharedTable::growing(BYTES / 8, BYTES, 1).expect("8 MiB");
        assert_eq!((table.buckets_in_use(), table.bytes()), (FIRST, BYTES));
        (0..FIRST * 60).for_each(|n| store(&table, n, 0));
        assert_eq!(table.buckets_in_use(), 8 * FIRST, "the memory is free");
        table.clear();
        assert_eq!(table.buckets_in_use(), FIRST);

        let full = SharedTable::with_free_memory(BYTES / 8, BYTES, 1, || Some(1 << 20));
        let full = full.expect("8 MiB");
        (0..FIRST * 60).for_each(|n| store(&full, n, 0));
        assert_eq!(full.buckets_in_use(), FIRST);
        let found: Vec<usize> = (0..FIRST * 60).filter(|&n| probe(&full, n).is_some()).collect();
        assert!(
            found.len() > FIRST * 3 && found.iter().all(|&n| probe(&full, n) == Some(entry(n)))
        );
    }

    #[test]
    fn a_small_table_is_in_use_as_a_whole() {
        for bytes in [0, 1000, 64 << 10] {
            let table = SharedTable::new(bytes, 1).expect("a small table");
            (0..5000).for_each(|n| store(&table, n, 0));
            assert_eq!(table.buckets_in_use() as u64 * 128, table.bytes().min(FIRST as u64 * 128));
        }
    }

    /// Four threads store and probe while the table grows. Every entry that is read belongs to its
    /// position.
    #[test]
    fn threads_read_true_entries_while_the_table_grows() {
        for start in 0..if cfg!(miri) { 1 } else { 8 } {
            let table = table(4);
            std::thread::scope(|scope| {
                for thread in 0..4 {
                    let table = &table;
                    scope.spawn(move || {
                        for i in 0..FIRST * 8 {
                            let n = start * 1_000_000 + i * 3 + thread;
                            store(table, n, thread as u8);
                            for n in [n, n.saturating_sub(1000), n / 2] {
                                assert!(probe(table, n).is_none_or(|found| found == entry(n)));
                            }
                        }
                    });
                }
            });
            // How far the table has grown depends on the turns of the threads. It still grows.
            let mut more = start * 1_000_000 + 500_000..(start + 1) * 1_000_000;
            let grown = more.find(|&n| {
                store(&table, n, 0);
                table.buckets_in_use() == 8 * FIRST
            });
            assert!(grown.is_some(), "{} buckets", table.buckets_in_use());
        }
    }
}
