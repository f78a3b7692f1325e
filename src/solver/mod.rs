//! The front of the library: exact scores of positions, one at a time or a list on all cores.
//!
//! A [`Solver`] owns the transposition table and a few threads. [`Solver::solve`] finds the exact
//! score of one position, [`Solver::solve_with`] accepts [`Options`] (a window, the scores of all
//! moves, limits, cancellation), [`Solver::solve_all`] solves a list and calls back for every
//! solution. The number of threads and the size of the table change the time and the node count,
//! never a score.
//!
//! ```
//! use yose::{Diagram, Score, Solver};
//!
//! // FFO 20: six empties, X to move.
//! let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
//! let diagram: Diagram = board.parse()?;
//! let mut solver = Solver::new()?;
//! let solution = solver.solve(&diagram.position);
//! assert_eq!(solution.score(), Some(Score::new(6)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Threads and stacks
//!
//! Every search runs on a thread of the solver's own, with a stack of 64 MiB of address space, of
//! which only the used part is ever in memory. A caller therefore needs no particular stack. The
//! threads are started once, by [`SolverBuilder::build`], and end with the solver. A position with
//! fewer empties than a search ever divides occupies the first of them alone.

mod cancel;
mod list;
mod threads;

use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::batch::solve_within;
use crate::eval::UNIT;
use crate::othello::Position;
use crate::search::{Config, Limits, Request, Searcher, Solution, ThreadPool, Window, auto_table};
use crate::table::TableError;

pub use cancel::CancelToken;
use threads::{Pending, Thread};

/// The error of a [`Solver`] that could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolverError {
    /// There is not enough memory for the transposition table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The system starts no more threads.
    #[error("a thread cannot be started: {0}")]
    Threads(io::Error),
}

/// How a position is solved. The default is its exact score, without limits.
///
/// ```
/// use std::time::Duration;
/// use yose::{Limits, Options, Solver, Window};
///
/// let options = Options {
///     window: Window::WIN_LOSS_DRAW,
///     limits: Limits { time: Some(Duration::from_secs(10)), ..Limits::NONE },
///     ..Options::default()
/// };
/// # let diagram: yose::Diagram =
/// #     "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X".parse()?;
/// # let position = diagram.position;
/// let mut solver = Solver::builder().threads(1).table_bytes(1 << 20).build()?;
/// let solution = solver.solve_with(&position, &options);
/// // X wins: the score is at least +2.
/// assert_eq!(solution.bounds.lower.discs(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The scores to be distinguished; [`Window::WIN_LOSS_DRAW`] is the window of win, loss and
    /// draw. A narrower window takes less time.
    pub window: Window,
    /// Whether [`Solution::moves`] gets the score of every legal move.
    pub all_moves: bool,
    /// The limits of each position.
    pub limits: Limits,
    /// Ends the call from another thread.
    pub cancel: Option<CancelToken>,
}

impl Default for Options {
    fn default() -> Options {
        Options { window: Window::FULL, all_moves: false, limits: Limits::NONE, cancel: None }
    }
}

impl Options {
    fn request(&self, position: &Position) -> Request {
        Request { position: *position, window: self.window, all_moves: self.all_moves }
    }
}

/// Settings of a [`Solver`] that is not made yet. [`Solver::builder`] returns one.
#[derive(Clone, Debug)]
pub struct SolverBuilder {
    threads: NonZeroUsize,
    table: TableSize,
}

/// The size of a solver's table.
#[derive(Clone, Copy, Debug)]
enum TableSize {
    Default,
    Bytes(u64),
    Auto,
}

impl SolverBuilder {
    /// Sets the number of threads. The default is the number of processors that the program may
    /// use.
    ///
    /// # Panics
    /// Panics if `threads` is 0.
    #[track_caller]
    #[must_use]
    pub fn threads(self, threads: usize) -> SolverBuilder {
        let threads = NonZeroUsize::new(threads).expect("a solver has at least one thread");
        SolverBuilder { threads, ..self }
    }

    /// Sets the size of the transposition table in bytes. The table never uses more than that.
    /// The default is 256 MiB.
    #[must_use]
    pub fn table_bytes(self, table_bytes: u64) -> SolverBuilder {
        SolverBuilder { table: TableSize::Bytes(table_bytes), ..self }
    }

    /// Lets the table grow as the searches need it, up to half of the memory that is free.
    /// Then node counts depend on the machine.
    #[must_use]
    pub fn auto_table(self) -> SolverBuilder {
        SolverBuilder { table: TableSize::Auto, ..self }
    }

    /// Makes the solver: allocates the table and starts the threads.
    ///
    /// # Errors
    /// Returns an error if there is no memory for the table, or if a thread cannot be started.
    pub fn build(self) -> Result<Solver, SolverError> {
        let start = |index| Thread::start(index).map_err(SolverError::Threads);
        let mut threads = vec![start(0)?];
        // On a thread of the solver's own: reading the weights takes stack too. Before the other
        // threads are started: there may not be enough memory for them.
        let make = move || {
            let config = Config::default();
            let config = match self.table {
                TableSize::Default => config,
                TableSize::Bytes(table_bytes) => Config { table_bytes, ..config },
                TableSize::Auto => config.with_auto_table(&auto_table(None, self.threads.get())),
            };
            let split_empties = config.split_empties;
            let mut searchers = Searcher::pool(config, self.threads)?;
            searchers.iter_mut().try_for_each(Searcher::prepare)?;
            Ok((searchers, split_empties))
        };
        let made: Result<_, TableError> = threads[0].run(make).wait();
        let (searchers, split_empties) = made?;
        for index in 1..searchers.len() {
            threads.push(start(index)?);
        }
        Ok(Solver {
            pool: Arc::clone(searchers[0].thread_pool()),
            searchers,
            threads,
            split_empties,
        })
    }
}

/// Solves positions exactly, on threads of its own. The table keeps what one position proved for
/// the next.
///
/// The number of threads and the size of the table change the time and the node count, never a
/// score. A caller needs no particular stack: every search runs on a thread that the solver has
/// started when it was made, with a stack of its own. Nothing is printed.
///
/// ```
/// use yose::{Diagram, Solver};
///
/// let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// let diagram: Diagram = board.parse()?;
/// let mut solver = Solver::builder().threads(2).table_bytes(16 << 20).build()?;
/// let solution = solver.solve(&diagram.position);
/// assert_eq!(solution.best_move.map(|mv| mv.to_string()).as_deref(), Some("h5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    pool: Arc<ThreadPool>,
    /// One for each thread; empty only while a call runs, or after one has panicked.
    searchers: Vec<Searcher>,
    threads: Vec<Thread>,
    /// Only positions with at least this many empties are searched by several threads.
    split_empties: u32,
}

impl Solver {
    /// A solver on all processors that the program may use, with a table of 256 MiB.
    ///
    /// # Errors
    /// Returns an error if there is no memory for the table, or if a thread cannot be started.
    pub fn new() -> Result<Solver, SolverError> {
        Solver::builder().build()
    }

    /// The settings of a new solver.
    pub fn builder() -> SolverBuilder {
        SolverBuilder {
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            table: TableSize::Default,
        }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The size of the transposition table in bytes. The table uses less until it needs more.
    pub fn table_bytes(&self) -> u64 {
        self.searchers.first().map_or(0, Searcher::table_bytes)
    }

    /// Solves one position: its exact score, best move and principal variation. The threads share
    /// the work if the position is large enough.
    ///
    /// # Panics
    /// Panics if an earlier call has panicked.
    pub fn solve(&mut self, position: &Position) -> Solution {
        self.solve_with(position, &Options::default())
    }

    /// Solves one position under `options`. If a limit or a cancellation ends the search early,
    /// [`Solution::stopped`] has the reason, and the bounds are those that are proven so far.
    ///
    /// # Panics
    /// Panics if an earlier call has panicked.
    pub fn solve_with(&mut self, position: &Position, options: &Options) -> Solution {
        self.pool.resume();
        let _cancellable = options.cancel.as_ref().map(|token| token.attach(&self.pool));
        let mut searchers = self.take_searchers();
        let others = searchers.split_off(1);
        let mut first = searchers.remove(0);

        let divisible = position.empties().count() >= self.split_empties;
        let (helpers, idle) = if divisible { (others, Vec::new()) } else { (Vec::new(), others) };
        let done = Arc::new(AtomicBool::new(false));
        let help = |(thread, mut helper): (&Thread, Searcher)| {
            let done = Arc::clone(&done);
            thread.run(move || {
                helper.help(|| done.load(Ordering::SeqCst), |_| ());
                helper
            })
        };
        let helpers: Vec<Pending<Searcher>> =
            self.threads[1..].iter().zip(helpers).map(help).collect();

        let (request, limits) = (options.request(position), options.limits);
        let search = self.threads[0].run(move || {
            let solution = solve_within(&mut first, &request, &limits);
            (first, solution)
        });
        let result = search.result();
        done.store(true, Ordering::SeqCst);
        self.pool.wake_all();
        let helpers: Vec<Searcher> = helpers.into_iter().map(Pending::wait).collect();

        let (first, solution) = result.unwrap_or_else(|panic| resume_unwind(panic));
        self.searchers = [first].into_iter().chain(helpers).chain(idle).collect();
        solution
    }

    /// The value of a position by a depth-limited search of `depth` plies, in discs for the side to
    /// move. It is an estimate and proves nothing. The search runs on one thread, and nothing
    /// interrupts it.
    ///
    /// # Panics
    /// Panics if an earlier call has panicked.
    pub(crate) fn estimate(&mut self, position: &Position, depth: u32) -> f64 {
        let (mut searchers, position) = (self.take_searchers(), *position);
        let estimate = move || {
            let value = searchers[0].estimate(&position, depth);
            (searchers, value)
        };
        let (searchers, value) = self.threads[0].run(estimate).wait();
        self.searchers = searchers;
        f64::from(value) / f64::from(UNIT)
    }

    /// Empties the tables: the next call costs the same nodes as in a new solver.
    ///
    /// # Panics
    /// Panics if an earlier call has panicked.
    pub fn clear(&mut self) {
        let mut searchers = self.take_searchers();
        let clear = move || {
            searchers.iter_mut().for_each(Searcher::clear);
            searchers
        };
        self.searchers = self.threads[0].run(clear).wait();
    }

    fn take_searchers(&mut self) -> Vec<Searcher> {
        let searchers = std::mem::take(&mut self.searchers);
        assert!(!searchers.is_empty(), "an earlier call of this solver has panicked");
        searchers
    }
}

#[cfg(test)]
mod tests;
