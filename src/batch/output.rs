//! The output of a run: a stream, or a [`Journal`](super::Journal).

use std::io::Write;

use crate::records::output::{Record, Run, Sink, SinkError, Summary};

/// The position of a record in a journal: the offset of its first byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RecordOffset(pub(super) u64);

/// Where the records of a run are written. Only a flush makes them safe. The records are of type
/// `R`, the header is made from an `H`, the footer from an `F`, as in a [`Writer`].
///
/// [`Writer`]: crate::records::output::Writer
pub trait Output<H = Run, R = Record, F = Summary> {
    /// Whether [`Output::record`] must be called in the order of the input.
    fn in_order(&self) -> bool;

    /// Writes the header, before all records.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn begin(&mut self, run: &H) -> Result<(), SinkError>;

    /// Adds the record with this number. Records are numbered from 0 in the order of the input, and
    /// each number comes once.
    fn record(&mut self, number: u64, record: &R);

    /// Keeps the record at `offset`, of an earlier run, as the one with this number.
    ///
    /// # Panics
    /// If the output is not a journal.
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
    fn end(&mut self, summary: &F) -> Result<(), SinkError>;
}

/// An output that cannot be read again: a terminal, a pipe, or a file in a format without a reader.
#[derive(Debug)]
pub struct Stream<W, H = Run, R = Record, F = Summary> {
    sink: Sink<W, H, R, F>,
    in_order: bool,
}

impl<W: Write, H, R, F> Stream<W, H, R, F> {
    /// A stream of records, in the order of the input if `in_order`, else as they are finished.
    pub fn new(sink: Sink<W, H, R, F>, in_order: bool) -> Stream<W, H, R, F> {
        Stream { sink, in_order }
    }
}

impl<W: Write, H, R, F> Output<H, R, F> for Stream<W, H, R, F> {
    fn in_order(&self) -> bool {
        self.in_order
    }

    fn begin(&mut self, run: &H) -> Result<(), SinkError> {
        self.sink.begin(run).map(drop)
    }

    fn record(&mut self, _: u64, record: &R) {
        self.sink.record(record);
    }

    fn keep(&mut self, _: u64, _: RecordOffset) {
        unreachable!("only a journal has records of an earlier run");
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.sink.flush()
    }

    fn end(&mut self, summary: &F) -> Result<(), SinkError> {
        self.sink.end(summary)
    }
}
