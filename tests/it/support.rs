//! The rules once more, as plainly as they can be said: no bitboards, no tables, no pruning. What
//! Yose computes is held against this.

use std::sync::Arc;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use yose::eval::{Evaluation, Weights};
use yose::othello::{Bitboard, Position, Square};

/// A board of 64 squares: 1 the side to move, -1 the other, 0 empty.
pub type Board = [i8; 64];

pub fn board_of(position: &Position) -> Board {
    let mut board = [0; 64];
    for square in position.player {
        board[square.index()] = 1;
    }
    for square in position.opponent {
        board[square.index()] = -1;
    }
    board
}

/// The board after a move, seen by the other side. `None` if the move is not legal.
fn after_move(board: &Board, square: usize) -> Option<Board> {
    if board[square] != 0 {
        return None;
    }
    let mut child = *board;
    for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        // The square after so many steps, if it is on the board.
        let at = |steps: usize| {
            let x = (square % 8) as i32 + dx * steps as i32;
            let y = (square / 8) as i32 + dy * steps as i32;
            ((0..8).contains(&x) && (0..8).contains(&y)).then_some((y * 8 + x) as usize)
        };
        let is = |steps: usize, disc: i8| at(steps).is_some_and(|at| board[at] == disc);
        let mut others = 0;
        while is(others + 1, -1) {
            others += 1;
        }
        if is(others + 1, 1) {
            for turned in (1..=others).filter_map(at) {
                child[turned] = 1;
            }
        }
    }
    if child == *board {
        return None;
    }
    child[square] = 1;
    Some(child.map(|disc| -disc))
}

/// The legal moves, and the boards that they lead to.
pub fn children(board: &Board) -> impl Iterator<Item = (usize, Board)> {
    (0..64).filter_map(|square| Some((square, after_move(board, square)?)))
}

/// The score of perfect play for the side to move, by trying everything.
pub fn negamax(board: &Board) -> i32 {
    if let Some(best) = children(board).map(|(_, child)| -negamax(&child)).max() {
        return best;
    }
    let passed = board.map(|disc| -disc);
    if children(&passed).next().is_some() {
        return -negamax(&passed);
    }
    let count = |colour: i8| board.iter().filter(|&&disc| disc == colour).count() as i32;
    match count(1) - count(-1) {
        0 => 0,
        won if won > 0 => won + count(0),
        lost => lost - count(0),
    }
}

/// The score of perfect play, if it lies between `alpha` and `beta`; else a bound on that side of
/// the window. The same as [`negamax`] but for a move that is left out where another one has
/// reached `beta`. `None` if the tree has more than `budget` nodes; what is left of it is changed.
pub fn alpha_beta(board: &Board, alpha: i32, beta: i32, budget: &mut u32) -> Option<i32> {
    *budget = budget.checked_sub(1)?;
    let mut best: Option<i32> = None;
    for (_, child) in children(board) {
        let floor = best.map_or(alpha, |best| best.max(alpha));
        best = best.max(Some(-alpha_beta(&child, -beta, -floor, budget)?));
        if best >= Some(beta) {
            break;
        }
    }
    if best.is_some() {
        return best;
    }
    let passed = board.map(|disc| -disc);
    if children(&passed).next().is_some() {
        return Some(-alpha_beta(&passed, -beta, -alpha, budget)?);
    }
    // The game is over, so this counts the discs.
    Some(negamax(board))
}

/// Every legal move's score.
pub fn move_scores(board: &Board) -> Vec<(usize, i32)> {
    children(board).map(|(square, child)| (square, -negamax(&child))).collect()
}

/// How a random position comes about.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Random moves from the start position.
    Game,
    /// Random discs on all squares but a few: positions that no game reaches.
    Discs,
    /// The same with few discs of one side: wipeouts, passes and games that end early.
    Skewed,
}

/// A random position with this many empties.
pub fn random_position(rng: &mut SmallRng, kind: Kind, empties: u32) -> Position {
    loop {
        let position = match kind {
            Kind::Game => random_game(rng, empties),
            Kind::Discs | Kind::Skewed => {
                let mut occupied = !0u64;
                while occupied.count_zeros() < empties {
                    // Holes gather in corners and along edges in real endgames; half of them do
                    // here.
                    let square =
                        if rng.random() { rng.random_range(0..64) } else { edge_square(rng) };
                    occupied &= !(1 << square);
                }
                let mut own = rng.random::<u64>();
                if matches!(kind, Kind::Skewed) {
                    own &= rng.random::<u64>() & rng.random::<u64>();
                    if rng.random() {
                        own = !own;
                    }
                }
                Some(Position::new(Bitboard(own & occupied), Bitboard(!own & occupied)))
            }
        };
        if let Some(position) = position {
            return position;
        }
    }
}

fn edge_square(rng: &mut SmallRng) -> u32 {
    let (along, side) = (rng.random_range(0..8), rng.random_range(0..4));
    match side {
        0 => along,
        1 => 56 + along,
        2 => 8 * along,
        _ => 8 * along + 7,
    }
}

/// The position with this many empties in a random game, if the game gets there.
fn random_game(rng: &mut SmallRng, empties: u32) -> Option<Position> {
    let mut position = Position::START;
    while position.empties().count() > empties {
        let moves: Vec<Square> = position.moves().into_iter().collect();
        if moves.is_empty() {
            if position.passed().moves().is_empty() {
                return None;
            }
            position = position.passed();
        } else {
            position =
                position.play(moves[rng.random_range(0..moves.len())]).expect("a legal move");
        }
    }
    Some(position)
}

/// Evaluations that are wrong in different ways: they know nothing, are noise, or take the worst
/// for the best.
pub fn wrong_evaluations() -> [(&'static str, Arc<Evaluation>); 3] {
    let embedded = Weights::embedded().expect("the embedded weights are sound");
    let mut rng = rng(9);
    // Two discs each way: the noise of 46 of them is some eight discs, more than the embedded
    // weights err.
    let random = embedded.map(|_| rng.random_range(-128..=128));
    let negated = embedded.map(|weight| -weight);
    [("zero weights", Weights::zero()), ("random weights", random), ("negated weights", negated)]
        .map(|(name, weights)| (name, Arc::new(Evaluation::new(&weights))))
}

pub fn rng(seed: u64) -> SmallRng {
    SmallRng::seed_from_u64(seed)
}
