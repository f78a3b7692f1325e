//! The means by which threads share, in one of two makes: atomics, locks and condition variables as
//! they are; or, under `--cfg loom`, those of [loom](https://docs.rs/loom), which runs a test again
//! for every order in which threads may come to them and every value that the memory model lets a
//! load see.
//!
//! The shared table and the meeting of threads in the search take theirs from here, so that what
//! loom tries is the code that solves. The tests that it runs are called `models`; without loom
//! they run some hundred times, as it happens, and under Miri, which sees races and outdated values
//! that this machine does not show, a few times.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test --lib models
//! RUSTFLAGS="-C target-cpu=x86-64" cargo +nightly miri test --lib models
//! ```

#[cfg(not(loom))]
mod plain {
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };

    pub(crate) use parking_lot::{Condvar, Mutex, MutexGuard};

    /// So many zeros; none if there is no memory for them. The system has pages of zeros, which
    /// cost nothing until they are written.
    pub(crate) fn zeros(count: usize) -> Option<Box<[AtomicU64]>> {
        bytemuck::allocation::try_zeroed_slice_box(count).ok()
    }
}

/// Loom's makes with the faces of those above.
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

    /// A model that panics has failed: nobody asks what its locks held.
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

    /// Empty only while it waits.
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

/// What a model is made of.
#[cfg(test)]
pub(crate) mod model {
    #[cfg(loom)]
    pub(crate) use loom::thread;
    #[cfg(not(loom))]
    pub(crate) use std::thread;

    /// Runs a model in every order with up to so many *preemptions*: changes from a thread that
    /// could have gone on to another one.
    #[cfg(loom)]
    pub(crate) fn try_orders(preemptions: usize, run: impl Fn() + Sync + Send + 'static) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(preemptions);
        builder.max_branches = 10_000;
        builder.check(run);
    }

    /// Runs a model a number of times.
    #[cfg(not(loom))]
    pub(crate) fn try_orders(_preemptions: usize, run: impl Fn() + Sync + Send + 'static) {
        let times = if cfg!(miri) { 10 } else { 300 };
        (0..times).for_each(|_| run());
    }
}
