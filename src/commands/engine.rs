//! `yose engine`: answers a graphical interface or a script.

use std::io;
use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::ValueEnum;

use yose::Solver;
use yose::batch::{StopCause, StopSignal};
use yose::engine::{self, EngineError, Settings};

use super::Exit;
use super::common::{TableArgs, TableSize, ThreadArgs};
use super::signals::stop_on_signals;

/// Answer a graphical interface or a script, by a protocol on standard input and output
///
/// The interface sends positions, and gets the exact scores of their moves. Positions with more
/// empties than --exact-empties get values of depth-limited searches, which are marked as guesses.
/// The guide, docs/engine.md, has the commands.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the moves of the start position
  printf 'nboard 2\\nset game (;GM[Othello];)\\nhint 4\\n' | yose engine --protocol nboard")]
pub struct Args {
    /// Protocol
    #[arg(long, value_name = "PROTOCOL")]
    protocol: Protocol,

    /// Solve positions with at most N empties
    ///
    /// Each further empty square takes about twice as long; hints for all moves of a position of 24
    /// empties take some seconds.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 24,
        value_parser = clap::value_parser!(u32).range(..=64)
    )]
    exact_empties: u32,

    /// Longest time for the choice of a move, such as 500ms, 10s or 2m
    ///
    /// If an exact search takes longer, the move is a guess. Exact hints have no limit: the next
    /// command ends them.
    #[arg(
        long,
        value_name = "TIME",
        default_value = "10s",
        value_parser = humantime::parse_duration
    )]
    move_time: Duration,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    table: TableArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Protocol {
    /// NBoard, version 2
    Nboard,
    /// Go Text Protocol, version 2, for Othello
    Gtp,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let stop = StopSignal::default();
    stop_on_signals(&stop)?;
    let builder = Solver::builder().threads(args.threads.count().get());
    let builder = match args.table.size()? {
        TableSize::Auto => builder.auto_table(),
        TableSize::Bytes(bytes) => builder.table_bytes(bytes),
    };
    let solver = builder.build()?;
    let protocol = match args.protocol {
        Protocol::Nboard => engine::Protocol::NBoard,
        Protocol::Gtp => engine::Protocol::Gtp,
    };
    let settings = Settings { exact_empties: args.exact_empties, move_time: args.move_time };
    match engine::run(protocol, solver, settings, io::stdin(), io::stdout(), &stop) {
        Ok(None) => Ok(Exit::Done),
        Ok(Some(StopCause::Interrupt)) => Ok(Exit::Interrupted),
        Ok(Some(StopCause::Terminate | StopCause::Deadline)) => Ok(Exit::Terminated),
        Err(EngineError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Err(anyhow!("the output was closed"))
        }
        Err(error) => Err(error.into()),
    }
}
