//! `yose train`: makes the weights of the evaluation, fits the parameters of the search, and
//! measures the move ordering.
//!
//! `scripts/train.sh` calls these commands in their order. A command does nothing if its output
//! file exists, and an output file gets its name when it is complete. So the script can be
//! interrupted and started again at any time.

mod arguments;
mod check;
mod cost;
mod deviation;
mod files;
mod fit;
mod label;
mod nodes;
mod parameters;
mod positions;
mod progress;
#[cfg(feature = "record")]
mod record;
mod regret;
mod sample;
mod show;
mod tune;

use anyhow::Result;
use clap::Subcommand;

use super::{Exit, print, say as report};

/// Make the weights of the evaluation, and fit the parameters of the search
///
/// The usual order is: positions, label, fit, deviation, tune. `scripts/train.sh` runs all steps
/// that lead to the weights of this program. `sample` is another source of positions. The remaining
/// commands measure and print.
///
/// A command does nothing if its output file exists. So a script of these commands can be started
/// again after an interruption.
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Positions(positions::Args),
    Sample(sample::Args),
    Label(label::Args),
    Fit(fit::Args),
    Deviation(deviation::Args),
    Check(check::Args),
    Show(show::Args),
    Tune(tune::Args),
    Nodes(nodes::Args),
    #[cfg(feature = "record")]
    Record(record::Args),
    Regret(regret::Args),
    Cost(cost::Args),
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    match args.command {
        Command::Positions(args) => positions::run(args),
        Command::Sample(args) => sample::run(args),
        Command::Label(args) => label::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Deviation(args) => deviation::run(args),
        Command::Check(args) => check::run(args),
        Command::Show(args) => show::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Nodes(args) => nodes::run(args),
        #[cfg(feature = "record")]
        Command::Record(args) => record::run(args),
        Command::Regret(args) => regret::run(args),
        Command::Cost(args) => cost::run(args),
    }
}
