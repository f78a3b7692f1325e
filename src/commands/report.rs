//! `yose report`: results as a page for people.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{ValueEnum, ValueHint};

use yose::records::Source;
use yose::report::{Results, markdown, page, read};

use super::Exit;
use super::common::{Format, OutputArgs, Unfinished};

/// Make a page of results: plots, boards, tables, games to step through
///
/// The files are what `solve`, `merge`, `verify` and `review` have written as CSV or JSON Lines,
/// compressed or not, and `bench --json`. (Of a review, only JSON Lines have the games.) Each file
/// has a section. If several have solved positions, each later one is compared with the first:
/// nodes, time, scores that differ, and the positions that gained and lost most.
///
/// The page is one file that loads nothing from elsewhere. It opens from disk, in light or dark,
/// and can be printed. Long lists are sampled, so that the page of 10,000 positions has at most
/// 2 MB.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  yose solve list.obf -o scores.jsonl
  yose report scores.jsonl -o scores.html             a page about a run
  yose report before.jsonl after.jsonl -o both.html   two runs, compared
  yose report before.jsonl after.jsonl --format md    the same for a pull request

Exit status:
  0  done
  2  wrong usage, or a file that cannot be read or written")]
pub struct Args {
    /// Files of results
    #[arg(value_name = "FILES", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    output: OutputArgs<PageFormat>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum PageFormat {
    /// A page of HTML
    Html,
    /// Markdown: the totals and the comparison
    Md,
}

impl Format for PageFormat {
    // A page is no text for a terminal.
    const TABLE: PageFormat = PageFormat::Md;
    const DEFAULT: &str = "The default is Markdown on a terminal and for a file name that ends in \
        .md, and HTML otherwise.";

    fn of_extension(extension: Option<&str>) -> PageFormat {
        if extension == Some("md") { PageFormat::Md } else { PageFormat::Html }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let sources: Vec<Source> = args.files.iter().map(|file| Source::of_argument(file)).collect();
    let destination = args.output.file.destination(&sources)?;
    let mut results: Vec<Results> = Vec::new();
    for source in &sources {
        let name = source.name();
        let text = source.read_to_string().with_context(|| format!("{name}: cannot be read"))?;
        results.extend(read(&name, &text)?);
    }
    if results.is_empty() {
        bail!("the files have no results");
    }
    let text = match args.output.format() {
        PageFormat::Html => page(&results),
        PageFormat::Md => markdown(&results),
    };
    let mut output = destination.open(args.output.file.force, Unfinished::Removed)?;
    if let Err(error) = output.write_all(text.as_bytes()) {
        return Err(output.error(super::output_error(error)));
    }
    output.finish()?;
    Ok(Exit::Done)
}
