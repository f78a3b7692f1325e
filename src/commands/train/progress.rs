//! The progress of a command, on standard error: a bar on a terminal, elsewhere a line at
//! intervals.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use yose::records::output::readable;

use super::report;

/// The time between two lines.
const PERIOD: Duration = Duration::from_secs(15);

/// Shows progress on standard error until it is dropped.
#[derive(Debug)]
pub struct Progress {
    /// The name of the items.
    what: &'static str,
    /// The number of all items.
    total: usize,
    bar: Option<ProgressBar>,
    /// The time of the next line.
    next: Instant,
}

impl Progress {
    /// Starts to show how many of `total` items are done. `what` is their name.
    pub fn start(what: &'static str, total: usize) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(
                "{bar:24} {human_pos} of {human_len} {msg}, {elapsed}, about {eta} left",
            );
            let bar = ProgressBar::new(total as u64).with_message(what);
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        Progress { what, total, bar, next: Instant::now() + PERIOD }
    }

    /// Sets the number of finished items, those finished before the start included.
    pub fn set(&mut self, done: usize) {
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
        } else if Instant::now() >= self.next {
            self.next += PERIOD;
            report(&format!(
                "yose: {} of {} {}",
                readable(done as u64),
                readable(self.total as u64),
                self.what
            ));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
