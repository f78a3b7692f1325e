//! Arguments about how the work is done: threads and limits.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result};

use yose::batch::{Cause, Stop};
use yose::search::Limits;

/// On how many threads.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ThreadArgs {
    /// Threads that solve
    ///
    /// Without it: as many as there are processors that this program may use. An affinity mask
    /// (`taskset`) and the limits of a control group (a container, a batch system) are honoured.
    #[arg(short, long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ThreadArgs {
    /// How many.
    pub fn count(self) -> NonZeroUsize {
        self.threads.unwrap_or_else(all_cores)
    }
}

/// As many threads as the machine lends to this program; one if that cannot be known.
pub fn all_cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// How far it may go.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Give a position up after N nodes, and tell what is proven by then
    ///
    /// A search looks at its limits now and then, so it ends within some ten thousand nodes of
    /// this. Such a record has the status `limit`.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    node_limit: Option<u64>,

    /// Give a position up after a time such as 500ms, 10s, 2m or 1h30m, and tell what is proven by
    /// then
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time_limit: Option<Duration>,

    /// End the whole run after a time, or at a moment such as 2026-01-31T18:00:00Z
    ///
    /// A time counts from the start of the program; a moment is of universal time, as RFC 3339
    /// writes it. What is being solved then, and what was not begun, gets the status `interrupted`,
    /// and the exit status is 75.
    #[arg(long, value_name = "WHEN", value_parser = Deadline::parse)]
    deadline: Option<Deadline>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Deadline {
    After(Duration),
    At(SystemTime),
}

impl Deadline {
    fn parse(text: &str) -> Result<Deadline, String> {
        if let Ok(moment) = humantime::parse_rfc3339(text) {
            return Ok(Deadline::At(moment));
        }
        humantime::parse_duration(text).map(Deadline::After).map_err(|error| {
            format!("{error}; write a time such as 45m or 1h30m, or a moment such as 2026-01-31T18:00:00Z")
        })
    }

    fn instant(self, now: Instant) -> Option<Instant> {
        let after = match self {
            Deadline::After(time) => time,
            // A moment that is past has come at once.
            Deadline::At(moment) => moment.duration_since(SystemTime::now()).unwrap_or_default(),
        };
        // What lies beyond the clock's range never comes.
        now.checked_add(after)
    }
}

impl LimitArgs {
    /// The limits of each position.
    pub fn limits(self) -> Limits {
        Limits { nodes: self.node_limit, time: self.time_limit }
    }

    /// When the run is to end.
    pub fn deadline(self) -> Option<Instant> {
        self.deadline.and_then(|deadline| deadline.instant(Instant::now()))
    }
}

/// Lets Ctrl-C and SIGTERM end a run in good order. A second one ends the program at once.
///
/// Where there are no signals of this kind they end the program at once in any case.
#[cfg(unix)]
pub fn stop_on_signals(stop: &Stop) -> Result<()> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    const FAILED: &str = "signals cannot be caught";
    for (signal, status) in [(SIGINT, 130), (SIGTERM, 75)] {
        // In this order: the first signal finds the flag down, and raises it.
        let again = Arc::new(AtomicBool::new(false));
        flag::register_conditional_shutdown(signal, status, Arc::clone(&again)).context(FAILED)?;
        flag::register(signal, again).context(FAILED)?;
    }
    let mut signals = Signals::new([SIGINT, SIGTERM]).context(FAILED)?;
    let stop = stop.clone();
    let listen = move || {
        for signal in signals.forever() {
            stop.call(if signal == SIGINT { Cause::Interrupt } else { Cause::Terminate });
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).context(FAILED)?;
    Ok(())
}

/// Lets Ctrl-C and SIGTERM end a run in good order. A second one ends the program at once.
///
/// Where there are no signals of this kind they end the program at once in any case.
#[cfg(not(unix))]
pub fn stop_on_signals(_: &Stop) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_a_time_or_a_moment() {
        assert_eq!(Deadline::parse("1h30m"), Ok(Deadline::After(Duration::from_secs(5400))));
        let now = Instant::now();
        assert_eq!(
            Deadline::parse("10s").map(|after| after.instant(now)),
            Ok(Some(now + Duration::from_secs(10)))
        );
        let past = Deadline::parse("2001-01-01T00:00:00Z").expect("a moment");
        assert_eq!(
            (past, past.instant(now)),
            (Deadline::At(SystemTime::UNIX_EPOCH + Duration::from_secs(978_307_200)), Some(now))
        );
        assert!(
            Deadline::parse("2999-01-01T00:00:00Z")
                .is_ok_and(|future| future.instant(now) > Some(now))
        );
        for text in ["", "10", "tomorrow", "2026-13-01T00:00:00Z"] {
            let error = Deadline::parse(text).expect_err(text);
            assert!(
                error.ends_with(
                    "; write a time such as 45m or 1h30m, or a moment such as 2026-01-31T18:00:00Z"
                ),
                "{error}"
            );
        }
    }
}
