//! `yose train tune`: parameters of the search from node counts.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;
use serde_json::json;

use yose::records::output::readable;
use yose::search::Parameters;
use yose::training::search_settings::SearchSettings;
use yose::training::tune::spsa::{COUNT, Spsa};
use yose::training::tune::{Event, Measurement, Objective, TuneIteration, TuneOptions, tune};

use super::arguments::{ListArgs, ValueArgs};
use super::files::{exists, with_origin, write_weights};
use super::parameters::{ParameterIndex, format_values, parameter_parser, table};
use super::progress::Progress;
use super::{Exit, print, report};
use crate::commands::common::{ThreadTableArgs, WeightsArgs};

/// Fit the parameters of the search, so that positions need fewer nodes
///
/// The method is SPSA (simultaneous perturbation stochastic approximation). Each iteration changes
/// all parameters at once, each up or down at random. It solves a batch of positions with these
/// parameters and with the opposite changes, and moves the parameters a little towards the side
/// with fewer nodes. The whole list is measured at intervals and at the end.
///
/// The log is the state of the run. After an interruption, the same command continues; with a
/// larger number of --iterations it prolongs a finished run. The result depends neither on
/// interruptions nor on the number of threads.
///
/// Use a few hundred positions of 16 to 22 empties, made by `yose train positions`, and none of
/// those by which the search is judged.
///
/// Prints the parameters before and after, and the nodes of the whole list with them. The last line
/// can be used with `yose train nodes --values`. The result is the mean over the last iterations.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    list: ListArgs,

    /// Log to write; an existing log of the same run is continued
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    log: PathBuf,

    /// Weight file to write: the given weights with the new parameters
    ///
    /// If the file exists, the command does nothing. A build with this file as src/eval/weights.bin
    /// has the new parameters embedded.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Fit only this parameter; may be given several times
    #[arg(long = "parameter", value_name = "NAME", value_parser = parameter_parser())]
    parameters: Vec<ParameterIndex>,

    #[command(flatten)]
    values: ValueArgs,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    table: ThreadTableArgs,

    #[command(flatten)]
    weights: WeightsArgs,

    // The last group: its heading would apply to all arguments behind it.
    #[command(flatten)]
    spsa: SpsaArgs,
}

/// The course of a run.
#[derive(Clone, Copy, Debug, clap::Args)]
struct RunArgs {
    /// Number of iterations, those in the log included
    #[arg(long, value_name = "COUNT", default_value_t = TuneOptions::default().iterations)]
    iterations: u32,

    /// Number of positions of a batch; an iteration solves each of them twice
    ///
    /// The batches take the positions of the list in turn.
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = TuneOptions::default().batch as u32,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    batch: u32,

    /// Measure the whole list after every COUNT iterations; 0: only at the end
    #[arg(long, value_name = "COUNT", default_value_t = TuneOptions::default().every)]
    every: u32,

    /// Number of last iterations whose mean is the result
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = TuneOptions::default().mean_of,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    mean_of: u32,

    /// Minimise the sum of the nodes instead of the mean of their logarithms
    ///
    /// The largest positions dominate the sum. In the mean every position has the same weight.
    #[arg(long)]
    sum: bool,
}

/// The constants of SPSA.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Constants of SPSA")]
struct SpsaArgs {
    /// Size of the first perturbation, in steps of the parameters; Spall's c
    #[arg(
        long,
        value_name = "STEPS",
        default_value_t = TuneOptions::default().spsa.perturbation,
        value_parser = parse_positive
    )]
    perturbation: f64,

    /// Gain of the first iteration: movement in steps for a slope of 1 in ln(nodes) per step
    ///
    /// Spall's a is this gain times (A + 1)^0.602.
    #[arg(
        long,
        value_name = "GAIN",
        default_value_t = TuneOptions::default().spsa.gain,
        value_parser = parse_positive
    )]
    gain: f64,

    /// Stability constant, in iterations; Spall's A
    ///
    /// The larger it is, the later the gain decreases. A tenth of the iterations is usual.
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = TuneOptions::default().spsa.stability,
        value_parser = parse_positive
    )]
    stability: f64,

    /// Seed of the perturbations and of the batches
    #[arg(long, value_name = "SEED", default_value_t = TuneOptions::default().spsa.seed)]
    seed: u64,
}

fn parse_positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "write a number above 0, such as 1.5".to_owned())
}

impl Args {
    fn options(&self, parameters: &Parameters) -> TuneOptions {
        let is_free = |index| self.parameters.is_empty() || self.parameters.contains(&index);
        let RunArgs { iterations, batch, every, mean_of, sum } = self.run;
        let SpsaArgs { perturbation, gain, stability, seed } = self.spsa;
        TuneOptions {
            start: self.values.apply(parameters),
            spsa: Spsa {
                free: std::array::from_fn::<bool, COUNT, _>(is_free),
                perturbation,
                gain,
                stability,
                seed,
            },
            objective: if sum { Objective::Sum } else { Objective::MeanLogarithm },
            batch: batch as usize,
            iterations,
            every,
            mean_of,
        }
    }

    /// Writes the weight file with the fitted parameters.
    fn write(&self, measurement: &Measurement, list: &str, positions: usize) -> Result<()> {
        let Some(output) = &self.output else { return Ok(()) };
        let (weights, _) = self.weights.source().read()?;
        let entry = json!({
            "list": list,
            "positions": positions,
            "iterations": measurement.iterations,
            "mean_ln_nodes": [measurement.start.1.mean_ln, measurement.current.1.mean_ln],
        });
        let origin = with_origin(&weights, "parameters", entry);
        write_weights(output, &weights.with_parameters(measurement.current.0.named(), origin))
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if args.output.as_deref().is_some_and(exists) {
        return Ok(Exit::Done);
    }
    let (positions, list) = args.list.read()?;
    let (evaluation, weights) = args.weights.source().evaluation()?;
    let about = json!({ "list": list, "positions": positions.len(), "weights": weights });
    let options = args.options(&Parameters::of(&evaluation));
    let settings =
        SearchSettings { table_bytes: args.table.bytes(), ..SearchSettings::new(evaluation) };
    let mut progress = None;
    let count = positions.len();
    let show = |event: Event<'_>| match event {
        Event::Measuring(done) => {
            progress
                .get_or_insert_with(|| Progress::start("positions of the list solved", count))
                .set(done);
            if done == count {
                progress = None;
            }
        }
        Event::Iteration(TuneIteration { iteration, objectives: [plus, minus], .. }) => {
            report(&format!("iteration {iteration:>4}: ln nodes {plus:.4} and {minus:.4}"));
        }
        Event::Measured(measurement) => {
            report(table(&measurement.start, &measurement.current).trim_end());
        }
    };
    let result = tune(&positions, &options, &settings, &args.log, &about, show);
    let measurement = result.with_context(|| args.log.display().to_string())?;
    args.write(&measurement, &list, count)?;
    print(&format!(
        "{} iterations\n{}{}\n",
        readable(measurement.iterations.into()),
        table(&measurement.start, &measurement.current),
        format_values(&measurement.current.0)
    ))?;
    Ok(Exit::Done)
}
