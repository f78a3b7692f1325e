//! The run file: the lines of the run and of the summary, for an output that has records only.
//!
//! `scores.jsonl` has the run file `scores.jsonl.run`. The output alone does not show whether it is
//! complete. Its run file does: the summary is written last, when all records are in the output,
//! and it has their number. So the run file must be kept beside the output, to resume or to merge
//! it.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::journal::JournalError;
use super::output::{Output, RecordOffset};
use super::stored_run::run_file;
use crate::records::output::jsonl::JsonLines;
use crate::records::output::{Record, Run, SinkError, Summary, Writer};

/// An output of records, and its run file.
pub struct RunFile {
    records: Box<dyn Output>,
    file: File,
    writer: JsonLines,
    written: u64,
}

impl RunFile {
    /// The run file of an output.
    pub fn path(output: &Path) -> PathBuf {
        run_file(output)
    }

    /// Creates the run file of the output `path`, whose records go to `records`. An existing one is
    /// replaced only if `replace` is true.
    ///
    /// # Errors
    /// If the file exists and must not be replaced, or cannot be written.
    pub fn create(
        path: &Path,
        replace: bool,
        records: Box<dyn Output>,
    ) -> Result<RunFile, JournalError> {
        let path = RunFile::path(path);
        let name = || path.display().to_string();
        let file = if replace { File::create(&path) } else { File::create_new(&path) };
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Exists { file: name() },
            _ => JournalError::Write { file: name(), error },
        })?;
        Ok(RunFile { records, file, writer: JsonLines::default(), written: 0 })
    }

    fn write(&mut self, text: &[u8]) -> Result<(), SinkError> {
        let written = self.written;
        self.file.write_all(text).map_err(|error| SinkError::Write { written, error })
    }
}

impl Output for RunFile {
    fn in_order(&self) -> bool {
        self.records.in_order()
    }

    fn begin(&mut self, run: &Run) -> Result<(), SinkError> {
        let mut text = Vec::new();
        self.writer.begin(run, &mut text);
        self.write(&text)?;
        self.records.begin(run)
    }

    fn record(&mut self, number: u64, record: &Record) {
        self.written += 1;
        self.records.record(number, record);
    }

    fn keep(&mut self, number: u64, offset: RecordOffset) {
        self.records.keep(number, offset);
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.records.flush()
    }

    fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        self.records.end(summary)?;
        let mut text = Vec::new();
        self.writer.end(summary, &mut text);
        self.write(&text)
    }
}

impl fmt::Debug for RunFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunFile").field("file", &self.file).finish_non_exhaustive()
    }
}
