//! The section of a run of `solve`, `merge` or `bench`.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::page::{self, Column, Fact};
use super::plots::{Axis, Bar, Figure, POINTS, Plot, Shade, Spread, Symbol, Unit};
use super::positions;
use super::read::{Run, Solved};
use super::statistics::{evenly, quantile};
use crate::batch::cost::Prediction;
use crate::drawing::Board;
use crate::eval::Evaluation;
use crate::records::output::readable;

/// The number of the slowest positions that have a board.
const SLOWEST: usize = 8;

/// The section.
pub fn section(id: &str, run: &Run, heading: &str, table_bytes: usize) -> Markup {
    let mut slowest: Vec<&Solved> = run.positions.iter().collect();
    slowest.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    slowest.truncate(SLOWEST);
    html! {
        section id=(id) {
            h2 { (page::text(heading)) }
            (page::key_figures(&outcome(run)))
            (page::settings(&run.facts))
            @if run.positions.is_empty() { p { "The file has no position." } }
            @else {
                div.grid { @for figure in figures(run) { (figure.markup()) } }
                (by_empties(run))
                h3 { "The slowest positions" }
                div.boards { @for one in slowest { (slow_board(one)) } }
                (positions::positions(id, &run.positions, table_bytes))
            }
            @if !run.invalid.is_empty() { (invalid(run)) }
        }
    }
}

/// What came of the run.
pub fn outcome(run: &Run) -> Vec<Fact> {
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
    let mut facts = vec![
        page::fact("Positions", readable(run.positions.len() as u64)).note(came.join(", ")),
        page::fact("Nodes", readable(nodes)),
        page::fact("Time", page::seconds(seconds)).note("sum over all searches"),
    ];
    if seconds > 0.0 {
        let speed = page::speed(nodes, seconds);
        facts.push(page::fact("Nodes per second", speed).note("of one search"));
    }
    facts
}

/// A board with what it took.
fn slow_board(one: &Solved) -> Markup {
    let caption = html! {
        (page::side(one.diagram.to_move)) " to move, " (one.empties()) " empties"
        @if !one.bounds.is_empty() { ", " (one.bounds) }
        br; (readable(one.nodes)) " nodes, " (page::seconds(one.seconds))
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
        (page::table("Invalid lines", &[Column::Words("line"), Column::Long("error")], &rows))
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
        "empties",
        "positions",
        "median nodes",
        "nodes of 8 in 10",
        "all nodes",
        "seconds",
        "nodes/s",
    ]
    .map(Column::Numbers);
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
    let (nodes, time) = (|one: &Solved| one.nodes as f64, |one: &Solved| one.seconds);
    let mut figures = if groups(run).len() == 1 {
        vec![
            distribution_plot(run, ("nodes", Unit::Count), nodes),
            distribution_plot(run, ("time", Unit::Seconds), time),
        ]
    } else {
        vec![
            by_empties_plot(run, &positions, ("nodes", Unit::Count), &sampled, nodes),
            by_empties_plot(run, &positions, ("time", Unit::Seconds), &sampled, time),
        ]
    };
    figures.push(predicted_plot(&positions, &sampled));
    figures.extend(scores_plot(run));
    figures
}

/// A value of a plot in words.
fn in_words(value: f64, unit: Unit) -> String {
    if unit == Unit::Seconds { page::seconds(value) } else { readable(value as u64) }
}

/// The positions of one number of empties by a value.
fn distribution_plot(
    run: &Run,
    (name, unit): (&'static str, Unit),
    value: impl Fn(&Solved) -> f64,
) -> Figure {
    const IN_DECADE: f64 = 8.0;
    let positions: Vec<&Solved> = run.positions.iter().collect();
    let values = sorted(&positions, &value);
    let mut counts: BTreeMap<i32, u32> = BTreeMap::new();
    for value in values.iter().filter(|value| **value > 0.0) {
        *counts.entry((value.log10() * IN_DECADE).floor() as i32).or_default() += 1;
    }
    let side = |bin: i32| 10f64.powf(f64::from(bin) / IN_DECADE);
    let ends = counts.keys().flat_map(|&bin| [side(bin), side(bin + 1)]);
    let x = Axis::log(name, unit, ends);
    let most = counts.values().max().copied().unwrap_or(1);
    let bars = counts.iter().map(|(&bin, &count)| {
        let (from, to) = (side(bin), side(bin + 1) / 1.02);
        Bar { from, to, height: f64::from(count), shade: Shade::First }
    });
    let at = |share| in_words(quantile(&values, share), unit);
    let empties = run.positions.first().map_or(0, Solved::empties);
    Figure {
        caption: format!("Positions with {empties} empties by {name}"),
        legend: Vec::new(),
        description: format!(
            "Bar chart of the number of positions by {name}, on a log scale. The median is {}; 8 \
             of 10 are from {} to {}.",
            at(0.5),
            at(0.1),
            at(0.9)
        ),
        plot: Plot { bars: bars.collect(), ..Plot::new(x, counts_axis(most)) },
    }
}

/// The axis of a number of positions.
fn counts_axis(most: u32) -> Axis {
    let to = f64::from(most) * 1.08;
    Axis { name: "positions", unit: Unit::Count, from: 0.0, to, log: false }
}

/// A value by empties: each position, and for each number of empties the median and the range of
/// eight in ten.
fn by_empties_plot(
    run: &Run,
    shown: &[&Solved],
    (name, unit): (&'static str, Unit),
    sampled: &str,
    value: impl Fn(&Solved) -> f64,
) -> Figure {
    // Points of the same number of empties stand side by side, in an order without a pattern.
    let aside = |index: usize| ((index * 7) % 11) as f64 * 0.05 - 0.25;
    let point =
        |(index, one): (usize, &&Solved)| (f64::from(one.empties()) + aside(index), value(one));
    let points: Vec<(f64, f64)> = shown.iter().enumerate().map(point).collect();
    let x = Axis::linear("empties", Unit::Count, points.iter().map(|point| point.0.round()));
    let y = Axis::log(name, unit, points.iter().map(|point| point.1));
    const ENOUGH: usize = 3;
    let spread = |(empties, positions): (&u32, &Vec<&Solved>)| {
        let values = sorted(positions, &value);
        let values = [0.1, 0.5, 0.9].map(|share| quantile(&values, share));
        (positions.len() >= ENOUGH && values[0] > 0.0)
            .then(|| Spread { x: f64::from(*empties), values })
    };
    let groups = groups(run);
    let spreads: Vec<Spread> = groups.iter().filter_map(spread).collect();
    let ends: Vec<String> = [groups.first_key_value(), groups.last_key_value()]
        .into_iter()
        .flatten()
        .map(|(empties, positions)| {
            let median = in_words(quantile(&sorted(positions, &value), 0.5), unit);
            format!("{median} with {empties} empties")
        })
        .collect();
    let mut legend = vec![(Symbol::Point, "position".to_owned())];
    if !spreads.is_empty() {
        legend.push((Symbol::Range, "median, and 8 of 10 positions".to_owned()));
    }
    Figure {
        caption: format!("{} by the number of empties", capital(name)),
        legend,
        description: format!(
            "Scatter plot of {name} on a log scale.{sampled} The median is {}.",
            ends.join(", and ")
        ),
        plot: Plot { points, spreads, ..Plot::new(x, y) },
    }
}

/// A word with a capital letter.
pub fn capital(word: &str) -> String {
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
        let values = points.iter().flat_map(|&(predicted, nodes)| [predicted, nodes]);
        Axis::log(name, Unit::Count, values)
    };
    let (x, y) = (axis("predicted nodes"), axis("nodes"));
    let within = points.iter().filter(|(one, other)| (one / other).ln().abs() < 2f64.ln()).count();
    let description = format!(
        "Scatter plot of predicted and true nodes on log scales.{sampled} Of {} positions, {within} \
         are within a factor of two of the prediction.",
        points.len()
    );
    let references = vec![[(x.from, x.from), (x.to, x.to)]];
    Figure {
        caption: "Predicted and true nodes".to_owned(),
        legend: vec![
            (Symbol::Point, format!("position; {within} of {} within a factor of 2", points.len())),
            (Symbol::Reference, "as predicted".to_owned()),
        ],
        description,
        plot: Plot { points, references, ..Plot::new(x, y) },
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
    let losses = all - wins - draws;
    let ends = counts.keys().map(|&score| f64::from(score));
    let x = Axis::linear("score for the side to move", Unit::Score, ends.chain([-4.0, 4.0]));
    let bars = counts.iter().map(|(&score, &count)| Bar {
        from: f64::from(score) - 0.8,
        to: f64::from(score) + 0.8,
        height: f64::from(count),
        shade: match score {
            0 => Shade::Faint,
            score if score > 0 => Shade::First,
            _ => Shade::Second,
        },
    });
    let legend = [
        (Shade::Second, losses, ["loss", "losses"]),
        (Shade::Faint, draws, ["draw", "draws"]),
        (Shade::First, wins, ["win", "wins"]),
    ];
    let counted = |(shade, count, [one, several]): (Shade, u32, [&str; 2])| {
        let name = if count == 1 { one } else { several };
        (Symbol::Bar(shade), format!("{} {name}", readable(count.into())))
    };
    Some(Figure {
        caption: "Scores".to_owned(),
        legend: legend.map(counted).to_vec(),
        description: format!(
            "Bar chart of {all} exact scores from {lowest} to {highest}: {wins} wins, {draws} \
             draws, {losses} losses."
        ),
        plot: Plot { bars: bars.collect(), ..Plot::new(x, counts_axis(most)) },
    })
}
