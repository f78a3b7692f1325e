//! No estimate changes a score: the same answers whatever the evaluation says.
//!
//! The weights order moves, guess windows and choose the ProbCut bounds of selective passes. With
//! weights that know nothing, are noise, or take the worst move for the best, all of that goes
//! wrong as often as it can, and the scores must be the same.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::support::{Kind, random_position, rng, wrong_evaluations};
use yose::eval::Evaluation;
use yose::othello::{Position, Score};
use yose::records::{Entry, Item, ReadOptions, Reader, Source};
use yose::search::{Config, Request, Searcher, Window};

/// The positions of a file under `positions/`, with the scores that are known of them.
fn suite(name: &str) -> Vec<(Position, Option<Score>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions").join(name);
    let problems =
        Reader::new(vec![Source::File(path)], ReadOptions::default()).map(|item| match item {
            Item::Entry(Entry { problem: Ok(problem), .. }) => {
                (problem.diagram.position, problem.claimed_score())
            }
            other => panic!("{name}: {other:?}"),
        });
    problems.collect()
}

/// Random positions of 12 to 17 empties of every kind; from 17 on there are selective passes.
fn random_positions(count: usize, seed: u64) -> Vec<(Position, Option<Score>)> {
    let mut rng = rng(seed);
    let kinds = [Kind::Game, Kind::Discs, Kind::Skewed].into_iter().cycle();
    (12..=17)
        .cycle()
        .zip(kinds)
        .take(count)
        .map(|(empties, kind)| (random_position(&mut rng, kind, empties), None))
        .collect()
}

/// How many nodes the embedded weights may take for a position that the negated ones are tried on,
/// where there is little time: these take up to fifty times as many at 19 empties, and more above.
const FOR_NEGATED: u64 = 1_000_000;

/// Solves the positions with the embedded weights and with each of the wrong ones, one solver for
/// all of them, so that what is left in its table from other positions is put to the test as well.
/// The negated weights have those positions that take at most `for_negated` nodes.
fn compare(positions: &[(Position, Option<Score>)], table_bytes: u64, for_negated: u64) {
    let solve_all = |name: &str,
                     evaluation: Arc<Evaluation>,
                     positions: &[Position]|
     -> Vec<(Option<Score>, u64)> {
        let begun = Instant::now();
        let mut solver =
            Searcher::new(Config { table_bytes, evaluation, ..Config::default() }).expect("memory");
        let solve = |&position| {
            let solution =
                solver.solve(&Request { position, window: Window::FULL, all_moves: false });
            (solution.bounds.exact(), solution.nodes)
        };
        let answers: Vec<_> = positions.iter().map(solve).collect();
        let nodes: u64 = answers.iter().map(|(_, nodes)| nodes).sum();
        println!(
            "{} positions, {name}: {nodes} nodes, {:.1} s",
            positions.len(),
            begun.elapsed().as_secs_f64()
        );
        answers
    };
    let (boards, known): (Vec<Position>, Vec<Option<Score>>) = positions.iter().copied().unzip();
    let right = solve_all("embedded weights", Evaluation::embedded(), &boards);
    for ((&(score, _), known), position) in right.iter().zip(known).zip(&boards) {
        assert!(score.is_some() && (known.is_none() || score == known), "{position:?}: {score:?}");
    }
    for (name, evaluation) in wrong_evaluations() {
        let most = if name == "negated weights" { for_negated } else { u64::MAX };
        let (boards, right): (Vec<Position>, Vec<_>) = boards
            .iter()
            .zip(&right)
            .filter(|(_, right)| right.1 <= most)
            .map(|(&board, &right)| (board, right))
            .unzip();
        let wrong = solve_all(name, evaluation, &boards);
        for ((wrong, right), position) in wrong.iter().zip(&right).zip(&boards) {
            assert_eq!(wrong.0, right.0, "{name}, {position:?}");
        }
        assert_ne!(
            wrong, right,
            "{name} made no difference to the search: are they really in use?"
        );
    }
}

#[test]
fn wrong_weights_give_the_same_scores() {
    compare(&random_positions(150, 10), 1 << 20, FOR_NEGATED);
}

#[test]
fn wrong_weights_solve_ffo_20_to_24() {
    compare(&suite("ffo-20-39.obf")[..5], 1 << 20, FOR_NEGATED);
}

/// The whole of it. The negated weights take most of the time, for FFO hours.
///
/// ```sh
/// cargo test --release --test it -- --ignored --nocapture
/// ```
#[test]
#[ignore = "takes long: `cargo test --release --test it -- --ignored --nocapture`"]
fn wrong_weights_solve_2000_random_positions() {
    compare(&random_positions(2000, 11), 16 << 20, u64::MAX);
}

/// As [`wrong_weights_solve_2000_random_positions`].
#[test]
#[ignore = "takes long: `cargo test --release --test it -- --ignored --nocapture`"]
fn wrong_weights_solve_ffo_20_to_44() {
    compare(&suite("ffo-20-39.obf"), 256 << 20, u64::MAX);
    compare(&suite("ffo-40-59.obf")[..5], 256 << 20, u64::MAX);
}
