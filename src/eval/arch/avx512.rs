//! Tier v4: 32 lanes in a register, and weights gathered sixteen at a time.
//!
//! The update of the features is that of tier v3. Its rows of 96 bytes are whole halves of cache
//! lines; of 512-bit loads, every other row's would cross a line.

use std::arch::x86_64::*;

use crate::eval::Features;
use crate::eval::patterns::{EMPTY_INDICES, LANES, TABLE_WORDS};
use crate::eval::shuffle_tables::{
    LOWER_ROUNDS, PLACE_VALUES, ROUNDS, SHORT_ROUNDS, SHUFFLES, UPPER_FACTOR,
};
use crate::othello::Position;

/// As [`portable::extract`](super::portable::extract), by byte shuffles: see
/// `eval/shuffle_tables.rs`. The first 32 lanes are in one register, the other 16 in half of one.
#[inline(always)]
pub fn extract(position: &Position) -> Features {
    // SAFETY: this module is compiled only where AVX-512 F, BW and VL are enabled. `LaneBytes` is
    // 128 bytes aligned to 64, `Features` three times 32 bytes aligned to 32.
    unsafe {
        // A byte for each square: a set bit of a board becomes -1.
        let player = _mm512_movm_epi8(position.player.0);
        let opponent = _mm512_movm_epi8(position.opponent.0);
        let squares = _mm512_sub_epi8(opponent, player);
        let digits = [
            _mm512_shuffle_i32x4::<0x00>(squares, squares),
            _mm512_shuffle_i32x4::<0x55>(squares, squares),
            _mm512_shuffle_i32x4::<0xaa>(squares, squares),
            _mm512_shuffle_i32x4::<0xff>(squares, squares),
        ];
        let mut features = Features([0; LANES]);
        let mut lower = _mm512_setzero_si512();
        let mut upper = _mm512_setzero_si512();
        for round in 0..ROUNDS {
            let [a, b, c, d] = [0, 1, 2, 3].map(|rows| {
                _mm512_shuffle_epi8(
                    digits[rows],
                    _mm512_load_si512(SHUFFLES[round][rows].0.as_ptr().cast()),
                )
            });
            let squares = _mm512_or_si512(_mm512_ternarylogic_epi64::<0xfe>(a, b, c), d);
            let pairs = _mm512_maddubs_epi16(
                _mm512_load_si512(PLACE_VALUES[round].0.as_ptr().cast()),
                squares,
            );
            if round < LOWER_ROUNDS {
                lower = _mm512_add_epi16(lower, pairs);
            } else {
                upper = _mm512_add_epi16(upper, pairs);
            }
        }
        let upper = _mm512_mullo_epi16(upper, _mm512_set1_epi16(UPPER_FACTOR));
        let all = _mm512_add_epi16(lower, upper);
        _mm512_storeu_si512(features.0.as_mut_ptr().cast(), all);

        let mut lower = _mm256_setzero_si256();
        let mut upper = _mm256_setzero_si256();
        for round in 0..SHORT_ROUNDS {
            let [a, b, c, d] = [0, 1, 2, 3].map(|rows| {
                let lanes =
                    _mm256_load_si256(SHUFFLES[round][rows].0.as_ptr().cast::<__m256i>().add(2));
                _mm256_shuffle_epi8(_mm512_castsi512_si256(digits[rows]), lanes)
            });
            let squares = _mm256_or_si256(_mm256_ternarylogic_epi64::<0xfe>(a, b, c), d);
            let pairs = _mm256_maddubs_epi16(
                _mm256_load_si256(PLACE_VALUES[round].0.as_ptr().cast::<__m256i>().add(2)),
                squares,
            );
            if round < LOWER_ROUNDS {
                lower = _mm256_add_epi16(lower, pairs);
            } else {
                upper = _mm256_add_epi16(upper, pairs);
            }
        }
        let upper = _mm256_mullo_epi16(upper, _mm256_set1_epi16(UPPER_FACTOR));
        let all = _mm256_add_epi16(lower, upper);
        _mm256_store_si256(features.0.as_mut_ptr().cast::<__m256i>().add(2), all);
        features
    }
}

/// As [`portable::sum`](super::portable::sum), by three gathers.
#[inline(always)]
pub fn sum(table: &[i32; TABLE_WORDS], features: &Features) -> i32 {
    // SAFETY: this module is compiled only where AVX-512 F is enabled. `EMPTY_INDICES` has a word,
    // and `Features` half a word, for each of the 48 lanes that are loaded. Every index is limited,
    // as an unsigned number, to the last one of the table.
    unsafe {
        let last = _mm512_set1_epi32(TABLE_WORDS as i32 - 1);
        let mut sum = _mm512_setzero_si512();
        for part in 0..LANES / 16 {
            let features = _mm512_cvtepi16_epi32(_mm256_load_si256(
                features.0.as_ptr().cast::<__m256i>().add(part),
            ));
            let empty_indices =
                _mm512_loadu_si512(EMPTY_INDICES.as_ptr().cast::<__m512i>().add(part));
            let indices = _mm512_min_epu32(_mm512_add_epi32(features, empty_indices), last);
            sum = _mm512_add_epi32(sum, _mm512_i32gather_epi32::<4>(indices, table.as_ptr()));
        }
        _mm512_reduce_add_epi32(sum)
    }
}
