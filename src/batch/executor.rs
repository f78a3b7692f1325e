//! The executor: worker threads do the tasks of a queue and send results to the calling thread.
//! Everything that searches many positions runs on it.
//!
//! | part | what it does |
//! |---|---|
//! | [`TaskQueue`] | gives out tasks; decides what an idle worker does |
//! | [`TaskList`] | tasks of an iterator in its order; a worker without a task ends |
//! | [`HelpedTaskList`] | the same; a worker without a task helps the others |
//! | [`execute`] | a thread for each worker state with work; the caller receives the results |
//! | [`in_order`] | the same, with results in the order of the tasks |
//! | [`run_worker`] | the loop of one worker, for threads that live longer than one call |
//!
//! The batch queue ([`Queue`](super::queue::Queue)) is a third task queue: longest first, while
//! tasks are still being read.
//!
//! # Threads are started as there is work
//! The first worker starts at once. Whenever the last idle worker begins a task, or begins to help,
//! it starts the next one. So one worker more is there than has work. For a list of ten positions
//! no hundred threads are started, and a list without long positions gets no helpers.
//!
//! # Guarantees
//! - If the first thread cannot be started, no task is begun. If a later one cannot, the others do
//!   its work, and the caller learns it.
//! - The queue is closed as soon as a worker panics, and when the calling thread returns or panics.
//!   Then no worker begins another task, and no idle worker waits any longer.
//! - [`execute`] returns after all its threads have ended. The panic of a worker is passed on.

use std::io;
use std::iter::Enumerate;
use std::ops::ControlFlow;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{self, Scope};

use parking_lot::Mutex;
use thiserror::Error;

use super::reorder::ReorderBuffer;
use crate::search::{Activity, Searcher, ThreadPool};
use crate::table::TableError;

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
    /// when the worker must end. It returns false soon after [`TaskQueue::close`]. `activity` is
    /// called when the worker begins and ends to help another meanwhile.
    fn wait(&self, state: &mut S, activity: &dyn Fn(Activity)) -> bool;

    /// Makes what a worker needs before its thread is started.
    ///
    /// # Errors
    /// If there is not enough memory.
    fn prepare(&self, state: &mut S) -> Result<(), TableError> {
        let _ = state;
        Ok(())
    }

    /// How many workers could be of use for the tasks so far.
    fn useful_workers(&self) -> usize {
        usize::MAX
    }

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

    fn wait(&self, _: &mut S, _: &dyn Fn(Activity)) -> bool {
        false
    }

    fn close(&self) {
        *self.0.lock() = None;
    }
}

/// A worker state that can help the searches of other workers.
pub(crate) trait Help {
    /// The searcher that helps.
    fn searcher(&mut self) -> &mut Searcher;
}

impl Help for Searcher {
    fn searcher(&mut self) -> &mut Searcher {
        self
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

    fn wait(&self, state: &mut S, activity: &dyn Fn(Activity)) -> bool {
        state.searcher().help(|| self.over.load(Ordering::SeqCst), activity);
        false
    }

    fn prepare(&self, state: &mut S) -> Result<(), TableError> {
        state.searcher().prepare()
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
/// on. `activity` is called before and after each task and each search for another worker.
pub(crate) fn run_worker<S, Q: TaskQueue<S>, R>(
    worker: &Worker<R>,
    state: &mut S,
    tasks: &Q,
    work: &impl Fn(&Worker<R>, &mut S, Q::Task),
    activity: &dyn Fn(Activity),
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
                activity(Activity::Busy);
                work(worker, state, task);
                tasks.finished();
                activity(Activity::Idle);
            }
            None if tasks.wait(state, activity) => {}
            None => break,
        }
    }
}

/// The workers of [`execute`], and those of them that are not started.
struct Workers<'env, S, Q, W, F> {
    waiting: Mutex<Enumerate<slice::IterMut<'env, S>>>,
    started: AtomicUsize,
    /// The number of workers that are started and have no work.
    idle: AtomicUsize,
    tasks: &'env Q,
    work: &'env W,
    refused: &'env F,
}

impl<'env, S: Send, Q: TaskQueue<S>, W, F: Fn(ThreadError) + Sync> Workers<'env, S, Q, W, F> {
    /// Starts the next worker. Does nothing if all are started.
    fn start<'scope, R: Send + 'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        results: &ResultSender<R>,
    ) -> Result<(), ThreadError>
    where
        W: Fn(&Worker<R>, &mut S, Q::Task) + Sync,
    {
        let Some((index, state)) = self.waiting.lock().next() else { return Ok(()) };
        self.tasks.prepare(state).map_err(io::Error::other).map_err(ThreadError)?;
        self.idle.fetch_add(1, Ordering::SeqCst);
        self.started.fetch_add(1, Ordering::SeqCst);
        let worker = Worker { index, results: results.clone() };
        let run = move || {
            let activity = |activity| self.activity(activity, scope, &worker.results);
            run_worker(&worker, state, self.tasks, self.work, &activity);
        };
        worker_thread(index).spawn_scoped(scope, run).map(drop).map_err(ThreadError)
    }

    /// Counts idle workers. Starts another one when the last one gets work.
    fn activity<'scope, R: Send + 'scope>(
        &'scope self,
        activity: Activity,
        scope: &'scope Scope<'scope, 'env>,
        results: &ResultSender<R>,
    ) where
        W: Fn(&Worker<R>, &mut S, Q::Task) + Sync,
    {
        if activity == Activity::Idle {
            self.idle.fetch_add(1, Ordering::SeqCst);
            return;
        }
        let last = self.idle.fetch_sub(1, Ordering::SeqCst) == 1;
        if last
            && self.started.load(Ordering::SeqCst) < self.tasks.useful_workers()
            && let Err(error) = self.start(scope, results)
        {
            // No further attempt: the next one would fail as well.
            *self.waiting.lock() = [].iter_mut().enumerate();
            (self.refused)(error);
        }
    }
}

/// Does the tasks on a thread for each of `states`, as far as there is work for it, while `receive`
/// runs on the calling thread. Then closes the queue and waits for the workers. Each worker calls
/// `work` for its tasks. If a thread other than the first cannot be started, `refused` is called
/// and no more are started.
///
/// # Errors
/// If the first thread cannot be started. Then no task is begun, and `receive` is not called.
///
/// # Panics
/// If a worker or `receive` panics.
pub(crate) fn execute<S: Send, Q: TaskQueue<S>, R: Send, O>(
    states: &mut [S],
    tasks: &Q,
    work: impl Fn(&Worker<R>, &mut S, Q::Task) + Sync,
    refused: impl Fn(ThreadError) + Sync,
    results: ResultSender<R>,
    receive: impl FnOnce() -> O,
) -> Result<O, ThreadError> {
    let workers = Workers {
        waiting: Mutex::new(states.iter_mut().enumerate()),
        started: AtomicUsize::new(0),
        idle: AtomicUsize::new(0),
        tasks,
        work: &work,
        refused: &refused,
    };
    thread::scope(|scope| {
        let _close = OnDrop(|| tasks.close());
        workers.start(scope, &results)?;
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
/// The outer error: a thread cannot be started, be it the first or a later one. The inner error:
/// that of `report`.
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
    let refusal = Mutex::new(None);
    let refused = |error| {
        *refusal.lock() = Some(error);
        tasks.close();
    };
    let reported = execute(states, tasks, work, refused, sender, || {
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
    })?;
    refusal.into_inner().map_or(Ok(reported), Err)
}

/// Calls a function when it is dropped.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
mod tests;
