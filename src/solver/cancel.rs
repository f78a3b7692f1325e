//! Ending a call of a solver from another thread.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::search::ThreadPool;

/// Ends calls of a [`Solver`](super::Solver) from another thread. Clones are the same token.
///
/// A cancelled token stays cancelled: calls that get it later end at once.
///
/// ```
/// use yose::{CancelToken, Options, Position, Solver, StopReason};
///
/// let token = CancelToken::new();
/// let options = Options { cancel: Some(token.clone()), ..Options::default() };
/// let other = std::thread::spawn(move || token.cancel());
/// let mut solver = Solver::builder().threads(2).table_bytes(16 << 20).build()?;
/// // No search of the whole game ends by itself.
/// let solution = solver.solve_with(&Position::START, &options);
/// assert_eq!(solution.stopped, Some(StopReason::Aborted));
/// # other.join().unwrap();
/// # Ok::<(), yose::SolverError>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct CancelToken(Arc<Mutex<State>>);

#[derive(Default, Debug)]
struct State {
    cancelled: bool,
    /// The pools of the calls that run with this token.
    running: Vec<Arc<ThreadPool>>,
}

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Ends all calls that run with this token, within a fraction of a millisecond, and all later
    /// ones.
    pub fn cancel(&self) {
        let mut state = self.0.lock();
        state.cancelled = true;
        state.running.iter().for_each(|pool| pool.abort());
    }

    /// Whether [`CancelToken::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.lock().cancelled
    }

    /// Lets the token stop searches of `pool` until the result is dropped.
    pub(super) fn attach(&self, pool: &Arc<ThreadPool>) -> Attached {
        let mut state = self.0.lock();
        if state.cancelled {
            pool.abort();
        }
        state.running.push(Arc::clone(pool));
        Attached { token: self.clone(), pool: Arc::clone(pool) }
    }
}

/// A running call.
#[derive(Debug)]
pub(super) struct Attached {
    token: CancelToken,
    pool: Arc<ThreadPool>,
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.token.0.lock().running.retain(|pool| !Arc::ptr_eq(pool, &self.pool));
    }
}
