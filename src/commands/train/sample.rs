//! `yose train sample`: positions from Yose's own search trees.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueHint;
use serde_json::json;

use yose::othello::Position;
use yose::training::data_set::PositionSource;
use yose::training::stratified_sample::EmptiesRange;
use yose::training::tree_sampling::{TreeSampling, sample_search_trees};

use super::Exit;
use super::arguments::{OutputArgs, SampleArgs};
use super::files::{describe, read, write_positions};
use super::progress::Progress;
use crate::commands::common::WeightsArgs;

/// Collect positions that Yose's search evaluates for move ordering
///
/// Solves the positions of ROOTS one after the other, and collects positions from their search
/// trees until there are enough.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Positions to solve, a file of `yose train positions`
    #[arg(value_name = "ROOTS", value_hint = ValueHint::FilePath)]
    roots: PathBuf,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    sample: SampleArgs,

    /// Consider about one in N of the positions that a search evaluates
    #[arg(
        long,
        value_name = "N",
        default_value_t = 16,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    one_in: u64,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if args.output.exists() {
        return Ok(Exit::Done);
    }
    let (evaluation, weights) = args.weights.source().evaluation()?;
    let excluded = args.sample.read_excluded()?;
    let data = read(&args.roots)?;
    let SampleArgs { empties, count, .. } = args.sample;
    let EmptiesRange { low, high } = empties;
    let origin = json!({
        "command": "sample",
        "roots": describe(&args.roots, &data)?,
        "empties": [low, high],
        "count": count,
        "one_in": args.one_in,
        "weights": weights,
        "excluded": excluded.len(),
    });
    let roots: Vec<Position> = data.samples.iter().map(|sample| sample.position).collect();
    let sampling = TreeSampling { empties, count, one_in: args.one_in };
    let mut progress = Progress::start("positions", count);
    let set = |_, count| progress.set(count);
    let positions = sample_search_trees(&roots, &sampling, &evaluation, &excluded, set)?;
    drop(progress);
    write_positions(args.output.path(), positions, PositionSource::SearchTree, &origin)?;
    Ok(Exit::Done)
}
