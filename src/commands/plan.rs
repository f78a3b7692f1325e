//! `yose plan`: cuts a list into tasks for an engine that runs them on many machines.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::ValueHint;

use yose::Window;
use yose::batch::estimate::measure_speed;
use yose::eval::Evaluation;
use yose::plan::{Nodes, PlanOptions, Planned, make};
use yose::records::output::readable;

use super::estimate::{node_text, span};
use super::input::InputArgs;
use super::solve::{Goal, parse_window};
use super::{Exit, print};

/// The length of the trial that measures the speed of this machine.
const TRIAL: Duration = Duration::from_secs(2);

/// Cut a list into tasks of about equal predicted cost, for a cluster
///
/// The folder gets a file for each task, and a manifest. Tasks are numbered from 1, the most
/// expensive first. Positions that differ only by symmetry are solved once. `yose task` solves a
/// task, `yose merge` joins the results. The memory does not depend on the length of the list.
///
/// The folder has its name when the plan is complete.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  yose plan games.wtb --at-empties 24 -o plan
  yose task plan/tasks/00000/00000001.csv
  yose merge plan -o scores.csv

Exit status:
  0  done
  2  wrong usage, or a file that cannot be read or written; there is no plan then
  3  some lines of the input are invalid; the plan has all others")]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// The new folder of the plan
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: PathBuf,

    /// The time that a task should take on one core, in minutes
    #[arg(long, value_name = "MINUTES", default_value = "30", value_parser = positive)]
    task_minutes: f64,

    /// The speed of a core of the machines that will solve the tasks
    ///
    /// By default this machine's is measured in a trial of two seconds.
    #[arg(long, value_name = "N", value_parser = positive)]
    nodes_per_second: Option<f64>,

    /// What to find of each position
    #[arg(long, value_name = "GOAL", default_value = "exact")]
    goal: Goal,

    /// Find only scores between A and B exactly, as in `yose solve`
    #[arg(
        long,
        value_name = "A,B",
        allow_hyphen_values = true,
        value_parser = parse_window,
        conflicts_with = "goal"
    )]
    window: Option<Window>,

    /// Find the score of every legal move, not only of the best
    #[arg(long)]
    all_moves: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        Ok(_) => Err("it must be above 0".to_owned()),
        Err(_) => Err("it is not a number".to_owned()),
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let sources = args.input.sources("plan");
    args.input.read.messages.check(&sources, None)?;
    let messages = args.input.read.messages.open()?;
    let nodes_per_second = match args.nodes_per_second {
        Some(speed) => speed,
        None => measure_speed(&Evaluation::embedded(), NonZeroUsize::MIN, TRIAL)?,
    };
    let options = PlanOptions {
        window: args.window.unwrap_or(match args.goal {
            Goal::Exact => Window::FULL,
            Goal::Wld => Window::WIN_LOSS_DRAW,
        }),
        all_moves: args.all_moves,
        task_nodes: args.task_minutes * 60.0 * nodes_per_second,
        nodes_per_second,
    };
    if !options.task_nodes.is_finite() {
        bail!("--task-minutes times --nodes-per-second is no number of nodes");
    }
    let mut message = |text: &dyn Display| messages.print(&text);
    let reading = args.input.read.reading();
    let planned = make(sources, reading, &options, &args.output, &mut message);
    let messages_written = messages.finish();
    let planned = planned?;
    print(&text(&planned, &args))?;
    Ok(if !messages_written {
        Exit::Failure
    } else if planned.invalid > 0 {
        Exit::Invalid
    } else {
        Exit::Done
    })
}

fn text(Planned { manifest, most_expensive, invalid }: &Planned, args: &Args) -> String {
    let count = |number: u64, one: &str, many: &str| {
        format!("{} {}", readable(number), if number == 1 { one } else { many })
    };
    let time = |nodes: f64| span(nodes / manifest.nodes_per_second);
    let Nodes { mean, low, high } = manifest.nodes;
    let mut text = format!(
        "{}: plan {}, {} of about {}",
        args.output.display(),
        manifest.plan,
        count(manifest.tasks, "task", "tasks"),
        span(args.task_minutes * 60.0),
    );
    text += &match manifest.alone {
        0 => String::new(),
        1 => "; the first is a single position that takes longer".to_owned(),
        alone => format!("; the first {} are single positions that take longer", readable(alone)),
    };
    text += &format!(
        "\n{}, {} to solve",
        count(manifest.entries - invalid, "entry", "entries"),
        count(manifest.positions, "position", "positions"),
    );
    if *invalid > 0 {
        text += &format!(", {}", count(*invalid, "invalid line", "invalid lines"));
    }
    text += &format!(
        "\n{} nodes; 8 of 10 times from {} to {}\n",
        node_text(mean),
        node_text(low),
        node_text(high)
    );
    text += &format!(
        "{} on a core with {} nodes/s; 8 of 10 times from {} to {}\n",
        time(mean),
        readable(manifest.nodes_per_second as u64),
        time(low),
        time(high),
    );
    text + &format!("the most expensive position takes {}\n", time(*most_expensive))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_positive() {
        assert_eq!(positive("0.5"), Ok(0.5));
        for text in ["0", "-1", "inf", "NaN", "x", ""] {
            assert!(positive(text).is_err(), "{text}");
        }
    }
}
