//! The executor: worker threads do the tasks of a queue and send results to the calling thread.
//! Everything that searches many positions runs on it.
//!
//! | part | what it does |
//! |---|---|
//! | [`TaskQueue`] | gives out tasks; decides what an idle worker does |
//! | [`TaskList`] | tasks of an iterator in its order; a worker without a task ends |
//! | [`HelpedTaskList`] | the same; a worker without a task helps the others |
//! | [`execute`] | one thread for each worker state; the caller receives the results |
//! | [`in_order`] | the same, with results in the order of the tasks |
//! | [`run_worker`] | the loop of one worker, for threads that live longer than one call |
//!
//! The batch queue ([`Queue`](super::queue::Queue)) is a third task queue: longest first, while
//! tasks are still being read.
//!
//! # Guarantees
//! - No worker begins before all threads are started. So a thread that cannot be started costs no
//!   search.
//! - The queue is closed as soon as a worker panics, and when the calling thread returns or panics.
//!   Then no worker begins another task, and no idle worker waits any longer.
//! - [`execute`] returns after all its threads have ended. The panic of a worker is passed on.

use std::io;
use std::iter::Enumerate;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use parking_lot::Mutex;
use thiserror::Error;

use super::reorder::ReorderBuffer;
use crate::search::{Searcher, ThreadPool};

/// The stack of a thread that searches, in bytes. A search is some hundred calls deep, each with a
/// move list, and a worker that helps while it waits puts a second search on top of its own. Only
/// the used part is ever in memory.
const STACK: usize = 64 << 20;

/// A thread could not be started.
#[derive(Debug, Error)]
#[error("a thread cannot be started: {0}")]
pub struct ThreadError(#[source] pub io::Error);

/// The settings of the thread of the worker with this index: its name and its stack.
pub(crate) fn worker_thread(index: usize) -> thread::Builder {
    thread::Builder::new().name(format!("solver-{}", index + 1)).stack_size(STACK)
}

/// Tasks for workers with a state of type `S`. All methods may be called on any thread.
pub(crate) trait TaskQueue<S>: Sync {
    /// The unit of work: a worker gets one at a time.
    type Task;

    /// The next task, or `None` if there is none at the moment. None after [`TaskQueue::close`].
    fn next(&self) -> Option<Self::Task>;

    /// Occupies a worker that found no task. Returns true when there may be a task again, and false
    /// when the worker must end. It returns false soon after [`TaskQueue::close`].
    fn wait(&self, state: &mut S) -> bool;

    /// Called by a worker after each task.
    fn finished(&self) {}

    /// Ends all workers after their present tasks.
    fn close(&self);
}

/// The tasks of an iterator, numbered from 0, in its order. A worker without a task ends.
pub(crate) struct TaskList<I>(Mutex<Option<Enumerate<I>>>);

impl<I: Iterator> TaskList<I> {
    /// A list of tasks. The iterator runs on the workers, under a lock.
    pub(crate) fn new(tasks: impl IntoIterator<IntoIter = I>) -> TaskList<I> {
        TaskList(Mutex::new(Some(tasks.into_iter().enumerate())))
    }
}

impl<S, I: Iterator + Send> TaskQueue<S> for TaskList<I> {
    type Task = (usize, I::Item);

    fn next(&self) -> Option<(usize, I::Item)> {
        self.0.lock().as_mut()?.next()
    }

    fn wait(&self, _: &mut S) -> bool {
        false
    }

    fn close(&self) {
        *self.0.lock() = None;
    }
}

/// A worker state that can help the searches of other workers.
pub(crate) trait Help {
    /// Helps, as [`Searcher::help`] does.
    fn help(&mut self, is_done: &dyn Fn() -> bool);
}

impl Help for Searcher {
    fn help(&mut self, is_done: &dyn Fn() -> bool) {
        Searcher::help(self, is_done);
    }
}

/// The tasks of an iterator, numbered from 0, in its order. A worker that finds none helps the
/// others of its thread pool until the last task is finished.
pub(crate) struct HelpedTaskList<I> {
    state: Mutex<HelpedState<I>>,
    pool: Arc<ThreadPool>,
    /// How many tasks are worked on at a time, at most.
    limit: usize,
    /// Whether helpers must end.
    over: AtomicBool,
}

struct HelpedState<I> {
    /// `None` when all tasks are given out.
    tasks: Option<Enumerate<I>>,
    /// Tasks that were given out and are not finished.
    running: usize,
}

impl<I: Iterator> HelpedTaskList<I> {
    /// A list of tasks for the searchers of `pool`. The iterator runs on the workers, under a lock.
    pub(crate) fn new(
        tasks: impl IntoIterator<IntoIter = I>,
        pool: &Arc<ThreadPool>,
    ) -> HelpedTaskList<I> {
        HelpedTaskList {
            state: Mutex::new(HelpedState {
                tasks: Some(tasks.into_iter().enumerate()),
                running: 0,
            }),
            pool: Arc::clone(pool),
            limit: usize::MAX,
            over: AtomicBool::new(false),
        }
    }

    /// The same list, whose tasks are done one after the other: all other workers help.
    pub(crate) fn one_at_a_time(self) -> HelpedTaskList<I> {
        HelpedTaskList { limit: 1, ..self }
    }

    fn end_helpers(&self) {
        self.over.store(true, Ordering::SeqCst);
        self.pool.wake_all();
    }
}

impl<S: Help, I: Iterator + Send> TaskQueue<S> for HelpedTaskList<I> {
    type Task = (usize, I::Item);

    fn next(&self) -> Option<(usize, I::Item)> {
        let mut state = self.state.lock();
        if state.running >= self.limit {
            return None;
        }
        if let Some(task) = state.tasks.as_mut().and_then(Iterator::next) {
            state.running += 1;
            return Some(task);
        }
        state.tasks = None;
        // Every worker calls this after its last task, so the last one of them arrives here.
        if state.running == 0 {
            drop(state);
            self.end_helpers();
        }
        None
    }

    fn wait(&self, state: &mut S) -> bool {
        state.help(&|| self.over.load(Ordering::SeqCst));
        false
    }

    fn finished(&self) {
        self.state.lock().running -= 1;
    }

    fn close(&self) {
        self.state.lock().tasks = None;
        self.end_helpers();
    }
}

/// A channel for results. The receiver also learns that a worker has panicked.
pub(crate) fn channel<R>() -> (ResultSender<R>, ResultReceiver<R>) {
    let (sender, receiver) = mpsc::channel();
    (ResultSender(sender), ResultReceiver(receiver))
}

/// Sends results to the calling thread. A message without a result means that a worker panicked.
#[derive(Debug)]
pub(crate) struct ResultSender<R>(mpsc::Sender<Option<R>>);

impl<R> ResultSender<R> {
    /// Sends a result. Returns whether the receiver still exists.
    pub(crate) fn send(&self, result: R) -> bool {
        self.0.send(Some(result)).is_ok()
    }
}

impl<R> Clone for ResultSender<R> {
    fn clone(&self) -> ResultSender<R> {
        ResultSender(self.0.clone())
    }
}

/// Receives results in the order in which they are sent.
#[derive(Debug)]
pub(crate) struct ResultReceiver<R>(mpsc::Receiver<Option<R>>);

impl<R> ResultReceiver<R> {
    /// Waits for the next result. Returns `None` when all senders are gone or a worker has
    /// panicked.
    pub(crate) fn receive(&self) -> Option<R> {
        self.0.recv().ok().flatten()
    }
}

/// A worker, for the function that does its tasks.
pub(crate) struct Worker<R> {
    /// The worker's index, from 0.
    pub(crate) index: usize,
    results: ResultSender<R>,
}

impl<R> Worker<R> {
    /// A worker that sends its results to `results`.
    pub(crate) fn new(index: usize, results: ResultSender<R>) -> Worker<R> {
        Worker { index, results }
    }

    /// Sends a result. It is dropped if the receiver is gone.
    pub(crate) fn report(&self, result: R) {
        self.results.send(result);
    }
}

/// Does tasks until the queue ends the worker. A panic of `work` closes the queue, and is passed
/// on.
pub(crate) fn run_worker<S, Q: TaskQueue<S>, R>(
    worker: &Worker<R>,
    state: &mut S,
    tasks: &Q,
    work: &impl Fn(&Worker<R>, &mut S, Q::Task),
) {
    let _on_panic = OnDrop(|| {
        if thread::panicking() {
            tasks.close();
            let _ = worker.results.0.send(None);
        }
    });
    loop {
        match tasks.next() {
            Some(task) => {
                work(worker, state, task);
                tasks.finished();
            }
            None if tasks.wait(state) => {}
            None => break,
        }
    }
}

/// Starts a worker for each of `states`, runs `receive` on the calling thread, then closes the
/// queue and waits for the workers. Each worker calls `work` for its tasks.
///
/// # Errors
/// If a thread cannot be started. Then no task is begun, and `receive` is not called.
///
/// # Panics
/// If a worker or `receive` panics.
pub(crate) fn execute<S: Send, Q: TaskQueue<S>, R: Send, O>(
    states: &mut [S],
    tasks: &Q,
    work: impl Fn(&Worker<R>, &mut S, Q::Task) + Sync,
    results: ResultSender<R>,
    receive: impl FnOnce() -> O,
) -> Result<O, ThreadError> {
    let work = &work;
    // Held until all threads are started.
    let starting = &Mutex::new(());
    thread::scope(|scope| {
        let _close = OnDrop(|| tasks.close());
        let guard = starting.lock();
        for (index, state) in states.iter_mut().enumerate() {
            let worker = Worker { index, results: results.clone() };
            let run = move || {
                drop(starting.lock());
                run_worker(&worker, state, tasks, work);
            };
            if let Err(error) = worker_thread(index).spawn_scoped(scope, run) {
                tasks.close();
                return Err(ThreadError(error));
            }
        }
        drop(guard);
        // The workers have the only senders, but for those of the caller.
        drop(results);
        Ok(receive())
    })
}

/// Does all tasks, and calls `report` on the calling thread with the results in the order of the
/// tasks, each as soon as it and those before it are there. Ends early when `report` breaks or
/// fails; results of tasks that are begun then are lost.
///
/// The results do not depend on the number of states if no result of `work` depends on what the
/// state did before.
///
/// # Errors
/// The outer error: a thread cannot be started. The inner error: that of `report`.
///
/// # Panics
/// If `work` or `report` panics.
pub(crate) fn in_order<S: Send, T, R: Send, E>(
    states: &mut [S],
    tasks: &impl TaskQueue<S, Task = (usize, T)>,
    work: impl Fn(&mut S, T) -> R + Sync,
    mut report: impl FnMut(R) -> Result<ControlFlow<()>, E>,
) -> Result<Result<(), E>, ThreadError> {
    let (sender, results) = channel();
    let work = |worker: &Worker<(usize, R)>, state: &mut S, (number, task): (usize, T)| {
        worker.report((number, work(state, task)));
    };
    execute(states, tasks, work, sender, || {
        let mut reorder = ReorderBuffer::default();
        while let Some((number, result)) = results.receive() {
            reorder.insert(number as u64, result);
            while let Some((_, result)) = reorder.pop() {
                if report(result)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

/// Calls a function when it is dropped.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::search::{Config, Request, Window};

    const CONTINUE: Result<ControlFlow<()>, ()> = Ok(ControlFlow::Continue(()));

    /// A few microseconds of work that depends on the number.
    fn busy(factor: &mut u64, number: u64) -> u64 {
        (0..number % 7 * 1000).fold(*factor, |a, b| a + b % 2)
    }

    #[test]
    fn results_are_reported_in_the_order_of_the_tasks_until_a_break() {
        for workers in 1..=3 {
            let mut reported = Vec::new();
            let result = in_order(&mut vec![5; workers], &TaskList::new(0..100), busy, |result| {
                reported.push(result);
                if reported.len() == 80 { Ok(ControlFlow::Break(())) } else { CONTINUE }
            });
            assert_eq!(result.expect("threads"), Ok(()));
            assert_eq!(reported, (0..80).map(|number| busy(&mut 5, number)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_infinite_list_ends_when_the_report_fails() {
        let result = in_order(&mut [5; 3], &TaskList::new(0..), busy, |_| Err("full"));
        assert_eq!(result.expect("threads"), Err("full"));
    }

    #[test]
    fn each_worker_keeps_its_own_state() {
        let mut states = [0; 3];
        let count = |state: &mut usize, _| *state += 1;
        in_order(&mut states, &TaskList::new(0..500), count, |()| CONTINUE)
            .expect("threads")
            .expect("the report does not fail");
        assert_eq!(states.iter().sum::<usize>(), 500);
    }

    #[test]
    fn no_tasks_and_no_workers_give_no_results() {
        for (workers, tasks) in [(2, 0), (0, 9)] {
            let mut results = 0;
            let count = |_| {
                results += 1;
                CONTINUE
            };
            let result = in_order(&mut vec![5; workers], &TaskList::new(0..tasks), busy, count);
            assert_eq!(result.expect("threads"), Ok(()));
            assert_eq!(results, 0);
        }
    }

    #[test]
    fn panics_of_workers_and_of_the_report_are_passed_on() {
        for in_worker in [true, false] {
            let begun = AtomicUsize::new(0);
            let work = |_: &mut (), number: usize| {
                begun.fetch_add(1, Ordering::SeqCst);
                assert!(!in_worker || number != 10, "as planned");
            };
            let report = |()| {
                assert!(in_worker, "as planned");
                CONTINUE
            };
            let panic = catch_unwind(AssertUnwindSafe(|| {
                in_order(&mut [(); 2], &TaskList::new(0..), work, report)
            }));
            assert!(panic.is_err() && begun.into_inner() > 0);
        }
    }

    /// FFO 20: six empties, +6.
    const SIX: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

    fn searchers(threads: usize) -> Vec<Searcher> {
        let config = Config { table_bytes: 1 << 20, ..Config::default() };
        Searcher::pool(config, NonZeroUsize::new(threads).expect("some")).expect("1 MiB")
    }

    fn solve(searcher: &mut Searcher, text: &str) -> i32 {
        let diagram: crate::othello::Diagram = text.parse().expect("a position");
        let request =
            Request { position: diagram.position, window: Window::FULL, all_moves: false };
        searcher.solve(&request).bounds.lower.discs()
    }

    #[test]
    fn helpers_end_with_the_last_task() {
        for count in [0, 1, 50] {
            let mut searchers = searchers(3);
            let pool = Arc::clone(searchers[0].thread_pool());
            let tasks = HelpedTaskList::new(std::iter::repeat_n(SIX, count), &pool);
            let mut scores = Vec::new();
            let report = |score| {
                scores.push(score);
                CONTINUE
            };
            let result = in_order(&mut searchers, &tasks, solve, report).expect("threads");
            assert_eq!(result, Ok(()));
            assert_eq!(scores, vec![6; count]);
        }
    }

    #[test]
    fn one_task_at_a_time_means_that_no_two_run_together() {
        let mut searchers = searchers(3);
        let pool = Arc::clone(searchers[0].thread_pool());
        let tasks = HelpedTaskList::new(0..30, &pool).one_at_a_time();
        let running = AtomicUsize::new(0);
        let work = |searcher: &mut Searcher, _| {
            assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0);
            let score = solve(searcher, SIX);
            running.fetch_sub(1, Ordering::SeqCst);
            score
        };
        let mut results = 0;
        let report = |score| {
            assert_eq!(score, 6);
            results += 1;
            CONTINUE
        };
        let result = in_order(&mut searchers, &tasks, work, report).expect("threads");
        assert_eq!((result, results), (Ok(()), 30));
    }

    #[test]
    fn helpers_end_when_the_report_breaks_or_a_worker_panics() {
        for panics in [false, true] {
            let mut searchers = searchers(3);
            let pool = Arc::clone(searchers[0].thread_pool());
            let tasks = HelpedTaskList::new(0..30, &pool).one_at_a_time();
            let work = |_: &mut Searcher, _| assert!(!panics, "as planned");
            let report = |()| Ok::<_, ()>(ControlFlow::Break(()));
            let ended = catch_unwind(AssertUnwindSafe(|| {
                in_order(&mut searchers, &tasks, work, report).expect("threads")
            }));
            assert_eq!(ended.is_err(), panics);
        }
    }
}
