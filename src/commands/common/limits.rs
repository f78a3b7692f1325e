//! Limits of each position and of the whole run.

use std::time::{Duration, Instant, SystemTime};

use yose::Limits;

/// The limits of each position, and the deadline of the run.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Stop a position after N nodes, and report the bounds that are proven
    ///
    /// A search compares its nodes with the limit at intervals: it ends within some ten thousand
    /// nodes of it. The record has the status `limit`.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    node_limit: Option<u64>,

    /// Stop a position after a time such as 500ms, 10s, 2m or 1h30m, and report the proven bounds
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time_limit: Option<Duration>,

    /// End the whole run after a time, or at a moment such as 2026-01-31T18:00:00Z
    ///
    /// A time counts from the start of the program. A moment is in UTC, as RFC 3339 writes it.
    /// Positions that are not finished by then get the status `interrupted`, and the exit status
    /// is 75.
    #[arg(long, value_name = "WHEN", value_parser = Deadline::parse)]
    deadline: Option<Deadline>,
}

/// The end of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Deadline {
    /// After this time.
    After(Duration),
    /// At this moment.
    At(SystemTime),
}

impl Deadline {
    /// Reads a time or a moment.
    pub fn parse(text: &str) -> Result<Deadline, String> {
        const HINT: &str =
            "write a time such as 45m or 1h30m, or a moment such as 2026-01-31T18:00:00Z";
        if let Ok(moment) = humantime::parse_rfc3339(text) {
            return Ok(Deadline::At(moment));
        }
        humantime::parse_duration(text)
            .map(Deadline::After)
            .map_err(|error| format!("{error}; {HINT}"))
    }

    /// The deadline on the program's clock; `None` if it lies beyond the range of that clock.
    pub fn instant(self, now: Instant) -> Option<Instant> {
        let after = match self {
            Deadline::After(time) => time,
            // A moment in the past is now.
            Deadline::At(moment) => moment.duration_since(SystemTime::now()).unwrap_or_default(),
        };
        now.checked_add(after)
    }
}

impl LimitArgs {
    /// The limits of each position.
    pub fn limits(self) -> Limits {
        Limits { nodes: self.node_limit, time: self.time_limit }
    }

    /// The deadline of the run.
    pub fn deadline(self) -> Option<Instant> {
        self.deadline.and_then(|deadline| deadline.instant(Instant::now()))
    }
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
                    "; write a time such as 45m or 1h30m, \
                     or a moment such as 2026-01-31T18:00:00Z"
                ),
                "{error}"
            );
        }
    }
}
