//! Asking the system for large pages.
//!
//! A probe of a large table hits a page at random. In pages of 4 KiB the way to the page costs as much as the entry, and each of them is
//! handed over by the system on its first touch, under a lock that all threads share; a page of 2 MiB is one of five hundred. Linux gives
//! such pages to those who ask (`madvise`, transparent huge pages); elsewhere, and where they are switched off, nothing changes.
//!
//! The other side of it: a large page is emptied whole when it is first touched, and a few thousand probes touch all of them. On FFO 40-49
//! and two threads, with a table of 1 GiB, large pages save an eighth of the time; on three positions of 16 empties, with 256 MiB, they cost half as
//! much again, and on a virtual machine that has to ask its host for memory several times as much. So only those get them who ask for
//! a large table, which is for long searches.

use crate::sync::AtomicU64;

/// Bytes from which on a table gets large pages.
pub(super) const LARGE_FROM: u64 = 1 << 30;

/// Asks for large pages for `memory`, which has not been written yet. Without an effect that could be seen but in the time that things take.
pub(super) fn ask_for_large_pages(memory: &mut [AtomicU64]) {
    #[cfg(all(target_os = "linux", not(loom), not(miri)))]
    {
        use rustix::mm::{Advice, madvise};

        // Advice is for whole pages.
        let page = rustix::param::page_size();
        let bytes = memory.as_mut_ptr_range();
        let (start, end) = (bytes.start.addr().next_multiple_of(page), bytes.end.addr() / page * page);
        if start < end {
            let first = memory.as_mut_ptr().with_addr(start).cast();
            // A system that has no large pages refuses: then it goes without.
            // SAFETY: the range lies within memory that is ours alone; this advice changes neither what is in it nor whether it may be
            // read and written.
            let _ = unsafe { madvise(first, end - start, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(all(target_os = "linux", not(loom), not(miri))))]
    let _ = memory;
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::{Ordering, zeros};

    /// Of any length and alignment: what is in it afterwards are zeros, and it can be written.
    #[test]
    fn memory_stays_as_it_is() {
        let mut memory = zeros(3 << 18).expect("six megabytes");
        for (from, to) in [(0, 0), (5, 6), (0, 3 << 18), (511, 512), (1, 1025), (3, (3 << 18) - 5)] {
            ask_for_large_pages(&mut memory[from..to]);
        }
        assert!(memory.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        memory.iter().for_each(|word| word.store(1, Ordering::Relaxed));
        assert!(memory.iter().all(|word| word.load(Ordering::Relaxed) == 1));
    }
}
