//! `yose train record`: what every move of some nodes costs.

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueHint;

use yose::records::output::readable;
use yose::training::data::part_of;
use yose::training::evidence::{Recorded, Writer, record};
use yose::training::nodes::Means;

use super::files::{is_there, read_list};
use super::progress::Progress;
use super::{Exit, say};
use crate::commands::common::{ThreadTableArgs, WeightsArgs};

/// Record what every move of some nodes costs
///
/// Every position is solved by one thread with a cleared table; the list is solved on all cores. At
/// some nodes of the exact pass all moves are searched, in an order drawn by lot, before the
/// search goes on. The records are the same on every machine.
///
/// Writes CSV, a line for each move: the number of its node, the board, its empties, alpha, the
/// margin by which the evaluation believes the node to lie above alpha, the move, its value to the
/// ordering, whether it was the hash move, whether it refutes, and its nodes. `yose train regret`
/// tells from these what the order of moves costs.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The positions: a file of `yose train positions`, or a text file, plain or OBF
    #[arg(value_name = "LIST", value_hint = ValueHint::FilePath)]
    list: PathBuf,

    /// The file of records to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// How many nodes are recorded: about one in ONE_IN of those with so many EMPTIES, 7 or more,
    /// and none where nothing is said
    ///
    /// Only a small part of the nodes should lie in records, which the last line tells: what a
    /// record leaves in the tables is not what a search would have left. No node is recorded below
    /// another. With the default, a seventh of the nodes of positions with 18 empties lies in
    /// records.
    #[arg(
        long,
        value_name = "EMPTIES:ONE_IN,...",
        value_delimiter = ',',
        value_parser = parse_rate,
        default_value = "7:1200,8:800,9:600,10:400,11:300,12:240,13:240,14:200,15:160,16:160,17:120,18:80"
    )]
    rate: Vec<(usize, u64)>,

    #[command(flatten)]
    table: ThreadTableArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Reads how many nodes with some empties are recorded: `12:60`.
fn parse_rate(text: &str) -> Result<(usize, u64), String> {
    let rate = text
        .split_once(':')
        .and_then(|(empties, one_in)| Some((empties.parse().ok()?, one_in.parse().ok()?)));
    rate.filter(|&(empties, one_in)| (7..=60).contains(&empties) && one_in > 0).ok_or_else(|| {
        "write a number of empties from 7 to 60 and one in how many nodes, such as 12:60".to_owned()
    })
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let name = args.output.display();
    if is_there(&args.output) {
        return Ok(Exit::Done);
    }
    let (positions, _) = read_list(&args.list)?;
    let (evaluation, _) = args.weights.source().evaluation()?;
    let means = Means { table_bytes: args.table.bytes(), ..Means::new(evaluation) };
    let mut one_in = [0; 65];
    for (empties, rate) in args.rate {
        one_in[empties] = rate;
    }
    let part = part_of(&args.output);
    let not_written = || format!("{name}: cannot be written");
    let mut writer = File::create(&part).and_then(Writer::new).with_context(not_written)?;
    let mut progress = Progress::start("positions solved", positions.len());
    let (mut records, mut moves, mut within, mut nodes) = (0, 0, 0, 0);
    let mut written = Ok(());
    record(&positions, &one_in, &means, |number, recorded: Recorded| {
        progress.set(number + 1);
        nodes += recorded.nodes;
        for evidence in &recorded.evidence {
            records += 1;
            moves += evidence.record.moves.len() as u64;
            within += evidence.record.moves.iter().map(|mv| mv.nodes).sum::<u64>();
        }
        written = recorded.evidence.iter().try_for_each(|evidence| writer.write(evidence));
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    drop(progress);
    written
        .and_then(|()| writer.finish())
        .and_then(|file| file.sync_all())
        .and_then(|()| fs::rename(part, &args.output))
        .with_context(not_written)?;
    say(&format!(
        "{name}: {} records of {} moves; {:.1} % of {} nodes lie in them",
        readable(records),
        readable(moves),
        100.0 * within as f64 / nodes.max(1) as f64,
        readable(nodes),
    ));
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_read_as_people_mean_them() {
        assert_eq!(parse_rate("12:60"), Ok((12, 60)));
        for text in ["", "12", "12:", ":60", "12:0", "6:60", "61:60", "12:60:1", "a:b"] {
            assert!(
                parse_rate(text).is_err_and(|error| error.starts_with("write a number of empties")),
                "{text}"
            );
        }
    }
}
