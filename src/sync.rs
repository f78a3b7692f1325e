//! Atomics, locks and condition variables, in two versions: the real ones, and those of loom under
//! `--cfg loom`.
//!
//! [loom](https://docs.rs/loom) runs a test once for every order in which its threads may execute,
//! and for every value that the memory model allows a load to return. The shared table and the
//! split points of the search import their types from here, so loom tests the code that solves.
//!
//! These tests are in modules named `models`. Without loom they run a few hundred times in whatever
//! order occurs. Under Miri, which detects data races and returns outdated values, they run a few
//! times.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test --no-default-features --lib models
//! RUSTFLAGS="-C target-cpu=x86-64" cargo +nightly miri test --lib models
//! ```

#[cfg(not(loom))]
mod plain {
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };

    pub(crate) use parking_lot::{Condvar, Mutex, MutexGuard};

    /// `count` zeros, or `None` if there is not enough memory. The memory is requested as zeroed
    /// pages, which the system supplies when they are first written.
    pub(crate) fn zeros(count: usize) -> Option<Box<[AtomicU64]>> {
        bytemuck::allocation::try_zeroed_slice_box(count).ok()
    }
}

/// Loom's types with the interfaces of the real ones.
#[cfg(loom)]
mod modelled {
    use std::ops::{Deref, DerefMut};

    use loom::sync;
    pub(crate) use loom::sync::atomic::{
        AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };

    pub(crate) fn zeros(count: usize) -> Option<Box<[AtomicU64]>> {
        Some((0..count).map(|_| AtomicU64::new(0)).collect())
    }

    /// A model that panics has failed, so a poisoned lock is never read.
    const POISONED: &str = "no thread of the model has panicked";

    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Mutex<T> {
            Mutex(sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            MutexGuard(Some(self.0.lock().expect(POISONED)))
        }
    }

    /// `None` only while its thread waits on a condition variable.
    #[derive(Debug)]
    pub(crate) struct MutexGuard<'a, T>(Option<sync::MutexGuard<'a, T>>);

    impl<T> Deref for MutexGuard<'_, T> {
        type Target = T;
        fn deref(&self) -> &T {
            self.0.as_ref().expect("its thread waits")
        }
    }

    impl<T> DerefMut for MutexGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            self.0.as_mut().expect("its thread waits")
        }
    }

    #[derive(Debug, Default)]
    pub(crate) struct Condvar(sync::Condvar);

    impl Condvar {
        pub(crate) fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
            guard.0 = guard.0.take().map(|inner| self.0.wait(inner).expect(POISONED));
        }

        pub(crate) fn notify_one(&self) {
            self.0.notify_one();
        }
    }
}

#[cfg(loom)]
pub(crate) use modelled::*;
#[cfg(not(loom))]
pub(crate) use plain::*;

/// The tools of a model: threads, and the function that runs it.
#[cfg(test)]
pub(crate) mod model {
    #[cfg(loom)]
    pub(crate) use loom::thread;
    #[cfg(not(loom))]
    pub(crate) use std::thread;

    /// Runs a model in every interleaving of its threads with at most `preemptions` preemptions:
    /// switches away from a thread that could have continued.
    #[cfg(loom)]
    pub(crate) fn check_interleavings(preemptions: usize, run: impl Fn() + Sync + Send + 'static) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(preemptions);
        builder.max_branches = 10_000;
        builder.check(run);
    }

    /// Runs a model several hundred times, in whatever interleavings occur.
    #[cfg(not(loom))]
    pub(crate) fn check_interleavings(_preemptions: usize, run: impl Fn() + Sync + Send + 'static) {
        let times = if cfg!(miri) { 10 } else { 300 };
        (0..times).for_each(|_| run());
    }
}
