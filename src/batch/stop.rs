//! When a whole run ends before its work is done.
//!
//! Whoever wants it to end (a signal, a deadline) says so to the run's [`Stop`]. The searches that
//! are under way end within a fraction of a millisecond and tell what they have proven; every
//! position that has been read still gets its record.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::{Condvar, Mutex};

/// Why a run ended before its work was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The user said so: Ctrl-C.
    Interrupt,
    /// The system said so: SIGTERM.
    Terminate,
    /// The run's deadline has come.
    Deadline,
}

/// By which a run is told to end. Clones tell the same run.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<Shared>);

#[derive(Default, Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Debug)]
struct State {
    cause: Option<Cause>,
    /// Whether there is nothing to end any more.
    over: bool,
}

impl Stop {
    /// Tells the run to end. The first cause is kept.
    pub fn call(&self, cause: Cause) {
        let mut state = self.0.state.lock();
        state.cause.get_or_insert(cause);
        self.0.changed.notify_all();
    }

    /// Why the run was told to end, if it was.
    pub fn cause(&self) -> Option<Cause> {
        self.0.state.lock().cause
    }

    /// Sleeps until the run is told to end, and gives the cause: at `deadline`, if there is one,
    /// the deadline itself. None if the run is over before that.
    pub(crate) fn wait(&self, deadline: Option<Instant>) -> Option<Cause> {
        let mut state = self.0.state.lock();
        while !state.over && state.cause.is_none() {
            match deadline {
                None => self.0.changed.wait(&mut state),
                Some(deadline) => {
                    if self.0.changed.wait_until(&mut state, deadline).timed_out() && !state.over {
                        state.cause.get_or_insert(Cause::Deadline);
                    }
                }
            }
        }
        state.cause.filter(|_| !state.over)
    }

    /// Ends the waiting: the run is over.
    pub(crate) fn over(&self) {
        self.0.state.lock().over = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn it_is_called_by_hand_by_the_clock_or_not_at_all() {
        let stop = Stop::default();
        stop.call(Cause::Terminate);
        stop.call(Cause::Interrupt);
        assert_eq!(stop.wait(None), Some(Cause::Terminate));

        let stop = Stop::default();
        assert_eq!(
            stop.wait(Some(Instant::now() + Duration::from_millis(5))),
            Some(Cause::Deadline)
        );
        assert_eq!(stop.cause(), Some(Cause::Deadline));

        let stop = Stop::default();
        let waiting = std::thread::spawn({
            let stop = stop.clone();
            move || stop.wait(None)
        });
        stop.over();
        assert_eq!(waiting.join().expect("it does not panic"), None);
    }
}
