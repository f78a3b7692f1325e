//! `yose train check`: how good weights are.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueHint;

use yose::training::check::Tallies;

use super::files::read_all;
use super::{Exit, print};
use crate::commands::common::WeightsArgs;

/// Compare the values that weights give with the labels of positions
///
/// Prints, for each number of empties, the mean absolute error, the mean error (above 0 where
/// positions are valued too high) and the root of the mean squared error, in discs.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files with labelled positions
    #[arg(value_name = "FILES", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let (weights, _) = args.weights.source().read()?;
    let samples = read_all(&args.files)?;
    print(&Tallies::of(&weights, &samples).to_string())?;
    Ok(Exit::Done)
}
