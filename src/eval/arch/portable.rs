//! The kernels in plain Rust, which define what those of the other tiers must give.
//!
//! They are defined for all features, those of no board too: additions wrap, and an index outside
//! the table reads its last word, which is a zero. So safe code cannot make a wider kernel read out
//! of bounds, nor differ from this one.

use crate::eval::Features;
use crate::eval::codes::Code;
use crate::eval::patterns::{CENTRES, FEATURES, LANES, STEPS, TABLE};
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

/// The two-bit code of eight squares, that of an own disc 1, of an opponent's 2; in the upper half
/// of the word, with the colours swapped.
#[inline(always)]
pub fn code(code: &Code, position: &Position) -> u32 {
    let mut bits = 0;
    for (place, square) in code.squares.into_iter().enumerate() {
        let own = (position.player.0 >> square.index()) as u32 & 1;
        let other = (position.opponent.0 >> square.index()) as u32 & 1;
        bits |= (own | other << 1 | other << 16 | own << 17) << (2 * place);
    }
    bits
}

/// The features after a move: the square's digit grows from 0 to 1, those of the flipped discs from
/// -1 to 1, and then all change their signs, as the other side looks at them.
#[inline(always)]
pub fn after(features: &Features, square: Square, flips: Bitboard) -> Features {
    let mut flipped = [0i16; LANES];
    for square in flips {
        let steps = &STEPS[square.index()].0;
        flipped = std::array::from_fn(|lane| flipped[lane].wrapping_add(steps[lane]));
    }
    let steps = &STEPS[square.index()].0;
    let change = |lane: usize| steps[lane].wrapping_add(flipped[lane]).wrapping_add(flipped[lane]);
    Features(std::array::from_fn(|lane| features.0[lane].wrapping_add(change(lane)).wrapping_neg()))
}

/// The sum of the features' weights, a packed word for two stages; `table` holds those of all kinds
/// one after the other and zeros behind them.
#[inline(always)]
pub fn sum(table: &[i32; TABLE], features: &Features) -> i32 {
    let index = |lane| (CENTRES[lane] + i32::from(features.0[lane])) as usize;
    (0..FEATURES).map(|lane| table[index(lane).min(TABLE - 1)]).fold(0, i32::wrapping_add)
}
