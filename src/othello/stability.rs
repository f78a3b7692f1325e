//! Discs that can never be flipped again.
//!
//! Three rules find them:
//!
//! 1. Edges. A flip along an edge depends on the discs of that edge only. The table `EDGES` has the
//!    stable discs of every edge.
//! 2. Full lines. A disc cannot be flipped along a line without an empty square.
//! 3. Contact. A disc cannot be flipped along a line on which it is next to a stable disc of its
//!    own colour, or on the border.
//!
//! A disc is stable if one of the rules holds in each of the four directions. The third rule is
//! applied until it adds no disc. The discs found are stable, but not all stable discs are found.
//!
//! Sources: Paul S. Rosenbloom, "A World-Championship-Level Othello Program", Artificial
//! Intelligence 19, 1982, <https://doi.org/10.1016/0004-3702(82)90003-0>, on edge stability and
//! internal stability. Edax (Richard Delorme, 1998-2018, <https://github.com/abulmo/edax-reversi>)
//! applies rules of the same three kinds.
//!
//! A weaker form of the second rule, which lets a line be full only between stable discs of either
//! colour, adds nothing: the first such disc seen from an empty square would need another one to
//! hold it, up to the border.

use super::arch::rays::{FILE_A, INNER, RAYS, gather_file_a};
use super::arch::stability_closure;
use super::{Bitboard, Position, Square};

/// `EDGES[own << 8 | other]`: the discs of `own` on an edge of eight squares that survive every
/// sequence of moves on it, by either side, in any order. A move need not flip along the edge: it
/// may be legal because of discs elsewhere.
///
/// Computed from full edges down to empty ones. A disc is stable if it is stable after every move
/// to every empty square.
static EDGES: [u8; 1 << 16] = {
    let mut table = [0u8; 1 << 16];
    let mut occupied = 256;
    while occupied > 0 {
        occupied -= 1;
        // Every way to colour the occupied squares, by counting down through the subsets.
        let mut own = occupied;
        loop {
            let other = occupied & !own;
            let mut stable = own;
            let mut square = 0;
            while square < 8 && stable != 0 {
                if occupied >> square & 1 == 0 {
                    let flips = edge_flips(square, own, other);
                    stable &= table[(own | flips | 1 << square) << 8 | (other & !flips)] as usize;
                    let flips = edge_flips(square, other, own);
                    stable &= table[(own & !flips) << 8 | (other | flips | 1 << square)] as usize;
                }
                square += 1;
            }
            table[own << 8 | other] = stable as u8;
            if own == 0 {
                break;
            }
            own = (own - 1) & occupied;
        }
    }
    table
};

/// The discs of `other` on an edge that a move of `own` to `square` flips.
const fn edge_flips(square: usize, own: usize, other: usize) -> usize {
    let mut flips = 0;
    let (mut run, mut at) = (0, square + 1);
    while at < 8 && other >> at & 1 != 0 {
        run |= 1 << at;
        at += 1;
    }
    if at < 8 && own >> at & 1 != 0 {
        flips |= run;
    }
    run = 0;
    at = square;
    while at > 0 && other >> (at - 1) & 1 != 0 {
        at -= 1;
        run |= 1 << at;
    }
    if at > 0 && own >> (at - 1) & 1 != 0 {
        flips |= run;
    }
    flips
}

/// The bits of a byte laid along the h file, the lowest on h1.
///
/// Each rank gets a copy of the byte and keeps the bit of its own number, bit r of rank r. The sum
/// with 2^7 - 2^r carries this bit to bit 7 of the rank, which is its square on the h file, and
/// never beyond.
#[inline(always)]
const fn spread_on_file_h(byte: u64) -> u64 {
    const FILE_H: u64 = FILE_A << 7;
    // Bit n of rank n.
    const DIAGONAL: u64 = RAYS[0].up[3] | 1;
    ((byte.wrapping_mul(FILE_A) & DIAGONAL) + (FILE_H - DIAGONAL)) & FILE_H
}

/// The stable discs of `own` on the four edges.
#[inline(always)]
fn stable_edges(own: u64, other: u64) -> u64 {
    let edge = |own: usize, other: usize| u64::from(EDGES[(own & 255) << 8 | (other & 255)]);
    let file_a = edge(gather_file_a(own), gather_file_a(other));
    let file_h = edge(gather_file_a(own >> 7), gather_file_a(other >> 7));
    edge(own as usize, other as usize)
        | edge((own >> 56) as usize, (other >> 56) as usize) << 56
        | spread_on_file_h(file_a) >> 7
        | spread_on_file_h(file_h)
}

/// The open lines of a position, in the order of [`STEPS`](super::arch::rays::STEPS). An open line
/// is one with an empty square.
///
/// The first result has the squares on open lines of each direction. The second has those on lines
/// with two or more empty squares, which stay open after any one move.
#[inline(always)]
fn open_lines(empties: Bitboard) -> [[u64; 4]; 2] {
    let (mut one, mut two) = ([0; 4], [0; 4]);
    for square in empties {
        for (direction, line) in lines(square).into_iter().enumerate() {
            two[direction] |= one[direction] & line;
            one[direction] |= line;
        }
    }
    [one, two]
}

/// The squares on the line of each direction through `square`, without `square`.
#[inline(always)]
fn lines(square: Square) -> [u64; 4] {
    let rays = &RAYS[square.index()];
    std::array::from_fn(|direction| rays.up[direction] | rays.down[direction])
}

/// Discs of `own` that `other` can never flip, whatever is played: every disc of the result is
/// stable, but not every stable disc need be in it.
///
/// `own` and `other` must have no square in common.
#[inline]
pub fn stable_discs(own: Bitboard, other: Bitboard) -> Bitboard {
    let [open, _] = open_lines(!(own | other));
    Bitboard(stability_closure(stable_edges(own.0, other.0), own.0, open))
}

/// The stable discs of the side to move, with the open lines of the position, from which
/// [`StableDiscs::count_after`] computes the stable discs after a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StableDiscs {
    stable: u64,
    /// The squares on lines with an empty square, for each direction.
    open: [u64; 4],
    /// The squares on lines with two or more.
    open_twice: [u64; 4],
}

impl StableDiscs {
    /// The stable discs of the side to move in `position`.
    #[inline(always)]
    pub(crate) fn of(position: &Position) -> StableDiscs {
        let (own, other) = (position.player.0, position.opponent.0);
        let [open, open_twice] = open_lines(position.empties());
        StableDiscs {
            stable: stability_closure(stable_edges(own, other), own, open),
            open,
            open_twice,
        }
    }

    /// Their number.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        self.stable.count_ones()
    }

    /// Their number after a move to `square` that leads to `child`: the stable discs of
    /// `child.opponent`.
    ///
    /// Stable discs remain stable, and only a move to an edge changes the stable discs of the
    /// edges.
    #[inline(always)]
    pub(crate) fn count_after(&self, square: Square, child: &Position) -> u32 {
        let (own, other) = (child.opponent.0, child.player.0);
        let lines = lines(square);
        let open = std::array::from_fn(|direction| {
            self.open_twice[direction] | self.open[direction] & !lines[direction]
        });
        let edges = if INNER >> square.index() & 1 == 0 { stable_edges(own, other) } else { 0 };
        stability_closure(self.stable | edges, own, open).count_ones()
    }
}

/// The number of `own` discs on corners, and on edge squares next to a corner that `own` holds too,
/// 0 to 12: the part of stability that is cheap enough for move ordering.
///
/// A disc next to a corner counts with that corner as a pair of neighbours. The two masks select
/// such pairs by the lower square of the pair.
#[inline(always)]
pub(crate) fn corner_stability(own: Bitboard) -> u32 {
    const ROW_PAIRS: u64 = corner_pairs(1);
    const FILE_PAIRS: u64 = corner_pairs(8);
    let own = own.0;
    let corners = own & Bitboard::CORNERS.0;
    let row_pairs = own & own >> 1 & ROW_PAIRS;
    let file_pairs = own & own >> 8 & FILE_PAIRS;
    // Three disjoint sets of bits, so that one count serves all.
    (corners.rotate_left(2) | row_pairs | file_pairs << 4).count_ones()
}

/// The lower squares of the pairs of a corner and its neighbour at a distance of `step` bits: 1
/// along a row, 8 along a file.
const fn corner_pairs(step: usize) -> u64 {
    let mut pairs = 0;
    let mut square = 0;
    while square < 64 {
        let on_board = if step == 1 { square % 8 < 7 } else { square < 56 };
        if on_board && Bitboard::CORNERS.0 & (1 << square | 1 << (square + step)) != 0 {
            pairs |= 1 << square;
        }
        square += 1;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::othello::{Square, Symmetry};

    #[test]
    fn corners_and_discs_in_contact_with_them_are_stable() {
        let own: Bitboard =
            ["a1", "b1", "a2", "b2", "d1"].iter().map(|s| s.parse().expect("a square")).collect();
        let other = Bitboard(1 << 40);
        let stable = stable_discs(own, other);
        assert_eq!(
            stable.count(),
            3,
            "a1, b1, a2: b2 may be flipped along its diagonals, d1 along the edge: {stable:?}"
        );
        assert_eq!(corner_stability(own), 3);
        assert_eq!(corner_stability(Bitboard::ALL), 12);
    }

    #[test]
    fn corner_stability_counts_corners_and_their_neighbours_along_the_edge() {
        const TRIPLES: [[usize; 3]; 4] = [[0, 1, 8], [7, 6, 15], [56, 57, 48], [63, 62, 55]];
        let squares = TRIPLES.concat();
        for subset in 0..1 << squares.len() {
            let own = squares
                .iter()
                .enumerate()
                .fold(0u64, |own, (n, &square)| own | (subset >> n & 1) << square);
            let held = |square: usize| (own >> square & 1) as u32;
            let expected: u32 =
                TRIPLES.iter().map(|&[a, b, c]| held(a) * (1 + held(b) + held(c))).sum();
            let others = !squares.iter().fold(0u64, |set, &square| set | 1 << square);
            assert_eq!(corner_stability(Bitboard(own)), expected, "{own:#x}");
            assert_eq!(corner_stability(Bitboard(own | others)), expected, "{own:#x}");
        }
    }

    #[test]
    fn a_byte_is_spread_on_the_file_h() {
        for byte in 0..256u64 {
            let file = (0..8).fold(0, |file, rank| file | (byte >> rank & 1) << (8 * rank + 7));
            assert_eq!(spread_on_file_h(byte), file, "{byte:#x}");
        }
    }

    #[test]
    fn a_full_edge_and_a_full_board_are_stable() {
        assert_eq!(stable_discs(Bitboard(0xff), Bitboard::EMPTY).count(), 8);
        assert_eq!(stable_discs(Bitboard(0x0f), Bitboard(0xf0)).count(), 4);
        assert_eq!(
            stable_discs(Bitboard(0xaaaa_5555_aaaa_5555), Bitboard(!0xaaaa_5555_aaaa_5555)).count(),
            32
        );
    }

    /// Plays every continuation and asserts that no stable disc is flipped. A pass is allowed at
    /// any time, which makes the test stricter.
    fn survives(position: Position, stable: Bitboard, owner_moves: bool) {
        let owner = if owner_moves { position.player } else { position.opponent };
        assert_eq!(owner & stable, stable, "{position:?}");
        for side in [position, position.passed()] {
            for square in side.moves() {
                let next = side.after(square, side.flips(square));
                let owner_now = (side == position) == owner_moves;
                survives(next, stable, !owner_now);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn stable_discs_are_never_flipped(
            a: u64, holes in prop::collection::vec(0u8..64, 1..6),
        ) {
            let empties: Bitboard = holes.into_iter().map(Square::new).collect();
            let position = Position::new(Bitboard(a) & !empties, Bitboard(!a) & !empties);
            survives(position, stable_discs(position.player, position.opponent), true);
            let won = stable_discs(position.player, position.opponent).count() as i32;
            prop_assert!(2 * won - 64 <= position.final_score().discs() || !position.is_over());
        }

        #[test]
        fn stable_discs_after_a_move_are_those_of_the_child(
            a: u64, b: u64, holes in prop::collection::btree_set(0u8..64, 1..30),
        ) {
            let empties: Bitboard = holes.into_iter().map(Square::new).collect();
            let player = Bitboard(a | b) & !empties;
            let position = Position::new(player, !player & !empties);
            let stable = StableDiscs::of(&position);
            let expected = stable_discs(position.player, position.opponent).count();
            prop_assert_eq!(stable.count(), expected);
            for square in position.moves() {
                let child = position.after(square, position.flips(square));
                let expected = stable_discs(child.opponent, child.player).count();
                prop_assert_eq!(stable.count_after(square, &child), expected);
            }
        }

        #[test]
        fn stable_discs_and_corner_stability_are_symmetric(a: u64, b: u64, c: u64) {
            let (own, other) = (Bitboard((a | c) & !b), Bitboard(b));
            for symmetry in Symmetry::ALL {
                prop_assert_eq!(
                    stable_discs(symmetry.bitboard(own), symmetry.bitboard(other)),
                    symmetry.bitboard(stable_discs(own, other))
                );
                prop_assert_eq!(corner_stability(symmetry.bitboard(own)), corner_stability(own));
            }
        }
    }
}
