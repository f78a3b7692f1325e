//! The tests of the kernels that are only benchmarked (`benches/evaluation/alternatives`): each
//! against the program's kernel in plain Rust, to the last bit.

#[path = "../../benches/evaluation/alternatives/mod.rs"]
mod alternatives;
// The sum, which needs the random table, is of tier v3.
#[cfg_attr(not(tier_v3), expect(dead_code))]
#[path = "../../src/eval/arch/tests/boards.rs"]
mod boards;

use proptest::prelude::*;
use yose::eval::arch::portable;
use yose::eval::patterns::{CONFIGURATIONS, LANES, PATTERNS, TABLE_WORDS, configurations};
use yose::othello::{Bitboard, Position, Square, Symmetry};

use alternatives::products::{self, DIRECT, Direct};
use alternatives::two_bit_codes::{self, Code};
use boards::{check_all_configurations, game};

macro_rules! extract {
    ($name:ident, $kernel:path) => {
        mod $name {
            use super::*;

            #[test]
            fn along_games() {
                for (_, position) in (0..20).flat_map(game) {
                    assert_eq!(&$kernel(&position), portable::extract(&position).as_array());
                }
            }

            #[test]
            fn of_every_configuration() {
                check_all_configurations($kernel);
            }

            proptest! {
                #[test]
                fn of_any_boards(player: u64, opponent: u64) {
                    let position =
                        Position { player: Bitboard(player), opponent: Bitboard(opponent) };
                    prop_assert_eq!($kernel(&position), *portable::extract(&position).as_array());
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
    ($name:ident, $kernel:path) => {
        mod $name {
            use super::*;

            proptest! {
                /// Against the code put together square by square.
                #[test]
                fn of_edges(player: u64, other: u64) {
                    let position =
                        Position { player: Bitboard(player), opponent: Bitboard(other & !player) };
                    for squares in edges() {
                        let code = |first: Bitboard, second: Bitboard| {
                            (0..8).fold(0, |code, n| {
                                let has = |discs: Bitboard| u32::from(discs.contains(squares[n]));
                                code | (has(first) | has(second) << 1) << (2 * n)
                            })
                        };
                        let expect = code(position.player, position.opponent)
                            | code(position.opponent, position.player) << 16;
                        prop_assert_eq!($kernel(&Code::new(squares), &position), expect);
                    }
                }

                #[test]
                fn of_any_squares(player: u64, opponent: u64, squares: [u8; 8]) {
                    let code = Code::new(squares.map(|square| Square::new(square % 64)));
                    let position =
                        Position { player: Bitboard(player), opponent: Bitboard(opponent) };
                    prop_assert_eq!(
                        $kernel(&code, &position),
                        two_bit_codes::portable(&code, &position)
                    );
                }
            }
        }
    };
}

extract!(extract_by_products, products::extract);
code!(code_portable, two_bit_codes::portable);

#[cfg(tier_v3)]
mod avx2 {
    use std::sync::LazyLock;

    use yose::eval::Features;
    use yose::eval::patterns::{EMPTY_INDICES, FEATURES};

    use super::alternatives::avx2::{extract_by_pext, sum};
    use super::boards::random_table;
    use super::*;

    extract!(extract_with_pext, extract_by_pext);
    code!(code_avx2, two_bit_codes::avx2);

    /// A table of words of every bit pattern.
    static TABLE: LazyLock<Box<[i32; TABLE_WORDS]>> = LazyLock::new(random_table);

    #[test]
    fn gathered_sum_along_games() {
        for (_, position) in (0..20).flat_map(game) {
            let features = Features::of(&position);
            let expect = portable::sum(&TABLE, &features);
            assert_eq!(sum(&TABLE, features.as_array()), expect);
        }
    }

    proptest! {
        /// Features of every bit pattern, also those of no board.
        #[test]
        fn gathered_sum_of_any_features(halves: [[i16; FEATURES / 2]; 2]) {
            let mut features = [0; LANES];
            features[..FEATURES].copy_from_slice(halves.as_flattened());
            let expect = (0..FEATURES).fold(0i32, |sum, lane| {
                let index = (EMPTY_INDICES[lane] + i32::from(features[lane])) as usize;
                sum.wrapping_add(TABLE[index.min(TABLE_WORDS - 1)])
            });
            prop_assert_eq!(sum(&TABLE, &features), expect);
        }
    }
}

#[cfg(tier_v4)]
mod avx512 {
    use super::*;

    code!(code_avx512, two_bit_codes::avx512);
}

/// The parts that the source computes directly, and the files of the corner patterns.
#[test]
fn short_diagonals_and_files_are_direct() {
    let squares = |part: &Direct| part.gather.mask.count_ones();
    let of_kind = |kind| DIRECT.iter().filter(move |part| PATTERNS[part.feature].kind == kind);
    // Diagonals of five and four squares, in both directions.
    assert_eq!((of_kind(10).count(), of_kind(11).count()), (4, 4));
    // Diagonals of six squares in steps of nine bits.
    assert_eq!(of_kind(9).count(), 2);
    // No longer diagonal.
    assert_eq!((7..=8).flat_map(of_kind).count(), 0);
    // The files of four squares below a corner, and the X squares. Rows of five need a table.
    let mut lengths: Vec<_> = of_kind(1).map(squares).collect();
    lengths.sort_unstable();
    assert_eq!(lengths, [1, 1, 1, 1, 4, 4, 4, 4]);
}

/// The multiplier that the source prints, shifted, and one with six powers of 3. (The source
/// names a diagonal of six squares, but its multiplier has five powers.)
#[test]
fn the_multiplier_of_the_source_is_among_these() {
    let multipliers = |length: u32| {
        let parts = DIRECT.iter().filter(move |part| part.gather.mask.count_ones() == length);
        parts.map(|part| part.gather.multiplier >> part.gather.multiplier.trailing_zeros())
    };
    assert!(multipliers(5).any(|multiplier| multiplier == 0x10_1824_3651));
    assert!(multipliers(6).any(|multiplier| multiplier == 0x2030_486c_a2f3));
}
