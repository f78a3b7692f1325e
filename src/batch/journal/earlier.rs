//! What an earlier run left in the journal, for the run that goes on.

use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::Path;

use super::{Journal, JournalError, Place, Replacement, lock};
use crate::batch::shard::Shard;
use crate::records::output::{COLUMNS, Run, Status, Writer};
use crate::records::results::{self, ResultFormat, ResultLine, StoredRecord};
use crate::records::{Entry, Item, ReadOptions, Reader, Source};

/// The records of an earlier run that answer what is asked now.
///
/// In memory is a digest of each identifier; the record itself is read again, and compared, when
/// the input comes to it.
#[derive(Debug)]
pub struct Earlier {
    name: String,
    file: BufReader<File>,
    form: ResultFormat,
    /// Digests and places, by digest; whether the input has come to it.
    index: Vec<(u64, Place, bool)>,
    line: Vec<u8>,
}

/// A record of an earlier run that belongs to an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    /// Where it is.
    pub place: Place,
    /// What sort of answer it is.
    pub status: Status,
}

/// Opens a journal to go on with it. Where there is none yet, a new one is made.
///
/// If all of the input can be read twice, it is compared with the records now, and the file is left
/// as it is if they do not belong together; else that shows while the input is read.
///
/// # Errors
/// If the file cannot be read or written, if it is no journal, or that of another input or other
/// options.
pub fn resume(
    path: &Path,
    mut writer: Box<dyn Writer>,
    form: ResultFormat,
    run: &Run,
    in_order: bool,
    input: (&[Source], ReadOptions, Option<Shard>),
) -> Result<(Journal, Option<Earlier>), JournalError> {
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
    if !old.head(form, run.all_moves)? {
        drop(file);
        return Ok((Journal::create(path, true, writer, in_order)?, None));
    }
    let target = fs::canonicalize(path).map_err(cannot_read)?;
    let mut new = Replacement::of(&target).map_err(cannot_write)?;
    let mut text = Vec::new();
    writer.begin(run, &mut text);
    new.file.write_all(&text).map_err(cannot_write)?;
    let head = text.len() as u64;
    let (mut end, mut index) = (head, Vec::new());
    while let Some(written) = old.next(form)? {
        if written.answers(run.window, run.all_moves) {
            index.push((digest(&written.id), Place(end), false));
            new.file.write_all(&old.line).map_err(cannot_write)?;
            end += old.line.len() as u64;
        }
    }
    new.file.flush().map_err(cannot_write)?;
    index.sort_unstable_by_key(|&(digest, place, _)| (digest, place.0));

    let reopened = new.file.get_ref().reopen().map_err(cannot_read)?;
    let mut earlier = Earlier {
        name: name.clone(),
        file: BufReader::with_capacity(1 << 16, reopened),
        form,
        index,
        line: Vec::new(),
    };
    let (sources, reading, shard) = input;
    if !sources.iter().any(Source::is_stream) {
        earlier.compare(sources, reading, shard)?;
    }
    let file = new.replace(&target).map_err(cannot_write)?;
    let mut journal = Journal::over(file, path, writer, in_order, (head, end));
    journal.records = earlier.index.len() as u64;
    Ok((journal, Some(earlier)))
}

impl Earlier {
    /// How many records no entry has come for yet, and the identifier of one of them.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn unclaimed(&mut self) -> Result<Option<JournalError>, JournalError> {
        let unclaimed = self.index.iter().filter(|(_, _, claimed)| !claimed);
        let count = unclaimed.clone().count();
        let Some(&(_, place, _)) = unclaimed.clone().min_by_key(|(_, place, _)| place.0) else {
            return Ok(None);
        };
        let id = self.read(place)?.id;
        Ok(Some(JournalError::OtherInput { file: self.name.clone(), count, id }))
    }

    /// The record of an entry's identifier and position, if there is one that is not taken.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn claim(&mut self, entry: &Entry) -> Result<Option<Kept>, JournalError> {
        let Ok(problem) = &entry.problem else { return Ok(None) };
        let digest = digest(&entry.id);
        let mut at = self.index.partition_point(|&(other, ..)| other < digest);
        while let Some(&(other, place, claimed)) = self.index.get(at)
            && other == digest
        {
            if !claimed {
                let written = self.read(place)?;
                // An input may use an identifier twice.
                if written.id == entry.id && written.diagram == Some(problem.diagram) {
                    self.index[at].2 = true;
                    return Ok(Some(Kept { place, status: written.status }));
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// Sees that every record belongs to an entry of the input.
    fn compare(
        &mut self,
        sources: &[Source],
        reading: ReadOptions,
        shard: Option<Shard>,
    ) -> Result<(), JournalError> {
        for item in Reader::new(sources.to_vec(), reading) {
            let Item::Entry(entry) = item else { continue };
            let position = entry.problem.as_ref().ok().map(|problem| &problem.diagram.position);
            if shard.is_none_or(|shard| shard.has(position)) {
                self.claim(&entry)?;
            }
        }
        if let Some(error) = self.unclaimed()? {
            return Err(error);
        }
        self.index.iter_mut().for_each(|(_, _, claimed)| *claimed = false);
        Ok(())
    }

    fn read(&mut self, place: Place) -> Result<StoredRecord, JournalError> {
        let cannot_read = |error| JournalError::Read { file: self.name.clone(), error };
        // They are asked for nearly in order, and mostly lie within the buffer.
        let at = self.file.stream_position().map_err(cannot_read)?;
        self.file.seek_relative(place.0 as i64 - at as i64).map_err(cannot_read)?;
        self.line.clear();
        self.file.read_until(b'\n', &mut self.line).map_err(cannot_read)?;
        match results::read_line(String::from_utf8_lossy(&self.line).trim_end(), self.form) {
            Ok(ResultLine::Record(written)) => Ok(*written),
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
    /// Reads the first line. Gives false if the file ends before it does, which is what a run
    /// leaves that was ended at once.
    fn head(&mut self, form: ResultFormat, all_moves: bool) -> Result<bool, JournalError> {
        const JSON: &str = r#"{"type":"run","#;
        let whole = self.advance()?;
        let text = String::from_utf8_lossy(&self.line).into_owned();
        let columns = COLUMNS.join(",");
        let torn =
            [&columns, JSON].iter().any(|begin| begin.starts_with(&text)) || text.starts_with(JSON);
        if !whole && torn {
            return Ok(false);
        }
        let head = results::read_header(text.trim_end()).map_err(|what| self.foreign(what))?;
        let otherwise = |what| Err(JournalError::Otherwise { file: self.name.to_owned(), what });
        match (head.format, head.all_moves) {
            (other, _) if other != form => otherwise("its results are in another format"),
            (_, true) if !all_moves => otherwise("its results have the score of every move"),
            (_, false) if all_moves => otherwise("its results do not have the score of every move"),
            _ => Ok(true),
        }
    }

    /// The next record. A torn last line is none.
    fn next(&mut self, form: ResultFormat) -> Result<Option<StoredRecord>, JournalError> {
        while self.advance()? {
            let text =
                str::from_utf8(&self.line).map_err(|_| self.foreign("is no text".to_owned()))?;
            if let ResultLine::Record(written) =
                results::read_line(text.trim_end(), form).map_err(|what| self.foreign(what))?
            {
                return Ok(Some(*written));
            }
        }
        Ok(None)
    }

    /// Reads a line. Gives false if there is no whole one.
    fn advance(&mut self) -> Result<bool, JournalError> {
        self.line.clear();
        self.number += 1;
        let read = self.file.read_until(b'\n', &mut self.line);
        read.map_err(|error| JournalError::Read { file: self.name.to_owned(), error })?;
        Ok(self.line.last() == Some(&b'\n'))
    }

    fn foreign(&self, what: String) -> JournalError {
        JournalError::Foreign { file: self.name.to_owned(), line: self.number, what }
    }
}

fn digest(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
