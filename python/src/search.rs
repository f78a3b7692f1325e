//! The search: a list of positions on a thread of its own, while the calling thread waits.
//!
//! The calling thread holds no GIL while it waits. It wakes up at every [`TICK`], and when the
//! search ends, checks for signals and calls the callable for progress. An exception of either
//! cancels the search, and is returned with the answers so far.
//!
//! The solver of a call is kept for the next one with the same threads and the same table.

use std::any::Any;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyBaseException, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use yose::{
    Bounds, CancelToken, Limits, Move, Options, Score, Solution, Solver, SolverError, StopReason,
    Window,
};

use crate::position::Position;

/// The time between two checks for signals.
pub const TICK: Duration = Duration::from_millis(50);

/// A position's answer as Python gets it: lower and upper bound, best move, principal variation,
/// moves with their bounds, nodes, seconds, and the reason for which the search ended early.
type Answer = (
    i32,
    i32,
    Option<String>,
    Vec<String>,
    Vec<(String, i32, i32)>,
    u64,
    f64,
    Option<&'static str>,
);

/// The answers in the order of the positions, `None` for those that were not begun, and the
/// exception that ended the search early, if there is one.
type Outcome = (Vec<Option<Answer>>, Option<Py<PyBaseException>>);

/// What the searching thread has found.
#[derive(Default)]
struct Found {
    answers: Vec<Option<Answer>>,
    done: usize,
    exact: usize,
    nodes: u64,
    /// Whether the searching thread has ended.
    ended: bool,
}

impl Found {
    fn add(&mut self, index: usize, solution: Solution, time: Duration) {
        if solution.stopped != Some(StopReason::Aborted) {
            self.done += 1;
        }
        self.exact += usize::from(solution.score().is_some() && solution.stopped.is_none());
        self.nodes = self.nodes.saturating_add(solution.nodes);
        self.answers[index] = Some(answer(solution, time));
    }
}

/// A share in what the searching thread has found.
#[derive(Clone, Default)]
struct Shared(Arc<(Mutex<Found>, Condvar)>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Found> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end, at most for a [`TICK`]. Returns whether the searching thread has ended.
    fn wait(&self) -> bool {
        let found = self.lock();
        let waited = self.0.1.wait_timeout_while(found, TICK, |found| !found.ended);
        waited.unwrap_or_else(PoisonError::into_inner).0.ended
    }

    fn end(&self) {
        self.lock().ended = true;
        self.0.1.notify_all();
    }
}

/// The settings of a solver.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Settings {
    threads: usize,
    table_bytes: u64,
}

/// A solver that is kept for the next call.
struct Kept {
    settings: Settings,
    /// The process that started its threads. A forked process does not have them.
    process: u32,
    solver: Solver,
}

static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

/// Takes the kept solver. `None` if there is none, or if another call changes it right now.
fn take_kept() -> Option<Kept> {
    let kept = KEPT.try_lock().ok()?.take()?;
    if kept.process == process::id() {
        return Some(kept);
    }
    // Dropping it would wait for threads that this process does not have.
    mem::forget(kept);
    None
}

fn solver(settings: Settings) -> Result<Solver, SolverError> {
    match take_kept() {
        Some(kept) if kept.settings == settings => Ok(kept.solver),
        // The memory of the other one is free before the new table is allocated.
        other => {
            drop(other);
            Solver::builder().threads(settings.threads).table_bytes(settings.table_bytes).build()
        }
    }
}

/// Frees the solver that is kept from an earlier call: its threads and its table.
#[pyfunction]
pub fn clear(py: Python<'_>) {
    py.detach(|| drop(take_kept()));
}

/// Solves positions. Returns the answers, and the exception that ended the search early.
#[pyfunction]
#[pyo3(signature = (positions, *, threads, table_bytes, window, all_moves, node_limit, time_limit,
                    progress))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn solve(
    py: Python<'_>,
    positions: Vec<Position>,
    threads: Option<usize>,
    table_bytes: u64,
    window: (i32, i32),
    all_moves: bool,
    node_limit: Option<u64>,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    let cancel = CancelToken::new();
    let options = Options {
        window: window_of(window)?,
        all_moves,
        limits: Limits { nodes: node_limit, time: time_limit.map(duration).transpose()? },
        cancel: Some(cancel.clone()),
    };
    let threads =
        threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, |count| count.get()));
    let settings = Settings { threads, table_bytes };
    let shared = Shared::default();
    shared.lock().answers = vec![None; positions.len()];
    let searching = {
        let shared = shared.clone();
        let search = move || {
            let searched =
                catch_unwind(AssertUnwindSafe(|| search(settings, &positions, &options, &shared)));
            shared.end();
            searched
        };
        thread::Builder::new().name("yose-search".to_owned()).spawn(search)?
    };

    let started = Instant::now();
    let mut stopped: Option<PyErr> = None;
    loop {
        let ended = py.detach(|| shared.wait());
        if stopped.is_none() {
            let report = || {
                py.check_signals()?;
                report(py, progress.as_ref(), &shared, started)
            };
            if let Err(error) = report() {
                cancel.cancel();
                stopped = Some(error);
            }
        }
        if ended {
            break;
        }
    }
    let searched = py.detach(|| searching.join());
    match searched.unwrap_or_else(Err) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(solver_error(error)),
        Err(panic) => return Err(panic_error(&*panic)),
    }
    let answers = mem::take(&mut shared.lock().answers);
    Ok((answers, stopped.map(|error| error.into_value(py))))
}

/// Calls the callable for progress: positions done, positions with an exact score, nodes, seconds.
fn report(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    shared: &Shared,
    started: Instant,
) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let (done, exact, nodes) = {
        let found = shared.lock();
        (found.done, found.exact, found.nodes)
    };
    progress.call1(py, (done, exact, nodes, started.elapsed().as_secs_f64())).map(drop)
}

/// The searching thread.
fn search(
    settings: Settings,
    positions: &[Position],
    options: &Options,
    shared: &Shared,
) -> Result<(), SolverError> {
    let mut solver = solver(settings)?;
    if let [position] = positions {
        let start = Instant::now();
        let solution = solver.solve_with(&position.0.position, options);
        shared.lock().add(0, solution, start.elapsed());
    } else {
        let list = positions.iter().map(|position| position.0.position);
        solver.solve_all_timed(list, options, |index, solution, time| {
            shared.lock().add(index, solution, time);
        });
    }
    let kept = Kept { settings, process: process::id(), solver };
    if let Ok(mut place) = KEPT.try_lock() {
        *place = Some(kept);
    }
    Ok(())
}

fn answer(solution: Solution, time: Duration) -> Answer {
    let Bounds { lower, upper } = solution.bounds;
    let text = |mv: &Move| mv.to_string();
    let with_bounds =
        |(mv, bounds): &(Move, Bounds)| (text(mv), bounds.lower.discs(), bounds.upper.discs());
    let stopped = solution.stopped.map(|reason| match reason {
        StopReason::Nodes => "node_limit",
        StopReason::Time => "time_limit",
        StopReason::Aborted => "interrupted",
    });
    (
        lower.discs(),
        upper.discs(),
        solution.best_move.as_ref().map(text),
        solution.pv.iter().map(text).collect(),
        solution.moves.iter().map(with_bounds).collect(),
        solution.nodes,
        time.as_secs_f64(),
        stopped,
    )
}

fn window_of((alpha, beta): (i32, i32)) -> PyResult<Window> {
    let score = |discs| {
        Score::try_new(discs).ok_or_else(|| {
            PyValueError::new_err(format!("window: {discs} is not between -64 and 64"))
        })
    };
    Window::new(score(alpha)?, score(beta)?)
        .ok_or_else(|| PyValueError::new_err(format!("window: {alpha} is not less than {beta}")))
}

fn duration(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        PyValueError::new_err(format!("time_limit: {seconds} is not a number of seconds"))
    })
}

fn solver_error(error: SolverError) -> PyErr {
    match error {
        SolverError::Table(error) => PyMemoryError::new_err(error.to_string()),
        error => PyRuntimeError::new_err(error.to_string()),
    }
}

pub fn panic_error(panic: &(dyn Any + Send)) -> PyErr {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    PyRuntimeError::new_err(format!("the search failed, which is a defect of Yose: {message}"))
}
