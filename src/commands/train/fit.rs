//! `yose train fit`: weights from labelled positions.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueHint;
use serde_json::{Map, Value, json};

use yose::training::check::Tallies;
use yose::training::fit::{Options, Step, fit};

use super::files::{is_there, read, write_weights};
use super::{Exit, print, say};

/// Fit weights to labelled positions
///
/// Weighted linear least squares over all stages at once, by conjugate gradients, on all cores. One
/// position in forty is held out, by a hash of its board; the weights that predict those best are
/// kept. The state is written to a file beside the output every twenty seconds, and a fit that was
/// interrupted goes on from there.
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
    #[arg(long, value_name = "STRENGTH", default_value_t = Options::default().ridge, value_parser = parse_strength)]
    ridge: f32,

    /// How strongly weights are held at those of the neighbouring stages, in the same unit
    #[arg(long, value_name = "STRENGTH", default_value_t = Options::default().smooth, value_parser = parse_strength)]
    smooth: f32,

    /// How many iterations there are at most
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().iterations)]
    iterations: u32,

    /// After how many iterations without a gain on held-out positions the fit ends
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().patience)]
    patience: u32,
}

fn parse_strength(text: &str) -> Result<f32, String> {
    let strength =
        text.parse().ok().filter(|strength: &f32| strength.is_finite() && *strength >= 0.0);
    strength.ok_or_else(|| "write a number from 0 up, such as 0.3".to_owned())
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if is_there(&args.output) {
        return Ok(Exit::Done);
    }
    let mut samples = Vec::new();
    let mut data = Map::new();
    for path in &args.files {
        let file = read(path)?;
        data.insert(name(path), json!(file.samples.len()));
        samples.extend(file.samples);
    }
    let options = Options {
        stages: args.stages,
        ridge: args.ridge,
        smooth: args.smooth,
        iterations: args.iterations,
        patience: args.patience,
    };
    let state = args.output.with_added_extension("state");
    say(&format!("fitting {} stages to {} positions", options.stages.len(), samples.len()));
    let show = |step: &Step| {
        let Step { iteration, training, validation } = step;
        say(&format!(
            "iteration {iteration:>3}: error {training:.4} discs, held out {validation:.4}"
        ));
    };
    let fitted = fit(&samples, &options, Some(&state), show)
        .with_context(|| args.output.display().to_string())?;
    let held_out = fitted.held_out.total();
    let origin = json!({
        "data": data,
        "positions": fitted.fitted,
        "held_out": held_out.count,
        "ridge": short(options.ridge),
        "smooth": short(options.smooth),
        "iteration": fitted.iteration,
        "mean_absolute_error": errors(&fitted.held_out),
    });
    write_weights(&args.output, &fitted.weights.with_origin(origin.to_string()))?;
    // Its work is done; that it stays does no harm.
    let _ = fs::remove_file(state);
    print(&format!(
        "{} positions fitted, {} held out; iteration {}; {} weights cut to the largest\n{}",
        fitted.fitted, held_out.count, fitted.iteration, fitted.cut, fitted.held_out
    ))?;
    Ok(Exit::Done)
}

/// The number with no more digits than it needs, which its double precision has.
fn short(number: f32) -> Value {
    json!(number.to_string().parse::<f64>().unwrap_or_default())
}

/// A file's name without its folder.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The mean absolute errors by empties, in hundredths of a disc: more digits would be noise.
fn errors(tallies: &Tallies) -> Map<String, Value> {
    let rounded = |error: f64| (error * 100.0).round() / 100.0;
    tallies
        .known()
        .map(|(empties, tally)| (empties.to_string(), json!(rounded(tally.mean_absolute()))))
        .collect()
}
