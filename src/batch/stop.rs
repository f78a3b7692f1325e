//! The signal that ends a run before its work is done.
//!
//! A user interrupt, a termination request or a deadline sets the run's [`StopSignal`]. Then the
//! searches that are under way end within a fraction of a millisecond and return the bounds that
//! are proven. Every position that has been read still gets its record.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::{Condvar, Mutex};

/// Why a run ended before its work was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopCause {
    /// The user interrupted it, by Ctrl-C.
    Interrupt,
    /// The system terminated it, by SIGTERM or SIGHUP.
    Terminate,
    /// The deadline of the run was reached.
    Deadline,
}

/// Ends a run early. Clones are the same signal.
#[derive(Clone, Default, Debug)]
pub struct StopSignal(Arc<Shared>);

#[derive(Default, Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Debug)]
struct State {
    cause: Option<StopCause>,
    /// Whether the run is finished, so that there is nothing left to stop.
    finished: bool,
}

impl StopSignal {
    /// Stops the run. Only the first cause is kept.
    pub fn stop(&self, cause: StopCause) {
        let mut state = self.0.state.lock();
        state.cause.get_or_insert(cause);
        self.0.changed.notify_all();
    }

    /// The cause, if the run was stopped.
    pub fn cause(&self) -> Option<StopCause> {
        self.0.state.lock().cause
    }

    /// Waits until the run is stopped, and returns the cause. At `deadline`, if there is one, this
    /// stops the run itself. Returns `None` as soon as the run is finished.
    pub(crate) fn wait(&self, deadline: Option<Instant>) -> Option<StopCause> {
        let mut state = self.0.state.lock();
        while !state.finished && state.cause.is_none() {
            match deadline {
                None => self.0.changed.wait(&mut state),
                Some(deadline) => {
                    if self.0.changed.wait_until(&mut state, deadline).timed_out()
                        && !state.finished
                    {
                        state.cause.get_or_insert(StopCause::Deadline);
                    }
                }
            }
        }
        state.cause.filter(|_| !state.finished)
    }

    /// Ends the waiting when the result is dropped: the run is finished then.
    pub(crate) fn finish_on_drop(&self) -> impl Drop + '_ {
        Finish(self)
    }
}

struct Finish<'a>(&'a StopSignal);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.0.state.lock().finished = true;
        self.0.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_run_is_stopped_by_a_call_or_by_its_deadline_or_not_at_all() {
        let signal = StopSignal::default();
        signal.stop(StopCause::Terminate);
        signal.stop(StopCause::Interrupt);
        assert_eq!(signal.wait(None), Some(StopCause::Terminate));

        let signal = StopSignal::default();
        assert_eq!(
            signal.wait(Some(Instant::now() + Duration::from_millis(5))),
            Some(StopCause::Deadline)
        );
        assert_eq!(signal.cause(), Some(StopCause::Deadline));

        let signal = StopSignal::default();
        let waiting = std::thread::spawn({
            let signal = signal.clone();
            move || signal.wait(None)
        });
        drop(signal.finish_on_drop());
        assert_eq!(waiting.join().expect("it does not panic"), None);
    }
}
