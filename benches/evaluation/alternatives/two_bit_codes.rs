//! The configuration of eight squares with two bits for each: own disc, opponent's disc.
//!
//! A byte shuffle brings to each bit of the code the byte of the board with its square; a mask
//! selects the square; MOVEMASK collects the bits. The other half of the register computes the code
//! with the colours exchanged.
//!
//! A code of n squares has 4^n values where the weights have 3^n, so the evaluation has no use for
//! it. It is measured as the fastest way to look up one pattern alone.

use yose::othello::{Position, Square};

/// Eight squares, and the constants of the kernels.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Code {
    /// The byte of the two boards, the player's first, for each bit of the code: own, opponent's,
    /// own, ..., and then with the colours exchanged.
    pub bytes: [u8; 32],
    /// The bit of that byte.
    pub bits: [u8; 32],
    /// The squares, that of the lowest two bits first.
    pub squares: [Square; 8],
}

impl Code {
    /// The code of these squares, that of the lowest two bits first.
    pub const fn new(squares: [Square; 8]) -> Code {
        let mut code = Code { bytes: [0; 32], bits: [0; 32], squares };
        let mut bit = 0;
        while bit < 32 {
            let square = squares[bit % 16 / 2].index();
            let is_opponents = bit % 2 != bit / 16;
            code.bytes[bit] = (square / 8 + if is_opponents { 8 } else { 0 }) as u8;
            code.bits[bit] = 1 << (square % 8);
            bit += 1;
        }
        code
    }
}

/// The code of a position in plain Rust: an own disc is 1, an opponent's 2. The upper half of the
/// word has the code with the colours exchanged.
#[inline(always)]
pub fn portable(code: &Code, position: &Position) -> u32 {
    let mut bits = 0;
    for (n, square) in code.squares.into_iter().enumerate() {
        let own = (position.player.0 >> square.index()) as u32 & 1;
        let other = (position.opponent.0 >> square.index()) as u32 & 1;
        bits |= (own | other << 1 | other << 16 | own << 17) << (2 * n);
    }
    bits
}

/// As [`portable`], with AVX2.
#[cfg(tier_v3)]
#[inline(always)]
pub fn avx2(code: &Code, position: &Position) -> u32 {
    use std::arch::x86_64::*;
    // SAFETY: compiled only where AVX2 is enabled. `bytes` and `bits` are 32 bytes each.
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

/// As [`portable`], with AVX-512.
#[cfg(tier_v4)]
#[inline(always)]
pub fn avx512(code: &Code, position: &Position) -> u32 {
    use std::arch::x86_64::*;
    // SAFETY: compiled only where AVX-512 BW and VL are enabled. `bytes` and `bits` are 32 bytes
    // each.
    unsafe {
        let boards = _mm_set_epi64x(position.opponent.0 as i64, position.player.0 as i64);
        let rows = _mm256_shuffle_epi8(
            _mm256_broadcastsi128_si256(boards),
            _mm256_loadu_si256(code.bytes.as_ptr().cast()),
        );
        _mm256_test_epi8_mask(rows, _mm256_loadu_si256(code.bits.as_ptr().cast()))
    }
}
