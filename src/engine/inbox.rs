//! The lines of the other side, in their order, and the search that they end.
//!
//! The thread that reads may be far ahead of the one that answers. A line that ends searches ends
//! all searches of the lines before it: the one under way, and those that have not begun.
//!
//! Lines end with LF, CR LF or the end of the input. Bytes that are not UTF-8 are replaced.
//! A line of any length, and any number of lines, take a bounded amount of memory.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};

use parking_lot::{Condvar, Mutex};

use crate::batch::StopCause;
use crate::solver::CancelToken;

/// The longest line in bytes. The longest game of Othello takes some thousand.
const LONGEST_LINE: usize = 1 << 16;

/// The number of lines that are read and not yet answered, above which the reader waits.
const MOST_LINES: usize = 256;

/// What the other side sent.
#[derive(Debug)]
pub(super) enum Event {
    /// A line, without its end.
    Line(String),
    /// The beginning of a line that is too long. The rest is skipped.
    TooLong(String),
    /// The end of the input.
    End,
    /// The input could not be read.
    Failed(io::Error),
    /// The dialogue was stopped from outside.
    Stopped(StopCause),
}

/// The queue between the two threads.
#[derive(Debug)]
pub(super) struct Inbox {
    /// Whether a line ends the searches of the lines before it.
    ends_search: fn(&str) -> bool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Debug)]
struct State {
    /// The events, and whether each ends searches.
    queue: VecDeque<(Event, bool)>,
    /// The number of events in the queue that end searches.
    enders: usize,
    stopped: Option<StopCause>,
    /// The token of the event that was taken last.
    current: CancelToken,
}

impl Inbox {
    pub(super) fn new(ends_search: fn(&str) -> bool) -> Inbox {
        Inbox { ends_search, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Reads the input to its end.
    pub(super) fn read(&self, input: impl Read) {
        let mut input = BufReader::new(input);
        loop {
            let event = read_event(&mut input);
            let is_last = matches!(event, Event::End | Event::Failed(_));
            self.push(event);
            if is_last {
                return;
            }
        }
    }

    fn push(&self, event: Event) {
        let ends = match &event {
            Event::Line(line) | Event::TooLong(line) => (self.ends_search)(line),
            _ => false,
        };
        let mut state = self.state.lock();
        while state.queue.len() >= MOST_LINES {
            self.changed.wait(&mut state);
        }
        state.queue.push_back((event, ends));
        if ends {
            state.enders += 1;
            state.current.cancel();
        }
        self.changed.notify_all();
    }

    /// Ends the dialogue: the search under way, and everything that waits.
    pub(super) fn stop(&self, cause: StopCause) {
        let mut state = self.state.lock();
        state.stopped = Some(cause);
        state.current.cancel();
        self.changed.notify_all();
    }

    /// Waits for the next event. The token is for its search; it is cancelled by a later line that
    /// ends searches, or by [`Inbox::stop`].
    pub(super) fn next(&self) -> (Event, CancelToken) {
        let mut state = self.state.lock();
        let event = loop {
            if let Some(cause) = state.stopped {
                break Event::Stopped(cause);
            }
            if let Some((event, ends)) = state.queue.pop_front() {
                state.enders -= usize::from(ends);
                break event;
            }
            self.changed.wait(&mut state);
        };
        state.current = CancelToken::new();
        if state.enders > 0 {
            state.current.cancel();
        }
        self.changed.notify_all();
        (event, state.current.clone())
    }
}

/// The next line, or the end of the input.
fn read_event(input: &mut impl BufRead) -> Event {
    let mut line = Vec::new();
    let limit = LONGEST_LINE as u64 + 1;
    if let Err(error) = input.by_ref().take(limit).read_until(b'\n', &mut line) {
        return Event::Failed(error);
    }
    if line.is_empty() {
        return Event::End;
    }
    let text = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() as u64 == limit {
        return match input.skip_until(b'\n') {
            Ok(_) => Event::TooLong(text(&line)),
            Err(error) => Event::Failed(error),
        };
    }
    while line.last() == Some(&b'\r') {
        line.pop();
    }
    Event::Line(text(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(input: &[u8]) -> Vec<String> {
        let inbox = Inbox::new(|_| false);
        inbox.read(input);
        let mut texts = Vec::new();
        loop {
            match inbox.next().0 {
                Event::Line(line) => texts.push(line),
                Event::TooLong(start) => texts.push(format!("{} bytes...", start.len())),
                Event::End => return texts,
                event => panic!("{event:?}"),
            }
        }
    }

    #[test]
    fn lines_end_in_any_way_and_have_any_length() {
        assert_eq!(events(b""), [""; 0]);
        assert_eq!(
            events(b"ping 1\nping 2\r\n\n\xff\0\nping 3"),
            ["ping 1", "ping 2", "", "\u{fffd}\0", "ping 3"]
        );
        let long = [b"x".repeat(LONGEST_LINE + 1), b"\nping 4\n".to_vec()].concat();
        assert_eq!(events(&long), [format!("{} bytes...", LONGEST_LINE + 1).as_str(), "ping 4"]);
        let longest = [b"x".repeat(LONGEST_LINE), b"\nping 5".to_vec()].concat();
        assert_eq!(events(&longest)[1], "ping 5");
    }

    #[test]
    fn a_line_ends_the_searches_before_it_and_no_later_one() {
        let inbox = Inbox::new(|line| line == "ping");
        for line in ["hint", "ping", "hint"] {
            inbox.push(Event::Line(line.to_owned()));
        }
        assert!(inbox.next().1.is_cancelled(), "a ping waits");
        assert!(!inbox.next().1.is_cancelled(), "the ping");
        let (_, hint) = inbox.next();
        assert!(!hint.is_cancelled(), "no ping after it");
        inbox.push(Event::Line("unknown".to_owned()));
        assert!(!hint.is_cancelled());
        inbox.push(Event::Line("ping".to_owned()));
        assert!(hint.is_cancelled());
    }

    #[test]
    fn a_stop_goes_before_everything_that_waits() {
        let inbox = Inbox::new(|_| false);
        inbox.push(Event::Line("hint".to_owned()));
        let (_, hint) = inbox.next();
        inbox.push(Event::Line("hint".to_owned()));
        inbox.stop(StopCause::Interrupt);
        assert!(hint.is_cancelled());
        assert!(matches!(inbox.next().0, Event::Stopped(StopCause::Interrupt)));
    }
}
