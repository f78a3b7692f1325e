//! The merge: joins the outputs of several runs, such as the shards of a list, or runs with
//! different limits.
//!
//! A record belongs to an identifier and a position. If several files have one, the most complete
//! one is written. All of them are compared: bounds that exclude each other are contradictions, and
//! are reported. Different positions with one identifier are all written. They are contradictions
//! if they are in different files, unless the input has them all.
//!
//! Records are copied unchanged, so all files must have the same format and columns. The memory is
//! about a hundred bytes and the identifier for each record.
//!
//! A file of a run that has not finished is merged too, and is reported as [`Unfinished`]. The
//! summary is the mark of a finished file of JSON Lines, so the output gets one only if no record
//! can be missing.

mod lines;
mod runs;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use thiserror::Error;

use self::lines::Lines;
use self::runs::Runs;
use super::stored_run::StoredRun;
use crate::othello::Diagram;
use crate::records::output::{ResultFormat, Status, bounds_text};
use crate::records::results::{ResultHeader, ResultLine, StoredRecord};
use crate::records::{Entry, Item, ReadOptions, Reader, Source, column_of};
use crate::search::Bounds;

pub use self::runs::Difference;

/// Why files cannot be merged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A file cannot be read.
    #[error("{file}: cannot be read: {error}")]
    Read {
        /// The name of the file.
        file: String,
        /// The system's reason.
        error: io::Error,
    },
    /// A line is not a record.
    #[error(
        "{file}:{line}:{column}: {what}; only files of results in CSV or JSON Lines can be joined"
    )]
    NotARecord {
        /// The name of the file.
        file: String,
        /// The line's number; the first line has 1.
        line: u64,
        /// The column, counted in characters from 1.
        column: usize,
        /// The error in that line.
        what: String,
    },
    /// Files differ in their format or columns.
    #[error(
        "{file}: has another format or other columns than {first}; all files must have the same"
    )]
    OtherFormat {
        /// The name of the file.
        file: String,
        /// The name of the first file.
        first: String,
    },
    /// The output cannot be written.
    #[error("the output cannot be written: {0}")]
    Write(io::Error),
}

/// Two records that contradict each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// Their common identifier.
    pub id: String,
    /// For each, its file and line, and its position or bounds.
    pub records: [(String, String); 2],
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(one, content), (other, contradicting)] = &self.records;
        write!(f, "{}: {one} has {content}, {other} has {contradicting}", self.id)
    }
}

/// A file whose run has not finished, so that records may be missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfinished {
    /// The name of the file.
    pub file: String,
    /// How that shows.
    pub sign: UnfinishedSign,
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unfinished { file, sign } = self;
        match sign {
            UnfinishedSign::Running => write!(f, "{file}: a run is still writing it"),
            UnfinishedSign::TornLine(line) => {
                write!(f, "{file}:{line}: the last line is torn and is left out")
            }
            UnfinishedSign::NoSummary => {
                write!(f, "{file}: has no summary, so its run did not finish")
            }
        }
    }
}

/// A sign that the run of a file has not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnfinishedSign {
    /// Another process has locked the file.
    Running,
    /// The line with this number ends without a line break.
    TornLine(u64),
    /// The last line of a file of JSON Lines is no summary.
    NoSummary,
}

/// The result of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// The number of records that were written.
    pub records: u64,
    /// Of these, the number of those that a limit or the end of a run has cut short.
    pub cut_short: u64,
    /// Of these, the number of those for invalid lines.
    pub invalid: u64,
    /// The number of records that were left out, because another one with the same identifier and
    /// position is at least as complete.
    pub repeated: u64,
    /// The contradictions between records.
    pub contradictions: Vec<Contradiction>,
    /// Whether the input was given.
    pub has_input: bool,
    /// The identifiers of the lines without a record, if the input was given.
    pub missing: Vec<String>,
    /// The identifiers of the records that belong to no line of the input, if it was given. They
    /// are written after the others.
    pub unexpected: Vec<String>,
    /// Messages about files of the input that have no positions, or not all of them.
    pub messages: Vec<String>,
}

impl Merged {
    /// Whether no record is missing, as far as the files and the input show it: every line of the
    /// input has its record, or without an input, every file is finished.
    pub fn is_complete(&self, merge: &Merge) -> bool {
        self.missing.is_empty() && (self.has_input || merge.unfinished.is_empty())
    }
}

/// The records of several files.
#[derive(Debug)]
pub struct Merge {
    files: Vec<PathBuf>,
    header: ResultHeader,
    /// The first line of the first file.
    first_line: String,
    /// The runs of files in JSON Lines.
    runs: Runs,
    records: Vec<Candidate>,
    /// The first record with an identifier.
    by_id: HashMap<String, usize>,
    repeated: u64,
    /// The contradictions between records of one position.
    contradictions: Vec<Contradiction>,
    /// Pairs of records from different files with one identifier and different positions.
    other_positions: Vec<(usize, usize)>,
    /// The files whose runs have not finished.
    pub unfinished: Vec<Unfinished>,
}

/// A record, without its moves, and its location.
#[derive(Debug)]
struct Candidate {
    id: String,
    diagram: Option<Diagram>,
    status: Status,
    bounds: Bounds,
    nodes: u64,
    seconds: f64,
    location: Location,
    /// The next record with the same identifier. It has another position.
    next: Option<usize>,
}

/// The line of a record.
#[derive(Clone, Copy, Debug)]
struct Location {
    file: usize,
    line: u64,
    offset: u64,
    /// The digest of the line.
    digest: u64,
}

impl Candidate {
    /// How complete the record is: higher is better.
    fn rank(&self) -> (u8, i32) {
        let status = match self.status {
            Status::Exact => 2,
            Status::Wld | Status::Bounds => 1,
            Status::Limit | Status::Interrupted | Status::Invalid => 0,
        };
        (status, self.bounds.lower.discs() - self.bounds.upper.discs())
    }

    /// Whether the bounds of two records of the same position exclude each other.
    fn contradicts(&self, other: &Candidate) -> bool {
        self.bounds.lower > other.bounds.upper || other.bounds.lower > self.bounds.upper
    }
}

impl Merge {
    /// Reads files of records. A torn last line is skipped, and is in [`Merge::unfinished`].
    ///
    /// # Errors
    /// If a file cannot be read, is not a file of records, or has another format or other columns
    /// than the first.
    ///
    /// # Panics
    /// If there are no files.
    pub fn read(files: Vec<PathBuf>) -> Result<Merge, MergeError> {
        let mut merge: Option<Merge> = None;
        for (number, path) in files.iter().enumerate() {
            let mut lines = Lines::open(path)?;
            let run = StoredRun::of_records(path);
            let run = run.map_err(|(file, error)| MergeError::Read { file, error })?;
            let (header, first_line) = match &run {
                Some(run) => (run.header.clone(), run.line.clone()),
                None => lines.read_header()?,
            };
            let header_format = header.format();
            let merge = match &mut merge {
                Some(merge) if merge.header != header => {
                    return Err(MergeError::OtherFormat {
                        file: lines.name,
                        first: files[0].display().to_string(),
                    });
                }
                Some(merge) => merge,
                None => merge.insert(Merge {
                    files: files.clone(),
                    header,
                    first_line: first_line.clone(),
                    runs: Runs::default(),
                    records: Vec::new(),
                    by_id: HashMap::new(),
                    repeated: 0,
                    contradictions: Vec::new(),
                    other_positions: Vec::new(),
                    unfinished: Vec::new(),
                }),
            };
            let is_csv = header_format == ResultFormat::Csv;
            if !is_csv {
                merge.runs.add(number, &first_line);
            }
            let (mut has_summary, mut records) = (is_csv, 0);
            loop {
                let offset = lines.offset;
                if !lines.advance()? {
                    break;
                }
                let text = lines.text()?;
                let line = merge.header.read_line(text).map_err(|error| {
                    lines.not_a_record(column_of(text, error.offset), error.what)
                })?;
                match line {
                    ResultLine::Record(written) => {
                        merge.add(*written, number, &lines, offset);
                        (has_summary, records) = (is_csv, records + 1);
                    }
                    ResultLine::Run => {
                        merge.runs.add(number, text);
                        has_summary = false;
                    }
                    ResultLine::Summary => has_summary = true,
                }
            }
            // The run file of a file with records only has the number of its records.
            if let Some(run) = run {
                has_summary = run.records == Some(records);
            }
            if let Some(sign) = lines.unfinished(has_summary) {
                merge.unfinished.push(Unfinished { file: lines.name, sign });
            }
        }
        Ok(merge.expect("there is a file"))
    }

    /// Adds the record in the line that was read last, which begins at `offset`.
    fn add(&mut self, written: StoredRecord, file: usize, lines: &Lines, offset: u64) {
        let StoredRecord { id, diagram, status, bounds, nodes, seconds, .. } = written;
        let (line, digest) = (lines.number, lines.digest());
        let location = Location { file, line, offset, digest };
        let new = Candidate { id, diagram, status, bounds, nodes, seconds, location, next: None };
        let Some(&first) = self.by_id.get(&new.id) else {
            self.by_id.insert(new.id.clone(), self.records.len());
            self.records.push(new);
            return;
        };
        let mut index = first;
        while self.records[index].diagram != new.diagram {
            match self.records[index].next {
                Some(next) => index = next,
                None => {
                    // Lists may number their lines alike. One run writes both records.
                    if self.records[index].location.file != file {
                        self.other_positions.push((index, self.records.len()));
                    }
                    self.records[index].next = Some(self.records.len());
                    self.records.push(new);
                    return;
                }
            }
        }
        self.repeated += 1;
        let old = &self.records[index];
        if old.contradicts(&new) {
            self.contradictions.push(self.contradiction(old, &new));
        }
        if new.rank() > old.rank() {
            self.records[index] = Candidate { next: old.next, ..new };
        }
    }

    /// The description of two records that contradict each other.
    fn contradiction(&self, one: &Candidate, other: &Candidate) -> Contradiction {
        let describe = |record: &Candidate| {
            let Location { file, line, .. } = record.location;
            let location = format!("{}:{line}", self.files[file].display());
            let content = match record.diagram {
                None => record.status.to_string(),
                Some(diagram) if one.diagram != other.diagram => diagram.to_string(),
                Some(_) => bounds_text(record.bounds),
            };
            (location, content)
        };
        Contradiction { id: one.id.clone(), records: [describe(one), describe(other)] }
    }

    /// The settings in which the runs of the files differ, as far as they change results. They are
    /// known of JSON Lines only.
    pub fn differences(&self) -> Vec<Difference> {
        self.runs.differences(&self.files)
    }

    /// Whether the files are JSON Lines, whose records can have a run file.
    pub fn is_json(&self) -> bool {
        self.header.format() != ResultFormat::Csv
    }

    /// Writes the records to `out`: in the order of the input, if it is given. Otherwise they are
    /// sorted by the file, the line or game, and the empties in their identifiers; files are in the
    /// order of their first records. The lines of the run and of the summary go to `run_file`, if
    /// there is one.
    ///
    /// # Errors
    /// If a file cannot be read again, or if an output cannot be written.
    pub fn write(
        &self,
        input: Option<(Vec<Source>, ReadOptions)>,
        out: &mut dyn Write,
        mut run_file: Option<&mut dyn Write>,
    ) -> Result<Merged, MergeError> {
        let mut merged = Merged {
            repeated: self.repeated,
            contradictions: self.contradictions.clone(),
            ..Merged::default()
        };
        let order = match input {
            Some((sources, reading)) => {
                merged.has_input = true;
                self.by_input(sources, reading, &mut merged)?
            }
            None => {
                let pairs = self.other_positions.iter();
                let contradictions = pairs.map(|&(one, other)| {
                    self.contradiction(&self.records[one], &self.records[other])
                });
                merged.contradictions.extend(contradictions);
                self.by_line()
            }
        };
        let mut files =
            self.files.iter().map(|path| Lines::open(path)).collect::<Result<Vec<_>, _>>()?;
        let (mut nodes, mut seconds, mut statuses) = (0, 0.0, [0u64; Status::ALL.len()]);
        match &mut run_file {
            Some(run_file) => write_line(*run_file, &self.header_line())?,
            None => write_line(out, &self.header_line())?,
        }
        for record in order.into_iter().map(|index| &self.records[index]) {
            let location = record.location;
            let lines = &mut files[location.file];
            lines.seek(location.offset)?;
            // A run may write the file, or put it in order, while it is merged.
            if !lines.advance()? || lines.digest() != location.digest {
                return Err(lines.changed());
            }
            write_line(out, lines.text()?)?;
            merged.records += 1;
            merged.cut_short += u64::from(record.status.is_cut_short());
            merged.invalid += u64::from(record.status == Status::Invalid);
            statuses[record.status as usize] += 1;
            // A file that was edited may have any numbers.
            (nodes, seconds) = (record.nodes.saturating_add(nodes), seconds + record.seconds);
        }
        if self.header.format() == ResultFormat::JsonLines && merged.is_complete(self) {
            let mut summary = serde_json::json!({ "type": "summary", "positions": merged.records });
            for (status, count) in Status::ALL.into_iter().zip(statuses) {
                summary[status.name()] = count.into();
            }
            for (key, value) in [("nodes", nodes.into()), ("seconds", seconds.into())] {
                summary[format!("file_{key}")] = serde_json::Value::clone(&value);
                summary[key] = value;
            }
            match &mut run_file {
                Some(run_file) => write_line(*run_file, &summary.to_string())?,
                None => write_line(out, &summary.to_string())?,
            }
        }
        out.flush().map_err(MergeError::Write)?;
        run_file.map_or(Ok(()), |run_file| run_file.flush()).map_err(MergeError::Write)?;
        Ok(merged)
    }

    /// The first line of the output: in CSV the columns, in JSON Lines what the runs have in
    /// common, with the names of all files.
    fn header_line(&self) -> String {
        if self.is_json() { self.runs.merged(&self.files) } else { self.first_line.clone() }
    }

    fn by_input(
        &self,
        sources: Vec<Source>,
        reading: ReadOptions,
        merged: &mut Merged,
    ) -> Result<Vec<usize>, MergeError> {
        let mut order = Vec::with_capacity(self.records.len());
        let mut found = vec![false; self.records.len()];
        for item in Reader::new(sources, reading) {
            match item {
                Item::Entry(Entry { id, problem, .. }) => {
                    let diagram = problem.ok().map(|problem| problem.diagram);
                    match self.find(&id, diagram) {
                        Some(index) => {
                            order.push(index);
                            found[index] = true;
                        }
                        None => merged.missing.push(id),
                    }
                }
                Item::Empty(empty) => merged.messages.push(empty.to_string()),
                Item::MissingPositions(missing) => merged.messages.push(missing.to_string()),
                Item::Failure(error) => {
                    // The messages so far say which files have no positions, and why.
                    merged.messages.push(error.to_string());
                    let error = io::Error::other(merged.messages.join("; "));
                    return Err(MergeError::Read { file: "the input".to_owned(), error });
                }
            }
        }
        let unclear =
            self.other_positions.iter().filter(|&&(one, other)| !found[one] || !found[other]);
        merged.contradictions.extend(
            unclear
                .map(|&(one, other)| self.contradiction(&self.records[one], &self.records[other])),
        );
        let unexpected: Vec<usize> = (0..found.len()).filter(|&index| !found[index]).collect();
        merged.unexpected =
            unexpected.iter().map(|&index| self.records[index].id.clone()).collect();
        order.extend(unexpected);
        Ok(order)
    }

    /// The record of an entry of the input; `diagram` is `None` if the entry is invalid.
    fn find(&self, id: &str, diagram: Option<Diagram>) -> Option<usize> {
        let mut index = *self.by_id.get(id)?;
        while self.records[index].diagram != diagram {
            index = self.records[index].next?;
        }
        Some(index)
    }

    fn by_line(&self) -> Vec<usize> {
        let mut files: HashMap<&str, usize> = HashMap::new();
        let places: Vec<Place<'_>> =
            self.records.iter().map(|record| Place::of_id(&record.id)).collect();
        for place in &places {
            let next = files.len();
            files.entry(place.file).or_insert(next);
        }
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&index| {
            let Place { file, number, empties } = places[index];
            (files[file], number, Reverse(empties))
        });
        order
    }
}

fn write_line(out: &mut dyn Write, line: &str) -> Result<(), MergeError> {
    out.write_all(line.as_bytes()).and_then(|()| out.write_all(b"\n")).map_err(MergeError::Write)
}

/// The place in the input that an identifier names: `file:line`, `file#game`, and `@empties` behind
/// it if a game gives several positions.
struct Place<'a> {
    file: &'a str,
    /// The number of the line or of the game.
    number: u64,
    /// The positions of a game are in the order of their empties, the largest number first.
    empties: u64,
}

impl Place<'_> {
    /// The place that `id` names. An identifier of another form counts as a file.
    fn of_id(id: &str) -> Place<'_> {
        let (place, empties) = match id.rsplit_once('@') {
            Some((place, empties)) => (place, empties.parse().ok()),
            None => (id, Some(0)),
        };
        let named = empties.and_then(|empties| {
            let (file, number) = place.rsplit_once([':', '#'])?;
            Some(Place { file, number: number.parse().ok()?, empties })
        });
        named.unwrap_or(Place { file: id, number: 0, empties: 0 })
    }
}
