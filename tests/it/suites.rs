//! Every score that the files under `positions/` claim, computed once more: through the library, as
//! a program that uses Yose would do it.
//!
//! FFO 45-79 take too long to be solved here; that their lines can be read is checked.

use std::path::Path;

use crate::common::Folder;
use yose::othello::{Move, Score};
use yose::records::{Claim, Entry, Item, Problem, ReadOptions, Reader, Source};
use yose::search::{Bounds, Config, Request, Searcher, Solution, Window};

/// A file of `positions/`, every line of which must be good: the identifiers and the positions.
fn read(name: &str) -> Vec<(String, Problem)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions").join(name);
    let problems =
        Reader::new(vec![Source::File(path)], ReadOptions::default()).map(|item| match item {
            Item::Entry(Entry { id, problem: Ok(problem), .. }) => (id, problem),
            other => panic!("{name}: {other:?}"),
        });
    problems.collect()
}

/// Computes everything that the problem claims, and compares.
///
/// A file that claims one move's score alone means that it is the best; one that claims more of
/// them claims them all.
fn check(solver: &mut Searcher, id: &str, problem: &Problem) {
    let position = problem.diagram.position;
    let exact = |claim: &Claim| claim.statement.exact().expect("OBF has exact scores");
    let claims: Vec<(Option<Move>, Score)> = problem.claims.iter().map(exact).collect();
    assert!(!claims.is_empty(), "{id} claims nothing");
    let all_moves = claims.len() > 1;
    let solution = solver.solve(&Request { position, window: Window::FULL, all_moves });
    assert_eq!(solution.bounds.exact(), problem.claimed_score(), "{id}");
    if all_moves {
        assert_eq!(solution.moves.len(), claims.len(), "{id}: {:?}", solution.moves);
    }
    for (mv, score) in claims {
        match mv {
            None => assert!(position.is_over(), "{id}"),
            Some(mv) if all_moves => {
                let computed =
                    solution.moves.iter().find(|&&(own, _)| own == mv).map(|&(_, bounds)| bounds);
                assert_eq!(computed.and_then(Bounds::exact), Some(score), "{id}: {mv}");
            }
            // There may be other best moves; that this is one of them, the position after it shows.
            Some(mv) => {
                let next = position.make(mv).unwrap_or_else(|| panic!("{id}: {mv}"));
                let answer = solver.solve(&Request {
                    position: next,
                    window: Window::FULL,
                    all_moves: false,
                });
                assert_eq!(answer.bounds.exact().map(|score| -score), Some(score), "{id}: {mv}");
            }
        }
    }
}

/// Solves the positions of a file, with what is left of the earlier ones in the tables.
fn check_file(name: &str, positions: usize) {
    let problems = read(name);
    assert_eq!(problems.len(), positions, "{name}");
    let mut solver =
        Searcher::new(Config { table_bytes: 64 << 20, ..Config::default() }).expect("64 MiB");
    for (id, problem) in &problems {
        check(&mut solver, id, problem);
    }
}

#[test]
fn every_move_of_ffo_1_to_19() {
    check_file("ffo-1-19.obf", 19);
}

#[test]
fn every_move_of_ffo_20_to_39() {
    check_file("ffo-20-39.obf", 20);
}

#[test]
fn the_best_score_of_ffo_40_to_44() {
    let mut solver =
        Searcher::new(Config { table_bytes: 64 << 20, ..Config::default() }).expect("64 MiB");
    for (id, problem) in &read("ffo-40-59.obf")[..5] {
        let request =
            Request { position: problem.diagram.position, window: Window::FULL, all_moves: false };
        let best = problem.claimed_score();
        assert!(best.is_some(), "{id} claims nothing");
        assert_eq!(solver.solve(&request).bounds.exact(), best, "{id}");
    }
}

#[test]
fn what_other_programs_got_wrong() {
    check_file("regressions.obf", 7);
}

#[test]
fn edge_cases() {
    check_file("edge-cases.obf", 19);
}

#[test]
fn positions_that_are_nearly_empty() {
    check_file("nearly-empty.obf", 6);
}

#[test]
fn every_legal_move_is_tried_however_many_there_are() {
    let window = Window::new(Score::MIN, Score::new(-63)).expect("a window");
    let mut solver =
        Searcher::new(Config { table_bytes: 16 << 20, ..Config::default() }).expect("16 MiB");
    for ((id, problem), moves) in read("many-moves.obf").iter().zip([33, 34, 35]) {
        let position = problem.diagram.position;
        assert_eq!(position.moves().count(), moves, "{id}");
        let Solution { bounds, best_move, .. } =
            solver.solve(&Request { position, window, all_moves: false });
        assert_eq!(bounds, Bounds { lower: Score::new(-62), upper: Score::MAX }, "{id}");
        assert!(best_move.is_some_and(|mv| position.make(mv).is_some()), "{id}");
    }
}

#[test]
fn the_longer_suites_can_be_read() {
    for (name, positions) in [("ffo-40-59.obf", 20), ("ffo-60-79.obf", 20)] {
        assert_eq!(read(name).len(), positions, "{name}");
    }
}

/// The comments of the file say which lines are good and which are bad.
#[test]
fn of_the_bad_lines_each_is_named_and_the_good_ones_are_solved() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/bad-lines.obf");
    let text = std::fs::read_to_string(path).expect("the file of bad lines");
    let mut records = Vec::new();
    for (line, content) in (1..).zip(text.lines()).filter(|(_, content)| !content.starts_with('%'))
    {
        let id = format!("bad-lines.obf:{line}");
        records.push(match content.split_once("% good") {
            Some((line, _)) if line.contains("H5:+6") => format!("{id} exact 6"),
            Some(_) => format!("{id} exact 64"),
            None => format!("{id} invalid"),
        });
    }
    let ran = Folder::new().with("bad-lines.obf", &text).run(&["solve", "bad-lines.obf"]);
    assert_eq!(ran.records(), records, "{ran:#?}");
    assert_eq!(ran.status, 3, "{ran:#?}");
    let bad: Vec<&str> =
        records.iter().filter_map(|record| record.strip_suffix(" invalid")).collect();
    let named: Vec<&str> = ran.err.lines().collect();
    assert_eq!(named.len(), bad.len(), "{ran:#?}");
    for (named, bad) in named.iter().zip(bad) {
        assert!(named.starts_with(&format!("{bad}:")) && named.contains("; "), "{named}");
    }
}
