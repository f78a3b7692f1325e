//! Alternatives for tier v3: extraction by PEXT, and the sum by gathers.

use std::arch::x86_64::*;

use yose::eval::patterns::{EMPTY_INDICES, LANES, TABLE_WORDS};
use yose::othello::Position;

use super::products::{TABLES, extract_with};

/// As [`products::extract`](super::products::extract), with the bits for tables collected by PEXT.
#[inline(always)]
pub fn extract_by_pext(position: &Position) -> [i16; LANES] {
    extract_with(position, |part, discs| {
        // SAFETY: this module is compiled only where BMI2 is enabled.
        let bits = unsafe { _pext_u64(discs, part.gather.mask) };
        TABLES[part.ascending][bits as u8 as usize]
    })
}

/// As [`yose::eval::arch::portable::sum`], by six gathers.
#[inline(always)]
pub fn sum(table: &[i32; TABLE_WORDS], features: &[i16; LANES]) -> i32 {
    // SAFETY: this module is compiled only where AVX2 is enabled. `EMPTY_INDICES` has a word, and
    // `features` half a word, for each of the 48 lanes that are loaded. Every index is limited, as
    // an unsigned number, to the last one of the table.
    unsafe {
        let last = _mm256_set1_epi32(TABLE_WORDS as i32 - 1);
        let mut sum = _mm256_setzero_si256();
        for part in 0..LANES / 8 {
            let features = _mm256_cvtepi16_epi32(_mm_loadu_si128(
                features.as_ptr().cast::<__m128i>().add(part),
            ));
            let empty = _mm256_loadu_si256(EMPTY_INDICES.as_ptr().cast::<__m256i>().add(part));
            let indices = _mm256_min_epu32(_mm256_add_epi32(features, empty), last);
            sum = _mm256_add_epi32(sum, _mm256_i32gather_epi32::<4>(table.as_ptr(), indices));
        }
        let half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let pair = _mm_add_epi32(half, _mm_unpackhi_epi64(half, half));
        _mm_cvtsi128_si32(_mm_add_epi32(pair, _mm_shuffle_epi32::<1>(pair)))
    }
}
