//! Tier v3 (AVX2): one line direction in each of the four lanes of a 256-bit register.

use std::arch::x86_64::*;

use super::rays::{BETWEEN, INNER, RAYS, REACHABLE, STEPS};

/// As [`portable::flips`](super::portable::flips), with seven of the eight rays in two registers.
///
/// AVX2 cannot find the highest bit of a lane, which the rays towards lower bits need. But a ray
/// that leads to a lower rank leads to a higher one on the board mirrored top to bottom, where it
/// runs towards higher bits. A reversal of the bytes mirrors the board. The ray along the row to
/// the left stays what it is under this symmetry; its flips are computed in scalar registers beside
/// the vectors.
#[inline(always)]
pub fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    let rays = &MIRRORED_RAYS[square & 63];
    let stops = rays.left() & !opponent | 1;
    let beyond = i64::MAX as u64 >> stops.leading_zeros();
    let near = rays.left() & !beyond;
    let flips_left = near & opponent & (near & player).wrapping_neg();
    // SAFETY: this module is compiled only where AVX2 is enabled; a `MirroredRays` is 64 bytes
    // aligned to 64, and `MIRROR` 32 aligned to 32.
    unsafe {
        let up = _mm256_load_si256(rays.up.as_ptr().cast());
        let mirrored = _mm256_load_si256(rays.mirrored.as_ptr().cast());
        let player = _mm256_set1_epi64x(player as i64);
        let opponent = _mm256_set1_epi64x(opponent as i64);
        let control = _mm256_load_si256(MIRROR.0.as_ptr().cast());
        let mirror = |lanes| _mm256_shuffle_epi8(lanes, control);

        let flips_up = flips_upwards(up, player, opponent);
        let flips_down = mirror(flips_upwards(mirrored, mirror(player), mirror(opponent)));
        fold_or(_mm256_or_si256(flips_up, flips_down)) | flips_left
    }
}

/// The flips along four rays that run towards higher bits.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
unsafe fn flips_upwards(rays: __m256i, player: __m256i, opponent: __m256i) -> __m256i {
    // SAFETY: as the caller promises.
    unsafe {
        let stops = _mm256_andnot_si256(opponent, rays);
        let less_one = _mm256_add_epi64(stops, _mm256_set1_epi64x(-1));
        let near = _mm256_and_si256(rays, _mm256_xor_si256(stops, less_one));
        let closing = _mm256_and_si256(near, player);
        let unclosed = _mm256_cmpeq_epi64(closing, _mm256_setzero_si256());
        _mm256_andnot_si256(unclosed, _mm256_and_si256(near, opponent))
    }
}

/// The rays of one square as [`flips`] needs them.
#[repr(C, align(64))]
struct MirroredRays {
    /// The rays towards higher bits, in the order of [`STEPS`].
    up: [u64; 4],
    /// The rays towards lower bits, in the order of [`STEPS`]: the ray along the row as it is, the
    /// others mirrored top to bottom. [`MIRROR`] empties lane 0, so that the first one flips
    /// nothing in a vector.
    mirrored: [u64; 4],
}

impl MirroredRays {
    /// The ray along the row towards lower bits.
    #[inline(always)]
    fn left(&self) -> u64 {
        self.mirrored[0]
    }
}

static MIRRORED_RAYS: [MirroredRays; 64] = {
    let mut mirrored = [const { MirroredRays { up: [0; 4], mirrored: [0; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        let [left, ray_7, ray_8, ray_9] = RAYS[square].down;
        mirrored[square] = MirroredRays {
            up: RAYS[square].up,
            mirrored: [left, ray_7.swap_bytes(), ray_8.swap_bytes(), ray_9.swap_bytes()],
        };
        square += 1;
    }
    mirrored
};

#[repr(C, align(32))]
struct ByteShuffle([u8; 32]);

/// The control of a byte shuffle that reverses the bytes of lanes 1 to 3 and sets lane 0 to 0.
/// Indices count within 16 bytes; an index with its top bit set gives 0.
static MIRROR: ByteShuffle = {
    let mut control = [0x80; 32];
    let mut byte = 8;
    while byte < 32 {
        control[byte] = (byte & 8 | (7 - byte % 8)) as u8;
        byte += 1;
    }
    ByteShuffle(control)
};

/// As [`portable::moves`](super::portable::moves), the four directions of [`STEPS`] in the four
/// lanes.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    // SAFETY: this module is compiled only where AVX2 is enabled; four words are loaded from an
    // array of four.
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

/// As [`portable::all_full`](super::portable::all_full): the empty squares spread along the four
/// lines of [`STEPS`], both ways, by moves of 1, 2 and 4 squares.
#[inline(always)]
pub fn all_full(occupied: u64) -> u64 {
    // SAFETY: this module is compiled only where AVX2 is enabled; `REACHABLE` is aligned to 64
    // bytes, and its elements are 32 bytes long.
    unsafe {
        let [d0, d1, d2, d3] = STEPS.map(i64::from);
        let mut step = _mm256_set_epi64x(d3, d2, d1, d0);
        let mut up = _mm256_set1_epi64x(!occupied as i64);
        let mut down = up;
        for (reach_up, reach_down) in REACHABLE.up.iter().zip(&REACHABLE.down) {
            let reach_up = _mm256_load_si256(reach_up.as_ptr().cast());
            let reach_down = _mm256_load_si256(reach_down.as_ptr().cast());
            up = _mm256_or_si256(up, _mm256_and_si256(reach_up, _mm256_sllv_epi64(up, step)));
            down =
                _mm256_or_si256(down, _mm256_and_si256(reach_down, _mm256_srlv_epi64(down, step)));
            step = _mm256_add_epi64(step, step);
        }
        !fold_or(_mm256_or_si256(up, down))
    }
}

/// As [`portable::stability_closure`](super::portable::stability_closure), with two directions in
/// each of two 128-bit registers. Each step joins all four directions, and to join the halves of a
/// 256-bit register takes longer than the step itself.
#[inline(always)]
pub fn stability_closure(known: u64, own: u64, open: [u64; 4]) -> u64 {
    // SAFETY: this module is compiled only where AVX2 is enabled; four words are loaded from an
    // array of four.
    unsafe {
        let (step_1_7, step_8_9) = (_mm_set_epi64x(7, 1), _mm_set_epi64x(9, 8));
        let open = _mm256_loadu_si256(open.as_ptr().cast());
        let (open_1_7, open_8_9) =
            (_mm256_castsi256_si128(open), _mm256_extracti128_si256(open, 1));
        let inner = _mm_set1_epi64x((own & INNER) as i64);
        // Both lanes of `stable` have all stable discs found so far.
        let grown = |stable| {
            let beside_1_7 =
                _mm_or_si128(_mm_sllv_epi64(stable, step_1_7), _mm_srlv_epi64(stable, step_1_7));
            let beside_8_9 =
                _mm_or_si128(_mm_sllv_epi64(stable, step_8_9), _mm_srlv_epi64(stable, step_8_9));
            let flippable = _mm_or_si128(
                _mm_andnot_si128(beside_1_7, open_1_7),
                _mm_andnot_si128(beside_8_9, open_8_9),
            );
            let flippable = _mm_or_si128(flippable, _mm_shuffle_epi32(flippable, 0b01_00_11_10));
            _mm_or_si128(stable, _mm_andnot_si128(flippable, inner))
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
