//! The state of a plan: what is done, what runs, and how long the rest will take.
//!
//! Finished tasks say what they took. Their nodes relative to the predicted ones correct the
//! prediction of the others, and their nodes per second of search give the time.

use std::fs;
use std::time::{Duration, SystemTime};

use super::PlanError;
use super::collect::Collector;
use super::folder::{Folder, TaskFiles};
use super::join::for_each_task;
use super::manifest::{Manifest, Nodes};
use super::task::is_locked;

/// The number of tasks that are listed.
const LISTED: usize = 5;

/// A task, and the time that it took or takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TaskTime {
    /// Its number.
    pub task: u64,
    /// Its predicted nodes.
    pub predicted: Nodes,
    /// The nodes that it took; `None` while it runs.
    pub nodes: Option<u64>,
    /// The search time of all its records, in seconds; while it runs, the time since it began.
    pub seconds: f64,
}

/// The state of a plan.
#[derive(Clone, PartialEq, Debug)]
pub struct Status {
    /// The number of finished tasks.
    pub finished: u64,
    /// Their positions.
    pub positions: u64,
    /// Their predicted nodes.
    pub predicted: f64,
    /// The nodes that they took.
    pub nodes: f64,
    /// The sum of their times, in seconds.
    pub seconds: f64,
    /// The number of tasks that a process has locked.
    pub running: u64,
    /// The number of tasks that a process has left, with results.
    pub begun: u64,
    /// The number of all other tasks.
    pub waiting: u64,
    /// The predicted nodes of all tasks that are not finished.
    pub left: Nodes,
    /// The finished tasks that took longest, the longest first.
    pub slowest: Vec<TaskTime>,
    /// The tasks that have run longest, the longest first.
    pub longest: Vec<TaskTime>,
    /// The number of markers that are damaged, or of another plan.
    pub faults: u64,
}

impl Status {
    /// Reads the state of a plan. Results are not read.
    ///
    /// # Errors
    /// If the files of the plan are damaged or cannot be read.
    pub fn of(folder: &Folder, manifest: &Manifest) -> Result<Status, PlanError> {
        let mut status = Status {
            finished: 0,
            positions: 0,
            predicted: 0.0,
            nodes: 0.0,
            seconds: 0.0,
            running: 0,
            begun: 0,
            waiting: 0,
            left: Nodes { mean: 0.0, low: 0.0, high: 0.0 },
            slowest: Vec::new(),
            longest: Vec::new(),
            faults: 0,
        };
        for_each_task(folder, manifest, |line| {
            let path = folder.task(line.task);
            let (files, _) = TaskFiles::beside(&path).expect("the name of a task");
            let mut collector = Collector::new(folder, manifest, line.task);
            let marker = collector.marker(&files, &line.sha256);
            status.faults += collector.faults.len() as u64;
            let time = |nodes, seconds| TaskTime {
                task: line.task,
                predicted: line.nodes,
                nodes,
                seconds,
            };
            if let Some(marker) = marker {
                status.finished += 1;
                status.positions += line.positions;
                status.predicted += line.nodes.mean;
                status.nodes += marker.nodes as f64;
                status.seconds += marker.seconds;
                list(&mut status.slowest, time(Some(marker.nodes), marker.seconds));
                return Ok(());
            }
            status.left.mean += line.nodes.mean;
            status.left.low += line.nodes.low;
            status.left.high += line.nodes.high;
            if is_locked(&files.lock()).map_err(|error| PlanError::read(&files.lock(), error))? {
                status.running += 1;
                list(&mut status.longest, time(None, age(&files).as_secs_f64()));
            } else if files.attempts().is_ok_and(|attempts| !attempts.is_empty()) {
                status.begun += 1;
            } else {
                status.waiting += 1;
            }
            Ok(())
        })?;
        Ok(status)
    }

    /// The number of nodes that a predicted node turns out to be, as the finished tasks show it; 1
    /// if none is finished.
    pub fn correction(&self) -> f64 {
        if self.finished > 0 && self.predicted > 0.0 { self.nodes / self.predicted } else { 1.0 }
    }

    /// The search time of all tasks that are not finished, in seconds. The speed is that of the
    /// finished tasks, or `nodes_per_second` if there is none.
    pub fn seconds_left(&self, nodes_per_second: f64) -> Nodes {
        let speed = match self.seconds > 0.0 && self.nodes > 0.0 {
            true => self.nodes / self.seconds,
            false => nodes_per_second,
        };
        let seconds = |nodes: f64| nodes * self.correction() / speed;
        let Nodes { mean, low, high } = self.left;
        Nodes { mean: seconds(mean), low: seconds(low), high: seconds(high) }
    }
}

/// Adds a task to those that took longest.
fn list(tasks: &mut Vec<TaskTime>, task: TaskTime) {
    let at = tasks.partition_point(|other| other.seconds >= task.seconds);
    tasks.insert(at, task);
    tasks.truncate(LISTED);
}

/// The time since a running task was locked.
fn age(files: &TaskFiles) -> Duration {
    let since = fs::metadata(files.lock()).and_then(|file| file.modified());
    since.ok().and_then(|time| SystemTime::now().duration_since(time).ok()).unwrap_or_default()
}
