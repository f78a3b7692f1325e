//! Tier v3: the 48 lanes in three 256-bit registers.

use std::arch::x86_64::*;

use crate::eval::Features;
use crate::eval::patterns::{FEATURE_DELTAS, LANES};
use crate::eval::shuffle_tables::{
    LOWER_ROUNDS, LaneBytes, PLACE_VALUES, ROUNDS, SHORT_ROUNDS, SHUFFLES, UPPER_FACTOR,
};
use crate::othello::{Bitboard, Position, Square};

/// As [`portable::extract`](super::portable::extract), by byte shuffles: see
/// `eval/shuffle_tables.rs`.
#[inline(always)]
pub fn extract(position: &Position) -> Features {
    // SAFETY: this module is compiled only where AVX2 is enabled. `LaneBytes` is four times 32
    // bytes aligned to 64, `Features` three times 32 bytes aligned to 32.
    unsafe {
        let digits = digits(position);
        let part_of = |bytes: &LaneBytes, part: usize| {
            _mm256_load_si256(bytes.0.as_ptr().cast::<__m256i>().add(part))
        };
        let mut features = Features([0; LANES]);
        for part in 0..3 {
            let rounds = if part == 0 { ROUNDS } else { SHORT_ROUNDS };
            let mut lower = _mm256_setzero_si256();
            let mut upper = _mm256_setzero_si256();
            for round in 0..rounds {
                let [a, b, c, d] = [0, 1, 2, 3].map(|rows| {
                    _mm256_shuffle_epi8(digits[rows], part_of(&SHUFFLES[round][rows], part))
                });
                let squares = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
                let pairs = _mm256_maddubs_epi16(part_of(&PLACE_VALUES[round], part), squares);
                if round < LOWER_ROUNDS {
                    lower = _mm256_add_epi16(lower, pairs);
                } else {
                    upper = _mm256_add_epi16(upper, pairs);
                }
            }
            let upper = _mm256_mullo_epi16(upper, _mm256_set1_epi16(UPPER_FACTOR));
            let all = _mm256_add_epi16(lower, upper);
            _mm256_store_si256(features.0.as_mut_ptr().cast::<__m256i>().add(part), all);
        }
        features
    }
}

/// The digits of the squares as bytes: own disc 1, opponent's disc -1, empty 0. Each register has
/// two rows of the board, once in each half.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
unsafe fn digits(position: &Position) -> [__m256i; 4] {
    // SAFETY: the condition of this function.
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

/// As [`portable::after`](super::portable::after). The sums of the flipped discs stay in three
/// registers, so each flip costs three additions with a memory operand.
#[inline(always)]
pub fn after(features: &Features, square: Square, flips: Bitboard) -> Features {
    let deltas = |square: Square| FEATURE_DELTAS[square.index()].0.as_ptr().cast::<__m256i>();
    // SAFETY: this module is compiled only where AVX2 is enabled. `Features` and `FeatureDeltas`
    // are three times 32 bytes aligned to 32.
    unsafe {
        let before = features.0.as_ptr().cast::<__m256i>();
        let zero = _mm256_setzero_si256();
        let mut flipped = [zero; 3];
        for square in flips {
            let deltas = deltas(square);
            for (part, flipped) in flipped.iter_mut().enumerate() {
                *flipped = _mm256_add_epi16(*flipped, _mm256_load_si256(deltas.add(part)));
            }
        }
        let deltas = deltas(square);
        let mut after = Features([0; LANES]);
        for (part, flipped) in flipped.into_iter().enumerate() {
            let discs = _mm256_add_epi16(
                _mm256_load_si256(before.add(part)),
                _mm256_load_si256(deltas.add(part)),
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
