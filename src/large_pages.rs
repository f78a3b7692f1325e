//! Memory on large pages: 2 MiB instead of 4 KiB (huge pages in Linux).
//!
//! A table is probed at random, so nearly every probe reads another page. The translation
//! look-aside buffer (TLB) of a core holds the addresses of a few thousand pages at most; a miss
//! costs a page walk. A large page covers as much memory as 512 small ones.
//!
//! Linux supplies large pages for memory that is advised with `MADV_HUGEPAGE` (transparent huge
//! pages). Where they are switched off, and on other systems, everything works with small pages.
//!
//! Two uses:
//!
//! - [`LargePages`]: the weights of the evaluation and the local tables. Always requested.
//! - [`request_large_pages`]: the shared table, from [`LARGE_PAGES_FROM`] bytes. A large page is
//!   zeroed as a whole when it is first written, and a few thousand stores write to all of them.
//!   A long search gains from large pages; a short one loses more time by zeroing.
//!
//! Figures: docs/experiments/tables.md, "Large pages".

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Zeroable;

use crate::sync::AtomicU64;

/// The size of a large page in bytes: on x86-64, and on ARM with small pages of 4 KiB.
const LARGE_PAGE: usize = 2 << 20;

/// A boxed slice on large pages of its own, if the system has them. A slice smaller than half of a
/// large page is allocated like any other.
pub(crate) struct LargePages<T> {
    start: NonNull<T>,
    count: usize,
}

impl<T: Zeroable> LargePages<T> {
    /// A slice of `count` zeros. Ends the program if there is not enough memory, like a `Box`.
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
        // Written after the advice, because pages that were written before stay small.
        // SAFETY: these bytes were allocated above.
        unsafe { start.write_bytes(0, layout.size()) };
        LargePages { start: start.cast(), count }
    }
}

impl<T> LargePages<T> {
    fn layout(count: usize) -> Layout {
        let values = Layout::array::<T>(count).expect("the size fits into the address space");
        if values.size() < LARGE_PAGE / 2 {
            return values;
        }
        values.align_to(LARGE_PAGE).expect("the size fits into the address space").pad_to_align()
    }
}

impl<T> Deref for LargePages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `count` values start there. They were made as zeros, which `T: Zeroable` allows,
        // and `self` owns them.
        unsafe { NonNull::slice_from_raw_parts(self.start, self.count).as_ref() }
    }
}

impl<T> DerefMut for LargePages<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and `self` is borrowed mutably.
        unsafe { NonNull::slice_from_raw_parts(self.start, self.count).as_mut() }
    }
}

impl<T> Drop for LargePages<T> {
    fn drop(&mut self) {
        let layout = Self::layout(self.count);
        // SAFETY: `count` values were made, they are not used after this, and they were allocated
        // with this layout.
        unsafe {
            NonNull::slice_from_raw_parts(self.start, self.count).drop_in_place();
            if layout.size() > 0 {
                dealloc(self.start.as_ptr().cast(), layout);
            }
        }
    }
}

// SAFETY: it owns its values, like a boxed slice.
unsafe impl<T: Send> Send for LargePages<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for LargePages<T> {}

/// The size in bytes from which a shared table gets large pages.
pub(crate) const LARGE_PAGES_FROM: u64 = 1 << 30;

/// Requests large pages for `memory`, which has not been written yet. This changes the time of
/// accesses and nothing else.
pub(crate) fn request_large_pages(memory: &mut [AtomicU64]) {
    let bytes = memory.as_mut_ptr_range();
    advise(bytes.start.cast(), bytes.end.addr() - bytes.start.addr());
}

/// Advises the system to use large pages for the whole pages of a range of memory.
fn advise(memory: *mut u8, bytes: usize) {
    #[cfg(all(target_os = "linux", not(loom), not(miri)))]
    {
        use rustix::mm::{Advice, madvise};

        let page = rustix::param::page_size();
        let (start, end) =
            (memory.addr().next_multiple_of(page), (memory.addr() + bytes) / page * page);
        if start < end {
            // An error means that the system has no large pages, and is ignored.
            // SAFETY: the range lies within memory that the caller owns. The advice changes neither
            // its content nor its access rights.
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

    /// For ranges of any length and alignment.
    #[test]
    fn advised_memory_keeps_its_zeros_and_can_be_written() {
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
    fn large_pages_start_as_zeros_and_keep_what_is_written() {
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
