//! The log of a parameters, which is its state too: JSON Lines that are only ever added to.
//!
//! The first line says what was asked for. Then every iteration and every measurement of the whole
//! list has a line, as soon as it is done. A parameters that was cut short goes on behind the last
//! whole line, if it is the same work. A log of other work is an error, as it took hours to make.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Step;
use super::spsa::Values;
use crate::training::nodes::Total;

/// Why a log cannot be used.
#[derive(Debug, Error)]
pub enum LogError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is of another parameters, or another kind of file.
    #[error(
        "this is no log of the same parameters: positions, weights, parameters or options differ; name another file"
    )]
    Other,
    /// A line is none, or in the wrong place.
    #[error(
        "line {0} is malformed; cut the file off before it, and the parameters goes on from there"
    )]
    Malformed(usize),
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    /// An iteration: the costs on its two sides, and the values after it.
    Iteration { iteration: u32, plus: f64, minus: f64, values: Values },
    /// The whole list, measured after so many iterations.
    Whole { iteration: u32, nodes: u64, mean_ln: f64 },
}

/// A log, open to be added to.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    /// The values after each iteration.
    pub values: Vec<Values>,
    /// After how many iterations the whole list was measured, and what it took.
    wholes: Vec<(u32, Total)>,
}

impl Log {
    /// Opens a log or begins one. What follows the last whole line goes.
    pub fn open(path: &Path, head: &str) -> Result<Log, LogError> {
        let begun = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            result => result?,
        };
        let head = format!("{head}\n");
        let mut log = Log {
            file: OpenOptions::new().write(true).create(true).truncate(false).open(path)?,
            values: Vec::new(),
            wholes: Vec::new(),
        };
        let Some(rest) = begun.strip_prefix(head.as_bytes()) else {
            // Cut short in its first line, it is still a log of this parameters.
            if !head.as_bytes().starts_with(&begun) {
                return Err(LogError::Other);
            }
            log.file.set_len(0)?;
            log.file.write_all(head.as_bytes())?;
            return Ok(log);
        };
        let whole = rest.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        for (number, line) in (2..).zip(rest[..whole].split_inclusive(|&byte| byte == b'\n')) {
            let line = serde_json::from_slice(line).ok();
            line.and_then(|line| log.take(line)).ok_or(LogError::Malformed(number))?;
        }
        let length = (head.len() + whole) as u64;
        log.file.set_len(length)?;
        log.file.seek(SeekFrom::Start(length))?;
        Ok(log)
    }

    /// Takes in a line that was read; none if it is out of place.
    fn take(&mut self, line: Line) -> Option<()> {
        match line {
            Line::Iteration { iteration, values, .. } if iteration == self.iterations() + 1 => {
                self.values.push(values)
            }
            Line::Whole { iteration, nodes, mean_ln } if iteration == self.iterations() => {
                self.wholes.push((iteration, Total { nodes, mean_ln }));
            }
            _ => return None,
        }
        Some(())
    }

    /// How many iterations are done.
    pub fn iterations(&self) -> u32 {
        self.values.len() as u32
    }

    /// What the whole list took after so many iterations, if that was measured.
    pub fn whole(&self, iteration: u32) -> Option<Total> {
        self.wholes.iter().find(|(at, _)| *at == iteration).map(|&(_, total)| total)
    }

    /// Adds the next iteration.
    pub fn add_step(&mut self, step: &Step) -> io::Result<()> {
        let Step { iteration, costs: [plus, minus], values } = *step;
        self.write(&Line::Iteration { iteration, plus, minus, values })?;
        self.values.push(values);
        Ok(())
    }

    /// Adds what the whole list takes after the last iteration.
    pub fn add_whole(&mut self, total: Total) -> io::Result<()> {
        let (iteration, Total { nodes, mean_ln }) = (self.iterations(), total);
        self.write(&Line::Whole { iteration, nodes, mean_ln })?;
        self.wholes.push((iteration, total));
        Ok(())
    }

    fn write(&mut self, line: &Line) -> io::Result<()> {
        let line = serde_json::to_string(line)?;
        self.file.write_all(format!("{line}\n").as_bytes())
    }
}
