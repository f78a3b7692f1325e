//! `yose merge`: joins the outputs of shards.

use std::io::BufWriter;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueHint;

use yose::batch::merge::{Merge, MergeError};
use yose::records::output::readable;
use yose::records::{ReadOptions, Source};

use super::common::{OutputFileArgs, Unfinished};
use super::input::SelectionArgs;
use super::{Exit, output_error, say};

/// Join files of results, such as those of the shards of a list
///
/// Where several files have a result for the same line, the most complete one is used, and they are
/// compared with each other. All files must be CSV, or all JSON Lines.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  yose merge part1.csv part2.csv -o all.csv --input list.obf
  yose merge part*.jsonl -o all.jsonl --input WTH_2024.wtb --at-empties 20-24

Exit status:
  0  done
  1  results contradict each other, or do not belong to the input
  2  wrong usage, or a file that cannot be read or written
  4  some results are missing, or were cut short, or a run has not finished its file")]
pub struct Args {
    /// Files that `yose solve` wrote
    #[arg(value_name = "FILES", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    output: OutputFileArgs,

    /// The files that were solved, as they were given to `yose solve`: their order is kept, and
    /// lines without a result are reported
    ///
    /// Give the options of `yose solve` that select positions as well: --input-format, --side,
    /// --at-empties, --games. Without --input, results are sorted by the file, by the line or the
    /// game, and by the empties in their identifiers.
    #[arg(long, value_name = "FILES", num_args = 1.., value_hint = ValueHint::FilePath)]
    input: Vec<PathBuf>,

    #[command(flatten)]
    selection: SelectionArgs,
}

/// The number of identifiers of one kind that are printed.
const LISTED: usize = 10;

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if args.input.is_empty() && args.selection.reading() != ReadOptions::default() {
        bail!("--input-format, --side, --at-empties and --games are about --input; give it too");
    }
    let merge = Merge::read(args.files.clone())?;
    let sources: Vec<Source> = args.input.iter().map(|file| Source::of_argument(file)).collect();
    let mut inputs = sources.clone();
    inputs.extend(args.files.iter().cloned().map(Source::File));
    let mut output = args.output.open(&inputs, Unfinished::Removed)?;
    let input = (!sources.is_empty()).then(|| (sources, args.selection.reading()));
    let result = merge.write(input, &mut BufWriter::new(&mut output));
    let merged = match result {
        Ok(merged) => merged,
        Err(MergeError::Write(error)) => return Err(output.error(output_error(error))),
        Err(error) => return Err(error.into()),
    };
    output.finish()?;

    for message in &merged.messages {
        say(message);
    }
    for contradiction in &merged.contradictions {
        say(&format!("contradiction: {contradiction}"));
    }
    list("no result", &merged.missing);
    list("not in the input", &merged.unexpected);
    for unfinished in &merge.unfinished {
        say(&unfinished.to_string());
    }
    let mut text =
        format!("yose: {} results from {} files", readable(merged.records), args.files.len());
    for (count, what) in [
        (merged.repeated, "repeated"),
        (merged.invalid, "invalid"),
        (merged.cut_short, "cut short"),
        (merged.missing.len() as u64, "missing"),
        (merged.contradictions.len() as u64, "contradictions"),
    ] {
        if count > 0 {
            text += &format!(", {} {what}", readable(count));
        }
    }
    if !merge.unfinished.is_empty() {
        text += &format!("; {} of the files are not finished", merge.unfinished.len());
    }
    say(&text);
    Ok(if !merged.contradictions.is_empty() || !merged.unexpected.is_empty() {
        Exit::Different
    } else if !merged.is_complete(&merge) || merged.cut_short > 0 {
        Exit::Limit
    } else {
        Exit::Done
    })
}

/// Prints identifiers to standard error.
fn list(what: &str, ids: &[String]) {
    for id in ids.iter().take(LISTED) {
        say(&format!("{what}: {id}"));
    }
    if ids.len() > LISTED {
        say(&format!("{what}: {} more", readable((ids.len() - LISTED) as u64)));
    }
}
