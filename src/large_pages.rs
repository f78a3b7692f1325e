//! Memory on large pages.
//!
//! What is looked up at random hits a page at random. The evaluation's weights and a thread's own
//! table lie on some two thousand pages of 4 KiB, of which a core knows the way to few at a time;
//! on pages of 2 MiB ([`LargePages`]) they are five, and the whole search takes about 2 % less
//! time.
//!
//! The shared table is another matter ([`request_large_pages`]). A probe of it hits a page at
//! random, too. In pages of 4 KiB the way to the page costs as much as the entry, and each of them
//! is handed over by the system on its first touch, under a lock that all threads share; a page of
//! 2 MiB is one of five hundred. Linux gives such pages to those who ask (`madvise`, transparent
//! huge pages); elsewhere, and where they are switched off, nothing changes.
//!
//! The other side of it: a large page is emptied whole when it is first touched, and a few thousand
//! probes touch all of them. On FFO 40-49 and two threads, with a table of 1 GiB, large pages save
//! an eighth of the time; on three positions of 16 empties, with 256 MiB, they cost half as much
//! again, and on a virtual machine that has to ask its host for memory several times as much. So
//! only those get them who ask for a large table, which is for long searches.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Zeroable;

use crate::sync::AtomicU64;

/// Bytes of a large page: of x86-64, and of ARM where its small ones are of 4 KiB.
const LARGE_PAGE: usize = 2 << 20;

/// A slice that lies on large pages of its own, where the system has them. What would fill less
/// than half of one lies where the rest does.
pub(crate) struct LargePages<T> {
    start: NonNull<T>,
    count: usize,
}

impl<T: Zeroable> LargePages<T> {
    /// So many zeros. As with all that is allocated, the program ends if there is no memory for
    /// them.
    pub(crate) fn zeroed(count: usize) -> LargePages<T> {
        let layout = Self::layout(count);
        if layout.size() == 0 {
            return LargePages { start: NonNull::dangling(), count };
        }
        // SAFETY: the size is not zero.
        let memory = unsafe { alloc(layout) };
        let Some(start) = NonNull::new(memory) else { handle_alloc_error(layout) };
        if layout.align() == LARGE_PAGE {
            advise(memory, layout.size());
        }
        // It is written only now that the pages are asked for: those that are there already would
        // stay small. SAFETY: these bytes were allocated above.
        unsafe { start.write_bytes(0, layout.size()) };
        LargePages { start: start.cast(), count }
    }
}

impl<T> LargePages<T> {
    fn layout(count: usize) -> Layout {
        let values = Layout::array::<T>(count).expect("no more than there can be");
        if values.size() < LARGE_PAGE / 2 {
            return values;
        }
        values.align_to(LARGE_PAGE).expect("no more than there can be").pad_to_align()
    }
}

impl<T> Deref for LargePages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: so many values lie there, made as zeros, which `zeroed` asks of their type; who
        // holds this holds them.
        unsafe { NonNull::slice_from_raw_parts(self.start, self.count).as_ref() }
    }
}

impl<T> DerefMut for LargePages<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and nobody else holds them.
        unsafe { NonNull::slice_from_raw_parts(self.start, self.count).as_mut() }
    }
}

impl<T> Drop for LargePages<T> {
    fn drop(&mut self) {
        let layout = Self::layout(self.count);
        // SAFETY: so many values were made, nobody holds them any more, and they were allocated
        // with this layout.
        unsafe {
            NonNull::slice_from_raw_parts(self.start, self.count).drop_in_place();
            if layout.size() > 0 {
                dealloc(self.start.as_ptr().cast(), layout);
            }
        }
    }
}

// SAFETY: it owns its values as a boxed slice does.
unsafe impl<T: Send> Send for LargePages<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for LargePages<T> {}

/// Bytes from which on a shared table gets large pages.
pub(crate) const LARGE_FROM: u64 = 1 << 30;

/// Asks for large pages for `memory`, which has not been written yet. Without an effect that could
/// be seen but in the time that things take.
pub(crate) fn request_large_pages(memory: &mut [AtomicU64]) {
    let bytes = memory.as_mut_ptr_range();
    advise(bytes.start.cast(), bytes.end.addr() - bytes.start.addr());
}

/// Tells the system that large pages are wanted for the whole pages among so many bytes.
fn advise(memory: *mut u8, bytes: usize) {
    #[cfg(all(target_os = "linux", not(loom), not(miri)))]
    {
        use rustix::mm::{Advice, madvise};

        let page = rustix::param::page_size();
        let (start, end) =
            (memory.addr().next_multiple_of(page), (memory.addr() + bytes) / page * page);
        if start < end {
            // A system that has no large pages refuses: then it goes without. SAFETY: the range
            // lies within memory that is the caller's alone; this advice changes neither what is in
            // it nor whether it may be read and written. Were it not, the system would refuse, or
            // give large pages to somebody else's memory.
            let _ = unsafe {
                madvise(memory.with_addr(start).cast(), end - start, Advice::LinuxHugepage)
            };
        }
    }
    #[cfg(not(all(target_os = "linux", not(loom), not(miri))))]
    let _ = (memory, bytes);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::{Ordering, zeros};

    /// Of any length and alignment: what is in it afterwards are zeros, and it can be written.
    #[test]
    fn memory_stays_as_it_is() {
        let mut memory = zeros(3 << 18).expect("six megabytes");
        for (from, to) in [(0, 0), (5, 6), (0, 3 << 18), (511, 512), (1, 1025), (3, (3 << 18) - 5)]
        {
            request_large_pages(&mut memory[from..to]);
        }
        assert!(memory.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        memory.iter().for_each(|word| word.store(1, Ordering::Relaxed));
        assert!(memory.iter().all(|word| word.load(Ordering::Relaxed) == 1));
    }

    #[test]
    fn large_pages_hold_zeros_and_what_is_written() {
        for count in [0, 1, 1000, (1 << 17) - 1, 1 << 17, (1 << 18) + 1] {
            let mut memory: LargePages<u64> = LargePages::zeroed(count);
            assert_eq!(memory.len(), count);
            assert_eq!(
                memory.as_ptr().addr()
                    % if count < 1 << 17 { align_of::<u64>() } else { LARGE_PAGE },
                0,
                "{count}"
            );
            assert!(memory.iter().all(|&word| word == 0));
            memory.iter_mut().zip(1..).for_each(|(word, n)| *word = n);
            assert!(memory.iter().zip(1..).all(|(&word, n)| word == n));
        }
        assert_eq!(LargePages::<()>::zeroed(7).len(), 7);
    }
}
