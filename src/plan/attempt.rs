//! An attempt to solve a task: a process with a journal of its own.
//!
//! The journal gets each record as soon as it is found. If the process is killed, the next attempt
//! reads it. When all rows have their records, they are written to a file of results, forced to the
//! disk, and named by the marker. Only then the journals are removed.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use sha2::{Digest, Sha256};

use super::manifest::Marker;
use super::results::Results;
use super::task::remove_lock;
use super::{PlanError, Task};
use crate::batch::{
    self, InputReader, Output, Progress, RecordOffset, RunOptions, Searchers, StopCause,
    StopSignal, Workload, cost,
};
use crate::digest::hex;
use crate::output_file::{Existing, OutputFile, OutputFileError};
use crate::records::output::{NoteColumns, Record, Run, SinkError, Summary, Writer, csv::Csv};
use crate::records::{Input, ReadOptions, Source};
use crate::search::Limits;

/// An attempt to solve a task.
#[derive(Debug)]
pub struct Attempt<'a> {
    task: &'a Task,
    results: Results<'a>,
    /// Locked until the end of the attempt, if the file system has locks.
    lock: Option<File>,
    /// The number of records of earlier attempts that were not used.
    ignored: u64,
    /// The journal of this attempt, once there is one.
    journal: Option<PathBuf>,
}

/// The threads and the tables of an attempt. They change no score.
#[derive(Debug)]
pub struct Setting {
    /// The searchers.
    pub searchers: Searchers,
    /// The size of their tables in bytes.
    pub table_bytes: u64,
    /// The weights of the evaluation.
    pub weights: Input,
    /// Whether the tables are empty before each position.
    pub deterministic: bool,
    /// The time at which the attempt ends.
    pub deadline: Option<Instant>,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(
        task: &'a Task,
        results: Results<'a>,
        lock: Option<File>,
        ignored: u64,
    ) -> Attempt<'a> {
        Attempt { task, results, lock, ignored, journal: None }
    }

    /// The number of positions that are solved.
    pub fn solved(&self) -> usize {
        self.results.answered()
    }

    /// The number of records of earlier attempts that do not belong to this task. They are not
    /// used.
    pub fn ignored(&self) -> u64 {
        self.ignored
    }

    /// The work that is left.
    pub fn workload(&self) -> Workload {
        let mut workload = Workload::default();
        for row in self.results.missing() {
            workload.add(cost::predict(&self.task.rows.diagram(row).position));
        }
        workload
    }

    /// Solves the rows without a record. Returns the cause if the run ended before that.
    ///
    /// # Errors
    /// If the journal cannot be written, or if a thread cannot be started.
    pub fn solve(
        &mut self,
        setting: Setting,
        progress: &dyn Progress,
        stop: &StopSignal,
    ) -> Result<Option<StopCause>, PlanError> {
        if self.results.is_complete() {
            return Ok(None);
        }
        let rows = &self.task.rows;
        let mut list = "id,position\n".to_owned();
        for row in self.results.missing() {
            list += &format!("{},{}\n", rows.id(row), rows.diagram(row));
        }
        let bytes = Cow::Owned(list.into_bytes());
        let sources = vec![Source::Memory { name: "task", bytes }];
        let Setting { searchers, table_bytes, weights, deterministic, deadline } = setting;
        let manifest = &self.task.manifest;
        let run = Run {
            threads: searchers.threads(),
            deterministic,
            table_bytes,
            auto_table: None,
            weights,
            window: manifest.window(),
            all_moves: manifest.all_moves,
            notes: NoteColumns::default(),
            limits: Limits::NONE,
            shard: None,
            inputs: Vec::new(),
        };
        let input =
            InputReader { sources, reading: ReadOptions::default(), shard: None, earlier: None };
        let made = self.task.files.new_journal();
        let (file, path) =
            made.map_err(|error| PlanError::write(&self.task.files.lock(), error))?;
        self.journal = Some(path);
        let mut journal = Journal {
            task: self.task,
            results: &mut self.results,
            file,
            writer: Csv::default(),
            text: Vec::new(),
            written: 0,
        };
        let options = RunOptions { unique: false, deadline, hook: None };
        let report = batch::run(&run, options, searchers, input, &mut journal, progress, stop)?;
        Ok(report.cause)
    }

    /// Writes the results and the marker, and removes the journals of all attempts. If another
    /// process has finished the task meanwhile, its results stay.
    ///
    /// # Errors
    /// If a file cannot be written.
    ///
    /// # Panics
    /// If a row has no record.
    pub fn finish(self, threads: usize) -> Result<Marker, PlanError> {
        let Attempt { task, results, lock, .. } = self;
        let marker = match task.marker()? {
            Some(marker) => marker,
            None => finish(task, &results, threads)?,
        };
        // The files of other attempts are not needed. A process that still solves the task has its
        // results in memory.
        for path in task.files.attempts().unwrap_or_default() {
            if path != task.files.named(&marker.results) {
                let _ = fs::remove_file(path);
            }
        }
        remove_lock(lock, task);
        Ok(marker)
    }
}

fn finish(task: &Task, results: &Results<'_>, threads: usize) -> Result<Marker, PlanError> {
    let header = Results::header(task.manifest.all_moves);
    let texts = || std::iter::once(header.as_str()).chain(results.text());
    let mut digest = Sha256::new();
    texts().for_each(|line| digest.update(line));
    let results_sha256 = hex(&digest.finalize());
    let name = task.files.results_name(&results_sha256);
    let path = task.files.named(&name);
    write_whole(&path, Existing::ReplaceLocked, texts())?;
    let (mut nodes, mut seconds) = (0u64, 0.0);
    for row in 0..task.rows.len() {
        let record = results.record(row).record;
        (nodes, seconds) = (nodes.saturating_add(record.nodes), seconds + record.seconds);
    }
    let marker = Marker {
        plan: task.manifest.plan.clone(),
        task: task.number,
        task_sha256: task.sha256.clone(),
        results: name,
        results_sha256,
        positions: task.rows.len() as u64,
        nodes,
        seconds,
        threads,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let text = serde_json::to_string(&marker).expect("texts and numbers") + "\n";
    match write_whole(&task.files.marker(), Existing::Keep, [text.as_str()].into_iter()) {
        Ok(()) => Ok(marker),
        // Another process was faster.
        Err(error) => match task.marker() {
            Ok(Some(other)) => Ok(other),
            _ => Err(error),
        },
    }
}

/// Writes a file that has its name when it is on the disk.
fn write_whole<'a>(
    path: &std::path::Path,
    existing: Existing,
    mut texts: impl Iterator<Item = &'a str>,
) -> Result<(), PlanError> {
    let mut file = OutputFile::create(path, existing).map_err(|error| output_error(path, error))?;
    texts
        .try_for_each(|text| file.write_all(text.as_bytes()))
        .map_err(|error| PlanError::write(path, error))?;
    file.commit().map(drop).map_err(|error| output_error(path, error))
}

fn output_error(path: &std::path::Path, error: OutputFileError) -> PlanError {
    PlanError::write(path, error.into())
}

/// The output of the run of an attempt: each record goes to the journal as soon as it is found.
#[derive(Debug)]
struct Journal<'a, 'b> {
    task: &'a Task,
    results: &'b mut Results<'a>,
    file: File,
    writer: Csv,
    /// What is not written yet.
    text: Vec<u8>,
    written: u64,
}

impl Output for Journal<'_, '_> {
    fn in_order(&self) -> bool {
        false
    }

    fn begin(&mut self, run: &Run) -> Result<(), SinkError> {
        self.writer.begin(run, &mut self.text);
        self.flush()
    }

    fn record(&mut self, _: u64, record: &Record) {
        // A position that was cut short is solved by the next attempt.
        let Ok(solved) = &record.outcome else { return };
        if record.status().is_cut_short() {
            return;
        }
        let start = self.text.len();
        self.writer.record(record, &mut self.text);
        let line = str::from_utf8(&self.text[start..]).expect("CSV is a text");
        let row = self.task.rows.number(&record.id).expect("a row of this task");
        self.results.add(row, line, solved.solution.bounds);
        self.written += 1;
    }

    fn keep(&mut self, _: u64, _: RecordOffset) {
        unreachable!("rows with a record are not in the list");
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        let result = self.file.write_all(&self.text);
        self.text.clear();
        result.map_err(|error: io::Error| SinkError::Write { written: self.written, error })
    }

    fn end(&mut self, _: &Summary) -> Result<(), SinkError> {
        self.flush()
    }
}
