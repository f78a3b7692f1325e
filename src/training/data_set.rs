//! Files of positions with labels, which the training steps read and write.
//!
//! Two lines of text, then 20 bytes for each position. The first line is the name and version of
//! the format. The second is JSON that describes how the positions were made; interrupted work is
//! continued only if this description is the same.
//!
//! | bytes | field |
//! |---|---|
//! | 0-7, 8-15 | the discs of the side to move and of its opponent; bit 0 is a1 |
//! | 16-17 | the score for the side to move, in 1 / [`UNIT`] disc, signed |
//! | 18 | the kind of the label: 0 none, 1 + n a search of n plies, 255 exact |
//! | 19 | the source of the position: 0 self-play, 1 a search tree, 2 a game of others |
//!
//! All numbers are little endian. There is no checksum, because these files are intermediate
//! results.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use thiserror::Error;

use crate::eval::UNIT;
use crate::othello::{Bitboard, Position, Score, Symmetry};
use crate::output_file::{Existing, OutputFile};

/// The first line of a file.
pub const HEADER: &str = "yose positions 1";

/// The number of bytes of a position.
pub const RECORD_BYTES: usize = 20;

/// Why a file of positions cannot be used.
#[derive(Debug, Error)]
pub enum DataSetError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It has another header.
    #[error("this is no file of positions; `yose train positions` makes one")]
    WrongFormat,
    /// Its length is not that of complete records.
    #[error("this file of positions is cut short; remove it and make it again")]
    CutShort,
    /// A record is malformed.
    #[error("record {0} is malformed: no such position, score, label or source")]
    Malformed(u64),
}

/// The kind of a label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LabelKind {
    /// There is no label; the score has no meaning.
    None,
    /// The value of a depth-limited search of so many plies, 0 to 60.
    Depth(u8),
    /// The exact score.
    Exact,
}

/// The source of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PositionSource {
    /// A game that Yose played against itself.
    SelfPlay,
    /// A node of one of Yose's search trees.
    SearchTree,
    /// A game between other players.
    Game,
}

/// A position with its label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The score for the side to move, in 1 / [`UNIT`] disc, at most 64 discs from 0.
    pub score: i16,
    /// The kind of the label.
    pub label: LabelKind,
    /// The source of the position.
    pub source: PositionSource,
}

impl Sample {
    /// A position without a label.
    pub fn unlabelled(position: Position, source: PositionSource) -> Sample {
        Sample { position, score: 0, label: LabelKind::None, source }
    }

    /// The same position with its exact score.
    pub fn with_exact(self, score: Score) -> Sample {
        let score = (score.discs() * UNIT) as i16;
        Sample { score, label: LabelKind::Exact, ..self }
    }

    /// The same position with the value of a search of `depth` plies, in 1 / [`UNIT`] disc. The
    /// value is clamped to 64 discs.
    pub fn with_value(self, value: i32, depth: u8) -> Sample {
        let score = value.clamp(-64 * UNIT, 64 * UNIT) as i16;
        Sample { score, label: LabelKind::Depth(depth), ..self }
    }

    fn to_bytes(self) -> [u8; RECORD_BYTES] {
        let label = match self.label {
            LabelKind::None => 0,
            LabelKind::Depth(depth) => depth + 1,
            LabelKind::Exact => 255,
        };
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.position.player.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.position.opponent.0.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.score.to_le_bytes());
        bytes[18..].copy_from_slice(&[label, self.source as u8]);
        bytes
    }

    /// Reads a record; `None` if it is malformed.
    fn of_bytes(bytes: &[u8; RECORD_BYTES]) -> Option<Sample> {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let (player, opponent) = (word(0), word(8));
        let score = i16::from_le_bytes([bytes[16], bytes[17]]);
        let label = match bytes[18] {
            0 => LabelKind::None,
            depth @ 1..=61 => LabelKind::Depth(depth - 1),
            255 => LabelKind::Exact,
            _ => return None,
        };
        let source = [PositionSource::SelfPlay, PositionSource::SearchTree, PositionSource::Game];
        let source = *source.get(bytes[19] as usize)?;
        let is_valid = player & opponent == 0 && i32::from(score).abs() <= 64 * UNIT;
        is_valid.then(|| Sample {
            position: Position::new(Bitboard(player), Bitboard(opponent)),
            score,
            label,
            source,
        })
    }
}

/// A hash of a position that is equal for symmetric positions. It decides which positions belong to
/// the validation set, so it must never change, whatever hash the search uses.
///
/// The mixing steps are those of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014).
pub fn fixed_hash(position: &Position) -> u64 {
    let Position { player, opponent } = Symmetry::canonical(*position).0;
    let mut hash = player.0 ^ opponent.0.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    for factor in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
        hash = (hash ^ hash >> 30).wrapping_mul(factor);
    }
    hash ^ hash >> 31
}

/// The content of a file of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataSet {
    /// How the positions were made: a line of JSON.
    pub origin: String,
    /// The positions.
    pub samples: Vec<Sample>,
}

impl DataSet {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, has another format, or contains an incomplete or malformed record.
    pub fn read(path: &Path) -> Result<DataSet, DataSetError> {
        let mut reader = BufReader::new(File::open(path)?);
        let origin = read_header(&mut reader)?.ok_or(DataSetError::WrongFormat)?;
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        let (records, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(DataSetError::CutShort);
        }
        let samples = (1..).zip(records).map(|(number, record)| {
            Sample::of_bytes(record).ok_or(DataSetError::Malformed(number))
        });
        Ok(DataSet { origin, samples: samples.collect::<Result<_, _>>()? })
    }

    /// Writes a file, which has its name only when it is complete.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), DataSetError> {
        let mut output = OutputFile::create(path, Existing::Replace).map_err(io::Error::from)?;
        output.write_all(header(&self.origin).as_bytes())?;
        write_samples(&mut output, &self.samples)?;
        output.commit().map_err(io::Error::from)?;
        Ok(())
    }
}

/// The two lines before the records.
pub(super) fn header(origin: &str) -> String {
    format!("{HEADER}\n{}\n", origin.replace('\n', " "))
}

/// Reads the two lines before the records. Returns the origin; `None` if the format is another.
fn read_header(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    /// The largest length of a line. A file of another format may be one line of any length.
    const MAX_LINE: u64 = 1 << 16;
    let mut lines = [Vec::new(), Vec::new()];
    for line in &mut lines {
        reader.take(MAX_LINE).read_until(b'\n', line)?;
        if line.pop() != Some(b'\n') {
            return Ok(None);
        }
    }
    let [name, origin] = lines;
    Ok((name == HEADER.as_bytes()).then(|| String::from_utf8(origin).ok()).flatten())
}

pub(super) fn write_samples(writer: &mut impl Write, samples: &[Sample]) -> io::Result<()> {
    samples.iter().try_for_each(|sample| writer.write_all(&sample.to_bytes()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn data_set() -> DataSet {
        let start = Position::START;
        let next = start.play(start.moves().first().expect("a move")).expect("legal");
        let samples = vec![
            Sample::unlabelled(start, PositionSource::SelfPlay),
            Sample::unlabelled(next, PositionSource::SearchTree).with_value(-321, 6),
            Sample::unlabelled(next, PositionSource::Game).with_exact(Score::new(-64)),
            Sample::unlabelled(start, PositionSource::Game).with_value(1 << 20, 60),
        ];
        DataSet { origin: "{\"by\":\"a test\"}".to_owned(), samples }
    }

    #[test]
    fn a_written_file_reads_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("data");
        data_set().write(&path).expect("it can be written");
        assert_eq!(DataSet::read(&path).expect("it can be read"), data_set());
        assert_eq!(data_set().samples[3].score, 64 * 64);
        let entries = fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(entries.count(), 1, "no other file is left");
    }

    #[test]
    fn malformed_files_are_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("data");
        let error_of = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("it can be written");
            DataSet::read(&path).expect_err("it is wrong").to_string()
        };
        let mut file = header("x").into_bytes();
        write_samples(&mut file, &data_set().samples).expect("a vector accepts all bytes");
        assert!(error_of(&file[..file.len() - 1]).contains("cut short"));
        assert!(error_of(b"yose weights 3\n\n").contains("no file of positions"));
        assert!(error_of(&[0; 100]).contains("no file of positions"));
        let records = header("x").len();
        for (byte, value) in [
            (0, 0xff),
            (RECORD_BYTES + 17, 0x7f),
            (2 * RECORD_BYTES + 18, 99),
            (3 * RECORD_BYTES + 19, 3),
        ] {
            let mut file = file.clone();
            file[records + byte] = value;
            if byte == 0 {
                file[records..][..16].fill(0xff);
            }
            assert!(
                error_of(&file)
                    .contains(&format!("record {} is malformed", byte / RECORD_BYTES + 1))
            );
        }
        fs::remove_file(&path).expect("it is there");
        assert!(matches!(DataSet::read(&path), Err(DataSetError::Io(_))));
    }

    #[test]
    fn symmetric_positions_have_one_hash() {
        let next = data_set().samples[1].position;
        assert!(
            Symmetry::ALL
                .iter()
                .all(|symmetry| fixed_hash(&symmetry.position(next)) == fixed_hash(&next))
        );
        assert_ne!(fixed_hash(&next), fixed_hash(&Position::START));
        assert_ne!(fixed_hash(&next), fixed_hash(&next.passed()));
    }
}
