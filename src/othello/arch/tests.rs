//! Every kernel of every tier in this build against a definition that walks the board square by
//! square.

use proptest::prelude::*;

use super::rays::{INNER, STEPS, gather_file_a};

/// The squares from `square` (not included) to the edge in one of the eight directions.
fn walk(square: usize, (df, dr): (i32, i32)) -> impl Iterator<Item = u64> {
    (1..8).map_while(move |n| {
        let (file, rank) = ((square & 7) as i32 + n * df, (square >> 3) as i32 + n * dr);
        ((0..8).contains(&file) && (0..8).contains(&rank)).then(|| 1u64 << (rank * 8 + file))
    })
}

const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The flips as the rules define them: opponent's discs in an unbroken line that the player's disc
/// closes.
fn plain_flips(square: usize, player: u64, opponent: u64) -> u64 {
    let mut flips = 0;
    for direction in DIRECTIONS {
        let mut run = 0;
        for bit in walk(square, direction) {
            if opponent & bit != 0 {
                run |= bit;
            } else {
                if player & bit != 0 {
                    flips |= run;
                }
                break;
            }
        }
    }
    flips
}

/// The empty squares where a disc flips something.
fn plain_moves(player: u64, opponent: u64) -> u64 {
    (0..64)
        .filter(|&square| {
            (player | opponent) >> square & 1 == 0 && plain_flips(square, player, opponent) != 0
        })
        .fold(0, |moves, square| moves | 1 << square)
}

/// The discs from which every square in every direction is occupied.
fn plain_all_full(occupied: u64) -> u64 {
    (0..64)
        .filter(|&square| {
            occupied >> square & 1 != 0
                && DIRECTIONS.iter().all(|&d| walk(square, d).all(|bit| occupied & bit != 0))
        })
        .fold(0, |full, square| full | 1 << square)
}

/// The squares next to an opponent's disc behind which the board goes on.
fn plain_potential(opponent: u64) -> u64 {
    (0..64)
        .filter(|&square| {
            DIRECTIONS.iter().any(|&d| {
                let mut line = walk(square, d);
                line.next().is_some_and(|bit| opponent & bit != 0) && line.next().is_some()
            })
        })
        .fold(0, |set, square| set | 1 << square)
}

/// Square by square, until nothing changes: a disc away from the edges is stable if, in each
/// direction, its line is not open or one of its two neighbours is stable.
fn plain_stability_closure(known: u64, own: u64, open: [u64; 4]) -> u64 {
    let mut stable = known;
    loop {
        let more = (0..64).find(|&square| {
            let is_safe = |direction: usize| {
                let step = STEPS[direction];
                open[direction] >> square & 1 == 0
                    || (stable >> (square + step) | stable >> (square - step)) & 1 != 0
            };
            (own & INNER & !stable) >> square & 1 != 0 && (0..4).all(is_safe)
        });
        match more {
            Some(square) => stable |= 1 << square,
            None => return stable,
        }
    }
}

/// A square, a run of discs that begins next to it, and the square behind the run (0 off the
/// board): every length from none to the whole ray, every direction, every square.
fn runs() -> impl Iterator<Item = (usize, u64, u64)> {
    let rays = (0..64).flat_map(|square| DIRECTIONS.map(|direction| (square, direction)));
    rays.flat_map(|(square, direction)| {
        let ray: Vec<u64> = walk(square, direction).collect();
        (0..=ray.len())
            .map(|n| (square, ray[..n].iter().sum(), ray.get(n).copied().unwrap_or(0)))
            .collect::<Vec<_>>()
    })
}

/// Boards from nearly empty to nearly full. OR and AND of random words set the density.
fn boards() -> impl Strategy<Value = (u64, u64)> {
    (any::<u64>(), any::<u64>(), any::<u64>(), any::<u64>(), 0..4).prop_map(
        |(a, b, c, d, fullness)| {
            let occupied = match fullness {
                0 => a & b,
                1 => a,
                2 => a | b,
                _ => a | b | c,
            };
            (occupied & d, occupied & !d)
        },
    )
}

/// Boards of 0 to 13 empty squares, as one set of discs.
fn nearly_full_boards() -> impl Strategy<Value = u64> {
    prop::collection::vec(0u32..64, 0..14).prop_map(|holes| {
        holes.into_iter().fold(!0u64, |occupied, square: u32| occupied & !(1 << square))
    })
}

/// The tests of one kernel, the same for every tier that has it.
macro_rules! kernel {
    (flips of $($tier:ident)::+) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(4000))]

            #[test]
            fn flips_follow_the_rules((player, opponent) in boards()) {
                for square in (0..64).filter(|&s| (player | opponent) >> s & 1 == 0) {
                    prop_assert_eq!(
                        $($tier)::+::flips(square, player, opponent),
                        plain_flips(square, player, opponent)
                    );
                }
            }
        }

        /// Runs of every length in every direction, closed, open and up to the edge.
        #[test]
        fn flips_of_every_single_run_follow_the_rules() {
            for (square, opponent, end) in runs() {
                for player in [0, end, !opponent & !(1 << square)] {
                    assert_eq!(
                        $($tier)::+::flips(square, player, opponent),
                        plain_flips(square, player, opponent),
                        "{square} {player:#x} {opponent:#x}"
                    );
                }
            }
        }
    };
    (moves of $($tier:ident)::+) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(4000))]

            #[test]
            fn moves_are_the_squares_that_flip((player, opponent) in boards()) {
                prop_assert_eq!(
                    $($tier)::+::moves(player, opponent),
                    plain_moves(player, opponent)
                );
            }
        }

        #[test]
        fn moves_at_the_end_of_every_single_run_are_found() {
            for (square, opponent, end) in runs() {
                for player in [end, 1 << square, end | 1 << square] {
                    assert_eq!(
                        $($tier)::+::moves(player, opponent),
                        plain_moves(player, opponent),
                        "{player:#x} {opponent:#x}"
                    );
                }
            }
        }
    };
    (all_full of $($tier:ident)::+) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(4000))]

            #[test]
            fn all_full_is_what_no_line_with_an_empty_square_touches(
                (player, opponent) in boards(), nearly_full in nearly_full_boards(),
            ) {
                for occupied in [player | opponent, nearly_full] {
                    prop_assert_eq!($($tier)::+::all_full(occupied), plain_all_full(occupied));
                }
            }
        }

        #[test]
        fn all_full_is_right_for_every_pair_of_empty_squares() {
            for (a, b) in (0..64).flat_map(|a| (0..64).map(move |b| (a, b))) {
                let occupied = !(1 << a | 1 << b);
                assert_eq!($($tier)::+::all_full(occupied), plain_all_full(occupied), "{a} {b}");
            }
        }
    };
    (stability_closure of $($tier:ident)::+) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(4000))]

            #[test]
            fn the_stability_closure_is_complete(
                (own, known) in boards(), mask: u64, open: [u64; 4],
            ) {
                let own = own | known;
                for open in [open, open.map(|open| open & mask), [mask; 4]] {
                    prop_assert_eq!(
                        $($tier)::+::stability_closure(known & own, own, open),
                        plain_stability_closure(known & own, own, open)
                    );
                }
            }
        }
    };
}

macro_rules! tier {
    ($tier:ident: $($kernel:ident),+) => {
        mod $tier {
            use super::*;
            $(kernel!($kernel of super::super::$tier);)+
        }
    };
}

tier!(portable: flips, moves, all_full, stability_closure);
#[cfg(tier_v3)]
tier!(avx2: flips, moves, all_full, stability_closure);
#[cfg(tier_v4)]
tier!(avx512: flips);
#[cfg(target_arch = "aarch64")]
tier!(neon: flips, moves, stability_closure);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn last_flips_are_counted_as_the_rules_say(player: u64) {
        for square in 0..64 {
            let player = player & !(1 << square);
            let opponent = !player & !(1 << square);
            prop_assert_eq!(
                super::portable::last_flips(square, player),
                plain_flips(square, player, opponent).count_ones()
            );
        }
    }

    #[test]
    fn potential_moves_touch_a_disc_that_a_line_goes_through((_, opponent) in boards()) {
        prop_assert_eq!(super::portable::potential_moves(opponent), plain_potential(opponent));
    }

    #[test]
    fn a_file_is_gathered_lowest_rank_first(bits: u64) {
        let byte = (0..8).fold(0, |byte, rank| byte | (bits >> (8 * rank) & 1) << rank);
        prop_assert_eq!(gather_file_a(bits), byte as usize);
    }
}
