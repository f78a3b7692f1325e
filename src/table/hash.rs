//! The position hash, and the bucket that it selects.
//!
//! The hash selects a bucket and nothing else: an entry holds the whole position. So a weak hash
//! costs time, never a wrong score.
//!
//! # Sources
//!
//! - The folded multiply: Wang Yi, wyhash, <https://github.com/wangyi-fudan/wyhash>.
//! - The index by a high product: D. Lemire, "A fast alternative to the modulo reduction" (2016),
//!   <https://lemire.me/blog/2016/06/27/a-fast-alternative-to-the-modulo-reduction/>.

use crate::othello::Position;

/// The hash of a position: 64 bits, the same on every machine and in every tier.
///
/// A folded multiply: the product of the two boards, each XORed with a constant, has 128 bits; the
/// hash is the XOR of its halves. `bucket_index` reads the high bits. A flipped disc changes the
/// same bit of both boards; the rotation by 32 makes these different bits of the two factors.
#[inline(always)]
pub fn hash(position: &Position) -> u64 {
    /// 2^64 / φ, where φ² = φ + 1 (the golden ratio), rounded to an odd number.
    const PLAYER: u64 = 0x9e37_79b9_7f4a_7c15;
    /// 2^64 / x, where x⁴ = x + 1, rounded to an odd number.
    const OPPONENT: u64 = 0xd1b5_4a32_d192_ed03;
    let product = u128::from(position.player.0 ^ PLAYER)
        * u128::from(position.opponent.0.rotate_left(32) ^ OPPONENT);
    product as u64 ^ (product >> 64) as u64
}

/// The index of the bucket for `hash`, below `buckets`: the high word of `hash` × `buckets`. Any
/// number of buckets is allowed, not only powers of two.
#[inline(always)]
pub(super) fn bucket_index(hash: u64, buckets: u64) -> u64 {
    ((u128::from(hash) * u128::from(buckets)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::{Bitboard, perft};

    /// All positions up to seven plies from the start, over a few thousand buckets.
    #[test]
    fn positions_spread_evenly_over_the_buckets() {
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
            counts[bucket_index(hash(position), BUCKETS) as usize] += 1;
        }
        let mean = seen.len() as f64 / BUCKETS as f64;
        let chi_square: f64 = counts.iter().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum();
        // Random hashes have a mean of BUCKETS - 1 = 3000 and a standard deviation of
        // sqrt(2 * BUCKETS) = 77.
        assert!((2600.0..3400.0).contains(&chi_square), "{chi_square}");
    }

    #[test]
    fn every_number_of_buckets_is_indexed_from_first_to_last() {
        for buckets in [1, 2, 3, 1000, 1 << 20, (1 << 36) - 5, 1 << 36] {
            assert_eq!(bucket_index(0, buckets), 0);
            assert_eq!(bucket_index(u64::MAX, buckets), buckets - 1);
            // The middle hash selects the middle bucket.
            assert_eq!(bucket_index(1 << 63, buckets), buckets / 2);
        }
    }

    #[test]
    fn one_changed_disc_changes_about_half_of_the_bits() {
        let base = Position::new(Bitboard(0x0000_3c24_1800_0000), Bitboard(0x0000_0018_2400_0000));
        let mut changed = 0;
        for bit in 0..64 {
            let other = Position { player: Bitboard(base.player.0 ^ 1 << bit), ..base };
            changed += (hash(&base) ^ hash(&other)).count_ones();
        }
        assert!((64 * 24..64 * 40).contains(&changed), "{changed}");
    }
}
