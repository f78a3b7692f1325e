//! Writes files of node records.

use std::io::{self, Write};

use super::{COLUMNS, NodeRecord, Row};
use crate::othello::{Colour, Diagram};
use crate::search::{RecordedMove, RecordedNode};

/// Writes a file of node records.
#[derive(Debug)]
pub struct Writer<W: Write> {
    csv: csv::Writer<W>,
    /// The number of nodes that were written.
    nodes: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the names of the columns.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn new(inner: W) -> io::Result<Writer<W>> {
        let mut csv = csv::WriterBuilder::new().has_headers(false).from_writer(inner);
        csv.write_record(COLUMNS)?;
        Ok(Writer { csv, nodes: 0 })
    }

    /// Writes the moves of a node.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, NodeRecord { node, margin }: &NodeRecord) -> io::Result<()> {
        self.nodes += 1;
        let RecordedNode { position, alpha, moves } = node;
        let board = Diagram { position: *position, to_move: Colour::Black }.to_string();
        for &RecordedMove { square, value, is_hash_move: hash_move, fails_high, nodes } in moves {
            self.csv.serialize(Row {
                node: self.nodes,
                board: board.clone(),
                empties: position.empties().count(),
                alpha: *alpha,
                margin: *margin,
                square: square.to_string(),
                value,
                hash_move,
                fails_high,
                nodes,
            })?;
        }
        Ok(())
    }

    /// Flushes the file and returns the inner writer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.csv.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}
