//! `yose merge` with the folder of a plan: joins the results of its tasks, or prints its state.

use std::env;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Error, Result};

use yose::plan::{Folder, Joined, Manifest, Nodes, PlanError, Status, TaskFault, TaskTime, join};
use yose::plan::{ResultWriter, is_json};
use yose::records::Source;
use yose::records::output::readable;

use super::common::{Destination, OutputFileArgs, Unfinished, is_parquet};
use super::estimate::{node_text, span};
use super::{Exit, output_error, print, say};

/// The number of faults that are printed.
const LISTED: u64 = 20;

/// Joins the results of the plan in `folder`.
pub fn run(folder: &Path, output: &OutputFileArgs) -> Result<Exit> {
    let plan = Folder::new(folder);
    let manifest = Manifest::read(&plan)?;
    let parquet = output.path().is_some_and(is_parquet);
    let inputs = [Source::File(plan.manifest())];
    let destination = match parquet {
        true => output.parquet_destination(&inputs)?,
        false => output.destination(&inputs)?,
    };
    let mut stream = destination.open(output.force, Unfinished::Removed)?;
    // Temporary files are as large as the results: beside them there is room.
    let scratch = match destination {
        Destination::File(path) | Destination::Compressed(path, _) | Destination::Parquet(path) => {
            path.parent().map(Path::to_owned)
        }
        _ => None,
    };
    let scratch = scratch.map_or_else(env::temp_dir, |path| {
        if path.as_os_str().is_empty() { ".".into() } else { path }
    });
    let is_json = parquet || output.path().is_some_and(is_json);
    let mut listed = 0;
    let mut report = |fault: &TaskFault| {
        listed += 1;
        if listed <= LISTED {
            say(&fault.to_string());
        }
    };
    let mut writer = ResultWriter::new(is_json, &manifest);
    let mut out = BufWriter::with_capacity(1 << 16, &mut stream);
    let begun = out.write_all(writer.header().as_bytes());
    let mut write = |record| out.write_all(writer.record(&record));
    let result = match begun {
        Ok(()) => join(&plan, &manifest, &scratch, &mut report, &mut write),
        Err(error) => Err(PlanError::Output { error }),
    };
    let result = result.and_then(|joined| {
        let footer = if joined.missing == 0 { writer.footer() } else { Vec::new() };
        let written = out.write_all(&footer).and_then(|()| out.flush());
        written.map(|()| joined).map_err(|error| PlanError::Output { error })
    });
    drop(out);
    let joined = match result {
        Ok(joined) => joined,
        Err(PlanError::Output { error }) => return Err(stream.error(output_error(error))),
        Err(error) => return Err(Error::new(error)),
    };
    stream.finish()?;
    if listed > LISTED {
        say(&format!("{} more faults", readable(listed - LISTED)));
    }
    say(&summary(&joined, &manifest));
    Ok(if joined.contradictions > 0 {
        Exit::Different
    } else if joined.missing > 0 || joined.finished < manifest.tasks {
        Exit::Limit
    } else {
        Exit::Done
    })
}

fn summary(joined: &Joined, manifest: &Manifest) -> String {
    let mut text = String::new();
    for id in &joined.missing_ids {
        text += &format!("no result: {id}\n");
    }
    let more = joined.missing - joined.missing_ids.len() as u64;
    if more > 0 {
        text += &format!("no result: {} more\n", readable(more));
    }
    text += &format!(
        "yose: {} of {} results; {} of {} tasks finished",
        readable(joined.records),
        readable(manifest.entries),
        readable(joined.finished),
        readable(manifest.tasks)
    );
    for (count, what) in [
        (joined.begun, "begun"),
        (joined.waiting, "not begun"),
        (joined.invalid, "invalid"),
        (joined.contradictions, "contradictory"),
        (joined.faults, "faulty files"),
    ] {
        if count > 0 {
            text += &format!(", {} {what}", readable(count));
        }
    }
    text
}

/// Prints the state of the plan in `folder`.
pub fn status(folder: &Path) -> Result<Exit> {
    let plan = Folder::new(folder);
    let manifest = Manifest::read(&plan)?;
    let status = Status::of(&plan, &manifest)?;
    print(&status_text(&status, &manifest))?;
    Ok(Exit::Done)
}

fn status_text(status: &Status, manifest: &Manifest) -> String {
    let all = status.predicted + status.left.mean;
    let share = if all > 0.0 { 100.0 * status.predicted / all } else { 100.0 };
    let mut text = format!(
        "plan {}: {} of {} tasks are finished, {share:.1} % of the predicted nodes\n",
        manifest.plan,
        readable(status.finished),
        readable(manifest.tasks)
    );
    text += &format!(
        "{} running, {} left by a process that ended, {} not begun\n",
        readable(status.running),
        readable(status.begun),
        readable(status.waiting)
    );
    if status.faults > 0 {
        text += &format!("{} markers are damaged or of another plan\n", readable(status.faults));
    }
    if status.finished > 0 {
        text += &format!(
            "finished: {} nodes, {:.2} times the prediction, in {} of search\n",
            node_text(status.nodes),
            status.correction(),
            span(status.seconds)
        );
    }
    if status.finished < manifest.tasks {
        let Nodes { mean, .. } = status.seconds_left(manifest.nodes_per_second);
        text += &format!("left: {} of search", span(mean));
        if status.running > 0 {
            text += &format!(
                "; {} with {} running, one core each",
                span(mean / status.running as f64),
                readable(status.running)
            );
        }
        text += "\n";
    }
    for (title, tasks) in [("slowest", &status.slowest), ("running longest", &status.longest)] {
        for TaskTime { task, predicted, nodes, seconds } in tasks {
            text += &format!("{title}: task {task}, {}", span(*seconds));
            if let Some(nodes) = nodes {
                text += &format!(", {} nodes", node_text(*nodes as f64));
            }
            text += &format!(", predicted {}\n", node_text(predicted.mean));
        }
    }
    text
}
