//! The constants by which all features of a board are extracted with byte shuffles.
//!
//! The board becomes 64 bytes: own disc 1, opponent's disc -1, empty 0. A lane of a feature has two
//! bytes, so it receives the digits of two squares in a *round*:
//!
//! 1. A byte shuffle brings the digits of the round's two squares to the lane. A shuffle reads 16
//!    bytes, two rows of the board; the results of four shuffles are joined by OR.
//! 2. Multiply-and-add of byte pairs (`maddubs`) multiplies both digits by their place values and
//!    adds them.
//!
//! Five rounds cover ten squares. Place values up to 243 = 3^5 fit into a byte. The rounds of the
//! higher digits use the same place values, and their sum is multiplied by 729 = 3^6 at the end.
//! There is no branch, and no memory access but to these constants.
//!
//! Everything is computed from the patterns.

use super::patterns::{FEATURES, PATTERNS, length};

/// The number of rounds: two squares each.
pub(super) const ROUNDS: usize = 5;

/// The rounds of the digits below 3^6. The sum of the others is multiplied by [`UPPER_FACTOR`].
pub(super) const LOWER_ROUNDS: usize = 3;

/// The factor of the upper rounds: 3^6.
pub(super) const UPPER_FACTOR: i16 = 729;

/// The number of rounds for the lanes from 16 on, whose patterns have at most eight squares.
pub(super) const SHORT_ROUNDS: usize = 4;

/// Two bytes for each of 48 lanes, and padding.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct LaneBytes(pub [u8; 128]);

/// `SHUFFLES[round][rows]`: for each byte the index of its square in these two rows, or 0x80 (which
/// shuffles in a zero) if the square is in other rows.
pub(super) static SHUFFLES: [[LaneBytes; 4]; ROUNDS] = {
    let mut shuffles = [[LaneBytes([0x80; 128]); 4]; ROUNDS];
    let mut feature = 0;
    while feature < FEATURES {
        let pattern = &PATTERNS[feature];
        let mut n = 0;
        while n < length(pattern.kind) {
            let digit = length(pattern.kind) - 1 - n;
            let square = pattern.nth_square(n).index();
            shuffles[digit / 2][square / 16].0[2 * feature + digit % 2] = (square % 16) as u8;
            n += 1;
        }
        assert!(feature < 16 || length(pattern.kind) <= 2 * SHORT_ROUNDS);
        feature += 1;
    }
    shuffles
};

/// `PLACE_VALUES[round]`: the place value of each byte's digit, divided by [`UPPER_FACTOR`] in the
/// upper rounds.
pub(super) static PLACE_VALUES: [LaneBytes; ROUNDS] = {
    let mut values = [LaneBytes([0; 128]); ROUNDS];
    let mut round = 0;
    while round < ROUNDS {
        let first = 2 * if round < LOWER_ROUNDS { round } else { round - LOWER_ROUNDS };
        let mut byte = 0;
        while byte < 128 {
            values[round].0[byte] = 3u8.pow((first + byte % 2) as u32);
            byte += 1;
        }
        round += 1;
    }
    values
};
