//! Discs that can never be flipped again.
//!
//! Three sources, as in Edax and its kin: the edges, where play is simple enough to be tabled whole
//! (`EDGES`); discs whose four lines are all full; and discs that in each of the four line
//! directions touch the border, a stable disc of their own colour, or lie in a full line (contact
//! closure, repeated until nothing is added). The set found is sound, not complete. (To ask of a
//! line only that it be full between stable discs of either colour adds nothing: the first such
//! disc seen from an empty square would need another one to hold it, up to the border.)

use super::arch::rays::{FILE_A, INNER, RAYS, gather_file_a};
use super::arch::stability_closure;
use super::{Bitboard, Position, Square};

/// `EDGES[own << 8 | other]`: which of the discs `own` on an edge of eight squares survive whatever
/// is played on it, by either side, in any order, with or without flips along the edge (a move may
/// owe its legality to discs elsewhere).
///
/// Computed from full edges down to empty ones: a disc is stable if it is after every placement on
/// every empty square.
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

/// What `own` flips on an edge by a disc on `square`.
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
/// Each rank has a copy of the byte and keeps the bit of its own number. What is added makes any
/// such bit carry up to the file h, and leaves no carry to the next rank.
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

/// The squares on a row, a diagonal, a file or the other diagonal with an empty square, in the
/// order of [`STEPS`](super::arch::rays::STEPS): first on one with any, then on one with two or
/// more.
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

/// The squares on each line through a square, without itself.
#[inline(always)]
fn lines(square: Square) -> [u64; 4] {
    let rays = &RAYS[square.index()];
    std::array::from_fn(|direction| rays.up[direction] | rays.down[direction])
}

/// The discs of `own` that `other` can never flip, whatever is played.
#[inline]
pub fn stable_discs(own: Bitboard, other: Bitboard) -> Bitboard {
    let [open, _] = open_lines(!(own | other));
    Bitboard(stability_closure(stable_edges(own.0, other.0), own.0, open))
}

/// The stable discs of the side to move, and what it takes to tell those that it has after a move
/// without beginning anew.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StableDiscs {
    stable: u64,
    one: [u64; 4],
    two: [u64; 4],
}

impl StableDiscs {
    /// Those of a position.
    #[inline(always)]
    pub(crate) fn of(position: &Position) -> StableDiscs {
        let (own, other) = (position.player.0, position.opponent.0);
        let [one, two] = open_lines(position.empties());
        StableDiscs { stable: stability_closure(stable_edges(own, other), own, one), one, two }
    }

    /// How many they are.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        self.stable.count_ones()
    }

    /// How many they are after a move to `square` that leads to `child`. What is stable stays so,
    /// and only a disc on an edge changes the edges.
    #[inline(always)]
    pub(crate) fn count_after(&self, square: Square, child: &Position) -> u32 {
        let (own, other) = (child.opponent.0, child.player.0);
        let lines = lines(square);
        let open = std::array::from_fn(|direction| {
            self.two[direction] | self.one[direction] & !lines[direction]
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
    fn corners_and_what_leans_on_them() {
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

    /// Plays on from random nearly full boards in every way and looks whether a stable disc is ever
    /// flipped. Passing at will is allowed, which only makes it harder.
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
        fn what_is_called_stable_is_never_flipped(a: u64, holes in prop::collection::vec(0u8..64, 1..6)) {
            let empties: Bitboard = holes.into_iter().map(Square::new).collect();
            let position = Position::new(Bitboard(a) & !empties, Bitboard(!a) & !empties);
            survives(position, stable_discs(position.player, position.opponent), true);
            let won = stable_discs(position.player, position.opponent).count() as i32;
            prop_assert!(2 * won - 64 <= position.final_score().discs() || !position.is_over());
        }

        #[test]
        fn those_after_a_move_are_those_of_the_board(a: u64, b: u64, holes in prop::collection::btree_set(0u8..64, 1..30)) {
            let empties: Bitboard = holes.into_iter().map(Square::new).collect();
            let player = Bitboard(a | b) & !empties;
            let position = Position::new(player, !player & !empties);
            let stable = StableDiscs::of(&position);
            prop_assert_eq!(stable.count(), stable_discs(position.player, position.opponent).count());
            for square in position.moves() {
                let child = position.after(square, position.flips(square));
                prop_assert_eq!(stable.count_after(square, &child), stable_discs(child.opponent, child.player).count());
            }
        }

        #[test]
        fn it_is_the_same_from_all_eight_sides(a: u64, b: u64, c: u64) {
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
