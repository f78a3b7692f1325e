//! The records of a file that a later run continues, whatever they are records of.
//!
//! A [`StoredFormat`] reads them and decides which of them answer the request of the present run.
//! These are copied to a new file, which then replaces the old one. [`StoredRecords`] finds them
//! again by their keys.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::Path;

use super::{Journal, JournalError, RecordOffset};
use crate::output_file::{Existing, OutputFile, open_locked};
use crate::records::output::Writer;
use crate::records::{LineError, column_of};

/// A format that can be read back, and the request of the present run.
pub(crate) trait StoredFormat: fmt::Debug {
    /// A record that was written before.
    type Record;

    /// Checks the first line of a file.
    ///
    /// # Errors
    /// If the file has other records than the present run would write.
    fn check_header(&mut self, line: &str) -> Result<(), HeaderError>;

    /// Checks the header that stands in another file beside the records. `None`: it is their first
    /// line.
    ///
    /// # Errors
    /// As [`check_header`](StoredFormat::check_header), and if the file cannot be read.
    fn check_beside(&mut self, path: &Path) -> Option<Result<(), HeaderError>> {
        let _ = path;
        None
    }

    /// Whether `text` may be the beginning of a first line that was not written to its end.
    fn is_torn_header(&self, text: &str) -> bool;

    /// Reads a line after the first. `None` if it is about the run as a whole.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn read_line(&self, line: &str) -> Result<Option<Self::Record>, LineError>;

    /// Whether the record answers the request of the present run.
    fn answers(&self, record: &Self::Record) -> bool;

    /// The text by which a record is found. Several records may have the same.
    fn key(record: &Self::Record) -> &str;
}

/// Why a file cannot be continued, as its first line shows.
#[derive(Debug)]
pub(crate) enum HeaderError {
    /// It is not a file of records.
    NotARecord(String),
    /// Its records differ from those of the present run.
    OtherFormat(&'static str),
    /// The file beside it, which has its header, cannot be read.
    Beside {
        /// The name of that file.
        file: String,
        /// Why.
        error: io::Error,
    },
}

/// The records of an earlier run that answer the request of the present one.
///
/// Only a digest of each key is in memory. The record is read again when it is looked up.
#[derive(Debug)]
pub(crate) struct StoredRecords<T> {
    name: String,
    file: BufReader<File>,
    format: T,
    /// The records, sorted by the digest of their keys.
    index: Vec<IndexEntry>,
    line: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct IndexEntry {
    /// The digest of the key.
    digest: u64,
    offset: RecordOffset,
    /// Whether an entry of the input has claimed the record.
    claimed: bool,
}

/// A journal, and the records that it has already. `None`: the file is new.
pub(crate) type Resumed<T, H, R, F> = (Journal<H, R, F>, Option<StoredRecords<T>>);

/// Opens a journal and continues it. If the file does not exist, a new journal is made.
///
/// `compare` claims the records that belong to the input. If some are left, the file is not
/// changed. It does nothing and returns false if the input can be read only once. Then a difference
/// is found while the input is read.
///
/// # Errors
/// If the file cannot be read or written, or if it is not the journal of this input and these
/// options.
pub(crate) fn resume_with<T: StoredFormat, H, R, F>(
    path: &Path,
    mut writer: Box<dyn Writer<H, R, F>>,
    mut format: T,
    run: &H,
    in_order: bool,
    compare: impl FnOnce(&mut StoredRecords<T>) -> Result<bool, JournalError>,
) -> Result<Resumed<T, H, R, F>, JournalError> {
    let name = path.display().to_string();
    let file = match open_locked(OpenOptions::new().read(true).write(true), path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok((Journal::create(path, false, writer, in_order)?, None));
        }
        file => file.map_err(|error| JournalError::Read { file: name.clone(), error })?,
    };
    let file = file.ok_or_else(|| JournalError::Locked { file: name.clone() })?;
    let cannot_read = |error| JournalError::Read { file: name.clone(), error };
    let cannot_write = |error| JournalError::Write { file: name.clone(), error };

    let mut old = Lines {
        file: BufReader::with_capacity(1 << 16, &file),
        name: &name,
        line: Vec::new(),
        number: 0,
    };
    if !old.read_header(&mut format, path)? {
        drop(file);
        return Ok((Journal::create(path, true, writer, in_order)?, None));
    }
    let mut new = OutputFile::create(path, Existing::ReplaceLocked)?;
    let mut text = Vec::new();
    writer.begin(run, &mut text);
    new.write_all(&text).map_err(cannot_write)?;
    let header = text.len() as u64;
    let (mut end, mut index) = (header, Vec::new());
    while let Some(record) = old.next(&format)? {
        if format.answers(&record) {
            let (digest, offset) = (digest(T::key(&record)), RecordOffset(end));
            index.push(IndexEntry { digest, offset, claimed: false });
            new.write_all(&old.line).map_err(cannot_write)?;
            end += old.line.len() as u64;
        }
    }
    new.flush().map_err(cannot_write)?;
    index.sort_unstable_by_key(|entry| (entry.digest, entry.offset));

    let reopened = new.open_again().map_err(cannot_read)?;
    let mut stored = StoredRecords {
        name: name.clone(),
        file: BufReader::with_capacity(1 << 16, reopened),
        format,
        index,
        line: Vec::new(),
    };
    if compare(&mut stored)?
        && let Some(error) = stored.unclaimed()?
    {
        return Err(error);
    }
    stored.index.iter_mut().for_each(|entry| entry.claimed = false);
    if cfg!(windows) {
        // There, a file that is open cannot be replaced. Elsewhere it stays locked until then.
        drop(file);
    }
    let file = new.commit()?;
    let mut journal = Journal::over(file, path, writer, in_order, (header, end));
    journal.records = stored.index.len() as u64;
    Ok((journal, Some(stored)))
}

impl<T: StoredFormat> StoredRecords<T> {
    /// The name of the file.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The error that some records belong to no entry, with their number and the key of the first.
    /// `None` if all are claimed.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(crate) fn unclaimed(&mut self) -> Result<Option<JournalError>, JournalError> {
        let unclaimed = self.index.iter().filter(|entry| !entry.claimed);
        let count = unclaimed.clone().count();
        let Some(offset) = unclaimed.map(|entry| entry.offset).min() else { return Ok(None) };
        let id = T::key(&self.read(offset)?).to_owned();
        Ok(Some(JournalError::OtherInput { file: self.name.clone(), count, id }))
    }

    /// Claims a record with this key for which `belongs` is true. Returns it with its offset;
    /// `None` if there is no unclaimed one.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(crate) fn claim(
        &mut self,
        key: &str,
        belongs: impl Fn(&T::Record) -> bool,
    ) -> Result<Option<(RecordOffset, T::Record)>, JournalError> {
        let digest = digest(key);
        let mut index = self.index.partition_point(|indexed| indexed.digest < digest);
        while let Some(&IndexEntry { digest: other, offset, claimed }) = self.index.get(index)
            && other == digest
        {
            if !claimed {
                let record = self.read(offset)?;
                // Several entries may have the same key.
                if T::key(&record) == key && belongs(&record) {
                    self.index[index].claimed = true;
                    return Ok(Some((offset, record)));
                }
            }
            index += 1;
        }
        Ok(None)
    }

    fn read(&mut self, offset: RecordOffset) -> Result<T::Record, JournalError> {
        let cannot_read = |error| JournalError::Read { file: self.name.clone(), error };
        // Records are read nearly in order, so most seeks stay within the buffer.
        let at = self.file.stream_position().map_err(cannot_read)?;
        self.file.seek_relative(offset.0 as i64 - at as i64).map_err(cannot_read)?;
        self.line.clear();
        self.file.read_until(b'\n', &mut self.line).map_err(cannot_read)?;
        match self.format.read_line(String::from_utf8_lossy(&self.line).trim_end()) {
            Ok(Some(record)) => Ok(record),
            _ => Err(cannot_read(io::Error::other("it changed while it was read"))),
        }
    }
}

/// The lines of a journal.
struct Lines<'a> {
    file: BufReader<&'a File>,
    name: &'a str,
    /// The line that was read last, with its end.
    line: Vec<u8>,
    number: u64,
}

impl Lines<'_> {
    /// Reads the header: the first line, or the file beside this one. Returns false if the file
    /// ends within it: that is the file of a run that was ended at once.
    fn read_header(
        &mut self,
        format: &mut impl StoredFormat,
        path: &Path,
    ) -> Result<bool, JournalError> {
        let empty = self.file.get_ref().metadata().is_ok_and(|file| file.len() == 0);
        if empty {
            return Ok(false);
        }
        if let Some(checked) = format.check_beside(path) {
            return checked.map(|()| true).map_err(|error| self.refused(error));
        }
        let whole = self.advance()?;
        let text = String::from_utf8_lossy(&self.line).into_owned();
        // The lines of a file that was edited elsewhere may end with carriage returns alone. Its
        // records must not be replaced.
        if !whole && format.is_torn_header(&text) && !text.contains('\r') {
            return Ok(false);
        }
        format.check_header(text.trim_end()).map_err(|error| self.refused(error))?;
        Ok(true)
    }

    fn refused(&self, error: HeaderError) -> JournalError {
        match error {
            HeaderError::NotARecord(what) => self.not_a_record(1, what),
            HeaderError::OtherFormat(what) => {
                JournalError::OtherFormat { file: self.name.to_owned(), what }
            }
            HeaderError::Beside { file, error } => JournalError::Read { file, error },
        }
    }

    /// The next record. A torn last line is skipped.
    fn next<T: StoredFormat>(&mut self, format: &T) -> Result<Option<T::Record>, JournalError> {
        while self.advance()? {
            let text = str::from_utf8(&self.line).map_err(|error| {
                let valid = String::from_utf8_lossy(&self.line[..error.valid_up_to()]);
                self.not_a_record(valid.chars().count() + 1, "is no text".to_owned())
            })?;
            let record = format
                .read_line(text.trim_end())
                .map_err(|error| self.not_a_record(column_of(text, error.offset), error.what));
            if let Some(record) = record? {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// Reads a line. Returns false if there is no whole one.
    fn advance(&mut self) -> Result<bool, JournalError> {
        self.line.clear();
        self.number += 1;
        let read = self.file.read_until(b'\n', &mut self.line);
        read.map_err(|error| JournalError::Read { file: self.name.to_owned(), error })?;
        Ok(self.line.last() == Some(&b'\n'))
    }

    fn not_a_record(&self, column: usize, what: String) -> JournalError {
        JournalError::NotARecord { file: self.name.to_owned(), line: self.number, column, what }
    }
}

fn digest(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}
