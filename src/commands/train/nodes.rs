//! `yose train nodes`: node counts of a list of positions.

use anyhow::Result;

use yose::records::output::readable;
use yose::search::Parameters;
use yose::training::node_counts::{NodeTotal, count_nodes};
use yose::training::search_settings::SearchSettings;

use super::arguments::{ListArgs, ValueArgs};
use super::parameters::table;
use super::progress::Progress;
use super::{Exit, print};
use crate::commands::common::{ThreadTableArgs, WeightsArgs};

/// Count the nodes that a list of positions needs, with given parameters of the search
///
/// One thread solves each position with a cleared table; all cores work on the list. The node
/// counts are the same on every machine.
///
/// Prints the sum of the nodes and the mean of their natural logarithms. The sum is dominated by
/// the largest positions; in the mean every position has the same weight. With --values, the list
/// is solved twice, and the result is compared with that of the parameters in the weights.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    list: ListArgs,

    #[command(flatten)]
    values: ValueArgs,

    #[command(flatten)]
    table: ThreadTableArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let (positions, _) = args.list.read()?;
    let (evaluation, _) = args.weights.source().evaluation()?;
    let own = Parameters::of(&evaluation);
    let other = args.values.apply(&own);
    let settings =
        SearchSettings { table_bytes: args.table.bytes(), ..SearchSettings::new(evaluation) };
    let text = if args.values.is_empty() {
        let mut progress = Progress::start("positions solved", positions.len());
        let [nodes] = count_nodes(&positions, &[own], &settings, |done| progress.set(done))?;
        let NodeTotal { nodes, mean_ln } = NodeTotal::of(&nodes);
        format!("nodes          {}\nmean ln nodes  {mean_ln:.4}\n", readable(nodes))
    } else {
        let mut progress = Progress::start("positions solved", 2 * positions.len());
        let [before, after] =
            count_nodes(&positions, &[own, other], &settings, |done| progress.set(done))?;
        table(&(own, NodeTotal::of(&before)), &(other, NodeTotal::of(&after)))
    };
    print(&format!("{} positions\n{text}", readable(positions.len() as u64)))?;
    Ok(Exit::Done)
}
