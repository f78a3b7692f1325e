//! All features of a board at once, by byte shuffles: the constants.
//!
//! The board becomes 64 bytes, own 1, opponent's -1, empty 0. A lane of a feature has two bytes,
//! and so takes two squares a round: a shuffle brings their bytes there, and one instruction
//! multiplies them by their powers of 3 and adds them. Powers of 3 up to 243 fit a byte; the rounds
//! for the upper digits are scaled by 729 in the end. Five rounds make ten squares. As a shuffle
//! sees sixteen bytes, that is two rows, a round has four shuffles, joined by OR. Nothing waits for
//! memory but the constants, 3 KiB, and there is no branch: 16 ns with AVX2 where disc by disc
//! takes 37.

use super::patterns::{FEATURES, PATTERNS_CONST, length};

/// Two squares of each lane.
pub(super) const ROUNDS: usize = 5;

/// The rounds with the digits below 3^6; the others are scaled by [`UPPER`].
pub(super) const LOWER_ROUNDS: usize = 3;

/// What the digits of the upper rounds are divided by.
pub(super) const UPPER: i16 = 729;

/// The rounds that the lanes from 16 on need, where no pattern has more than eight squares.
pub(super) const ROUNDS_OF_LINES: usize = 4;

/// A byte for each half of a lane; 48 lanes, and what aligns them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Bytes(pub [u8; 128]);

/// `SHUFFLES[round][rows]`: where in the two rows each byte's square is, or 0x80 if it is not
/// there.
pub(super) static SHUFFLES: [[Bytes; 4]; ROUNDS] = {
    let mut shuffles = [[Bytes([0x80; 128]); 4]; ROUNDS];
    let mut feature = 0;
    while feature < FEATURES {
        let pattern = &PATTERNS_CONST[feature];
        let mut place = 0;
        while place < length(pattern.kind) {
            let digit = length(pattern.kind) - 1 - place;
            let square = pattern.square(place).index();
            shuffles[digit / 2][square / 16].0[2 * feature + digit % 2] = (square % 16) as u8;
            place += 1;
        }
        assert!(feature < 16 || length(pattern.kind) <= 2 * ROUNDS_OF_LINES);
        feature += 1;
    }
    shuffles
};

/// `WORTHS[round]`: what each byte's square is worth.
pub(super) static WORTHS: [Bytes; ROUNDS] = {
    let mut worths = [Bytes([0; 128]); ROUNDS];
    let mut round = 0;
    while round < ROUNDS {
        let first = 2 * if round < LOWER_ROUNDS { round } else { round - LOWER_ROUNDS };
        let mut byte = 0;
        while byte < 128 {
            worths[round].0[byte] = 3u8.pow((first + byte % 2) as u32);
            byte += 1;
        }
        round += 1;
    }
    worths
};
