//! The result of a game, with the rule for squares that stay empty.

use std::fmt;
use std::ops::Neg;

/// A disc difference at the end of a game, -64 to 64, for one side: that side's discs minus the
/// other's.
///
/// Squares that are empty at the end count for the winner, so the score of a finished game is even.
/// A bound on a score may be odd.
///
/// ```
/// use yose::othello::Score;
///
/// let score = Score::new(-12);
/// assert_eq!(score.to_string(), "-12");
/// assert_eq!((-score).discs(), 12);
/// assert_eq!(Score::try_new(66), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Score(i8);

impl Score {
    /// The lowest score, -64: a wipeout, or a board full of the other side's discs.
    pub const MIN: Score = Score(-64);
    /// The highest score, 64.
    pub const MAX: Score = Score(64);
    /// A draw, 0.
    pub const DRAW: Score = Score(0);

    /// The score of a disc difference.
    ///
    /// # Panics
    /// Panics if `discs` is not in -64..=64.
    #[track_caller]
    pub const fn new(discs: i32) -> Score {
        assert!(-64 <= discs && discs <= 64, "a score lies between -64 and 64");
        Score(discs as i8)
    }

    /// The score of a disc difference, or `None` if `discs` is not in -64..=64.
    pub const fn try_new(discs: i32) -> Option<Score> {
        if -64 <= discs && discs <= 64 { Some(Score(discs as i8)) } else { None }
    }

    /// The disc difference, -64 to 64.
    pub const fn discs(self) -> i32 {
        self.0 as i32
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    /// With its sign: `+4`, `-12`, `+0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:+}", self.0))
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

/// The score of a finished game, -64 to 64, for a side with `own` discs when `empties` squares are
/// left. These count for the winner; in a draw they count for nobody.
#[inline(always)]
pub(crate) const fn final_score(own: u32, empties: u32) -> i32 {
    let difference = 2 * own as i32 + empties as i32 - 64;
    difference + empties as i32 * difference.signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empties_go_to_the_winner() {
        assert_eq!(final_score(40, 0), 16);
        assert_eq!(final_score(13, 51), 64, "wipeout");
        assert_eq!(final_score(0, 51), -64, "wiped out");
        assert_eq!(final_score(30, 4), 0, "a draw shares nothing");
        assert_eq!(final_score(31, 3), 2 * 31 - 61 + 3);
        assert_eq!(final_score(29, 4), 2 * 29 - 60 - 4);
        for own in 0..=64u32 {
            for empties in 0..=64 - own {
                let score = final_score(own, empties);
                let other = final_score(64 - empties - own, empties);
                assert_eq!(score, -other);
                assert_eq!(score % 2, 0);
            }
        }
    }

    #[test]
    fn a_score_shows_its_sign() {
        assert_eq!(Score::new(4).to_string(), "+4");
        assert_eq!(Score::DRAW.to_string(), "+0");
        assert_eq!(format!("{:>4}", -Score::new(12)), " -12");
        assert_eq!(Score::try_new(65), None);
    }
}
