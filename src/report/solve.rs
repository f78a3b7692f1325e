//! The section of a run of `solve`, `merge` or `bench`.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::page;
use super::plots::{Axis, Figure, POINTS, Plot};
use super::read::{Run, Solved};
use super::statistics::{evenly, quantile};
use crate::batch::cost::Prediction;
use crate::drawing::Board;
use crate::eval::Evaluation;
use crate::records::output::readable;

/// The number of the slowest positions that have a board.
const SLOWEST: usize = 8;

/// The section.
pub fn section(id: &str, run: &Run, table_bytes: usize) -> Markup {
    let mut facts = run.facts.clone();
    facts.extend(outcome(run));
    let mut slowest: Vec<&Solved> = run.positions.iter().collect();
    slowest.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    slowest.truncate(SLOWEST);
    html! {
        section id=(id) {
            h2 { (page::text(&run.name)) }
            (page::facts(&facts))
            @if !run.positions.is_empty() {
                div.grid { @for figure in figures(run) { (figure.markup()) } }
                (by_empties(run))
                h3 { "The slowest positions" }
                div.boards { @for one in slowest { (slow_board(one)) } }
                (page::positions(id, &run.positions, table_bytes))
            }
            @if !run.invalid.is_empty() { (invalid(run)) }
        }
    }
}

/// What came of the run.
pub fn outcome(run: &Run) -> Vec<(String, String)> {
    let mut statuses: BTreeMap<&str, u64> = BTreeMap::new();
    for one in &run.positions {
        *statuses.entry(&one.status).or_default() += 1;
    }
    if !run.invalid.is_empty() {
        statuses.insert("invalid", run.invalid.len() as u64);
    }
    let came: Vec<String> =
        statuses.iter().map(|(status, count)| format!("{} {status}", readable(*count))).collect();
    let (nodes, seconds) = (run.nodes(), run.seconds());
    vec![
        page::fact("Positions", readable(run.positions.len() as u64)),
        page::fact("Results", came.join(", ")),
        page::fact("Nodes", readable(nodes)),
        page::fact("Time of all searches", page::seconds(seconds)),
        page::fact("Nodes per second and search", page::speed(nodes, seconds)),
    ]
}

/// A board with what it took.
fn slow_board(one: &Solved) -> Markup {
    let caption = html! {
        (page::text(&one.id)) br;
        (one.bounds) ", " (one.empties()) " empties, " (readable(one.nodes)) " nodes, "
        (page::seconds(one.seconds))
    };
    page::board(&Board::new(one.diagram), &one.id, &caption)
}

/// The lines of the input that were invalid.
fn invalid(run: &Run) -> Markup {
    const SHOWN: usize = 100;
    let rows: Vec<Vec<String>> =
        run.invalid.iter().take(SHOWN).map(|(id, error)| vec![id.clone(), error.clone()]).collect();
    html! {
        h3 { "Invalid lines" }
        @if run.invalid.len() > SHOWN { p { "The first " (SHOWN) " are listed." } }
        (page::table("Invalid lines", &[("line", false), ("error", false)], &rows))
    }
}

/// The positions of each number of empties.
fn groups(run: &Run) -> BTreeMap<u32, Vec<&Solved>> {
    let mut groups: BTreeMap<u32, Vec<&Solved>> = BTreeMap::new();
    for one in &run.positions {
        groups.entry(one.empties()).or_default().push(one);
    }
    groups
}

/// Sorted values of some positions.
fn sorted(positions: &[&Solved], value: impl Fn(&Solved) -> f64) -> Vec<f64> {
    let mut values: Vec<f64> = positions.iter().map(|one| value(one)).collect();
    values.sort_by(f64::total_cmp);
    values
}

fn by_empties(run: &Run) -> Markup {
    let row = |(empties, positions): (u32, Vec<&Solved>)| {
        let nodes = sorted(&positions, |one| one.nodes as f64);
        let all = positions.iter().map(|one| one.nodes).sum();
        let time: f64 = positions.iter().map(|one| one.seconds).sum();
        let at = |share| readable(quantile(&nodes, share) as u64);
        vec![
            empties.to_string(),
            readable(positions.len() as u64),
            at(0.5),
            format!("{} to {}", at(0.1), at(0.9)),
            readable(all),
            format!("{time:.3}"),
            page::speed(all, time),
        ]
    };
    let rows: Vec<Vec<String>> = groups(run).into_iter().map(row).collect();
    let columns = [
        ("empties", true),
        ("positions", true),
        ("median nodes", true),
        ("8 of 10 positions", true),
        ("all nodes", true),
        ("seconds", true),
        ("nodes/s", true),
    ];
    page::table("By the number of empties", &columns, &rows)
}

/// The plots of a run.
fn figures(run: &Run) -> Vec<Figure> {
    let shown = evenly(run.positions.len(), POINTS);
    let sampled = if shown.len() < run.positions.len() {
        format!(" {} of {} positions.", shown.len(), run.positions.len())
    } else {
        String::new()
    };
    let positions: Vec<&Solved> = shown.iter().map(|&index| &run.positions[index]).collect();
    let mut figures = vec![
        by_empties_plot(run, &positions, "nodes", &sampled, |one| one.nodes as f64),
        by_empties_plot(run, &positions, "seconds", &sampled, |one| one.seconds),
        predicted_plot(&positions, &sampled),
    ];
    figures.extend(scores_plot(run));
    figures
}

/// A value by empties: each position, and lines for the median and the range of eight in ten.
fn by_empties_plot(
    run: &Run,
    shown: &[&Solved],
    name: &'static str,
    sampled: &str,
    value: impl Fn(&Solved) -> f64,
) -> Figure {
    let points: Vec<(f64, f64)> =
        shown.iter().map(|one| (f64::from(one.empties()), value(one))).collect();
    let x = Axis::of("empties", false, points.iter().map(|point| point.0));
    let y = Axis::of(name, true, points.iter().map(|point| point.1));
    let groups = groups(run);
    let line = |share: f64| -> Vec<(f64, f64)> {
        let point = |(empties, positions): (&u32, &Vec<&Solved>)| {
            (f64::from(*empties), quantile(&sorted(positions, &value), share))
        };
        groups.iter().map(point).collect()
    };
    let lines = vec![line(0.1), line(0.5), line(0.9)];
    let ends: Vec<String> = [lines[1].first(), lines[1].last()]
        .into_iter()
        .flatten()
        .map(|(empties, median)| format!("{median:.3} with {empties} empties"))
        .collect();
    Figure {
        caption: format!("{} by empties: each position, the median and 8 of 10", capital(name)),
        description: format!(
            "Scatter plot of {name} on a log scale.{sampled} The median is {}.",
            ends.join(", and ")
        ),
        plot: Plot { points, lines, ..Plot::new(x, y) },
    }
}

/// A word with a capital letter.
fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The predicted nodes against the true ones.
fn predicted_plot(shown: &[&Solved], sampled: &str) -> Figure {
    let evaluation = Evaluation::embedded();
    let points: Vec<(f64, f64)> = shown
        .iter()
        .filter(|one| one.nodes > 0 && !one.diagram.position.is_over())
        .map(|one| (Prediction::of(&one.diagram.position, &evaluation).mean(), one.nodes as f64))
        .collect();
    let axis = |name| {
        Axis::of(name, true, points.iter().flat_map(|&(predicted, nodes)| [predicted, nodes]))
    };
    let (x, y) = (axis("predicted nodes"), axis("nodes"));
    let within = points.iter().filter(|(one, other)| (one / other).ln().abs() < 2f64.ln()).count();
    let description = format!(
        "Scatter plot of predicted and true nodes on log scales.{sampled} Of {} positions, {within} \
         are within a factor of two of the prediction.",
        points.len()
    );
    let lines = vec![vec![(x.from, x.from), (x.to, x.to)]];
    Figure {
        caption: "Predicted and true nodes; on the line they are equal".to_owned(),
        description,
        plot: Plot { points, lines, ..Plot::new(x, y) },
    }
}

/// How often each score occurs.
fn scores_plot(run: &Run) -> Option<Figure> {
    let mut counts: BTreeMap<i32, u32> = BTreeMap::new();
    for score in run.positions.iter().filter_map(|one| one.score) {
        *counts.entry(score).or_default() += 1;
    }
    let (lowest, highest) = (*counts.keys().next()?, *counts.keys().last()?);
    let most = *counts.values().max()?;
    let all: u32 = counts.values().sum();
    let wins: u32 = counts.iter().filter(|(score, _)| **score > 0).map(|(_, count)| count).sum();
    let draws = counts.get(&0).copied().unwrap_or(0);
    let x = Axis::of("score", false, counts.keys().map(|&score| f64::from(score)));
    let y = Axis { name: "positions", from: 0.0, to: f64::from(most) * 1.05, log: false };
    let bars = counts.iter().map(|(&score, &count)| (f64::from(score), f64::from(count)));
    Some(Figure {
        caption: "Scores for the side to move".to_owned(),
        description: format!(
            "Bar chart of {all} exact scores from {lowest} to {highest}: {wins} wins, {draws} draws, \
             {} losses.",
            all - wins - draws
        ),
        plot: Plot { bars: bars.collect(), ..Plot::new(x, y) },
    })
}
