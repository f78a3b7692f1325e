//! A list of positions on all threads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::batch::executor::{TaskQueue, Worker, channel, run_worker};
use crate::batch::queue::{Queue, Task};
use crate::batch::{cost, not_begun, solve_within};
use crate::othello::{Colour, Diagram, Position};
use crate::records::Notes;
use crate::search::{Searcher, Solution};
use crate::solver::threads::{Pending, Thread};
use crate::solver::{Options, Solver};

/// The most positions that are read and not yet reported.
const MAX_OUTSTANDING: usize = 4096;

impl Solver {
    /// Solves a list of positions, one on each thread, and calls `report` with the index and the
    /// solution of each, in the order in which they are finished. Threads without a position help
    /// the others. The longest positions of those that have been read go first, by a prediction.
    ///
    /// The calling thread reads the positions and runs `report`. At most some thousand positions
    /// are in memory at a time, so the list may have any length.
    ///
    /// After a cancellation no more positions are read. Those that were read are reported, with
    /// [`Solution::stopped`] where they are not finished.
    ///
    /// # Panics
    /// Panics if an earlier call has panicked.
    ///
    /// ```
    /// use yose::{Diagram, Options, Solver};
    ///
    /// let list = [
    ///     "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X",
    ///     "OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOX- X",
    /// ];
    /// let read = |text: &&str| text.parse::<Diagram>().map(|diagram| diagram.position);
    /// let positions: Vec<_> = list.iter().map(read).collect::<Result<_, _>>()?;
    ///
    /// let mut solver = Solver::builder().threads(2).table_bytes(1 << 20).build()?;
    /// let mut scores = vec![None; list.len()];
    /// solver.solve_all(positions, &Options::default(), |index, solution| {
    ///     scores[index] = solution.score();
    /// });
    /// assert_eq!(scores[0].map(|score| score.discs()), Some(6));
    /// # assert!(scores[1].is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_all<I>(
        &mut self,
        positions: I,
        options: &Options,
        mut report: impl FnMut(usize, Solution),
    ) where
        I: IntoIterator<Item = Position>,
    {
        self.solve_all_timed(positions, options, |index, solution, _| report(index, solution));
    }

    /// As [`Solver::solve_all`]. `report` also gets the time that the search of the position took.
    ///
    /// # Panics
    /// Panics if an earlier call has panicked.
    pub fn solve_all_timed<I>(
        &mut self,
        positions: I,
        options: &Options,
        mut report: impl FnMut(usize, Solution, Duration),
    ) where
        I: IntoIterator<Item = Position>,
    {
        self.pool.resume();
        let _cancellable = options.cancel.as_ref().map(|token| token.attach(&self.pool));
        let queue = Arc::new(Queue::new(vec![Arc::clone(&self.pool)], self.threads() == 1));
        let (sender, solved) = channel();
        let searchers = self.take_searchers();
        let start = |(index, (thread, mut searcher)): (usize, (&Thread, Searcher))| {
            let (queue, options) = (Arc::clone(&queue), options.clone());
            let worker = Worker::new(index, sender.clone());
            thread.run(move || {
                let work = |worker: &Worker<_>, searcher: &mut Searcher, chunk| {
                    worker.report(solve_chunk(searcher, chunk, &options));
                };
                run_worker(&worker, &mut searcher, &*queue, &work, &|_| ());
                searcher
            })
        };
        let workers: Vec<Pending<Searcher>> =
            self.threads.iter().zip(searchers).enumerate().map(start).collect();
        drop(sender);
        // Closes the queue even if `positions` or `report` panics, so that the workers end.
        let close = CloseOnDrop(&queue);
        let mut positions = positions.into_iter().fuse();
        let mut outstanding = 0;
        loop {
            while outstanding < MAX_OUTSTANDING && !self.pool.is_aborted() {
                let Some(position) = positions.next() else { break };
                let number = queue.reserve().expect("a queue that is not ended accepts entries");
                queue.push(Task {
                    number,
                    id: String::new(),
                    notes: Notes::default(),
                    diagram: Diagram { position, to_move: Colour::Black },
                    cost: cost::predict(&position),
                });
                outstanding += 1;
            }
            if outstanding == 0 {
                break;
            }
            // `None` only if a search has panicked. Waiting for the workers passes that on.
            let Some(chunk) = solved.receive() else { break };
            outstanding -= chunk.len();
            queue.release(chunk.len());
            for (index, solution, time) in chunk {
                report(index, solution, time);
            }
        }
        drop(close);
        self.searchers = workers.into_iter().map(Pending::wait).collect();
    }
}

/// Solves the positions of a chunk. Returns their indices, solutions and times.
fn solve_chunk(
    searcher: &mut Searcher,
    chunk: Vec<Task>,
    options: &Options,
) -> Vec<(usize, Solution, Duration)> {
    let solve = |task: Task| {
        let start = Instant::now();
        let solution = if searcher.thread_pool().is_aborted() {
            not_begun()
        } else {
            let request = options.request(&task.diagram.position);
            solve_within(searcher, &request, &options.limits)
        };
        (task.number as usize, solution, start.elapsed())
    };
    chunk.into_iter().map(solve).collect()
}

struct CloseOnDrop<'a>(&'a Queue);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
