//! `yose train`: making the weights of the evaluation, a step at a time.
//!
//! `scripts/train.sh` calls these in their order. Each one leaves an output alone that is there already, and gives its output the name
//! that was asked for only when it is whole, so the script may be stopped and started again at any time.

mod check;
mod fit;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use clap::Subcommand;

use yose::eval::Weights;
use yose::training::data::{Data, Sample, part_of};

use super::{Exit, print};

/// Make the weights of the evaluation
///
/// Positions are made, labelled with their scores, and the weights fitted to them, again and again from the end of the game upward.
/// scripts/train.sh has the recipe for the weights that are part of the program.
///
/// An output file that exists is left alone, so that a script of these commands can be started again after an interruption.
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Fit(fit::Args),
    Check(check::Args),
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    match args.command {
        Command::Fit(args) => fit::run(args),
        Command::Check(args) => check::run(args),
    }
}

/// Whether there is nothing to do for an output, which is told.
fn is_there(output: &Path) -> bool {
    let there = output.exists();
    if there {
        say(&format!("{}: already there", output.display()));
    }
    there
}

/// Writes a line to standard error. That nobody reads it is no reason to stop working.
fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// The positions of all files, one file after the other, each with its origin.
fn read_data(paths: &[impl AsRef<Path>]) -> Result<(Vec<Sample>, Vec<String>)> {
    let mut samples = Vec::new();
    let mut origins = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let data = Data::read(path).with_context(|| path.display().to_string())?;
        samples.extend(data.samples);
        origins.push(data.origin);
    }
    Ok((samples, origins))
}

/// The weights of a file; without one, those that are part of the program.
fn read_weights(path: Option<&Path>) -> Result<Weights> {
    let Some(path) = path else { return Ok(Weights::embedded()?) };
    let name = path.display();
    let file = fs::read(path).with_context(|| format!("{name}: cannot be read"))?;
    Weights::read(&file).with_context(|| name.to_string())
}

/// Writes a weight file, whole or not at all.
fn write_weights(path: &Path, weights: &Weights) -> Result<()> {
    let part = part_of(path);
    let result = fs::write(&part, weights.write()).and_then(|()| fs::rename(part, path));
    result.with_context(|| format!("{}: cannot be written", path.display()))
}
