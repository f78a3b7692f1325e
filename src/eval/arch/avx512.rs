//! Tier v4: weights gathered sixteen at a time (SEEDS.md A3). The update stays tier v3's: rows of 96 bytes are whole halves of cache
//! lines, and a 512-bit load from every other row would lie across two lines.

use std::arch::x86_64::*;

use crate::eval::Features;
use crate::eval::patterns::{CENTRES, LANES, TABLE};

/// As [`portable::sum`](super::portable::sum), by three gathers of aligned words.
#[inline(always)]
pub fn sum(table: &[i32; TABLE], features: &Features) -> i32 {
    // SAFETY: this module is compiled only where AVX-512 F is enabled. `CENTRES` has a word, and `Features` half a word, for each of the
    // 48 lanes that the three rounds load. An index, taken as unsigned, is cut to the last of the table, whatever the features are.
    unsafe {
        let last = _mm512_set1_epi32(TABLE as i32 - 1);
        let mut sum = _mm512_setzero_si512();
        for part in 0..LANES / 16 {
            let features = _mm512_cvtepi16_epi32(_mm256_load_si256(features.0.as_ptr().cast::<__m256i>().add(part)));
            let centres = _mm512_loadu_si512(CENTRES.as_ptr().cast::<__m512i>().add(part));
            let indices = _mm512_min_epu32(_mm512_add_epi32(features, centres), last);
            sum = _mm512_add_epi32(sum, _mm512_i32gather_epi32::<4>(indices, table.as_ptr()));
        }
        _mm512_reduce_add_epi32(sum)
    }
}
