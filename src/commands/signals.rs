//! Ctrl-C and SIGTERM.

use anyhow::{Context, Result};

use yose::batch::{StopCause, StopSignal};

/// Lets the first SIGINT (Ctrl-C) or SIGTERM set `stop`. A second one ends the program at once.
#[cfg(unix)]
pub fn stop_on_signals(stop: &StopSignal) -> Result<()> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    const FAILED: &str = "signals cannot be caught";
    for (signal, status) in [(SIGINT, 130), (SIGTERM, 75)] {
        // In this order: the first signal finds the flag unset, and sets it.
        let again = Arc::new(AtomicBool::new(false));
        flag::register_conditional_shutdown(signal, status, Arc::clone(&again)).context(FAILED)?;
        flag::register(signal, again).context(FAILED)?;
    }
    let mut signals = Signals::new([SIGINT, SIGTERM]).context(FAILED)?;
    let stop = stop.clone();
    let listen = move || {
        for signal in signals.forever() {
            stop.stop(if signal == SIGINT { StopCause::Interrupt } else { StopCause::Terminate });
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).context(FAILED)?;
    Ok(())
}

/// Does nothing: without Unix signals, Ctrl-C ends the program at once.
#[cfg(not(unix))]
pub fn stop_on_signals(_: &StopSignal) -> Result<()> {
    Ok(())
}
