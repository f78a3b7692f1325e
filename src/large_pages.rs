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
//! - [`collapse_page`]: the shared table, one page at a time while a search runs
//!   (`table/gradual_pages.rs`).
//!
//! Figures: docs/experiments/tables.md, "Large pages".

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Zeroable;

use crate::sync::AtomicU64;

/// The size of a large page in bytes: on x86-64, and on ARM with small pages of 4 KiB.
const LARGE_PAGE: usize = 2 << 20;

/// The advice of `madvise` that collapses a range of small pages. The crate libc names it for the
/// GNU library only, but it belongs to the kernel.
#[cfg(all(target_os = "linux", not(loom), not(miri)))]
const MADV_COLLAPSE: libc::c_int = 25;

/// A boxed slice on large pages of its own, if the system has them. A slice smaller than half of a
/// large page is allocated like any other.
pub(crate) struct LargePages<T> {
    start: NonNull<T>,
    count: usize,
}

impl<T: Zeroable> LargePages<T> {
    /// A slice of `count` zeros. Ends the program if there is not enough memory, like a `Box`.
    pub(crate) fn zeroed(count: usize) -> LargePages<T> {
        LargePages::try_zeroed(count).unwrap_or_else(|| handle_alloc_error(Self::layout(count)))
    }

    /// A slice of `count` zeros, or `None` if there is not enough memory.
    pub(crate) fn try_zeroed(count: usize) -> Option<LargePages<T>> {
        let layout = Self::layout(count);
        if layout.size() == 0 {
            return Some(LargePages { start: NonNull::dangling(), count });
        }
        // SAFETY: the size is not zero.
        let memory = unsafe { alloc(layout) };
        let start = NonNull::new(memory)?;
        if layout.align() == LARGE_PAGE {
            advise(memory, layout.size());
        }
        // Written after the advice, because pages that were written before stay small.
        // SAFETY: these bytes were allocated above.
        unsafe { start.write_bytes(0, layout.size()) };
        Some(LargePages { start: start.cast(), count })
    }
}

impl<T> LargePages<T> {
    /// The bytes of memory that a slice of `count` values takes.
    pub(crate) fn bytes(count: usize) -> usize {
        Self::layout(count).size()
    }

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

/// The number of large pages that lie within `memory`. 0 on systems without [`collapse_page`].
pub(crate) fn whole_pages(memory: &[AtomicU64]) -> usize {
    if !cfg!(all(target_os = "linux", not(loom), not(miri))) {
        return 0;
    }
    let bytes = memory.as_ptr_range();
    let start = bytes.start.addr().next_multiple_of(LARGE_PAGE);
    (bytes.end.addr() / LARGE_PAGE * LARGE_PAGE).saturating_sub(start) / LARGE_PAGE
}

/// Moves the contents of large page `index` of those within `memory` from small pages to a large
/// one, while other threads may use it. Returns whether the system did so. Linux can since 6.1.
///
/// # Panics
/// If `index` is not less than [`whole_pages`].
pub(crate) fn collapse_page(memory: &[AtomicU64], index: usize) -> bool {
    #[cfg(all(target_os = "linux", not(loom), not(miri)))]
    {
        use crate::sync::Ordering;

        assert!(index < whole_pages(memory));
        let base = memory.as_ptr().addr();
        let start = base.next_multiple_of(LARGE_PAGE) + index * LARGE_PAGE;
        // Linux collapses no range without a page that was written. This writes, and changes
        // nothing. (The compiler turns `fetch_or(0)` into a read.)
        let word = &memory[(start - base) / size_of::<AtomicU64>()];
        let _ = word.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        let page = memory.as_ptr().with_addr(start).cast_mut().cast();
        // SAFETY: the range lies within `memory`. The advice changes neither its contents nor the
        // ways in which it may be accessed; an access by another thread waits meanwhile.
        unsafe { libc::madvise(page, LARGE_PAGE, MADV_COLLAPSE) == 0 }
    }
    #[cfg(not(all(target_os = "linux", not(loom), not(miri))))]
    {
        let _ = (memory, index);
        false
    }
}

/// Advises the system to use large pages for the whole pages of a range of memory.
fn advise(memory: *mut u8, bytes: usize) {
    #[cfg(all(target_os = "linux", not(loom), not(miri)))]
    if memory.addr().is_multiple_of(LARGE_PAGE) {
        // A system without large pages refuses, and the memory stays as it is.
        // SAFETY: the range lies within memory that belongs to the caller alone. The advice changes
        // neither its contents nor the ways in which it may be accessed.
        let _ = unsafe { libc::madvise(memory.cast(), bytes, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(all(target_os = "linux", not(loom), not(miri))))]
    let _ = (memory, bytes);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::{Ordering, zeros};

    #[test]
    fn memory_of_any_length_and_alignment_keeps_its_contents() {
        const WORDS: usize = 5 << 18;
        let memory = zeros(WORDS).expect("ten megabytes");
        memory.iter().zip(1..).for_each(|(word, n)| word.store(n, Ordering::Relaxed));
        for (from, to) in [(0, 0), (5, 6), (0, WORDS), (511, 512), (1, 1 << 18), (3, WORDS - 5)] {
            let part = &memory[from..to];
            let pages = whole_pages(part);
            assert!(pages <= (to - from) >> 18);
            for index in 0..pages {
                let _ = collapse_page(part, index);
            }
        }
        assert!(memory.iter().zip(1..).all(|(word, n)| word.load(Ordering::Relaxed) == n));
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
