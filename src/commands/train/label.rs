//! `yose train label`: labels of positions.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;
use serde_json::json;

use yose::training::label::{LabelOptions, label_all};

use super::arguments::OutputArgs;
use super::files::{describe, read};
use super::progress::Progress;
use super::{Exit, report};
use crate::commands::common::WeightsArgs;

/// Label positions with their scores
///
/// Positions with few empties are solved exactly. All others are searched to a limited depth with
/// the given weights. Interrupted work is kept in a file beside the output, with `.part` appended
/// to its name, and the same command continues it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Positions to label, a file of `yose train positions` or `yose train sample`
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    #[command(flatten)]
    output: OutputArgs,

    /// Solve positions with at most N empties exactly
    #[arg(
        long,
        value_name = "N",
        default_value_t = 13,
        value_parser = clap::value_parser!(u32).range(0..=60)
    )]
    exact_to: u32,

    /// Depth of the search for all other positions, in plies
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = 6,
        value_parser = clap::value_parser!(u8).range(0..=60)
    )]
    depth: u8,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if args.output.exists() {
        return Ok(Exit::Done);
    }
    let output = args.output.path();
    let (evaluation, weights) = args.weights.source().evaluation()?;
    let data = read(&args.file)?;
    let origin = json!({
        "command": "label",
        "exact_to": args.exact_to,
        "depth": args.depth,
        "weights": weights,
        "positions": describe(&args.file, &data)?,
    });
    let options = LabelOptions { max_exact_empties: args.exact_to, depth: args.depth };
    let mut progress = Progress::start("positions labelled", data.samples.len());
    let set = |done| progress.set(done);
    let result = label_all(&data.samples, &options, &evaluation, output, &origin.to_string(), set);
    drop(progress);
    result.with_context(|| output.display().to_string())?;
    report(&format!("{}: {} positions labelled", output.display(), data.samples.len()));
    Ok(Exit::Done)
}
