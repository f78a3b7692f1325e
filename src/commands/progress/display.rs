//! The display of progress on standard error: a bar on a terminal, or a line every ten seconds in a
//! log.
//!
//! A thread of its own draws, so that the display also moves during a long position. The threads of
//! the run only update a few counters. The remaining time comes from predicted costs
//! and from what the run has shown so far ([`yose::batch::remaining`]):
//!
//! ```text
//! remaining time = remaining nodes / speed of all threads so far
//! ```

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::{Condvar, Mutex, MutexGuard};

use yose::batch::cost::Range;
use yose::batch::remaining::{Remaining, Running};
use yose::batch::{Cost, Finished, NodeMeter, Progress, Searchers, Workload};
use yose::records::output::readable;
use yose::search::WindowResult;

use crate::commands::messages::Messages;

use super::text::{clock, fitting};
use super::window_result::result_line;

/// How progress is displayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// A bar, for a terminal.
    Bar,
    /// A line every ten seconds: for a log.
    Plain,
    /// Only messages.
    Silent,
}

impl Style {
    const fn period(self) -> Duration {
        match self {
            Style::Bar => Duration::from_millis(200),
            Style::Plain | Style::Silent => Duration::from_secs(10),
        }
    }
}

/// The length of the bar. It shows a share, which has no unit.
const BAR: u64 = 1000;

/// The width of the bar in columns, as in its template.
const BAR_WIDTH: usize = 24;

/// The time after which a position takes long.
const LONG: Duration = Duration::from_secs(10);

/// How often the results of null windows are looked for.
const RESULT_PERIOD: Duration = Duration::from_millis(200);

/// The ratio of the ends of the range of the remaining time above which the range is displayed.
const WIDE: f64 = 2.0;

/// Displays progress from its start until it is dropped.
#[derive(Debug)]
pub struct Display {
    shared: Arc<Shared>,
    messages: Arc<Messages>,
    ticker: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    /// The bar of [`Style::Bar`]. It is hidden until the first tick, so that short work shows none.
    bar: Option<ProgressBar>,
    /// Whether records go to the same terminal as the bar.
    beside_records: bool,
    state: Mutex<State>,
    /// Ends the waiting of the ticker.
    wake: Condvar,
}

#[derive(Debug)]
struct State {
    /// The whole work, if it is known.
    total: Option<Workload>,
    /// The number of positions with a result, those of an earlier run included.
    done: u64,
    /// The positions that this run has solved.
    finished: Finished,
    /// For each thread: the predicted cost of its present work, and the start of that work.
    current: Vec<Option<(Cost, Instant)>>,
    /// The nodes of the present work of each thread.
    meter: NodeMeter,
    /// Whether idle threads help the others.
    helping: bool,
    start: Instant,
    /// The largest node count that was displayed. A search that has ended is missing from the meter
    /// until its record is written.
    nodes: u64,
    /// With `--verbose`: for each thread, the last result of a null window that was printed.
    results: Option<Vec<Option<WindowResult>>>,
    /// Whether anything was displayed.
    displayed: bool,
    stop: bool,
}

impl Display {
    /// Starts the display for the work of these searchers. `total` is the whole work, if it is
    /// known. `beside_records` must be true if the records go to the same terminal: then the bar is
    /// hidden while they are written. `messages` limits the messages.
    pub fn start(
        style: Style,
        total: Option<Workload>,
        beside_records: bool,
        searchers: &Searchers,
        messages: &Arc<Messages>,
    ) -> Display {
        let state = State {
            meter: searchers.node_meter(),
            ..State::new(total, searchers.threads(), !searchers.is_deterministic())
        };
        let mut display = Display::start_every(style.period(), style, state, beside_records);
        display.messages = Arc::clone(messages);
        display
    }

    /// Prints a line for each null window at the root of positions that take long.
    pub fn print_results(&self) {
        let mut state = self.shared.state.lock();
        state.results = Some(vec![None; state.current.len()]);
        self.shared.wake.notify_all();
    }

    fn start_every(period: Duration, style: Style, state: State, beside_records: bool) -> Display {
        let total = state.total;
        let bar = (style == Style::Bar).then(|| {
            // Without a total there is a spinner instead of a bar.
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
        let ticker = (style != Style::Silent).then(|| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new()
                .name("progress".to_owned())
                .spawn(move || shared.tick(period))
        });
        // If the thread cannot be started, the work continues without a display.
        let ticker = ticker.and_then(Result::ok);
        Display { shared, messages: Arc::default(), ticker }
    }
}

impl Progress for Display {
    fn begin(&self, worker: usize, cost: Cost) {
        self.shared.state.lock().current[worker] = Some((cost, Instant::now()));
    }

    fn end(&self, worker: usize) {
        self.shared.state.lock().current[worker] = None;
    }

    fn done(&self, finished: Finished) {
        let mut state = self.shared.state.lock();
        state.done += finished.positions;
        state.finished += finished;
    }

    fn resumed(&self, cost: Cost) {
        let mut state = self.shared.state.lock();
        state.done += 1;
        if let Some(total) = &mut state.total {
            total.cost -= cost;
        }
    }

    fn write_records(&self, write: &mut dyn FnMut()) {
        match &self.shared.bar {
            Some(bar) if self.shared.beside_records => bar.suspend(write),
            _ => write(),
        }
    }

    fn message(&self, message: &dyn fmt::Display) {
        let Some(text) = self.messages.add(message) else { return };
        match &self.shared.bar {
            Some(bar) => bar.suspend(|| print_error(&text)),
            None => print_error(&text),
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.shared.state.lock().stop = true;
        self.shared.wake.notify_all();
        if let Some(ticker) = self.ticker.take() {
            // A panic of the ticker has been printed, and does not concern the work.
            let _ = ticker.join();
        }
        match &self.shared.bar {
            Some(bar) => bar.finish_and_clear(),
            // A log that has lines of progress gets a last one.
            None => {
                let mut state = self.shared.state.lock();
                if state.displayed {
                    let elapsed = state.start.elapsed();
                    print_error(&format_args!("yose: {}", state.line(elapsed)));
                }
            }
        }
    }
}

/// Prints a line to standard error. An error of that write is ignored: the work continues.
fn print_error(message: &dyn fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{message}");
}

impl Shared {
    fn tick(&self, period: Duration) {
        let mut state = self.state.lock();
        let mut next = Instant::now() + period;
        while !state.stop {
            let look = if state.results.is_some() { RESULT_PERIOD } else { period };
            if !self.wake.wait_until(&mut state, next.min(Instant::now() + look)).timed_out() {
                continue;
            }
            for line in state.new_results() {
                MutexGuard::unlocked(&mut state, || self.print(&line));
            }
            if Instant::now() < next {
                continue;
            }
            next += period;
            let first = !std::mem::replace(&mut state.displayed, true);
            let elapsed = state.start.elapsed();
            let (line, share) = (state.line(elapsed), state.share(elapsed));
            // Unlocked: the threads of the run must not wait for a slow terminal or pipe.
            MutexGuard::unlocked(&mut state, || self.draw(first, line, share));
        }
    }

    /// Prints a line above the bar.
    fn print(&self, line: &str) {
        let line = format_args!("yose: {line}");
        match &self.bar {
            Some(bar) => bar.suspend(|| print_error(&line)),
            None => print_error(&line),
        }
    }

    fn draw(&self, first: bool, line: String, share: Option<f64>) {
        let Some(bar) = &self.bar else {
            return print_error(&format_args!("yose: {line}"));
        };
        if first {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let columns = terminal_size::terminal_size_of(io::stderr());
        let width = columns.map_or(usize::MAX, |(width, _)| usize::from(width.0));
        bar.set_message(fitting(line, width.saturating_sub(BAR_WIDTH + 1)));
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
            done: 0,
            finished: Finished::default(),
            current: vec![None; threads],
            meter: NodeMeter::default(),
            helping,
            start: Instant::now(),
            nodes: 0,
            results: None,
            displayed: false,
            stop: false,
        }
    }

    /// The line of text about the progress, `elapsed` after the start.
    fn line(&mut self, elapsed: Duration) -> String {
        let mut line = match self.total {
            Some(total) => {
                format!("{} of {} positions", readable(self.done), readable(total.positions))
            }
            None if self.done == 1 => "1 position".to_owned(),
            None => format!("{} positions", readable(self.done)),
        };
        if let Some(share) = self.share(elapsed) {
            line += &format!(", {:.0}% done", 100.0 * share);
        }
        self.nodes = self.nodes.max(self.nodes_so_far());
        if self.nodes >= 1_000_000 {
            let speed = self.nodes as f64 / 1e6 / elapsed.as_secs_f64().max(0.001);
            let speed = if speed < 10.0 { format!("{speed:.1}") } else { readable(speed as u64) };
            line += &format!(", {} M nodes, {speed} M nodes/s", readable(self.nodes / 1_000_000));
        }
        let (threads, busy) = (self.current.len(), self.current.iter().flatten().count());
        if threads > 1 {
            line += &format!(", {busy} of {threads} threads busy");
        }
        line += &format!(", {}", clock(elapsed.as_secs_f64()));
        if let Some(left) = self.left(elapsed) {
            line += &format!(", about {} left", clock(left.mean));
            if left.high > WIDE * left.low {
                line += &format!(" ({} to {})", clock(left.low), clock(left.high));
            }
        }
        line
    }

    /// A line for what the last null window of each thread has shown since the last call, of work
    /// that takes long.
    fn new_results(&mut self) -> Vec<String> {
        let Some(mut printed) = self.results.take() else { return Vec::new() };
        let mut lines = Vec::new();
        for (worker, last) in printed.iter_mut().enumerate() {
            let Some((_, begun)) = self.current[worker] else {
                *last = None;
                continue;
            };
            let result = self.meter.window_result(worker);
            if begun.elapsed() >= LONG && result.is_some() && result != *last {
                lines.extend(result.map(|result| result_line(worker, &result, begun.elapsed())));
                *last = result;
            }
        }
        self.results = Some(printed);
        lines
    }

    /// The nodes of the finished positions and of those that are being solved.
    fn nodes_so_far(&self) -> u64 {
        let running = (0..self.current.len()).map(|worker| self.meter.nodes(worker));
        self.finished.nodes + running.sum::<u64>()
    }

    /// The remaining time in seconds. `None` if the whole work or the speed is unknown, or if no
    /// position is left.
    fn left(&self, elapsed: Duration) -> Option<Range> {
        let total = self.total?;
        let so_far = self.nodes_so_far();
        // Too little to measure a speed with.
        if elapsed.is_zero() || so_far < 100_000 || self.done >= total.positions {
            return None;
        }
        let speed = so_far as f64 / elapsed.as_secs_f64();
        let mut remaining = Remaining { waiting: total.cost, running: Vec::new() };
        remaining.waiting -= self.finished.cost;
        let mut longest = 0.0f64;
        for (worker, current) in self.current.iter().enumerate() {
            let Some((cost, begun)) = *current else { continue };
            let (nodes, milestone) = (self.meter.nodes(worker), self.meter.milestone(worker));
            let search = Running { cost, nodes, milestone };
            let spent = elapsed.saturating_sub(begun.saturating_duration_since(self.start));
            let own_speed = nodes as f64 / spent.as_secs_f64();
            if own_speed > 0.0 && own_speed.is_finite() {
                longest = longest.max(search.rest(&self.finished).mean / own_speed);
            }
            remaining.waiting -= cost;
            remaining.running.push(search);
        }
        let Range { low, mean, high } = remaining.nodes(&self.finished).range();
        let left = [low, mean, high].map(|nodes| nodes / speed);
        // Without help, the longest position takes the speed of its own thread.
        let least = if self.helping { 0.0 } else { longest };
        let [low, mean, high] = left.map(|seconds| seconds.max(least));
        Some(Range { low, mean, high })
    }

    /// The finished share of the work, 0 to 1. `None` if the remaining time is unknown.
    fn share(&self, elapsed: Duration) -> Option<f64> {
        // By time, so that the bar also moves during a long position.
        let left = self.left(elapsed)?.mean;
        Some(elapsed.as_secs_f64() / (elapsed.as_secs_f64() + left).max(f64::MIN_POSITIVE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cost with this mean and standard deviation.
    fn cost(mean: f64, deviation: f64) -> Cost {
        Cost { mean, variance: deviation * deviation, low: 0.0 }
    }

    /// 1,000 positions of 10,000 predicted nodes each, which took half of that.
    fn state(total: Option<Workload>) -> State {
        let mut state = State::new(total, 1, true);
        (0..1000).for_each(|_| state.finished.add(cost(10_000.0, 1_000.0), 5_000));
        state.done = 1000;
        state
    }

    #[test]
    fn the_remaining_time_comes_from_predicted_cost() {
        // Half of the positions are done, but only a tenth of the work.
        let total = Workload { positions: 2000, cost: cost(1e8, 1e6), largest: 1e5 };
        let mut state = state(Some(total));
        let elapsed = Duration::from_secs(20);
        assert_eq!(
            state.line(elapsed),
            "1,000 of 2,000 positions, 10% done, 5 M nodes, 0.2 M nodes/s, 0:20, about 3:00 left"
        );
        // A position that dominates the list: the range is wide.
        state.total = Some(Workload { cost: cost(1e8, 3e7), ..total });
        let wide = state.line(elapsed);
        assert!(wide.ends_with("about 3:00 left (1:52 to 4:18)"), "{wide}");
        let share = state.share(elapsed).expect("a total");
        assert!((share - 0.1).abs() < 0.001, "{share}");
        // A prediction that has proven to be too high is corrected for what is left, too.
        state.current[0] = Some((cost(9e7, 9e7), state.start + elapsed));
        let left = state.left(elapsed).expect("a speed").mean;
        assert!((left - 180.0).abs() < 2.0, "{left} s");
    }

    #[test]
    fn a_single_finished_position_proves_little() {
        let mut state = State::new(
            Some(Workload { positions: 2, cost: cost(2e6, 1.4e6), largest: 1e6 }),
            1,
            true,
        );
        state.finished.add(cost(1e6, 1e6), 100_000);
        state.done = 1;
        let left = state.left(Duration::from_secs(1)).expect("a speed").mean;
        assert!(5.0 < left && left < 9.0, "{left} s");
    }

    #[test]
    fn without_a_total_there_is_no_remaining_time() {
        let mut state = state(None);
        assert_eq!(
            state.line(Duration::from_secs(61)),
            "1,000 positions, 5 M nodes, 0.1 M nodes/s, 1:01"
        );
        (state.nodes, state.finished.nodes) = (0, 999_999);
        assert_eq!(state.line(Duration::from_secs(61)), "1,000 positions, 1:01");
        state.total = Some(Workload { positions: 4000, cost: cost(1e8, 1e6), largest: 1e5 });
        state.finished = Finished::default();
        assert_eq!(state.left(Duration::from_secs(1)), None, "the speed is unknown");
        state.finished.add(cost(1e6, 1e6), 1_000_000);
        assert!(state.left(Duration::from_secs(1)).is_some());
        state.done = 4000;
        assert_eq!(state.left(Duration::from_secs(1)), None, "no position is left");
    }

    #[test]
    fn a_long_position_counts_while_it_runs() {
        let threads = std::num::NonZeroUsize::MIN;
        let config = yose::search::Config { table_bytes: 1 << 20, ..Default::default() };
        let mut searcher = yose::search::Searcher::pool(config, threads).expect("memory").remove(0);
        let pool = Arc::clone(searcher.thread_pool());
        let text = "--O-OX--X-OOO---XXOOO---XXOXOOOO-OOOOO--O-X-O-----OX------------ X";
        let diagram: yose::Diagram = text.parse().expect("a position");
        let request = yose::search::Request {
            position: diagram.position,
            window: yose::Window::FULL,
            all_moves: false,
        };
        std::thread::scope(|scope| {
            scope.spawn(|| searcher.solve(&request));
            let mut counts = Vec::new();
            let start = Instant::now();
            while counts.len() < 3 && start.elapsed() < Duration::from_secs(60) {
                let nodes = pool.nodes_so_far();
                if nodes > counts.last().copied().unwrap_or(0) {
                    counts.push(nodes);
                }
            }
            pool.abort();
            assert_eq!(counts.len(), 3, "the count moves");
        });
        assert_eq!(pool.nodes_so_far(), 0, "the search has ended");
    }

    #[test]
    fn it_displays_during_a_long_position_and_ends_at_once() {
        let start = Instant::now();
        let display = Display::start_every(
            Duration::from_millis(5),
            Style::Plain,
            State::new(None, 1, true),
            false,
        );
        display.begin(0, Cost::ZERO);
        while !display.shared.state.lock().displayed {
            assert!(start.elapsed() < Duration::from_secs(60), "it displays nothing");
            std::thread::yield_now();
        }
        drop(display);
        let start = Instant::now();
        drop(Display::start_every(
            Style::Plain.period(),
            Style::Plain,
            State::new(None, 1, true),
            false,
        ));
        assert!(start.elapsed() < Duration::from_secs(5), "it waits for its next line");
    }
}
