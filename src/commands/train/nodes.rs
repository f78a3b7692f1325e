//! `yose train nodes`: what a list of positions costs.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueHint;

use yose::records::output::readable;
use yose::search::Parameters;
use yose::training::nodes::{Means, Total, count};

use super::files::read_list;
use super::parameters::{Place, parse_value, table, with_values};
use super::progress::Progress;
use super::{Exit, print};
use crate::commands::common::{ThreadTableArgs, WeightsArgs};

/// Count the nodes that solving a list of positions takes, with given parameters of the search
///
/// Every position is solved by one thread with a cleared table; the list is solved on all cores.
/// The nodes are the same on every machine.
///
/// Prints the sum of the nodes, and the mean of their natural logarithms, in which every position
/// has the same say. With --values, the list is solved with the parameters of the weights too, and
/// the two are compared.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The positions: a file of `yose train positions`, or a text file, plain or OBF
    #[arg(value_name = "LIST", value_hint = ValueHint::FilePath)]
    list: PathBuf,

    /// Parameters with other values than the weights have: NAME=VALUE, with commas between them
    ///
    /// `yose train tune` prints its result in this form.
    #[arg(long, value_name = "NAME=VALUE,...", value_delimiter = ',', value_parser = parse_value)]
    values: Vec<(Place, i32)>,

    #[command(flatten)]
    table: ThreadTableArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let (positions, _) = read_list(&args.list)?;
    let (evaluation, _) = args.weights.source().evaluation()?;
    let own = Parameters::of(&evaluation);
    let other = with_values(&own, &args.values);
    let means = Means { table_bytes: args.table.bytes(), ..Means::new(evaluation) };
    let text = if args.values.is_empty() {
        let mut progress = Progress::start("positions solved", positions.len());
        let [nodes] = count(&positions, &[own], &means, |done| progress.set(done))?;
        let Total { nodes, mean_ln } = Total::of(&nodes);
        format!("nodes          {}\nmean ln nodes  {mean_ln:.4}\n", readable(nodes))
    } else {
        let mut progress = Progress::start("positions solved", 2 * positions.len());
        let [before, after] = count(&positions, &[own, other], &means, |done| progress.set(done))?;
        table(&(own, Total::of(&before)), &(other, Total::of(&after)))
    };
    print(&format!("{} positions\n{text}", readable(positions.len() as u64)))?;
    Ok(Exit::Done)
}
