//! Which parts of a large table were ever written, so that clearing it takes as long as what is in
//! it, not as it is large.
//!
//! A batch whose node counts must be the same every time (`--deterministic`) clears its tables
//! before every position. A position of ten empties writes hardly anything; one of sixteen a few
//! thousand entries. To look at all of a table of 256 MiB takes longer than to solve either.

use std::ops::Range;

use crate::sync::{AtomicU64, Ordering};

/// Buckets in a block: a bit stands for 4 KiB of table, so that the bits of a table of 1 GiB are 32
/// KiB.
const BLOCK: usize = 32;

/// A bit for each block of buckets.
pub(super) struct Written {
    words: Box<[AtomicU64]>,
    /// Buckets in all.
    count: usize,
}

impl Written {
    /// For a table of `count` buckets, none of which has been written.
    pub(super) fn new(count: usize) -> Written {
        let words = count.div_ceil(BLOCK).div_ceil(64);
        Written { words: (0..words).map(|_| AtomicU64::new(0)).collect(), count }
    }

    /// Notes that a bucket was written. It must be called *after* the writing: if the bit is taken
    /// away in between, by one who clears, it is set again, and the next one to clear comes by.
    #[inline(always)]
    pub(super) fn note(&self, bucket: usize) {
        let block = bucket / BLOCK;
        let (word, bit) = (&self.words[block / 64], 1 << (block % 64));
        // Nearly always it is set, and then the line need not be owned.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Takes all bits away, and gives the buckets of each block that had one.
    pub(super) fn take(&self) -> impl Iterator<Item = Range<usize>> {
        let set = |word: &AtomicU64| {
            if word.load(Ordering::Relaxed) == 0 { 0 } else { word.swap(0, Ordering::Relaxed) }
        };
        let blocks = self.words.iter().enumerate().flat_map(move |(index, word)| {
            let mut bits = set(word);
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(index * 64 + bit)
            })
        });
        blocks.map(|block| block * BLOCK..((block + 1) * BLOCK).min(self.count))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_taken_once() {
        for count in [1, 31, 32, 33, 5000] {
            let touched = Written::new(count);
            assert_eq!(touched.take().count(), 0);
            let buckets: Vec<usize> = (0..count).step_by(97).chain([count - 1]).collect();
            buckets.iter().for_each(|&bucket| touched.note(bucket));
            let taken: Vec<Range<usize>> = touched.take().collect();
            assert!(
                buckets.iter().all(|bucket| taken.iter().any(|block| block.contains(bucket))),
                "{count}: {taken:?}"
            );
            assert!(
                taken.iter().all(|block| buckets.iter().any(|bucket| block.contains(bucket))),
                "{count}: {taken:?}"
            );
            assert!(
                taken.is_sorted_by_key(|block| block.start)
                    && taken.iter().all(|block| block.end <= count)
            );
            assert_eq!(touched.take().count(), 0);
        }
    }
}
