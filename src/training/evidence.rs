//! The files of records ([`RecordedNode`]) in which the evidence on the order of moves is kept.
//!
//! CSV, so that whatever somebody wants to know of it can be asked with their own tools. A line is
//! a move; the lines of a node follow each other, in the order in which its moves were searched:
//!
//! | column | what it is |
//! |---|---|
//! | `node` | the number of the node in the file, from 1 on |
//! | `board` | its 64 squares and the side to move, for which X is taken |
//! | `empties` | its empty squares |
//! | `alpha` | what was asked of it: is its score above this number of discs? |
//! | `margin` | the static evaluation less alpha, in discs |
//! | `move` | a legal move |
//! | `value` | what the ordering gives the move: the higher, the earlier |
//! | `hash_move` | whether the node's table entry had it as a hash move |
//! | `fails_high` | whether it shows that the score is above alpha |
//! | `nodes` | the nodes that it took to tell |
//!
//! Every build reads these files; one with the feature `record` makes them.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::eval::{Evaluation, Features, UNIT};
use crate::othello::{Colour, Diagram, Position, Square};
use crate::search::{RecordedMove, RecordedNode};

/// The columns, in their order.
pub const COLUMNS: [&str; 10] = [
    "node",
    "board",
    "empties",
    "alpha",
    "margin",
    "move",
    "value",
    "hash_move",
    "fails_high",
    "nodes",
];

/// A record, and what the evaluation makes of its position.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// The record.
    pub record: RecordedNode,
    /// The evaluation's value of the position for the side to move, less alpha: in discs, with one
    /// decimal.
    pub margin: f64,
}

impl Evidence {
    /// A record with the margin by this evaluation.
    pub fn new(record: RecordedNode, evaluation: &Evaluation) -> Evidence {
        let position = &record.position;
        let value = evaluation.value(&Features::of(position), position.empties().count());
        let tenths = f64::from(10 * (value - i32::from(record.alpha) * UNIT)) / f64::from(UNIT);
        // Half a tenth below nothing is nothing, without a sign.
        Evidence { record, margin: tenths.round() / 10.0 + 0.0 }
    }
}

/// Why a file of records cannot be used.
#[derive(Debug, Error)]
#[error("{file}:{line}: {what}")]
pub struct EvidenceError {
    /// The name of the file.
    pub file: String,
    /// The line, from 1 on.
    pub line: u64,
    /// What is wrong there, with the column where it is one.
    pub what: String,
}

/// A line of a file.
#[derive(Serialize, Deserialize)]
struct Row {
    node: u64,
    board: String,
    empties: u32,
    alpha: i8,
    margin: f64,
    #[serde(rename = "move")]
    square: String,
    value: i32,
    hash_move: bool,
    fails_high: bool,
    nodes: u64,
}

/// Writes a file of records.
#[derive(Debug)]
pub struct Writer<W: Write> {
    csv: csv::Writer<W>,
    /// The number of the last node.
    node: u64,
}

impl<W: Write> Writer<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(inner: W) -> io::Result<Writer<W>> {
        let mut csv = csv::WriterBuilder::new().has_headers(false).from_writer(inner);
        csv.write_record(COLUMNS)?;
        Ok(Writer { csv, node: 0 })
    }

    /// Writes the moves of a node.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, Evidence { record, margin }: &Evidence) -> io::Result<()> {
        self.node += 1;
        let RecordedNode { position, alpha, moves } = record;
        let board = Diagram { position: *position, to_move: Colour::Black }.to_string();
        for &RecordedMove { square, value, is_hash_move: hash_move, fails_high, nodes } in moves {
            self.csv.serialize(Row {
                node: self.node,
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

    /// Ends the file, and gives back what it was written to.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.csv.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// A line that is sound by itself.
#[derive(Debug)]
struct Line {
    number: u64,
    node: u64,
    position: Position,
    alpha: i8,
    margin: f64,
    tried: RecordedMove,
}

/// Reads a file of records, a node at a time. After an error there is no more.
#[derive(Debug)]
pub struct Reader<R> {
    csv: csv::Reader<R>,
    file: String,
    /// The first line of the next node, as it was read to see where the last one ends.
    next: Option<Line>,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Begins to read a file; its name is for errors.
    ///
    /// # Errors
    /// If it does not begin as a file of records does.
    pub fn new(inner: R, file: &str) -> Result<Reader<R>, EvidenceError> {
        let csv = csv::Reader::from_reader(inner);
        let mut reader = Reader { csv, file: file.to_owned(), next: None, ended: false };
        let begins = reader.csv.headers().is_ok_and(|heads| heads.iter().eq(COLUMNS));
        if begins {
            Ok(reader)
        } else {
            Err(reader.error(1, "this is no file of records; `yose train record` makes one"))
        }
    }

    fn error(&self, line: u64, what: impl Into<String>) -> EvidenceError {
        EvidenceError { file: self.file.clone(), line, what: what.into() }
    }

    /// What is wrong with a line for the CSV reader.
    fn csv_error(&self, error: &csv::Error, line: u64) -> EvidenceError {
        let what = match error.kind() {
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
        self.error(error.position().map_or(line, csv::Position::line), what)
    }

    /// The next line; none at the end of the file.
    fn line(&mut self) -> Result<Option<Line>, EvidenceError> {
        let mut record = csv::StringRecord::new();
        let at = self.csv.position().line();
        if !self.csv.read_record(&mut record).map_err(|error| self.csv_error(&error, at))? {
            return Ok(None);
        }
        let number = record.position().map_or(at, csv::Position::line);
        let row: Row = record.deserialize(None).map_err(|error| self.csv_error(&error, number))?;
        let wrong = |column: &str, what: &str| self.error(number, format!("{column}: {what}"));
        let diagram: Diagram =
            row.board.parse().map_err(|error| wrong("board", &format!("{error}")))?;
        let position = diagram.position;
        let square: Square =
            row.square.parse().map_err(|error| wrong("move", &format!("{error}")))?;
        if row.empties != position.empties().count() {
            return Err(wrong("empties", &format!("the board has {}", position.empties().count())));
        }
        if !(-65..64).contains(&row.alpha) {
            return Err(wrong("alpha", "from -65 to 63 discs is right"));
        }
        if !row.margin.is_finite() {
            return Err(wrong("margin", "this is no number of discs"));
        }
        if !position.moves().contains(square) {
            return Err(wrong("move", &format!("{square} is not legal")));
        }
        if row.nodes == 0 {
            return Err(wrong("nodes", "a move takes at least one"));
        }
        let Row { node, alpha, margin, value, hash_move, fails_high, nodes, .. } = row;
        let tried = RecordedMove { square, value, is_hash_move: hash_move, fails_high, nodes };
        Ok(Some(Line { number, node, position, alpha, margin, tried }))
    }

    /// The next node; none at the end of the file.
    fn evidence(&mut self) -> Result<Option<Evidence>, EvidenceError> {
        let first = match self.next.take() {
            Some(line) => line,
            None => match self.line()? {
                Some(line) => line,
                None => return Ok(None),
            },
        };
        let Line { node, position, alpha, margin, .. } = first;
        let mut moves = vec![first.tried];
        // Where each move stands.
        let mut lines = BTreeMap::from([(first.tried.square, first.number)]);
        let mut last = first.number;
        while let Some(line) = self.line()? {
            if line.node != node {
                self.next = Some(line);
                break;
            }
            if (line.position, line.alpha, line.margin) != (position, alpha, margin) {
                let what = format!(
                    "node {node} has another board, alpha or margin at line {}",
                    first.number
                );
                return Err(self.error(line.number, what));
            }
            if let Some(other) = lines.insert(line.tried.square, line.number) {
                let what =
                    format!("move: {} of node {node} is at line {other} too", line.tried.square);
                return Err(self.error(line.number, what));
            }
            last = line.number;
            moves.push(line.tried);
        }
        let all = position.moves().count() as usize;
        if moves.len() < all {
            return Err(self.error(
                last,
                format!("node {node} ends here with {} of its {all} moves", moves.len()),
            ));
        }
        Ok(Some(Evidence { record: RecordedNode { position, alpha, moves }, margin }))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Evidence, EvidenceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let evidence = self.evidence().transpose();
        self.ended = !matches!(evidence, Some(Ok(_)));
        evidence
    }
}

#[cfg(feature = "record")]
pub use recording::{Recorded, record};

#[cfg(feature = "record")]
mod recording {
    use std::ops::ControlFlow;

    use super::Evidence;
    use crate::othello::Position;
    use crate::search::{Config, Searcher};
    use crate::table::TableError;
    use crate::training::nodes::Means;
    use crate::training::work::in_order;

    /// What solving a position gave.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Recorded {
        /// The recorded nodes, as they were met.
        pub evidence: Vec<Evidence>,
        /// All nodes that were searched, for records or not.
        pub nodes: u64,
    }

    /// Solves the positions, each by one thread with cleared tables, and records about one in
    /// `one_in[empties]` of the nodes that try their moves ([`Searcher::record`]). `take` is handed
    /// what each position gave, in their order, and ends the work when it breaks.
    ///
    /// # Errors
    /// If there is no memory for the tables.
    pub fn record(
        positions: &[Position],
        one_in: &[u64; 65],
        means: &Means,
        take: impl FnMut(usize, Recorded) -> ControlFlow<()>,
    ) -> Result<(), TableError> {
        let Means { evaluation, table_bytes, threads } = means;
        let config = || Config {
            table_bytes: *table_bytes,
            evaluation: evaluation.clone(),
            ..Config::default()
        };
        let solvers =
            (0..threads.get()).map(|_| Searcher::new(config())).collect::<Result<_, _>>()?;
        let work = |solver: &mut Searcher, number: usize| {
            solver.clear();
            let recording = solver.record(&positions[number], one_in);
            let evidence =
                recording.records.into_iter().map(|record| Evidence::new(record, evaluation));
            Recorded { evidence: evidence.collect(), nodes: recording.nodes }
        };
        in_order(positions.len(), solvers, work, take);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of the game and the position after its first move: four moves and three.
    fn evidence() -> Vec<Evidence> {
        let start = Position::START;
        let next = start.play(start.moves().first().expect("a move")).expect("legal");
        let of = |position: Position, alpha: i8, margin| {
            let tried = |(nodes, square)| RecordedMove {
                square,
                value: 1000 - 700 * nodes as i32,
                is_hash_move: nodes == 2,
                fails_high: nodes >= 2,
                nodes,
            };
            Evidence {
                record: RecordedNode {
                    position,
                    alpha,
                    moves: (1..).zip(position.moves()).map(tried).collect(),
                },
                margin,
            }
        };
        vec![of(start, -65, 0.5), of(next, 63, -60.1)]
    }

    fn text() -> String {
        let mut writer = Writer::new(Vec::new()).expect("a vector takes all");
        evidence().iter().for_each(|evidence| writer.write(evidence).expect("a vector takes all"));
        String::from_utf8(writer.finish().expect("a vector takes all")).expect("text")
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 4 + 3);
        assert_eq!(lines[0], COLUMNS.join(","));
        let start = Diagram::START;
        assert_eq!(lines[2], format!("1,{start},60,-65,0.5,c4,-400,true,true,2"));
        let read: Vec<Evidence> = Reader::new(text.as_bytes(), "file")
            .expect("the head")
            .collect::<Result<_, _>>()
            .expect("sound lines");
        assert_eq!(read, evidence());
    }

    #[test]
    fn wrong_lines_are_told() {
        let text = text();
        let read = |text: &str| -> String {
            let first = |reader: Reader<&[u8]>| reader.collect::<Result<Vec<_>, _>>();
            Reader::new(text.as_bytes(), "file").and_then(first).expect_err(text).to_string()
        };
        for (line, old, new, message) in [
            (
                1,
                "node,board",
                "board,node",
                "this is no file of records; `yose train record` makes one",
            ),
            (2, "60,-65", "60,-66", "alpha: from -65 to 63 discs is right"),
            (2, "60,-65", "59,-65", "empties: the board has 60"),
            (3, "c4", "c5", "move: c5 is not legal"),
            (3, "c4", "x9", "move: "),
            (3, "c4", "d3", "move: d3 of node 1 is at line 2 too"),
            (3, ",2", "", "9 columns instead of 10"),
            (3, "-400", "many", "value: "),
            (3, "true,2", "perhaps,2", "fails_high: "),
            (4, "0.5", "0.6", "node 1 has another board, alpha or margin at line 2"),
            (4, "0.5", "NaN", "margin: this is no number of discs"),
            (5, "OX-", "OX?", "board: "),
            (5, ",4", ",-4", "nodes: "),
            (5, ",4", ",0", "nodes: a move takes at least one"),
            (5, "1,---", "2,---", "node 1 ends here with 3 of its 4 moves"),
        ] {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let wrong = &mut lines[line - 1];
            let at = wrong.rfind(old).expect("the line has it");
            wrong.replace_range(at..at + old.len(), new);
            // A node that ends early is told at its last line.
            let line = if message.contains("ends here") { line - 1 } else { line };
            let error = read(&lines.join("\n"));
            assert!(error.starts_with(&format!("file:{line}: {message}")), "{error}");
        }
        let torn = text.lines().take(7).collect::<Vec<_>>().join("\n");
        assert_eq!(read(&torn), "file:7: node 2 ends here with 2 of its 3 moves");
        assert!(read("").starts_with("file:1: this is no file of records"));
    }

    #[test]
    fn margins_are_in_discs_above_alpha() {
        let position = Position::START;
        let evaluation = Evaluation::embedded();
        let value = f64::from(evaluation.value(&Features::of(&position), 60)) / f64::from(UNIT);
        let margin = |alpha| {
            Evidence::new(RecordedNode { position, alpha, moves: Vec::new() }, &evaluation).margin
        };
        assert!((margin(-9) - (value + 9.0)).abs() <= 0.05 + 1e-9);
        assert!((margin(9) - (value - 9.0)).abs() <= 0.05 + 1e-9);
        assert_eq!(margin(9).to_string().split('.').nth(1).map_or(0, str::len), 1);
    }
}
