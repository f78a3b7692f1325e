//! Every kernel of every tier that this build holds, against a definition that walks the board square by square.

use proptest::prelude::*;

use super::rays::{INNER, STEPS};

/// The squares from `square` (not included) to the edge in one of the eight directions.
fn walk(square: usize, (df, dr): (i32, i32)) -> impl Iterator<Item = u64> {
    (1..8).map_while(move |n| {
        let (file, rank) = ((square & 7) as i32 + n * df, (square >> 3) as i32 + n * dr);
        ((0..8).contains(&file) && (0..8).contains(&rank)).then(|| 1u64 << (rank * 8 + file))
    })
}

const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// Flips by the words of the rules: opposing discs in an unbroken line that one's own disc closes.
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

fn plain_moves(player: u64, opponent: u64) -> u64 {
    (0..64)
        .filter(|&square| {
            (player | opponent) >> square & 1 == 0 && plain_flips(square, player, opponent) != 0
        })
        .fold(0, |moves, square| moves | 1 << square)
}

fn plain_all_full(occupied: u64) -> u64 {
    (0..64)
        .filter(|&square| {
            occupied >> square & 1 != 0
                && DIRECTIONS.iter().all(|&d| walk(square, d).all(|bit| occupied & bit != 0))
        })
        .fold(0, |full, square| full | 1 << square)
}

fn plain_potential(opponent: u64) -> u64 {
    // A square from which, next to it, an opponent's disc stands with a square of the board behind it.
    (0..64)
        .filter(|&square| {
            DIRECTIONS.iter().any(|&d| {
                let mut line = walk(square, d);
                line.next().is_some_and(|bit| opponent & bit != 0) && line.next().is_some()
            })
        })
        .fold(0, |set, square| set | 1 << square)
}

/// Square by square, until nothing changes: a disc away from the edges is held if in each direction its line is not open or one of its two
/// neighbours is held.
fn plain_held(known: u64, own: u64, open: [u64; 4]) -> u64 {
    let mut stable = known;
    loop {
        let more = (0..64).find(|&square| {
            let is_held = |direction: usize| {
                let step = STEPS[direction];
                open[direction] >> square & 1 == 0
                    || (stable >> (square + step) | stable >> (square - step)) & 1 != 0
            };
            (own & INNER & !stable) >> square & 1 != 0 && (0..4).all(is_held)
        });
        match more {
            Some(square) => stable |= 1 << square,
            None => return stable,
        }
    }
}

/// Boards of every fullness: the `or`-ed or `and`-ed words shift the density.
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

macro_rules! tier {
    ($tier:ident) => {
        mod $tier {
            use proptest::prelude::*;

            use super::super::$tier as kernels;
            use super::*;

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(4000))]

                #[test]
                fn flips((player, opponent) in boards()) {
                    for square in (0..64).filter(|&s| (player | opponent) >> s & 1 == 0) {
                        prop_assert_eq!(
                            kernels::flips(square, player, opponent),
                            plain_flips(square, player, opponent)
                        );
                    }
                }

                #[test]
                fn moves((player, opponent) in boards()) {
                    prop_assert_eq!(kernels::moves(player, opponent), plain_moves(player, opponent));
                }

                #[test]
                fn held((own, known) in boards(), mask: u64, open: [u64; 4]) {
                    let own = own | known;
                    for open in [open, open.map(|open| open & mask), [mask; 4]] {
                        prop_assert_eq!(kernels::held(known & own, own, open), plain_held(known & own, own, open));
                    }
                }
            }
        }
    };
}

tier!(portable);
#[cfg(tier_v3)]
tier!(avx2);

#[cfg(tier_v4)]
mod avx512 {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn flips((player, opponent) in boards()) {
            for square in (0..64).filter(|&s| (player | opponent) >> s & 1 == 0) {
                prop_assert_eq!(
                    super::super::avx512::flips(square, player, opponent),
                    plain_flips(square, player, opponent)
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn all_full((player, opponent) in boards()) {
        prop_assert_eq!(super::portable::all_full(player | opponent), plain_all_full(player | opponent));
    }

    #[test]
    fn all_full_on_nearly_full_boards(a in 0usize..64, b in 0usize..64, c in 0usize..64, n in 0usize..4) {
        let holes = [a, b, c][..n.min(3)].iter().fold(0u64, |set, &s| set | 1 << s);
        prop_assert_eq!(super::portable::all_full(!holes), plain_all_full(!holes));
    }

    #[test]
    fn last_flips(player: u64) {
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
    fn potential_moves((_, opponent) in boards()) {
        prop_assert_eq!(super::portable::potential_moves(opponent), plain_potential(opponent));
    }
}
