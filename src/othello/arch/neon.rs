//! Tier aarch64-neon: the board turned by 180 degrees, and two rays in each register.
//!
//! RBIT reverses the bits of a word in one instruction, which turns the board by 180 degrees:
//! square n becomes square 63 - n. A direction towards lower bits is one towards higher bits on the
//! turned board, where the carry of an addition runs along it.
//!
//! [`moves`] and [`stability_closure`] use general registers only. Their instructions shift one
//! operand on the way, which vector instructions cannot do, and take half the time.

use std::arch::aarch64::*;
use std::arch::asm;

use super::rays::{BETWEEN, INNER, RAYS, STEPS};

/// As [`portable::flips`](super::portable::flips), all rays as rays towards higher bits.
///
/// The rays of a square towards lower bits are those of the turned square towards higher bits.
#[inline(always)]
pub fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    let square = square & 63;
    // SAFETY: every CPU of this target has NEON.
    unsafe {
        let flips_up = flips_upwards(&RAYS[square].up, player, opponent);
        let (player, opponent) = (player.reverse_bits(), opponent.reverse_bits());
        let flips_turned = flips_upwards(&RAYS[63 - square].up, player, opponent);
        flips_up | flips_turned.reverse_bits()
    }
}

/// The flips along four rays that run towards higher bits.
///
/// The opponent's discs and all squares that are not on the ray are set in `over`. Adding one
/// carries over them, and sets the first square of the ray without an opponent's disc. If this is a
/// disc of the player, the squares of the ray below it are flipped. If not, `closing` is 0, and the
/// saturating subtraction leaves it so.
///
/// # Safety
/// The CPU must have NEON.
#[inline(always)]
unsafe fn flips_upwards(rays: &[u64; 4], player: u64, opponent: u64) -> u64 {
    // SAFETY: the condition of this function; two words are loaded from arrays of two.
    unsafe {
        let one = vdupq_n_u64(1);
        let [player, opponent] = [vdupq_n_u64(player), vdupq_n_u64(opponent)];
        let flips = |rays: &[u64; 2]| {
            let rays = vld1q_u64(rays.as_ptr());
            let over = vornq_u64(opponent, rays);
            let closing = vandq_u64(vaddq_u64(over, one), vandq_u64(player, rays));
            vandq_u64(vqsubq_u64(closing, one), rays)
        };
        let [a, b, c, d] = *rays;
        let both = vorrq_u64(flips(&[a, b]), flips(&[c, d]));
        // No square is on two rays, so that the sum is the union.
        vaddvq_u64(both)
    }
}

/// As [`portable::moves`](super::portable::moves) along files and diagonals. Along rows by carries:
/// the opponent's discs away from the files a and h are runs that end within a row. Adding the
/// lowest disc of a run, if it is next to a disc of the player, carries over the run and sets the
/// square behind it.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    let rightwards = moves_rightwards(player, opponent);
    let leftwards = moves_rightwards(player.reverse_bits(), opponent.reverse_bits()).reverse_bits();
    let mut moves = rightwards | leftwards;
    for (step, between) in STEPS.into_iter().zip(BETWEEN).skip(1) {
        let flippable = opponent & between;
        let second = flippable & flippable << step;
        let third = second & second << step;
        let reach = player | flippable & player << step;
        let reach = in_general_register(reach | second & reach << (2 * step));
        moves |= (flippable & reach | third & reach << (3 * step)) << step;

        let second = second >> step;
        let third = third >> (2 * step);
        let reach = player | flippable & player >> step;
        let reach = in_general_register(reach | second & reach >> (2 * step));
        moves |= (flippable & reach | third & reach >> (3 * step)) >> step;
    }
    moves & !(player | opponent)
}

/// The squares behind runs of the opponent's discs whose left end is next to a disc of the player;
/// occupied squares are among them.
#[inline(always)]
fn moves_rightwards(player: u64, opponent: u64) -> u64 {
    let flippable = opponent & BETWEEN[0];
    let starts = flippable & player << 1;
    flippable.wrapping_add(starts) & !flippable
}

/// `word`, unchanged. The compiler cannot make vectors of computations through it.
#[inline(always)]
fn in_general_register(mut word: u64) -> u64 {
    // SAFETY: there is no instruction.
    unsafe {
        asm!("/* {0} */", inlateout(reg) word, options(pure, nomem, nostack, preserves_flags))
    };
    word
}

/// As [`portable::stability_closure`](super::portable::stability_closure), by rotations instead of
/// shifts.
///
/// The bits that a rotation by at most nine squares brings around are on the ranks 1 and 8, or are
/// a2 and h7: they count on no inner square. `around`, the stable discs and those two steps lower,
/// has on each square one step above the two neighbours of that square. So a direction takes two
/// instructions, each with a rotated operand.
#[inline(always)]
pub fn stability_closure(known: u64, own: u64, open: [u64; 4]) -> u64 {
    let inner = own & INNER;
    let grown = |stable: u64| {
        let flippable = flippable::<1>(stable, open[0])
            | flippable::<7>(stable, open[1])
            | flippable::<8>(stable, open[2])
            | flippable::<9>(stable, open[3]);
        stable | inner & !flippable
    };
    let mut stable = known;
    loop {
        let once = grown(stable);
        let twice = grown(once);
        if twice == once {
            return once;
        }
        stable = twice;
    }
}

/// The squares on `open` lines of a direction of step `STEP` that are not next to a stable disc on
/// them. Squares on the edges have no meaning.
#[inline(always)]
fn flippable<const STEP: u32>(stable: u64, open: u64) -> u64 {
    let around = stable | stable.rotate_right(2 * STEP);
    let flippable: u64;
    // From Rust, the compiler makes vectors of the four directions, which takes two to three times
    // as long.
    // SAFETY: computes `open & !around.rotate_left(STEP)`, and nothing else.
    unsafe {
        asm!(
            "bic {flippable}, {open}, {around}, ror {places}",
            flippable = lateout(reg) flippable,
            open = in(reg) open,
            around = in(reg) around,
            places = const 64 - STEP,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    flippable
}
