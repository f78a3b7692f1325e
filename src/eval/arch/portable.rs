//! The kernels in plain Rust, which define what those of the other tiers must give.

use crate::eval::Features;
use crate::eval::patterns::{CENTRES, FEATURES, LANES, STEPS};
use crate::othello::{Bitboard, Position, Square};

/// The features of a position: every disc adds or takes its square's steps.
pub fn extract(position: &Position) -> Features {
    let mut features = [0; LANES];
    for (discs, digit) in [(position.player, 1), (position.opponent, -1)] {
        for square in discs {
            for (feature, step) in features.iter_mut().zip(&STEPS[square.index()].0) {
                *feature += digit * step;
            }
        }
    }
    Features(features)
}

/// The features after a move: the square's digit grows from 0 to 1, those of the flipped discs from -1 to 1, and then all
/// change their signs, as the other side looks at them.
#[inline(always)]
pub fn after(features: &Features, square: Square, flips: Bitboard) -> Features {
    let mut flipped = [0; LANES];
    for square in flips {
        for (sum, step) in flipped.iter_mut().zip(&STEPS[square.index()].0) {
            *sum += step;
        }
    }
    let steps = &STEPS[square.index()].0;
    Features(std::array::from_fn(|lane| -(features.0[lane] + flipped[lane] + steps[lane] + flipped[lane])))
}

/// The sum of the features' weights, a packed word for two stages; `table` holds those of all kinds one after the other and a zero
/// behind them.
#[inline(always)]
pub fn sum(table: &[i32], features: &Features) -> i32 {
    let weights = (0..FEATURES).map(|lane| table[(CENTRES[lane] + i32::from(features.0[lane])) as usize]);
    weights.fold(0, i32::wrapping_add)
}
