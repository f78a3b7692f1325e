//! `yose train cost`: the numbers by which `yose estimate` and the progress bar predict nodes.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueHint;

use yose::batch::cost::traits;
use yose::records::output::readable;
use yose::search::Parameters;
use yose::training::cost::{fit, residuals};
use yose::training::nodes::{Means, count};

use super::files::read_list;
use super::progress::Progress;
use super::{Exit, print};
use crate::commands::common::{ThreadTableArgs, WeightsArgs};

/// Fit the prediction of nodes to the nodes that a list of positions takes
///
/// Prints the numbers of the prediction, with the evaluation and without it, and how far the nodes
/// lie from it: the mean and the standard deviation of their natural logarithms, for each number of
/// empties. Every position is solved by one thread with a cleared table.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The positions: files of `yose train positions`, or text files, plain or OBF
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
    if positions.len() < 10 {
        bail!("{} positions are too few; some hundreds are right", positions.len());
    }
    let (evaluation, _) = args.weights.source().evaluation()?;
    let means = Means { table_bytes: args.table.bytes(), ..Means::new(evaluation.clone()) };
    let mut progress = Progress::start("positions solved", positions.len());
    let [nodes] =
        count(&positions, &[Parameters::of(&evaluation)], &means, |done| progress.set(done))?;
    drop(progress);
    print(&format!("{} positions\n", readable(positions.len() as u64)))?;
    for (name, evaluation) in [("with the evaluation", Some(&*evaluation)), ("without it", None)] {
        let traits: Vec<[f64; 4]> =
            positions.iter().map(|position| traits(position, evaluation)).collect();
        let model = fit(&traits, &nodes);
        let [constant, empties, moves, value] = model.weights;
        let mut text = format!(
            "{name}: ln nodes = {constant:.3} + {empties:.4} empties + {moves:.3} ln moves + {value:.4} discs, \
             standard deviation {:.3}\n",
            model.deviation
        );
        let residuals = residuals(&model, &traits, &nodes);
        for number in 0..=60 {
            let of_this = positions
                .iter()
                .zip(&residuals)
                .filter(|(position, _)| position.empties().count() == number);
            let of_this: Vec<f64> = of_this.map(|(_, &residual)| residual).collect();
            if of_this.is_empty() {
                continue;
            }
            let mean = of_this.iter().sum::<f64>() / of_this.len() as f64;
            let deviation =
                of_this.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / of_this.len() as f64;
            text += &format!(
                "{number:>7} empties  {:>4} positions  {mean:>+6.2} ± {:.2}\n",
                of_this.len(),
                deviation.sqrt()
            );
        }
        print(&text)?;
    }
    Ok(Exit::Done)
}
