//! Tier v4 (AVX-512): leading zeros counted in each lane, and functions of three inputs in one
//! instruction.

use std::arch::x86_64::*;

use super::avx2::fold_or;
use super::rays::RAYS;

/// As [`portable::flips`](super::portable::flips), four upward and four downward rays at once.
#[inline(always)]
pub fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square & 63];
    // SAFETY: this module is compiled only where AVX-512 F, CD and VL are enabled, and a `Rays` is
    // 64 bytes aligned to 64.
    unsafe {
        let up = _mm256_load_si256(rays.up.as_ptr().cast());
        let down = _mm256_load_si256(rays.down.as_ptr().cast());
        let player = _mm256_set1_epi64x(player as i64);
        let opponent = _mm256_set1_epi64x(opponent as i64);

        let stops = _mm256_andnot_si256(opponent, down);
        let leading = _mm256_lzcnt_epi64(stops);
        // The squares below the stop; none if there is no stop, as a shift by 64 gives 0.
        let beyond = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MAX), leading);
        // down & player & !beyond
        let closing = _mm256_ternarylogic_epi64::<0x40>(down, player, beyond);
        // The squares from the player's disc upwards; none if there is no such disc.
        let above = _mm256_sub_epi64(_mm256_setzero_si256(), closing);
        // down & opponent & above
        let flips_down = _mm256_ternarylogic_epi64::<0x80>(down, opponent, above);

        let stops = _mm256_andnot_si256(opponent, up);
        let less_one = _mm256_add_epi64(stops, _mm256_set1_epi64x(-1));
        // up & (stops ^ less_one)
        let near = _mm256_ternarylogic_epi64::<0x60>(up, stops, less_one);
        let closed = _mm256_test_epi64_mask(near, player);
        // flips_down | near & opponent, in the lanes that are closed
        fold_or(_mm256_mask_ternarylogic_epi64::<0xf8>(flips_down, closed, near, opponent))
    }
}
