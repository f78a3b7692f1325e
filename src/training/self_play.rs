//! Training positions from games that Yose plays against itself.
//!
//! A game begins with random moves. After these, each move is the best one by the evaluation one
//! ply deep, or with some probability a random one. That probability is drawn for each game, from
//! a tenth to 1: a search meets positions after bad moves far more often than after good ones, and
//! an evaluation that is trained on sound play alone misjudges them. For the same reason each
//! position of a game is accompanied by another that is one to three random moves away. Positions
//! in which the side to move must pass are included, because the search meets them.
//!
//! A game depends on the seed and on its number only, so the positions do not depend on the number
//! of threads.

use std::convert::Infallible;
use std::ops::ControlFlow;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::search_settings::all_cores;
use super::stratified_sample::{EmptiesRange, StratifiedSample};
use crate::batch::ThreadError;
use crate::batch::executor::{TaskList, in_order};
use crate::eval::{Evaluation, Features, UNIT};
use crate::othello::{Position, Square};

/// The number of games of a task.
const GAMES_PER_TASK: usize = 64;

/// The number of unproductive tasks in a row after which the sample ends incomplete. A task is
/// unproductive if it adds less than one position per hundred games. Near the start of the game
/// there are only a few positions.
const MAX_UNPRODUCTIVE_TASKS: usize = 30;

/// What [`self_play`] collects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlay {
    /// The empties of the positions.
    pub empties: EmptiesRange,
    /// The number of positions, distributed evenly over the numbers of empties.
    pub count: usize,
    /// The seed of the games.
    pub seed: u64,
}

/// Plays games until the sample is complete or hardly any new position is found. Positions equal or
/// symmetric to one of `excluded` are left out. Calls `progress` with the number of positions.
///
/// # Errors
/// If a thread cannot be started.
pub fn self_play(
    options: &SelfPlay,
    evaluation: &Evaluation,
    excluded: &[Position],
    mut progress: impl FnMut(usize),
) -> Result<Vec<Position>, ThreadError> {
    let mut sample = StratifiedSample::new(options.empties, options.count);
    sample.exclude(excluded);
    let mut unproductive = 0;
    let play_games = |(): &mut (), task: usize| {
        let mut positions = Vec::new();
        for game in task * GAMES_PER_TASK..(task + 1) * GAMES_PER_TASK {
            play(options, evaluation, game as u64, &mut positions);
        }
        positions
    };
    if options.count > 0 {
        let mut workers = vec![(); all_cores().get()];
        let tasks = TaskList::new(0..);
        let Ok(()) = in_order(&mut workers, &tasks, play_games, |positions: Vec<Position>| {
            let added = positions.iter().filter(|position| sample.add(position)).count();
            unproductive = if added * 100 < GAMES_PER_TASK { unproductive + 1 } else { 0 };
            progress(sample.len());
            let is_last = sample.is_complete() || unproductive == MAX_UNPRODUCTIVE_TASKS;
            let flow = if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            Ok::<_, Infallible>(flow)
        })?;
    }
    Ok(sample.into_positions())
}

/// Plays one game and appends its positions.
fn play(options: &SelfPlay, evaluation: &Evaluation, game: u64, positions: &mut Vec<Position>) {
    let EmptiesRange { low, high } = options.empties;
    let seed = options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(game);
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    // The length of the random opening. It may reach into the range, but in most games at least
    // half of the plies before the range are sound play.
    let opening = rng.random_range(0..=(60 - high) / 2 + 8);
    // The probability of a random move, in twentieths.
    let random_in_20 = [2, 2, 2, 4, 4, 8, 8, 20][rng.random_range(0..8)];
    let mut position = Position::START;
    for ply in 0u32.. {
        let empties = position.empties().count();
        if empties < low || position.is_over() {
            return;
        }
        if empties <= high {
            positions.push(position);
            let mut neighbour = position;
            for _ in 0..rng.random_range(1..=3) {
                neighbour = random_move(&neighbour, &mut rng);
            }
            positions.push(neighbour);
        }
        position = if ply < opening || rng.random_range(0..20) < random_in_20 {
            random_move(&position, &mut rng)
        } else {
            good_move(&position, evaluation, &mut rng)
        };
    }
}

/// The position after a random move or a pass; the position itself if its game is over.
fn random_move(position: &Position, rng: &mut Pcg64Mcg) -> Position {
    let moves = position.moves();
    if moves.is_empty() {
        return if position.is_over() { *position } else { position.passed() };
    }
    let index = rng.random_range(0..moves.count());
    let square = moves.into_iter().nth(index as usize).expect("the index is below the count");
    position.after(square, position.flips(square))
}

/// The position after the best move by the evaluation one ply deep, or after a pass. Up to one disc
/// of random noise is added to each value, so that games differ.
fn good_move(position: &Position, evaluation: &Evaluation, rng: &mut Pcg64Mcg) -> Position {
    let features = Features::of(position);
    let empties = position.empties().count();
    let value = |square: Square| {
        let flips = position.flips(square);
        if flips == position.opponent {
            return 64 * UNIT;
        }
        -evaluation.value(&features.after(square, flips), empties - 1)
    };
    let best = position
        .moves()
        .into_iter()
        .max_by_key(|&square| value(square) + rng.random_range(0..=UNIT));
    best.map_or(position.passed(), |square| position.after(square, position.flips(square)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::othello::Symmetry;

    fn positions(options: &SelfPlay) -> Vec<Position> {
        self_play(options, &Evaluation::new(&Weights::zero()), &[], |_| ()).expect("threads")
    }

    #[test]
    fn positions_have_the_requested_empties_without_duplicates() {
        let options = SelfPlay { empties: EmptiesRange { low: 8, high: 11 }, count: 4002, seed: 7 };
        let found = positions(&options);
        let mut counts = [0; 61];
        found.iter().for_each(|position| counts[position.empties().count() as usize] += 1);
        assert_eq!(counts[8..12], [1001, 1001, 1000, 1000]);
        assert!(found.iter().all(|position| !position.is_over()));
        assert!(found.iter().any(|position| position.must_pass()));
        let different: std::collections::HashSet<_> =
            found.iter().map(|position| Symmetry::canonical(*position).0).collect();
        assert_eq!(different.len(), found.len());
    }

    #[test]
    fn the_seed_decides_and_excluded_positions_are_left_out() {
        let options = SelfPlay { empties: EmptiesRange { low: 20, high: 22 }, count: 300, seed: 7 };
        let found = positions(&options);
        assert_eq!(positions(&options), found);
        assert_ne!(positions(&SelfPlay { seed: 8, ..options }), found);
        let other = self_play(&options, &Evaluation::new(&Weights::zero()), &found, |_| ())
            .expect("threads");
        assert_eq!(other.len(), 300);
        assert!(other.iter().all(|position| !found.contains(position)));
    }

    #[test]
    fn the_sample_ends_incomplete_if_there_are_too_few_positions() {
        let options =
            SelfPlay { empties: EmptiesRange { low: 57, high: 59 }, count: 1000, seed: 1 };
        // Up to symmetry there are 1, 3 and 14 positions one to three plies from the start.
        assert_eq!(positions(&options).len(), 18);
    }
}
