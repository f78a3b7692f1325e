//! Tasks on several threads, whose results are consumed in the order of the tasks.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// The number of processors that this program may use; 1 if the system does not report it.
pub fn all_cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Runs `task` for the indices `0..count`, on one thread for each of `states`, and passes the
/// results to `consume` in the order of the indices, each as soon as all before it were consumed.
/// `consume` ends the run when it breaks; the results of tasks that have begun by then are dropped.
///
/// If the result of a task does not depend on the earlier tasks of its state, then the calls of
/// `consume` do not depend on the number of threads.
///
/// # Panics
/// If `task` panics.
pub fn for_each_in_order<S: Send, R: Send>(
    count: usize,
    states: Vec<S>,
    task: impl Fn(&mut S, usize) -> R + Sync,
    mut consume: impl FnMut(usize, R) -> ControlFlow<()>,
) {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for mut state in states {
            let (next, stopped, task, sender) = (&next, &stopped, &task, sender.clone());
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || sender.send((index, task(&mut state, index))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut wanted = 0;
        for (index, result) in receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&wanted) {
                if consume(wanted, result).is_break() {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                wanted += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_consumed_in_order_until_the_consumer_breaks() {
        for threads in 1..=3 {
            let mut consumed = Vec::new();
            let busy = |factor: &mut u64, index: usize| {
                (0..index as u64 % 7 * 1000).fold(*factor, |a, b| a + b % 2)
            };
            for_each_in_order(100, vec![5; threads], busy, |index, result| {
                consumed.push((index, result));
                if index == 79 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let expected: Vec<_> = (0..80).map(|index| (index, busy(&mut 5, index))).collect();
            assert_eq!(consumed, expected);
        }
    }
}
