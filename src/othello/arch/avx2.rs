//! Tier v3: four directions in one 256-bit register.

use std::arch::x86_64::*;

use super::rays::{BETWEEN, INNER, RAYS, STEPS};

/// As [`portable::flips`](super::portable::flips): the four upward and the four downward rays at once.
///
/// Without a count of leading zeros, the downward rays smear their stops downwards in three doubling steps: what the
/// smear leaves of a ray is the run next to the square, and the top of the smear is where it ends.
#[inline(always)]
pub fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square & 63];
    // SAFETY: this module is compiled only where AVX2 is enabled, and a `Rays` is 64 bytes aligned to 64.
    unsafe {
        let up = _mm256_load_si256(rays.up.as_ptr().cast());
        let down = _mm256_load_si256(rays.down.as_ptr().cast());
        let player = _mm256_set1_epi64x(player as i64);
        let opponent = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();

        let stops = _mm256_andnot_si256(opponent, up);
        let lowest = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
        let bracket = _mm256_and_si256(lowest, player);
        let missing = _mm256_cmpeq_epi64(bracket, zero);
        // bracket - 1, or 0 - 1 + 1 where there is no bracket.
        let below = _mm256_sub_epi64(_mm256_add_epi64(bracket, _mm256_set1_epi64x(-1)), missing);
        let flips_up = _mm256_and_si256(below, up);

        let step = _mm256_set_epi64x(9, 8, 7, 1);
        let step_2 = _mm256_add_epi64(step, step);
        let step_4 = _mm256_add_epi64(step_2, step_2);
        let mut smear = _mm256_andnot_si256(opponent, down);
        smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, step));
        smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, step_2));
        smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, step_4));
        let top = _mm256_andnot_si256(_mm256_srlv_epi64(smear, step), smear);
        let bracket = _mm256_and_si256(_mm256_and_si256(top, down), player);
        let missing = _mm256_cmpeq_epi64(bracket, zero);
        let run = _mm256_andnot_si256(smear, down);
        let flips_down = _mm256_andnot_si256(missing, run);

        fold_or(_mm256_or_si256(flips_up, flips_down))
    }
}

/// As [`portable::moves`](super::portable::moves), the four directions of [`STEPS`] in the four lanes.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    // SAFETY: this module is compiled only where AVX2 is enabled; four words are loaded from an array of
    // four.
    unsafe {
        let [step, step_2, step_3] = [1, 2, 3].map(|n| {
            let [d0, d1, d2, d3] = STEPS.map(|step| i64::from(n * step));
            _mm256_set_epi64x(d3, d2, d1, d0)
        });
        let player_lanes = _mm256_set1_epi64x(player as i64);
        let flippable = _mm256_and_si256(
            _mm256_set1_epi64x(opponent as i64),
            _mm256_loadu_si256(BETWEEN.as_ptr().cast()),
        );
        let second = _mm256_and_si256(flippable, _mm256_sllv_epi64(flippable, step));
        let third = _mm256_and_si256(second, _mm256_sllv_epi64(second, step));
        // base | over & moved
        let extend = |base, over, moved| _mm256_or_si256(base, _mm256_and_si256(over, moved));

        let up = |set, by| _mm256_sllv_epi64(set, by);
        let reach = extend(player_lanes, flippable, up(player_lanes, step));
        let reach = extend(reach, second, up(reach, step_2));
        let ends = extend(_mm256_and_si256(flippable, reach), third, up(reach, step_3));
        let moves_up = up(ends, step);

        let down = |set, by| _mm256_srlv_epi64(set, by);
        let (second, third) = (down(second, step), down(third, step_2));
        let reach = extend(player_lanes, flippable, down(player_lanes, step));
        let reach = extend(reach, second, down(reach, step_2));
        let ends = extend(_mm256_and_si256(flippable, reach), third, down(reach, step_3));
        let moves_down = down(ends, step);

        fold_or(_mm256_or_si256(moves_up, moves_down)) & !(player | opponent)
    }
}

/// As [`portable::held`](super::portable::held). Two directions to a register of 128 bits: four in one of 256 would have to be joined across
/// its halves, and out of vectors and back again takes longer than the step itself.
#[inline(always)]
pub fn held(known: u64, own: u64, open: [u64; 4]) -> u64 {
    // SAFETY: this module is compiled only where AVX2 is enabled; four words are loaded from an array of four.
    unsafe {
        let (step_1_7, step_8_9) = (_mm_set_epi64x(7, 1), _mm_set_epi64x(9, 8));
        let open = _mm256_loadu_si256(open.as_ptr().cast());
        let (open_1_7, open_8_9) =
            (_mm256_castsi256_si128(open), _mm256_extracti128_si256(open, 1));
        let inner = _mm_set1_epi64x((own & INNER) as i64);
        // Both lanes hold all that is stable.
        let grown = |stable| {
            let beside_1_7 =
                _mm_or_si128(_mm_sllv_epi64(stable, step_1_7), _mm_srlv_epi64(stable, step_1_7));
            let beside_8_9 =
                _mm_or_si128(_mm_sllv_epi64(stable, step_8_9), _mm_srlv_epi64(stable, step_8_9));
            let loose = _mm_or_si128(
                _mm_andnot_si128(beside_1_7, open_1_7),
                _mm_andnot_si128(beside_8_9, open_8_9),
            );
            let loose = _mm_or_si128(loose, _mm_shuffle_epi32(loose, 0b01_00_11_10));
            _mm_or_si128(stable, _mm_andnot_si128(loose, inner))
        };
        let mut stable = _mm_set1_epi64x(known as i64);
        loop {
            let once = grown(stable);
            let twice = grown(once);
            let more = _mm_andnot_si128(once, twice);
            if _mm_testz_si128(more, more) == 1 {
                return _mm_cvtsi128_si64(once) as u64;
            }
            stable = twice;
        }
    }
}

/// The four lanes joined by OR.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
pub(super) unsafe fn fold_or(lanes: __m256i) -> u64 {
    // SAFETY: as the caller promises.
    unsafe {
        let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
        let last = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
        _mm_cvtsi128_si64(last) as u64
    }
}
