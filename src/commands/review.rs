//! `yose review`: what the moves of games have cost against perfect play.

use std::collections::HashMap;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::{ArgAction, ValueEnum};

use yose::Diagram;
use yose::batch::estimate::measure_speed;
use yose::batch::{SearcherOptions, Searchers, StopCause, StopSignal, Workload};
use yose::output_file::partial_path;
use yose::records::output::{Sink, readable};
use yose::records::{ReadOptions, Source, Span};
use yose::review::lines::{InputLine, RunLine, SCHEMA, StoredReview};
use yose::review::output::{
    ReviewWriter, Totals, csv::Csv, ggf::Ggf, jsonl::JsonLines, table::Table,
    transcript::Transcript,
};
use yose::review::{
    self, Effort, Game, Order, ReviewError, ReviewOptions, ReviewedMove, all_moves_cost, read_games,
};

use super::common::{
    Destination, Format, LimitArgs, OutputArgs, TableArgs, ThreadArgs, Unfinished, VerboseArgs,
    WeightsArgs,
};
use super::input::InputArgs;
use super::progress::{Display, ProgressArgs};
use super::{Exit, say, signals};

/// Review games: the score of each move, the mistakes and the turning points
///
/// Every position with few enough empties is solved with the scores of all moves. A move that does
/// not keep the score is a mistake, and the difference are the discs lost. A mistake that changes
/// the winner is a turning point, and has a `!`. A table has a board with all scores at each
/// mistake; JSON Lines have everything, and `yose report` makes a page of them.
///
/// The games are transcripts, GGF, SGF, or WTHOR databases. The positions of a game are solved from
/// its end to its beginning, several games side by side.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  yose review game.txt                                 the moves from 20 empties on
  yose review WTH_2024.wtb --player tastet -o me.jsonl   all games of a player, for a report
  yose review games.ggf --budget 2m                    from as many empties as two minutes allow
  yose review games.ggf --format ggf -o annotated.ggf  the games with the scores of their moves

Exit status:
  0    done
  2    wrong usage, or a file that cannot be read or written
  3    some games are invalid; all others are reviewed
  4    some positions hit a limit
  75   ended by SIGTERM, SIGHUP or at the deadline; safe to start again with --resume
  130  ended by Ctrl-C")]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Review only games in which a player's name contains NAME, whatever the case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Review the moves from N empties on
    #[arg(
        long,
        value_name = "N",
        default_value = "20",
        value_parser = clap::value_parser!(u64).range(1..=60),
        conflicts_with_all = ["budget", "at_empties"]
    )]
    from: u64,

    /// Review the moves from as many empties as TIME allows, such as 30s or 2m
    ///
    /// The number is chosen by the predicted nodes of all positions and by the speed of this
    /// machine in a short trial. The time is not a limit: it may be missed by a factor of two.
    #[arg(
        long,
        value_name = "TIME",
        value_parser = humantime::parse_duration,
        conflicts_with = "at_empties"
    )]
    budget: Option<Duration>,

    #[command(flatten)]
    output: OutputArgs<OutputFormat>,

    /// Leave the boards out of a table
    #[arg(long)]
    no_boards: bool,

    /// Keep the moves that the file of --output, or its `.part`, has already
    ///
    /// The file must be JSON Lines. It is written again, and its moves are not solved again.
    #[arg(long, requires = "output", action = ArgAction::SetTrue)]
    resume: bool,

    /// The order in which the positions of a game are solved
    #[arg(long, value_name = "ORDER", default_value = "backwards", hide = true)]
    order: OrderArg,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    verbose: VerboseArgs,

    #[command(flatten)]
    weights: WeightsArgs,

    #[command(flatten)]
    progress: ProgressArgs,
}

/// The output formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OutputFormat {
    /// A table for people, with a board at each mistake
    Table,
    /// CSV: a row for each move
    Csv,
    /// JSON Lines: the moves with all scores, the games and the players
    Jsonl,
    /// GGF: the games with the scores of their moves
    Ggf,
    /// Transcripts: the games with their mistakes in comments
    Transcript,
}

impl Format for OutputFormat {
    const TABLE: OutputFormat = OutputFormat::Table;
    const DEFAULT: &str = "The default is JSON Lines for a file name that ends in .jsonl, .ndjson \
        or .json, CSV for .csv, GGF for .ggf, and a table otherwise.";

    fn of_extension(extension: Option<&str>) -> OutputFormat {
        match extension {
            Some("jsonl" | "ndjson" | "json") => OutputFormat::Jsonl,
            Some("ggf") => OutputFormat::Ggf,
            Some("csv") => OutputFormat::Csv,
            _ => OutputFormat::Table,
        }
    }
}

/// The order of the positions of a game, for measurements.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum OrderArg {
    /// From the end of the game
    Backwards,
    /// From the beginning
    Forwards,
    /// Each position with an empty table
    Alone,
}

impl OutputFormat {
    fn writer(self, boards: bool) -> Box<ReviewWriter> {
        match self {
            OutputFormat::Table => {
                let size = terminal_size::terminal_size_of(io::stdout());
                let width = size.map_or(80, |(width, _)| usize::from(width.0));
                Box::new(Table::new(super::show::style(), width, boards))
            }
            OutputFormat::Csv => Box::new(Csv),
            OutputFormat::Jsonl => Box::new(JsonLines),
            OutputFormat::Ggf => Box::new(Ggf),
            OutputFormat::Transcript => Box::new(Transcript),
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let start = Instant::now();
    let deadline = args.limits.deadline();
    let stop = StopSignal::default();
    signals::stop_on_signals(&stop)?;
    let sources = args.input.sources("review");
    let format = args.output.format();
    let weights = args.weights.source();
    let (evaluation, weights_input) = weights.named()?;
    let mut inputs = sources.clone();
    inputs.extend(weights.file().map(|file| Source::File(file.to_owned())));
    let destination = args.output.file.destination(&inputs)?;
    args.input.read.messages.check(&inputs, args.output.file.path())?;
    let earlier = args.earlier(format)?;
    let table_size = args.table.size()?;
    let messages = Arc::new(args.input.read.messages.open()?);

    let reading = args.input.read.reading();
    let (games, inputs, unread) =
        read_games(sources, reading, args.player.as_deref(), |message| messages.print(&message));
    if games.is_empty() && unread.entries + unread.files == 0 {
        match &args.player {
            Some(player) => bail!("no game has a player whose name contains `{player}`"),
            None => bail!("the input has no game"),
        }
    }
    let empties = args.empties(reading, &games, || {
        Ok(measure_speed(&evaluation, args.threads.count(), Duration::from_secs(1))?)
    })?;
    let work = workload(&games, empties);
    let options = SearcherOptions::new().threads(args.threads.count().get());
    let options = table_size.apply(options, Some(work)).evaluation(Arc::clone(&evaluation));
    let table_bytes = options.first_table_bytes();
    args.verbose.table(table_bytes, options.chosen_table());
    let searchers = Searchers::shared_table(&options)?;
    let run = RunLine {
        schema: SCHEMA,
        tool: env!("CARGO_PKG_NAME").to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        tier: yose::tier::NAME.to_owned(),
        threads: searchers.threads(),
        table_bytes,
        weights: weights_input.name,
        empties: empties.to_string(),
        player: args.player.clone(),
        inputs: inputs.iter().map(InputLine::of).collect(),
    };
    let mut stream = destination.open(args.output.file.force || args.resume, Unfinished::Kept)?;
    let beside = matches!(destination, Destination::Stdout) && io::stdout().is_terminal();
    let review_options = ReviewOptions {
        empties,
        order: match args.order {
            OrderArg::Backwards => Order::Backwards,
            OrderArg::Forwards => Order::Forwards,
            OrderArg::Alone => Order::Alone,
        },
        limits: args.limits.limits(),
        deadline,
        earlier,
    };
    let mut totals = Totals::default();
    let mut sink = Sink::new(format.writer(!args.no_boards), &mut stream);
    let written = sink.begin(&run).and_then(|_| sink.flush());
    let progress = Display::start(args.progress.style(), Some(work), beside, &searchers, &messages);
    let result = match written {
        Err(error) => Err(ReviewError::Output(error)),
        Ok(()) => review::run(games, &review_options, searchers, &progress, &stop, |review| {
            totals.add(&review);
            sink.record(&review);
            let progress: &dyn yose::batch::Progress = &progress;
            progress.writing(|| sink.flush())
        }),
    };
    drop(progress);
    let messages_written = messages.finish();
    let cause = match result {
        Ok(cause) => cause,
        Err(ReviewError::Threads(error)) => return Err(error.into()),
        Err(ReviewError::Output(error)) => {
            drop(sink);
            return Err(stream.error(error));
        }
    };
    totals.set_time(start.elapsed());
    if let Err(error) = if cause.is_none() { sink.end(&totals) } else { sink.flush() } {
        drop(sink);
        return Err(stream.error(error));
    }
    drop(sink);
    let summary = &totals.summary;
    match cause {
        None => stream.finish()?,
        Some(_) => say_unfinished(&args, summary.complete, summary.games, stream.leave()?),
    }
    Ok(match cause {
        Some(StopCause::Interrupt) => Exit::Interrupted,
        Some(_) => Exit::Terminated,
        None if !messages_written || unread.files > 0 => Exit::Failure,
        None if unread.entries > 0 => Exit::Invalid,
        None if summary.complete < summary.games => Exit::Limit,
        None => Exit::Done,
    })
}

/// The positions to be solved, and their predicted cost.
fn workload(games: &[Game], empties: Span) -> Workload {
    let mut workload = Workload::default();
    for turn in games.iter().flat_map(|game| game.turns_in(empties)) {
        workload.add(all_moves_cost(&turn.diagram.position));
    }
    workload
}

/// Prints how far an interrupted review has come.
fn say_unfinished(args: &Args, complete: u64, games: u64, partial: Option<String>) {
    let mut text = format!(
        "yose: interrupted: {} of {} games are reviewed",
        readable(complete),
        readable(games)
    );
    if let Some(partial) = partial {
        text += &format!("; the reviews are in {partial}");
        if args.output.format() == OutputFormat::Jsonl {
            text += ", and the same command with --resume continues them";
        }
    }
    say(&text);
}

impl Args {
    /// The numbers of empties of the positions that are reviewed. `speed` measures this machine.
    fn empties(
        &self,
        reading: ReadOptions,
        games: &[Game],
        speed: impl Fn() -> Result<f64>,
    ) -> Result<Span> {
        if let Some(span) = reading.selection.empties {
            return Ok(span);
        }
        let Some(budget) = self.budget else {
            return Ok(Span { first: 0, last: self.from });
        };
        let effort = Effort::of(games);
        let span = effort.affordable(speed()? * budget.as_secs_f64());
        say(&format!("yose: {} allow the moves from {} empties on", time(budget), span.last));
        Ok(span)
    }

    /// The moves of an earlier run.
    fn earlier(&self, format: OutputFormat) -> Result<HashMap<Diagram, ReviewedMove>> {
        let Some(path) = self.output.file.path().filter(|_| self.resume) else {
            return Ok(HashMap::new());
        };
        if format != OutputFormat::Jsonl {
            bail!("only JSON Lines can be resumed; give --format jsonl");
        }
        let candidates: [PathBuf; 2] = [path.to_owned(), partial_path(path)];
        let Some(path) = candidates.iter().find(|path| path.exists()) else {
            return Ok(HashMap::new());
        };
        let stored = read_review(path)?;
        Ok(stored.by_position())
    }
}

/// Reads a review back.
fn read_review(path: &Path) -> Result<StoredReview> {
    let text = Source::File(path.to_owned())
        .read_to_string()
        .with_context(|| format!("{}: cannot be read", path.display()))?;
    StoredReview::read(&text).map_err(|(line, what)| anyhow!("{}:{line}: {what}", path.display()))
}

/// A duration in words.
fn time(duration: Duration) -> String {
    humantime::format_duration(duration).to_string()
}
