//! Boards and tables on which kernels of the evaluation are tested.
//!
//! Two modules use this file: the tests of the program's kernels, and `evaluation_alternatives`
//! among the integration tests, which tests the kernels that are only benchmarked. The types come
//! from the module that includes it, since one names the library `crate` and the other `yose`.

use rand::rngs::SmallRng;
use rand::{Rng, RngExt, SeedableRng};

use super::{
    Bitboard, CONFIGURATIONS, LANES, PATTERNS, Position, Square, TABLE_WORDS, configurations,
};

/// A table of words of every bit pattern, with zeros behind the weights.
pub fn random_table() -> Box<[i32; TABLE_WORDS]> {
    let mut rng = SmallRng::seed_from_u64(3);
    let word = |index| if index < CONFIGURATIONS { rng.next_u32() as i32 } else { 0 };
    (0..TABLE_WORDS).map(word).collect::<Box<[i32]>>().try_into().expect("as long as a table")
}

/// A random game to its end: each position after the first, with the move that leads to it. `None`
/// is a pass.
pub fn game(seed: u64) -> Vec<(Option<(Square, Bitboard)>, Position)> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut position = Position::START;
    let mut game = Vec::new();
    loop {
        let moves: Vec<Square> = position.moves().into_iter().collect();
        let placed = (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())]);
        let placed = placed.map(|square| (square, position.flips(square)));
        position = match placed {
            Some((square, flips)) => position.after(square, flips),
            None if position.passed().moves().is_empty() => return game,
            None => position.passed(),
        };
        game.push((placed, position));
    }
}

/// Every configuration of every pattern, with random discs on all other squares: the feature is the
/// number of the configuration.
pub fn check_all_configurations(extract: impl Fn(&Position) -> [i16; LANES]) {
    let mut rng = SmallRng::seed_from_u64(5);
    for (feature, pattern) in PATTERNS.iter().enumerate() {
        let squares: Bitboard = pattern.squares().iter().copied().collect();
        for index in 0..configurations(pattern.kind) {
            let occupied = rng.next_u64() & !squares.0;
            let player = occupied & rng.next_u64();
            let mut position =
                Position { player: Bitboard(player), opponent: Bitboard(occupied & !player) };
            let mut rest = index;
            for &square in pattern.squares().iter().rev() {
                match rest % 3 {
                    0 => position.opponent |= Bitboard::of(square),
                    1 => (),
                    _ => position.player |= Bitboard::of(square),
                }
                rest /= 3;
            }
            let number = index as i32 - (configurations(pattern.kind) / 2) as i32;
            assert_eq!(i32::from(extract(&position)[feature]), number, "{pattern:?}, {position:?}");
        }
    }
}
