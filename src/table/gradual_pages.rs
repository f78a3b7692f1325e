//! Large pages for the shared table, one at a time while a search runs.
//!
//! A probe of a table on small pages nearly always misses the translation look-aside buffer (TLB);
//! large pages save about 5 % of a long search. But a large page is zeroed or copied as a whole,
//! which takes half a millisecond, and on a virtual machine without memory in reserve 10 ms. For
//! all pages of a table of 1 GiB that is 0.1 to 5 s, and a short search gains nothing from them.
//!
//! So the table begins on small pages, which cost nothing until they are first written. While
//! positions are searched, the workers *collapse* it: they move its contents to large pages, one
//! page at a time. After a collapse that took the time t, the next one starts [`PAUSE`] · t later
//! at the earliest. So collapses take at most 1 / `PAUSE` of a run, on every system and for a run
//! of any length. That is about what large pages save.
//!
//! Figures: docs/experiments/tables.md, "Large pages of the shared table".

use std::time::Instant;

use crate::large_pages::{collapse_page, whole_pages};
use crate::sync::{AtomicU64, AtomicUsize, Ordering};

/// The pause after a collapse, in multiples of the time that it took.
const PAUSE: u64 = 20;

/// The value of `next_time` during a collapse, and after the last one.
const NEVER: u64 = u64::MAX;

/// The progress of a table's memory from small to large pages.
#[derive(Debug)]
pub(super) struct GradualPages {
    /// The number of large pages within the memory.
    pages: usize,
    /// The index of the next page to collapse. Written only by the worker that holds `next_time`.
    /// Pages are collapsed in the order in which the table comes into use.
    next_page: AtomicUsize,
    /// The time of the next collapse at the earliest, in nanoseconds since `created`. The worker
    /// that exchanges it for [`NEVER`] holds it.
    next_time: AtomicU64,
    created: Instant,
}

impl GradualPages {
    /// For the memory of a new table.
    pub(super) fn new(memory: &[AtomicU64]) -> GradualPages {
        let pages = whole_pages(memory);
        GradualPages {
            pages,
            next_page: AtomicUsize::new(0),
            next_time: AtomicU64::new(if pages > 0 { 0 } else { NEVER }),
            created: Instant::now(),
        }
    }

    /// Collapses the next page of `in_use` if the pause is over and a page is left. Workers call
    /// this repeatedly while they search. `in_use` is the first part of the memory of
    /// [`GradualPages::new`], or all of it; its end moves only upwards between clears of the table.
    #[inline]
    pub(super) fn advance(&self, in_use: &[AtomicU64]) {
        let next_time = self.next_time.load(Ordering::Relaxed);
        if next_time != NEVER {
            self.collapse_next(in_use, next_time);
        }
    }

    #[cold]
    fn collapse_next(&self, in_use: &[AtomicU64], next_time: u64) {
        if self.next_page.load(Ordering::Relaxed) >= whole_pages(in_use) {
            return;
        }
        let now = || self.created.elapsed().as_nanos() as u64;
        let start = now();
        // Acquire and release order the accesses to `next_page`.
        let hold = || {
            let order = (Ordering::Acquire, Ordering::Relaxed);
            self.next_time.compare_exchange(next_time, NEVER, order.0, order.1)
        };
        if start < next_time || hold().is_err() {
            return;
        }
        let page = self.next_page.load(Ordering::Relaxed);
        // A system that refuses once has no large pages. `next_time` stays `NEVER`.
        if !collapse_page(in_use, page) || page + 1 == self.pages {
            return;
        }
        self.next_page.store(page + 1, Ordering::Relaxed);
        let end = now();
        self.next_time.store(end + (end - start) * PAUSE, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::zeros;

    /// Eight large pages at least.
    const WORDS: usize = 9 << 18;

    #[test]
    fn no_write_is_lost_while_pages_are_collapsed() {
        const WRITES: u64 = if cfg!(miri) { 10 } else { 200_000 };
        let memory = zeros(WORDS).expect("18 megabytes");
        let pages = GradualPages::new(&memory);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (memory, pages) = (&memory, &pages);
                scope.spawn(move || {
                    for n in 0..WRITES {
                        let word = (n * 7919 + thread) as usize % WORDS;
                        memory[word].fetch_add(1, Ordering::Relaxed);
                        pages.advance(memory);
                    }
                });
            }
        });
        let sum: u64 = memory.iter().map(|word| word.load(Ordering::Relaxed)).sum();
        assert_eq!(sum, 4 * WRITES);
        assert!(pages.next_page.load(Ordering::Relaxed) <= pages.pages);
    }

    #[test]
    fn memory_below_one_large_page_is_left_alone() {
        let memory = zeros(100).expect("800 bytes");
        let pages = GradualPages::new(&memory);
        pages.advance(&memory);
        assert_eq!((pages.pages, pages.next_time.load(Ordering::Relaxed)), (0, NEVER));
    }

    #[test]
    fn a_collapse_waits_for_its_time() {
        let memory = zeros(WORDS).expect("18 megabytes");
        let pages = GradualPages::new(&memory);
        pages.next_time.store(NEVER - 1, Ordering::Relaxed);
        pages.advance(&memory);
        assert_eq!(pages.next_page.load(Ordering::Relaxed), 0);
    }
}
