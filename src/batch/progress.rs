//! How far the work is: a bar for people who watch, a line now and then for those who read it
//! later.
//!
//! A thread of its own speaks, so that it is heard during one long position too; the threads that
//! solve only note when they begin something and end it, and the thread that writes what is safely
//! written. The time left is told from predicted cost (see [`cost`](super::cost)): the cost that is
//! left, at the pace at which a thread has done cost so far, shared among the threads.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::{Condvar, Mutex, MutexGuard};

use super::{Pool, Workload};
use crate::records::output::readable;

/// In what way progress is shown. All of them write to standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// A bar, which is drawn again and again: for a terminal.
    Bar,
    /// A line every ten seconds: for a log.
    Plain,
    /// Nothing.
    None,
}

impl Style {
    const fn period(self) -> Duration {
        match self {
            Style::Bar => Duration::from_millis(200),
            Style::Plain | Style::None => Duration::from_secs(10),
        }
    }
}

/// The length of a bar, which shows a share and has no unit.
const BAR: u64 = 1000;

/// Shows progress from its making until it is dropped.
#[derive(Debug)]
pub struct Progress {
    shared: Arc<Shared>,
    ticker: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    /// The bar, under [`Style::Bar`]. It is hidden until the first tick, so that it does not
    /// flicker over short work.
    bar: Option<ProgressBar>,
    /// Whether records appear where the bar does.
    beside_records: bool,
    state: Mutex<State>,
    /// Wakes the ticker when it is to stop.
    wake: Condvar,
}

#[derive(Debug)]
struct State {
    /// What there is to do, if that is known.
    total: Option<Workload>,
    done: Workload,
    nodes: u64,
    /// Time spent on what is done, by all threads together.
    busy: Duration,
    /// For each thread: the predicted cost of what it works on, and when that was begun.
    current: Vec<Option<(f64, Instant)>>,
    /// Whether threads without work help the others.
    helping: bool,
    start: Instant,
    /// Whether anything was said.
    spoken: bool,
    stop: bool,
}

impl Progress {
    /// Begins to show the progress of a pool's work. `total` is what there is to do, if that is
    /// known; `beside_records` tells that the records go to the terminal too, so that a bar must
    /// make way for each of them.
    pub fn start(
        style: Style,
        total: Option<Workload>,
        beside_records: bool,
        pool: &Pool,
    ) -> Progress {
        let state = State::new(total, pool.threads(), !pool.is_deterministic());
        Progress::start_every(style.period(), style, state, beside_records)
    }

    fn start_every(period: Duration, style: Style, state: State, beside_records: bool) -> Progress {
        let total = state.total;
        let bar = (style == Style::Bar).then(|| {
            // Without a total there is nothing to fill.
            let bar =
                ProgressBar::with_draw_target(total.map(|_| BAR), ProgressDrawTarget::hidden());
            let template =
                if total.is_some() { "{bar:24} {wide_msg}" } else { "{spinner} {wide_msg}" };
            bar.with_style(
                ProgressStyle::with_template(template)
                    .unwrap_or_else(|_| ProgressStyle::default_bar()),
            )
        });
        let shared = Arc::new(Shared {
            bar,
            beside_records,
            state: Mutex::new(state),
            wake: Condvar::new(),
        });
        let ticker = (style != Style::None).then(|| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new()
                .name("progress".to_owned())
                .spawn(move || shared.tick(period))
        });
        // Without a thread there is no progress to be seen; the work goes on.
        let ticker = ticker.and_then(Result::ok);
        Progress { shared, ticker }
    }

    /// Notes that the thread of this number has begun something, with its predicted cost.
    pub fn begin(&self, thread: usize, cost: f64) {
        self.shared.state.lock().current[thread] = Some((cost, Instant::now()));
    }

    /// Notes that it has ended it.
    pub fn end(&self, thread: usize) {
        let mut state = self.shared.state.lock();
        if let Some((_, begun)) = state.current[thread].take() {
            state.busy += begun.elapsed();
        }
    }

    /// Notes that so many positions are done, with their predicted cost and their nodes.
    pub fn done(&self, positions: u64, cost: f64, nodes: u64) {
        let mut state = self.shared.state.lock();
        state.done.positions += positions;
        state.done.cost += cost;
        state.nodes += nodes;
    }

    /// Notes that a position of this predicted cost was done before: it tells nothing of the pace.
    pub fn kept(&self, cost: f64) {
        let mut state = self.shared.state.lock();
        state.done.positions += 1;
        if let Some(total) = &mut state.total {
            total.cost -= cost;
        }
    }

    /// Writes a record by calling `write`, with the bar out of its way.
    pub fn make_way<R>(&self, write: impl FnOnce() -> R) -> R {
        match &self.shared.bar {
            Some(bar) if self.shared.beside_records => bar.suspend(write),
            _ => write(),
        }
    }

    /// Writes a message to standard error.
    pub fn say(&self, message: &dyn Display) {
        match &self.shared.bar {
            Some(bar) => bar.suspend(|| say(message)),
            None => say(message),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.state.lock().stop = true;
        self.shared.wake.notify_all();
        if let Some(ticker) = self.ticker.take() {
            // A ticker that panicked has said so, and nothing of the work depends on it.
            let _ = ticker.join();
        }
        match &self.shared.bar {
            Some(bar) => bar.finish_and_clear(),
            // What was begun in a log is also ended there.
            None => {
                let state = self.shared.state.lock();
                if state.spoken {
                    say(&format_args!("yose: {}", state.line(state.start.elapsed())));
                }
            }
        }
    }
}

/// Writes a line to standard error. That nobody reads it any more is no reason to stop working.
fn say(message: &dyn Display) {
    let _ = writeln!(io::stderr().lock(), "{message}");
}

impl Shared {
    fn tick(&self, period: Duration) {
        let mut state = self.state.lock();
        let mut next = Instant::now() + period;
        while !state.stop {
            if !self.wake.wait_until(&mut state, next).timed_out() {
                continue;
            }
            next += period;
            let first = !std::mem::replace(&mut state.spoken, true);
            let elapsed = state.start.elapsed();
            let (line, share) = (state.line(elapsed), state.share(elapsed));
            // The solving thread must not wait for a terminal or a pipe that takes its time.
            MutexGuard::unlocked(&mut state, || self.show(first, line, share));
        }
    }

    fn show(&self, first: bool, line: String, share: Option<f64>) {
        let Some(bar) = &self.bar else {
            return say(&format_args!("yose: {line}"));
        };
        if first {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_message(line);
        match share {
            Some(share) => bar.set_position((share * BAR as f64) as u64),
            None => bar.tick(),
        }
    }
}

impl State {
    fn new(total: Option<Workload>, threads: usize, helping: bool) -> State {
        State {
            total,
            done: Workload::default(),
            nodes: 0,
            busy: Duration::ZERO,
            current: vec![None; threads],
            helping,
            start: Instant::now(),
            spoken: false,
            stop: false,
        }
    }

    /// How far the work is, in words, `elapsed` after the start.
    fn line(&self, elapsed: Duration) -> String {
        let mut line = match self.total {
            Some(total) => format!(
                "{} of {} positions",
                readable(self.done.positions),
                readable(total.positions)
            ),
            None if self.done.positions == 1 => "1 position".to_owned(),
            None => format!("{} positions", readable(self.done.positions)),
        };
        // They are those of finished positions: during a long first one there is nothing to tell.
        if self.nodes >= 1_000_000 {
            line += &format!(", {} M nodes", readable(self.nodes / 1_000_000));
        }
        line += &format!(", {}", clock(elapsed));
        if let Some(left) = self.left(elapsed) {
            line += &format!(", about {} left", clock(left));
        }
        line
    }

    /// The time that the rest will take: none if nothing is known of the whole or of the pace, or
    /// if nothing is left.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        let total = self.total?;
        if self.done.cost <= 0.0 || self.done.positions >= total.positions {
            return None;
        }
        let pace = self.busy.as_secs_f64() / self.done.cost;
        let (mut running, mut rest, mut longest) = (0.0, 0.0, 0.0f64);
        for &(cost, begun) in self.current.iter().flatten() {
            let spent =
                elapsed.saturating_sub(begun.saturating_duration_since(self.start)).as_secs_f64();
            let left = (cost * pace - spent).max(0.0);
            (running, rest, longest) = (running + cost, rest + left, longest.max(left));
        }
        let waiting = (total.cost - self.done.cost - running).max(0.0) * pace;
        let left = (waiting + rest) / self.current.len() as f64;
        Duration::try_from_secs_f64(if self.helping { left } else { left.max(longest) }).ok()
    }

    /// The share of the work that is done, 0 to 1: none if nothing is known of the whole.
    fn share(&self, elapsed: Duration) -> Option<f64> {
        self.total?;
        // By time, so that the bar moves during a long position as well.
        let left = self.left(elapsed)?.as_secs_f64();
        Some(elapsed.as_secs_f64() / (elapsed.as_secs_f64() + left).max(f64::MIN_POSITIVE))
    }
}

/// A length of time as `m:ss`, `h:mm:ss`, or with days before it.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{:02}", seconds % 60),
        (0, _) => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
        (1, _) => format!("1 day {hours}:{minutes:02}:{:02}", seconds % 60),
        _ => format!("{days} days {hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(total: Option<Workload>) -> State {
        State {
            done: Workload { positions: 3, cost: 10.0 },
            nodes: 12_345_678,
            busy: Duration::from_secs(20),
            ..State::new(total, 1, true)
        }
    }

    #[test]
    fn the_time_left_is_told_from_cost() {
        // 3 of 4 positions are done, but only a tenth of the work: 2 s for each unit of cost, 90
        // units left.
        let mut state = state(Some(Workload { positions: 4, cost: 100.0 }));
        let elapsed = Duration::from_secs(20);
        assert_eq!(state.line(elapsed), "3 of 4 positions, 12 M nodes, 0:20, about 3:00 left");
        assert_eq!(state.share(elapsed), Some(0.1));
        // 50 s into the position that is left, 130 s of it remain; when it takes longer than
        // predicted, none do.
        state.current[0] = Some((90.0, state.start + elapsed));
        assert_eq!(state.left(Duration::from_secs(70)), Some(Duration::from_secs(130)));
        assert_eq!(state.left(Duration::from_secs(700)), Some(Duration::ZERO));
    }

    #[test]
    fn threads_share_what_is_left() {
        // 20 s of one thread for a tenth of the work. Both threads have worked on 20 units each for
        // 10 s; 50 wait.
        let mut state = state(Some(Workload { positions: 8, cost: 100.0 }));
        let begun = state.start + Duration::from_secs(10);
        state.current = vec![Some((20.0, begun)), Some((20.0, begun))];
        let elapsed = Duration::from_secs(20);
        assert_eq!(state.left(elapsed), Some(Duration::from_secs((30 + 30 + 100) / 2)));
        // One position is left. Who is without work helps with it, or not.
        state.current = vec![Some((90.0, begun)), None];
        assert_eq!(state.left(elapsed), Some(Duration::from_secs(170 / 2)));
        state.helping = false;
        assert_eq!(state.left(elapsed), Some(Duration::from_secs(170)));
    }

    #[test]
    fn without_a_total_there_is_no_time_left() {
        let mut state = state(None);
        assert_eq!(state.line(Duration::from_secs(61)), "3 positions, 12 M nodes, 1:01");
        state.nodes = 999_999;
        assert_eq!(state.line(Duration::from_secs(61)), "3 positions, 1:01");
        state.total = Some(Workload { positions: 4, cost: 100.0 });
        state.done = Workload::default();
        assert_eq!(state.left(Duration::from_secs(1)), None, "nothing is known of the pace");
        state.done = Workload { positions: 4, cost: 99.9 };
        assert_eq!(
            state.left(Duration::from_secs(1)),
            None,
            "nothing is left, whatever the sums say"
        );
    }

    #[test]
    fn times_are_readable() {
        let text = |seconds| clock(Duration::from_secs(seconds));
        assert_eq!(
            [text(5), text(3600), text(90_061), text(200_000)],
            ["0:05", "1:00:00", "1 day 1:01:01", "2 days 7:33:20"]
        );
    }

    #[test]
    fn it_speaks_during_a_long_position_and_stops_at_once() {
        let start = Instant::now();
        let progress = Progress::start_every(
            Duration::from_millis(5),
            Style::Plain,
            State::new(None, 1, true),
            false,
        );
        progress.begin(0, 1.0);
        while !progress.shared.state.lock().spoken {
            assert!(start.elapsed() < Duration::from_secs(60), "it never speaks");
            std::thread::yield_now();
        }
        drop(progress);
        let start = Instant::now();
        drop(Progress::start_every(
            Style::Plain.period(),
            Style::Plain,
            State::new(None, 1, true),
            false,
        ));
        assert!(start.elapsed() < Duration::from_secs(5), "it waits for its next line");
    }
}
