//! `yose train fit`: weights from labelled positions.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use yose::training::evaluation_errors::ErrorsByEmpties;
use yose::training::fit::{FitIteration, FitOptions, FitResult, fit};

use super::arguments::{LabelledArgs, OutputArgs};
use super::files::{read, write_weights};
use super::{Exit, print, report};

/// Fit weights to labelled positions
///
/// The method is weighted linear least squares with regularisation, over all stages at once, by
/// conjugate gradients, on all cores. One position in forty is held out as a validation set; a hash
/// of the board decides. The result is the iteration with the least error on the validation set.
/// The state is saved every 20 seconds in a file beside the output, and the same command continues
/// an interrupted fit.
///
/// Prints a table of the errors on the validation set.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    labelled: LabelledArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// Empties of the stages, ascending; between two stages, their weights are interpolated
    #[arg(
        long,
        value_name = "EMPTIES",
        value_delimiter = ',',
        default_values_t = FitOptions::default().stages
    )]
    stages: Vec<u8>,

    /// Strength of the regularisation towards 0
    ///
    /// A strength of 1 has as much influence as one position with the score 0.
    #[arg(
        long,
        value_name = "STRENGTH",
        default_value_t = FitOptions::default().ridge,
        value_parser = parse_strength
    )]
    ridge: f32,

    /// Strength of the regularisation towards the weights of the neighbouring stages
    ///
    /// The unit is the same as for --ridge.
    #[arg(
        long,
        value_name = "STRENGTH",
        default_value_t = FitOptions::default().smoothness,
        value_parser = parse_strength
    )]
    smooth: f32,

    /// Largest number of iterations
    #[arg(long, value_name = "COUNT", default_value_t = FitOptions::default().iterations)]
    iterations: u32,

    /// Stop after so many iterations without a smaller error on the validation set
    #[arg(long, value_name = "COUNT", default_value_t = FitOptions::default().patience)]
    patience: u32,
}

fn parse_strength(text: &str) -> Result<f32, String> {
    let strength =
        text.parse().ok().filter(|strength: &f32| strength.is_finite() && *strength >= 0.0);
    strength.ok_or_else(|| "write a number from 0 up, such as 0.3".to_owned())
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if args.output.exists() {
        return Ok(Exit::Done);
    }
    let output = args.output.path();
    let mut samples = Vec::new();
    let mut sizes = Map::new();
    for path in args.labelled.paths() {
        let file = read(path)?;
        sizes.insert(file_name(path), json!(file.samples.len()));
        samples.extend(file.samples);
    }
    let options = FitOptions {
        stages: args.stages,
        ridge: args.ridge,
        smoothness: args.smooth,
        iterations: args.iterations,
        patience: args.patience,
    };
    let state = output.with_added_extension("state");
    report(&format!("fitting {} stages to {} positions", options.stages.len(), samples.len()));
    let show = |step: &FitIteration| {
        let FitIteration { iteration, training, validation } = step;
        report(&format!(
            "iteration {iteration:>3}: error {training:.4} discs, held out {validation:.4}"
        ));
    };
    let result = fit(&samples, &options, Some(&state), show)
        .with_context(|| output.display().to_string())?;
    let origin = origin(sizes, &options, &result);
    write_weights(output, &result.weights.with_origin(origin.to_string()))?;
    // The state is not needed any more. A file that cannot be removed does no harm.
    let _ = fs::remove_file(state);
    print(&format!(
        "{} positions fitted, {} held out; iteration {}; {} weights clamped\n{}",
        result.training,
        result.validation_errors.total().count,
        result.iteration,
        result.clamped,
        result.validation_errors
    ))?;
    Ok(Exit::Done)
}

/// The origin of the weights.
fn origin(sizes: Map<String, Value>, options: &FitOptions, result: &FitResult) -> Value {
    json!({
        "data": sizes,
        "positions": result.training,
        "held_out": result.validation_errors.total().count,
        "ridge": shortest(options.ridge),
        "smooth": shortest(options.smoothness),
        "iteration": result.iteration,
        "mean_absolute_error": mean_absolute_errors(&result.validation_errors),
    })
}

/// The number with as few digits as identify it.
fn shortest(number: f32) -> Value {
    json!(number.to_string().parse::<f64>().unwrap_or_default())
}

/// The name of a file without its folder.
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The mean absolute errors by empties, in discs with two decimals.
fn mean_absolute_errors(errors: &ErrorsByEmpties) -> Map<String, Value> {
    let rounded = |error: f64| (error * 100.0).round() / 100.0;
    errors
        .non_empty()
        .map(|(empties, summary)| (empties.to_string(), json!(rounded(summary.mean_absolute()))))
        .collect()
}
