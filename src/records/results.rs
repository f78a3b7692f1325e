//! The records of an earlier run, read back to resume it or to merge its parts.
//!
//! Only files that Yose wrote are read: CSV with its header, and JSON Lines. [`csv`] and [`jsonl`]
//! split a line into the cells of a [`Row`], which is checked as a row of the input is. This module
//! adds what an input may lack: an identifier, a status, both bounds, nodes and seconds.
//!
//! A record does not contain a line break, because identifiers do not contain control characters.
//! A last line without a line break is torn. It is not a record.

use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;

use super::columns::{Cell, CsvHeader, split};
use super::error::LineError;
use super::output::{NoteColumns, ResultFormat, Status, Wld, column_names, jsonl::SCHEMA};
use super::row::Row;
use super::text::shortened;
use super::{csv, jsonl};
use crate::othello::{Diagram, Move};
use crate::search::{Bounds, Window};

/// The first line of a file of records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ResultHeader {
    /// The columns of CSV; `None`: the file is JSON Lines.
    columns: Option<CsvHeader>,
    /// The notes that the records have.
    notes: NoteColumns,
    /// Whether the records have the score of every move.
    all_moves: bool,
}

/// A line after the first.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ResultLine {
    /// A record.
    Record(Box<StoredRecord>),
    /// The options of a run, as in the first line. A file may have them again after a merge.
    Run,
    /// The summary, which is the last line of a complete JSON Lines file.
    Summary,
}

/// A record that was written before.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StoredRecord {
    /// Its identifier.
    pub id: String,
    /// The position; `None` if the input line was invalid.
    pub diagram: Option<Diagram>,
    /// The kind of result.
    pub status: Status,
    /// The proven bounds of the score, for the side to move.
    pub bounds: Bounds,
    /// The proven bounds after each move, if the run had `all_moves`.
    pub moves: Vec<(Move, Bounds)>,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The duration of the search in seconds.
    pub seconds: f64,
}

impl ResultHeader {
    /// Reads the first line of a file.
    ///
    /// # Errors
    /// A description of the fault, if Yose did not write the line.
    pub fn read(line: &str) -> Result<ResultHeader, String> {
        #[derive(Deserialize)]
        struct RunJson {
            #[serde(rename = "type")]
            kind: String,
            schema: u32,
            all_moves: bool,
            #[serde(default)]
            game_columns: bool,
            #[serde(default)]
            comments: bool,
        }

        let columns = Some(CsvHeader::read(line));
        for bits in 0..8 {
            let notes = NoteColumns { game: bits & 1 != 0, comment: bits & 2 != 0 };
            let all_moves = bits & 4 != 0;
            if line == column_names(notes, all_moves).join(",") {
                return Ok(ResultHeader { columns, notes, all_moves });
            }
        }
        match serde_json::from_str::<RunJson>(line) {
            Ok(run) if run.kind == "run" && run.schema == SCHEMA => Ok(ResultHeader {
                columns: None,
                notes: NoteColumns { game: run.game_columns, comment: run.comments },
                all_moves: run.all_moves,
            }),
            Ok(run) if run.kind == "run" => {
                Err(format!("is of schema {}, which this version does not read", run.schema))
            }
            _ => Err("does not begin as a file of results does".to_owned()),
        }
    }

    /// The format of the file.
    pub fn format(&self) -> ResultFormat {
        if self.columns.is_some() { ResultFormat::Csv } else { ResultFormat::JsonLines }
    }

    /// Whether the records have the score of every move.
    pub fn all_moves(&self) -> bool {
        self.all_moves
    }

    /// The notes that the records have.
    pub fn notes(&self) -> NoteColumns {
        self.notes
    }

    /// Reads a line after the first.
    ///
    /// # Errors
    /// If the line is neither a record nor about the run.
    pub fn read_line(&self, line: &str) -> Result<ResultLine, LineError> {
        let row = match &self.columns {
            Some(header) => csv::parse(header, split(line), line),
            None => {
                let row = jsonl::parse(line);
                match row.kind.as_ref().map(|kind| kind.text.as_str()) {
                    Some("run") => return self.check_run(line).map(|()| ResultLine::Run),
                    Some("summary") => return Ok(ResultLine::Summary),
                    Some("position") => {}
                    _ if row.error.is_some() => {}
                    _ => return Err(fault(0, "has no type of a record")),
                }
                check_moves(&row)?;
                row
            }
        };
        let missing = |name: &str| fault(self.offset_of(name, line), format!("has no {name}"));
        StoredRecord::of_row(row, missing).map(|record| ResultLine::Record(Box::new(record)))
    }

    /// Checks that the line of another run, as a file of several files has them, is as the first.
    fn check_run(&self, line: &str) -> Result<(), LineError> {
        match ResultHeader::read(line) {
            Ok(header) if header == *self => Ok(()),
            Ok(_) => Err(fault(0, "has a run with other columns than the first line")),
            Err(what) => Err(fault(0, what)),
        }
    }

    /// The offset of the empty field in this column; 0 in JSON Lines.
    fn offset_of(&self, column: &str, line: &str) -> usize {
        let columns = self.columns.as_ref().map_or(&[][..], CsvHeader::names);
        let index = columns.iter().position(|name| name == column);
        index.and_then(|index| split(line).get(index).map(|cell| cell.offset)).unwrap_or(0)
    }
}

/// Checks that the moves of JSON Lines have both bounds, which are always written.
fn check_moves(row: &Row) -> Result<(), LineError> {
    for (mv, score) in row.moves.iter().flatten() {
        for (bound, name) in [(&score.lower, "lower"), (&score.upper, "upper")] {
            if bound.is_none() {
                let what = format!("the move {} has no {name}", shortened(&mv.text));
                return Err(fault(mv.offset, what));
            }
        }
    }
    Ok(())
}

/// An error in a line that is not as it was written.
fn fault(offset: usize, what: impl Into<String>) -> LineError {
    LineError::new(offset, what, "a record stays as it was written")
}

impl StoredRecord {
    /// The record of a row. `missing` is the error for an empty cell with this name.
    fn of_row(row: Row, missing: impl Fn(&str) -> LineError) -> Result<StoredRecord, LineError> {
        if let Some(error) = row.error {
            return Err(error);
        }
        let required = |cell: Option<&Cell>, name: &str| cell.cloned().ok_or_else(|| missing(name));
        let status_cell = required(row.status.as_ref(), "status")?;
        let is_named = |status: &Status| status.name() == status_cell.text;
        let status = Status::ALL.into_iter().find(is_named).ok_or_else(|| {
            let what = format!("`{}` is not a status", shortened(&status_cell.text));
            fault(status_cell.offset, what)
        })?;
        let mut record = StoredRecord {
            id: required(row.id.as_ref(), "id")?.text,
            diagram: None,
            status,
            bounds: Bounds::UNKNOWN,
            moves: Vec::new(),
            nodes: 0,
            seconds: 0.0,
        };
        if status == Status::Invalid {
            return Ok(record);
        }
        let diagram = row.diagram(None)?;
        record.diagram = Some(diagram);
        required(row.score.lower.as_ref(), "lower")?;
        required(row.score.upper.as_ref(), "upper")?;
        if let Some((bounds, _)) = row.score.bounds()? {
            record.bounds = bounds;
        }
        if status == Status::Wld && Wld::of(record.bounds).is_none() {
            let what = "has the status `wld`, and is neither a win nor a loss";
            return Err(fault(status_cell.offset, what));
        }
        if (status == Status::Exact) != row.score.score.is_some() && !status.is_cut_short() {
            let what = format!("has the status `{status}`, which does not agree with its score");
            return Err(fault(status_cell.offset, what));
        }
        let moves = row.moves(&diagram).into_iter();
        record.moves = moves
            .map(|read| read.map(|(mv, bounds, _)| (mv, bounds.unwrap_or(Bounds::UNKNOWN))))
            .collect::<Result<_, LineError>>()?;
        record.nodes = number(&required(row.nodes.as_ref(), "nodes")?)?;
        let seconds = required(row.seconds.as_ref(), "seconds")?;
        record.seconds = number(&seconds)?;
        if Duration::try_from_secs_f64(record.seconds).is_err() {
            let what = format!("`{}` is not a number of seconds", shortened(&seconds.text));
            return Err(fault(seconds.offset, what));
        }
        Ok(record)
    }

    /// Whether a run with this `window` can use the record and need not search the position. The
    /// record must be finished, and its score must be exact or lie outside the window. With
    /// `all_moves` the same must hold for every move.
    pub fn answers(&self, window: Window, all_moves: bool) -> bool {
        let known = |bounds: Bounds| {
            bounds.exact().is_some()
                || bounds.lower >= window.beta()
                || bounds.upper <= window.alpha()
        };
        let moves = || match &self.diagram {
            Some(diagram) if !diagram.position.is_over() => !self.moves.is_empty(),
            _ => true,
        };
        matches!(self.status, Status::Exact | Status::Wld | Status::Bounds)
            && known(self.bounds)
            && (!all_moves || moves() && self.moves.iter().all(|&(_, bounds)| known(bounds)))
    }
}

fn number<N: FromStr>(cell: &Cell) -> Result<N, LineError> {
    let what = || format!("`{}` is not a number", shortened(&cell.text));
    cell.text.parse().map_err(|_| fault(cell.offset, what()))
}

#[cfg(test)]
mod tests {
    use super::super::output::{Record, Writer, csv::Csv, jsonl::JsonLines, samples};
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for (writer, format) in [
            (&mut Csv::default() as &mut dyn Writer, ResultFormat::Csv),
            (&mut JsonLines::default(), ResultFormat::JsonLines),
        ] {
            let text = samples::written(writer, true);
            let mut lines = text.lines();
            let header = ResultHeader::read(lines.next().expect("a header")).expect("a header");
            assert_eq!((header.format(), header.all_moves()), (format, true));
            for record in samples::records() {
                let Ok(ResultLine::Record(written)) =
                    header.read_line(lines.next().expect("a record"))
                else {
                    panic!("{text}")
                };
                assert_eq!((&written.id, written.status), (&record.id, record.status()));
                let Record { outcome: Ok(solved), .. } = record else { continue };
                assert_eq!(written.diagram, Some(solved.diagram));
                assert_eq!(written.bounds, solved.solution.bounds);
                assert_eq!(written.moves, solved.solution.moves);
                assert_eq!((written.nodes, written.seconds), (solved.solution.nodes, 1.234_567));
            }
            let last = lines.next().map(|line| header.read_line(line));
            let summary = (format == ResultFormat::JsonLines).then_some(Ok(ResultLine::Summary));
            assert_eq!((last, lines.next()), (summary, None));
        }
    }

    #[test]
    fn notes_do_not_hide_a_result() {
        for text in [
            samples::with_notes(&mut Csv::default()),
            samples::with_notes(&mut JsonLines::default()),
        ] {
            let mut lines = text.lines();
            let header = ResultHeader::read(lines.next().expect("a header")).expect("a header");
            assert_eq!(header.notes(), NoteColumns { game: true, comment: true });
            for record in samples::records() {
                match header.read_line(lines.next().expect("a record")) {
                    Ok(ResultLine::Record(written)) => assert_eq!(written.id, record.id),
                    other => panic!("{other:?} of {text}"),
                }
            }
        }
    }

    #[test]
    fn what_answers_a_question() {
        let (position, window) =
            (samples::POSITION.parse().expect("a position"), Window::WIN_LOSS_DRAW);
        let written = |lower, upper, status| StoredRecord {
            id: String::new(),
            diagram: Some(position),
            status,
            bounds: samples::bounds(lower, upper),
            moves: Vec::new(),
            nodes: 0,
            seconds: 0.0,
        };
        assert!(written(4, 4, Status::Exact).answers(Window::FULL, false));
        assert!(written(2, 64, Status::Bounds).answers(window, false));
        assert!(
            !written(2, 64, Status::Bounds).answers(Window::FULL, false),
            "a narrower question was answered"
        );
        assert!(written(2, 64, Status::Wld).answers(window, false));
        assert!(!written(2, 64, Status::Wld).answers(Window::FULL, false));
        assert!(!written(0, 64, Status::Limit).answers(window, false));
        assert!(!written(4, 4, Status::Exact).answers(Window::FULL, true), "the moves are missing");
        let mut all = written(4, 4, Status::Exact);
        all.moves = vec![(Move::Pass, samples::bounds(-64, -2))];
        assert!(all.answers(window, true) && !all.answers(Window::FULL, true));
    }

    #[test]
    fn what_yose_did_not_write_is_refused() {
        let refused = |text: &str| ResultHeader::read(text).expect_err(text);
        for text in ["", "a,b", "{}", r#"{"type":"run"}"#] {
            assert_eq!(refused(text), "does not begin as a file of results does");
        }
        let later = r#"{"type":"run","schema":99,"all_moves":false}"#;
        assert_eq!(refused(later), "is of schema 99, which this version does not read");

        let header = ResultHeader::read(&column_names(NoteColumns::default(), false).join(","))
            .expect("the header of CSV");
        let refused = |line: &str| {
            let error = header.read_line(line).expect_err(line);
            format!("{} {}", error.offset, error.what)
        };
        let with = |rest: &str| refused(&format!("list:1,{},{rest}", samples::POSITION));
        assert_eq!(refused(""), "0 the row has 0 fields");
        assert_eq!(with("14,exa"), "80 the row has 4 fields");
        assert_eq!(with("14,exact,6,4,4,,,1,0.1,"), "83 the score +6 lies outside its bounds");
        assert_eq!(with("14,exact,6,6,,,,1,0.1,"), "87 has no upper");
        assert_eq!(with("14,exact,6,6,6,,,,0.1,"), "91 has no nodes");
        assert_eq!(with("14,exact,6,6,6,,,1e3,0.1,"), "91 `1e3` is not a number");
        assert_eq!(with("14,perhaps,6,6,6,,,1,0.1,"), "77 `perhaps` is not a status");
        let without = "77 has the status `exact`, which does not agree with its score";
        assert_eq!(with("14,exact,,2,64,,,1,0.1,"), without);
        let result = "77 has the status `wld`, and is neither a win nor a loss";
        assert_eq!(with("14,wld,,-2,64,,,1,0.1,"), result);
        assert_eq!(with("14,wld,,2,64,,,1,0.1,loss"), "95 the bounds do not allow a `loss`");
        assert_eq!(with("14,wld,,2,64,,,1,0.1,won"), "95 `won` is not a result");
        assert_eq!(with("15,exact,6,6,6,,,1,0.1,"), "74 the number of empties is said to be `15`");
        let infinite = "93 `inf` is not a number of seconds";
        assert_eq!(with("14,exact,6,6,6,,,1,inf,"), infinite);

        let header =
            ResultHeader { columns: None, notes: NoteColumns::default(), all_moves: false };
        let refused = |line: &str| {
            let error = header.read_line(line).expect_err(line);
            format!("{} {}", error.offset, error.what)
        };
        assert_eq!(refused(""), "0 EOF while parsing a value");
        assert_eq!(refused("{"), "0 EOF while parsing an object");
        assert_eq!(refused(r#"{"type":"later"}"#), "0 has no type of a record");
        let position = |rest: &str| refused(&format!(r#"{{"type":"position"{rest}}}"#));
        assert_eq!(position(""), "0 has no status");
        assert_eq!(position(r#","status":"exact""#), "0 has no id");
        assert_eq!(position(r#","status":"exact","id":"a""#), "0 the position is missing");
        let text = samples::written(&mut JsonLines::default(), true);
        let line = text.lines().nth(1).expect("a record");
        for name in ["lower", "upper"] {
            // The first is that of the position, the others are those of moves.
            let keys: Vec<usize> =
                line.match_indices(&format!("\"{name}\"")).map(|at| at.0).collect();
            assert!(keys.len() > 1, "{line}");
            for at in keys {
                let error = refused(&(line[..at + 1].to_owned() + "no_" + &line[at + 1..]));
                assert!(error.ends_with(&format!(" has no {name}")), "{error}");
            }
        }
    }
}
