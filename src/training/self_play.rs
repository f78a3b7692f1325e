//! Positions from games that Yose plays against itself.
//!
//! A game begins with random moves, and goes on with those that the evaluation likes best one ply
//! ahead, but for a share of random ones. That share differs from game to game, from a tenth to
//! all: a search meets the boards behind bad moves far more often than those behind good ones, and
//! an evaluation that has seen only sound play misjudges them. For the same reason every position
//! is taken together with one that lies a few random moves away. Positions in which the side to
//! move must pass belong in, as they do in the search.
//!
//! A game is a function of the seed and its number, so the same positions are found on any number
//! of threads.

use std::ops::ControlFlow;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::pool::{Empties, Pool};
use super::work::{all_cores, in_order};
use crate::eval::{Evaluation, Features, UNIT};
use crate::othello::{Position, Square};

/// Games of a piece of work.
const GAMES: usize = 64;

/// After so many pieces in a row that brought less than one new position in a hundred games, no
/// more is to be had. (There is but a handful of positions near the start.)
const FRUITLESS: usize = 30;

/// What positions are wanted, and how they are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlay {
    /// The empties of the positions.
    pub empties: Empties,
    /// How many positions, shared evenly among the numbers of empties.
    pub count: usize,
    /// The games' seed.
    pub seed: u64,
}

/// Plays games until there are as many positions as wanted, or no more to be had. Positions
/// symmetric to those of `known` are left out. `each` is told how many there are, now and then.
pub fn self_play(
    wanted: &SelfPlay,
    evaluation: &Evaluation,
    known: &[Position],
    mut each: impl FnMut(usize),
) -> Vec<Position> {
    let mut pool = Pool::new(wanted.empties, wanted.count);
    pool.exclude(known);
    let mut fruitless = 0;
    let work = |(): &mut (), piece: usize| {
        let mut positions = Vec::new();
        for game in piece * GAMES..(piece + 1) * GAMES {
            play(wanted, evaluation, game as u64, &mut positions);
        }
        positions
    };
    if wanted.count > 0 {
        in_order(usize::MAX, vec![(); all_cores().get()], work, |_, positions| {
            let new = positions.iter().filter(|position| pool.offer(position)).count();
            fruitless = if new * 100 < GAMES { fruitless + 1 } else { 0 };
            each(pool.len());
            if pool.is_full() || fruitless == FRUITLESS {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
    }
    pool.into_positions()
}

/// Plays one game and adds its positions.
fn play(wanted: &SelfPlay, evaluation: &Evaluation, game: u64, positions: &mut Vec<Position>) {
    let Empties { low, high } = wanted.empties;
    let mut rng =
        Pcg64Mcg::seed_from_u64(wanted.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(game));
    // The random opening may reach into the range, but leaves half of the way to it to sound play
    // more often than not.
    let opening = rng.random_range(0..=(60 - high) / 2 + 8);
    let random_in_20 = [2, 2, 2, 4, 4, 8, 8, 20][rng.random_range(0..8)];
    let mut position = Position::START;
    for ply in 0u32.. {
        let empties = position.empties().count();
        if empties < low || position.is_over() {
            return;
        }
        if empties <= high {
            positions.push(position);
            let mut aside = position;
            for _ in 0..rng.random_range(1..=3) {
                aside = random_move(&aside, &mut rng);
            }
            positions.push(aside);
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
    let number = rng.random_range(0..moves.count());
    let square = moves.into_iter().nth(number as usize).expect("the number is below the count");
    position.after(square, position.flips(square))
}

/// The position after the move that looks best one ply ahead, or after a pass. Moves within a disc
/// of each other are taken by chance, so that games differ.
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
    use crate::training::data::canonical;

    fn positions(wanted: &SelfPlay) -> Vec<Position> {
        self_play(wanted, &Evaluation::new(&Weights::zero()), &[], |_| ())
    }

    #[test]
    fn positions_are_as_asked_for() {
        let wanted = SelfPlay { empties: Empties { low: 8, high: 11 }, count: 4002, seed: 7 };
        let found = positions(&wanted);
        let mut counts = [0; 61];
        found.iter().for_each(|position| counts[position.empties().count() as usize] += 1);
        assert_eq!(counts[8..12], [1001, 1001, 1000, 1000]);
        assert!(found.iter().all(|position| !position.is_over()));
        assert!(found.iter().any(|position| position.must_pass()));
        let different: std::collections::HashSet<_> = found.iter().map(canonical).collect();
        assert_eq!(different.len(), found.len());
    }

    #[test]
    fn the_seed_decides_and_what_is_known_is_left_out() {
        let wanted = SelfPlay { empties: Empties { low: 20, high: 22 }, count: 300, seed: 7 };
        let found = positions(&wanted);
        assert_eq!(positions(&wanted), found);
        assert_ne!(positions(&SelfPlay { seed: 8, ..wanted }), found);
        let other = self_play(&wanted, &Evaluation::new(&Weights::zero()), &found, |_| ());
        assert_eq!(other.len(), 300);
        assert!(other.iter().all(|position| !found.contains(position)));
    }

    #[test]
    fn it_ends_where_there_are_too_few() {
        let wanted = SelfPlay { empties: Empties { low: 57, high: 59 }, count: 1000, seed: 1 };
        // Up to symmetry there are 1, 3 and 14 positions one to three plies from the start.
        assert_eq!(positions(&wanted).len(), 18);
    }
}
