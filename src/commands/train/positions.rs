//! `yose train positions`: positions from games of Yose against itself.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueHint;
use serde_json::json;

use yose::training::data::Origin;
use yose::training::pool::Empties;
use yose::training::self_play::{SelfPlay, self_play};

use super::Exit;
use super::files::{is_there, parse_empties, read_positions, write_positions};
use super::progress::Progress;
use crate::commands::common::WeightsArgs;

/// Make positions by playing games
///
/// A game begins with random moves and goes on with those that the evaluation likes best, mixed
/// with random ones; positions that lie a few random moves away are taken as well. No position is
/// symmetric to another, and no game is over. The same arguments give the same positions on every
/// machine.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file of positions to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// How many empties the positions have: a range such as 8-13, or one number
    #[arg(long, value_name = "RANGE", value_parser = parse_empties)]
    empties: Empties,

    /// How many positions, shared evenly among the numbers of empties; fewer where there are not as
    /// many
    #[arg(long, value_name = "COUNT")]
    count: usize,

    /// The seed of the games
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

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
    let Empties { low, high } = args.empties;
    let origin = json!({
        "command": "positions",
        "empties": [low, high],
        "count": args.count,
        "seed": args.seed,
        "weights": weights,
        "excluded": known.len(),
    });
    let wanted = SelfPlay { empties: args.empties, count: args.count, seed: args.seed };
    let mut progress = Progress::start("positions", args.count);
    let positions = self_play(&wanted, &evaluation, &known, |count| progress.set(count));
    drop(progress);
    write_positions(&args.output, positions, Origin::SelfPlay, &origin)?;
    Ok(Exit::Done)
}
