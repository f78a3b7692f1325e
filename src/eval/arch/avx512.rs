//! Tier v4: weights gathered sixteen at a time. The update stays tier v3's: rows of
//! 96 bytes are whole halves of cache lines, and a 512-bit load from every other row would lie
//! across two lines.

use std::arch::x86_64::*;

use crate::eval::Features;
use crate::eval::codes::Code;
use crate::eval::patterns::{CENTRES, LANES, TABLE};
use crate::eval::shuffles::{LOWER_ROUNDS, ROUNDS, ROUNDS_OF_LINES, SHUFFLES, UPPER, WORTHS};
use crate::othello::Position;

/// As [`portable::extract`](super::portable::extract), by byte shuffles
/// (`eval::shuffles`): 32 lanes in one register, and the other 16 in half of one.
#[inline(always)]
pub fn extract(position: &Position) -> Features {
    // SAFETY: this module is compiled only where AVX-512 F, BW and VL are enabled; `Bytes` is 128
    // bytes aligned to 64, `Features` three times 32 aligned to 32.
    unsafe {
        // A byte for each square: a mask's bit is its -1.
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
            let pairs =
                _mm512_maddubs_epi16(_mm512_load_si512(WORTHS[round].0.as_ptr().cast()), squares);
            if round < LOWER_ROUNDS {
                lower = _mm512_add_epi16(lower, pairs);
            } else {
                upper = _mm512_add_epi16(upper, pairs);
            }
        }
        let all = _mm512_add_epi16(lower, _mm512_mullo_epi16(upper, _mm512_set1_epi16(UPPER)));
        _mm512_storeu_si512(features.0.as_mut_ptr().cast(), all);

        let mut lower = _mm256_setzero_si256();
        let mut upper = _mm256_setzero_si256();
        for round in 0..ROUNDS_OF_LINES {
            let [a, b, c, d] = [0, 1, 2, 3].map(|rows| {
                let lanes =
                    _mm256_load_si256(SHUFFLES[round][rows].0.as_ptr().cast::<__m256i>().add(2));
                _mm256_shuffle_epi8(_mm512_castsi512_si256(digits[rows]), lanes)
            });
            let squares = _mm256_or_si256(_mm256_ternarylogic_epi64::<0xfe>(a, b, c), d);
            let pairs = _mm256_maddubs_epi16(
                _mm256_load_si256(WORTHS[round].0.as_ptr().cast::<__m256i>().add(2)),
                squares,
            );
            if round < LOWER_ROUNDS {
                lower = _mm256_add_epi16(lower, pairs);
            } else {
                upper = _mm256_add_epi16(upper, pairs);
            }
        }
        let all = _mm256_add_epi16(lower, _mm256_mullo_epi16(upper, _mm256_set1_epi16(UPPER)));
        _mm256_store_si256(features.0.as_mut_ptr().cast::<__m256i>().add(2), all);
        features
    }
}

/// As [`portable::code`](super::portable::code), both colours' in one register.
#[inline(always)]
pub fn code(code: &Code, position: &Position) -> u32 {
    // SAFETY: this module is compiled only where AVX-512 BW and VL are enabled; `bytes` and `bits`
    // are 32 bytes each.
    unsafe {
        let boards = _mm_set_epi64x(position.opponent.0 as i64, position.player.0 as i64);
        let rows = _mm256_shuffle_epi8(
            _mm256_broadcastsi128_si256(boards),
            _mm256_loadu_si256(code.bytes.as_ptr().cast()),
        );
        _mm256_test_epi8_mask(rows, _mm256_loadu_si256(code.bits.as_ptr().cast()))
    }
}

/// As [`portable::sum`](super::portable::sum), by three gathers of aligned words.
#[inline(always)]
pub fn sum(table: &[i32; TABLE], features: &Features) -> i32 {
    // SAFETY: this module is compiled only where AVX-512 F is enabled. `CENTRES` has a word, and
    // `Features` half a word, for each of the 48 lanes that the three rounds load. An index, taken
    // as unsigned, is cut to the last of the table, whatever the features are.
    unsafe {
        let last = _mm512_set1_epi32(TABLE as i32 - 1);
        let mut sum = _mm512_setzero_si512();
        for part in 0..LANES / 16 {
            let features = _mm512_cvtepi16_epi32(_mm256_load_si256(
                features.0.as_ptr().cast::<__m256i>().add(part),
            ));
            let centres = _mm512_loadu_si512(CENTRES.as_ptr().cast::<__m512i>().add(part));
            let indices = _mm512_min_epu32(_mm512_add_epi32(features, centres), last);
            sum = _mm512_add_epi32(sum, _mm512_i32gather_epi32::<4>(indices, table.as_ptr()));
        }
        _mm512_reduce_add_epi32(sum)
    }
}
