//! `yose train`: making the weights of the evaluation, a step at a time, fitting the numbers by
//! which the search uses them, and finding out what its order of moves costs.
//!
//! `scripts/train.sh` calls these in their order. Each one with an output leaves an output alone
//! that is there already, and gives its output the name that was asked for only when it is whole,
//! so the script may be stopped and started again at any time.

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

use std::io::{self, Write};

use anyhow::Result;
use clap::Subcommand;

use super::{Exit, print};

/// Make the weights of the evaluation, and fit the search to them
///
/// Positions are made, labelled with their scores, and weights are fitted to them, again and again
/// from the end of the game upward. Then the parameters of the search are fitted to the nodes that
/// it takes with them, and kept in the same file. scripts/train.sh has the recipe for the file that
/// is part of the program.
///
/// What is lost to the order of moves is told by `yose train regret`.
///
/// An output file that exists is left alone, so that a script of these commands can be started
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

/// Writes a line to standard error. That nobody reads it is no reason to stop working.
fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
