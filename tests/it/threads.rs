//! A score does not depend on the number of threads. Thread pools solve one position with tables
//! so small that all positions collide in them.
//!
//! Split points begin with the deep nodes here, so they are more frequent than usual. There are
//! more threads than cores, so the system interrupts threads at any point.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Kind, board_of, negamax, random_position, rng};
use yose::othello::{Diagram, Move, Position, Score};
use yose::records::{Entry, Item, Problem, ReadOptions, Reader, Source};
use yose::search::{
    Bounds, Config, Limits, Request, Searcher, Solution, StopReason, ThreadPool, Window,
};

/// The stack of a thread, in bytes: a helper that waits may help again.
const STACK: usize = 64 << 20;

fn pool(threads: usize, table_bytes: u64) -> Vec<Searcher> {
    let config = Config { table_bytes, split_empties: 12, ..Config::default() };
    Searcher::pool(config, NonZeroUsize::new(threads).expect("a thread")).expect("memory")
}

/// Calls `work` with the first searcher of the pool while the others help, and returns its result.
/// All of them must end within two minutes.
fn together<R: Send>(
    mut solvers: Vec<Searcher>,
    work: impl FnOnce(&mut Searcher) -> R + Send,
) -> R {
    let watchdog = Watchdog::new(Duration::from_secs(120));
    let mut first = solvers.remove(0);
    let pool = Arc::clone(first.thread_pool());
    let done = AtomicBool::new(false);
    let result = thread::scope(|scope| {
        for mut other in solvers {
            let done = &done;
            let help = move || other.help(|| done.load(Ordering::Relaxed), |_| ());
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).expect("a thread");
        }
        let result = work(&mut first);
        done.store(true, Ordering::Relaxed);
        pool.wake_all();
        result
    });
    drop(watchdog);
    result
}

/// Ends the process after a time: a test that hangs would print nothing.
struct Watchdog(Option<mpsc::Sender<()>>);

impl Watchdog {
    fn new(time: Duration) -> Watchdog {
        let (sender, receiver) = mpsc::channel::<()>();
        thread::spawn(move || {
            if receiver.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
                eprintln!("the pool hangs");
                std::process::abort();
            }
        });
        Watchdog(Some(sender))
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.0.take();
    }
}

fn request(position: Position) -> Request {
    Request { position, window: Window::FULL, all_moves: false }
}

fn exact(solution: &Solution) -> i32 {
    solution.bounds.exact().map(Score::discs).expect("the full window leaves nothing open")
}

/// Random positions with a number of empties in this range.
fn positions(empties: RangeInclusive<u32>, count: usize, seed: u64) -> Vec<Position> {
    let mut rng = rng(seed);
    let kinds = [Kind::Game, Kind::Game, Kind::Discs, Kind::Skewed].into_iter().cycle();
    empties
        .cycle()
        .zip(kinds)
        .take(count)
        .map(|(empties, kind)| random_position(&mut rng, kind, empties))
        .collect()
}

/// Random positions, with their scores by a single thread.
fn solved(empties: RangeInclusive<u32>, count: usize, seed: u64) -> Vec<(Position, i32)> {
    let mut alone =
        Searcher::new(Config { table_bytes: 16 << 20, ..Config::default() }).expect("16 MiB");
    let positions = positions(empties, count, seed).into_iter();
    positions.map(|position| (position, exact(&alone.solve(&request(position))))).collect()
}

/// Sixteen threads, each with its own positions, and a table of one bucket in which all of them
/// collide: small positions, whose scores a plain negamax computes, and larger ones, which probe
/// the table at every other node.
#[test]
fn sixteen_threads_in_one_bucket_give_the_right_scores() {
    let small = positions(6..=8, 240, 21)
        .into_iter()
        .map(|position| (position, negamax(&board_of(&position))));
    let positions: Vec<(Position, i32)> = small.chain(solved(9..=13, 640, 25)).collect();
    let solvers = pool(16, 0);
    let shared = Arc::clone(solvers[0].thread_pool());
    assert_eq!((shared.workers(), solvers[0].table_bytes()), (16, 128));
    let positions = &positions;
    thread::scope(|scope| {
        for (worker, mut solver) in solvers.into_iter().enumerate() {
            scope.spawn(move || {
                for &(position, score) in positions.iter().skip(worker).step_by(16) {
                    assert_eq!(exact(&solver.solve(&request(position))), score, "{position:?}");
                }
            });
        }
    });
}

#[test]
fn pools_of_any_size_give_the_same_scores() {
    let positions = solved(14..=17, 60, 22);
    for (threads, table_bytes) in [(2, 0), (3, 1 << 20), (8, 64 << 10), (64, 1 << 20)] {
        together(pool(threads, table_bytes), |solver| {
            for &(position, score) in &positions {
                let solution = solver.solve(&request(position));
                assert_eq!(
                    exact(&solution),
                    score,
                    "{threads} threads, {table_bytes} bytes, {position:?}"
                );
                assert_eq!(solution.stopped, None);
                let mut at = position;
                for &mv in &solution.pv {
                    at = at.make(mv).expect("a legal move");
                }
                assert!(at.is_over());
            }
        });
        let all_moves = Request { all_moves: true, ..request(positions[0].0) };
        // Which of two equally good moves comes first is not defined: the one that was proven
        // to be best.
        let by_square = |mut moves: Vec<(Move, Bounds)>| {
            moves.sort_by_key(|&(mv, _)| mv);
            moves
        };
        let moves = together(pool(threads, table_bytes), |solver| solver.solve(&all_moves).moves);
        let alone = Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() })
            .expect("1 MiB")
            .solve(&all_moves);
        assert_eq!(by_square(moves), by_square(alone.moves));
    }
}

/// Every searcher of the pool has its own positions, and helps the others when it has none left.
/// Some searches end at a limit. A limit concerns only its own position, also while threads help
/// each other.
#[test]
fn a_pool_solves_a_list() {
    let positions = solved(14..=17, 60, 23);
    let solvers = pool(4, 256 << 10);
    let shared = Arc::clone(solvers[0].thread_pool());
    let (next, left) = (&AtomicUsize::new(0), &AtomicUsize::new(positions.len()));
    let _watchdog = Watchdog::new(Duration::from_secs(120));
    thread::scope(|scope| {
        for mut solver in solvers {
            let (shared, positions) = (&shared, &positions);
            let work = move || {
                let taken = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
                for (n, &(position, score)) in taken.map_while(|n| Some((n, positions.get(n)?))) {
                    if n % 3 == 0 {
                        let limits = Limits { nodes: Some(n as u64 * 50), time: None };
                        let solution = solver.solve_within(&request(position), &limits);
                        check_bounds(solution.bounds, score);
                        assert!(
                            solution.stopped == Some(StopReason::Nodes)
                                || exact(&solution) == score
                        );
                    }
                    let solution = solver.solve(&request(position));
                    assert_eq!((exact(&solution), solution.stopped), (score, None), "{position:?}");
                    if left.fetch_sub(1, Ordering::Relaxed) == 1 {
                        shared.wake_all();
                    }
                }
                solver.help(|| left.load(Ordering::Relaxed) == 0, |_| ());
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread");
        }
    });
}

/// A table that is cleared again and again during searches gives no wrong score.
#[test]
fn a_table_is_cleared_in_the_middle_of_a_search() {
    let positions = solved(12..=14, 60, 26);
    let mut solvers = pool(3, 0);
    let mut clearing = solvers.pop().expect("a solver");
    let done = &AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(move || {
            while !done.load(Ordering::Relaxed) {
                clearing.clear();
            }
        });
        together(solvers, |solver| {
            for &(position, score) in &positions {
                assert_eq!(exact(&solver.solve(&request(position))), score, "{position:?}");
            }
        });
        done.store(true, Ordering::Relaxed);
    });
}

/// 24 empties: more than ten million nodes.
fn long() -> Position {
    let text = "--OOOOO-O-OOOO--OXOOOX-XOOOOOOOO-OXXXXO-XXXXX--O--XX--------X--- X";
    text.parse::<Diagram>().expect("a position").position
}

fn check_bounds(bounds: Bounds, score: i32) {
    assert!(bounds.lower.discs() <= score && score <= bounds.upper.discs(), "{bounds:?}");
}

#[test]
fn limits_end_a_search_in_the_middle_of_it() {
    for threads in [1, 2, 7] {
        let limits = |nodes, time| Limits { nodes, time };
        together(pool(threads, 1 << 20), |solver| {
            for most in [0, 1, 1000, 100_000, 1_000_000] {
                let solution = solver.solve_within(&request(long()), &limits(Some(most), None));
                assert_eq!(solution.stopped, Some(StopReason::Nodes));
                check_bounds(solution.bounds, -2);
                // Each thread looks at deep nodes.
                assert!(
                    solution.nodes <= most + threads as u64 * 100_000,
                    "{} of {most}",
                    solution.nodes
                );
                assert_eq!(solution.best_move, None);
            }
            for time in [0, 1, 30].map(Duration::from_millis) {
                let begun = Instant::now();
                let solution = solver.solve_within(&request(long()), &limits(None, Some(time)));
                assert_eq!(solution.stopped, Some(StopReason::Time));
                check_bounds(solution.bounds, -2);
                assert!(
                    begun.elapsed() < time + Duration::from_millis(900),
                    "{:?}",
                    begun.elapsed()
                );
            }
        });
    }
}

#[test]
fn an_abort_ends_the_searches_of_a_pool() {
    for threads in [1, 2, 7] {
        let solvers = pool(threads, 1 << 20);
        let shared: Arc<ThreadPool> = Arc::clone(solvers[0].thread_pool());
        let caller = thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                thread::sleep(Duration::from_millis(40));
                shared.abort();
                Instant::now()
            }
        });
        let (solutions, ended) = together(solvers, |solver| {
            let first = solver.solve(&request(long()));
            let ended = Instant::now();
            // From then on nothing is begun any more.
            (vec![first, solver.solve(&request(long()))], ended)
        });
        let called = caller.join().expect("the caller");
        assert!(ended.saturating_duration_since(called) < Duration::from_millis(900));
        for solution in solutions {
            assert_eq!(solution.stopped, Some(StopReason::Aborted));
            check_bounds(solution.bounds, -2);
        }
        assert!(shared.is_aborted());
    }
}

/// No move, one move, a forced pass: roots without a choice.
#[test]
fn roots_without_a_choice_do_not_hang() {
    let row = |first: &str| format!("{first}{} X", "-".repeat(56));
    let one_move = "--OOOOO-O-OOOO--OXOOOX-XOOOOOOOO-OXXXXO-XXXXX--O--XX--------X--- X";
    for (text, moves, score) in [
        (row("XXXX----"), 0, 64),
        (row("--------"), 0, 0),
        (row("-OXXXX--"), 1, 64),
        (row("OOX-----"), 0, -64),
        (row("OOOOOOOX"), 0, -62),
        (one_move.to_owned(), 8, -2),
    ] {
        let Ok(diagram) = text.parse::<Diagram>() else { panic!("{text}") };
        let position = diagram.position;
        let limits = [
            Limits::NONE,
            Limits { nodes: Some(0), time: None },
            Limits { nodes: None, time: Some(Duration::ZERO) },
        ];
        for limits in limits {
            let solution = together(pool(3, 1 << 20), |solver| {
                solver.solve_within(&request(position), &limits)
            });
            assert!(solution.stopped.is_none() || limits != Limits::NONE);
            check_bounds(solution.bounds, score);
            // Without a word of a limit it is all there.
            if solution.stopped.is_none() {
                assert_eq!(exact(&solution), score, "{text}");
                assert_eq!(solution.best_move.is_none_or(|mv| mv == Move::Pass), moves == 0);
            }
        }
    }
}

/// A table whose first size is far too small grows while several threads search a list.
#[test]
fn a_table_of_automatic_size_grows_during_a_run() {
    let config = Config {
        table_bytes: 1 << 10,
        table_limit: Some(64 << 20),
        split_empties: 12,
        ..Config::default()
    };
    let searchers = Searcher::pool(config, NonZeroUsize::new(3).expect("three")).expect("memory");
    let pool = Arc::clone(searchers[0].thread_pool());
    assert_eq!((pool.table_bytes_in_use(), searchers[0].table_bytes()), (1 << 10, 64 << 20));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/positions/ffo-20-39.obf");
    let problems = Reader::new(vec![Source::File(path.into())], ReadOptions::default());
    let problems: Vec<Problem> = problems
        .filter_map(|item| match item {
            Item::Entry(Entry { problem, .. }) => problem.ok(),
            _ => None,
        })
        .take(8)
        .collect();
    assert_eq!(problems.len(), 8);
    let scores = together(searchers, |solver| {
        let request = |problem: &Problem| Request {
            position: problem.diagram.position,
            window: Window::FULL,
            all_moves: false,
        };
        let solve = |problem| solver.solve(&request(problem)).score();
        problems.iter().map(solve).collect::<Vec<_>>()
    });
    assert_eq!(scores, problems.iter().map(Problem::claimed_score).collect::<Vec<_>>());
    let in_use = pool.table_bytes_in_use();
    assert!(in_use > 16 << 10, "{in_use} bytes");
}
