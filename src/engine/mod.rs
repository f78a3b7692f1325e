//! A dialogue with a graphical interface or a script: a position comes in, its moves and their
//! scores go out.
//!
//! | module | content |
//! |---|---|
//! | `inbox` | the lines of the other side, and how one of them ends a search |
//! | `game` | the position of the dialogue, and the moves that led to it |
//! | `session` | hints and moves for a position, exact or guessed, on a [`Solver`] |
//! | `nboard` | the NBoard protocol, version 2 |
//! | `gtp` | the Go Text Protocol, version 2, for Othello |
//!
//! A thread reads the input. It puts each line into the `inbox`, and cancels the search under
//! way if the protocol demands that the line ends it. The calling thread takes the lines in their
//! order and answers each. So an answer to one command never follows the answer to the next.
//!
//! What must hold: a score that is reported as exact is proven. Every other value is marked as a
//! guess, as far as the protocol has a mark. Nothing is answered about a position that is not
//! certain, as after a game that could not be read.

mod game;
mod gtp;
mod inbox;
mod nboard;
mod session;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use thiserror::Error;

use crate::batch::{StopCause, StopSignal};
use crate::solver::{CancelToken, Solver};

use inbox::{Event, Inbox};
use session::Session;

/// The protocol of a dialogue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The NBoard protocol, version 2.
    NBoard,
    /// The Go Text Protocol, version 2.
    Gtp,
}

/// The limits of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Positions with at most this many empties are solved; others get guesses.
    pub exact_empties: u32,
    /// The longest time for one move.
    pub move_time: Duration,
}

/// The error that ends a dialogue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The input cannot be read.
    #[error("the input cannot be read: {0}")]
    Input(io::Error),
    /// The output cannot be written; often the other side has ended.
    #[error("the output cannot be written")]
    Output(#[from] io::Error),
    /// The system starts no more threads.
    #[error("a thread cannot be started: {0}")]
    Threads(io::Error),
}

/// Answers the commands of `input` on `output`, until a command or the end of the input ends the
/// dialogue, or `stop` does. At the end of the input, all commands before it are still answered.
///
/// Returns the cause if `stop` has ended the dialogue.
///
/// # Errors
/// If the input cannot be read, the output cannot be written, or no thread can be started.
pub fn run(
    protocol: Protocol,
    solver: Solver,
    settings: Settings,
    input: impl Read + Send + 'static,
    output: impl Write + Send,
    stop: &StopSignal,
) -> Result<Option<StopCause>, EngineError> {
    let inbox = Arc::new(Inbox::new(match protocol {
        Protocol::NBoard => nboard::ends_search,
        Protocol::Gtp => |_| false,
    }));
    let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
        let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
        thread.map_err(EngineError::Threads)
    };
    // Neither thread is waited for: a read of the input may never end.
    let reader = Arc::clone(&inbox);
    spawn("input", Box::new(move || reader.read(input)))?;
    let (stopper, signal) = (Arc::clone(&inbox), stop.clone());
    let _finish = stop.finish_on_drop();
    spawn(
        "stop",
        Box::new(move || {
            if let Some(cause) = signal.wait(None) {
                stopper.stop(cause);
            }
        }),
    )?;

    let output = Output(Mutex::new(output));
    let session = Session::new(solver, settings);
    let mut engine: Box<dyn Answer + '_> = match protocol {
        Protocol::NBoard => Box::new(nboard::Engine::new(session, &output)),
        Protocol::Gtp => Box::new(gtp::Engine::new(session, &output)),
    };
    loop {
        let (event, cancel) = inbox.next();
        let next = match event {
            Event::Line(line) => engine.line(&line, &cancel)?,
            Event::TooLong(start) => engine.too_long(&start)?,
            Event::End => return Ok(None),
            Event::Failed(error) => return Err(EngineError::Input(error)),
            Event::Stopped(cause) => return Ok(Some(cause)),
        };
        if next == Next::End {
            return Ok(None);
        }
    }
}

/// The engine's side of a dialogue, in one protocol.
trait Answer {
    /// Answers a line. `cancel` ends its search.
    fn line(&mut self, line: &str, cancel: &CancelToken) -> io::Result<Next>;

    /// Answers a line that is too long, of which this is the beginning.
    fn too_long(&mut self, start: &str) -> io::Result<Next>;
}

/// What follows a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// The next command.
    Command,
    /// The end of the dialogue.
    End,
}

/// The output. Each text is flushed, as the other side waits for it.
struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    fn write(&self, text: &str) -> io::Result<()> {
        let mut output = self.0.lock();
        output.write_all(text.as_bytes())?;
        output.flush()
    }

    fn line(&self, text: &str) -> io::Result<()> {
        self.write(&format!("{text}\n"))
    }
}
