//! Tier v3: the 48 lanes in three 256-bit registers, and weights gathered eight at a time (SEEDS.md A2, A3).

use std::arch::x86_64::*;

use crate::eval::Features;
use crate::eval::patterns::{CENTRES, LANES, STEPS, TABLE};
use crate::othello::{Bitboard, Square};

/// As [`portable::after`](super::portable::after). The three registers stay the same over all flipped discs, so that each costs
/// three additions from memory.
#[inline(always)]
pub fn after(features: &Features, square: Square, flips: Bitboard) -> Features {
    let steps = |square: Square| STEPS[square.index()].0.as_ptr().cast::<__m256i>();
    // SAFETY: this module is compiled only where AVX2 is enabled; `Features` and `Steps` are three times 32 bytes aligned to 32.
    unsafe {
        let before = features.0.as_ptr().cast::<__m256i>();
        let zero = _mm256_setzero_si256();
        let mut flipped = [zero; 3];
        for square in flips {
            let steps = steps(square);
            for (part, flipped) in flipped.iter_mut().enumerate() {
                *flipped = _mm256_add_epi16(*flipped, _mm256_load_si256(steps.add(part)));
            }
        }
        let steps = steps(square);
        let mut after = Features([0; LANES]);
        for (part, flipped) in flipped.into_iter().enumerate() {
            let discs = _mm256_add_epi16(_mm256_load_si256(before.add(part)), _mm256_load_si256(steps.add(part)));
            let discs = _mm256_add_epi16(discs, _mm256_add_epi16(flipped, flipped));
            _mm256_store_si256(after.0.as_mut_ptr().cast::<__m256i>().add(part), _mm256_sub_epi16(zero, discs));
        }
        after
    }
}

/// As [`portable::sum`](super::portable::sum), by six gathers of aligned words.
#[inline(always)]
pub fn sum(table: &[i32; TABLE], features: &Features) -> i32 {
    // SAFETY: this module is compiled only where AVX2 is enabled. `CENTRES` has a word, and `Features` half a word, for each of the 48
    // lanes that the six rounds load. An index, taken as unsigned, is cut to the last of the table, whatever the features are.
    unsafe {
        let last = _mm256_set1_epi32(TABLE as i32 - 1);
        let mut sum = _mm256_setzero_si256();
        for part in 0..LANES / 8 {
            let features = _mm256_cvtepi16_epi32(_mm_load_si128(features.0.as_ptr().cast::<__m128i>().add(part)));
            let centres = _mm256_loadu_si256(CENTRES.as_ptr().cast::<__m256i>().add(part));
            let indices = _mm256_min_epu32(_mm256_add_epi32(features, centres), last);
            sum = _mm256_add_epi32(sum, _mm256_i32gather_epi32::<4>(table.as_ptr(), indices));
        }
        let half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let pair = _mm_add_epi32(half, _mm_unpackhi_epi64(half, half));
        _mm_cvtsi128_si32(_mm_add_epi32(pair, _mm_shuffle_epi32::<1>(pair)))
    }
}
