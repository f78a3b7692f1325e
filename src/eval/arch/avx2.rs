//! Tier v3: the 48 lanes in three 256-bit registers, and weights gathered eight at a
//! time.

use std::arch::x86_64::*;

use crate::eval::Features;
use crate::eval::codes::Code;
use crate::eval::gather::{COLLECTED, STRAIGHT, TABLES};
use crate::eval::patterns::{CENTRES, LANES, STEPS, TABLE};
use crate::eval::shuffles::{
    Bytes, LOWER_ROUNDS, ROUNDS, ROUNDS_OF_LINES, SHUFFLES, UPPER, WORTHS,
};
use crate::othello::{Bitboard, Position, Square};

/// As [`portable::extract`](super::portable::extract), by byte shuffles (`eval::shuffles`).
#[inline(always)]
pub fn extract(position: &Position) -> Features {
    // SAFETY: this module is compiled only where AVX2 is enabled; `Bytes` is four times 32 bytes
    // aligned to 64, `Features` three times 32 aligned to 32.
    unsafe {
        let digits = digits(position);
        let part_of = |bytes: &Bytes, part: usize| {
            _mm256_load_si256(bytes.0.as_ptr().cast::<__m256i>().add(part))
        };
        let mut features = Features([0; LANES]);
        for part in 0..3 {
            let rounds = if part == 0 { ROUNDS } else { ROUNDS_OF_LINES };
            let mut lower = _mm256_setzero_si256();
            let mut upper = _mm256_setzero_si256();
            for round in 0..rounds {
                let [a, b, c, d] = [0, 1, 2, 3].map(|rows| {
                    _mm256_shuffle_epi8(digits[rows], part_of(&SHUFFLES[round][rows], part))
                });
                let squares = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
                let pairs = _mm256_maddubs_epi16(part_of(&WORTHS[round], part), squares);
                if round < LOWER_ROUNDS {
                    lower = _mm256_add_epi16(lower, pairs);
                } else {
                    upper = _mm256_add_epi16(upper, pairs);
                }
            }
            let all = _mm256_add_epi16(lower, _mm256_mullo_epi16(upper, _mm256_set1_epi16(UPPER)));
            _mm256_store_si256(features.0.as_mut_ptr().cast::<__m256i>().add(part), all);
        }
        features
    }
}

/// Two rows a register, in both of its halves: a byte for each square, own 1, opponent's -1, empty
/// 0.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
unsafe fn digits(position: &Position) -> [__m256i; 4] {
    // SAFETY: as the caller promises.
    unsafe {
        let [player, opponent] =
            [position.player.0, position.opponent.0].map(|discs| _mm256_set1_epi64x(discs as i64));
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201u64 as i64);
        [0, 1, 2, 3].map(|rows| {
            let low = 0x0101_0101_0101_0101 * (2 * rows);
            let high = 0x0101_0101_0101_0101 * (2 * rows + 1);
            let spread = _mm256_set_epi64x(high, low, high, low);
            let [player, opponent] = [player, opponent].map(|discs| {
                _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(discs, spread), bits), bits)
            });
            _mm256_sub_epi8(opponent, player)
        })
    }
}

/// As [`gather::extract`](crate::eval::gather::extract), the bits for tables collected by PEXT.
#[inline(always)]
pub fn extract_by_pext(position: &Position) -> Features {
    let (player, opponent) = (position.player.0, position.opponent.0);
    let mut features = [0; LANES];
    for part in &STRAIGHT {
        features[part.feature] +=
            part.worth * (part.gather.of(player) as i16 - part.gather.of(opponent) as i16);
    }
    for part in &COLLECTED {
        let table = &TABLES[part.ascending];
        // SAFETY: this module is compiled only where BMI2 is enabled.
        let number = |discs| table[unsafe { _pext_u64(discs, part.gather.mask) } as u8 as usize];
        features[part.feature] += number(player) - number(opponent);
    }
    Features(features)
}

/// As [`portable::code`](super::portable::code), both colours' in one register.
#[inline(always)]
pub fn code(code: &Code, position: &Position) -> u32 {
    // SAFETY: this module is compiled only where AVX2 is enabled; `bytes` and `bits` are 32 bytes
    // each.
    unsafe {
        let boards = _mm_set_epi64x(position.opponent.0 as i64, position.player.0 as i64);
        let rows = _mm256_shuffle_epi8(
            _mm256_broadcastsi128_si256(boards),
            _mm256_loadu_si256(code.bytes.as_ptr().cast()),
        );
        let bits = _mm256_loadu_si256(code.bits.as_ptr().cast());
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(rows, bits), bits)) as u32
    }
}

/// As [`portable::after`](super::portable::after). The three registers stay the same over all
/// flipped discs, so that each costs three additions from memory.
#[inline(always)]
pub fn after(features: &Features, square: Square, flips: Bitboard) -> Features {
    let steps = |square: Square| STEPS[square.index()].0.as_ptr().cast::<__m256i>();
    // SAFETY: this module is compiled only where AVX2 is enabled; `Features` and `Steps` are three
    // times 32 bytes aligned to 32.
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
            let discs = _mm256_add_epi16(
                _mm256_load_si256(before.add(part)),
                _mm256_load_si256(steps.add(part)),
            );
            let discs = _mm256_add_epi16(discs, _mm256_add_epi16(flipped, flipped));
            _mm256_store_si256(
                after.0.as_mut_ptr().cast::<__m256i>().add(part),
                _mm256_sub_epi16(zero, discs),
            );
        }
        after
    }
}

/// As [`portable::sum`](super::portable::sum), by six gathers of aligned words.
#[inline(always)]
pub fn sum(table: &[i32; TABLE], features: &Features) -> i32 {
    // SAFETY: this module is compiled only where AVX2 is enabled. `CENTRES` has a word, and
    // `Features` half a word, for each of the 48 lanes that the six rounds load. An index, taken as
    // unsigned, is cut to the last of the table, whatever the features are.
    unsafe {
        let last = _mm256_set1_epi32(TABLE as i32 - 1);
        let mut sum = _mm256_setzero_si256();
        for part in 0..LANES / 8 {
            let features = _mm256_cvtepi16_epi32(_mm_load_si128(
                features.0.as_ptr().cast::<__m128i>().add(part),
            ));
            let centres = _mm256_loadu_si256(CENTRES.as_ptr().cast::<__m256i>().add(part));
            let indices = _mm256_min_epu32(_mm256_add_epi32(features, centres), last);
            sum = _mm256_add_epi32(sum, _mm256_i32gather_epi32::<4>(table.as_ptr(), indices));
        }
        let half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let pair = _mm_add_epi32(half, _mm_unpackhi_epi64(half, half));
        _mm_cvtsi128_si32(_mm_add_epi32(pair, _mm_shuffle_epi32::<1>(pair)))
    }
}
