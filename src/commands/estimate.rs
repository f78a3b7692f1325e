//! `yose estimate`: the predicted nodes and time of a list.

use std::time::Duration;

use anyhow::{Result, bail};

use yose::batch::Shard;
use yose::batch::cost::Range;
use yose::batch::estimate::{Estimate, measure_speed};
use yose::records::output::readable;
use yose::records::{Entry, Item, Reader};

use super::common::{ThreadArgs, WeightsArgs};
use super::input::InputArgs;
use super::{Exit, print};

/// Predict the nodes and the time of a list of positions
///
/// Nodes are predicted from the number of empties, the number of legal moves and the evaluation.
/// The speed of this machine is measured in a trial of some seconds; nothing else is solved. The
/// nodes of a single position can be far from the prediction, and lists differ, so the program
/// prints a range that holds in eight of ten cases.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit status:
  0  done
  2  wrong usage, or a file that cannot be read
  3  some entries cannot be read; all others are included")]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Estimate only a part of the lines: part I of N, as `solve` divides them
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Length of the trial, such as 500ms or 10s; a longer one is more accurate
    #[arg(
        long,
        value_name = "TIME",
        default_value = "2s",
        value_parser = humantime::parse_duration
    )]
    trial: Duration,

    #[command(flatten)]
    weights: WeightsArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let (evaluation, _) = args.weights.source().evaluation()?;
    let (mut estimate, mut malformed, mut unreadable) = (Estimate::default(), 0u64, 0u64);
    let sources = args.input.sources("estimate");
    let messages = {
        args.input.read.messages.check(&sources, None)?;
        args.input.read.messages.open()?
    };
    for item in Reader::new(sources, args.input.read.reading()) {
        match item {
            Item::Entry(entry) if !is_selected(args.shard, &entry) => {}
            Item::Entry(entry) => match &entry.problem {
                Ok(problem) => estimate.add(&entry.id, &problem.diagram.position, &evaluation),
                Err(error) => {
                    malformed += 1;
                    messages.print(error);
                }
            },
            Item::Empty(empty) => messages.print(&empty),
            Item::MissingPositions(short) => messages.print(&short),
            Item::Failure(error) => {
                unreadable += 1;
                messages.print(&error);
            }
        }
    }
    let messages_written = messages.finish();
    if estimate.all.positions == 0 {
        bail!("there is nothing to estimate");
    }
    print(&nodes_text(&estimate))?;
    let threads = args.threads.count();
    let speed = measure_speed(&evaluation, threads, args.trial)?;
    print(&time_text(&estimate, speed, threads.get()))?;
    Ok(if unreadable > 0 || !messages_written {
        Exit::Failure
    } else if malformed > 0 {
        Exit::Invalid
    } else {
        Exit::Done
    })
}

/// Whether an entry belongs to the shard.
fn is_selected(shard: Option<Shard>, entry: &Entry) -> bool {
    let position = entry.problem.as_ref().ok().map(|problem| &problem.diagram.position);
    shard.is_none_or(|shard| shard.contains(position))
}

fn nodes_text(estimate: &Estimate) -> String {
    let row = |name: &str, positions: &str, nodes: [&str; 3]| {
        let [mean, low, high] = nodes;
        format!("{name:>7}  {positions:>9}  {mean:>19}  {low:>19}  {high:>19}\n")
    };
    let mut text = row("empties", "positions", ["nodes", "8 of 10 times above", "and below"]);
    let numbers = |range: Range| [range.mean, range.low, range.high].map(node_text);
    let totals =
        estimate.by_empties.iter().enumerate().map(|(empties, total)| (empties.to_string(), total));
    for (name, total) in
        totals.chain([("all".to_owned(), &estimate.all)]).filter(|(_, total)| total.positions > 0)
    {
        let nodes = numbers(total.nodes());
        text += &row(&name, &readable(total.positions), nodes.each_ref().map(String::as_str));
    }
    if let Some((id, nodes)) = &estimate.most_expensive {
        text += &format!("the most expensive is {id}, with {} nodes\n", node_text(*nodes));
    }
    text
}

fn time_text(estimate: &Estimate, speed: f64, threads: usize) -> String {
    let Range { low, mean, high } = estimate.time(speed);
    let number = if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    format!(
        "{number}, {} nodes/s in a trial: {}; 8 of 10 times from {} to {}\n",
        readable(speed as u64),
        span(mean),
        span(low),
        span(high)
    )
}

/// A number of nodes. From 10^15 on, which no machine searches in a year, only the power of ten.
pub(super) fn node_text(nodes: f64) -> String {
    if nodes < 1e15 { readable(nodes as u64) } else { format!("10^{:.0}", nodes.log10().floor()) }
}

/// A duration in two units: `1.2 s`, `3 min 20 s`, `2 h 5 min`, `4 days 3 h`. From a thousand years
/// on, years alone.
pub(super) fn span(seconds: f64) -> String {
    const YEAR: f64 = 365.25 * 86_400.0;
    if seconds >= 1000.0 * YEAR {
        return match seconds / YEAR {
            years if years < 1e15 => format!("{} years", readable(years as u64)),
            years => format!("10^{:.0} years", years.log10().floor()),
        };
    }
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.min(1e15).round() as u64;
    let (days, hours, minutes) = (whole / 86_400, whole / 3600 % 24, whole / 60 % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes} min {} s", whole % 60),
        (0, _) => format!("{hours} h {minutes} min"),
        (1, _) => format!("1 day {hours} h"),
        _ => format!("{} days {hours} h", readable(days)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units() {
        let text = [0.04, 12.34, 200.4, 7500.0, 90_000.0, 356_400.0].map(span);
        assert_eq!(text, ["0.0 s", "12.3 s", "3 min 20 s", "2 h 5 min", "1 day 1 h", "4 days 3 h"]);
        assert_eq!([3.2e10, 1e11, 1e30].map(span), ["1,014 years", "3,168 years", "10^22 years"]);
    }

    #[test]
    fn numbers_of_nodes_beyond_all_machines_are_powers_of_ten() {
        let text = [12.0, 999e12, 1e15, 5.5e17, 1e25].map(node_text);
        assert_eq!(text, ["12", "999,000,000,000,000", "10^15", "10^17", "10^25"]);
    }
}
