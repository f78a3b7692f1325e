//! The log of a run, which is also its state: JSON Lines that are only appended to.
//!
//! The first line is the header, which has everything that the iterations depend on. Each iteration
//! and each measurement of the whole list appends a line. An interrupted run continues behind the
//! last complete line. A log with another header is an error and is never overwritten, because it
//! took hours to make.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

use super::spsa::Values;
use super::{Objective, TuneIteration, TuneOptions};
use crate::output_file::{OutputFileError, open_locked};
use crate::search::PARAMETERS;
use crate::training::node_counts::NodeTotal;

/// Why a log cannot be used.
#[derive(Debug, Error)]
pub enum LogError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It has another header.
    #[error(
        "this log is of another run: its positions, weights, parameters or options differ; name \
         another file"
    )]
    OtherRun,
    /// A line is malformed or out of order.
    #[error("line {0} is malformed; cut the file off before it, and the run continues from there")]
    Malformed(usize),
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    /// An iteration: the objective on its two sides, and the values after it.
    Iteration { iteration: u32, plus: f64, minus: f64, values: Values },
    /// A measurement of the whole list after so many iterations.
    Measurement { iteration: u32, nodes: u64, mean_ln: f64 },
}

/// The header: everything that the iterations depend on. `about` describes the positions and the
/// weights.
pub(super) fn header(options: &TuneOptions, table_bytes: u64, about: &Value) -> String {
    let TuneOptions { start, spsa, objective, batch, mean_of, .. } = options;
    let free = PARAMETERS.iter().zip(spsa.free).filter(|(_, free)| *free);
    let free: Vec<&str> = free.map(|(spec, _)| spec.name).collect();
    let header = json!({
        "type": "tuning",
        "version": 2,
        "about": about,
        "table_bytes": table_bytes,
        "parameters": PARAMETERS.map(|spec| spec.name),
        "steps": PARAMETERS.map(|spec| spec.step),
        "start": start.values(),
        "free": free,
        "objective": match objective {
            Objective::MeanLogarithm => "mean logarithm of nodes",
            Objective::Sum => "logarithm of the sum of nodes",
        },
        "batch": batch,
        "mean_of": mean_of,
        "perturbation": spsa.perturbation,
        "gain": spsa.gain,
        "stability": spsa.stability,
        "seed": spsa.seed,
    });
    header.to_string()
}

/// A log that is open for appending.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    /// The values after each iteration.
    pub values: Vec<Values>,
    /// The measurements of the whole list, each with the number of iterations before it.
    measurements: Vec<(u32, NodeTotal)>,
}

impl Log {
    /// Opens a log, or starts one. An incomplete last line is removed.
    pub fn open(path: &Path, header: &str) -> Result<Log, LogError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = open_locked(&mut options, path)?;
        let locked = || OutputFileError::Locked { file: path.display().to_string() };
        let mut file = file.ok_or_else(|| io::Error::from(locked()))?;
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        let header = format!("{header}\n");
        let mut log = Log { file, values: Vec::new(), measurements: Vec::new() };
        let Some(rest) = content.strip_prefix(header.as_bytes()) else {
            // A file that ends within the same header is a log of this run.
            if !header.as_bytes().starts_with(&content) {
                return Err(LogError::OtherRun);
            }
            log.file.set_len(0)?;
            log.file.rewind()?;
            log.file.write_all(header.as_bytes())?;
            return Ok(log);
        };
        let complete = rest.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        for (number, line) in (2..).zip(rest[..complete].split_inclusive(|&byte| byte == b'\n')) {
            let line = serde_json::from_slice(line).ok();
            line.and_then(|line| log.replay(line)).ok_or(LogError::Malformed(number))?;
        }
        let length = (header.len() + complete) as u64;
        log.file.set_len(length)?;
        log.file.seek(SeekFrom::Start(length))?;
        Ok(log)
    }

    /// Adds a line of the file to the state; `None` if it is out of order.
    fn replay(&mut self, line: Line) -> Option<()> {
        match line {
            Line::Iteration { iteration, values, .. } if iteration == self.iterations() + 1 => {
                self.values.push(values);
            }
            Line::Measurement { iteration, nodes, mean_ln } if iteration == self.iterations() => {
                self.measurements.push((iteration, NodeTotal { nodes, mean_ln }));
            }
            _ => return None,
        }
        Some(())
    }

    /// The number of finished iterations.
    pub fn iterations(&self) -> u32 {
        self.values.len() as u32
    }

    /// The measurement after so many iterations; `None` if there is none.
    pub fn measurement(&self, iteration: u32) -> Option<NodeTotal> {
        self.measurements.iter().find(|(at, _)| *at == iteration).map(|&(_, total)| total)
    }

    /// Appends the next iteration.
    pub fn add_iteration(&mut self, finished: &TuneIteration) -> io::Result<()> {
        let TuneIteration { iteration, objectives: [plus, minus], values } = *finished;
        self.append(&Line::Iteration { iteration, plus, minus, values })?;
        self.values.push(values);
        Ok(())
    }

    /// Appends a measurement of the whole list after the last iteration.
    pub fn add_measurement(&mut self, total: NodeTotal) -> io::Result<()> {
        let (iteration, NodeTotal { nodes, mean_ln }) = (self.iterations(), total);
        self.append(&Line::Measurement { iteration, nodes, mean_ln })?;
        self.measurements.push((iteration, total));
        Ok(())
    }

    fn append(&mut self, line: &Line) -> io::Result<()> {
        let line = serde_json::to_string(line)?;
        self.file.write_all(format!("{line}\n").as_bytes())
    }
}
