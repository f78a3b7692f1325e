//! `yose train check`: errors of weights on labelled positions.

use anyhow::Result;

use yose::training::evaluation_errors::ErrorsByEmpties;

use super::arguments::LabelledArgs;
use super::{Exit, print};
use crate::commands::common::WeightsArgs;

/// Compare the values of the evaluation with the labels of positions
///
/// Prints the mean absolute error, the mean error and the root mean square error for each number of
/// empties, in discs. The mean error is above 0 if the values are too high on average.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    labelled: LabelledArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let (weights, _) = args.weights.source().read()?;
    let samples = args.labelled.read()?;
    print(&ErrorsByEmpties::of(&weights, &samples).to_string())?;
    Ok(Exit::Done)
}
