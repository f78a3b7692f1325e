//! `yose merge`: joins the outputs of shards.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;

use yose::batch::merge::Merge;
use yose::records::output::readable;
use yose::records::{ReadOptions, Source};

use super::Exit;
use super::common::OutputFileArgs;

/// Join files of results, such as those of the shards of a list
///
/// Where several files have a result for the same line, the most complete one is used, and they are
/// compared with each other. All files must be CSV, or all JSON Lines.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  yose merge part1.csv part2.csv -o all.csv --input list.obf

Exit status:
  0  done
  1  results contradict each other, or do not belong to the input
  2  wrong usage, or a file that cannot be read or written
  4  some results are missing, or were cut short")]
pub struct Args {
    /// Files that `yose solve` wrote
    #[arg(value_name = "FILES", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    output: OutputFileArgs,

    /// The files that were solved, as they were given to `yose solve`: their order is kept, and
    /// lines without a result are reported
    ///
    /// Without --input, results are sorted by the file and the line in their identifiers.
    #[arg(long, value_name = "FILES", num_args = 1.., value_hint = ValueHint::FilePath)]
    input: Vec<PathBuf>,
}

/// The number of identifiers of one kind that are printed.
const LISTED: usize = 10;

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let merge = Merge::read(args.files.clone())?;
    let sources: Vec<Source> = args.input.iter().map(|file| Source::of_argument(file)).collect();
    let mut inputs = sources.clone();
    inputs.extend(args.files.iter().cloned().map(Source::File));
    let output = args.output.open(&inputs)?;
    let input = (!sources.is_empty()).then(|| (sources, ReadOptions::default()));
    let merged = merge.write(input, &mut BufWriter::new(output))?;

    for message in &merged.messages {
        say(message)?;
    }
    for contradiction in &merge.contradictions {
        say(&format!("contradiction: {contradiction}"))?;
    }
    list("no result", &merged.missing)?;
    list("not in the input", &merged.unexpected)?;
    let mut text =
        format!("yose: {} results from {} files", readable(merged.records), args.files.len());
    for (count, what) in [
        (merged.repeated, "repeated"),
        (merged.invalid, "invalid"),
        (merged.cut_short, "cut short"),
        (merged.missing.len() as u64, "missing"),
        (merge.contradictions.len() as u64, "contradictions"),
    ] {
        if count > 0 {
            text += &format!(", {} {what}", readable(count));
        }
    }
    say(&text)?;
    Ok(if !merge.contradictions.is_empty() || !merged.unexpected.is_empty() {
        Exit::Different
    } else if !merged.missing.is_empty() || merged.cut_short > 0 {
        Exit::Limit
    } else {
        Exit::Done
    })
}

/// Prints identifiers to standard error.
fn list(what: &str, ids: &[String]) -> Result<()> {
    for id in ids.iter().take(LISTED) {
        say(&format!("{what}: {id}"))?;
    }
    if ids.len() > LISTED {
        say(&format!("{what}: {} more", readable((ids.len() - LISTED) as u64)))?;
    }
    Ok(())
}

fn say(text: &str) -> Result<()> {
    writeln!(io::stderr().lock(), "{text}").context("standard error cannot be written")
}
