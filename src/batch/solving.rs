//! The work of a worker of a run: it solves chunks of positions and sends their results.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::executor::Worker;
use super::progress::Progress;
use super::queue::Task;
use super::searchers::{not_begun, solve_within};
use super::shared::{EntryResult, Event, Shared, SolvedHook};
use crate::othello::Diagram;
use crate::records::output::Run;
use crate::search::{Request, Searcher, Solution};

/// The time after which a worker sends the results of its chunk so far. If other workers are idle
/// then, it also returns the rest of the chunk to the queue: the predicted costs may be wrong.
const FLUSH_INTERVAL: Duration = Duration::from_millis(5);

/// Solves the chunks of a run.
pub(super) struct Solving<'a> {
    pub(super) run: &'a Run,
    pub(super) shared: &'a Shared,
    pub(super) progress: &'a dyn Progress,
    pub(super) hook: Option<&'a dyn SolvedHook>,
}

impl Solving<'_> {
    /// Solves the positions of a chunk and sends their results.
    pub(super) fn chunk(&self, worker: &Worker<Event>, searcher: &mut Searcher, chunk: Vec<Task>) {
        self.progress.begin(worker.index, chunk.iter().map(|task| task.cost).sum());
        let (mut results, mut now) = (Vec::with_capacity(chunk.len()), Instant::now());
        let mut since = now;
        let mut tasks = chunk.into_iter();
        for task in tasks.by_ref() {
            now = self.task(searcher, task, now, &mut results);
            if now - since >= FLUSH_INTERVAL {
                worker.report(Event::Results(std::mem::take(&mut results)));
                if self.shared.queue.has_idle_workers() {
                    break;
                }
                now = Instant::now();
                since = now;
            }
        }
        self.progress.end(worker.index);
        tasks.for_each(|task| self.shared.queue.push(task));
        if !results.is_empty() {
            worker.report(Event::Results(results));
        }
    }

    /// Solves one position, from the time `start`. Adds its result, and those of the positions that
    /// wait for it because they are symmetric to it. Returns the time at which it is solved, which
    /// is the start of the next one: a look at the clock takes a hundredth of a short search.
    fn task(
        &self,
        searcher: &mut Searcher,
        task: Task,
        start: Instant,
        results: &mut Vec<(u64, EntryResult)>,
    ) -> Instant {
        let solution = self.solve(searcher, &task.diagram);
        let end = Instant::now();
        if let Some(hook) = self.hook {
            hook.solved(searcher, &task.diagram.position, solution.bounds);
        }
        let waiting = self
            .shared
            .unique
            .as_ref()
            .map_or_else(Vec::new, |unique| unique.complete(&task.diagram, &solution));
        let mut add = |task: Task, solution, time| {
            results.push((task.number, EntryResult::solved(task, solution, self.run.window, time)));
        };
        add(task, solution, end - start);
        waiting.into_iter().for_each(|(task, solution)| add(task, solution, Duration::ZERO));
        if self.hook.is_some() { Instant::now() } else { end }
    }

    fn solve(&self, searcher: &mut Searcher, diagram: &Diagram) -> Solution {
        if self.shared.stopped.load(Ordering::Relaxed) {
            return not_begun();
        }
        if self.run.deterministic {
            searcher.clear();
        }
        let request = Request {
            position: diagram.position,
            window: self.run.window,
            all_moves: self.run.all_moves,
        };
        solve_within(searcher, &request, &self.run.limits)
    }
}
