//! `yose merge`: the outputs of shards become one.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;

use yose::batch::merge::Merge;
use yose::records::output::readable;
use yose::records::{ReadOptions, Source};

use super::Exit;
use super::output::Destination;

/// Join files of results, such as those of the shards of a list
///
/// Where several files have a result for the same line, the one that tells most is taken; whether
/// they agree is checked. All must be CSV, or all JSON Lines.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  yose merge part1.csv part2.csv -o all.csv --input list.obf

Exit status:
  0  done
  1  results contradict each other, or do not belong together with the input
  2  wrong usage, or a file that cannot be read or written
  4  some results are missing, or were cut short")]
pub struct Args {
    /// Files that `yose solve` wrote
    #[arg(value_name = "FILES", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// Write all results to FILE, and not to standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Replace the file that --output names, if it exists
    #[arg(long, requires = "output")]
    force: bool,

    /// The files that were solved, as they were given to `yose solve`: their order is kept, and
    /// lines without a result are reported
    ///
    /// Without it results are sorted by the file and the line that their identifiers name.
    #[arg(long, value_name = "FILES", num_args = 1.., value_hint = ValueHint::FilePath)]
    input: Vec<PathBuf>,
}

/// How many identifiers of one kind are told.
const TOLD: usize = 10;

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let merge = Merge::read(args.files.clone())?;
    let sources: Vec<Source> = args.input.iter().map(|file| Source::of_argument(file)).collect();
    let mut inputs = sources.clone();
    inputs.extend(args.files.iter().cloned().map(Source::File));
    let output = Destination::of(args.output.as_deref(), &inputs)?.open(args.force)?;
    let input = (!sources.is_empty()).then(|| (sources, ReadOptions::default()));
    let merged = merge.write(input, &mut BufWriter::new(output))?;

    for contradiction in &merge.contradictions {
        say(&format!("contradiction: {contradiction}"))?;
    }
    tell("no result", &merged.missing)?;
    tell("not in the input", &merged.strange)?;
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
    Ok(if !merge.contradictions.is_empty() || !merged.strange.is_empty() {
        Exit::Different
    } else if !merged.missing.is_empty() || merged.cut_short > 0 {
        Exit::Limit
    } else {
        Exit::Done
    })
}

fn tell(what: &str, ids: &[String]) -> Result<()> {
    for id in ids.iter().take(TOLD) {
        say(&format!("{what}: {id}"))?;
    }
    if ids.len() > TOLD {
        say(&format!("{what}: {} more", readable((ids.len() - TOLD) as u64)))?;
    }
    Ok(())
}

fn say(text: &str) -> Result<()> {
    writeln!(io::stderr().lock(), "{text}").context("standard error cannot be written")
}
