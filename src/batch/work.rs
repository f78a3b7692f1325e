//! The threads that solve.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::Progress;
use super::executor::worker_thread;
use super::queue::Task;
use super::run::{Event, Finding, Shared};
use crate::othello::Diagram;
use crate::records::output::{Record, Run, Solved};
use crate::search::{
    Bounds, Config, Limits, NodeCounts, Request, Searcher, Solution, StopReason, ThreadPool,
};
use crate::table::{TableError, check_memory};

/// After how long a thread hands over what it has finished of its chunk, and the rest of it too if
/// others have nothing to do: predictions may be wrong.
const HOLD: Duration = Duration::from_millis(5);

/// The solvers of a run, one for each thread.
#[derive(Debug)]
pub struct Pool {
    pub(crate) solvers: Vec<Searcher>,
    alone: bool,
}

impl Pool {
    /// Solvers that share a table and help each other.
    ///
    /// # Errors
    /// If the memory for the table cannot be had.
    pub fn crew(config: Config, threads: NonZeroUsize) -> Result<Pool, TableError> {
        Ok(Pool { solvers: Searcher::pool(config, threads)?, alone: false })
    }

    /// Solvers that have nothing to do with each other, each with a table of its own, which is
    /// emptied before each position: so that what a position takes depends on nothing but the
    /// position.
    ///
    /// # Errors
    /// If the memory for the tables cannot be had.
    pub fn deterministic(config: Config, threads: NonZeroUsize) -> Result<Pool, TableError> {
        check_memory(config.table_bytes, threads.get())?;
        let solvers =
            (0..threads.get()).map(|_| Searcher::new(config.clone())).collect::<Result<_, _>>()?;
        Ok(Pool { solvers, alone: true })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.solvers.len()
    }

    /// Whether each thread works alone.
    pub fn is_deterministic(&self) -> bool {
        self.alone
    }

    /// The thread_pools of the solvers, each once.
    pub(super) fn thread_pools(&self) -> Vec<Arc<ThreadPool>> {
        let thread_pools = self.solvers.iter().map(|solver| Arc::clone(solver.thread_pool()));
        if self.alone { thread_pools.collect() } else { thread_pools.take(1).collect() }
    }
}

/// Tells that a thread is gone that should not be.
struct Alarm<'a>(&'a Sender<Event>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Event::Panicked);
        }
    }
}

/// One thread's part of a run.
pub(super) struct Work<'a> {
    pub(super) run: &'a Run,
    pub(super) shared: &'a Shared,
    pub(super) progress: &'a Progress,
    pub(super) worker: usize,
    pub(super) events: Sender<Event>,
}

impl<'a> Work<'a> {
    /// Begins it in a thread of its own.
    pub(super) fn begin<'scope>(
        self,
        scope: &'scope std::thread::Scope<'scope, '_>,
        solver: Searcher,
    ) -> io::Result<()>
    where
        'a: 'scope,
    {
        worker_thread(self.worker).spawn_scoped(scope, move || self.all(solver)).map(drop)
    }

    /// Solves what there is until the queue is closed.
    fn all(self, mut solver: Searcher) {
        let _alarm = Alarm(&self.events);
        let queue = &self.shared.queue;
        while !queue.is_closed() {
            match queue.take() {
                Some(chunk) => self.chunk(&mut solver, chunk),
                None => queue.rest(&mut solver),
            }
        }
    }

    fn chunk(&self, solver: &mut Searcher, chunk: Vec<Task>) {
        self.progress.begin(self.worker, chunk.iter().map(|task| task.cost).sum());
        let (mut found, mut since) = (Vec::with_capacity(chunk.len()), Instant::now());
        let mut tasks = chunk.into_iter();
        for task in tasks.by_ref() {
            self.task(solver, task, &mut found);
            if since.elapsed() >= HOLD {
                let _ = self.events.send(Event::Found(std::mem::take(&mut found)));
                if self.shared.queue.anybody_rests() {
                    break;
                }
                since = Instant::now();
            }
        }
        self.progress.end(self.worker);
        tasks.for_each(|task| self.shared.queue.put(task));
        if !found.is_empty() {
            // Nobody listens if the output takes no more; then the queue is closed.
            let _ = self.events.send(Event::Found(found));
        }
    }

    /// Solves one position, and gives its record and those of the positions that are equal to it.
    fn task(&self, solver: &mut Searcher, task: Task, found: &mut Vec<(u64, Finding)>) {
        let start = Instant::now();
        let solution = self.solve(solver, &task.diagram);
        let mut give = |task: Task, solution, time| {
            let outcome = Ok(Solved { diagram: task.diagram, solution, time });
            found.push((
                task.number,
                Finding::Record {
                    record: Box::new(Record { id: task.id, outcome }),
                    cost: task.cost,
                },
            ));
        };
        let equal = self
            .shared
            .unique
            .as_ref()
            .map_or_else(Vec::new, |unique| unique.settle(&task.diagram, &solution));
        give(task, solution, start.elapsed());
        equal.into_iter().for_each(|(task, solution)| give(task, solution, Duration::ZERO));
    }

    fn solve(&self, solver: &mut Searcher, diagram: &Diagram) -> Solution {
        if self.shared.stopped.load(Ordering::Relaxed) {
            return not_begun();
        }
        if self.run.deterministic {
            solver.clear();
        }
        let request = Request {
            position: diagram.position,
            window: self.run.window,
            all_moves: self.run.all_moves,
        };
        solve_within(solver, &request, &self.run.limits)
    }
}

/// Solves one position. A solution that is complete is never marked as stopped: a search may end
/// and exceed its limit at once.
pub(crate) fn solve_within(
    searcher: &mut Searcher,
    request: &Request,
    limits: &Limits,
) -> Solution {
    let mut solution = searcher.solve_within(request, limits);
    if lacks_nothing(request, &solution) {
        solution.stopped = None;
    }
    solution
}

/// The answer for a position that was not begun.
pub(crate) fn not_begun() -> Solution {
    Solution {
        bounds: Bounds::UNKNOWN,
        best_move: None,
        pv: Vec::new(),
        moves: Vec::new(),
        nodes: 0,
        profile: NodeCounts::default(),
        stopped: Some(StopReason::Aborted),
        #[cfg(feature = "stats")]
        statistics: crate::search::Statistics::default(),
    }
}

/// Whether the solution is complete.
fn lacks_nothing(request: &Request, solution: &Solution) -> bool {
    let end = solution.pv.iter().try_fold(request.position, |position, &mv| position.make(mv));
    solution.bounds.exact().is_some() && !request.all_moves && end.is_some_and(|end| end.is_over())
}
