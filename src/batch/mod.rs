//! Many positions: what lies between reading a list and writing its scores.
//!
//! [`run`] takes the entries of a [`Reader`] in their order, has each one solved, and hands the records to a [`Sink`].
//! It holds one entry at a time, so the length of a list does not matter.
//!
//! The work on one entry is a function of its own, `solve`, which touches neither the reader nor the sink: threads can
//! run it side by side, with `run` dealing entries out and putting records back in order, and entries that were
//! finished in an earlier run can be left out before they come to it.
//!
//! Beside it: [`cost`] predicts what a position will take, [`Survey`] sums that up over the files before the work
//! begins, and [`Progress`] tells from both how far the work is. [`fingerprint`] runs a fixed list to show that a
//! search is the same as another.

pub mod cost;
pub mod fingerprint;
mod progress;
mod survey;

use std::time::Instant;

pub use progress::{Progress, Style};
pub use survey::{Survey, Workload};

use crate::records::output::{Record, Run, Sink, SinkError, Solved, Summary};
use crate::records::{Entry, Item, Reader};
use crate::search::{Request, Solver};

/// Solves every entry of `reader` and writes a record for each to `sink`, between the lines that tell of the run as a
/// whole.
///
/// What is wrong with a line or a file is told through `progress`, and the rest goes on.
///
/// # Errors
/// If the output takes no more; there is no use in solving on.
pub fn run(
    run: &Run,
    solver: &mut Solver,
    reader: &mut Reader,
    sink: &mut Sink,
    progress: &Progress,
) -> Result<Summary, SinkError> {
    let start = Instant::now();
    let mut summary = Summary::default();
    progress.make_way(|| sink.begin(run))?;
    for item in reader.by_ref() {
        match item {
            Item::Entry(entry) => {
                let record = solve(run, solver, entry, progress);
                if let Err(error) = &record.outcome {
                    progress.say(error);
                }
                summary.add(&record);
                progress.make_way(|| sink.record(&record))?;
            }
            Item::Empty { file } => progress.say(&format_args!("{file}: holds no positions")),
            Item::Short(short) => progress.say(&short),
            Item::Failure(error) => {
                summary.unreadable += 1;
                progress.say(&error);
            }
        }
    }
    summary.time = start.elapsed();
    summary.inputs = reader.inputs().to_vec();
    progress.make_way(|| sink.end(&summary))?;
    Ok(summary)
}

/// Turns one entry into its record.
fn solve(run: &Run, solver: &mut Solver, entry: Entry, progress: &Progress) -> Record {
    let outcome = entry.problem.map(|problem| {
        let position = problem.diagram.position;
        progress.begin(&position);
        let start = Instant::now();
        let solution = solver.solve(&Request { position, window: run.window, all_moves: run.all_moves });
        let time = start.elapsed();
        progress.finish(solution.nodes);
        Solved { diagram: problem.diagram, solution, time }
    });
    Record { id: entry.id, outcome }
}
