//! `yose train deviation`: how far the values of shallow searches lie from the scores.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;
use serde_json::json;

use yose::eval::{DEVIATION_DEPTHS, UNIT};
use yose::training::deviation::{Deviations, Measured, measure, smooth};

use super::files::{is_there, read_all, with_origin, write_weights};
use super::progress::Progress;
use super::{Exit, print};
use crate::commands::common::WeightsArgs;

/// Fit the deviation of shallow searches about the exact scores
///
/// For depths 0 to 6, the standard deviation of the exact score about the value of a search is
/// measured on exactly labelled positions of ten empties and more, and its logarithm fitted by a
/// line over the empties. The weights are written with it to a new file. Selective searches take
/// their margins from it.
///
/// The table that is printed shows, for each number of empties and each depth, the deviation as
/// measured and, behind a slash, as fitted, in discs.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files with exactly labelled positions
    #[arg(value_name = "FILES", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// The weight file to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if is_there(&args.output) {
        return Ok(Exit::Done);
    }
    let (evaluation, _) = args.weights.source().evaluation()?;
    let (weights, _) = args.weights.source().read()?;
    let samples = read_all(&args.files)?;
    let mut progress = Progress::start("positions measured", samples.len());
    let measured = measure(&samples, &evaluation, |done| progress.set(done))?;
    drop(progress);
    let deviation = smooth(&measured).with_context(|| args.output.display().to_string())?;
    let count: u64 = measured[0].iter().map(|moments| moments.count).sum();
    let origin = with_origin(&weights, "deviation_positions", json!(count));
    write_weights(&args.output, &weights.with_deviation(deviation, origin))?;
    print(&table(&measured, &deviation))?;
    Ok(Exit::Done)
}

fn table(measured: &Measured, deviation: &Deviations) -> String {
    let mut text = "empties  positions".to_owned();
    for depth in 0..DEVIATION_DEPTHS {
        let _ = write!(text, "     depth {depth}");
    }
    text.push('\n');
    for empties in 0..61 {
        if measured[0][empties].count == 0 {
            continue;
        }
        let _ = write!(text, "{empties:>7}  {:>9}", measured[0][empties].count);
        for depth in 0..DEVIATION_DEPTHS {
            let found = measured[depth][empties].deviation().unwrap_or_default();
            let fitted = f64::from(deviation[depth][empties]) / f64::from(UNIT);
            let _ = write!(text, "  {:>10}", format!("{found:.2}/{fitted:.2}"));
        }
        text.push('\n');
    }
    text
}
