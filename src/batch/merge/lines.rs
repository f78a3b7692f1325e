//! The lines of a file of results that is merged.

use std::fs::{File, TryLockError};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::{MergeError, UnfinishedSign};
use crate::records::compression::Compression;
use crate::records::open_file;
use crate::records::results::ResultHeader;

/// Opens a file. What is compressed, or Parquet, is decoded into a temporary file first: records
/// are read again by their offsets.
fn open(path: &Path) -> io::Result<File> {
    let mut file = File::open(path)?;
    let mut begin = Vec::new();
    Read::by_ref(&mut file).take(4).read_to_end(&mut begin)?;
    if Compression::is_encoded(&begin) {
        let mut decoded = tempfile::tempfile()?;
        io::copy(&mut open_file(path)?, &mut decoded)?;
        file = decoded;
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// The lines of a file.
pub(super) struct Lines {
    file: BufReader<File>,
    pub name: String,
    line: Vec<u8>,
    /// The number of the line that was read last; the first line has 1.
    pub number: u64,
    /// The offset of the next line.
    pub offset: u64,
}

impl Lines {
    pub fn open(path: &Path) -> Result<Lines, MergeError> {
        let name = path.display().to_string();
        match open(path) {
            Ok(file) => Ok(Lines {
                file: BufReader::with_capacity(1 << 16, file),
                name,
                line: Vec::new(),
                number: 0,
                offset: 0,
            }),
            Err(error) => Err(MergeError::Read { file: name, error }),
        }
    }

    /// Reads the header, which is the first line.
    pub fn read_header(&mut self) -> Result<(ResultHeader, String), MergeError> {
        if !self.advance()? {
            return Err(self.not_a_record(1, "the first line is not whole".to_owned()));
        }
        let line = self.text()?;
        let header = ResultHeader::read(line).map_err(|what| self.not_a_record(1, what))?;
        Ok((header, line.to_owned()))
    }

    /// Reads a line. Returns false if there is no whole one.
    pub fn advance(&mut self) -> Result<bool, MergeError> {
        self.line.clear();
        self.number += 1;
        let read = self.file.read_until(b'\n', &mut self.line);
        self.offset +=
            read.map_err(|error| MergeError::Read { file: self.name.clone(), error })? as u64;
        Ok(self.line.last() == Some(&b'\n'))
    }

    pub fn seek(&mut self, offset: u64) -> Result<(), MergeError> {
        let seek = match i64::try_from(offset).ok().zip(i64::try_from(self.offset).ok()) {
            Some((to, from)) => self.file.seek_relative(to - from),
            None => self.file.seek(SeekFrom::Start(offset)).map(drop),
        };
        self.offset = offset;
        seek.map_err(|error| MergeError::Read { file: self.name.clone(), error })
    }

    /// A digest of the line that was read last.
    pub fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write(&self.line);
        hasher.finish()
    }

    pub fn changed(&self) -> MergeError {
        let error = io::Error::other("it changed while it was read");
        MergeError::Read { file: self.name.clone(), error }
    }

    /// The line that was read last, without the line break.
    pub fn text(&self) -> Result<&str, MergeError> {
        str::from_utf8(&self.line).map(str::trim_end).map_err(|error| {
            let valid = String::from_utf8_lossy(&self.line[..error.valid_up_to()]);
            self.not_a_record(valid.chars().count() + 1, "is no text".to_owned())
        })
    }

    /// Whether the run of the file, which was read to its end, has not finished.
    pub fn unfinished(&self, has_summary: bool) -> Option<UnfinishedSign> {
        // The run that writes a journal has locked it. A system without locks shows nothing.
        let is_running = || {
            let lock = self.file.get_ref().try_lock_shared();
            matches!(lock, Err(TryLockError::WouldBlock))
        };
        if !self.line.is_empty() {
            Some(UnfinishedSign::TornLine(self.number))
        } else if is_running() {
            Some(UnfinishedSign::Running)
        } else if !has_summary {
            Some(UnfinishedSign::NoSummary)
        } else {
            None
        }
    }

    pub fn not_a_record(&self, column: usize, what: String) -> MergeError {
        MergeError::NotARecord { file: self.name.clone(), line: self.number, column, what }
    }
}
