//! Exact means exact: what the solver says, held against a negamax written straight from the rules.

use crate::support::{
    Kind, alpha_beta, board_of, move_scores, negamax, random_position, rng, wrong_evaluations,
};
use rand::RngExt;
use yose::othello::arch::all_full;
use yose::othello::{Bitboard, Move, Position, Score, Symmetry};
use yose::search::{Bounds, Config, Request, Searcher, Solution, Window};

/// How many positions of each number of empties are tried, per kind of position: 16,900 for each of
/// the three kinds, 50,700 in all. The cost is that of the plain negamax, five times higher with
/// each empty square.
const COUNTS: [usize; 10] = [300, 2000, 3000, 3000, 3000, 2500, 1800, 1000, 250, 50];

fn config() -> Config {
    Config { table_bytes: 1 << 20, ..Config::default() }
}

fn request(position: Position, window: Window) -> Request {
    Request { position, window, all_moves: false }
}

/// Solves exactly, as win-loss-draw and in a window about or beside the score, and compares each
/// with the truth.
fn check(solver: &mut Searcher, position: Position, truth: i32, window: (i32, i32)) {
    let exact = solver.solve(&request(position, Window::FULL));
    assert_eq!(exact.bounds.exact().map(Score::discs), Some(truth), "{position:?}");
    check_line(&position, &exact);
    let window = Window::new(Score::new(window.0), Score::new(window.1)).expect("a window");
    for window in [Window::WIN_LOSS_DRAW, window] {
        let bounds = solver.solve(&request(position, window)).bounds;
        check_bounds(bounds, truth, window, &position);
    }
}

/// Bounds must hold the truth. They must be exact within the window, or show on which side of it
/// the score lies.
fn check_bounds(bounds: Bounds, truth: i32, window: Window, position: &Position) {
    let (lower, upper) = (bounds.lower.discs(), bounds.upper.discs());
    assert!(lower <= truth && truth <= upper, "{bounds:?} for {truth} in {position:?}");
    let (alpha, beta) = (window.alpha().discs(), window.beta().discs());
    if alpha < truth && truth < beta {
        assert_eq!(lower, upper, "{window:?} {position:?}");
    } else {
        assert!(
            upper <= alpha || lower >= beta,
            "{bounds:?} leaves {window:?} open in {position:?}"
        );
    }
}

/// Following the principal variation must lead to the end of the game with the score that was
/// reported.
fn check_line(position: &Position, solution: &Solution) {
    let mut at = *position;
    let mut sign = 1;
    for &mv in &solution.pv {
        at =
            at.make(mv).unwrap_or_else(|| panic!("{mv} is not legal on the way from {position:?}"));
        sign = -sign;
    }
    assert!(at.is_over(), "the line from {position:?} stops early: {:?}", solution.pv);
    assert_eq!(Some(sign * at.final_score().discs()), solution.bounds.exact().map(Score::discs));
    assert_eq!(solution.best_move, solution.pv.first().copied());
}

fn check_kind(kind: Kind, seed: u64) {
    let mut rng = rng(seed);
    // One solver for all, so that what is left in its tables from other positions is put to the
    // test as well.
    let mut solver = Searcher::new(config()).expect("a mebibyte");
    for (empties, &count) in COUNTS.iter().enumerate() {
        for n in 0..count {
            let position = random_position(&mut rng, kind, empties as u32);
            let truth = negamax(&board_of(&position));
            let alpha = (truth + (n % 13) as i32 - 9).clamp(-64, 63);
            check(&mut solver, position, truth, (alpha, (alpha + 1 + (n % 6) as i32).min(64)));
        }
    }
}

#[test]
fn random_endgames_of_games() {
    check_kind(Kind::Game, 1);
}

#[test]
fn random_endgames_of_random_discs() {
    check_kind(Kind::Discs, 2);
}

#[test]
fn random_endgames_of_few_discs() {
    check_kind(Kind::Skewed, 3);
}

/// What the next test relies on.
#[test]
fn plain_alpha_beta_agrees_with_plain_negamax() {
    let mut rng = rng(10);
    for n in 0..600 {
        let kind = [Kind::Game, Kind::Discs, Kind::Skewed][n % 3];
        let board = board_of(&random_position(&mut rng, kind, 2 + (n % 7) as u32));
        let truth = negamax(&board);
        for (alpha, beta) in [(-65, 65), (truth - 1, truth + 1)] {
            assert_eq!(alpha_beta(&board, alpha, beta, &mut u32::MAX.clone()), Some(truth));
        }
        for (alpha, beta) in [(truth, truth + 1), (truth - 1, truth), (truth + 3, truth + 5)] {
            let found = alpha_beta(&board, alpha, beta, &mut u32::MAX.clone()).expect("no limit");
            assert_eq!(found <= alpha, truth <= alpha, "{found} for {truth}");
            assert_eq!(found >= beta, truth >= beta, "{found} for {truth}");
        }
    }
}

/// Deep nodes use the shared table, the cost model and cut-offs by the entries of their children.
/// The plain negamax does not reach them, so the plain alpha-beta proves here that no score but the
/// one found is right. Positions whose plain tree is too large are left out.
#[test]
fn deep_endgames() {
    const BUDGET: u32 = 1_000_000;
    let mut rng = rng(11);
    let one_bucket = Config { table_bytes: 0, ..config() };
    let mut solvers = [config(), one_bucket].map(|config| Searcher::new(config).expect("memory"));
    let mut compared = 0;
    for n in 0..60 {
        let kind = [Kind::Game, Kind::Discs, Kind::Skewed][n % 3];
        let position = random_position(&mut rng, kind, 13 + (n / 3 % 2) as u32);
        let found = solvers[0].solve(&request(position, Window::FULL)).bounds;
        let score = found.exact().expect("an exact score").discs();
        let mut budget = BUDGET;
        let proof = alpha_beta(&board_of(&position), score - 1, score + 1, &mut budget);
        let Some(truth) = proof else { continue };
        compared += 1;
        let alpha = (truth + rng.random_range(-8..8)).clamp(-64, 63);
        for solver in &mut solvers {
            check(solver, position, truth, (alpha, alpha + 1));
        }
    }
    println!("{compared} of 60 positions");
    assert!(compared >= 20, "{compared}");
}

#[test]
fn every_move_has_its_exact_score() {
    let mut rng = rng(4);
    let mut solver = Searcher::new(config()).expect("a mebibyte");
    for n in 0..1500 {
        let kind = [Kind::Game, Kind::Discs, Kind::Skewed][n % 3];
        let position = random_position(&mut rng, kind, 2 + (n % 6) as u32);
        let truth = move_scores(&board_of(&position));
        let solution =
            solver.solve(&Request { all_moves: true, ..request(position, Window::FULL) });
        if truth.is_empty() {
            assert!(solution.moves.iter().all(|&(mv, _)| mv == Move::Pass));
            assert_eq!(solution.moves.len(), usize::from(position.must_pass()));
            continue;
        }
        let mut found: Vec<(usize, i32)> = solution
            .moves
            .iter()
            .map(|&(mv, bounds)| match mv {
                Move::Place(square) => (square.index(), bounds.exact().expect("exact").discs()),
                Move::Pass => panic!("a pass beside legal moves"),
            })
            .collect();
        assert!(found.is_sorted_by_key(|&(_, score)| -score));
        assert_eq!(solution.moves[0].0, solution.best_move.expect("a move"));
        found.sort_unstable();
        assert_eq!(found, truth, "{position:?}");
    }
}

/// The table's size, the local tables, the way their keys are made and the evaluation change what
/// is searched, never what is found. From 16 empties on there are selective passes, whose guesses
/// must not outlive them: in a table of one bucket, proven bounds and guesses are forever pushing
/// each other out.
#[test]
fn no_table_changes_a_score() {
    let mut rng = rng(5);
    // A table that the largest of these positions fills; most are small.
    let small = || Config { table_bytes: 256 << 10, ..config() };
    let empties =
        (0..42).map(|n| 12 + n % 5).chain([17, 17, 17, 17, 17, 17, 18, 18, 18, 19, 19, 20]);
    let positions: Vec<Position> = empties
        .zip([Kind::Discs, Kind::Skewed, Kind::Game].into_iter().cycle())
        .map(|(empties, kind)| random_position(&mut rng, kind, empties))
        .collect();
    let solve_all = |config: Config, positions: &[Position]| -> Vec<(Option<Score>, u64)> {
        let mut solver = Searcher::new(config).expect("memory");
        let solutions =
            positions.iter().map(|&position| solver.solve(&request(position, Window::FULL)));
        solutions.map(|solution| (solution.bounds.exact(), solution.nodes)).collect()
    };
    let right = solve_all(small(), &positions);
    assert!(right.iter().all(|(score, _)| score.is_some()));
    let all = positions.len();
    let [zero, random, negated] = wrong_evaluations().map(|(_, evaluation)| evaluation);
    for (what, config, count) in [
        ("1 GiB", Config { table_bytes: 1 << 30, ..small() }, all),
        ("one bucket", Config { table_bytes: 0, ..small() }, all),
        ("no local tables", Config { local_tables: false, ..small() }, all),
        ("plain keys", Config { normalise_keys: false, ..small() }, all),
        ("no tables to speak of", Config { table_bytes: 0, local_tables: false, ..small() }, all),
        ("zero weights, one bucket", Config { evaluation: zero, table_bytes: 0, ..small() }, all),
        (
            "random weights, 4 KiB",
            Config { evaluation: random, table_bytes: 4 << 10, ..small() },
            all,
        ),
        // With three of 17 empties and no more: there they take twenty times as many nodes.
        (
            "negated weights, one bucket",
            Config { evaluation: negated, table_bytes: 0, ..small() },
            45,
        ),
    ] {
        let other = solve_all(config, &positions[..count]);
        let scores = |answers: &[(Option<Score>, u64)]| {
            answers.iter().map(|&(score, _)| score).collect::<Vec<_>>()
        };
        let nodes =
            |answers: &[(Option<Score>, u64)]| answers.iter().map(|&(_, nodes)| nodes).sum::<u64>();
        assert_eq!(scores(&other), scores(&right[..count]), "{what}");
        println!("{what}: {} nodes instead of {}", nodes(&other), nodes(&right[..count]));
        assert_ne!(
            other,
            right[..count],
            "{what} made no difference to the search: is it really in use?"
        );
    }
}

/// Positions that differ in the colours of solid discs share entries of the local tables, and games
/// that end early make that delicate. Each board is solved in many colourings of its solid discs,
/// one after the other with the same tables.
#[test]
fn solid_discs_in_all_colours() {
    let mut rng = rng(8);
    let mut solver = Searcher::new(config()).expect("a mebibyte");
    let mut recoloured = 0;
    for n in 0..4000 {
        // Round the empties nearly all discs are of one colour, so that moves run out early; the
        // solid discs are then what makes the score close.
        let occupied = !random_position(&mut rng, Kind::Discs, 5 + (n % 3)).empties();
        let solid = Bitboard(all_full(occupied.0));
        let mut sparse = Bitboard(
            rng.random::<u64>() & rng.random::<u64>() & rng.random::<u64>() & rng.random::<u64>(),
        );
        if rng.random() {
            sparse = !sparse;
        }
        for _ in 0..8 {
            let own = Bitboard(rng.random()) & solid | sparse & !solid;
            let position = Position::new(own & occupied, !own & occupied);
            recoloured += u32::from(!solid.is_empty());
            let truth = negamax(&board_of(&position));
            let alpha = (truth + rng.random_range(-8..8)).clamp(-64, 63);
            check(&mut solver, position, truth, (alpha, alpha + 1));
        }
    }
    assert!(recoloured > 6000, "{recoloured}");
}

/// A turned board has the same score, though moves are tried in another order.
#[test]
fn the_eight_symmetries_agree() {
    let mut rng = rng(6);
    let mut solver = Searcher::new(config()).expect("a mebibyte");
    for n in 0..60 {
        let kind = [Kind::Game, Kind::Discs, Kind::Skewed][n % 3];
        let position = random_position(&mut rng, kind, 8 + (n % 7) as u32);
        let score = solver.solve(&request(position, Window::FULL)).bounds;
        for symmetry in Symmetry::ALL {
            let turned = symmetry.position(position);
            assert_eq!(
                solver.solve(&request(turned, Window::FULL)).bounds,
                score,
                "{symmetry:?} of {position:?}"
            );
        }
    }
}

/// A cleared solver searches the same nodes as a new one: what fingerprints rely on.
#[test]
fn a_cleared_solver_is_as_new() {
    let mut rng = rng(7);
    let mut old = Searcher::new(config()).expect("a mebibyte");
    for _ in 0..20 {
        let position = random_position(&mut rng, Kind::Game, 13);
        old.clear();
        let again = old.solve(&request(position, Window::FULL));
        let fresh =
            Searcher::new(config()).expect("a mebibyte").solve(&request(position, Window::FULL));
        assert_eq!(again, fresh);
    }
}
