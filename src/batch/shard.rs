//! A part of a list, for several machines that share it without speaking to each other.
//!
//! Which part a position belongs to is told by a digest of the position itself, in its canonical
//! form: so the parts are of about the same size and difficulty, however the list is sorted, and
//! positions that are equal but for symmetry are in the same part, where [`unique`](super::unique)
//! finds them. The digest is the same on every machine and for all time.

use std::fmt;
use std::str::FromStr;

use crate::othello::{Position, Symmetry};

/// The part `number` of `of`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// From 1 to `of`.
    number: u64,
    of: u64,
}

impl Shard {
    /// Whether a position belongs to this part. A line without one, which could not be read,
    /// belongs to the first.
    pub fn has(self, position: Option<&Position>) -> bool {
        position.map_or(0, |position| digest(position) % self.of) == self.number - 1
    }
}

/// Two rounds of a multiplication and a shift (the finisher of SplitMix64) for each half of the
/// position.
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

    /// Reads `I/N`.
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
                (0..3).filter(|&part| parts[part].has(Some(&position))).collect::<Vec<_>>()
            };
            let mine = of(position);
            assert_eq!(mine.len(), 1);
            sizes[mine[0]] += 1;
            assert!(Symmetry::ALL.iter().all(|symmetry| of(symmetry.position(position)) == mine));
        }
        assert!(sizes.iter().all(|&size| (900..=1100).contains(&size)), "{sizes:?}");
        assert!(parts[0].has(None) && !parts[1].has(None) && !parts[2].has(None));
    }

    /// Parts that were solved by one version are joined with those of another.
    #[test]
    fn the_digest_never_changes() {
        assert_eq!(digest(&Position::START), 6_600_120_151_368_367_521);
    }

    #[test]
    fn what_is_no_part_is_told() {
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
