//! Makes a plan: reads a list, and cuts it into tasks of about equal predicted cost.
//!
//! 1. The list is read. Each entry gets a record with the predicted cost and the canonical form of
//!    its position, and goes to the sort. Its identifier goes to `ids.gz`.
//! 2. The records are read in their order: by cost, the most expensive first, and entries of one
//!    position together. So the positions are counted, and their costs summed up.
//! 3. They are read again and cut into tasks. A position that is more expensive than a task is a
//!    task of its own. The rest is cut at equal shares of its sum. As the costs fall, a share ends
//!    within one position of its bound.
//!
//! The cost of a position is a rough prediction: single ones differ from it by a factor of two or
//! more (`batch::cost`). The sums over tasks of many positions differ by less. Engines start the
//! tasks in their order, so the ones that may take longest begin first. (R. L. Graham, "Bounds on
//! Multiprocessing Timing Anomalies", SIAM Journal on Applied Mathematics 17 (1969), 416-429,
//! <https://doi.org/10.1137/0117039>, bounds the loss of this order.)

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::entries::{Orientation, Planned as PlannedEntry, RowEntry};
use super::folder::{Folder, task_name};
use super::manifest::{Manifest, PlanInput, SCHEMA, TaskLine};
use super::sort::{Sorted, Sorter};
use super::staging::Staging;
use super::{PlanError, SORT_MEMORY};
use crate::batch::Cost;
use crate::batch::cost::{Prediction, Total};
use crate::digest::hex;
use crate::eval::Evaluation;
use crate::othello::{Colour, Diagram, Position};
use crate::records::{Entry, Item, LineOrGame, Location, ReadError, ReadOptions, Reader, Source};
use crate::search::Window;

/// The largest number of positions in a task. A process that solves a task has their records in
/// memory.
const LARGEST_TASK: u64 = 100_000;

/// What is wanted of each position, and the size of the tasks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlanOptions {
    /// The scores that are found exactly.
    pub window: Window,
    /// Whether the score of every move is found.
    pub all_moves: bool,
    /// The nodes that a task should have.
    pub task_nodes: f64,
    /// The speed of a core, in nodes per second. It is only recorded.
    pub nodes_per_second: f64,
}

/// A plan that was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Planned {
    /// Its manifest.
    pub manifest: Manifest,
    /// The predicted nodes of the most expensive position.
    pub most_expensive: f64,
    /// The number of lines that could not be read. Each keeps its record in the results.
    pub invalid: u64,
}

/// Makes a plan of all positions of `sources` in the new folder `folder`. Messages about the input
/// go to `message`.
///
/// # Errors
/// If the folder exists and is not empty, or cannot be written; if the input has no position, or
/// cannot be read to its end.
pub fn make(
    sources: Vec<Source>,
    reading: ReadOptions,
    options: &PlanOptions,
    folder: &Path,
    message: &mut dyn FnMut(&dyn Display),
) -> Result<Planned, PlanError> {
    let staging = Staging::create(folder)?;
    let new = Folder::new(staging.path());
    fs::create_dir(new.path().join("tasks")).map_err(|error| PlanError::write(folder, error))?;
    let list = read_list(sources, reading, &new, message)?;
    let name = list.plan_name(options);
    let planner =
        Planner { folder: &new, evaluation: Evaluation::embedded(), options, name: &name };
    let sorted = list.sorted;
    let failed = |error| PlanError::write(folder, error);
    let sums = planner.sum_up(&sorted).map_err(failed)?;
    let tasks = planner.cut(&sorted, &sums).map_err(failed)?;
    let most_expensive = sums.most_expensive;
    drop(sorted);
    let manifest = Manifest {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        alpha: options.window.alpha().discs(),
        beta: options.window.beta().discs(),
        all_moves: options.all_moves,
        inputs: list.inputs,
        entries: list.entries,
        invalid: list.invalid,
        positions: sums.total.positions,
        tasks: tasks.count,
        alone: sums.alone,
        task_nodes: options.task_nodes,
        nodes_per_second: options.nodes_per_second,
        nodes: sums.total.nodes().into(),
        tasks_sha256: tasks.lines_sha256,
        ids_sha256: list.ids_sha256,
        entries_sha256: tasks.entries_sha256,
        plan: name,
    };
    let mut file = DigestFile::create(new.manifest()).map_err(failed)?;
    serde_json::to_writer_pretty(&mut file, &manifest).map_err(|error| failed(error.into()))?;
    file.write_all(b"\n").and_then(|()| file.finish()).map_err(failed)?;
    staging.commit()?;
    Ok(Planned { manifest, most_expensive, invalid: list.invalid })
}

/// The list, read once.
struct List {
    sorted: Sorted,
    inputs: Vec<PlanInput>,
    entries: u64,
    invalid: u64,
    ids_sha256: String,
    /// The digest of all positions in their order.
    positions: Sha256,
}

impl List {
    /// The identifier of the plan of this list. Another list, another selection from it or other
    /// options give another one.
    fn plan_name(&self, options: &PlanOptions) -> String {
        let PlanOptions { window, all_moves, task_nodes, .. } = *options;
        let mut digest = self.positions.clone();
        digest.update(self.ids_sha256.as_bytes());
        let window = [window.alpha().discs(), window.beta().discs()];
        window.iter().for_each(|bound| digest.update(bound.to_le_bytes()));
        digest.update([u8::from(all_moves), SCHEMA as u8]);
        digest.update(task_nodes.to_le_bytes());
        hex(&digest.finalize()[..6])
    }
}

/// What `ids.gz` has of an invalid line, behind its identifier.
#[derive(Serialize, serde::Deserialize)]
pub(super) struct InvalidLine {
    /// The location, and whether its number is that of a game.
    pub at: (String, bool, u64),
    pub column: usize,
    pub what: String,
    pub hint: String,
}

impl From<&ReadError> for InvalidLine {
    fn from(error: &ReadError) -> InvalidLine {
        let (is_game, number) = match error.location.at {
            LineOrGame::Line(number) => (false, number),
            LineOrGame::Game(number) => (true, number),
        };
        InvalidLine {
            at: (error.location.file.to_string(), is_game, number),
            column: error.column,
            what: error.what.clone(),
            hint: error.hint.clone(),
        }
    }
}

impl From<InvalidLine> for ReadError {
    fn from(InvalidLine { at, column, what, hint }: InvalidLine) -> ReadError {
        let (file, is_game, number) = at;
        let at = if is_game { LineOrGame::Game(number) } else { LineOrGame::Line(number) };
        ReadError { location: Location { file: file.into(), at }, column, what, hint }
    }
}

fn read_list(
    sources: Vec<Source>,
    reading: ReadOptions,
    folder: &Folder,
    message: &mut dyn FnMut(&dyn Display),
) -> Result<List, PlanError> {
    let failed = |error| PlanError::write(folder.path(), error);
    let evaluation = Evaluation::embedded();
    let mut sorter = Sorter::new(folder.path(), SORT_MEMORY).map_err(failed)?;
    let file = DigestFile::create(folder.ids()).map_err(failed)?;
    let mut ids = GzEncoder::new(file, Compression::fast());
    let (mut number, mut invalid, mut positions) = (0, 0, Sha256::new());
    let mut reader = Reader::new(sources, reading);
    for item in reader.by_ref() {
        let Entry { id, problem, .. } = match item {
            Item::Entry(entry) => entry,
            Item::Empty(empty) => {
                message(&empty);
                continue;
            }
            Item::MissingPositions(missing) => {
                message(&missing);
                continue;
            }
            Item::Failure(error) => return Err(PlanError::Input { what: error.to_string() }),
        };
        let line = match problem {
            Ok(problem) => {
                let (canonical, orientation) = Orientation::of(&problem.diagram);
                let cost = Prediction::of(&canonical, &evaluation).mean() as f32;
                let planned = PlannedEntry { cost, canonical, number, orientation }.to_bytes();
                positions.update(planned);
                sorter.push(&planned).map_err(failed)?;
                format!("+{id}\n")
            }
            Err(error) => {
                message(&error);
                invalid += 1;
                let line = serde_json::to_string(&InvalidLine::from(&error));
                format!("!{id}\t{}\n", line.expect("texts and numbers"))
            }
        };
        ids.write_all(line.as_bytes()).map_err(failed)?;
        number += 1;
    }
    if number == invalid {
        return Err(PlanError::Input { what: "the input has no position".to_owned() });
    }
    let ids_sha256 = ids.finish().and_then(DigestFile::finish).map_err(failed)?;
    Ok(List {
        sorted: sorter.finish().map_err(failed)?,
        inputs: reader.inputs().iter().map(PlanInput::from).collect(),
        entries: number,
        invalid,
        ids_sha256,
        positions,
    })
}

/// The sums over all positions.
#[derive(Default)]
struct Sums {
    total: Total,
    most_expensive: f64,
    /// The number of positions that are tasks of their own.
    alone: u64,
    /// The number of all others, and the sum of their costs.
    others: (u64, f64),
}

/// The tasks that were written.
struct Tasks {
    count: u64,
    lines_sha256: String,
    entries_sha256: String,
}

struct Planner<'a> {
    folder: &'a Folder,
    evaluation: Arc<Evaluation>,
    options: &'a PlanOptions,
    /// The identifier of the plan.
    name: &'a str,
}

impl Planner<'_> {
    /// Calls `each` for each entry, in the order of the sort. The second argument is the prediction
    /// of a position, with its first entry.
    fn for_each(
        &self,
        sorted: &Sorted,
        mut each: impl FnMut(PlannedEntry, Option<Prediction>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (mut merge, mut row) = (sorted.read()?, None);
        while let Some(bytes) = merge.next()? {
            let entry = PlannedEntry::of_bytes(bytes);
            let is_new =
                row.as_ref().is_none_or(|row: &[u8; PlannedEntry::ROW]| !bytes.starts_with(row));
            let prediction = is_new.then(|| {
                row = bytes[..PlannedEntry::ROW].try_into().ok();
                Prediction::of(&entry.canonical, &self.evaluation)
            });
            each(entry, prediction)?;
        }
        Ok(())
    }

    fn is_alone(&self, cost: f32) -> bool {
        f64::from(cost) >= self.options.task_nodes
    }

    fn sum_up(&self, sorted: &Sorted) -> io::Result<Sums> {
        let mut sums = Sums::default();
        self.for_each(sorted, |entry, prediction| {
            let Some(prediction) = prediction else { return Ok(()) };
            let cost = f64::from(entry.cost);
            sums.total.add(prediction);
            sums.most_expensive = sums.most_expensive.max(cost);
            if self.is_alone(entry.cost) {
                sums.alone += 1;
            } else {
                sums.others.0 += 1;
                sums.others.1 += cost;
            }
            Ok(())
        })?;
        Ok(sums)
    }

    fn cut(&self, sorted: &Sorted, sums: &Sums) -> io::Result<Tasks> {
        let shares = (sums.others.1 / self.options.task_nodes).ceil().max(1.0);
        let share = sums.others.1 / shares;
        let mut lines = DigestFile::create(self.folder.tasks())?;
        let mut entries = DigestFile::create(self.folder.entries())?;
        let mut task: Option<OpenTask> = None;
        let (mut count, mut before, mut bound) = (0, 0.0, share);
        self.for_each(sorted, |entry, prediction| {
            if let Some(prediction) = prediction {
                let cost = f64::from(entry.cost);
                let ends = if self.is_alone(entry.cost) {
                    true
                } else {
                    // The first of the others does not join the last that is alone.
                    let first = before == 0.0;
                    let over = before + cost / 2.0 > bound;
                    if over && !first {
                        bound += share;
                    }
                    before += cost;
                    first || over || task.as_ref().is_some_and(OpenTask::is_full)
                };
                if ends {
                    if let Some(task) = task.take() {
                        task.finish(&mut lines)?;
                    }
                    count += 1;
                    task = Some(OpenTask::create(self.folder, self.name, count)?);
                }
                task.as_mut().expect("a task").row(entry.canonical, prediction)?;
            }
            let row = task.as_mut().expect("a task").entry();
            let PlannedEntry { number, orientation, .. } = entry;
            entries.write_all(&RowEntry { row, number, orientation }.to_bytes())
        })?;
        if let Some(task) = task {
            task.finish(&mut lines)?;
        }
        let (lines_sha256, entries_sha256) = (lines.finish()?, entries.finish()?);
        Ok(Tasks { count, lines_sha256, entries_sha256 })
    }
}

/// A task that is being written.
struct OpenTask {
    number: u64,
    /// The beginning of the identifiers of its rows.
    prefix: String,
    file: DigestFile,
    cost: Cost,
    positions: u64,
    entries: u64,
}

impl OpenTask {
    fn create(folder: &Folder, plan: &str, number: u64) -> io::Result<OpenTask> {
        let path = folder.task(number);
        fs::create_dir_all(path.parent().expect("a folder"))?;
        let mut file = DigestFile::create(path)?;
        file.write_all(b"id,position\n")?;
        let prefix = row_prefix(plan, number);
        Ok(OpenTask { number, prefix, file, cost: Cost::ZERO, positions: 0, entries: 0 })
    }

    fn is_full(&self) -> bool {
        self.positions >= LARGEST_TASK
    }

    fn row(&mut self, position: Position, prediction: Prediction) -> io::Result<()> {
        self.positions += 1;
        self.cost += prediction.cost();
        let diagram = Diagram { position, to_move: Colour::Black };
        writeln!(self.file, "{}{},{diagram}", self.prefix, self.positions)
    }

    /// Counts an entry of the latest row, and returns the number of the row.
    fn entry(&mut self) -> u32 {
        self.entries += 1;
        (self.positions - 1) as u32
    }

    fn finish(self, lines: &mut DigestFile) -> io::Result<()> {
        let line = TaskLine {
            task: self.number,
            file: task_name(self.number),
            positions: self.positions,
            entries: self.entries,
            nodes: self.cost.range().into(),
            sha256: self.file.finish()?,
        };
        serde_json::to_writer(&mut *lines, &line)?;
        lines.write_all(b"\n")
    }
}

/// The beginning of the identifiers of a task's rows. The number of the row follows, from 1.
pub(super) fn row_prefix(plan: &str, task: u64) -> String {
    format!("{plan}/{task}:")
}

/// A new file, and the digest of what is written to it.
pub(super) struct DigestFile {
    file: BufWriter<File>,
    digest: Sha256,
}

impl DigestFile {
    pub fn create(path: PathBuf) -> io::Result<DigestFile> {
        let file = BufWriter::with_capacity(1 << 16, File::create_new(path)?);
        Ok(DigestFile { file, digest: Sha256::new() })
    }

    /// Forces the file to the disk, and returns its SHA-256 in hexadecimal.
    pub fn finish(mut self) -> io::Result<String> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        Ok(hex(&self.digest.finalize()))
    }
}

impl Write for DigestFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
