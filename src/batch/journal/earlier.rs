//! The records that an earlier run left in a journal, for the run that continues it.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::resume::{HeaderError, StoredFormat, StoredRecords, resume_with};
use super::{Journal, JournalError, RecordOffset};
use crate::batch::shard::Shard;
use crate::batch::stored_run::StoredRun;
use crate::records::output::{NoteColumns, ResultFormat, Run, Status, Writer, column_names};
use crate::records::results::{ResultHeader, ResultLine, StoredRecord};
use crate::records::{Entry, Item, LineError, ReadOptions, Reader, Source};
use crate::search::Window;

/// The records of an earlier run that answer the request of the present one.
///
/// Only a digest of each identifier is in memory. The record is read again, and compared, when the
/// entry with that identifier is read.
#[derive(Debug)]
pub struct EarlierResults(StoredRecords<SolveRequest>);

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

/// The format of the results, and what is wanted of each position.
#[derive(Debug)]
struct SolveRequest {
    form: ResultFormat,
    window: Window,
    all_moves: bool,
    notes: NoteColumns,
    /// The header of the file, when it has been read.
    header: Option<ResultHeader>,
}

impl SolveRequest {
    /// Checks that the records of this header are of the format and have the columns of the run.
    fn check(&mut self, header: ResultHeader) -> Result<(), HeaderError> {
        let other_format = |what| Err(HeaderError::OtherFormat(what));
        let form = match self.form {
            ResultFormat::JsonRecords => ResultFormat::JsonLines,
            form => form,
        };
        match (header.format(), header.all_moves()) {
            (other, _) if other != form => other_format("its results are in another format"),
            (_, true) if !self.all_moves => {
                other_format("its results have the score of every move")
            }
            (_, false) if self.all_moves => {
                other_format("its results do not have the score of every move")
            }
            _ if header.notes() != self.notes => other_format("its results have other columns"),
            _ => {
                self.header = Some(header);
                Ok(())
            }
        }
    }
}

impl StoredFormat for SolveRequest {
    type Record = StoredRecord;

    fn check_header(&mut self, line: &str) -> Result<(), HeaderError> {
        self.check(ResultHeader::read(line).map_err(HeaderError::NotARecord)?)
    }

    fn check_beside(&mut self, path: &Path) -> Option<Result<(), HeaderError>> {
        (self.form == ResultFormat::JsonRecords).then(|| {
            let stored = StoredRun::beside(path);
            let StoredRun { header, .. } =
                stored.map_err(|(file, error)| HeaderError::Beside { file, error })?;
            self.check(header)
        })
    }

    fn is_torn_header(&self, text: &str) -> bool {
        const JSON: &str = r#"{"type":"run","#;
        let columns = column_names(self.notes, self.all_moves).join(",");
        [&columns, JSON].iter().any(|begin| begin.starts_with(text)) || text.starts_with(JSON)
    }

    fn read_line(&self, line: &str) -> Result<Option<StoredRecord>, LineError> {
        let header = self.header.as_ref().expect("the header is read before the records");
        Ok(match header.read_line(line)? {
            ResultLine::Record(record) => Some(*record),
            ResultLine::Run | ResultLine::Summary => None,
        })
    }

    fn answers(&self, record: &StoredRecord) -> bool {
        record.answers(self.window, self.all_moves)
    }

    fn key(record: &StoredRecord) -> &str {
        &record.id
    }
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
    writer: Box<dyn Writer>,
    form: ResultFormat,
    run: &Run,
    in_order: bool,
    input: (&[Source], ReadOptions, Option<Shard>),
) -> Result<(Journal, Option<EarlierResults>), JournalError> {
    let (sources, reading, shard) = input;
    let Run { window, all_moves, notes, .. } = *run;
    let request = SolveRequest { form, window, all_moves, notes, header: None };
    let compare = |stored: &mut StoredRecords<_>| {
        if sources.iter().any(Source::is_stream) {
            return Ok(false);
        }
        for item in Reader::new(sources.to_vec(), reading) {
            let Item::Entry(entry) = item else { continue };
            let position = entry.problem.as_ref().ok().map(|problem| &problem.diagram.position);
            if shard.is_none_or(|shard| shard.contains(position)) {
                claim(stored, &entry)?;
            }
        }
        Ok(true)
    };
    let (journal, stored) = resume_with(path, writer, request, run, in_order, compare)?;
    Ok((journal, stored.map(EarlierResults)))
}

impl EarlierResults {
    /// The error that some records belong to no entry, with their number and the identifier of the
    /// first. `None` if all are claimed.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn unclaimed(&mut self) -> Result<Option<JournalError>, JournalError> {
        self.0.unclaimed()
    }

    /// Claims the record with the identifier and the position of an entry. `None` if there is no
    /// unclaimed one.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn claim(&mut self, entry: &Entry) -> Result<Option<ResumedRecord>, JournalError> {
        claim(&mut self.0, entry)
    }
}

fn claim(
    stored: &mut StoredRecords<SolveRequest>,
    entry: &Entry,
) -> Result<Option<ResumedRecord>, JournalError> {
    let Ok(problem) = &entry.problem else { return Ok(None) };
    let claimed = stored.claim(&entry.id, |record| record.diagram == Some(problem.diagram))?;
    let Some((offset, StoredRecord { status, nodes, seconds, .. })) = claimed else {
        return Ok(None);
    };
    let time = Duration::try_from_secs_f64(seconds).map_err(|error| JournalError::Read {
        file: stored.name().to_owned(),
        error: io::Error::other(format!("{}: {error}", entry.id)),
    })?;
    Ok(Some(ResumedRecord { offset, status, nodes, time }))
}
