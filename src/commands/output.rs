//! The destination and the format of the output.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use yose::records::Source;
use yose::records::output::{Writer, csv::Csv, jsonl::JsonLines, obf::Obf, table::Table};
use yose::records::results::ResultFormat;

/// The output formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OutputFormat {
    /// A table for people
    Table,
    /// CSV: one line with the names of the columns, then one for each position
    Csv,
    /// JSON Lines: an object for the run, one for each position, and one that sums them up
    Jsonl,
    /// OBF, for other solvers: the position and its best move's score, or every move's under
    /// --all-moves
    Obf,
}

impl OutputFormat {
    /// The default format: by the extension of the output file; a table on a terminal; else CSV.
    pub fn of_output(output: Option<&Path>) -> OutputFormat {
        let Some(path) = file(output) else {
            return if io::stdout().is_terminal() {
                OutputFormat::Table
            } else {
                OutputFormat::Csv
            };
        };
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl" | "ndjson" | "json") => OutputFormat::Jsonl,
            Some("obf") => OutputFormat::Obf,
            _ => OutputFormat::Csv,
        }
    }

    /// The format for reading records back; `None` if they cannot be read back.
    pub fn form(self) -> Option<ResultFormat> {
        match self {
            OutputFormat::Table | OutputFormat::Obf => None,
            OutputFormat::Csv => Some(ResultFormat::Csv),
            OutputFormat::Jsonl => Some(ResultFormat::JsonLines),
        }
    }

    /// The writer of the format.
    pub fn writer(self) -> Box<dyn Writer> {
        match self {
            OutputFormat::Table => Box::new(Table::default()),
            OutputFormat::Csv => Box::new(Csv::default()),
            OutputFormat::Jsonl => Box::new(JsonLines),
            OutputFormat::Obf => Box::new(Obf),
        }
    }
}

/// The file that `-o` names; `None` for standard output.
fn file(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| path.as_os_str() != "-")
}

/// The destination of records.
#[derive(Debug)]
pub enum Destination<'a> {
    /// Standard output.
    Stdout,
    /// A device or a pipe. It has no content that could be lost.
    Device(&'a Path),
    /// A file, which may not exist yet.
    File(&'a Path),
}

impl Destination<'_> {
    /// The destination that `-o` names.
    ///
    /// # Errors
    /// If it is one of the inputs.
    pub fn of<'a>(output: Option<&'a Path>, sources: &[Source]) -> Result<Destination<'a>> {
        let Some(path) = file(output) else {
            if sources.iter().any(|source| is_same_file(source, Path::new("/dev/stdout"))) {
                bail!("standard output goes into one of the inputs; send it to another file");
            }
            return Ok(Destination::Stdout);
        };
        if sources.iter().any(|source| is_same_file(source, path)) {
            bail!("{}: is one of the inputs; give --output another name", path.display());
        }
        let special =
            fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        Ok(if special { Destination::Device(path) } else { Destination::File(path) })
    }

    /// Opens the destination. An existing file is replaced only with `force`.
    ///
    /// # Errors
    /// If it cannot be written, or exists and must not be replaced.
    pub fn open(&self, force: bool) -> Result<Box<dyn Write>> {
        let (path, result) = match *self {
            Destination::Stdout => return Ok(Box::new(io::stdout())),
            Destination::Device(path) => (path, OpenOptions::new().write(true).open(path)),
            Destination::File(path) if force => (path, File::create(path)),
            Destination::File(path) => (path, File::create_new(path)),
        };
        let name = path.display();
        match result {
            Ok(file) => Ok(Box::new(file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                bail!(
                    "{name}: exists already, and may hold results; \
                     give another name, or --force to replace it"
                )
            }
            Err(error) => Err(error).with_context(|| format!("{name}: cannot be written")),
        }
    }
}

/// Whether a source is the regular file `path`. On systems without `/dev/stdin`, standard input
/// counts as another file.
fn is_same_file(source: &Source, path: &Path) -> bool {
    let source = match source {
        Source::Stdin => Path::new("/dev/stdin"),
        Source::File(input) => input,
        Source::Memory { .. } => return false,
    };
    match (fs::canonicalize(source), fs::canonicalize(path)) {
        (Ok(one), Ok(other)) => one == other && one.is_file(),
        _ => false,
    }
}
