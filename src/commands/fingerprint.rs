//! `yose fingerprint`: the node counts of a fixed list, which change only with the search.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;

use yose::batch::fingerprint::{Difference, Fingerprint, LIST, Line};
use yose::output_file::{Existing, OutputFile};
use yose::records::Source;
use yose::records::output::readable;

use super::common::{ThreadArgs, WeightsArgs};
use super::{Exit, print};

/// Count the nodes of a fixed list of positions, to see whether the search has changed
///
/// Each position is solved on one thread with an empty transposition table of 16 MiB. The node
/// counts are the same on every machine and in every build tier; they change only with the search
/// and the weights. positions/fingerprint.txt has those of the embedded weights. The digest stands
/// for all of them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit status:
  0  done; no difference from the file
  1  there is a difference
  2  wrong usage, or a file that cannot be read or written")]
pub struct Args {
    /// Compare with FILE, and list the positions that differ
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "write")]
    check: Option<PathBuf>,

    /// Write the node counts to FILE, for a later --check; an existing file is replaced
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    write: Option<PathBuf>,

    /// Use the positions of FILE instead of the built-in list; `-` is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    list: Option<PathBuf>,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    // Read before the search, so that a wrong name costs no time.
    let recorded = match &args.check {
        None => None,
        Some(path) => {
            let name = path.display().to_string();
            let text =
                fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
            Some((Fingerprint::read(&text, &name)?, name))
        }
    };
    let (evaluation, _) = args.weights.source().evaluation()?;
    let list = args.list.as_deref().map_or(LIST, Source::of_argument);
    // Started before the search, for the same reason.
    let write = args.write.as_deref().map(|path| OutputFile::create(path, Existing::Replace));
    let write = write.transpose()?;
    let width = list.name().chars().count() + ":123".len();
    print(&row(width, "position", "empties", "score", "nodes"))?;
    let fingerprint =
        Fingerprint::compute(list, evaluation, args.threads.count(), |line: &Line| {
            let empties = line.diagram.position.empties().count().to_string();
            print(&row(width, &line.id, &empties, &line.score.to_string(), &readable(line.nodes)))
        })?;
    print(&format!(
        "{} positions, {} nodes\ndigest {}\n",
        fingerprint.lines.len(),
        readable(fingerprint.nodes()),
        fingerprint.digest()
    ))?;
    if let Some(mut output) = write {
        let name = output.present_name();
        output
            .write_all(fingerprint.write().as_bytes())
            .with_context(|| format!("{name}: cannot be written"))?;
        output.commit()?;
        print(&format!("written to {name}\n"))?;
    }
    let Some((recorded, name)) = recorded else { return Ok(Exit::Done) };
    let differences = fingerprint.differences(&recorded);
    if differences.is_empty() {
        print(&format!("the same as in {name}\n"))?;
        return Ok(Exit::Done);
    }
    print(&format!(
        "different from {name}, which has {} nodes and digest {}:\n",
        readable(recorded.nodes()),
        recorded.digest()
    ))?;
    for difference in &differences {
        print(&text(difference))?;
    }
    Ok(Exit::Different)
}

/// A line about one difference.
fn text(difference: &Difference) -> String {
    match difference {
        Difference::Changed { old, new } => {
            let score = match (old.score, new.score) {
                (old, new) if old == new => String::new(),
                (old, new) => format!(", score {old} -> {new}"),
            };
            format!(
                "  {}: {} -> {} nodes{score}\n",
                new.id,
                readable(old.nodes),
                readable(new.nodes)
            )
        }
        Difference::Added(line) => format!("  {}: is not in the file\n", line.id),
        Difference::Removed(line) => format!("  {}: is not in the list of positions\n", line.id),
        Difference::Order => "  the same positions, in another order or not as often\n".to_owned(),
    }
}

fn row(width: usize, id: &str, empties: &str, score: &str, nodes: &str) -> String {
    format!("{id:<width$}  {empties:>7}  {score:>5}  {nodes:>15}\n")
}
