//! `yose train regret`: the cost of imperfect move ordering.

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;

use yose::records::output::readable;
use yose::training::node_records::Reader;
use yose::training::regret::{Regret, RegretTable};

use super::{Exit, print};

/// Report what imperfect move ordering costs, from files of `yose train record`
///
/// Only cut nodes count: nodes with at least two moves, of which at least one fails high. Their
/// moves are ordered as in the search: hash moves first, then by value.
///
/// The table has a line for each number of empties and each band of margins. The margin is the
/// static value minus alpha, in discs. The columns:
///
/// by first: share of the nodes whose first move fails high.
///
/// nodes to cut-off: nodes of all moves up to the first that fails high.
///
/// min. nodes: nodes of the cheapest move that fails high.
///
/// ratio: nodes to cut-off / min. nodes.
///
/// geom. mean: geometric mean of the ratios of the single nodes.
///
/// cut move only: the ratio without the moves that fail low.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of records
    #[arg(value_name = "FILES", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let (mut table, mut records) = (RegretTable::default(), 0);
    for path in &args.files {
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| format!("{name}: cannot be read"))?;
        for record in Reader::new(file, &name)? {
            table.add(&record?);
            records += 1;
        }
    }
    let cut_nodes = table.total().iter().sum::<Regret>().cut_nodes;
    print(&format!(
        "{} records, of which {} are cut nodes\n{table}",
        readable(records),
        readable(cut_nodes)
    ))?;
    Ok(Exit::Done)
}
