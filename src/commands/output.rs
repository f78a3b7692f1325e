//! Where `-o` leads, and in which format.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use yose::records::Source;
use yose::records::output::{Writer, csv::Csv, jsonl::JsonLines, obf::Obf, table::Table};

/// The formats that records are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OutputFormat {
    /// A table for people
    Table,
    /// CSV: one line with the names of the columns, then one for each position
    Csv,
    /// JSON Lines: an object for the run, one for each position, and one that sums them up
    Jsonl,
    /// OBF, for other solvers: the position and its best move's score, or every move's under --all-moves
    Obf,
}

impl OutputFormat {
    /// The format where none is asked for: what the file's name says; else a table on a terminal, and CSV elsewhere.
    pub fn of_output(output: Option<&Path>) -> OutputFormat {
        let Some(path) = file(output) else {
            return if io::stdout().is_terminal() { OutputFormat::Table } else { OutputFormat::Csv };
        };
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl" | "ndjson" | "json") => OutputFormat::Jsonl,
            Some("obf") => OutputFormat::Obf,
            _ => OutputFormat::Csv,
        }
    }

    /// The format's writer.
    pub fn writer(self) -> Box<dyn Writer> {
        match self {
            OutputFormat::Table => Box::new(Table::default()),
            OutputFormat::Csv => Box::new(Csv::default()),
            OutputFormat::Jsonl => Box::new(JsonLines),
            OutputFormat::Obf => Box::new(Obf),
        }
    }
}

/// The file that `-o` names; none if it is standard output.
fn file(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| path.as_os_str() != "-")
}

/// Opens the output before any work is done, so that a wrong path costs nothing.
pub fn open(output: Option<&Path>, sources: &[Source], force: bool) -> Result<Box<dyn Write>> {
    let Some(path) = file(output) else {
        if sources.iter().any(|source| is_same_file(source, Path::new("/dev/stdout"))) {
            bail!("standard output goes into one of the inputs; send it to another file");
        }
        return Ok(Box::new(io::stdout()));
    };
    let name = path.display();
    if sources.iter().any(|source| is_same_file(source, path)) {
        bail!("{name}: is one of the inputs; give --output another name");
    }
    // A device or a pipe holds nothing that could be lost.
    let special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    let result = if special {
        OpenOptions::new().write(true).open(path)
    } else if force {
        File::create(path)
    } else {
        File::create_new(path)
    };
    match result {
        Ok(file) => Ok(Box::new(file)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{name}: exists already, and may hold results; give another name, or --force to replace it")
        }
        Err(error) => Err(error).with_context(|| format!("{name}: cannot be written")),
    }
}

/// Whether a source is the regular file `path`. Where there is no `/dev/stdin`, standard input is taken for another
/// file.
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
