//! `yose train check`: how good weights are.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueHint;

use yose::training::check::Tallies;

use super::{Exit, print, read_data, read_weights};

/// Compare the values that weights give with the labels of positions
///
/// Prints, for each number of empties, the mean absolute error, the mean error (above 0 where positions are valued too
/// high) and the root of the mean squared error, in discs.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files with labelled positions
    #[arg(value_name = "FILES", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// The weight file; without it, the weights that are part of the program
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    weights: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let weights = read_weights(args.weights.as_deref())?;
    let (samples, _) = read_data(&args.files)?;
    print(&Tallies::of(&weights, &samples).to_string())?;
    Ok(Exit::Done)
}
