//! Plans: lists that are too long for one machine, cut into tasks for an engine that runs them on
//! many.
//!
//! | part | purpose |
//! |---|---|
//! | [`make()`] | cuts a list into tasks of about equal predicted cost |
//! | [`Task`], [`Attempt`] | solves a task, and continues what an earlier attempt left |
//! | [`join()`] | joins the results of all tasks in the order of the list |
//! | [`Status`] | what is done, what runs, and how long the rest will take |
//! | `sort` | sorts more records than fit into memory |
//! | [`Folder`], [`Manifest`] | the files of a plan |
//!
//! Positions that are equal but for symmetry are one *row* of one task, in their canonical form.
//! `entries.bin` says which entries of the list a row answers, and by which symmetry.
//!
//! What must hold: memory does not depend on the length of the list. A plan has its folder only
//! when it is complete. A task may be killed, or be solved by several processes at once, at any
//! moment: each process writes files of its own, and the marker of a finished task names the file
//! that counts. Locks only save work. Every result is compared with its row before it is used.

mod attempt;
mod collect;
mod entries;
mod folder;
mod join;
mod make;
mod manifest;
mod results;
mod sort;
mod staging;
mod status;
mod stored;
mod task;
mod writer;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::batch::RunError;

pub use attempt::{Attempt, Setting};
pub use collect::TaskFault;
pub use folder::Folder;
pub use join::{Joined, join};
pub use make::{PlanOptions, Planned, make};
pub use manifest::{Manifest, Marker, Nodes, PlanInput, TaskLine};
pub use status::{Status, TaskTime};
pub use task::{Begun, Task};
pub use writer::{ResultWriter, is_json};

/// The memory of a sort, in bytes.
const SORT_MEMORY: usize = 64 << 20;

/// Why a plan cannot be made, a task not be solved, or results not be joined.
#[derive(Debug, Error)]
pub enum PlanError {
    /// The folder exists and is not empty.
    #[error("{folder}: exists already, and may hold a plan", folder = .folder.display())]
    Exists {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder has no manifest.
    #[error("{folder}: holds no finished plan: it has no plan.json", folder = .folder.display())]
    NoPlan {
        /// The folder.
        folder: PathBuf,
    },
    /// The file is no task of a plan.
    #[error(
        "{file}: is no task of a plan, such as DIR/tasks/00000/00000001.csv",
        file = .file.display()
    )]
    NoTask {
        /// The file.
        file: PathBuf,
    },
    /// A file of a plan is not as it was written.
    #[error("{file}: {what}", file = .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The input has no position, or cannot be read whole.
    #[error("{what}, so no plan is made")]
    Input {
        /// What is wrong.
        what: String,
    },
    /// A file cannot be read.
    #[error("{file}: cannot be read: {error}", file = .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("{file}: cannot be written: {error}", file = .file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The output cannot be written.
    #[error("the output cannot be written: {error}")]
    Output {
        /// The system's reason.
        error: io::Error,
    },
    /// The run over the rows of a task failed.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl PlanError {
    fn read(file: &Path, error: io::Error) -> PlanError {
        PlanError::Read { file: file.to_owned(), error }
    }

    fn write(file: &Path, error: io::Error) -> PlanError {
        PlanError::Write { file: file.to_owned(), error }
    }
}
