//! The merge: joins the outputs of several runs, such as the shards of a list, or runs with
//! different limits.
//!
//! If several files have a record with the same identifier, the most complete one is written. All
//! of them are compared: different positions with one identifier, or bounds that exclude each
//! other, are contradictions, and are reported.
//!
//! Records are copied unchanged, so all files must have the same format and columns. The memory is
//! about a hundred bytes and the identifier for each record.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::othello::Diagram;
use crate::records::output::{COLUMNS, Status, bounds_text};
use crate::records::results::{self, ResultFormat, ResultHeader, ResultLine, StoredRecord};
use crate::records::{Entry, Item, ReadOptions, Reader, Source};
use crate::search::Bounds;

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
    #[error("{file}:{line}: {what}; only files of results in CSV or JSON Lines can be joined")]
    NotARecord {
        /// The name of the file.
        file: String,
        /// The line's number; the first line has 1.
        line: u64,
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

/// The result of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// The number of records that were written.
    pub records: u64,
    /// Of these, the number of those that a limit or the end of a run has cut short.
    pub cut_short: u64,
    /// Of these, the number of those for invalid lines.
    pub invalid: u64,
    /// The number of records that were left out, because another one with the same identifier is at
    /// least as complete.
    pub repeated: u64,
    /// The identifiers of the lines without a record, if the input was given.
    pub missing: Vec<String>,
    /// The identifiers of the records that belong to no line of the input, if it was given. They
    /// are written after the others.
    pub unexpected: Vec<String>,
    /// Messages about files of the input that have no positions, or not all of them.
    pub messages: Vec<String>,
}

/// The records of several files.
#[derive(Debug)]
pub struct Merge {
    files: Vec<PathBuf>,
    header: ResultHeader,
    /// The first line of the first file.
    first_line: String,
    records: Vec<Candidate>,
    by_id: HashMap<String, usize>,
    repeated: u64,
    /// The contradictions between records.
    pub contradictions: Vec<Contradiction>,
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
    file: usize,
    line: u64,
    offset: u64,
}

impl Candidate {
    /// How complete the record is: higher is better.
    fn rank(&self) -> (u8, i32) {
        let status = match self.status {
            Status::Exact => 2,
            Status::Bounds => 1,
            Status::Limit | Status::Interrupted | Status::Invalid => 0,
        };
        (status, self.bounds.lower.discs() - self.bounds.upper.discs())
    }

    fn contradicts(&self, other: &Candidate) -> bool {
        let apart =
            self.bounds.lower > other.bounds.upper || other.bounds.lower > self.bounds.upper;
        self.diagram != other.diagram || apart
    }
}

impl Merge {
    /// Reads files of records. A torn last line is skipped.
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
            if !lines.advance()? {
                return Err(lines.not_a_record("the first line is not whole".to_owned()));
            }
            let header =
                results::read_header(lines.text()?).map_err(|what| lines.not_a_record(what))?;
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
                    first_line: lines.text()?.to_owned(),
                    records: Vec::new(),
                    by_id: HashMap::new(),
                    repeated: 0,
                    contradictions: Vec::new(),
                }),
            };
            loop {
                let offset = lines.offset;
                if !lines.advance()? {
                    break;
                }
                if let ResultLine::Record(written) =
                    results::read_line(lines.text()?, header.format)
                        .map_err(|what| lines.not_a_record(what))?
                {
                    merge.add(*written, number, lines.number, offset);
                }
            }
        }
        Ok(merge.expect("there is a file"))
    }

    fn add(&mut self, written: StoredRecord, file: usize, line: u64, offset: u64) {
        let StoredRecord { id, diagram, status, bounds, nodes, seconds, .. } = written;
        let new = Candidate { id, diagram, status, bounds, nodes, seconds, file, line, offset };
        let Some(&index) = self.by_id.get(&new.id) else {
            self.by_id.insert(new.id.clone(), self.records.len());
            self.records.push(new);
            return;
        };
        self.repeated += 1;
        let old = &self.records[index];
        if old.contradicts(&new) {
            let describe = |record: &Candidate| {
                let location = format!("{}:{}", self.files[record.file].display(), record.line);
                let content = match record.diagram {
                    None => record.status.to_string(),
                    Some(diagram) if old.diagram != new.diagram => diagram.to_string(),
                    Some(_) => bounds_text(record.bounds),
                };
                (location, content)
            };
            self.contradictions.push(Contradiction {
                id: new.id.clone(),
                records: [describe(old), describe(&new)],
            });
        }
        if new.rank() > old.rank() {
            self.records[index] = new;
        }
    }

    /// Writes the records: in the order of the input, if it is given. Otherwise they are sorted by
    /// the file and the line in their identifiers; files are in the order of their first records.
    ///
    /// # Errors
    /// If a file cannot be read again, or if the output cannot be written.
    pub fn write(
        &self,
        input: Option<(Vec<Source>, ReadOptions)>,
        out: &mut dyn Write,
    ) -> Result<Merged, MergeError> {
        let mut merged = Merged { repeated: self.repeated, ..Merged::default() };
        let order = match input {
            Some((sources, reading)) => self.by_input(sources, reading, &mut merged)?,
            None => self.by_line(),
        };
        let mut files =
            self.files.iter().map(|path| Lines::open(path)).collect::<Result<Vec<_>, _>>()?;
        let (mut nodes, mut seconds, mut statuses) = (0, 0.0, [0u64; 5]);
        let mut write = |text: &str| {
            out.write_all(text.as_bytes())
                .and_then(|()| out.write_all(b"\n"))
                .map_err(MergeError::Write)
        };
        write(&self.header_line())?;
        for record in order.into_iter().map(|index| &self.records[index]) {
            let lines = &mut files[record.file];
            lines.seek(record.offset)?;
            lines.advance()?;
            write(lines.text()?)?;
            merged.records += 1;
            merged.cut_short += u64::from(record.status.is_cut_short());
            merged.invalid += u64::from(record.status == Status::Invalid);
            statuses[record.status as usize] += 1;
            (nodes, seconds) = (nodes + record.nodes, seconds + record.seconds);
        }
        if self.header.format == ResultFormat::JsonLines {
            let mut summary = serde_json::json!({ "type": "summary", "positions": merged.records });
            for (status, count) in Status::ALL.into_iter().zip(statuses) {
                summary[status.name()] = count.into();
            }
            summary["nodes"] = nodes.into();
            summary["seconds"] = seconds.into();
            write(&summary.to_string())?;
        }
        out.flush().map_err(MergeError::Write)?;
        Ok(merged)
    }

    /// The first line of the output: in CSV the columns, in JSON Lines the run of the first file,
    /// with the names of all files.
    fn header_line(&self) -> String {
        if self.header.format == ResultFormat::Csv {
            let moves = if self.header.all_moves { ",moves" } else { "" };
            return COLUMNS.join(",") + moves;
        }
        let mut header: serde_json::Value =
            serde_json::from_str(&self.first_line).expect("`Merge::read` has parsed it");
        if let Some(header) = header.as_object_mut() {
            header.remove("shard");
            let files = self.files.iter().map(|path| path.display().to_string().into()).collect();
            header.insert("merged".to_owned(), serde_json::Value::Array(files));
        }
        header.to_string()
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
                Item::Entry(Entry { id, .. }) => match self.by_id.get(&id) {
                    Some(&index) => {
                        order.push(index);
                        found[index] = true;
                    }
                    None => merged.missing.push(id),
                },
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
        let unexpected: Vec<usize> = (0..found.len()).filter(|&index| !found[index]).collect();
        merged.unexpected =
            unexpected.iter().map(|&index| self.records[index].id.clone()).collect();
        order.extend(unexpected);
        Ok(order)
    }

    fn by_line(&self) -> Vec<usize> {
        let mut files: HashMap<&str, usize> = HashMap::new();
        let key = |(index, record): (usize, &Candidate)| {
            // An identifier without a line counts as a file.
            let (file, line) = record.id.rsplit_once(':').unwrap_or((&record.id, ""));
            (index, file.to_owned(), line.parse::<u64>().unwrap_or(0))
        };
        let keys: Vec<_> = self.records.iter().enumerate().map(key).collect();
        for (_, file, _) in &keys {
            let next = files.len();
            files.entry(file).or_insert(next);
        }
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&index| (files[keys[index].1.as_str()], keys[index].2));
        order
    }
}

/// The lines of a file.
struct Lines {
    file: BufReader<File>,
    name: String,
    line: Vec<u8>,
    number: u64,
    /// The offset of the next line.
    offset: u64,
}

impl Lines {
    fn open(path: &Path) -> Result<Lines, MergeError> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(Lines {
                file: BufReader::with_capacity(1 << 16, file),
                name,
                line: Vec::new(),
                number: 0,
                offset: 0,
            }),
            Err(error) => Err(MergeError::Read { file: name, error }),
        }
    }

    /// Reads a line. Returns false if there is no whole one.
    fn advance(&mut self) -> Result<bool, MergeError> {
        self.line.clear();
        self.number += 1;
        let read = self.file.read_until(b'\n', &mut self.line);
        self.offset +=
            read.map_err(|error| MergeError::Read { file: self.name.clone(), error })? as u64;
        Ok(self.line.last() == Some(&b'\n'))
    }

    fn seek(&mut self, offset: u64) -> Result<(), MergeError> {
        let seek = match i64::try_from(offset).ok().zip(i64::try_from(self.offset).ok()) {
            Some((to, from)) => self.file.seek_relative(to - from),
            None => self.file.seek(SeekFrom::Start(offset)).map(drop),
        };
        self.offset = offset;
        seek.map_err(|error| MergeError::Read { file: self.name.clone(), error })
    }

    /// The line that was read last, without the line break.
    fn text(&self) -> Result<&str, MergeError> {
        str::from_utf8(&self.line)
            .map(str::trim_end)
            .map_err(|_| self.not_a_record("is no text".to_owned()))
    }

    fn not_a_record(&self, what: String) -> MergeError {
        MergeError::NotARecord { file: self.name.clone(), line: self.number, what }
    }
}
