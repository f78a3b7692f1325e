//! Tier aarch64-neon: the board as a table of 64 bytes, and indices computed four at a time.
//!
//! The update of the features is the plain one, of which the compiler makes the best instructions.

use std::arch::aarch64::*;

use crate::eval::Features;
use crate::eval::patterns::{EMPTY_INDICES, FEATURES, LANES, PATTERNS, TABLE_WORDS, length};
use crate::othello::Position;

/// The digits of a feature at most.
const DIGITS: usize = 10;

/// The digits of a feature from lane 16 on at most.
const SHORT_DIGITS: usize = 8;

/// The digits whose number fits into a signed byte: 3^5 / 2 = 121.
const LOWER_DIGITS: usize = 5;

/// `SQUARES[digit][lane]`: the square of a digit of a feature, the lowest digit first; 255 if it
/// has none.
static SQUARES: [[u8; LANES]; DIGITS] = {
    let mut squares = [[255; LANES]; DIGITS];
    let mut feature = 0;
    while feature < FEATURES {
        let pattern = &PATTERNS[feature];
        let length = length(pattern.kind);
        assert!(length <= if feature < 16 { DIGITS } else { SHORT_DIGITS });
        let mut digit = 0;
        while digit < length {
            squares[digit][feature] = pattern.nth_square(length - 1 - digit).index() as u8;
            digit += 1;
        }
        feature += 1;
    }
    squares
};

/// As [`portable::extract`](super::portable::extract), sixteen lanes at a time.
///
/// The digits of all squares are in four registers. TBL looks a byte up in them for each lane; an
/// index beyond them gives 0. The lower and the upper digits become a number in a byte each.
#[inline(always)]
pub fn extract(position: &Position) -> Features {
    let mut features = Features([0; LANES]);
    // SAFETY: every CPU of this target has NEON. `SQUARES` has a byte, and `Features` a half word,
    // for each of the 48 lanes.
    unsafe {
        let squares = digits(position);
        let three = vdupq_n_s8(3);
        let factor = vdupq_n_s16(3i16.pow(LOWER_DIGITS as u32));
        for part in 0..LANES / 16 {
            let digit = |digit: usize| {
                let lanes = vld1q_u8(SQUARES[digit].as_ptr().add(16 * part));
                vreinterpretq_s8_u8(vqtbl4q_u8(squares, lanes))
            };
            let number = |first: usize, end: usize| {
                (first..end - 1)
                    .rev()
                    .fold(digit(end - 1), |upper, n| vmlaq_s8(digit(n), upper, three))
            };
            let lower = number(0, LOWER_DIGITS);
            let upper = number(LOWER_DIGITS, if part == 0 { DIGITS } else { SHORT_DIGITS });
            let first =
                vmlaq_s16(vmovl_s8(vget_low_s8(lower)), vmovl_s8(vget_low_s8(upper)), factor);
            let second = vmlaq_s16(vmovl_high_s8(lower), vmovl_high_s8(upper), factor);
            let lanes = features.0.as_mut_ptr().add(16 * part);
            vst1q_s16(lanes, first);
            vst1q_s16(lanes.add(8), second);
        }
    }
    features
}

/// The digits of the squares as bytes: own disc 1, opponent's disc -1, empty 0.
///
/// # Safety
/// The CPU must have NEON.
#[inline(always)]
unsafe fn digits(position: &Position) -> uint8x16x4_t {
    // SAFETY: the condition of this function.
    unsafe {
        let bits = vdupq_n_u64(0x8040_2010_0804_0201);
        let ranks = |rank: usize| {
            let [player, opponent] = [position.player.0, position.opponent.0].map(|discs| {
                let [low, high] = [0, 1].map(|n| vdup_n_u8((discs >> (8 * (rank + n))) as u8));
                vtstq_u8(vcombine_u8(low, high), vreinterpretq_u8_u64(bits))
            });
            // A set bit became -1.
            vsubq_u8(opponent, player)
        };
        uint8x16x4_t(ranks(0), ranks(2), ranks(4), ranks(6))
    }
}

/// As [`portable::sum`](super::portable::sum). NEON has no gather: the indices are computed in
/// vectors, four at a time, and the words loaded one by one.
#[inline(always)]
pub fn sum(table: &[i32; TABLE_WORDS], features: &Features) -> i32 {
    let mut sums = [0i32; 4];
    // SAFETY: every CPU of this target has NEON. `EMPTY_INDICES` has a word, and `Features` a half
    // word, for each of the 48 lanes. Every index is limited, as an unsigned number, to the last
    // one of the table.
    unsafe {
        let last = vdupq_n_u32(TABLE_WORDS as u32 - 1);
        for part in 0..LANES / 4 {
            let features = vld1_s16(features.0.as_ptr().add(4 * part));
            let indices = vaddw_s16(vld1q_s32(EMPTY_INDICES.as_ptr().add(4 * part)), features);
            let indices = vreinterpretq_u64_u32(vminq_u32(vreinterpretq_u32_s32(indices), last));
            // Two indices leave a vector register in one instruction.
            for (half, pair) in
                [vgetq_lane_u64::<0>(indices), vgetq_lane_u64::<1>(indices)].into_iter().enumerate()
            {
                if 4 * part + 2 * half < FEATURES {
                    let [low, high] = [pair as u32, (pair >> 32) as u32]
                        .map(|index| *table.get_unchecked(index as usize));
                    sums[2 * half] = sums[2 * half].wrapping_add(low);
                    sums[2 * half + 1] = sums[2 * half + 1].wrapping_add(high);
                }
            }
        }
    }
    sums.into_iter().fold(0, i32::wrapping_add)
}
