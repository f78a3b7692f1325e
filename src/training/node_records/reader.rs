//! Reads files of node records, and checks every line.

use std::collections::BTreeMap;
use std::io::Read;

use thiserror::Error;

use super::{COLUMNS, NodeRecord, Row};
use crate::othello::{Diagram, Position, Square};
use crate::search::{RecordedMove, RecordedNode};

/// Why a file of node records cannot be used.
#[derive(Debug, Error)]
#[error("{file}:{line}: {message}")]
pub struct NodeRecordError {
    /// The name of the file.
    pub file: String,
    /// The number of the line, from 1 on.
    pub line: u64,
    /// What is wrong, with the name of the column where one is wrong.
    pub message: String,
}

/// A line whose columns are valid.
#[derive(Debug)]
struct Line {
    number: u64,
    node: u64,
    position: Position,
    alpha: i8,
    margin: f64,
    recorded: RecordedMove,
}

/// Reads a file, a node at a time. After an error the iterator ends.
#[derive(Debug)]
pub struct Reader<R> {
    csv: csv::Reader<R>,
    file: String,
    /// The first line of the next node. It was read to find the end of the last node.
    next: Option<Line>,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Reads the names of the columns. `file` is the name of the file in error messages.
    ///
    /// # Errors
    /// If the columns are others.
    pub fn new(inner: R, file: &str) -> Result<Reader<R>, NodeRecordError> {
        let csv = csv::Reader::from_reader(inner);
        let mut reader = Reader { csv, file: file.to_owned(), next: None, ended: false };
        if reader.csv.headers().is_ok_and(|columns| columns.iter().eq(COLUMNS)) {
            Ok(reader)
        } else {
            Err(reader.error(1, "this is no file of records; `yose train record` makes one"))
        }
    }

    fn error(&self, line: u64, message: impl Into<String>) -> NodeRecordError {
        NodeRecordError { file: self.file.clone(), line, message: message.into() }
    }

    /// The error for a line that the CSV reader refuses.
    fn csv_error(&self, error: &csv::Error, line: u64) -> NodeRecordError {
        let message = match error.kind() {
            csv::ErrorKind::Deserialize { err, .. } => {
                let column =
                    err.field().and_then(|field| COLUMNS.get(usize::try_from(field).ok()?));
                column.map_or_else(|| err.to_string(), |column| format!("{column}: {}", err.kind()))
            }
            csv::ErrorKind::UnequalLengths { len, .. } => {
                format!("{len} columns instead of {}", COLUMNS.len())
            }
            _ => error.to_string(),
        };
        self.error(error.position().map_or(line, csv::Position::line), message)
    }

    /// Reads the next line; `None` at the end of the file.
    fn read_line(&mut self) -> Result<Option<Line>, NodeRecordError> {
        let mut record = csv::StringRecord::new();
        let at = self.csv.position().line();
        if !self.csv.read_record(&mut record).map_err(|error| self.csv_error(&error, at))? {
            return Ok(None);
        }
        let number = record.position().map_or(at, csv::Position::line);
        let row: Row = record.deserialize(None).map_err(|error| self.csv_error(&error, number))?;
        let line = validate(row, number);
        line.map(Some)
            .map_err(|(column, message)| self.error(number, format!("{column}: {message}")))
    }

    /// Reads the lines of the next node; `None` at the end of the file.
    fn read_node(&mut self) -> Result<Option<NodeRecord>, NodeRecordError> {
        let first = match self.next.take() {
            Some(line) => line,
            None => match self.read_line()? {
                Some(line) => line,
                None => return Ok(None),
            },
        };
        let Line { node, position, alpha, margin, .. } = first;
        let mut moves = vec![first.recorded];
        // The line number of each move.
        let mut lines = BTreeMap::from([(first.recorded.square, first.number)]);
        let mut last = first.number;
        while let Some(line) = self.read_line()? {
            if line.node != node {
                self.next = Some(line);
                break;
            }
            if (line.position, line.alpha, line.margin) != (position, alpha, margin) {
                let message = format!(
                    "node {node} has another board, alpha or margin at line {}",
                    first.number
                );
                return Err(self.error(line.number, message));
            }
            let square = line.recorded.square;
            if let Some(other) = lines.insert(square, line.number) {
                let message = format!("move: {square} of node {node} is at line {other} too");
                return Err(self.error(line.number, message));
            }
            last = line.number;
            moves.push(line.recorded);
        }
        let all = position.moves().count() as usize;
        if moves.len() < all {
            let message = format!("node {node} ends here with {} of its {all} moves", moves.len());
            return Err(self.error(last, message));
        }
        Ok(Some(NodeRecord { node: RecordedNode { position, alpha, moves }, margin }))
    }
}

/// Checks the columns of a line. The error is the name of the wrong column and a message.
fn validate(row: Row, number: u64) -> Result<Line, (&'static str, String)> {
    let diagram: Diagram = row.board.parse().map_err(|error| ("board", format!("{error}")))?;
    let position = diagram.position;
    let square: Square = row.square.parse().map_err(|error| ("move", format!("{error}")))?;
    if row.empties != position.empties().count() {
        return Err(("empties", format!("the board has {}", position.empties().count())));
    }
    if !(-65..64).contains(&row.alpha) {
        return Err(("alpha", "it must be from -65 to 63 discs".to_owned()));
    }
    if !row.margin.is_finite() {
        return Err(("margin", "this is no number of discs".to_owned()));
    }
    if !position.moves().contains(square) {
        return Err(("move", format!("{square} is not legal")));
    }
    if row.nodes == 0 {
        return Err(("nodes", "a move has at least one node".to_owned()));
    }
    let Row { node, alpha, margin, value, hash_move, fails_high, nodes, .. } = row;
    let recorded = RecordedMove { square, value, is_hash_move: hash_move, fails_high, nodes };
    Ok(Line { number, node, position, alpha, margin, recorded })
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<NodeRecord, NodeRecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let record = self.read_node().transpose();
        self.ended = !matches!(record, Some(Ok(_)));
        record
    }
}
