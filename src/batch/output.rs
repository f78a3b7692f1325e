//! What becomes of records: a stream, or a journal.

use std::io::Write;

use super::journal::Place;
use crate::records::output::{Record, Run, Sink, SinkError, Summary};

/// Where the records of a run go. What was taken is safe when it was flushed, and not before.
pub trait Output {
    /// Whether records are wanted in the order of the input, or as they are finished.
    fn in_order(&self) -> bool;

    /// Begins with what stands before the records.
    ///
    /// # Errors
    /// If the output takes no more, as all functions here.
    fn begin(&mut self, run: &Run) -> Result<(), SinkError>;

    /// Takes the record of the entry with this number.
    fn record(&mut self, number: u64, record: &Record);

    /// Notes that the record of the entry with this number is there already.
    fn keep(&mut self, number: u64, place: Place);

    /// Writes what was taken.
    ///
    /// # Errors
    /// If the output takes no more.
    fn flush(&mut self) -> Result<(), SinkError>;

    /// Ends with what stands after the records.
    ///
    /// # Errors
    /// If the output takes no more.
    fn end(&mut self, summary: &Summary) -> Result<(), SinkError>;
}

/// Records that go past: to a terminal, into a pipe, or into a file that is not a journal.
#[derive(Debug)]
pub struct Stream<W> {
    sink: Sink<W>,
    in_order: bool,
}

impl<W: Write> Stream<W> {
    /// A stream of records, in the order of the input or as they are finished.
    pub fn new(sink: Sink<W>, in_order: bool) -> Stream<W> {
        Stream { sink, in_order }
    }
}

impl<W: Write> Output for Stream<W> {
    fn in_order(&self) -> bool {
        self.in_order
    }

    fn begin(&mut self, run: &Run) -> Result<(), SinkError> {
        self.sink.begin(run).map(drop)
    }

    fn record(&mut self, _: u64, record: &Record) {
        self.sink.record(record);
    }

    fn keep(&mut self, _: u64, _: Place) {
        unreachable!("only a journal has records of an earlier run");
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.sink.flush()
    }

    fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        self.sink.end(summary)
    }
}
