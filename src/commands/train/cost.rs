//! `yose train cost`: the model by which node counts are predicted.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueHint;

use yose::batch::cost::{Model, predictors};
use yose::othello::Position;
use yose::records::output::readable;
use yose::search::Parameters;
use yose::training::node_counts::count_nodes;
use yose::training::node_prediction::{fit_prediction, residuals};
use yose::training::search_settings::SearchSettings;

use super::files::read_list;
use super::progress::Progress;
use super::{Exit, print};
use crate::commands::common::{ThreadTableArgs, WeightsArgs};

/// The least number of positions.
const MIN_POSITIONS: usize = 10;

/// Fit the prediction of node counts that `yose estimate` and the progress bar use
///
/// Solves the positions, each by one thread with a cleared table, and fits the logarithm of the
/// nodes by linear regression, with the evaluation as a predictor and without it. Prints the
/// coefficients, and the mean and standard deviation of the residuals for each number of empties.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Positions to solve: files of `yose train positions`, or any lists that `yose solve` reads
    #[arg(value_name = "LISTS", required = true, value_hint = ValueHint::FilePath)]
    lists: Vec<PathBuf>,

    #[command(flatten)]
    table: ThreadTableArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let mut positions = Vec::new();
    for list in &args.lists {
        positions.extend(read_list(list)?.0);
    }
    if positions.len() < MIN_POSITIONS {
        bail!("{} positions are too few; give some hundreds", positions.len());
    }
    let (evaluation, _) = args.weights.source().evaluation()?;
    let settings = SearchSettings {
        table_bytes: args.table.bytes(),
        ..SearchSettings::new(evaluation.clone())
    };
    let mut progress = Progress::start("positions solved", positions.len());
    let parameters = [Parameters::of(&evaluation)];
    let [nodes] = count_nodes(&positions, &parameters, &settings, |done| progress.set(done))?;
    drop(progress);
    print(&format!("{} positions\n", readable(positions.len() as u64)))?;
    for (name, evaluation) in [("with the evaluation", Some(&*evaluation)), ("without it", None)] {
        let predictors: Vec<[f64; 4]> =
            positions.iter().map(|position| predictors(position, evaluation)).collect();
        let model = fit_prediction(&predictors, &nodes);
        let residuals = residuals(&model, &predictors, &nodes);
        print(&format!("{name}: {}", describe(&model)))?;
        print(&residual_table(&positions, &residuals))?;
    }
    Ok(Exit::Done)
}

/// The model as a formula.
fn describe(model: &Model) -> String {
    let [constant, empties, moves, value] = model.weights;
    format!(
        "ln nodes = {constant:.3} + {empties:.4} empties + {moves:.3} ln moves + {value:.4} discs, \
         standard deviation {:.3}\n",
        model.deviation
    )
}

/// The mean and standard deviation of the residuals for each number of empties.
fn residual_table(positions: &[Position], residuals: &[f64]) -> String {
    let mut text = String::new();
    for empties in 0..=60 {
        let pairs = positions.iter().zip(residuals);
        let stratum = pairs.filter(|(position, _)| position.empties().count() == empties);
        let stratum: Vec<f64> = stratum.map(|(_, &residual)| residual).collect();
        if stratum.is_empty() {
            continue;
        }
        let count = stratum.len() as f64;
        let mean = stratum.iter().sum::<f64>() / count;
        let variance =
            stratum.iter().map(|residual| (residual - mean).powi(2)).sum::<f64>() / count;
        text += &format!(
            "{empties:>7} empties  {:>4} positions  {mean:>+6.2} ± {:.2}\n",
            stratum.len(),
            variance.sqrt()
        );
    }
    text
}
