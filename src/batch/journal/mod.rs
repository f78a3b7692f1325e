//! The output file as a journal, by which a run that was ended goes on.
//!
//! - While the work goes on, records are appended in the order in which they are finished, whole
//!   lines, handed to the system as soon as they are finished. So a crash or `kill -9` costs what
//!   was being solved, and at most the line that was being written is torn. (What a power cut costs
//!   is up to the system: nothing is forced to the disk before the end.)
//! - At the end they are put into the order of the input, in a new file beside it that then takes
//!   its place. Whatever happens meanwhile, one of the two is there, with everything in it.
//! - A run that goes on ([`Earlier`]) keeps the records that answer what is asked now. Others were
//!   cut short by a limit, by the end of the run, or had another question to answer; they and a
//!   torn last line go, and those positions are solved again.
//!
//! Nothing is written down beside the records: which line of the input a record belongs to is told
//! by its identifier and its position, and both must agree. The file is locked, so that two runs
//! cannot write it at once.

mod earlier;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use thiserror::Error;

pub use earlier::{Earlier, Kept, resume};

use super::output::Output;
use crate::records::output::{Record, Run, Sink, SinkError, Summary, Writer};

/// Why a file cannot be the journal of a run. Each begins with the file's name.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It exists, and is not to be replaced.
    #[error("{file}: exists already, and may hold results")]
    Exists {
        /// The file's name.
        file: String,
    },
    /// Another run has it.
    #[error("{file}: another run is writing it")]
    Busy {
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
    /// A line of it is no record.
    #[error("{file}:{line}: {what}")]
    Foreign {
        /// The file's name.
        file: String,
        /// The line's number; the first line has 1.
        line: u64,
        /// What is wrong there.
        what: String,
    },
    /// Its records are written otherwise.
    #[error("{file}: {what}")]
    Otherwise {
        /// The file's name.
        file: String,
        /// What is otherwise.
        what: &'static str,
    },
    /// It has records that belong to no entry of the input.
    #[error("{file}: has {count} results for positions that the input does not have, such as {id}")]
    OtherInput {
        /// The file's name.
        file: String,
        /// How many.
        count: usize,
        /// The identifier of one of them.
        id: String,
    },
}

/// Where a record begins in a journal, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place(u64);

impl Place {
    /// No record.
    const NONE: Place = Place(u64::MAX);
}

/// An output file to which records are appended as they are finished, and which is put in order at
/// the end.
#[derive(Debug)]
pub struct Journal {
    sink: Sink<File>,
    path: PathBuf,
    in_order: bool,
    /// Where the record of each entry begins.
    places: Vec<Place>,
    /// How many records the file holds.
    records: u64,
    /// Where the first record begins.
    head: u64,
    /// Where the next one will begin.
    end: u64,
}

impl Journal {
    /// A new journal; `replace` tells whether a file that exists may go. Records are put into the
    /// order of the input at the end if `in_order`.
    ///
    /// # Errors
    /// If the file exists, or cannot be written, or if another run is writing it.
    pub fn create(
        path: &Path,
        replace: bool,
        writer: Box<dyn Writer>,
        in_order: bool,
    ) -> Result<Journal, JournalError> {
        let name = || path.display().to_string();
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let options =
            if replace { options.create(true).truncate(false) } else { options.create_new(true) };
        let file = options.open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Exists { file: name() },
            _ => JournalError::Write { file: name(), error },
        })?;
        // Emptied only now that nobody else writes it.
        lock(&file, path)?;
        file.set_len(0).map_err(|error| JournalError::Write { file: name(), error })?;
        Ok(Journal::over(file, path, writer, in_order, (0, 0)))
    }

    /// A journal over a file that holds a head of some bytes, or nothing.
    fn over(
        file: File,
        path: &Path,
        writer: Box<dyn Writer>,
        in_order: bool,
        (head, end): (u64, u64),
    ) -> Journal {
        let sink = Sink::new(writer, file);
        Journal { sink, path: path.to_owned(), in_order, places: Vec::new(), records: 0, head, end }
    }

    fn note(&mut self, number: u64, place: Place) {
        let number = number as usize;
        if number >= self.places.len() {
            self.places.resize(number + 1, Place::NONE);
        }
        self.places[number] = place;
    }

    /// The records that have a number, in the order of the input.
    fn numbered(&self) -> impl Iterator<Item = Place> + '_ {
        self.places.iter().copied().filter(|&place| place != Place::NONE)
    }

    /// Whether the file is as it should be: in order, or not to be touched because it holds records
    /// whose line was not read.
    fn is_done(&self) -> bool {
        !self.in_order
            || self.numbered().count() as u64 != self.records
            || self.numbered().is_sorted_by_key(|place| place.0)
    }

    /// Writes the file anew, in order.
    fn put_in_order(&mut self) -> io::Result<()> {
        let path = fs::canonicalize(&self.path)?;
        let mut old = BufReader::with_capacity(1 << 20, File::open(&path)?);
        let mut new = Replacement::of(&path)?;
        let (mut line, mut at) = (Vec::new(), 0);
        let mut copy = |place: u64, until: Option<u64>| -> io::Result<()> {
            // Finished in nearly the right order, they mostly lie within the buffer.
            old.seek_relative(place as i64 - at)?;
            at = place as i64;
            while until.is_none_or(|until| (at as u64) < until) {
                line.clear();
                at += old.read_until(b'\n', &mut line)? as i64;
                new.file.write_all(&line)?;
                if until.is_none() || line.is_empty() {
                    break;
                }
            }
            Ok(())
        };
        copy(0, Some(self.head))?;
        self.numbered().try_for_each(|place| copy(place.0, None))?;
        copy(self.end, Some(u64::MAX))?;
        new.replace(&path)?;
        Ok(())
    }
}

impl Output for Journal {
    fn in_order(&self) -> bool {
        false
    }

    fn begin(&mut self, run: &Run) -> Result<(), SinkError> {
        if self.head == 0 {
            self.head = self.sink.begin(run)?;
            self.end = self.head;
        }
        Ok(())
    }

    fn record(&mut self, number: u64, record: &Record) {
        self.note(number, Place(self.end));
        self.records += 1;
        self.end += self.sink.record(record);
    }

    fn keep(&mut self, number: u64, place: Place) {
        self.note(number, place);
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.sink.flush()
    }

    fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        self.sink.end(summary)?;
        if self.is_done() {
            Ok(())
        } else {
            self.put_in_order().map_err(|error| SinkError::Order { error })
        }
    }
}

/// Locks a file until it is closed. Where the system has no locks there is none.
fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(JournalError::Busy { file: path.display().to_string() })
        }
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// A new file that is to take the place of another, in the same folder. It goes away if it does not
/// come to that.
struct Replacement {
    file: BufWriter<NamedTempFile>,
}

impl Replacement {
    fn of(path: &Path) -> io::Result<Replacement> {
        let folder =
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = tempfile::Builder::new()
            .prefix(&format!(".{name}."))
            .suffix(".tmp")
            .tempfile_in(folder)?;
        fs::set_permissions(file.path(), fs::metadata(path)?.permissions())?;
        Ok(Replacement { file: BufWriter::with_capacity(1 << 16, file) })
    }

    /// Takes the place of `path`, and gives the file.
    fn replace(self, path: &Path) -> io::Result<File> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        let _ = file.as_file().try_lock();
        let mut file = file.persist(path)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    }
}
