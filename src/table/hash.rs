//! Where in a table to look for a position.

use crate::othello::Position;

/// 64 well-mixed bits of a position, the same on every machine and in every tier.
///
/// The two boards, each with a constant laid over it, are multiplied to 128 bits and the halves
/// joined: one multiplication in which every input bit reaches the middle of the product. (The
/// folded multiply of the wyhash family.) Tables take their index from the high bits.
#[inline(always)]
pub fn hash(position: &Position) -> u64 {
    const PLAYER: u64 = 0x9e37_79b9_7f4a_7c15;
    const OPPONENT: u64 = 0xd1b5_4a32_d192_ed03;
    let product = u128::from(position.player.0 ^ PLAYER)
        * u128::from(position.opponent.0.rotate_left(32) ^ OPPONENT);
    product as u64 ^ (product >> 64) as u64
}

/// The high word of `hash` × `buckets`: an index below `buckets` for any number of them, from the
/// hash's high bits. Source: D. Lemire, "A fast alternative to the modulo reduction" (2016),
/// <https://lemire.me/blog/2016/06/27/a-fast-alternative-to-the-modulo-reduction/>.
#[inline(always)]
pub(super) fn index(hash: u64, buckets: u64) -> u64 {
    ((u128::from(hash) * u128::from(buckets)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::{Bitboard, perft};

    /// All positions four to seven plies from the start, and their hashes' spread over a few
    /// thousand buckets.
    #[test]
    fn positions_spread_evenly() {
        fn collect(position: Position, depth: u32, seen: &mut std::collections::HashSet<Position>) {
            seen.insert(position);
            if depth > 0 {
                for square in position.moves() {
                    collect(position.after(square, position.flips(square)), depth - 1, seen);
                }
            }
        }
        let mut seen = std::collections::HashSet::new();
        collect(Position::START, 7, &mut seen);
        assert!(seen.len() as u64 > perft(Position::START, 5));
        const BUCKETS: u64 = 3001;
        let mut counts = vec![0u32; BUCKETS as usize];
        for position in &seen {
            counts[index(hash(position), BUCKETS) as usize] += 1;
        }
        let mean = seen.len() as f64 / BUCKETS as f64;
        let chi_square: f64 = counts.iter().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum();
        // For random hashes: BUCKETS - 1, give or take sqrt(2 * BUCKETS) = 77.
        assert!((2600.0..3400.0).contains(&chi_square), "{chi_square}");
    }

    #[test]
    fn any_number_of_buckets_is_indexed_whole() {
        for buckets in [1, 2, 3, 1000, 1 << 20, (1 << 36) - 5, 1 << 36] {
            assert_eq!(index(0, buckets), 0);
            assert_eq!(index(u64::MAX, buckets), buckets - 1);
            // The middle of the hashes falls on the middle of the buckets.
            assert_eq!(index(1 << 63, buckets), buckets / 2);
        }
    }

    #[test]
    fn one_disc_changes_half_of_the_bits() {
        let base = Position::new(Bitboard(0x0000_3c24_1800_0000), Bitboard(0x0000_0018_2400_0000));
        let mut changed = 0;
        for bit in 0..64 {
            let other = Position { player: Bitboard(base.player.0 ^ 1 << bit), ..base };
            changed += (hash(&base) ^ hash(&other)).count_ones();
        }
        assert!((64 * 24..64 * 40).contains(&changed), "{changed}");
    }
}
