//! Tier v4: as v3, with leading zeros counted per lane.

use std::arch::x86_64::*;

use super::avx2::fold_or;
use super::rays::RAYS;

/// As [`portable::flips`](super::portable::flips): four upward and four downward rays at once.
#[inline(always)]
pub fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square & 63];
    // SAFETY: this module is compiled only where AVX-512 F, CD and VL are enabled, and a `Rays` is 64 bytes aligned to 64.
    unsafe {
        let up = _mm256_load_si256(rays.up.as_ptr().cast());
        let down = _mm256_load_si256(rays.down.as_ptr().cast());
        let player = _mm256_set1_epi64x(player as i64);
        let opponent = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();

        let stops = _mm256_andnot_si256(opponent, down);
        let highest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
        let bracket = _mm256_and_si256(highest, player);
        // Every bit above the bracket; none where there is no bracket.
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(bracket, bracket));
        let flips_down = _mm256_and_si256(above, down);

        let stops = _mm256_andnot_si256(opponent, up);
        let lowest = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
        let found = _mm256_test_epi64_mask(lowest, player);
        let below = _mm256_maskz_add_epi64(found, lowest, _mm256_set1_epi64x(-1));
        // flips_down | below & up
        fold_or(_mm256_ternarylogic_epi64::<0xf8>(flips_down, below, up))
    }
}
