//! The class `Reader`: the entries of files, read by a thread of their own.
//!
//! A file may be a pipe whose writer is slow. The thread that iterates only waits for the thread
//! that reads, so that it can check for signals.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;

use pyo3::exceptions::{PyIsADirectoryError, PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;

use yose::records::{self, FileError, Format, Item, ReadOptions, Selection, Source, Span};

use crate::position::{Position, side_of};
use crate::search::{TICK, panic_error};

/// The number of items that are read in advance.
const READ_AHEAD: usize = 256;

/// The items of files: `(id, position, claimed score)` for an entry, an exception for what cannot
/// be read.
#[pyclass(frozen, module = "yose._native")]
#[derive(Debug)]
pub struct Reader(Mutex<Receiver<thread::Result<Item>>>);

#[pymethods]
impl Reader {
    #[new]
    #[pyo3(signature = (paths, *, format, side, games, empties))]
    fn new(
        paths: Vec<PathBuf>,
        format: Option<&str>,
        side: Option<&str>,
        games: Option<(u64, u64)>,
        empties: Option<(u64, u64)>,
    ) -> PyResult<Reader> {
        let span = |(first, last)| Span { first, last };
        let format = format.map(str::parse::<Format>).transpose().map_err(PyValueError::new_err)?;
        let options = ReadOptions {
            format,
            side: side.map(side_of).transpose()?,
            selection: Selection { games: games.map(span), empties: empties.map(span) },
            ..ReadOptions::default()
        };
        let sources = paths.into_iter().map(Source::File).collect();
        let (sender, items) = mpsc::sync_channel(READ_AHEAD);
        let read = move || {
            // Sending fails when the iterator is dropped.
            let all =
                || records::Reader::new(sources, options).all(|item| sender.send(Ok(item)).is_ok());
            if let Err(panic) = catch_unwind(AssertUnwindSafe(all)) {
                // The end must not look like that of the input.
                let _ = sender.send(Err(panic));
            }
        };
        thread::Builder::new().name("yose-reader".to_owned()).spawn(read)?;
        Ok(Reader(Mutex::new(items)))
    }

    fn __iter__(slf: Py<Reader>) -> Py<Reader> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        loop {
            // An item that is ready costs no change of threads.
            let ready = self.0.try_lock().ok().and_then(|items| items.try_recv().ok());
            // The lock is free again before the GIL is taken, so no thread waits for both.
            let item = ready.map_or_else(|| py.detach(|| self.wait()), Ok);
            match item {
                Ok(Ok(item)) => return object(py, item).map(Some),
                Ok(Err(panic)) => return Err(panic_error(&*panic)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }
}

impl Reader {
    /// Waits for an item, at most for a [`TICK`].
    fn wait(&self) -> Result<thread::Result<Item>, RecvTimeoutError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK)
    }
}

/// The Python object of an item.
fn object(py: Python<'_>, item: Item) -> PyResult<Py<PyAny>> {
    let exception = |error: PyErr| error.into_value(py).into_any();
    Ok(match item {
        Item::Entry(entry) => match entry.problem {
            Ok(problem) => {
                let score = problem.claimed_score().map(|score| score.discs());
                (entry.id, Position(problem.diagram), score).into_pyobject(py)?.into_any().unbind()
            }
            Err(error) => exception(PyValueError::new_err(error.to_string())),
        },
        Item::Failure(error) => exception(file_error(error)),
        Item::Empty(empty) => exception(PyUserWarning::new_err(empty.to_string())),
        Item::MissingPositions(missing) => exception(PyUserWarning::new_err(missing.to_string())),
    })
}

/// The exception for a file that cannot be read: an `OSError` of the system, else a `ValueError`.
fn file_error(error: FileError) -> PyErr {
    let system = |error: std::io::Error, file: String| match error.raw_os_error() {
        // With these three arguments Python chooses the subclass, such as `FileNotFoundError`.
        Some(number) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, text, file))
        }
        None => PyOSError::new_err(format!("{file}: {error}")),
    };
    match error {
        FileError::Open { file, error } => system(error, file),
        FileError::Read { location, error } => system(error, location.to_string()),
        error @ FileError::Directory { .. } => PyIsADirectoryError::new_err(error.to_string()),
        error => PyValueError::new_err(error.to_string()),
    }
}
