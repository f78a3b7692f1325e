//! `yose train sample`: positions from Yose's own search trees.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueHint;
use serde_json::json;

use yose::othello::Position;
use yose::training::data::Origin;
use yose::training::pool::Empties;
use yose::training::tree::{Sampling, sample_trees};

use super::Exit;
use super::files::{describe, is_there, parse_empties, read, read_positions, write_positions};
use super::progress::Progress;
use crate::commands::common::WeightsArgs;

/// Sample the boards that Yose's search meets while it orders moves
///
/// The positions of ROOTS are solved one after the other until there are as many boards as wanted,
/// or no roots are left.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A file of positions to solve
    #[arg(value_name = "ROOTS", value_hint = ValueHint::FilePath)]
    roots: PathBuf,

    /// The file of positions to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// How many empties the boards have: a range such as 12-20, or one number
    #[arg(long, value_name = "RANGE", value_parser = parse_empties)]
    empties: Empties,

    /// How many boards, shared evenly among the numbers of empties; fewer where the roots do not
    /// give as many
    #[arg(long, value_name = "COUNT")]
    count: usize,

    /// Look at about one in so many of the boards that a search meets
    #[arg(long, value_name = "NUMBER", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    one_in: u64,

    #[command(flatten)]
    weights: WeightsArgs,

    /// A file of positions that are not wanted again; may be given several times
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    exclude: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if is_there(&args.output) {
        return Ok(Exit::Done);
    }
    let (evaluation, weights) = args.weights.source().evaluation()?;
    let known = read_positions(&args.exclude)?;
    let data = read(&args.roots)?;
    let Empties { low, high } = args.empties;
    let origin = json!({
        "command": "sample",
        "roots": describe(&args.roots, &data)?,
        "empties": [low, high],
        "count": args.count,
        "one_in": args.one_in,
        "weights": weights,
        "excluded": known.len(),
    });
    let roots: Vec<Position> = data.samples.iter().map(|sample| sample.position).collect();
    let wanted = Sampling { empties: args.empties, count: args.count, one_in: args.one_in };
    let mut progress = Progress::start("boards", args.count);
    let boards =
        sample_trees(&roots, &wanted, &evaluation, &known, |_, count| progress.set(count))?;
    drop(progress);
    write_positions(&args.output, boards, Origin::SearchTree, &origin)?;
    Ok(Exit::Done)
}
