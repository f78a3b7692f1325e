//! Parity: moves into regions with an odd number of empties come first.
//!
//! If both sides play all moves of a region in turn, the side that moves first into a region with
//! an odd number of empties also makes the last move there. The last move of a region cannot be
//! answered in it. The four quadrants of the board stand for the regions, as in Zebra and most
//! later engines.

use crate::othello::Square;

/// The squares of the quadrants that hold an odd number of `empties`.
#[inline(always)]
pub(in crate::search) fn odd_quadrants(empties: u64) -> u64 {
    // Each quadrant's sixteen bits are folded onto its first square: columns, then rows.
    let mut fold = empties ^ empties >> 2;
    fold ^= fold >> 1;
    fold &= 0x1111_1111_1111_1111;
    fold ^= fold >> 16;
    fold ^= fold >> 8;
    (fold & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f)
}

/// The order of four empty squares, and for each of them the order of the other three.
///
/// Row `k` begins with the index of the `k`-th square in the order. The indices of the other
/// squares follow, in their order for the solver of three empties.
pub(in crate::search) type OrderOfFour = [[u8; 4]; 4];

/// The orders of four squares, by their quadrants: two bits for each square, those of the first
/// square lowest. Squares that are alone in their quadrant come first, as the move there is the
/// quadrant's last one. Then come squares of quadrants with three empties, then the others. Squares
/// of one class keep their order. (Edax orders by the same classes.)
static ORDERS_OF_FOUR: [OrderOfFour; 256] = {
    let mut orders = [[[0; 4]; 4]; 256];
    let mut key = 0;
    while key < 256 {
        let quadrants = [key & 3, key >> 2 & 3, key >> 4 & 3, key >> 6];
        let first = by_parity([0, 1, 2, 3], 4, quadrants);
        let mut k = 0;
        while k < 4 {
            let mut rest = [0; 4];
            let (mut n, mut i) = (0, 0);
            while i < 4 {
                if i != first[k] {
                    rest[n] = i;
                    n += 1;
                }
                i += 1;
            }
            let rest = by_parity(rest, 3, quadrants);
            orders[key][k] = [first[k], rest[0], rest[1], rest[2]];
            k += 1;
        }
        key += 1;
    }
    orders
};

/// Sorts the first `n` of `squares` by class, stably: squares alone in their quadrant, then squares
/// of quadrants with three, then squares of quadrants with two or four.
const fn by_parity(squares: [u8; 4], n: usize, quadrants: [usize; 4]) -> [u8; 4] {
    let mut sorted = [0; 4];
    let mut filled = 0;
    let mut class = 0;
    while class < 3 {
        let mut i = 0;
        while i < n {
            let mut sharing = 0;
            let mut j = 0;
            while j < n {
                if quadrants[squares[i] as usize] == quadrants[squares[j] as usize] {
                    sharing += 1;
                }
                j += 1;
            }
            let square_class = match sharing {
                1 => 0,
                3 => 1,
                _ => 2,
            };
            if square_class == class {
                sorted[filled] = squares[i];
                filled += 1;
            }
            i += 1;
        }
        class += 1;
    }
    sorted
}

/// The order in which four empty squares are searched.
#[inline(always)]
pub(in crate::search) fn order_of_four(squares: [Square; 4]) -> &'static OrderOfFour {
    let squares = u32::from_le_bytes(squares.map(|square| square.index() as u8));
    // The quadrant of a square is bit 2 of its file and bit 2 of its rank: bits 2 and 5 of its
    // index. First they become the two low bits of each byte.
    let quadrants = squares >> 2 & 0x0101_0101 | squares >> 4 & 0x0202_0202;
    // Each term of the factor moves the quadrant of one square to its place in the top byte. No two
    // of the products meet, so there are no carries.
    const FACTOR: u32 = 1 << 24 | 1 << 18 | 1 << 12 | 1 << 6;
    &ORDERS_OF_FOUR[(quadrants.wrapping_mul(FACTOR) >> 24) as usize]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn quadrant(square: usize) -> usize {
        (square & 7) / 4 + (square / 32) * 2
    }

    proptest! {
        #[test]
        fn odd_quadrants_are_those_with_an_odd_count(empties: u64) {
            let odd = odd_quadrants(empties);
            for square in 0..64 {
                let in_quadrant = |s: &usize| quadrant(*s) == quadrant(square);
                let count = (0..64).filter(in_quadrant).filter(|&s| empties >> s & 1 != 0).count();
                prop_assert_eq!(odd >> square & 1, count as u64 & 1);
            }
        }

        #[test]
        fn four_squares_are_ordered_by_parity(
            squares in prop::sample::subsequence((0usize..64).collect::<Vec<_>>(), 4),
        ) {
            let squares: [usize; 4] = squares.try_into().expect("four squares");
            let class = |of: &[usize], s: usize| {
                let sharing = of.iter().filter(|&&other| quadrant(other) == quadrant(s)).count();
                match sharing { 1 => 0, 3 => 1, _ => 2 }
            };
            let place = |s: usize| squares.iter().position(|&other| other == s);
            let order = order_of_four(squares.map(|square| Square::new(square as u8)));
            let first: Vec<usize> = order.iter().map(|row| squares[row[0] as usize]).collect();
            prop_assert!(first.is_sorted_by_key(|&s| (class(&squares, s), place(s))));
            for row in order {
                let mut all = row.map(usize::from);
                let rest: Vec<usize> = all[1..].iter().map(|&i| squares[i]).collect();
                prop_assert!(rest.is_sorted_by_key(|&s| (class(&rest, s), place(s))));
                all.sort_unstable();
                prop_assert_eq!(all, [0, 1, 2, 3]);
            }
        }
    }
}
