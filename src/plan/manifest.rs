//! The manifest of a plan, the lines about its tasks, and the markers of finished tasks.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::PlanError;
use super::folder::Folder;
use crate::batch::Range;
use crate::othello::Score;
use crate::records::Input;
use crate::search::Window;

/// The version of the files of a plan.
pub(super) const SCHEMA: u32 = 1;

/// A predicted number of nodes.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Nodes {
    /// The mean.
    pub mean: f64,
    /// The number is lower in one of ten cases.
    pub low: f64,
    /// The number is higher in one of ten cases.
    pub high: f64,
}

impl From<Range> for Nodes {
    fn from(Range { low, mean, high }: Range) -> Nodes {
        // Whole nodes: the digits after the point say nothing.
        let [low, mean, high] = [low, mean, high].map(f64::round);
        Nodes { mean, low, high }
    }
}

/// A file of the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlanInput {
    /// The name in identifiers.
    pub name: String,
    /// The SHA-256 of its bytes.
    pub sha256: Option<String>,
}

impl From<&Input> for PlanInput {
    fn from(Input { name, sha256 }: &Input) -> PlanInput {
        PlanInput { name: name.clone(), sha256: sha256.clone() }
    }
}

/// The manifest: `plan.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the files.
    pub schema: u32,
    /// The version of Yose that made the plan.
    pub version: String,
    /// The identifier of the plan: a digest of the input and of the options. Every result names it.
    pub plan: String,
    /// Scores between these two are found exactly.
    pub alpha: i32,
    /// See `alpha`.
    pub beta: i32,
    /// Whether the score of every move is found.
    pub all_moves: bool,
    /// The inputs.
    pub inputs: Vec<PlanInput>,
    /// The number of entries of the input.
    pub entries: u64,
    /// Of these, the number of those that are invalid. They are in no task.
    pub invalid: u64,
    /// The number of positions that differ by more than symmetry. Each is solved once.
    pub positions: u64,
    /// The number of tasks. They are numbered from 1, the most expensive first.
    pub tasks: u64,
    /// The number of tasks with a single position that is more expensive than a task should be.
    /// They come first.
    pub alone: u64,
    /// The nodes that a task should have.
    pub task_nodes: f64,
    /// The speed of a core for which this was computed.
    pub nodes_per_second: f64,
    /// The predicted nodes of the whole plan.
    pub nodes: Nodes,
    /// The SHA-256 of `tasks.jsonl`, which has those of the tasks.
    pub tasks_sha256: String,
    /// The SHA-256 of `ids.gz`.
    pub ids_sha256: String,
    /// The SHA-256 of `entries.bin`.
    pub entries_sha256: String,
}

impl Manifest {
    /// Reads the manifest of a folder.
    ///
    /// # Errors
    /// If the folder has none, which is so while a plan is being made, or if it cannot be read.
    pub fn read(folder: &Folder) -> Result<Manifest, PlanError> {
        let path = folder.manifest();
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => PlanError::NoPlan { folder: folder.path().to_owned() },
            _ => PlanError::read(&path, error),
        })?;
        let damaged = |what: String| PlanError::Damaged { file: path.clone(), what };
        let manifest: Manifest = serde_json::from_str(&text)
            .map_err(|error| damaged(format!("it is no manifest of a plan ({error})")))?;
        if manifest.schema != SCHEMA {
            let what =
                format!("it is of schema {}, which this version does not read", manifest.schema);
            return Err(damaged(what));
        }
        manifest.try_window().ok_or_else(|| damaged("its window is empty".to_owned()))?;
        Ok(manifest)
    }

    fn try_window(&self) -> Option<Window> {
        Window::new(Score::try_new(self.alpha)?, Score::try_new(self.beta)?)
    }

    /// The scores that are found exactly.
    pub fn window(&self) -> Window {
        self.try_window().expect("it was checked when the manifest was read")
    }
}

/// A line of `tasks.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaskLine {
    /// The number of the task.
    pub task: u64,
    /// Its file, seen from the folder of the plan.
    pub file: String,
    /// The number of its positions.
    pub positions: u64,
    /// The number of entries of the input that they answer.
    pub entries: u64,
    /// The predicted nodes.
    pub nodes: Nodes,
    /// The SHA-256 of its file.
    pub sha256: String,
}

/// The marker of a finished task: `N.done`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Marker {
    /// The identifier of the plan.
    pub plan: String,
    /// The number of the task.
    pub task: u64,
    /// The SHA-256 of the file of the task.
    pub task_sha256: String,
    /// The name of the file of results, which is in the same folder.
    pub results: String,
    /// Its SHA-256.
    pub results_sha256: String,
    /// The number of positions.
    pub positions: u64,
    /// The sum of the nodes of all records.
    pub nodes: u64,
    /// The sum of the times of all records, in seconds.
    pub seconds: f64,
    /// The number of threads of the last attempt.
    pub threads: usize,
    /// The version of Yose that finished the task.
    pub version: String,
}

impl Marker {
    /// Reads a marker. `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn read(path: &Path) -> Result<Option<Marker>, PlanError> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| PlanError::read(path, error))?,
        };
        serde_json::from_str(&text).map(Some).map_err(|error| PlanError::Damaged {
            file: path.to_owned(),
            what: format!("it is no marker of a task ({error})"),
        })
    }
}
