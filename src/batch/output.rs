//! The output of a run: a stream, or a [`Journal`](super::Journal).

use std::io::Write;

use crate::records::output::{Record, Run, Sink, SinkError, Summary};

/// The position of a record in a journal: the offset of its first byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RecordOffset(pub(super) u64);

/// Where the records of a run are written. Only a flush makes them safe.
pub trait Output {
    /// Whether [`Output::record`] must be called in the order of the input.
    fn in_order(&self) -> bool;

    /// Writes the header, before all records.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn begin(&mut self, run: &Run) -> Result<(), SinkError>;

    /// Adds the record of the entry with this number.
    fn record(&mut self, number: u64, record: &Record);

    /// Keeps the record at `offset`, of an earlier run, as that of the entry with this number.
    fn keep(&mut self, number: u64, offset: RecordOffset);

    /// Writes the records that were added.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn flush(&mut self) -> Result<(), SinkError>;

    /// Writes the footer, after all records.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn end(&mut self, summary: &Summary) -> Result<(), SinkError>;
}

/// An output that cannot be read again: a terminal, a pipe, or a file in a format without a reader.
#[derive(Debug)]
pub struct Stream<W> {
    sink: Sink<W>,
    in_order: bool,
}

impl<W: Write> Stream<W> {
    /// A stream of records, in the order of the input if `in_order`, else as they are finished.
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

    fn keep(&mut self, _: u64, _: RecordOffset) {
        unreachable!("only a journal has records of an earlier run");
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.sink.flush()
    }

    fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        self.sink.end(summary)
    }
}
