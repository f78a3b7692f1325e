//! Joins the results of a plan's tasks in the order of the input.
//!
//! The tasks are read one after the other. Each entry of the input whose row has a record goes to a
//! sort, with the record. The sorted entries are written, each with the position and the moves in
//! its own orientation. So the memory is that of the largest task. The sort needs about as much
//! space on a disk as the results.
//!
//! The first entry of a position has its nodes and its time; the others have none, as under
//! `--unique`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};

use super::collect::{Collector, TaskFault};
use super::entries::RowEntry;
use super::folder::Folder;
use super::make::InvalidLine;
use super::manifest::{Manifest, TaskLine};
use super::results::{FullRecord, Results};
use super::sort::{Sorted, Sorter};
use super::stored;
use super::{PlanError, SORT_MEMORY};
use crate::digest::hex;
use crate::records::output::Record;
use crate::records::{Notes, ReadError};

/// The number of identifiers without a result that are kept.
const LISTED: usize = 10;

/// What was joined.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Joined {
    /// The number of records that were written, those of invalid lines included.
    pub records: u64,
    /// Of these, the number of those of invalid lines.
    pub invalid: u64,
    /// The number of entries without a result.
    pub missing: u64,
    /// The identifiers of the first of them.
    pub missing_ids: Vec<String>,
    /// The number of finished tasks.
    pub finished: u64,
    /// The number of tasks that have some results.
    pub begun: u64,
    /// The number of tasks without results.
    pub waiting: u64,
    /// The number of pairs of results that contradict each other.
    pub contradictions: u64,
    /// The number of other faults.
    pub faults: u64,
}

/// Reads the results of a plan, and calls `write` for the record of each entry that has one, in the
/// order of the input. Temporary files are in the folder `scratch`. Faults go to `report`.
///
/// # Errors
/// If the files of the plan are damaged or cannot be read, if temporary files cannot be written, or
/// the error of `write`.
pub fn join(
    folder: &Folder,
    manifest: &Manifest,
    scratch: &Path,
    report: &mut dyn FnMut(&TaskFault),
    write: &mut dyn FnMut(Record) -> io::Result<()>,
) -> Result<Joined, PlanError> {
    let failed = |error| PlanError::write(scratch, error);
    let mut joined = Joined::default();
    let mut sorter = Sorter::new(scratch, SORT_MEMORY).map_err(failed)?;
    let mut entries = DigestReader::open(&folder.entries())?;
    for_each_task(folder, manifest, |line| {
        let mut collector = Collector::new(folder, manifest, line.task);
        let rows = collector.rows(&line);
        let results = match &rows {
            Some(rows) => Some(collector.results(rows, &line.sha256)?),
            None => None,
        };
        for fault in &collector.faults {
            report(fault);
            match fault.is_contradiction {
                true => joined.contradictions += 1,
                false => joined.faults += 1,
            }
        }
        match &results {
            Some((_, true)) => joined.finished += 1,
            Some((results, false)) if results.answered() > 0 => joined.begun += 1,
            _ => joined.waiting += 1,
        }
        let results = results.as_ref().map(|(results, _)| results);
        push_entries(&mut entries, line.entries, results, &mut sorter)
    })?;
    entries.check(&manifest.entries_sha256)?;
    let sorted = sorter.finish().map_err(failed)?;
    write_sorted(folder, manifest, &sorted, &mut joined, write)?;
    Ok(joined)
}

/// Calls `each` with every line of `tasks.jsonl`.
///
/// # Errors
/// If the file cannot be read, is not as it was written, or the error of `each`.
pub(super) fn for_each_task(
    folder: &Folder,
    manifest: &Manifest,
    mut each: impl FnMut(TaskLine) -> Result<(), PlanError>,
) -> Result<(), PlanError> {
    let path = folder.tasks();
    let mut lines = BufReader::new(DigestReader::open(&path)?);
    let mut text = String::new();
    for number in 1..=manifest.tasks {
        text.clear();
        lines.read_line(&mut text).map_err(|error| PlanError::read(&path, error))?;
        let line = serde_json::from_str(&text).ok().filter(|line: &TaskLine| line.task == number);
        let damaged = || PlanError::Damaged {
            file: path.clone(),
            what: format!("line {number} is not about task {number}"),
        };
        each(line.ok_or_else(damaged)?)?;
    }
    lines.into_inner().check(&manifest.tasks_sha256)
}

/// Passes the next `count` entries on to the sort, each with the result of its row.
fn push_entries(
    entries: &mut DigestReader,
    count: u64,
    results: Option<&Results<'_>>,
    sorter: &mut Sorter,
) -> Result<(), PlanError> {
    let mut latest: Option<(usize, FullRecord)> = None;
    let mut bytes = Vec::new();
    for _ in 0..count {
        let entry = RowEntry::read(entries);
        let RowEntry { row, number, orientation } = entry.map_err(|error| entries.error(error))?;
        let Some(results) = results else { continue };
        let row = row as usize;
        if row >= results.len() || results.answer(row).is_none() {
            continue;
        }
        let is_first = latest.as_ref().is_none_or(|(other, _)| *other != row);
        if is_first {
            latest = Some((row, results.record(row)));
        }
        let (_, record) = latest.as_ref().expect("it was just read");
        let position = results.position(row);
        stored::to_bytes(number, orientation, position, record, is_first, &mut bytes);
        sorter.push(&bytes).map_err(|error| entries.error(error))?;
    }
    Ok(())
}

/// Writes the sorted entries with their identifiers, and the records of invalid lines.
fn write_sorted(
    folder: &Folder,
    manifest: &Manifest,
    sorted: &Sorted,
    joined: &mut Joined,
    write: &mut dyn FnMut(Record) -> io::Result<()>,
) -> Result<(), PlanError> {
    let path = folder.ids();
    let unreadable = |error| PlanError::read(&path, error);
    let damaged = || PlanError::Damaged {
        file: path.clone(),
        what: "it is not as the plan has written it".to_owned(),
    };
    let file = File::open(&path).map_err(unreadable)?;
    let mut ids = BufReader::with_capacity(1 << 16, MultiGzDecoder::new(BufReader::new(file)));
    let mut merge = sorted.read().map_err(unreadable)?;
    let mut next = merge.next().map_err(unreadable)?;
    let (mut line, window) = (String::new(), manifest.window());
    for number in 0..manifest.entries {
        line.clear();
        ids.read_line(&mut line).map_err(unreadable)?;
        let text = line.strip_suffix('\n').ok_or_else(damaged)?;
        let record = match text.split_at_checked(1) {
            Some(("!", text)) => {
                joined.invalid += 1;
                invalid_record(text).ok_or_else(damaged)?
            }
            Some(("+", id)) => match next {
                Some(bytes) if stored::number(bytes) == number => {
                    let record = stored::record_of(bytes, id.to_owned(), window);
                    next = merge.next().map_err(unreadable)?;
                    record
                }
                _ => {
                    joined.missing += 1;
                    if joined.missing_ids.len() < LISTED {
                        joined.missing_ids.push(id.to_owned());
                    }
                    continue;
                }
            },
            _ => return Err(damaged()),
        };
        joined.records += 1;
        write(record).map_err(|error| PlanError::Output { error })?;
    }
    // The check sum of the file comes behind its last line.
    if ids.read_line(&mut line).map_err(unreadable)? > 0 || next.is_some() {
        return Err(damaged());
    }
    Ok(())
}

/// The record of an invalid line.
fn invalid_record(text: &str) -> Option<Record> {
    let (id, error) = text.split_once('\t')?;
    let error: ReadError = serde_json::from_str::<InvalidLine>(error).ok()?.into();
    Some(Record { id: id.to_owned(), notes: Notes::default(), outcome: Err(error) })
}

/// Reads a file, and its digest with it.
struct DigestReader {
    file: BufReader<File>,
    path: std::path::PathBuf,
    digest: Sha256,
}

impl DigestReader {
    fn open(path: &Path) -> Result<DigestReader, PlanError> {
        let file = File::open(path).map_err(|error| PlanError::read(path, error))?;
        let file = BufReader::with_capacity(1 << 16, file);
        Ok(DigestReader { file, path: path.to_owned(), digest: Sha256::new() })
    }

    fn error(&self, error: io::Error) -> PlanError {
        PlanError::read(&self.path, error)
    }

    /// Reads the rest, and compares the digest.
    fn check(mut self, sha256: &str) -> Result<(), PlanError> {
        io::copy(&mut self, &mut io::sink()).map_err(|error| self.error(error))?;
        if hex(&self.digest.finalize()) == sha256 {
            return Ok(());
        }
        let what = "it is not as the plan has written it".to_owned();
        Err(PlanError::Damaged { file: self.path, what })
    }
}

impl Read for DigestReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.digest.update(&buffer[..read]);
        Ok(read)
    }
}
