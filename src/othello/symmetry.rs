//! The eight symmetries of the board.

use super::{Bitboard, Position, Square};

/// One of the eight symmetries of the board: a transposition of files and ranks or none, then a
/// mirroring of the ranks or none, then a mirroring of the files or none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

const TRANSPOSE: u8 = 4;
const FLIP_RANKS: u8 = 2;
const FLIP_FILES: u8 = 1;

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// The inverse: `s.inverse().position(s.position(p)) == p`.
    pub const fn inverse(self) -> Symmetry {
        // Only the quarter turns, a transposition and one mirroring, are not their own inverse.
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            _ => self,
        }
    }

    /// The least of the eight images of a position, and a symmetry that leads to it. Images are
    /// compared by the words of `player`, then of `opponent`. Positions that are equal but for
    /// symmetry have the same least image.
    pub fn canonical(position: Position) -> (Position, Symmetry) {
        let images = Symmetry::ALL.map(|symmetry| (symmetry.position(position), symmetry));
        images
            .into_iter()
            .min_by_key(|(image, _)| (image.player.0, image.opponent.0))
            .expect("there are eight")
    }

    /// The image of a square.
    pub const fn square(self, square: Square) -> Square {
        let (mut file, mut rank) = (square.file(), square.rank());
        if self.0 & TRANSPOSE != 0 {
            (file, rank) = (rank, file);
        }
        if self.0 & FLIP_RANKS != 0 {
            rank = 7 - rank;
        }
        if self.0 & FLIP_FILES != 0 {
            file = 7 - file;
        }
        Square::new((rank * 8 + file) as u8)
    }

    /// The image of a set of squares.
    pub fn bitboard(self, set: Bitboard) -> Bitboard {
        let mut bits = set.0;
        if self.0 & TRANSPOSE != 0 {
            bits = transpose(bits);
        }
        if self.0 & FLIP_RANKS != 0 {
            bits = bits.swap_bytes();
        }
        if self.0 & FLIP_FILES != 0 {
            bits = bits.reverse_bits().swap_bytes();
        }
        Bitboard(bits)
    }

    /// The image of a position.
    pub fn position(self, position: Position) -> Position {
        Position {
            player: self.bitboard(position.player),
            opponent: self.bitboard(position.opponent),
        }
    }
}

/// Exchanges files and ranks.
///
/// The index of a square has three bits for the rank and three for the file. Each step exchanges
/// one bit of the file with the same bit of the rank. The squares that have this bit in the file
/// and not in the rank change places with those that have it in the rank and not in the file. (The
/// steps on 2 by 2, 4 by 4 and 8 by 8 squares in Henry S. Warren, "Hacker's Delight", second
/// edition, 2013, section 7-3, "Transposing a Bit Matrix".)
fn transpose(mut bits: u64) -> u64 {
    const BITS: [u32; 3] = [1, 2, 4];
    const IN_FILE_ONLY: [u64; 3] =
        [in_file_only(BITS[0]), in_file_only(BITS[1]), in_file_only(BITS[2])];
    for (bit, in_file_only) in BITS.into_iter().zip(IN_FILE_ONLY) {
        // One file bit less and one rank bit more: 8 * bit - bit squares further.
        let distance = 7 * bit;
        let in_rank_only = in_file_only << distance;
        bits = bits & !(in_file_only | in_rank_only)
            | (bits & in_file_only) << distance
            | (bits & in_rank_only) >> distance;
    }
    bits
}

/// The squares with this bit in the file and not in the rank.
const fn in_file_only(bit: u32) -> u64 {
    let mut squares = 0;
    let mut square = 0;
    while square < 64 {
        if square & bit != 0 && square >> 3 & bit == 0 {
            squares |= 1 << square;
        }
        square += 1;
    }
    squares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_eight_are_different_and_map_one_to_one() {
        let mut seen = std::collections::HashSet::new();
        for symmetry in Symmetry::ALL {
            let image: Vec<usize> = Square::all().map(|s| symmetry.square(s).index()).collect();
            assert_eq!(image.iter().collect::<std::collections::HashSet<_>>().len(), 64);
            seen.insert(image);
        }
        assert_eq!(seen.len(), 8);
    }

    proptest! {
        #[test]
        fn an_inverse_leads_back_and_images_have_one_canonical_form(
            player: u64, opponent: u64, which in 0usize..8,
        ) {
            let symmetry = Symmetry::ALL[which];
            let position = Position::new(Bitboard(player), Bitboard(opponent & !player));
            prop_assert_eq!(symmetry.inverse().position(symmetry.position(position)), position);
            let (canonical, way) = Symmetry::canonical(position);
            prop_assert_eq!(way.position(position), canonical);
            prop_assert_eq!(Symmetry::canonical(symmetry.position(position)).0, canonical);
        }

        #[test]
        fn a_set_goes_where_its_squares_go(bits: u64, which in 0usize..8) {
            let symmetry = Symmetry::ALL[which];
            let squares: Bitboard =
                Bitboard(bits).into_iter().map(|s| symmetry.square(s)).collect();
            prop_assert_eq!(symmetry.bitboard(Bitboard(bits)), squares);
        }
    }
}
