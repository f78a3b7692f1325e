//! SIGINT (Ctrl-C), SIGTERM and SIGHUP (a closed terminal) end a run in order; on Windows Ctrl-C
//! and Ctrl-Break do so.

use std::time::{Duration, Instant};

#[cfg(any(unix, windows))]
use anyhow::Context;
use anyhow::Result;

use yose::batch::{StopCause, StopSignal};

use super::exit::Exit;

/// The time after the first signal in which others are ignored.
const GRACE: Duration = Duration::from_secs(1);

#[cfg(any(unix, windows))]
const FAILED: &str = "signals cannot be caught";

/// The answer to signals: the first one sets `stop`, a later one calls `end`.
fn answer<F: Fn(Exit)>(stop: &StopSignal, end: F) -> impl FnMut(StopCause) + use<F> {
    let stop = stop.clone();
    let mut first: Option<Instant> = None;
    move |cause| match first {
        None => {
            first = Some(Instant::now());
            stop.stop(cause);
        }
        Some(first) if first.elapsed() < GRACE => {}
        Some(_) => end(match cause {
            StopCause::Interrupt => Exit::Interrupted,
            StopCause::Terminate | StopCause::Deadline => Exit::Terminated,
        }),
    }
}

/// Lets the first SIGINT, SIGTERM or SIGHUP set `stop`. Another one ends the program at once, but
/// only [`GRACE`] later: `timeout` sends its signal to the program and to its process group, so
/// the program gets it twice.
///
/// A signal that is ignored when the program starts stays ignored, as `nohup` demands. On systems
/// without `/proc`, SIGHUP is not caught.
#[cfg(unix)]
pub fn stop_on_signals(stop: &StopSignal) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level;

    let caught = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = Signals::new(caught).context(FAILED)?;
    let mut answer = answer(stop, |exit| low_level::exit(exit.status().into()));
    let listen = move || {
        for signal in signals.forever() {
            answer(match signal {
                SIGINT => StopCause::Interrupt,
                _ => StopCause::Terminate,
            });
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).context(FAILED)?;
    Ok(())
}

/// Whether the process ignores `signal`. On Linux, `/proc` has the signal mask. Elsewhere
/// only SIGHUP, which `nohup` sets to be ignored, counts as ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    use signal_hook::consts::SIGHUP;

    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    match mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()) {
        Some(mask) => mask >> (signal - 1) & 1 != 0,
        None => signal == SIGHUP,
    }
}

/// Lets the first Ctrl-C or Ctrl-Break set `stop`. Another one, more than [`GRACE`] later, ends the
/// program at once.
#[cfg(windows)]
pub fn stop_on_signals(stop: &StopSignal) -> Result<()> {
    let mut answer = answer(stop, |exit| std::process::exit(exit.status().into()));
    ctrlc::set_handler(move || answer(StopCause::Interrupt)).context(FAILED)
}

/// Does nothing: on other systems Ctrl-C ends the program at once.
#[cfg(not(any(unix, windows)))]
pub fn stop_on_signals(_: &StopSignal) -> Result<()> {
    Ok(())
}
