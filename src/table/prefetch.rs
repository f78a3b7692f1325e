//! Prefetching: a cache line is loaded before it is read.

/// Prefetches the cache line of `value` into all levels of the cache. Does nothing on CPUs other
/// than x86-64 and 64-bit ARM.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU has SSE. A prefetch has no effect but on the cache and cannot fault;
    // the address is that of a live reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above. `readonly` keeps it behind the stores before it.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{}]",
            in(reg) std::ptr::from_ref(value),
            options(readonly, nostack, preserves_flags)
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = value;
}
