//! The run file of an output with records only, read back.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::records::results::ResultHeader;

/// The run file of an output: `scores.jsonl.run` of `scores.jsonl`.
pub(super) fn run_file(output: &Path) -> PathBuf {
    let mut name = OsString::from(output);
    name.push(".run");
    name.into()
}

/// The beginning of a record in JSON Lines.
const RECORD: &[u8] = br#"{"type":"position","#;

/// The content of a run file.
#[derive(Debug)]
pub(super) struct StoredRun {
    /// The line of the run.
    pub(super) line: String,
    /// What the records have.
    pub(super) header: ResultHeader,
    /// The number of records of the finished output; `None` if the run did not finish.
    pub(super) records: Option<u64>,
}

impl StoredRun {
    /// Reads the run file of an output, if the output has records only. `None` if it begins with
    /// another line, or is empty and has no run file.
    ///
    /// # Errors
    /// The name of the file that cannot be read, and why.
    pub(super) fn of_records(output: &Path) -> Result<Option<StoredRun>, (String, io::Error)> {
        let mut begin = Vec::new();
        File::open(output)
            .and_then(|file| file.take(RECORD.len() as u64).read_to_end(&mut begin))
            .map_err(|error| (output.display().to_string(), error))?;
        match begin.as_slice() {
            RECORD => StoredRun::beside(output).map(Some),
            [] if run_file(output).is_file() => StoredRun::beside(output).map(Some),
            _ => Ok(None),
        }
    }

    /// Reads the run file of an output.
    ///
    /// # Errors
    /// The name of the run file, and why it cannot be read.
    pub(super) fn beside(output: &Path) -> Result<StoredRun, (String, io::Error)> {
        #[derive(Deserialize)]
        struct SummaryJson {
            #[serde(rename = "type")]
            kind: String,
            positions: u64,
        }

        let path = run_file(output);
        let fault = |error| (path.display().to_string(), error);
        let text = fs::read_to_string(&path).map_err(fault)?;
        let (line, rest) = text.split_once('\n').unwrap_or(("", ""));
        let header = ResultHeader::read(line)
            .map_err(|what| fault(io::Error::other(format!("it {what}"))))?;
        // A torn line is no summary.
        let summary = rest.split_inclusive('\n').rfind(|line| line.ends_with('\n'));
        let summary: Option<SummaryJson> = summary.and_then(|line| serde_json::from_str(line).ok());
        let records =
            summary.filter(|summary| summary.kind == "summary").map(|summary| summary.positions);
        Ok(StoredRun { line: line.to_owned(), header, records })
    }
}
