use std::borrow::Cow;
use std::thread;
use std::time::{Duration, Instant};

use super::*;
use crate::othello::{Diagram, Move, Score};
use crate::records::{Entry, Item, ReadOptions, Reader, Source};
use crate::search::StopReason;

/// FFO 20: six empties, +6.
const SIX: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// FFO 21 has fifteen empties: enough for threads to help each other.
const SUITE: &[u8] = include_bytes!("../../positions/ffo-20-39.obf");
/// 24 empties: ten million nodes and more.
const LONG: &str = "--OOOOO-O-OOOO--OXOOOX-XOOOOOOOO-OXXXXO-XXXXX--O--XX--------X--- X";

fn position(text: &str) -> Position {
    text.parse::<Diagram>().expect("a position").position
}

/// FFO 20, 21, 22 and 23, with their scores.
fn suite() -> Vec<(Position, Score)> {
    let source = Source::Memory { name: "ffo", bytes: Cow::Borrowed(SUITE) };
    let read = |item| {
        let Item::Entry(Entry { problem: Ok(problem), .. }) = item else { panic!("{item:?}") };
        (problem.diagram.position, problem.claimed_score().expect("a score"))
    };
    Reader::new(vec![source], ReadOptions::default()).take(4).map(read).collect()
}

fn solver(threads: usize) -> Solver {
    Solver::builder().threads(threads).table_bytes(1 << 20).build().expect("1 MiB")
}

#[test]
fn scores_do_not_depend_on_threads_or_table() {
    for (threads, table_bytes) in [(1, 1 << 20), (2, 0), (5, 16 << 20)] {
        let mut solver =
            Solver::builder().threads(threads).table_bytes(table_bytes).build().expect("16 MiB");
        assert_eq!(solver.threads(), threads);
        for (position, score) in suite() {
            let solution = solver.solve(&position);
            assert_eq!((solution.score(), solution.stopped), (Some(score), None));
        }
    }
}

#[test]
fn a_list_gives_every_index_once() {
    for threads in [1, 3] {
        let mut solver = solver(threads);
        let suite = suite();
        for count in [0, 1, 10_000] {
            let mut seen = vec![0; count];
            let list = suite.iter().take(1).cycle().take(count).map(|&(position, _)| position);
            solver.solve_all(list, &Options::default(), |index, solution| {
                assert_eq!(solution.score(), Some(suite[0].1));
                seen[index] += 1;
            });
            assert!(seen.iter().all(|&times| times == 1));
        }
        let list = suite.iter().map(|&(position, _)| position);
        let mut scores = vec![None; suite.len()];
        solver.solve_all(list, &Options::default(), |index, solution| {
            scores[index] = solution.score();
        });
        let expected: Vec<_> = suite.iter().map(|&(_, score)| Some(score)).collect();
        assert_eq!(scores, expected);
        assert_eq!(solver.solve(&position(SIX)).score(), Some(Score::new(6)), "and then one");
    }
}

#[test]
fn options_reach_the_search() {
    let mut solver = solver(2);
    let options = Options { window: Window::WIN_LOSS_DRAW, all_moves: true, ..Options::default() };
    let solution = solver.solve_with(&position(SIX), &options);
    assert_eq!((solution.score(), solution.bounds.lower.discs()), (None, 2));
    assert_eq!(solution.moves.len(), position(SIX).moves().count() as usize);

    let limits = Limits { nodes: Some(1000), time: None };
    let options = Options { limits, ..Options::default() };
    let solution = solver.solve_with(&position(LONG), &options);
    assert_eq!(solution.stopped, Some(StopReason::Nodes));
    let limits = Limits { nodes: None, time: Some(Duration::from_millis(5)) };
    let options = Options { limits, ..Options::default() };
    let mut reasons = Vec::new();
    solver.solve_all([position(LONG); 3], &options, |_, solution| reasons.push(solution.stopped));
    assert_eq!(reasons, [Some(StopReason::Time); 3]);
}

#[test]
fn a_token_ends_a_search_and_a_list_and_the_solver_goes_on() {
    for threads in [1, 3] {
        let mut solver = solver(threads);
        for list in [false, true] {
            let token = CancelToken::new();
            let options = Options { cancel: Some(token.clone()), ..Options::default() };
            let canceller = thread::spawn(move || {
                thread::sleep(Duration::from_millis(30));
                token.cancel();
                Instant::now()
            });
            let mut stopped = Vec::new();
            if list {
                // A list without an end.
                let positions = std::iter::repeat(Position::START);
                solver.solve_all(positions, &options, |_, solution| {
                    stopped.push(solution.stopped);
                });
            } else {
                stopped.push(solver.solve_with(&Position::START, &options).stopped);
            }
            let delay = Instant::now().saturating_duration_since(canceller.join().expect("none"));
            assert!(delay < Duration::from_millis(900), "{delay:?}");
            assert!(!stopped.is_empty());
            assert!(stopped.iter().all(|&reason| reason == Some(StopReason::Aborted)));
            // The token stays cancelled; without it the solver works as before.
            let again = solver.solve_with(&position(LONG), &options);
            assert_eq!(again.stopped, Some(StopReason::Aborted));
            let six = solver.solve(&position(SIX));
            assert_eq!((six.score(), six.stopped), (Some(Score::new(6)), None));
        }
    }
}

/// Everything that a user can call, on a thread whose stack holds 64 KiB.
#[test]
fn a_caller_needs_little_stack() {
    let (position, score) = suite()[1];
    let caller = move || {
        let mut solver = solver(3);
        assert_eq!(solver.solve(&position).score(), Some(score));
        let options = Options { all_moves: true, ..Options::default() };
        solver.solve_all([position; 20], &options, |_, solution| {
            assert_eq!(solution.score(), Some(score));
        });
        solver.clear();
    };
    let thread = thread::Builder::new().stack_size(64 << 10).spawn(caller).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn one_thread_and_empty_tables_give_the_same_nodes() {
    let mut solver = solver(1);
    let (long, _) = suite()[1];
    let nodes = solver.solve(&long).nodes;
    assert!(solver.solve(&long).nodes < nodes, "the table remembers");
    solver.clear();
    assert_eq!(solver.solve(&long).nodes, nodes);
}

#[test]
fn a_panic_of_the_caller_does_not_hang() {
    let mut solver = solver(2);
    let list = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        solver.solve_all([position(SIX); 3], &Options::default(), |_, _| panic!("as planned"));
    }));
    assert!(list.is_err());
    drop(solver);
}

#[test]
fn games_that_are_over_and_passes_have_solutions() {
    let mut solver = solver(2);
    let over = solver.solve(&position(&format!("XXXX{} X", "-".repeat(60))));
    assert_eq!((over.score(), over.best_move), (Some(Score::MAX), None));
    let pass = solver.solve(&position(&format!("XO{} O", "-".repeat(62))));
    assert_eq!(pass.best_move, Some(Move::Pass));
}
