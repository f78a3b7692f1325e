//! `yose train show`: the content of a weight file.

use anyhow::Result;
use clap::ValueHint;

use yose::eval::{DEVIATION_DEPTHS, Evaluation, UNIT};
use yose::records::output::readable;

use super::{Exit, print};
use crate::commands::common::WeightsSource;

/// Print what a weight file contains, and how it was made
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Weight file, `embedded`, or `zero` for weights that are all 0
    #[arg(value_name = "WEIGHTS", default_value = "embedded", value_hint = ValueHint::FilePath)]
    weights: WeightsSource,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let (weights, name) = args.weights.read()?;
    let stages: Vec<String> =
        weights.stages().iter().map(|stage| stage.empties.to_string()).collect();
    let deviation = |empties: usize| {
        let discs = (0..DEVIATION_DEPTHS)
            .map(|depth| f64::from(weights.deviation()[depth][empties]) / f64::from(UNIT));
        discs.map(|discs| format!("{discs:.1}")).collect::<Vec<_>>().join(" ")
    };
    let parameters = match weights.parameters() {
        none if none.is_empty() => "the start values of a fit".to_owned(),
        parameters => parameters
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join(", "),
    };
    print(&format!(
        "weights: {name}\norigin: {}\nstages at {} empties\n{} bytes in a file, {} in memory\n\
         standard deviation at depths 0 to 6, in discs: {} at 12 empties, {} at 24\n\
         parameters of the search: {parameters}\n",
        weights.origin(),
        stages.join(", "),
        readable(weights.write().len() as u64),
        readable(Evaluation::new(&weights).bytes() as u64),
        deviation(12),
        deviation(24),
    ))?;
    Ok(Exit::Done)
}
