//! A shard: one of several parts of a list, so that several machines can share it without any
//! communication.
//!
//! A digest of the position, in its canonical form, decides to which part it belongs. So the parts
//! have about the same size and difficulty in whatever order the list is. Positions that are equal
//! but for symmetry are in the same part, where [`unique`](super::unique) finds them. The digest is
//! the same on every machine and must never change.

use std::fmt;
use std::str::FromStr;

use crate::othello::{Position, Symmetry};

/// The part `number` of `of` parts. Read from a text such as `2/4`, and displayed as one.
///
/// ```
/// use yose::Position;
/// use yose::batch::Shard;
///
/// let (first, second): (Shard, Shard) = ("1/2".parse()?, "2/2".parse()?);
/// let start = Some(&Position::START);
/// assert_ne!(first.contains(start), second.contains(start));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// From 1 to `of`.
    number: u64,
    of: u64,
}

impl Shard {
    /// Whether a position belongs to this part. Each position, with all positions that are equal
    /// but for symmetry, belongs to one of the parts. An invalid line has no position (`None`), and
    /// belongs to the first part.
    pub fn contains(self, position: Option<&Position>) -> bool {
        position.map_or(0, |position| digest(position) % self.of) == self.number - 1
    }
}

/// The digest of a position: the finisher of SplitMix64 (Steele, Lea and Flood 2014) for each half
/// of its canonical form.
fn digest(position: &Position) -> u64 {
    let (canonical, _) = Symmetry::canonical(*position);
    let mix = |mut word: u64| {
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    };
    mix(mix(canonical.player.0.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ canonical.opponent.0)
}

impl FromStr for Shard {
    type Err = String;

    /// Reads `I/N`: the part `I`, from 1 to `N`, of `N` parts.
    ///
    /// # Errors
    /// A message that says what is wrong, and what would be right.
    fn from_str(text: &str) -> Result<Shard, String> {
        const HINT: &str = "write I/N, such as 1/4 for the first of four parts";
        let (number, of) =
            text.split_once('/').ok_or_else(|| format!("there is no slash; {HINT}"))?;
        let [number, of] = [number, of].map(|text| {
            text.trim().parse::<u64>().map_err(|_| format!("`{text}` is no number; {HINT}"))
        });
        let (number, of) = (number?, of?);
        if !(1..=of).contains(&number) {
            return Err(format!("there is no part {number} of {of}; {HINT}"));
        }
        Ok(Shard { number, of })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Bitboard;

    #[test]
    fn every_position_is_in_one_part_with_its_images() {
        let parts: Vec<Shard> = (1..=3).map(|number| Shard { number, of: 3 }).collect();
        let mut sizes = [0; 3];
        for seed in 0..3000u64 {
            let player = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let position = Position::new(Bitboard(player), Bitboard(!player & player << 1));
            let of = |position| {
                (0..3).filter(|&part| parts[part].contains(Some(&position))).collect::<Vec<_>>()
            };
            let part = of(position);
            assert_eq!(part.len(), 1);
            sizes[part[0]] += 1;
            assert!(Symmetry::ALL.iter().all(|symmetry| of(symmetry.position(position)) == part));
        }
        assert!(sizes.iter().all(|&size| (900..=1100).contains(&size)), "{sizes:?}");
        assert!(parts[0].contains(None) && !parts[1].contains(None) && !parts[2].contains(None));
    }

    /// `yose merge` joins parts that different versions have solved.
    #[test]
    fn the_digest_never_changes() {
        assert_eq!(digest(&Position::START), 6_600_120_151_368_367_521);
    }

    #[test]
    fn a_text_that_is_no_part_is_an_error() {
        assert_eq!("2/4".parse(), Ok(Shard { number: 2, of: 4 }));
        assert_eq!("2/4".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/4".to_owned()));
        for (text, part) in [
            ("2", "no slash"),
            ("0/4", "no part 0 of 4"),
            ("5/4", "no part 5"),
            ("a/4", "`a` is no number"),
        ] {
            let error = text.parse::<Shard>().expect_err(text);
            assert!(error.contains(part), "{error}");
        }
    }
}
