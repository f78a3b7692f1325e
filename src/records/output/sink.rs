//! Where records go: each is written whole and flushed when it is finished.

use std::fmt;
use std::io::{self, Write};

use thiserror::Error;

use super::{Record, Run, Summary, Writer};

/// Why no more records can be written. `written` counts the records that went out before.
#[derive(Debug, Error)]
pub enum SinkError {
    /// The reader at the other end of a pipe is gone.
    #[error("the output was closed after {written} {}; the rest was not solved", results(*.written))]
    Closed {
        /// Records written.
        written: u64,
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
pub struct Sink {
    writer: Box<dyn Writer>,
    output: Box<dyn Write>,
    buffer: Vec<u8>,
    written: u64,
}

impl Sink {
    /// A sink that writes `writer`'s format to `output`.
    pub fn new(writer: Box<dyn Writer>, output: Box<dyn Write>) -> Sink {
        Sink { writer, output, buffer: Vec::new(), written: 0 }
    }

    /// Writes what stands before the records.
    ///
    /// # Errors
    /// If the output takes no more, as all functions here.
    pub fn begin(&mut self, run: &Run) -> Result<(), SinkError> {
        self.writer.begin(run, &mut self.buffer);
        self.flush()
    }

    /// Writes one record.
    ///
    /// # Errors
    /// If the output takes no more.
    pub fn record(&mut self, record: &Record) -> Result<(), SinkError> {
        self.writer.record(record, &mut self.buffer);
        self.flush()?;
        self.written += 1;
        Ok(())
    }

    /// Writes what stands after the records.
    ///
    /// # Errors
    /// If the output takes no more.
    pub fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        self.writer.end(summary, &mut self.buffer);
        self.flush()
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        let result = self.output.write_all(&self.buffer).and_then(|()| self.output.flush());
        self.buffer.clear();
        result.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => SinkError::Closed { written: self.written },
            _ => SinkError::Write { written: self.written, error },
        })
    }
}

impl fmt::Debug for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink").field("writer", &self.writer).field("written", &self.written).finish_non_exhaustive()
    }
}
