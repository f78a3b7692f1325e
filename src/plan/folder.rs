//! The names of the files of a plan.
//!
//! ```text
//! DIR/plan.json                          the manifest; a folder without it is no plan
//! DIR/tasks.jsonl                        a line for each task: its cost, its digest
//! DIR/ids.gz                             the identifiers of the input, in its order
//! DIR/entries.bin                        which entries of the input each row of a task answers
//! DIR/tasks/00000/00000017.csv           the positions of task 17
//! DIR/tasks/00000/00000017.done          the marker of the finished task
//! DIR/tasks/00000/00000017.HEX.results   its results
//! DIR/tasks/00000/00000017.XXX.journal   the results of an attempt that has not finished
//! DIR/tasks/00000/00000017.lock          locked by the process that solves the task
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The number of tasks whose files are in one folder. File systems are slow with folders of
/// millions of files.
const TASKS_IN_A_FOLDER: u64 = 1000;

/// The folder of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder with this path.
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder(path.into())
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The manifest.
    pub fn manifest(&self) -> PathBuf {
        self.0.join("plan.json")
    }

    pub(super) fn tasks(&self) -> PathBuf {
        self.0.join("tasks.jsonl")
    }

    pub(super) fn ids(&self) -> PathBuf {
        self.0.join("ids.gz")
    }

    pub(super) fn entries(&self) -> PathBuf {
        self.0.join("entries.bin")
    }

    /// The file of a task. Tasks are numbered from 1.
    pub fn task(&self, number: u64) -> PathBuf {
        self.0.join(task_name(number))
    }
}

/// The file of a task, seen from the folder of the plan.
pub(super) fn task_name(number: u64) -> String {
    format!("tasks/{:05}/{number:08}.csv", number / TASKS_IN_A_FOLDER)
}

/// The files of a task.
#[derive(Clone, Debug)]
pub(super) struct TaskFiles {
    folder: PathBuf,
    /// The number of the task, as it stands in the names.
    stem: String,
}

impl TaskFiles {
    /// The files beside the file of a task, and its number. `None` if this is no name of such a
    /// file.
    pub fn beside(task: &Path) -> Option<(TaskFiles, u64)> {
        let name = task.file_name()?.to_str()?;
        let stem = name.strip_suffix(".csv")?;
        let is_ours = |number: &u64| task_name(*number).ends_with(&format!("/{name}"));
        let number = stem.parse().ok().filter(is_ours)?;
        let folder = task.parent()?.to_owned();
        Some((TaskFiles { folder, stem: stem.to_owned() }, number))
    }

    pub fn marker(&self) -> PathBuf {
        self.folder.join(format!("{}.done", self.stem))
    }

    pub fn lock(&self) -> PathBuf {
        self.folder.join(format!("{}.lock", self.stem))
    }

    /// The name of the results with this digest. Two processes that solve one task at the same
    /// time have different results (their times differ), so neither replaces those of the other.
    pub fn results_name(&self, sha256: &str) -> String {
        format!("{}.{}.results", self.stem, &sha256[..16])
    }

    /// A file beside the task.
    pub fn named(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Makes a journal with a name of its own.
    pub fn new_journal(&self) -> io::Result<(fs::File, PathBuf)> {
        let prefix = format!("{}.", self.stem);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".journal").rand_bytes(8);
        #[cfg(unix)]
        let builder = {
            // As for other files, the mask of the process decides who may read it.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666))
        };
        builder.tempfile_in(&self.folder)?.keep().map_err(|error| error.error)
    }

    /// The journals, and results without a marker, of all attempts, in the order of their names.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn attempts(&self) -> io::Result<Vec<PathBuf>> {
        let prefix = format!("{}.", self.stem);
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            let of_attempt = name.to_str().is_some_and(|name| {
                name.starts_with(&prefix)
                    && (name.ends_with(".journal") || name.ends_with(".results"))
            });
            if of_attempt {
                found.push(self.folder.join(name));
            }
        }
        found.sort();
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_task_is_in_its_name() {
        let folder = Folder::new("plan");
        for number in [1, 999, 1000, 12_345_678] {
            let task = folder.task(number);
            let (files, read) = TaskFiles::beside(&task).expect("a task");
            assert_eq!(read, number);
            assert_eq!(files.marker(), task.with_extension("done"));
        }
        for name in ["17.csv", "00000017.txt", "x.csv", "+0000017.csv"] {
            assert!(TaskFiles::beside(Path::new(name)).is_none(), "{name}");
        }
    }
}
