//! `yose train tune`: parameters of the search from node counts.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;
use serde_json::json;

use yose::search::Parameters;
use yose::training::nodes::Means;
use yose::training::tune::spsa::{COUNT, Spsa};
use yose::training::tune::{Cost, Event, Options, Step, tune};

use super::files::{is_there, read_list, with_origin, write_weights};
use super::parameters::{Place, parse_value, place_parser, table, with_values, written};
use super::progress::Progress;
use super::{Exit, print, say};
use crate::commands::common::{ThreadTableArgs, WeightsArgs};

/// Fit the parameters of the search, so that positions take fewer nodes
///
/// Simultaneous perturbation (SPSA): each iteration moves all parameters up or down by chance,
/// solves a batch of the positions there and on the opposite side, on all cores, and goes a little
/// towards the side that took fewer nodes. Now and then, and at the end, the whole list is
/// measured.
///
/// The log is the state: JSON Lines, one for each iteration. After an interruption the same command
/// goes on behind the last whole one; with more --iterations it goes on after the end. Neither
/// threads nor interruptions change the result.
///
/// A few hundred positions of 16 to 22 empties, made by `yose train positions`, are a good list.
/// The suites by which the search is judged are not. The result, the mean of the last iterations,
/// goes to standard output: what changed, and the parameters as `yose train nodes --values` takes
/// them. With --output it is written to a weight file too, with the weights that it was fitted to:
/// as src/eval/weights.bin that file becomes part of the program.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The positions: a file of `yose train positions`, or a text file, plain or OBF
    #[arg(value_name = "LIST", value_hint = ValueHint::FilePath)]
    list: PathBuf,

    /// The log to write, or to go on with
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    log: PathBuf,

    /// The weight file to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Move only this parameter; may be given several times
    #[arg(long = "parameter", value_name = "NAME", value_parser = place_parser())]
    parameters: Vec<Place>,

    /// Parameters that begin elsewhere than in the weights: NAME=VALUE, with commas between them
    #[arg(long, value_name = "NAME=VALUE,...", value_delimiter = ',', value_parser = parse_value)]
    values: Vec<(Place, i32)>,

    /// How many iterations there are in all
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().iterations)]
    iterations: u32,

    /// How many positions an iteration solves, twice each; the next one takes the next of the list
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().batch as u32,
        value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,

    /// After how many iterations the whole list is measured; 0 is only at the end
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().every)]
    every: u32,

    /// Of how many iterations, the last ones, the result is the mean
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().mean_of,
        value_parser = clap::value_parser!(u32).range(1..))]
    mean_of: u32,

    /// Make the sum of the nodes less, which the largest positions decide, and not the mean of
    /// their logarithms
    #[arg(long)]
    sum: bool,

    /// How far to each side the first iteration looks, in the step of each parameter (Spall's c)
    #[arg(long, value_name = "STEPS", default_value_t = Options::default().spsa.reach, value_parser = parse_positive)]
    reach: f64,

    /// How many steps a parameter moves at first where nodes change by e for each step (Spall's a,
    /// scaled)
    #[arg(long, value_name = "GAIN", default_value_t = Options::default().spsa.gain, value_parser = parse_positive)]
    gain: f64,

    /// After about how many iterations moves begin to shrink (Spall's A); a tenth of all is usual
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().spsa.stability, value_parser = parse_positive)]
    stability: f64,

    /// The seed of the directions and of the batches
    #[arg(long, value_name = "SEED", default_value_t = Options::default().spsa.seed)]
    seed: u64,

    #[command(flatten)]
    table: ThreadTableArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

fn parse_positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "write a number above 0, such as 1.5".to_owned())
}

impl Args {
    fn options(&self, parameters: &Parameters) -> Options {
        let free = |place| self.parameters.is_empty() || self.parameters.contains(&place);
        Options {
            start: with_values(parameters, &self.values),
            spsa: Spsa {
                free: std::array::from_fn::<bool, COUNT, _>(free),
                reach: self.reach,
                gain: self.gain,
                stability: self.stability,
                seed: self.seed,
            },
            cost: if self.sum { Cost::Sum } else { Cost::MeanLogarithm },
            batch: self.batch as usize,
            iterations: self.iterations,
            every: self.every,
            mean_of: self.mean_of,
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if args.output.as_deref().is_some_and(is_there) {
        return Ok(Exit::Done);
    }
    let (positions, list) = read_list(&args.list)?;
    let (evaluation, word) = args.weights.source().evaluation()?;
    let about = json!({ "list": list, "positions": positions.len(), "weights": word });
    let options = args.options(&Parameters::of(&evaluation));
    let means = Means { table_bytes: args.table.bytes(), ..Means::new(evaluation) };
    let mut progress = None;
    let show = |event: Event<'_>| match event {
        Event::Measuring(done) => {
            let count = positions.len();
            progress
                .get_or_insert_with(|| Progress::start("positions of the list solved", count))
                .set(done);
            if done == count {
                progress = None;
            }
        }
        Event::Step(Step { iteration, costs: [plus, minus], .. }) => {
            say(&format!("iteration {iteration:>4}: ln nodes {plus:.4} and {minus:.4}"));
        }
        Event::Measured(progress) => say(table(&progress.start, &progress.now).trim_end()),
    };
    let result = tune(&positions, &options, &means, &args.log, &about, show);
    let progress = result.with_context(|| args.log.display().to_string())?;
    if let Some(output) = &args.output {
        let (weights, _) = args.weights.source().read()?;
        let found = json!({
            "list": list,
            "positions": positions.len(),
            "iterations": progress.iterations,
            "mean_ln_nodes": [progress.start.1.mean_ln, progress.now.1.mean_ln],
        });
        let origin = with_origin(&weights, "parameters", found);
        write_weights(output, &weights.with_parameters(progress.now.0.named(), origin))?;
    }
    print(&format!(
        "{} iterations\n{}{}\n",
        progress.iterations,
        table(&progress.start, &progress.now),
        written(&progress.now.0)
    ))?;
    Ok(Exit::Done)
}
