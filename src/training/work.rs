//! Much work in small pieces: done on all cores, taken in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// How many threads there are to work on.
pub fn all_cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Does the pieces `0..count` with `work`, each thread with a state of its own, and hands what they
/// give to `take` in the order of their numbers, as soon as it can be. Ends early when `take`
/// breaks; pieces that are begun then are done in vain.
///
/// What `take` gets does not depend on the number of threads as long as what `work` gives does not
/// depend on the state's past.
///
/// # Panics
/// If `work` does.
pub fn in_order<S: Send, R: Send>(
    count: usize,
    states: Vec<S>,
    work: impl Fn(&mut S, usize) -> R + Sync,
    mut take: impl FnMut(usize, R) -> ControlFlow<()>,
) {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for mut state in states {
            let (next, stopped, work, sender) = (&next, &stopped, &work, sender.clone());
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || sender.send((number, work(&mut state, number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut wanted = 0;
        for (number, result) in receiver {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&wanted) {
                if take(wanted, result).is_break() {
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
    fn results_come_in_order_and_end_when_told() {
        for threads in 1..=3 {
            let mut taken = Vec::new();
            let busy = |factor: &mut u64, number: usize| {
                (0..number as u64 % 7 * 1000).fold(*factor, |a, b| a + b % 2)
            };
            in_order(100, vec![5; threads], busy, |number, result| {
                taken.push((number, result));
                if number == 79 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let expected: Vec<_> = (0..80).map(|number| (number, busy(&mut 5, number))).collect();
            assert_eq!(taken, expected);
        }
    }
}
