//! The files in which positions go from one step of the training to the next.
//!
//! A line with the format's name and version, a line of JSON that says how the positions were made
//! (so that a file found later explains itself, and work that was cut short goes on only where it
//! was the same work), then 20 bytes for each position:
//!
//! | bytes | field |
//! |---|---|
//! | 0-7, 8-15 | the discs of the side to move, and of the other side; a1 is bit 0 |
//! | 16-17 | the score for the side to move, in 1 / [`UNIT`] disc, signed |
//! | 18 | how the score was found: 0 not at all, 1 + n by a search n plies deep, 255 exactly |
//! | 19 | where the position comes from: 0 self-play, 1 a search tree, 2 a game of others |
//!
//! All numbers are little endian. There is no checksum: these files are means, kept for a day, and
//! the fit prints what it makes of them.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use thiserror::Error;

use crate::eval::UNIT;
use crate::othello::{Bitboard, Position, Score, Symmetry};

/// The first line of such a file.
pub const HEAD: &str = "yose positions 1";

/// Bytes of a record.
pub const RECORD: usize = 20;

/// Why a file of positions cannot be used.
#[derive(Debug, Error)]
pub enum DataError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It begins like another kind of file.
    #[error("this is no file of positions; `yose train positions` makes one")]
    NoPositions,
    /// Its length is not that of whole records.
    #[error("this file of positions is cut short; remove it and make it again")]
    CutShort,
    /// A record is none.
    #[error("record {0} is malformed: no such position, score, quality or origin")]
    Malformed(u64),
}

/// How a score was found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quality {
    /// Not yet: the score says nothing.
    None,
    /// By a search so many plies deep, 0 to 60.
    Depth(u8),
    /// It is the exact score.
    Exact,
}

/// Where a position comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// A game that Yose played against itself.
    SelfPlay,
    /// A node of one of Yose's search trees.
    SearchTree,
    /// A game that others played.
    Game,
}

/// A position and what is known of its score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// Its score for the side to move, in 1 / [`UNIT`] disc, within 64 discs.
    pub score: i16,
    /// How the score was found.
    pub quality: Quality,
    /// Where the position comes from.
    pub origin: Origin,
}

impl Sample {
    /// A position whose score is not known yet.
    pub fn unlabelled(position: Position, origin: Origin) -> Sample {
        Sample { position, score: 0, quality: Quality::None, origin }
    }

    /// The same position with its exact score.
    pub fn with_exact(self, score: Score) -> Sample {
        Sample { score: (score.discs() * UNIT) as i16, quality: Quality::Exact, ..self }
    }

    /// The same position with the value of a search, in 1 / [`UNIT`] disc, cut to 64 discs.
    pub fn with_value(self, value: i32, depth: u8) -> Sample {
        let score = value.clamp(-64 * UNIT, 64 * UNIT) as i16;
        Sample { score, quality: Quality::Depth(depth), ..self }
    }

    fn to_bytes(self) -> [u8; RECORD] {
        let quality = match self.quality {
            Quality::None => 0,
            Quality::Depth(depth) => depth + 1,
            Quality::Exact => 255,
        };
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&self.position.player.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.position.opponent.0.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.score.to_le_bytes());
        bytes[18..].copy_from_slice(&[quality, self.origin as u8]);
        bytes
    }

    fn of_bytes(bytes: &[u8; RECORD]) -> Option<Sample> {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let (player, opponent) = (word(0), word(8));
        let score = i16::from_le_bytes([bytes[16], bytes[17]]);
        let quality = match bytes[18] {
            0 => Quality::None,
            depth @ 1..=61 => Quality::Depth(depth - 1),
            255 => Quality::Exact,
            _ => return None,
        };
        let origin =
            *[Origin::SelfPlay, Origin::SearchTree, Origin::Game].get(bytes[19] as usize)?;
        let sound = player & opponent == 0 && i32::from(score).abs() <= 64 * UNIT;
        sound.then(|| Sample {
            position: Position::new(Bitboard(player), Bitboard(opponent)),
            score,
            quality,
            origin,
        })
    }
}

/// The one of a position's eight symmetric images that stands for all of them.
pub fn canonical(position: &Position) -> Position {
    Symmetry::ALL
        .map(|symmetry| symmetry.position(*position))
        .into_iter()
        .min()
        .expect("there are eight")
}

/// 64 well-mixed bits of a position, the same for its symmetric images. They decide what is held
/// out, so they must stay what they are, whatever the tables of the search use. (The finaliser is
/// that of SplitMix64.)
pub fn fixed_hash(position: &Position) -> u64 {
    let Position { player, opponent } = canonical(position);
    let mut hash = player.0 ^ opponent.0.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    for factor in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
        hash = (hash ^ hash >> 30).wrapping_mul(factor);
    }
    hash ^ hash >> 31
}

/// A file of positions, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Data {
    /// How they were made: a line of JSON.
    pub origin: String,
    /// The positions.
    pub samples: Vec<Sample>,
}

impl Data {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no file of positions, or holds part of a record or a malformed
    /// one.
    pub fn read(path: &Path) -> Result<Data, DataError> {
        let mut reader = BufReader::new(File::open(path)?);
        let origin = read_head(&mut reader)?.ok_or(DataError::NoPositions)?;
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        let (records, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(DataError::CutShort);
        }
        let numbered = (1..).zip(records);
        let samples = numbered
            .map(|(number, record)| Sample::of_bytes(record).ok_or(DataError::Malformed(number)));
        Ok(Data { origin, samples: samples.collect::<Result<_, _>>()? })
    }

    /// Writes a file: under another name first, which is then changed, so that what has the name is
    /// whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), DataError> {
        let part = part_of(path);
        let mut writer = BufWriter::new(File::create(&part)?);
        writer.write_all(head(&self.origin).as_bytes())?;
        write_samples(&mut writer, &self.samples)?;
        writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(fs::rename(part, path)?)
    }
}

/// The name under which a file is written until it is whole.
pub fn part_of(path: &Path) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// The two lines before the records.
pub(super) fn head(origin: &str) -> String {
    format!("{HEAD}\n{}\n", origin.replace('\n', " "))
}

/// Reads the two lines before the records: the origin, or none if the file begins otherwise.
fn read_head(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut lines = [Vec::new(), Vec::new()];
    for line in &mut lines {
        // A file of another kind may have no line end for a gigabyte.
        reader.take(1 << 16).read_until(b'\n', line)?;
        if line.pop() != Some(b'\n') {
            return Ok(None);
        }
    }
    let [name, origin] = lines;
    Ok((name == HEAD.as_bytes()).then(|| String::from_utf8(origin).ok()).flatten())
}

pub(super) fn write_samples(writer: &mut impl Write, samples: &[Sample]) -> io::Result<()> {
    samples.iter().try_for_each(|sample| writer.write_all(&sample.to_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data() -> Data {
        let start = Position::START;
        let next = start.play(start.moves().first().expect("a move")).expect("legal");
        let samples = vec![
            Sample::unlabelled(start, Origin::SelfPlay),
            Sample::unlabelled(next, Origin::SearchTree).with_value(-321, 6),
            Sample::unlabelled(next, Origin::Game).with_exact(Score::new(-64)),
            Sample::unlabelled(start, Origin::Game).with_value(1 << 20, 60),
        ];
        Data { origin: "{\"by\":\"a test\"}".to_owned(), samples }
    }

    #[test]
    fn what_is_written_reads_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("data");
        data().write(&path).expect("it can be written");
        assert_eq!(Data::read(&path).expect("it can be read"), data());
        assert_eq!(data().samples[3].score, 64 * 64);
        assert!(!part_of(&path).exists());
    }

    #[test]
    fn wrong_files_are_told() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("data");
        let of = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("it can be written");
            Data::read(&path).expect_err("it is wrong").to_string()
        };
        let mut file = head("x").into_bytes();
        write_samples(&mut file, &data().samples).expect("a vector takes all");
        assert!(of(&file[..file.len() - 1]).contains("cut short"));
        assert!(of(b"yose weights 2\n\n").contains("no file of positions"));
        assert!(of(&[0; 100]).contains("no file of positions"));
        let records = head("x").len();
        for (byte, value) in
            [(0, 0xff), (RECORD + 17, 0x7f), (2 * RECORD + 18, 99), (3 * RECORD + 19, 3)]
        {
            let mut file = file.clone();
            file[records + byte] = value;
            if byte == 0 {
                file[records..][..16].fill(0xff);
            }
            assert!(of(&file).contains(&format!("record {} is malformed", byte / RECORD + 1)));
        }
        fs::remove_file(&path).expect("it is there");
        assert!(matches!(Data::read(&path), Err(DataError::Io(_))));
    }

    #[test]
    fn symmetric_positions_have_one_hash() {
        let next = data().samples[1].position;
        assert!(
            Symmetry::ALL
                .iter()
                .all(|symmetry| fixed_hash(&symmetry.position(next)) == fixed_hash(&next))
        );
        assert_ne!(fixed_hash(&next), fixed_hash(&Position::START));
        assert_ne!(fixed_hash(&next), fixed_hash(&next.passed()));
    }
}
