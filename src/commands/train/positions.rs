//! `yose train positions`: positions from games that Yose plays against itself.

use anyhow::Result;
use serde_json::json;

use yose::training::data_set::PositionSource;
use yose::training::self_play::{SelfPlay, self_play};
use yose::training::stratified_sample::EmptiesRange;

use super::Exit;
use super::arguments::{OutputArgs, SampleArgs};
use super::files::write_positions;
use super::progress::Progress;
use crate::commands::common::WeightsArgs;

/// Collect positions from games that Yose plays against itself
///
/// A game begins with random moves. After these, most moves are the best ones by the evaluation,
/// and the others are random. Positions that are one to three random moves away from those of the
/// game are added. No two positions of the file are equal or symmetric. The same arguments give the
/// same file on every machine.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    sample: SampleArgs,

    /// Seed of the games
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

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
    let SampleArgs { empties, count, .. } = args.sample;
    let EmptiesRange { low, high } = empties;
    let origin = json!({
        "command": "positions",
        "empties": [low, high],
        "count": count,
        "seed": args.seed,
        "weights": weights,
        "excluded": excluded.len(),
    });
    let options = SelfPlay { empties, count, seed: args.seed };
    let mut progress = Progress::start("positions", count);
    let positions = self_play(&options, &evaluation, &excluded, |count| progress.set(count))?;
    drop(progress);
    write_positions(args.output.path(), positions, PositionSource::SelfPlay, &origin)?;
    Ok(Exit::Done)
}
