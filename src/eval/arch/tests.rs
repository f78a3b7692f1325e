//! Every kernel of every tier in this build against plain Rust, to the last bit: along random
//! games, and for features and tables of every bit pattern.

mod boards;

use std::sync::LazyLock;

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::portable;
use crate::eval::Features;
use crate::eval::patterns::{
    CONFIGURATIONS, FEATURES, LANES, PATTERNS, TABLE_WORDS, configurations,
};
use crate::eval::tapered::{high, low, pack};
use crate::othello::{Bitboard, Position, Square};
use boards::{check_all_configurations, game, random_table};

/// A table of words of every bit pattern.
static RANDOM_TABLE: LazyLock<Box<[i32; TABLE_WORDS]>> = LazyLock::new(random_table);

#[test]
fn the_random_games_have_passes() {
    assert!((0..20).flat_map(game).any(|(placed, _)| placed.is_none()));
}

/// Features of every bit pattern, also those of no board. The lanes without a pattern are zero.
fn any_features() -> impl Strategy<Value = Features> {
    any::<[[i16; FEATURES / 2]; 2]>().prop_map(|halves| {
        let mut features = Features([0; LANES]);
        features.0[..FEATURES].copy_from_slice(halves.as_flattened());
        features
    })
}

fn any_square() -> impl Strategy<Value = Square> {
    (0u8..64).prop_map(Square::new)
}

macro_rules! extract {
    ($name:ident, $kernel:path) => {
        mod $name {
            use super::*;

            #[test]
            fn along_games() {
                for (_, position) in (0..20).flat_map(game) {
                    assert_eq!($kernel(&position), portable::extract(&position));
                }
            }

            #[test]
            fn of_every_configuration() {
                check_all_configurations(|position| *$kernel(position).as_array());
            }

            proptest! {
                #[test]
                fn of_any_boards(player: u64, opponent: u64) {
                    let (player, opponent) = (Bitboard(player), Bitboard(opponent));
                    let position = Position { player, opponent };
                    prop_assert_eq!($kernel(&position), portable::extract(&position));
                }
            }
        }
    };
}

macro_rules! after {
    ($tier:ident) => {
        #[test]
        fn after_follows_games() {
            for seed in 0..20 {
                let mut features = Features::of(&Position::START);
                for (placed, position) in game(seed) {
                    features = match placed {
                        Some((square, flips)) => {
                            super::super::$tier::after(&features, square, flips)
                        }
                        None => features.passed(),
                    };
                    assert_eq!(features, portable::extract(&position));
                }
            }
        }

        proptest! {
            #[test]
            fn after_of_any_features(
                features in any_features(), square in any_square(), flips: u64,
            ) {
                let after = super::super::$tier::after(&features, square, Bitboard(flips));
                prop_assert_eq!(after, portable::after(&features, square, Bitboard(flips)));
            }
        }
    };
}

macro_rules! sum {
    ($tier:ident) => {
        #[test]
        fn sum_along_games() {
            for (_, position) in (0..20).flat_map(game) {
                let features = Features::of(&position);
                let sum = super::super::$tier::sum(&RANDOM_TABLE, &features);
                assert_eq!(sum, portable::sum(&RANDOM_TABLE, &features));
            }
        }

        proptest! {
            #[test]
            fn sum_of_any_features(features in any_features()) {
                let sum = super::super::$tier::sum(&RANDOM_TABLE, &features);
                prop_assert_eq!(sum, portable::sum(&RANDOM_TABLE, &features));
            }
        }
    };
}

extract!(extract_by_disc, portable::extract);

mod portable_tier {
    use super::*;

    after!(portable);
    sum!(portable);
}

#[cfg(tier_v3)]
mod avx2 {
    use super::*;

    extract!(extract_by_shuffle, super::super::super::avx2::extract);
    after!(avx2);
}

#[cfg(tier_v4)]
mod avx512 {
    use super::*;

    extract!(extract_by_shuffle, super::super::super::avx512::extract);
    sum!(avx512);
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use super::*;

    extract!(extract_by_table, super::super::super::neon::extract);
    sum!(neon);
}

#[test]
fn one_sum_of_words_is_the_two_sums_of_their_halves() {
    let mut rng = SmallRng::seed_from_u64(4);
    // 46 of them stay within 16 bits.
    let mut weight = || rng.random_range(-712..=712i16);
    let weights: Vec<[i16; 2]> = (0..CONFIGURATIONS).map(|_| [weight(), weight()]).collect();
    let table = |word: fn([i16; 2]) -> i32| -> Box<[i32; TABLE_WORDS]> {
        let words =
            weights.iter().map(|&halves| word(halves)).chain([0; TABLE_WORDS - CONFIGURATIONS]);
        words.collect::<Box<[i32]>>().try_into().expect("as long as a table")
    };
    let packed = table(|[a, b]| pack(a, b));
    let separate = [table(|[a, _]| a.into()), table(|[_, b]| b.into())];
    for (_, position) in (0..20).flat_map(game) {
        let features = Features::of(&position);
        let sum = super::sum(&packed, &features);
        assert_eq!(
            [low(sum), high(sum)],
            [0, 1].map(|half| super::sum(&separate[half], &features))
        );
    }
}
