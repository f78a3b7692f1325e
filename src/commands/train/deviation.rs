//! `yose train deviation`: standard deviations of depth-limited searches.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde_json::json;

use yose::eval::{DEVIATION_DEPTHS, UNIT};
use yose::training::deviation::{Deviations, MeasuredErrors, fit_deviations, measure_errors};

use super::arguments::{LabelledArgs, OutputArgs};
use super::files::{with_origin, write_weights};
use super::progress::Progress;
use super::{Exit, print};
use crate::commands::common::WeightsArgs;

/// Fit the standard deviations of depth-limited searches, for the margins of ProbCut
///
/// Measures how far the values of searches of 0 to 6 plies lie from the exact scores, on the
/// exactly labelled positions with ten empties or more. For each depth, the logarithm of the
/// standard deviation is fitted by a line over the empties. The output is a weight file: the given
/// weights with these standard deviations.
///
/// Prints a table of measured/fitted standard deviations in discs.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    labelled: LabelledArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if args.output.exists() {
        return Ok(Exit::Done);
    }
    let output = args.output.path();
    let (evaluation, _) = args.weights.source().evaluation()?;
    let (weights, _) = args.weights.source().read()?;
    let samples = args.labelled.read()?;
    let mut progress = Progress::start("positions measured", samples.len());
    let errors = measure_errors(&samples, &evaluation, |done| progress.set(done))?;
    drop(progress);
    let deviations = fit_deviations(&errors).with_context(|| output.display().to_string())?;
    let count: u64 = errors[0].iter().map(|sums| sums.count).sum();
    let origin = with_origin(&weights, "deviation_positions", json!(count));
    write_weights(output, &weights.with_deviation(deviations, origin))?;
    print(&table(&errors, &deviations))?;
    Ok(Exit::Done)
}

fn table(errors: &MeasuredErrors, deviations: &Deviations) -> String {
    let mut text = "empties  positions".to_owned();
    for depth in 0..DEVIATION_DEPTHS {
        let _ = write!(text, "     depth {depth}");
    }
    text.push('\n');
    for empties in 0..61 {
        if errors[0][empties].count == 0 {
            continue;
        }
        let _ = write!(text, "{empties:>7}  {:>9}", errors[0][empties].count);
        for depth in 0..DEVIATION_DEPTHS {
            let measured = errors[depth][empties].deviation().unwrap_or_default();
            let fitted = f64::from(deviations[depth][empties]) / f64::from(UNIT);
            let _ = write!(text, "  {:>10}", format!("{measured:.2}/{fitted:.2}"));
        }
        text.push('\n');
    }
    text
}
