//! A task of a plan: its rows, its lock, its marker.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::folder::{Folder, TaskFiles};
use super::manifest::{Manifest, Marker};
use super::results::{Results, Rows};
use super::{Attempt, PlanError};
use crate::batch::{StopCause, StopSignal};
use crate::digest::sha256_hex;

/// The time between two looks at a task that another process solves.
const PATIENCE: Duration = Duration::from_millis(200);

/// A task of a plan.
#[derive(Debug)]
pub struct Task {
    pub(super) manifest: Manifest,
    pub(super) files: TaskFiles,
    pub(super) number: u64,
    pub(super) rows: Rows,
    pub(super) sha256: String,
}

/// How an attempt on a task begins.
#[derive(Debug)]
pub enum Begun<'a> {
    /// The task is finished already.
    Finished(Marker),
    /// There is work to do.
    Attempt(Box<Attempt<'a>>),
    /// The run was stopped while another process solved the task.
    Stopped(StopCause),
}

impl Task {
    /// Reads a task and the manifest of its plan.
    ///
    /// # Errors
    /// If the file is no task of a plan, or if one of them cannot be read or is damaged.
    pub fn open(path: &Path) -> Result<Task, PlanError> {
        let path = &fs::canonicalize(path).map_err(|error| PlanError::read(path, error))?;
        let no_task = || PlanError::NoTask { file: path.clone() };
        let (files, number) = TaskFiles::beside(path).ok_or_else(no_task)?;
        let folder = Folder::new(path.ancestors().nth(3).ok_or_else(no_task)?);
        if *path != folder.task(number) {
            return Err(no_task());
        }
        let manifest = Manifest::read(&folder)?;
        let bytes = fs::read(path).map_err(|error| PlanError::read(path, error))?;
        let damaged = |what| PlanError::Damaged { file: path.clone(), what };
        let text = str::from_utf8(&bytes).map_err(|_| damaged("it is no text".to_owned()))?;
        let rows = Rows::read(text, &manifest.plan, number).map_err(damaged)?;
        Ok(Task { manifest, files, number, rows, sha256: sha256_hex(&bytes) })
    }

    /// Its number, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The manifest of its plan.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The number of its positions.
    pub fn positions(&self) -> usize {
        self.rows.len()
    }

    /// The marker, if the task is finished.
    ///
    /// # Errors
    /// If the marker cannot be read, or is that of another task or plan.
    pub fn marker(&self) -> Result<Option<Marker>, PlanError> {
        let path = self.files.marker();
        let Some(marker) = Marker::read(&path)? else { return Ok(None) };
        if marker.plan != self.manifest.plan || marker.task_sha256 != self.sha256 {
            let what = "it is the marker of another task or plan".to_owned();
            return Err(PlanError::Damaged { file: path, what });
        }
        Ok(Some(marker))
    }

    /// Begins an attempt: waits while another process solves the task, and reads the results that
    /// earlier attempts have left. Without `lock` it neither waits nor keeps others from solving
    /// the task too. `waiting` is called once if it waits.
    ///
    /// # Errors
    /// If the files of the task cannot be read or made.
    pub fn begin(
        &self,
        lock: bool,
        stop: &StopSignal,
        waiting: impl FnOnce(),
    ) -> Result<Begun<'_>, PlanError> {
        if let Some(marker) = self.marker()? {
            return Ok(Begun::Finished(marker));
        }
        let mut waiting = Some(waiting);
        let locked = loop {
            if let Some(cause) = stop.cause() {
                return Ok(Begun::Stopped(cause));
            }
            if !lock {
                break None;
            }
            let path = self.files.lock();
            let file = File::create(&path).map_err(|error| PlanError::write(&path, error))?;
            match file.try_lock() {
                Ok(()) if is_still(&file, &path) => break Some(file),
                // Its last owner has removed it.
                Ok(()) => continue,
                // This file system has no locks.
                Err(TryLockError::Error(_)) => break None,
                Err(TryLockError::WouldBlock) => {}
            }
            if let Some(waiting) = waiting.take() {
                waiting();
            }
            thread::sleep(PATIENCE);
            if let Some(marker) = self.marker()? {
                return Ok(Begun::Finished(marker));
            }
        };
        // Another process may have finished the task before the lock was ours.
        if let Some(marker) = self.marker()? {
            remove_lock(locked, self);
            return Ok(Begun::Finished(marker));
        }
        let mut results = Results::new(&self.rows, &self.manifest);
        let mut ignored = 0;
        let attempts =
            self.files.attempts().map_err(|error| PlanError::read(&self.files.lock(), error))?;
        for path in &attempts {
            let faults = results.add_file(path)?;
            ignored += faults.foreign + faults.damaged + faults.contradictions.len() as u64;
        }
        Ok(Begun::Attempt(Box::new(Attempt::new(self, results, locked, ignored))))
    }
}

/// Removes the lock file. Its lock is released afterwards.
pub(super) fn remove_lock(locked: Option<File>, task: &Task) {
    if locked.is_some() {
        // If it stays, it does no harm.
        let _ = fs::remove_file(task.files.lock());
    }
}

/// Whether the path still names this file.
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |one: &fs::Metadata, other: &fs::Metadata| {
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    };
    match (file.metadata(), fs::metadata(path)) {
        (Ok(one), Ok(other)) => same(&one, &other),
        _ => false,
    }
}

/// Other systems do not remove open files.
#[cfg(not(unix))]
fn is_still(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Whether a process solves the task with this lock: it has locked the file.
pub(super) fn is_locked(path: &Path) -> io::Result<bool> {
    match File::open(path) {
        Ok(file) => Ok(matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
