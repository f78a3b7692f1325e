//! Every kernel of every tier that this build holds, against plain Rust, to the last bit: along
//! random games, and for features and tables of every bit pattern.

use std::sync::LazyLock;

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{Rng, RngExt, SeedableRng};

use super::portable;
use crate::eval::codes::Code;
use crate::eval::packed::{early, late, pack};
use crate::eval::patterns::{FEATURES, INDICES, LANES, PATTERNS, TABLE, indices_of};
use crate::eval::{Features, gather};
use crate::othello::{Bitboard, Position, Square, Symmetry};

/// A table of words of every bit pattern, with zeros behind the weights.
static TABLE_OF_ALL: LazyLock<Box<[i32; TABLE]>> = LazyLock::new(|| {
    let mut rng = SmallRng::seed_from_u64(3);
    let word = |index| if index < INDICES { rng.next_u32() as i32 } else { 0 };
    (0..TABLE).map(word).collect::<Box<[i32]>>().try_into().expect("as long as a table")
});

/// A random game with its passes, to the very end: each position but the first with the move (none
/// for a pass) that leads to it.
fn game(seed: u64) -> Vec<(Option<(Square, Bitboard)>, Position)> {
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

#[test]
fn games_have_passes() {
    assert!((0..20).flat_map(game).any(|(placed, _)| placed.is_none()));
}

/// Features of all bit patterns, also those of no board. The unused lanes are always zero.
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

/// Every filling of every pattern, with junk on all other squares: the pattern's feature is the
/// number that its digits spell.
fn check_all_fillings(extract: impl Fn(&Position) -> Features) {
    let mut rng = SmallRng::seed_from_u64(5);
    for (feature, pattern) in PATTERNS.iter().enumerate() {
        let squares: Bitboard = pattern.squares().iter().copied().collect();
        for filling in 0..indices_of(pattern.kind) {
            let occupied = rng.next_u64() & !squares.0;
            let player = occupied & rng.next_u64();
            let mut position =
                Position { player: Bitboard(player), opponent: Bitboard(occupied & !player) };
            let mut rest = filling;
            for &square in pattern.squares().iter().rev() {
                match rest % 3 {
                    0 => position.opponent |= Bitboard::of(square),
                    1 => (),
                    _ => position.player |= Bitboard::of(square),
                }
                rest /= 3;
            }
            let number = filling as i32 - (indices_of(pattern.kind) / 2) as i32;
            assert_eq!(
                i32::from(extract(&position).0[feature]),
                number,
                "{pattern:?}, {position:?}"
            );
        }
    }
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
            fn of_every_filling() {
                check_all_fillings($kernel);
            }

            proptest! {
                #[test]
                fn of_anything(player: u64, opponent: u64) {
                    let position = Position { player: Bitboard(player), opponent: Bitboard(opponent) };
                    prop_assert_eq!($kernel(&position), portable::extract(&position));
                }
            }
        }
    };
}

/// The squares of an edge in the eight orientations, from its first square on.
fn edges() -> impl Iterator<Item = [Square; 8]> {
    let top: [Square; 8] = std::array::from_fn(|file| Square::new(file as u8));
    Symmetry::ALL.into_iter().map(move |symmetry| top.map(|square| symmetry.square(square)))
}

macro_rules! code {
    ($tier:ident) => {
        proptest! {
            /// Against the bits that the gathering by multiplication gives.
            #[test]
            fn code_of_edges(player: u64, other: u64) {
                let position = Position { player: Bitboard(player), opponent: Bitboard(other & !player) };
                for squares in edges() {
                    let [own, other] = [position.player, position.opponent].map(|discs| gather::bits(&squares, discs));
                    let interleaved = |low: u8, high: u8| {
                        (0..8).fold(0, |code, i| code | u32::from(low >> i & 1) << (2 * i) | u32::from(high >> i & 1) << (2 * i + 1))
                    };
                    let expect = interleaved(own, other) | interleaved(other, own) << 16;
                    prop_assert_eq!(super::super::$tier::code(&Code::new(squares), &position), expect);
                }
            }

            #[test]
            fn code_of_any_squares(player: u64, opponent: u64, squares: [u8; 8]) {
                let code = Code::new(squares.map(|square| Square::new(square % 64)));
                let position = Position { player: Bitboard(player), opponent: Bitboard(opponent) };
                prop_assert_eq!(super::super::$tier::code(&code, &position), portable::code(&code, &position));
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
            fn after_of_anything(features in any_features(), square in any_square(), flips: u64) {
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
                let sum = super::super::$tier::sum(&TABLE_OF_ALL, &features);
                assert_eq!(sum, portable::sum(&TABLE_OF_ALL, &features));
            }
        }

        proptest! {
            #[test]
            fn sum_of_anything(features in any_features()) {
                let sum = super::super::$tier::sum(&TABLE_OF_ALL, &features);
                prop_assert_eq!(sum, portable::sum(&TABLE_OF_ALL, &features));
            }
        }
    };
}

extract!(extract_by_disc, portable::extract);
extract!(extract_by_product, gather::extract);

mod portable_tier {
    use super::*;

    code!(portable);
    after!(portable);
    sum!(portable);
}

#[cfg(tier_v3)]
mod avx2 {
    use super::*;

    extract!(extract_by_shuffle, super::super::super::avx2::extract);
    extract!(extract_by_pext, super::super::super::avx2::extract_by_pext);
    code!(avx2);
    after!(avx2);
    sum!(avx2);
}

#[cfg(tier_v4)]
mod avx512 {
    use super::*;

    extract!(extract_by_shuffle, super::super::super::avx512::extract);
    code!(avx512);
    sum!(avx512);
}

/// The purpose of the packing: one sum of words is the two sums of their halves.
#[test]
fn one_packed_sum_is_two_sums() {
    let mut rng = SmallRng::seed_from_u64(4);
    // 46 of them stay within 16 bits.
    let mut weight = || rng.random_range(-712..=712i16);
    let weights: Vec<[i16; 2]> = (0..INDICES).map(|_| [weight(), weight()]).collect();
    let table = |word: fn([i16; 2]) -> i32| -> Box<[i32; TABLE]> {
        let words = weights.iter().map(|&halves| word(halves)).chain([0; TABLE - INDICES]);
        words.collect::<Box<[i32]>>().try_into().expect("as long as a table")
    };
    let packed = table(|[a, b]| pack(a, b));
    let separate = [table(|[a, _]| a.into()), table(|[_, b]| b.into())];
    for (_, position) in (0..20).flat_map(game) {
        let features = Features::of(&position);
        let sum = super::sum(&packed, &features);
        assert_eq!(
            [early(sum), late(sum)],
            [0, 1].map(|half| super::sum(&separate[half], &features))
        );
    }
}
