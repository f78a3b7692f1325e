//! The stream to which records are written, in one format.
//!
//! A record is *written* when [`Sink::flush`] has passed it to the system. The caller decides what
//! is flushed together: one record that took long, or thousands that are finished at the same time.

use std::fmt;
use std::io::{self, Write};

use thiserror::Error;

use super::{Record, Run, Summary, Writer};

/// Why no more records can be written. `written` is the number of records that were written.
#[derive(Debug, Error)]
pub enum SinkError {
    /// The reader of a pipe has closed it.
    #[error(
        "the output was closed after {written} {}; the rest was not solved",
        results(*.written)
    )]
    Closed {
        /// Records written.
        written: u64,
    },
    /// All records are written, but putting them into the order of the input failed.
    #[error("the results are complete, but not in the order of the input: {error}")]
    Order {
        /// The system's reason.
        error: io::Error,
    },
    /// Writing failed.
    #[error("the output cannot be written after {written} {}: {error}", results(*.written))]
    Write {
        /// Records written.
        written: u64,
        /// The system's reason.
        error: io::Error,
    },
}

fn results(count: u64) -> &'static str {
    if count == 1 { "result" } else { "results" }
}

/// A stream of records in one format.
pub struct Sink<W, H = Run, R = Record, F = Summary> {
    writer: Box<dyn Writer<H, R, F>>,
    output: W,
    /// The text that is not written yet.
    buffer: Vec<u8>,
    /// The number of records in it.
    waiting: u64,
    written: u64,
}

impl<W: Write, H, R, F> Sink<W, H, R, F> {
    /// A sink that writes `writer`'s format to `output`.
    pub fn new(writer: Box<dyn Writer<H, R, F>>, output: W) -> Sink<W, H, R, F> {
        Sink { writer, output, buffer: Vec::new(), waiting: 0, written: 0 }
    }

    /// Writes the text before the records. Returns its length in bytes.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn begin(&mut self, run: &H) -> Result<u64, SinkError> {
        self.writer.begin(run, &mut self.buffer);
        let length = self.buffer.len() as u64;
        self.flush()?;
        Ok(length)
    }

    /// Adds a record, which the next flush writes. Returns its length in bytes.
    pub fn record(&mut self, record: &R) -> u64 {
        let before = self.buffer.len();
        self.writer.record(record, &mut self.buffer);
        self.waiting += 1;
        (self.buffer.len() - before) as u64
    }

    /// Writes the text after the records.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn end(&mut self, summary: &F) -> Result<(), SinkError> {
        self.flush()?;
        self.writer.end(summary, &mut self.buffer);
        self.flush()
    }

    /// Writes the records that were added.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn flush(&mut self) -> Result<(), SinkError> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let result = self.output.write_all(&self.buffer).and_then(|()| self.output.flush());
        self.buffer.clear();
        let waiting = std::mem::take(&mut self.waiting);
        match result {
            Ok(()) => {
                self.written += waiting;
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                Err(SinkError::Closed { written: self.written })
            }
            Err(error) => Err(SinkError::Write { written: self.written, error }),
        }
    }

    /// The output. Records that are not flushed are not in it yet.
    pub fn output(&mut self) -> &mut W {
        &mut self.output
    }
}

impl<W, H, R, F> fmt::Debug for Sink<W, H, R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink")
            .field("writer", &self.writer)
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}
