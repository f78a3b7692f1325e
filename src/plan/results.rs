//! The results of a task: the lines of its records, checked against its rows.
//!
//! Results are CSV, as `yose solve` writes it, with the identifiers of the rows. A record counts if
//! its row has the same position and if it answers what the plan asks. So results of another plan,
//! of a damaged file or of an interrupted search never get into a row.

use std::fs;
use std::io;
use std::path::Path;

use super::PlanError;
use super::make::row_prefix;
use super::manifest::Manifest;
use crate::othello::{Colour, Diagram, Move, Position};
use crate::records::output::{NoteColumns, ResultFormat, column_names};
use crate::records::results::{ResultHeader, ResultLine, StoredRecord};
use crate::records::split;
use crate::search::{Bounds, Window};

/// The columns of the best move and of the principal variation.
const BEST_MOVE: usize = 7;
const PV: usize = 8;

/// The rows of a task: canonical positions, with Black to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Rows {
    /// The beginning of the identifiers.
    prefix: String,
    positions: Vec<Position>,
}

impl Rows {
    /// Reads the file of a task.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str, plan: &str, task: u64) -> Result<Rows, String> {
        let prefix = row_prefix(plan, task);
        let mut rows = Rows { prefix, positions: Vec::new() };
        let mut lines = text.split_inclusive('\n');
        if lines.next() != Some("id,position\n") {
            return Err("it does not begin as a task of a plan does".to_owned());
        }
        for (line, number) in lines.zip(1..) {
            let row = line.strip_suffix('\n').and_then(|line| line.split_once(','));
            let (id, position) = row.ok_or_else(|| format!("line {} is torn", number + 1))?;
            if rows.number(id) != Some(number - 1) {
                return Err(format!(
                    "line {} is not of task {task} of the plan {plan}",
                    number + 1
                ));
            }
            let diagram: Diagram = position
                .parse()
                .map_err(|error| format!("line {} has no position ({error})", number + 1))?;
            rows.positions.push(diagram.position);
        }
        if rows.positions.is_empty() {
            return Err("it has no position".to_owned());
        }
        Ok(rows)
    }

    pub fn len(&self) -> usize {
        self.positions.len()
    }

    pub fn diagram(&self, row: usize) -> Diagram {
        Diagram { position: self.positions[row], to_move: Colour::Black }
    }

    pub fn id(&self, row: usize) -> String {
        format!("{}{}", self.prefix, row + 1)
    }

    /// The number of the row with an identifier. It may be too large. `None` if the identifier is
    /// of another task.
    pub fn number(&self, id: &str) -> Option<usize> {
        id.strip_prefix(&self.prefix)?.parse::<usize>().ok()?.checked_sub(1)
    }
}

/// What a file of results has that does not belong into it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Faults {
    /// The last line ends without a line break, or the header does.
    pub torn: bool,
    /// Records of another plan, or of another task.
    pub foreign: u64,
    /// Lines that are no records, or records that are not of the position of their row.
    pub damaged: u64,
    /// Records whose bounds exclude those of another record of the row. Rows count from 0.
    pub contradictions: Vec<(usize, Bounds, Bounds)>,
}

/// The line of a record, and its bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    pub line: Box<str>,
    pub bounds: Bounds,
}

/// The records of a task so far.
#[derive(Debug)]
pub(super) struct Results<'a> {
    rows: &'a Rows,
    window: Window,
    all_moves: bool,
    answers: Vec<Option<Answer>>,
    answered: usize,
}

impl<'a> Results<'a> {
    pub fn new(rows: &'a Rows, manifest: &Manifest) -> Results<'a> {
        let (window, all_moves) = (manifest.window(), manifest.all_moves);
        let answers = vec![None; rows.len()];
        Results { rows, window, all_moves, answers, answered: 0 }
    }

    /// The header of the file.
    pub fn header(all_moves: bool) -> String {
        column_names(NoteColumns::default(), all_moves).join(",") + "\n"
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn id(&self, row: usize) -> String {
        self.rows.id(row)
    }

    pub fn position(&self, row: usize) -> Position {
        self.rows.positions[row]
    }

    pub fn answered(&self) -> usize {
        self.answered
    }

    pub fn is_complete(&self) -> bool {
        self.answered == self.answers.len()
    }

    pub fn answer(&self, row: usize) -> Option<&Answer> {
        self.answers[row].as_ref()
    }

    /// The rows without a record.
    pub fn missing(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.answers.len()).filter(|&row| self.answers[row].is_none())
    }

    /// Adds a record with its line. The first record of a row is kept.
    pub fn add(&mut self, row: usize, line: &str, bounds: Bounds) {
        let answer = &mut self.answers[row];
        if answer.is_none() {
            *answer = Some(Answer { line: line.into(), bounds });
            self.answered += 1;
        }
    }

    /// Adds the records of a file.
    ///
    /// # Errors
    /// If it cannot be read. A file that another process has removed is empty.
    pub fn add_file(&mut self, path: &Path) -> Result<Faults, PlanError> {
        match fs::read(path) {
            Ok(bytes) => Ok(self.add_text(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Faults::default()),
            Err(error) => Err(PlanError::read(path, error)),
        }
    }

    /// Adds the records of the content of a file.
    pub fn add_text(&mut self, bytes: &[u8]) -> Faults {
        let mut faults = Faults::default();
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
        let Some(first) = lines.next() else { return faults };
        if !first.ends_with(b"\n") {
            faults.torn = true;
            return faults;
        }
        let header = str::from_utf8(first).ok().map(|line| ResultHeader::read(line.trim_end()));
        let header = match header {
            Some(Ok(header)) if header.format() == ResultFormat::Csv => header,
            _ => {
                faults.damaged = lines.count() as u64 + 1;
                return faults;
            }
        };
        for line in lines {
            if !line.ends_with(b"\n") {
                faults.torn = true;
                continue;
            }
            let record = str::from_utf8(line).ok().and_then(|line| {
                match header.read_line(line.trim_end()) {
                    Ok(ResultLine::Record(record)) => Some((line, record)),
                    _ => None,
                }
            });
            match record {
                Some((line, record)) => self.add_record(line, &record, &mut faults),
                None => faults.damaged += 1,
            }
        }
        faults
    }

    fn add_record(&mut self, line: &str, record: &StoredRecord, faults: &mut Faults) {
        let Some(row) = self.rows.number(&record.id) else {
            faults.foreign += 1;
            return;
        };
        if row >= self.rows.len() || record.diagram != Some(self.rows.diagram(row)) {
            faults.damaged += 1;
            return;
        }
        if let Some(answer) = &self.answers[row] {
            let (one, other) = (answer.bounds, record.bounds);
            if one.lower > other.upper || other.lower > one.upper {
                faults.contradictions.push((row, one, other));
            }
            return;
        }
        if !record.answers(self.window, self.all_moves) {
            return;
        }
        match moves_of(line, record) {
            Ok(_) => self.add(row, line, record.bounds),
            Err(_) => faults.damaged += 1,
        }
    }

    /// The whole file: the header and all records in the order of the rows.
    ///
    /// # Panics
    /// If a record is missing.
    pub fn text(&self) -> impl Iterator<Item = &str> {
        self.answers.iter().map(|answer| &*answer.as_ref().expect("all rows have records").line)
    }

    /// The record of a row with its moves.
    ///
    /// # Panics
    /// If the row has no record.
    pub fn record(&self, row: usize) -> FullRecord {
        let line = self.answers[row].as_ref().expect("the row has a record").line.trim_end();
        let header = ResultHeader::read(Results::header(self.all_moves).trim_end());
        let Ok(ResultLine::Record(record)) = header.expect("our own").read_line(line) else {
            unreachable!("it was read before");
        };
        let (best_move, pv) = moves_of(line, &record).expect("it was checked before");
        FullRecord { record: *record, best_move, pv }
    }
}

/// A record with its moves.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FullRecord {
    pub record: StoredRecord,
    pub best_move: Option<Move>,
    pub pv: Vec<Move>,
}

/// The best move and the principal variation of a record. They are legal, and the variation leads
/// to an exact score.
///
/// # Errors
/// What is wrong with them.
fn moves_of(line: &str, record: &StoredRecord) -> Result<(Option<Move>, Vec<Move>), &'static str> {
    let Some(Diagram { position, .. }) = record.diagram else { return Err("no position") };
    let cells = split(line.trim_end());
    let read = |column: usize| -> Result<Vec<Move>, &'static str> {
        let words = cells[column].text.split_whitespace();
        words.map(|word| word.parse().map_err(|_| "a word is no move")).collect()
    };
    let (best_move, pv) = (read(BEST_MOVE)?.first().copied(), read(PV)?);
    if !pv.is_empty() && pv.first() != best_move.as_ref() {
        return Err("the principal variation does not begin with the best move");
    }
    let (mut end, mut sign) = (position, 1);
    for mv in best_move.iter().filter(|_| pv.is_empty()).chain(&pv) {
        end = end.make(*mv).ok_or("a move is not legal")?;
        sign = -sign;
    }
    match record.bounds.exact() {
        Some(score) if pv.len() > 1 || position.is_over() => {
            let leads_there = end.is_over() && sign * end.final_score().discs() == score.discs();
            leads_there.then_some((best_move, pv)).ok_or("the variation leads to another score")
        }
        _ => Ok((best_move, pv)),
    }
}
