//! The records that an earlier run left in a journal, for the run that continues it.

use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::Path;
use std::time::Duration;

use super::{Journal, JournalError, RecordOffset};
use crate::batch::shard::Shard;
use crate::batch::stored_run::StoredRun;
use crate::output_file::{Existing, OutputFile, lock};
use crate::records::output::{ResultFormat, Run, Status, Writer, column_names};
use crate::records::results::{ResultHeader, ResultLine, StoredRecord};
use crate::records::{Entry, Item, ReadOptions, Reader, Source};

/// The records of an earlier run that answer the request of the present one.
///
/// Only a digest of each identifier is in memory. The record is read again, and compared, when the
/// entry with that identifier is read.
#[derive(Debug)]
pub struct EarlierResults {
    name: String,
    file: BufReader<File>,
    header: ResultHeader,
    /// The records, sorted by the digest of their identifier.
    index: Vec<IndexEntry>,
    line: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct IndexEntry {
    /// The digest of the identifier.
    digest: u64,
    offset: RecordOffset,
    /// Whether an entry of the input has claimed the record.
    claimed: bool,
}

/// A record of an earlier run that belongs to an entry of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResumedRecord {
    /// Its offset in the journal.
    pub offset: RecordOffset,
    /// Its status.
    pub status: Status,
    /// The nodes of its search.
    pub nodes: u64,
    /// The time of its search.
    pub time: Duration,
}

/// Opens a journal and continues it. If the file does not exist, a new journal is made.
///
/// If all sources can be read twice, they are compared with the records first. If they do not
/// belong together, the file is not changed. Otherwise a difference is found while the input is
/// read.
///
/// # Errors
/// If the file cannot be read or written, or if it is not the journal of this input and these
/// options.
pub fn resume(
    path: &Path,
    mut writer: Box<dyn Writer>,
    form: ResultFormat,
    run: &Run,
    in_order: bool,
    input: (&[Source], ReadOptions, Option<Shard>),
) -> Result<(Journal, Option<EarlierResults>), JournalError> {
    let name = path.display().to_string();
    let file = match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok((Journal::create(path, false, writer, in_order)?, None));
        }
        file => file.map_err(|error| JournalError::Read { file: name.clone(), error })?,
    };
    lock(&file, path)?;
    let cannot_read = |error| JournalError::Read { file: name.clone(), error };
    let cannot_write = |error| JournalError::Write { file: name.clone(), error };

    let mut old = Lines {
        file: BufReader::with_capacity(1 << 16, &file),
        name: &name,
        line: Vec::new(),
        number: 0,
    };
    let stored = match form {
        // The run was ended at once.
        ResultFormat::JsonRecords if file.metadata().is_ok_and(|file| file.len() == 0) => None,
        ResultFormat::JsonRecords => Some(old.header_beside(path, run)?),
        _ => old.read_header(form, run)?,
    };
    let Some(stored) = stored else {
        drop(file);
        return Ok((Journal::create(path, true, writer, in_order)?, None));
    };
    let mut new = OutputFile::create(path, Existing::ReplaceLocked)?;
    let mut text = Vec::new();
    writer.begin(run, &mut text);
    new.write_all(&text).map_err(cannot_write)?;
    let header = text.len() as u64;
    let (mut end, mut index) = (header, Vec::new());
    while let Some(record) = old.next(&stored)? {
        if record.answers(run.window, run.all_moves) {
            let (digest, offset) = (digest(&record.id), RecordOffset(end));
            index.push(IndexEntry { digest, offset, claimed: false });
            new.write_all(&old.line).map_err(cannot_write)?;
            end += old.line.len() as u64;
        }
    }
    new.flush().map_err(cannot_write)?;
    index.sort_unstable_by_key(|entry| (entry.digest, entry.offset));

    let reopened = new.open_again().map_err(cannot_read)?;
    let mut earlier = EarlierResults {
        name: name.clone(),
        file: BufReader::with_capacity(1 << 16, reopened),
        header: stored,
        index,
        line: Vec::new(),
    };
    let (sources, reading, shard) = input;
    if !sources.iter().any(Source::is_stream) {
        earlier.compare(sources, reading, shard)?;
    }
    let file = new.commit()?;
    let mut journal = Journal::over(file, path, writer, in_order, (header, end));
    journal.records = earlier.index.len() as u64;
    Ok((journal, Some(earlier)))
}

impl EarlierResults {
    /// The error that some records belong to no entry, with their number and the identifier of the
    /// first. `None` if all are claimed.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn unclaimed(&mut self) -> Result<Option<JournalError>, JournalError> {
        let unclaimed = self.index.iter().filter(|entry| !entry.claimed);
        let count = unclaimed.clone().count();
        let Some(offset) = unclaimed.map(|entry| entry.offset).min() else { return Ok(None) };
        let id = self.read(offset)?.id;
        Ok(Some(JournalError::OtherInput { file: self.name.clone(), count, id }))
    }

    /// Claims the record with the identifier and the position of an entry. `None` if there is no
    /// unclaimed one.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn claim(&mut self, entry: &Entry) -> Result<Option<ResumedRecord>, JournalError> {
        let Ok(problem) = &entry.problem else { return Ok(None) };
        let digest = digest(&entry.id);
        let mut index = self.index.partition_point(|indexed| indexed.digest < digest);
        while let Some(&IndexEntry { digest: other, offset, claimed }) = self.index.get(index)
            && other == digest
        {
            if !claimed {
                let record = self.read(offset)?;
                // Several entries may have the same identifier.
                if record.id == entry.id && record.diagram == Some(problem.diagram) {
                    self.index[index].claimed = true;
                    let StoredRecord { status, nodes, seconds, .. } = record;
                    let time = Duration::try_from_secs_f64(seconds).map_err(|error| {
                        JournalError::Read {
                            file: self.name.clone(),
                            error: io::Error::other(format!("{}: {error}", entry.id)),
                        }
                    })?;
                    return Ok(Some(ResumedRecord { offset, status, nodes, time }));
                }
            }
            index += 1;
        }
        Ok(None)
    }

    /// Checks that every record belongs to an entry of the input.
    fn compare(
        &mut self,
        sources: &[Source],
        reading: ReadOptions,
        shard: Option<Shard>,
    ) -> Result<(), JournalError> {
        for item in Reader::new(sources.to_vec(), reading) {
            let Item::Entry(entry) = item else { continue };
            let position = entry.problem.as_ref().ok().map(|problem| &problem.diagram.position);
            if shard.is_none_or(|shard| shard.contains(position)) {
                self.claim(&entry)?;
            }
        }
        if let Some(error) = self.unclaimed()? {
            return Err(error);
        }
        self.index.iter_mut().for_each(|entry| entry.claimed = false);
        Ok(())
    }

    fn read(&mut self, offset: RecordOffset) -> Result<StoredRecord, JournalError> {
        let cannot_read = |error| JournalError::Read { file: self.name.clone(), error };
        // Records are read nearly in order, so most seeks stay within the buffer.
        let at = self.file.stream_position().map_err(cannot_read)?;
        self.file.seek_relative(offset.0 as i64 - at as i64).map_err(cannot_read)?;
        self.line.clear();
        self.file.read_until(b'\n', &mut self.line).map_err(cannot_read)?;
        match self.header.read_line(String::from_utf8_lossy(&self.line).trim_end()) {
            Ok(ResultLine::Record(record)) => Ok(*record),
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
    /// Reads the header, which is the first line. `None` if the file ends within it: that is the
    /// file of a run that was ended at once.
    fn read_header(
        &mut self,
        form: ResultFormat,
        run: &Run,
    ) -> Result<Option<ResultHeader>, JournalError> {
        const JSON: &str = r#"{"type":"run","#;
        let whole = self.advance()?;
        let text = String::from_utf8_lossy(&self.line).into_owned();
        let columns = column_names(run.notes, run.all_moves).join(",");
        let torn =
            [&columns, JSON].iter().any(|begin| begin.starts_with(&text)) || text.starts_with(JSON);
        // The lines of a file that was edited elsewhere may end with carriage returns alone. Its
        // results must not be replaced.
        if !whole && torn && !text.contains('\r') {
            return Ok(None);
        }
        let header = ResultHeader::read(text.trim_end()).map_err(|what| self.not_a_record(what))?;
        self.check(header, form, run).map(Some)
    }

    /// The header of a file with records only, from the run file beside it.
    fn header_beside(&self, path: &Path, run: &Run) -> Result<ResultHeader, JournalError> {
        let stored = StoredRun::beside(path);
        let StoredRun { header, .. } =
            stored.map_err(|(file, error)| JournalError::Read { file, error })?;
        self.check(header, ResultFormat::JsonLines, run)
    }

    /// Checks that the records of this header are of the format and have the columns of a run.
    fn check(
        &self,
        header: ResultHeader,
        form: ResultFormat,
        run: &Run,
    ) -> Result<ResultHeader, JournalError> {
        let other_format =
            |what| Err(JournalError::OtherFormat { file: self.name.to_owned(), what });
        match (header.format(), header.all_moves()) {
            (other, _) if other != form => other_format("its results are in another format"),
            (_, true) if !run.all_moves => other_format("its results have the score of every move"),
            (_, false) if run.all_moves => {
                other_format("its results do not have the score of every move")
            }
            _ if header.notes() != run.notes => other_format("its results have other columns"),
            _ => Ok(header),
        }
    }

    /// The next record. A torn last line is skipped.
    fn next(&mut self, header: &ResultHeader) -> Result<Option<StoredRecord>, JournalError> {
        while self.advance()? {
            let text = str::from_utf8(&self.line)
                .map_err(|_| self.not_a_record("is no text".to_owned()))?;
            if let ResultLine::Record(record) =
                header.read_line(text.trim_end()).map_err(|what| self.not_a_record(what))?
            {
                return Ok(Some(*record));
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

    fn not_a_record(&self, what: String) -> JournalError {
        JournalError::NotARecord { file: self.name.to_owned(), line: self.number, what }
    }
}

fn digest(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
