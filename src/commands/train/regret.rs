//! `yose train regret`: what the order of moves costs, from files of records.

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;

use yose::records::output::readable;
use yose::training::evidence::Reader;
use yose::training::regret::{Regrets, sum};

use super::{Exit, print};

/// Tell from records what the order of moves costs
///
/// The files are made by `yose train record`, in builds with the feature `record`. What counts are
/// cut nodes: those with two moves or more of which at least one refutes. The ordering is the one
/// that was recorded: hash moves first, then by value.
///
/// The table has a line for each number of empties, and for the bands of margins within it: how
/// many discs the evaluation believes the node to lie above what is asked. `by first` is the share
/// of nodes that the ordering's first move cuts; `ordering's nodes` are those that it spends until
/// a move refutes, `cheapest's` those of the cheapest move that does. `ratio` is the one sum over
/// the other, `mean ratio` the geometric mean of the nodes' ratios. `refuter first` is what the
/// ratio would be if nothing was spent on moves that do not refute: what is left of it is the price
/// of the wrong refuters.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of records
    #[arg(value_name = "FILES", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let (mut regrets, mut records) = (Regrets::default(), 0);
    for path in &args.files {
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| format!("{name}: cannot be read"))?;
        for evidence in Reader::new(file, &name)? {
            regrets.add(&evidence?);
            records += 1;
        }
    }
    let cut = sum(&regrets.total()).cut_nodes;
    print(&format!(
        "{} records, of which {} are cut nodes\n{regrets}",
        readable(records),
        readable(cut)
    ))?;
    Ok(Exit::Done)
}
