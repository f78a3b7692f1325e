//! The kernels in plain Rust. They define the results of the other tiers.
//!
//! They are defined for all features, also for those that belong to no board: additions wrap, and
//! an index outside the table is replaced by the last one, whose word is zero. So safe code can
//! make no kernel read out of bounds, and all tiers agree on every input.

use crate::eval::Features;
use crate::eval::patterns::{EMPTY_INDICES, FEATURE_DELTAS, FEATURES, LANES, TABLE_WORDS};
use crate::othello::{Bitboard, Position, Square};

/// The features of a position: the sum of the deltas of own discs, less those of the opponent's.
pub fn extract(position: &Position) -> Features {
    let mut features = [0; LANES];
    for (discs, digit) in [(position.player, 1), (position.opponent, -1)] {
        for square in discs {
            for (feature, delta) in features.iter_mut().zip(&FEATURE_DELTAS[square.index()].0) {
                *feature += digit * delta;
            }
        }
    }
    Features(features)
}

/// The features after a move, seen by the opponent: the digit of `square` grows from 0 to 1, those
/// of the flipped discs from -1 to 1, and all change their signs.
#[inline(always)]
pub fn after(features: &Features, square: Square, flips: Bitboard) -> Features {
    let mut flipped = [0i16; LANES];
    for square in flips {
        let deltas = &FEATURE_DELTAS[square.index()].0;
        flipped = std::array::from_fn(|lane| flipped[lane].wrapping_add(deltas[lane]));
    }
    let deltas = &FEATURE_DELTAS[square.index()].0;
    let change = |lane: usize| deltas[lane].wrapping_add(flipped[lane]).wrapping_add(flipped[lane]);
    Features(std::array::from_fn(|lane| features.0[lane].wrapping_add(change(lane)).wrapping_neg()))
}

/// The sum of the weights of all features, as a word of two stages. `table` has the words of all
/// kinds one after the other, and zeros behind them.
#[inline(always)]
pub fn sum(table: &[i32; TABLE_WORDS], features: &Features) -> i32 {
    let index = |lane| (EMPTY_INDICES[lane] + i32::from(features.0[lane])) as usize;
    (0..FEATURES).map(|lane| table[index(lane).min(TABLE_WORDS - 1)]).fold(0, i32::wrapping_add)
}
