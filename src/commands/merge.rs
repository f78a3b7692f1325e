//! `yose merge`: joins the outputs of shards.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueHint;

use yose::batch::RunFile;
use yose::batch::merge::{Merge, MergeError};
use yose::output_file::{Existing, OutputFile};
use yose::records::output::readable;
use yose::records::{ReadOptions, Source};

use super::common::{Destination, OutputFileArgs, Unfinished, is_parquet, not_an_input};
use super::input::{SelectionArgs, arguments, parse_position};
use super::{Exit, output_error, plan_merge, say};

/// Join files of results, such as those of the shards of a list
///
/// Where several files have a result for the same line, the most complete one is used, and they are
/// compared with each other. All files must be CSV, or all JSON Lines or Parquet. They may be
/// compressed.
///
/// Given the folder of a plan, the results of its tasks are joined, in any state. Every entry of
/// the input gets its record, in the order of the input. A task that is not finished, and a file
/// that is torn, damaged or of another plan, is reported.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  yose merge part1.csv part2.csv -o all.csv --input list.obf
  yose merge part*.jsonl -o all.jsonl --input WTH_2024.wtb --at-empties 20-24
  yose merge plan --status
  yose merge plan -o all.csv

Exit status:
  0  done
  1  results contradict each other, or do not belong to the input
  2  wrong usage, or a file that cannot be read or written
  4  some results are missing, or were cut short, or a run has not finished its file")]
pub struct Args {
    /// Files that `yose solve` wrote, or the folder that `yose plan` made
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

    /// A position or game of the input, as it was given to `yose solve`; can be given several times
    ///
    /// They come before the files of --input.
    #[arg(
        short = 'p',
        long = "position",
        value_name = "TEXT",
        allow_hyphen_values = true,
        value_parser = parse_position
    )]
    positions: Vec<String>,

    /// Leave the run and the summary out of JSON Lines, so that each line is a record
    ///
    /// With --output FILE, they are in FILE.run.
    #[arg(long)]
    records_only: bool,

    /// Of a plan, print only which tasks are finished, how long the rest will take, and the slowest
    ///
    /// Results are not read.
    #[arg(long, conflicts_with = "output")]
    status: bool,

    #[command(flatten)]
    selection: SelectionArgs,
}

/// The number of identifiers of one kind that are printed.
const LISTED: usize = 10;

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if let [folder] = args.files.as_slice()
        && folder.is_dir()
    {
        return args.plan_merge(folder);
    }
    if args.status {
        bail!("--status needs the folder of a plan");
    }
    let files = args.input.iter().map(|file| Source::of_argument(file));
    let sources: Vec<Source> = arguments(&args.positions).into_iter().chain(files).collect();
    if sources.is_empty() && args.selection.reading() != ReadOptions::default() {
        bail!("--input-format, --side, --at-empties and --games are about --input; give it too");
    }
    let merge = Merge::read(args.files.clone())?;
    if args.records_only && !merge.is_json() {
        bail!("--records-only needs files in JSON Lines");
    }
    let mut inputs = sources.clone();
    inputs.extend(args.files.iter().cloned().map(Source::File));
    let destination = args.destination(&merge, &inputs)?;
    let mut output = destination.open(args.output.force, Unfinished::Removed)?;
    let mut run_file = args.run_file(&destination, &inputs)?;
    let input = (!sources.is_empty()).then(|| (sources, args.selection.reading()));
    let mut sink = io::sink();
    let about: Option<&mut dyn Write> = match &mut run_file {
        Some(run_file) => Some(run_file),
        None if args.records_only => Some(&mut sink),
        None => None,
    };
    let result = merge.write(input, &mut BufWriter::new(&mut output), about);
    let merged = match result {
        Ok(merged) => merged,
        Err(MergeError::Write(error)) => return Err(output.error(output_error(error))),
        Err(error) => return Err(error.into()),
    };
    output.finish()?;
    if let Some(run_file) = run_file {
        run_file.commit()?;
    }

    for message in &merged.messages {
        say(message);
    }
    for contradiction in &merged.contradictions {
        say(&format!("contradiction: {contradiction}"));
    }
    for difference in merge.differences() {
        say(&format!("different runs: {difference}"));
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

impl Args {
    /// Joins the results of a plan.
    fn plan_merge(&self, folder: &Path) -> Result<Exit> {
        let others = self.records_only || !self.input.is_empty() || !self.positions.is_empty();
        if others || self.selection.reading() != ReadOptions::default() {
            bail!("a plan knows its input; --input, its options and --records-only are for files");
        }
        match self.status {
            true => plan_merge::status(folder),
            false => plan_merge::run(folder, &self.output),
        }
    }

    /// The destination of the results. Parquet has the lines of a run in it.
    fn destination(&self, merge: &Merge, inputs: &[Source]) -> Result<Destination<'_>> {
        if !self.output.path().is_some_and(is_parquet) {
            return self.output.destination(inputs);
        }
        if self.records_only || !merge.is_json() {
            bail!("Parquet needs files in JSON Lines or Parquet, and no --records-only");
        }
        self.output.parquet_destination(inputs)
    }

    /// The run file of the output under --records-only. Only a file has one.
    fn run_file(
        &self,
        destination: &Destination<'_>,
        inputs: &[Source],
    ) -> Result<Option<OutputFile>> {
        let Destination::File(path) = destination else { return Ok(None) };
        if !self.records_only {
            return Ok(None);
        }
        let path = RunFile::path(path);
        not_an_input(&path, inputs)?;
        let existing = if self.output.force { Existing::Replace } else { Existing::Keep };
        Ok(Some(OutputFile::create(&path, existing)?))
    }
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
