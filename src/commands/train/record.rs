//! `yose train record`: the cost of every move at a sample of nodes.

use anyhow::{Context, Result};

use yose::output_file::{Existing, OutputFile};
use yose::records::output::readable;
use yose::training::node_records::{RecordedPosition, Writer, record};
use yose::training::search_settings::SearchSettings;

use super::arguments::{ListArgs, OutputArgs};
use super::progress::Progress;
use super::{Exit, report};
use crate::commands::common::{ThreadTableArgs, WeightsArgs};

/// Record the cost of every move at a sample of nodes
///
/// One thread solves each position with a cleared table; all cores work on the list. At the
/// selected nodes of the exact pass all moves are searched, in random order, before the search goes
/// on. The records are the same on every machine.
///
/// The output is CSV with a line for each move: the number of its node, the board, the empties,
/// alpha, the margin (static value minus alpha), the move, its value in the move ordering, whether
/// it is a hash move, whether it fails high, and its nodes. `yose train regret` reads such files.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    list: ListArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// Record about one in N of the nodes with so many EMPTIES, from 7 up
    ///
    /// Nodes with other numbers of empties are not recorded, nor are nodes below a recorded one.
    /// Records fill the tables with entries that a search would not have made. So only a small part
    /// of all nodes should belong to records; the last line of the output reports this part.
    #[arg(
        long,
        value_name = "EMPTIES:N,...",
        value_delimiter = ',',
        value_parser = parse_rate,
        default_value = "7:1200,8:800,9:600,10:400,11:300,12:240,13:240,14:200,15:160,16:160,\
                         17:120,18:80"
    )]
    rate: Vec<(usize, u64)>,

    #[command(flatten)]
    table: ThreadTableArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Reads the sampling rate of a number of empties: `12:60`.
fn parse_rate(text: &str) -> Result<(usize, u64), String> {
    let rate = text
        .split_once(':')
        .and_then(|(empties, one_in)| Some((empties.parse().ok()?, one_in.parse().ok()?)));
    rate.filter(|&(empties, one_in)| (7..=60).contains(&empties) && one_in > 0).ok_or_else(|| {
        "write a number of empties from 7 to 60 and one in how many nodes, such as 12:60".to_owned()
    })
}

/// The numbers that the command reports.
#[derive(Default)]
struct Totals {
    records: u64,
    moves: u64,
    nodes_in_records: u64,
    nodes: u64,
}

impl Totals {
    fn add(&mut self, recorded: &RecordedPosition) {
        self.nodes += recorded.nodes;
        for record in &recorded.records {
            self.records += 1;
            self.moves += record.node.moves.len() as u64;
            self.nodes_in_records += record.node.moves.iter().map(|mv| mv.nodes).sum::<u64>();
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if args.output.exists() {
        return Ok(Exit::Done);
    }
    let output = args.output.path();
    let name = output.display();
    let (positions, _) = args.list.read()?;
    let (evaluation, _) = args.weights.source().evaluation()?;
    let settings =
        SearchSettings { table_bytes: args.table.bytes(), ..SearchSettings::new(evaluation) };
    let mut one_in = [0; 65];
    for (empties, rate) in args.rate {
        one_in[empties] = rate;
    }
    let not_written = || format!("{name}: cannot be written");
    let file = OutputFile::create(output, Existing::Keep)?;
    let mut writer = Writer::new(file).with_context(not_written)?;
    let mut progress = Progress::start("positions solved", positions.len());
    let mut totals = Totals::default();
    let mut solved = 0;
    let written = record(&positions, &one_in, &settings, |recorded| {
        solved += 1;
        progress.set(solved);
        totals.add(&recorded);
        recorded.records.iter().try_for_each(|record| writer.write(record))
    })?;
    drop(progress);
    written.and_then(|()| writer.finish()).with_context(not_written)?.commit()?;
    let Totals { records, moves, nodes_in_records, nodes } = totals;
    report(&format!(
        "{name}: {} records with {} moves; {:.1} % of {} nodes belong to records",
        readable(records),
        readable(moves),
        100.0 * nodes_in_records as f64 / nodes.max(1) as f64,
        readable(nodes),
    ));
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_empties_and_a_number_of_nodes() {
        assert_eq!(parse_rate("12:60"), Ok((12, 60)));
        for text in ["", "12", "12:", ":60", "12:0", "6:60", "61:60", "12:60:1", "a:b"] {
            assert!(
                parse_rate(text).is_err_and(|error| error.starts_with("write a number of empties")),
                "{text}"
            );
        }
    }
}
