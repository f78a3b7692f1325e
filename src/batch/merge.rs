//! Joining the outputs of several runs: of the shards of a list, or of tries with different limits.
//!
//! Where more than one file has a record of the same identifier, the one that tells most is taken.
//! That they agree is checked: two different positions under one identifier, or bounds of a score
//! that leave nothing between them, are contradictions, and no merge hides them.
//!
//! Records are copied as they stand, so all files must have the same format and columns. In memory
//! is what is needed to compare them, about a hundred bytes and its identifier for each record.

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

/// Why files cannot be joined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A file cannot be read.
    #[error("{file}: cannot be read: {error}")]
    Read {
        /// The file's name.
        file: String,
        /// The system's reason.
        error: io::Error,
    },
    /// A line of it is no record.
    #[error("{file}:{line}: {what}; yose merge joins files of results, CSV or JSON Lines")]
    Foreign {
        /// The file's name.
        file: String,
        /// The line's number; the first line has 1.
        line: u64,
        /// What is wrong there.
        what: String,
    },
    /// Files differ in their format or columns.
    #[error(
        "{file}: has another format or other columns than {first}; all files must have the same"
    )]
    Otherwise {
        /// The file's name.
        file: String,
        /// The name of the first file.
        first: String,
    },
    /// The output cannot be written.
    #[error("the output cannot be written: {0}")]
    Write(io::Error),
}

/// Two records that cannot both be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// Their identifier.
    pub id: String,
    /// Where they stand, and what they say.
    pub records: [(String, String); 2],
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(one, said), (other, contradicted)] = &self.records;
        write!(f, "{}: {one} has {said}, {other} has {contradicted}", self.id)
    }
}

/// What a merge came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// Records that were written.
    pub records: u64,
    /// How many of them were cut short by a limit or the end of a run.
    pub cut_short: u64,
    /// How many of them are of lines that could not be read.
    pub invalid: u64,
    /// Records that were left out because another one of the same identifier tells as much or more.
    pub repeated: u64,
    /// Lines of the input that have no record, if the input was given.
    pub missing: Vec<String>,
    /// Records that belong to no line of the input, if it was given; they are written after the
    /// others.
    pub strange: Vec<String>,
}

/// Files of records that were read.
#[derive(Debug)]
pub struct Merge {
    files: Vec<PathBuf>,
    head: ResultHeader,
    /// The first line of the first file.
    first_line: String,
    records: Vec<Known>,
    by_id: HashMap<String, usize>,
    repeated: u64,
    /// Records that cannot both be right.
    pub contradictions: Vec<Contradiction>,
}

/// What is known of a record.
#[derive(Debug)]
struct Known {
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

impl Known {
    /// How much it tells: more is better.
    fn rank(&self) -> (u8, i32) {
        let status = match self.status {
            Status::Exact => 2,
            Status::Bounds => 1,
            Status::Limit | Status::Interrupted | Status::Invalid => 0,
        };
        (status, self.bounds.lower.discs() - self.bounds.upper.discs())
    }

    fn contradicts(&self, other: &Known) -> bool {
        let apart =
            self.bounds.lower > other.bounds.upper || other.bounds.lower > self.bounds.upper;
        self.diagram != other.diagram || apart
    }
}

impl Merge {
    /// Reads files of records. A torn last line is left out.
    ///
    /// # Errors
    /// If one of them cannot be read, is no file of records, or is written otherwise than the
    /// first.
    ///
    /// # Panics
    /// If there are no files.
    pub fn read(files: Vec<PathBuf>) -> Result<Merge, MergeError> {
        let mut merge: Option<Merge> = None;
        for (number, path) in files.iter().enumerate() {
            let mut lines = Lines::open(path)?;
            if !lines.advance()? {
                return Err(lines.foreign("the first line is not whole".to_owned()));
            }
            let head = results::read_header(lines.text()?).map_err(|what| lines.foreign(what))?;
            let merge = match &mut merge {
                Some(merge) if merge.head != head => {
                    return Err(MergeError::Otherwise {
                        file: lines.name,
                        first: files[0].display().to_string(),
                    });
                }
                Some(merge) => merge,
                None => merge.insert(Merge {
                    files: files.clone(),
                    head,
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
                if let ResultLine::Record(written) = results::read_line(lines.text()?, head.format)
                    .map_err(|what| lines.foreign(what))?
                {
                    merge.add(*written, number, lines.number, offset);
                }
            }
        }
        Ok(merge.expect("there is a file"))
    }

    fn add(&mut self, written: StoredRecord, file: usize, line: u64, offset: u64) {
        let StoredRecord { id, diagram, status, bounds, nodes, seconds, .. } = written;
        let new = Known { id, diagram, status, bounds, nodes, seconds, file, line, offset };
        let Some(&place) = self.by_id.get(&new.id) else {
            self.by_id.insert(new.id.clone(), self.records.len());
            self.records.push(new);
            return;
        };
        self.repeated += 1;
        let old = &self.records[place];
        if old.contradicts(&new) {
            let say = |known: &Known| {
                let place = format!("{}:{}", self.files[known.file].display(), known.line);
                let said = match known.diagram {
                    None => known.status.to_string(),
                    Some(diagram) if old.diagram != new.diagram => diagram.to_string(),
                    Some(_) => bounds_text(known.bounds),
                };
                (place, said)
            };
            self.contradictions
                .push(Contradiction { id: new.id.clone(), records: [say(old), say(&new)] });
        }
        if new.rank() > old.rank() {
            self.records[place] = new;
        }
    }

    /// Writes the records in the order of the input, if it is given; else by the files of their
    /// lines, in the order in which these are first met, and their numbers.
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
        write(&self.head_line())?;
        for known in order.into_iter().map(|place| &self.records[place]) {
            let lines = &mut files[known.file];
            lines.go_to(known.offset)?;
            lines.advance()?;
            write(lines.text()?)?;
            merged.records += 1;
            merged.cut_short += u64::from(known.status.is_cut_short());
            merged.invalid += u64::from(known.status == Status::Invalid);
            statuses[known.status as usize] += 1;
            (nodes, seconds) = (nodes + known.nodes, seconds + known.seconds);
        }
        if self.head.format == ResultFormat::JsonLines {
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

    /// What stands before the records: in JSON Lines, how the first file was made, and of which
    /// files this one is.
    fn head_line(&self) -> String {
        if self.head.format == ResultFormat::Csv {
            let moves = if self.head.all_moves { ",moves" } else { "" };
            return COLUMNS.join(",") + moves;
        }
        let mut head: serde_json::Value =
            serde_json::from_str(&self.first_line).expect("it was read before");
        if let Some(head) = head.as_object_mut() {
            head.remove("shard");
            let files = self.files.iter().map(|path| path.display().to_string().into()).collect();
            head.insert("merged".to_owned(), serde_json::Value::Array(files));
        }
        head.to_string()
    }

    fn by_input(
        &self,
        sources: Vec<Source>,
        reading: ReadOptions,
        merged: &mut Merged,
    ) -> Result<Vec<usize>, MergeError> {
        let mut order = Vec::with_capacity(self.records.len());
        let mut met = vec![false; self.records.len()];
        for item in Reader::new(sources, reading) {
            match item {
                Item::Entry(Entry { id, .. }) => match self.by_id.get(&id) {
                    Some(&place) => {
                        order.push(place);
                        met[place] = true;
                    }
                    None => merged.missing.push(id),
                },
                Item::Empty { .. } | Item::MissingPositions(_) => {}
                Item::Failure(error) => {
                    return Err(MergeError::Read {
                        file: "the input".to_owned(),
                        error: io::Error::other(error.to_string()),
                    });
                }
            }
        }
        let strange: Vec<usize> = (0..met.len()).filter(|&place| !met[place]).collect();
        merged.strange = strange.iter().map(|&place| self.records[place].id.clone()).collect();
        order.extend(strange);
        Ok(order)
    }

    fn by_line(&self) -> Vec<usize> {
        let mut files: HashMap<&str, usize> = HashMap::new();
        let key = |(place, known): (usize, &Known)| {
            // An identifier that names no line keeps its place.
            let (file, line) = known.id.rsplit_once(':').unwrap_or((&known.id, ""));
            (place, file.to_owned(), line.parse::<u64>().unwrap_or(0))
        };
        let keys: Vec<_> = self.records.iter().enumerate().map(key).collect();
        for (_, file, _) in &keys {
            let next = files.len();
            files.entry(file).or_insert(next);
        }
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&place| (files[keys[place].1.as_str()], keys[place].2));
        order
    }
}

/// The lines of a file.
struct Lines {
    file: BufReader<File>,
    name: String,
    line: Vec<u8>,
    number: u64,
    /// Where the next line begins.
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

    /// Reads a line. Gives false if there is no whole one.
    fn advance(&mut self) -> Result<bool, MergeError> {
        self.line.clear();
        self.number += 1;
        let read = self.file.read_until(b'\n', &mut self.line);
        self.offset +=
            read.map_err(|error| MergeError::Read { file: self.name.clone(), error })? as u64;
        Ok(self.line.last() == Some(&b'\n'))
    }

    fn go_to(&mut self, offset: u64) -> Result<(), MergeError> {
        let seek = match i64::try_from(offset).ok().zip(i64::try_from(self.offset).ok()) {
            Some((to, from)) => self.file.seek_relative(to - from),
            None => self.file.seek(SeekFrom::Start(offset)).map(drop),
        };
        self.offset = offset;
        seek.map_err(|error| MergeError::Read { file: self.name.clone(), error })
    }

    /// The line that was read last, without its end.
    fn text(&self) -> Result<&str, MergeError> {
        str::from_utf8(&self.line)
            .map(str::trim_end)
            .map_err(|_| self.foreign("is no text".to_owned()))
    }

    fn foreign(&self, what: String) -> MergeError {
        MergeError::Foreign { file: self.name.clone(), line: self.number, what }
    }
}
