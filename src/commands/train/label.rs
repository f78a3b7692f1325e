//! `yose train label`: giving positions their scores.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;
use serde_json::json;

use yose::training::label::{Rule, label_all};

use super::files::{describe, is_there, read};
use super::progress::Progress;
use super::{Exit, say};
use crate::commands::common::WeightsArgs;

/// Give positions their scores
///
/// Positions with few empties are solved exactly, all others searched some plies deep with the
/// weights so far. Results are kept in blocks as they come, in a file beside the output; after an
/// interruption the same command goes on behind the last block.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file of positions
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The file of labelled positions to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// Solve positions with at most so many empties exactly
    #[arg(long, value_name = "EMPTIES", default_value_t = 13, value_parser = clap::value_parser!(u32).range(0..=60))]
    exact_to: u32,

    /// Search all others so many plies deep
    #[arg(long, value_name = "PLIES", default_value_t = 6, value_parser = clap::value_parser!(u8).range(0..=60))]
    depth: u8,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if is_there(&args.output) {
        return Ok(Exit::Done);
    }
    let (evaluation, weights) = args.weights.source().evaluation()?;
    let data = read(&args.file)?;
    let origin = json!({
        "command": "label",
        "exact_to": args.exact_to,
        "depth": args.depth,
        "weights": weights,
        "positions": describe(&args.file, &data)?,
    });
    let rule = Rule { exact_to: args.exact_to, depth: args.depth };
    let mut progress = Progress::start("positions labelled", data.samples.len());
    let result =
        label_all(&data.samples, &rule, &evaluation, &args.output, &origin.to_string(), |done| {
            progress.set(done)
        });
    drop(progress);
    result.with_context(|| args.output.display().to_string())?;
    say(&format!("{}: {} positions labelled", args.output.display(), data.samples.len()));
    Ok(Exit::Done)
}
