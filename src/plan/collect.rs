//! What a task's files hold, in any state, and what is wrong with them.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use super::PlanError;
use super::folder::{Folder, TaskFiles};
use super::manifest::{Manifest, Marker, TaskLine};
use super::results::{Faults, Results, Rows};
use crate::digest::sha256_hex;
use crate::records::output::bounds_text;

/// What is wrong with a file of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskFault {
    /// The number of the task.
    pub task: u64,
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub what: String,
    /// Whether two results contradict each other.
    pub is_contradiction: bool,
}

impl fmt::Display for TaskFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TaskFault { task, file, what, is_contradiction } = self;
        let kind = if *is_contradiction { "contradiction in task" } else { "task" };
        write!(f, "{kind} {task}: {file}: {what}")
    }
}

/// Reads the files of one task.
#[derive(Debug)]
pub(super) struct Collector<'a> {
    folder: &'a Folder,
    manifest: &'a Manifest,
    task: u64,
    /// What is wrong with the files.
    pub faults: Vec<TaskFault>,
}

impl<'a> Collector<'a> {
    pub fn new(folder: &'a Folder, manifest: &'a Manifest, task: u64) -> Collector<'a> {
        Collector { folder, manifest, task, faults: Vec::new() }
    }

    fn fault(&mut self, path: &Path, what: impl Into<String>) {
        let file = path.display().to_string();
        let fault = TaskFault { task: self.task, file, what: what.into(), is_contradiction: false };
        self.faults.push(fault);
    }

    /// The rows of the task. `None` if its file is not as it was written.
    pub fn rows(&mut self, line: &TaskLine) -> Option<Rows> {
        let path = self.folder.task(self.task);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.fault(&path, format!("cannot be read: {error}"));
                return None;
            }
        };
        let text = str::from_utf8(&bytes).ok().filter(|_| sha256_hex(&bytes) == line.sha256);
        let rows = text.and_then(|text| Rows::read(text, &self.manifest.plan, self.task).ok());
        if rows.is_none() {
            self.fault(&path, "is not as the plan has written it");
        }
        rows
    }

    /// The marker of the task, if it is finished.
    pub fn marker(&mut self, files: &TaskFiles, task_sha256: &str) -> Option<Marker> {
        let path = files.marker();
        match Marker::read(&path) {
            Ok(Some(marker)) if marker.plan != self.manifest.plan => {
                self.fault(&path, format!("is of another plan, {}", marker.plan));
                None
            }
            Ok(Some(marker)) if marker.task_sha256 != task_sha256 => {
                self.fault(&path, "is of another task");
                None
            }
            Ok(marker) => marker,
            Err(_) => {
                self.fault(&path, "is no marker of a finished task");
                None
            }
        }
    }

    /// The results of the task, and whether it is finished.
    ///
    /// # Errors
    /// If the folder of the task cannot be read.
    pub fn results<'r>(
        &mut self,
        rows: &'r Rows,
        task_sha256: &str,
    ) -> Result<(Results<'r>, bool), PlanError> {
        let path = self.folder.task(self.task);
        let (files, _) = TaskFiles::beside(&path).expect("the name of a task");
        let marker = self.marker(&files, task_sha256);
        let mut results = Results::new(rows, self.manifest);
        let (mut own, mut is_finished) = (None, false);
        if let Some(marker) = &marker {
            let path = files.named(&marker.results);
            let sha256 = self.add(&path, &mut results);
            is_finished = results.is_complete();
            if sha256.is_some_and(|sha256| sha256 != marker.results_sha256) {
                // Each record is compared with its row, so those that are whole can be used.
                self.fault(&path, "is not as the finished task has written it");
                is_finished = false;
            }
            own = Some(path);
        }
        let attempts = files.attempts().map_err(|error| PlanError::read(&path, error))?;
        for path in attempts.iter().filter(|&path| own.as_ref() != Some(path)) {
            self.add(path, &mut results);
        }
        Ok((results, is_finished))
    }

    /// Adds the records of a file, and returns its SHA-256.
    fn add(&mut self, path: &Path, results: &mut Results<'_>) -> Option<String> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                // The process that finished the task meanwhile may have removed its journal.
                let is_journal = path.extension().is_some_and(|end| end == "journal");
                if !(is_journal && error.kind() == io::ErrorKind::NotFound) {
                    self.fault(path, format!("cannot be read: {error}"));
                }
                return None;
            }
        };
        let Faults { torn, foreign, damaged, contradictions } = results.add_text(&bytes);
        if torn {
            self.fault(path, "its last line is torn, and is left out");
        }
        if foreign > 0 {
            self.fault(path, format!("has {foreign} results of another plan or task"));
        }
        if damaged > 0 {
            self.fault(path, format!("has {damaged} lines that are no results of this task"));
        }
        for (row, one, other) in contradictions {
            let [one, other] = [one, other].map(bounds_text);
            let (task, file) = (self.task, path.display().to_string());
            let what = format!("{} is {other}, and {one} in another file", results.id(row));
            self.faults.push(TaskFault { task, file, what, is_contradiction: true });
        }
        Some(sha256_hex(&bytes))
    }
}
