//! `yose perft`: the number of move sequences, a test of the rules.

use std::time::Instant;

use anyhow::Result;

use yose::othello::{Position, perft};
use yose::records::output::readable;

use super::{Exit, position, print};

/// Count the sequences of moves from a position, for each depth up to DEPTH
///
/// A forced pass is a move. A finished game counts once at every depth. From the start of the game
/// the counts are 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800, ...
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Largest depth, 1 to 20; each further one takes about nine times as long
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,

    /// The position: 64 squares as X, O and -, then the side to move; by default the start of the
    /// game
    #[arg(value_name = "POSITION", allow_hyphen_values = true, trailing_var_arg = true)]
    position: Vec<String>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let start = match args.position[..] {
        [] => Position::START,
        ref words => position(words)?.diagram.position,
    };
    print(&row("depth", "count", "seconds", "per second"))?;
    for depth in 1..=args.depth {
        let begun = Instant::now();
        let count = perft(start, depth);
        let seconds = begun.elapsed().as_secs_f64();
        // Below a millisecond the rate is noise.
        let rate =
            if seconds < 0.001 { String::new() } else { readable((count as f64 / seconds) as u64) };
        print(&row(&depth.to_string(), &readable(count), &format!("{seconds:.3}"), &rate))?;
    }
    Ok(Exit::Done)
}

fn row(depth: &str, count: &str, seconds: &str, rate: &str) -> String {
    let row = format!("{depth:>5}  {count:>25}  {seconds:>9}  {rate:>15}");
    format!("{}\n", row.trim_end())
}
