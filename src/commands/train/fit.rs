//! `yose train fit`: weights from labelled positions.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueHint;
use serde_json::json;

use yose::training::fit::{Options, Step, fit};

use super::{Exit, is_there, print, read_data, say, write_weights};

/// Fit weights to labelled positions
///
/// Weighted linear least squares over all stages at once, by conjugate gradients, on all cores. One position in forty is held out, by a
/// hash of its board; the weights that predict those best are kept. The state is written to a file beside the output every
/// twenty seconds, and a fit that was interrupted goes on from there.
///
/// The table of the held-out positions' errors goes to standard output.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files with labelled positions
    #[arg(value_name = "FILES", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// The weight file to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// The empties of the stages, ascending; between two of them, weights are blended
    #[arg(long, value_name = "EMPTIES", value_delimiter = ',', default_values_t = Options::default().stages)]
    stages: Vec<u8>,

    /// How strongly weights are held at zero: as many even positions as would pull as hard
    #[arg(long, value_name = "STRENGTH", default_value_t = Options::default().ridge)]
    ridge: f32,

    /// How strongly weights are held at those of the neighbouring stages, in the same unit
    #[arg(long, value_name = "STRENGTH", default_value_t = Options::default().smooth)]
    smooth: f32,

    /// How many iterations there are at most
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().iterations)]
    iterations: u32,

    /// After how many iterations without a gain on held-out positions the fit ends
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().patience)]
    patience: u32,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if is_there(&args.output) {
        return Ok(Exit::Done);
    }
    let (samples, _) = read_data(&args.files)?;
    let options = Options {
        stages: args.stages,
        ridge: args.ridge,
        smooth: args.smooth,
        iterations: args.iterations,
        patience: args.patience,
    };
    let checkpoint = args.output.with_added_extension("state");
    say(&format!("fitting {} stages to {} positions", options.stages.len(), samples.len()));
    let show = |step: &Step| {
        let Step { iteration, training, validation } = step;
        say(&format!("iteration {iteration:>3}: error {training:.4} discs, held out {validation:.4}"));
    };
    let mut fitted = fit(&samples, &options, String::new(), Some(&checkpoint), show)?;
    let held_out: serde_json::Map<_, _> = fitted
        .held_out
        .known()
        .map(|(empties, tally)| (empties.to_string(), json!((tally.mean_absolute() * 100.0).round() / 100.0)))
        .collect();
    let origin = json!({
        "positions": fitted.fitted,
        "ridge": options.ridge,
        "smooth": options.smooth,
        "iteration": fitted.iteration,
        "held_out_mae": held_out,
    });
    fitted.weights = fitted.weights.with_origin(origin.to_string());
    write_weights(&args.output, &fitted.weights)?;
    // Its work is done; that it stays does no harm.
    let _ = std::fs::remove_file(checkpoint);
    print(&format!(
        "{} positions fitted, {} held out; iteration {}; {} weights cut to the largest\n{}",
        fitted.fitted,
        fitted.held_out.total().count,
        fitted.iteration,
        fitted.cut,
        fitted.held_out
    ))?;
    Ok(Exit::Done)
}
