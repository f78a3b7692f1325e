//! The set of blocks of the shared table that were written since the last clear, so that clearing
//! takes time proportional to the entries, not to the size of the table.
//!
//! `--deterministic` clears the tables before every position. A position of 10 empties stores
//! hardly any entry and one of 16 a few thousand, but a table of 256 MiB has two million buckets.
//! Figures: docs/experiments/tables.md, "Clearing".

use std::ops::Range;

use crate::sync::{AtomicU64, Ordering};

/// The number of buckets in a block: 4 KiB of the table for each bit. The bits of a table of 1 GiB
/// are 32 KiB.
const BLOCK: usize = 32;

/// A bit for each block of buckets.
pub(super) struct TouchedBlocks {
    words: Box<[AtomicU64]>,
    /// The number of buckets in the table.
    buckets: usize,
}

impl TouchedBlocks {
    /// The empty set, for a table of `buckets` buckets.
    pub(super) fn new(buckets: usize) -> TouchedBlocks {
        let words = buckets.div_ceil(BLOCK).div_ceil(64);
        TouchedBlocks { words: (0..words).map(|_| AtomicU64::new(0)).collect(), buckets }
    }

    /// Adds the block of a bucket. Called after the bucket was written.
    ///
    /// All accesses are relaxed. So a block may be missing from the set if another thread clears
    /// the table at the same time; [`SharedTable::clear`](super::SharedTable::clear) states the
    /// consequence.
    #[inline(always)]
    pub(super) fn insert(&self, bucket: usize) {
        let block = bucket / BLOCK;
        let (word, bit) = (&self.words[block / 64], 1 << (block % 64));
        // The bit is nearly always set. A load leaves the cache line shared; a fetch_or would make
        // it exclusive to this core.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Removes all blocks, and returns the buckets of each block that was in the set, ascending.
    pub(super) fn drain(&self) -> impl Iterator<Item = Range<usize>> {
        let take = |word: &AtomicU64| {
            if word.load(Ordering::Relaxed) == 0 { 0 } else { word.swap(0, Ordering::Relaxed) }
        };
        let blocks = self.words.iter().enumerate().flat_map(move |(index, word)| {
            let mut bits = take(word);
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(index * 64 + bit)
            })
        });
        blocks.map(|block| block * BLOCK..((block + 1) * BLOCK).min(self.buckets))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn each_touched_block_is_drained_once() {
        for count in [1, 31, 32, 33, 5000] {
            let touched = TouchedBlocks::new(count);
            assert_eq!(touched.drain().count(), 0);
            let buckets: Vec<usize> = (0..count).step_by(97).chain([count - 1]).collect();
            buckets.iter().for_each(|&bucket| touched.insert(bucket));
            let drained: Vec<Range<usize>> = touched.drain().collect();
            assert!(
                buckets.iter().all(|bucket| drained.iter().any(|block| block.contains(bucket))),
                "{count}: {drained:?}"
            );
            assert!(
                drained.iter().all(|block| buckets.iter().any(|bucket| block.contains(bucket))),
                "{count}: {drained:?}"
            );
            assert!(
                drained.is_sorted_by_key(|block| block.start)
                    && drained.iter().all(|block| block.end <= count)
            );
            assert_eq!(touched.drain().count(), 0);
        }
    }
}
