//! A list of positions on all threads.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};

use crate::batch::queue::{Queue, Task};
use crate::batch::{cost, not_begun, solve_within};
use crate::othello::{Colour, Diagram, Position};
use crate::search::{Searcher, Solution};
use crate::solver::threads::Pending;
use crate::solver::{Options, Solver};

/// The most positions that are read and not yet reported.
const OUTSTANDING: usize = 4096;

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
    /// If an earlier call has panicked.
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
        self.pool.resume();
        let _cancellable = options.cancel.as_ref().map(|token| token.attach(&self.pool));
        let queue = Arc::new(Queue::new(vec![Arc::clone(&self.pool)], self.threads() == 1));
        let (sender, solved) = mpsc::channel();
        let searchers = self.take_searchers();
        let workers: Vec<Pending<Searcher>> = self
            .threads
            .iter()
            .zip(searchers)
            .map(|(thread, searcher)| {
                let worker = Worker {
                    queue: Arc::clone(&queue),
                    options: options.clone(),
                    solved: sender.clone(),
                };
                thread.run(move || worker.run(searcher))
            })
            .collect();
        drop(sender);
        // Closes the queue even if `positions` or `report` panics, so that the threads end.
        let close = CloseOnDrop(&queue);
        let mut positions = positions.into_iter().fuse();
        let mut outstanding = 0;
        loop {
            while outstanding < OUTSTANDING && !self.pool.is_aborted() {
                let Some(position) = positions.next() else { break };
                let number = queue.number().expect("a queue that is not ended accepts entries");
                queue.put(Task {
                    number,
                    id: String::new(),
                    diagram: Diagram { position, to_move: Colour::Black },
                    cost: cost::predict(&position),
                });
                outstanding += 1;
            }
            if outstanding == 0 {
                break;
            }
            // All senders are gone only if all searches have panicked.
            let Ok(chunk) = solved.recv() else { break };
            outstanding -= chunk.len();
            queue.settle(chunk.len());
            chunk.into_iter().for_each(|(index, solution)| report(index, solution));
        }
        drop(close);
        self.searchers = workers.into_iter().map(Pending::wait).collect();
    }
}

/// What one thread does for a list.
struct Worker {
    queue: Arc<Queue>,
    options: Options,
    solved: Sender<Vec<(usize, Solution)>>,
}

impl Worker {
    /// Solves positions until the queue is closed.
    fn run(self, mut searcher: Searcher) -> Searcher {
        while !self.queue.is_closed() {
            let Some(chunk) = self.queue.take() else {
                self.queue.rest(&mut searcher);
                continue;
            };
            let solve = |task: Task| {
                let solution = if searcher.thread_pool().is_aborted() {
                    not_begun()
                } else {
                    let request = self.options.request(&task.diagram.position);
                    solve_within(&mut searcher, &request, &self.options.limits)
                };
                (task.number as usize, solution)
            };
            // Nobody receives if `report` has panicked. Then the queue is closed.
            let _ = self.solved.send(chunk.into_iter().map(solve).collect());
        }
        searcher
    }
}

struct CloseOnDrop<'a>(&'a Queue);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
