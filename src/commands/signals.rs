//! SIGINT (Ctrl-C), SIGTERM and SIGHUP (a closed terminal) end a run in order.

use anyhow::{Context, Result};

use yose::batch::StopSignal;

/// Lets the first SIGINT, SIGTERM or SIGHUP set `stop`. Another one ends the program at once, but
/// only [`GRACE`] later: `timeout` sends its signal to the program and to its process group, so
/// the program gets it twice.
///
/// A signal that is ignored when the program starts stays ignored, as `nohup` demands. On systems
/// without `/proc`, SIGHUP is not caught.
#[cfg(unix)]
pub fn stop_on_signals(stop: &StopSignal) -> Result<()> {
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level;
    use yose::batch::StopCause;

    use super::exit::Exit;

    /// The time after the first signal in which others are ignored.
    const GRACE: Duration = Duration::from_secs(1);
    const FAILED: &str = "signals cannot be caught";

    let caught = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = Signals::new(caught).context(FAILED)?;
    let stop = stop.clone();
    let listen = move || {
        let mut first: Option<Instant> = None;
        for signal in signals.forever() {
            let (cause, status) = match signal {
                SIGINT => (StopCause::Interrupt, Exit::Interrupted),
                _ => (StopCause::Terminate, Exit::Terminated),
            };
            match first {
                None => {
                    first = Some(Instant::now());
                    stop.stop(cause);
                }
                Some(first) if first.elapsed() < GRACE => {}
                Some(_) => low_level::exit(status.status().into()),
            }
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

/// Does nothing: without Unix signals, Ctrl-C ends the program at once.
#[cfg(not(unix))]
pub fn stop_on_signals(_: &StopSignal) -> Result<()> {
    Ok(())
}
