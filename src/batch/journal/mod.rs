//! The journal: an output file that a later run can continue.
//!
//! - During the run, records are appended in the order in which they are finished. Each is a whole
//!   line, and is handed to the system at once. So a crash or `kill -9` loses the positions that
//!   are being solved, and tears at most the line that is being written. (The loss at a power
//!   cut depends on the system: nothing is forced to the disk before the end.)
//! - At the end, the records are put into the order of the input, in a new file that then replaces
//!   the old one. At any moment, one of the two files exists with all records.
//! - A later run reads the file ([`EarlierResults`]) and keeps the records that answer its own
//!   request. It drops a torn last line and the records that were cut short or belong to another
//!   request, and solves those positions again.
//!
//! The file has nothing besides the records. A record belongs to the line of the input with the
//! same identifier and the same position. The file is locked, so that two runs cannot write it at
//! the same time.

mod earlier;
mod resume;

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use earlier::{EarlierResults, ResumedRecord, resume};
pub(crate) use resume::{HeaderError, StoredFormat, StoredRecords, resume_with};

use super::output::{Output, RecordOffset};
use crate::output_file::{Existing, OutputFile, OutputFileError, open_locked};
use crate::records::output::{Record, Run, Sink, SinkError, Summary, Writer};

/// Why a file cannot be the journal of a run. Each message begins with the name of the file.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It exists, and must not be replaced.
    #[error("{file}: exists already, and may hold results")]
    Exists {
        /// The file's name.
        file: String,
    },
    /// Another run has locked it.
    #[error("{file}: another run is writing it")]
    Locked {
        /// The file's name.
        file: String,
    },
    /// It cannot be read.
    #[error("{file}: cannot be read: {error}")]
    Read {
        /// The file's name.
        file: String,
        /// The system's reason.
        error: io::Error,
    },
    /// It cannot be written.
    #[error("{file}: cannot be written: {error}")]
    Write {
        /// The file's name.
        file: String,
        /// The system's reason.
        error: io::Error,
    },
    /// A line of it is not a record.
    #[error("{file}:{line}:{column}: {what}")]
    NotARecord {
        /// The file's name.
        file: String,
        /// The line's number; the first line has 1.
        line: u64,
        /// The column, counted in characters from 1.
        column: usize,
        /// The error in that line.
        what: String,
    },
    /// Its records have another format or other columns.
    #[error("{file}: {what}")]
    OtherFormat {
        /// The file's name.
        file: String,
        /// The difference.
        what: &'static str,
    },
    /// It has records that belong to no entry of the input.
    #[error("{file}: has {count} results for positions that the input does not have, such as {id}")]
    OtherInput {
        /// The file's name.
        file: String,
        /// The number of these records.
        count: usize,
        /// The identifier of one of them.
        id: String,
    },
}

impl From<OutputFileError> for JournalError {
    fn from(error: OutputFileError) -> JournalError {
        match error {
            OutputFileError::Exists { file } | OutputFileError::Unfinished { file } => {
                JournalError::Exists { file }
            }
            OutputFileError::Locked { file } => JournalError::Locked { file },
            OutputFileError::Write { file, error } => JournalError::Write { file, error },
        }
    }
}

/// An output file to which records are appended as they are finished. At the end they are put into
/// the order of the input.
#[derive(Debug)]
pub struct Journal<H = Run, R = Record, F = Summary> {
    sink: Sink<File, H, R, F>,
    path: PathBuf,
    in_order: bool,
    /// For each record, by its number: its offset.
    offsets: Vec<Option<RecordOffset>>,
    /// The number of records in the file.
    records: u64,
    /// The length of the header: the offset of the first record.
    header: u64,
    /// The offset of the next record.
    end: u64,
}

impl<H, R, F> Journal<H, R, F> {
    /// A new journal. An existing file is replaced only if `replace` is true. Records are put into
    /// the order of the input at the end if `in_order` is true.
    ///
    /// # Errors
    /// If the file exists and must not be replaced, if it cannot be written, or if another run
    /// writes it.
    pub fn create(
        path: &Path,
        replace: bool,
        writer: Box<dyn Writer<H, R, F>>,
        in_order: bool,
    ) -> Result<Journal<H, R, F>, JournalError> {
        let name = || path.display().to_string();
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let options =
            if replace { options.create(true).truncate(false) } else { options.create_new(true) };
        let file = open_locked(options, path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Exists { file: name() },
            _ => JournalError::Write { file: name(), error },
        })?;
        // Truncated only after the lock: before it, another run may be writing the file.
        let file = file.ok_or_else(|| JournalError::Locked { file: name() })?;
        file.set_len(0).map_err(|error| JournalError::Write { file: name(), error })?;
        Ok(Journal::over(file, path, writer, in_order, (0, 0)))
    }

    /// A journal over a file with a header of `header` bytes, which is 0 if the file is empty, and
    /// records up to the offset `end`.
    fn over(
        file: File,
        path: &Path,
        writer: Box<dyn Writer<H, R, F>>,
        in_order: bool,
        (header, end): (u64, u64),
    ) -> Journal<H, R, F> {
        let sink = Sink::new(writer, file);
        let (path, offsets) = (path.to_owned(), Vec::new());
        Journal { sink, path, in_order, offsets, records: 0, header, end }
    }

    fn set_offset(&mut self, number: u64, offset: RecordOffset) {
        let number = number as usize;
        if number >= self.offsets.len() {
            self.offsets.resize(number + 1, None);
        }
        self.offsets[number] = Some(offset);
    }

    /// The records that belong to an entry, in the order of the input.
    fn numbered(&self) -> impl Iterator<Item = RecordOffset> + '_ {
        self.offsets.iter().copied().flatten()
    }

    /// Whether the records may stay as they are: they are in order, or no order is wanted, or the
    /// file has records whose entries were not read.
    fn is_final(&self) -> bool {
        !self.in_order
            || self.numbered().count() as u64 != self.records
            || self.numbered().is_sorted()
    }

    /// Replaces the file by one with the records in the order of the input.
    fn put_in_order(&mut self) -> io::Result<()> {
        let mut old = BufReader::with_capacity(1 << 20, File::open(&self.path)?);
        let mut new = OutputFile::create(&self.path, Existing::ReplaceLocked)?;
        let (mut line, mut at) = (Vec::new(), 0);
        // Copies the line at `from`, or all lines from there to the offset `until`.
        let mut copy = |from: u64, until: Option<u64>| -> io::Result<()> {
            // Records are finished nearly in order, so most seeks stay within the buffer.
            old.seek_relative(from as i64 - at)?;
            at = from as i64;
            while until.is_none_or(|until| (at as u64) < until) {
                line.clear();
                at += old.read_until(b'\n', &mut line)? as i64;
                new.write_all(&line)?;
                if until.is_none() && line.last() != Some(&b'\n') {
                    return Err(io::Error::other("it changed while it was read"));
                }
                if until.is_none() || line.is_empty() {
                    break;
                }
            }
            Ok(())
        };
        copy(0, Some(self.header))?;
        self.numbered().try_for_each(|offset| copy(offset.0, None))?;
        copy(self.end, Some(u64::MAX))?;
        if cfg!(windows) {
            // There, a file that is open cannot be replaced. Elsewhere it stays locked until then.
            drop(old);
            *self.sink.output() = new.handle()?;
        }
        new.commit()?;
        Ok(())
    }
}

impl<H, R, F> Output<H, R, F> for Journal<H, R, F> {
    fn in_order(&self) -> bool {
        false
    }

    fn begin(&mut self, run: &H) -> Result<(), SinkError> {
        // A journal that is continued has its header, and records if the format has no header.
        if self.end == 0 {
            self.header = self.sink.begin(run)?;
            self.end = self.header;
        }
        Ok(())
    }

    fn record(&mut self, number: u64, record: &R) {
        self.set_offset(number, RecordOffset(self.end));
        self.records += 1;
        self.end += self.sink.record(record);
    }

    fn keep(&mut self, number: u64, offset: RecordOffset) {
        self.set_offset(number, offset);
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.sink.flush()
    }

    fn end(&mut self, summary: &F) -> Result<(), SinkError> {
        self.sink.end(summary)?;
        if self.is_final() {
            Ok(())
        } else {
            self.put_in_order().map_err(|error| SinkError::Order { error })
        }
    }
}
