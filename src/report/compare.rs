//! The section of two runs: nodes and time of the second against the first, differences in scores,
//! and the positions that gained and lost most.

use std::collections::HashMap;

use maud::{Markup, html};

use super::page::{self, Column, Fact};
use super::plots::{Axis, Figure, POINTS, Plot, Symbol, Unit};
use super::read::{Run, Solved};
use super::solve::capital;
use super::statistics::{Ratio, evenly, ratio_of_sums};
use crate::drawing::Board;
use crate::othello::Diagram;
use crate::records::output::readable;

/// The number of positions that gained or lost most, of each.
const MOST: usize = 8;

/// Two runs over the same positions.
pub struct Comparison<'a> {
    /// The positions that both runs have finished.
    pub pairs: Vec<(&'a Solved, &'a Solved)>,
    /// Those of one run only, or not finished in one.
    pub alone: usize,
}

impl<'a> Comparison<'a> {
    /// Pairs equal positions. Of a position that occurs several times in the second run, the first
    /// counts.
    pub fn of(first: &'a Run, second: &'a Run) -> Comparison<'a> {
        let mut others: HashMap<Diagram, &Solved> = HashMap::new();
        for one in second.positions.iter().filter(|one| !one.is_unfinished()) {
            others.entry(one.diagram).or_insert(one);
        }
        let finished = first.positions.iter().filter(|one| !one.is_unfinished());
        let pairs: Vec<(&Solved, &Solved)> =
            finished.filter_map(|one| Some((one, *others.get(&one.diagram)?))).collect();
        let all = first.positions.len().max(second.positions.len());
        Comparison { alone: all - pairs.len().min(all), pairs }
    }

    /// The pairs whose exact scores differ. There must be none.
    pub fn differing(&self) -> Vec<&(&'a Solved, &'a Solved)> {
        let differ = |one: &Solved, other: &Solved| {
            one.score.zip(other.score).is_some_and(|(one, other)| one != other)
        };
        self.pairs.iter().filter(|(one, other)| differ(one, other)).collect()
    }

    /// The ratio of a value, second to first.
    pub fn ratio(&self, value: impl Fn(&Solved) -> f64) -> Option<Ratio> {
        let pairs: Vec<(f64, f64)> =
            self.pairs.iter().map(|(one, other)| (value(one), value(other))).collect();
        ratio_of_sums(&pairs)
    }

    /// The pairs sorted by the logarithm of the ratio of nodes, weighted with the nodes, so that
    /// positions that take nothing do not come first. The most gained is first.
    pub fn by_gain(&self) -> Vec<&(&'a Solved, &'a Solved)> {
        let gain = |(one, other): &(&Solved, &Solved)| other.nodes as f64 - one.nodes as f64;
        let mut pairs: Vec<&(&Solved, &Solved)> = self.pairs.iter().collect();
        pairs.sort_by(|one, other| gain(one).total_cmp(&gain(other)));
        pairs
    }
}

/// A ratio with its interval.
pub fn ratio_text(ratio: Option<Ratio>) -> String {
    ratio.map_or_else(
        || "unknown".to_owned(),
        |Ratio { ratio, low, high }| format!("{ratio:.3} ({low:.3} to {high:.3})"),
    )
}

/// A ratio as a key figure.
fn ratio_fact(name: &str, ratio: Option<Ratio>) -> Fact {
    match ratio {
        None => page::fact(name, "unknown"),
        Some(Ratio { ratio, low, high }) => page::fact(name, format!("{ratio:.3}"))
            .note(format!("{low:.3} to {high:.3} in 19 of 20 cases")),
    }
}

/// The section.
pub fn section(id: &str, first: &Run, second: &Run) -> Markup {
    let comparison = Comparison::of(first, second);
    let differing = comparison.differing();
    let mut facts = vec![page::fact("Positions of both", readable(comparison.pairs.len() as u64))];
    if comparison.alone > 0 {
        let alone = readable(comparison.alone as u64);
        facts[0] = facts[0].clone().note(format!("{alone} more are not finished in both"));
    }
    let differ = page::fact("Scores that differ", readable(differing.len() as u64));
    facts.push(differ.bad(!differing.is_empty()));
    facts.push(ratio_fact("Nodes, B to A", comparison.ratio(|one| one.nodes as f64)));
    facts.push(ratio_fact("Time, B to A", comparison.ratio(|one| one.seconds)));
    let by_gain = comparison.by_gain();
    let gained = by_gain.iter().take(MOST).filter(|(one, other)| other.nodes < one.nodes);
    let lost = by_gain.iter().rev().take(MOST).filter(|(one, other)| other.nodes > one.nodes);
    html! {
        section id=(id) {
            h2 { (page::text(&second.name)) " against " (page::text(&first.name)) }
            dl.settings {
                div { dt { "A" } dd { (page::text(&first.name)) } }
                div { dt { "B" } dd { (page::text(&second.name)) } }
            }
            (page::key_figures(&facts))
            @if !differing.is_empty() {
                p.bad { "The runs disagree: one of them is wrong." }
                (differences(&differing))
            }
            @if comparison.pairs.is_empty() { p { "The runs have no position in common." } }
            @else {
                @if differing.is_empty() { p.good { "All scores agree." } }
                p.faint { "A ratio is that of the sums over all positions, with its range by the \
                    bootstrap. Below 1, B needs less." }
                div.grid {
                    (scatter("nodes", &comparison, |one| one.nodes as f64).markup())
                    (scatter("time", &comparison, |one| one.seconds).markup())
                }
                (boards("Most nodes saved by B", gained))
                (boards("Most nodes added by B", lost))
            }
        }
    }
}

fn differences(differing: &[&(&Solved, &Solved)]) -> Markup {
    const SHOWN: usize = 500;
    let row = |(one, other): &&(&Solved, &Solved)| {
        vec![one.id.clone(), one.bounds.clone(), other.bounds.clone(), one.diagram.to_string()]
    };
    let rows: Vec<Vec<String>> = differing.iter().take(SHOWN).map(row).collect();
    let columns = [
        Column::Words("position"),
        Column::Numbers("A"),
        Column::Numbers("B"),
        Column::Long("board"),
    ];
    page::table("Scores that differ", &columns, &rows)
}

/// A value of B against that of A. Below the line, B needs less.
fn scatter(
    name: &'static str,
    comparison: &Comparison<'_>,
    value: impl Fn(&Solved) -> f64,
) -> Figure {
    let pairs = &comparison.pairs;
    let shown = evenly(pairs.len(), POINTS);
    let points: Vec<(f64, f64)> =
        shown.iter().map(|&index| (value(pairs[index].0), value(pairs[index].1))).collect();
    let all = || points.iter().flat_map(|&(one, other)| [one, other]);
    let (unit, names) = match name {
        "nodes" => (Unit::Count, ["nodes of A", "nodes of B"]),
        _ => (Unit::Seconds, ["time of A", "time of B"]),
    };
    let [x, y] = names.map(|name| Axis::log(name, unit, all()));
    let less = points.iter().filter(|(one, other)| other < one).count();
    let more = points.iter().filter(|(one, other)| other > one).count();
    let sampled = if shown.len() < pairs.len() {
        format!(" A sample of {} pairs.", shown.len())
    } else {
        String::new()
    };
    let references = vec![[(x.from, x.from), (x.to, x.to)]];
    Figure {
        caption: format!("{} of B against A", capital(name)),
        legend: vec![
            (Symbol::Point, format!("position; B needs less for {less}, more for {more}")),
            (Symbol::Reference, "equal".to_owned()),
        ],
        description: format!(
            "Scatter plot of {name} on log scales.{sampled} Of {} positions, B needs less for \
             {less} and more for {more}.",
            points.len()
        ),
        plot: Plot { points, references, ..Plot::new(x, y) },
    }
}

/// The boards of pairs, under a heading.
fn boards<'a>(
    heading: &str,
    pairs: impl Iterator<Item = &'a &'a (&'a Solved, &'a Solved)>,
) -> Markup {
    let boards: Vec<Markup> = pairs.map(pair_board).collect();
    html! {
        h3 { (heading) }
        @if boards.is_empty() { p { "None." } }
        div.boards { @for board in boards { (board) } }
    }
}

fn pair_board((one, other): &&(&Solved, &Solved)) -> Markup {
    let ratio = other.nodes as f64 / one.nodes.max(1) as f64;
    let caption = html! {
        (page::side(one.diagram.to_move)) " to move, " (one.empties()) " empties, " (one.bounds)
        br; (readable(one.nodes)) " → " (readable(other.nodes)) " nodes, " (format!("×\u{a0}{ratio:.3}"))
    };
    page::board(&Board::new(one.diagram), &one.id, &caption)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Move;

    fn run(nodes: [u64; 2], score: i32) -> Run {
        let start = Diagram::START;
        let next = start.make("f5".parse::<Move>().expect("a move")).expect("a legal move");
        let position = |(diagram, nodes)| Solved {
            id: "p".to_owned(),
            diagram,
            status: "exact".to_owned(),
            score: Some(score),
            bounds: score.to_string(),
            pv: String::new(),
            nodes,
            seconds: nodes as f64 / 1e6,
        };
        Run {
            name: "run".to_owned(),
            facts: Vec::new(),
            positions: [start, next].into_iter().zip(nodes).map(position).collect(),
            invalid: Vec::new(),
        }
    }

    #[test]
    fn runs_are_compared_by_positions() {
        let (first, mut second) = (run([100, 200], 4), run([50, 250], 4));
        second.positions.reverse();
        let comparison = Comparison::of(&first, &second);
        assert_eq!((comparison.pairs.len(), comparison.alone), (2, 0));
        assert!(comparison.differing().is_empty());
        assert_eq!(comparison.ratio(|one| one.nodes as f64).map(|ratio| ratio.ratio), Some(1.0));
        assert_eq!(comparison.by_gain()[0].0.nodes, 100);
        let other = run([100, 200], 6);
        assert_eq!(Comparison::of(&first, &other).differing().len(), 2);
        assert!(section("s", &first, &other).into_string().contains("The runs disagree"));
        second.positions[0].status = "limit".to_owned();
        assert_eq!(Comparison::of(&first, &second).pairs.len(), 1);
    }
}
