//! Results as Markdown, for a pull request: what came of each run, and each later run against the
//! first.

use std::fmt::Write as _;

use super::compare::{Comparison, ratio_text};
use super::page::shortened;
use super::read::{Results, Run};
use super::solve::outcome;
use crate::records::output::readable;
use crate::review::players;

/// Results as Markdown.
pub fn markdown(results: &[Results]) -> String {
    let mut text = String::new();
    let runs: Vec<&Run> = results.iter().filter_map(Results::run).collect();
    if let [first, others @ ..] = &runs[..] {
        for other in others {
            text += &comparison(first, other);
        }
    }
    for one in results {
        let _ = write!(text, "## {}\n\n", escaped(one.name()));
        match one {
            Results::Run(run) => {
                let outcome = outcome(run).into_iter().map(|fact| {
                    let note =
                        if fact.note.is_empty() { fact.note } else { format!(", {}", fact.note) };
                    (fact.name, format!("{}{note}", fact.value))
                });
                let facts = run.facts.iter().cloned().chain(outcome);
                text += &table(&["", ""], facts.map(|(name, value)| vec![name, value]));
            }
            Results::Verify(verify) => {
                let refuted = verify.findings.iter().filter(|one| one.verdict == "refuted");
                let _ = write!(
                    text,
                    "{} claims, {} refuted.\n\n",
                    readable(verify.findings.len() as u64),
                    readable(refuted.clone().count() as u64)
                );
                let row = |one: &super::read::Finding| {
                    vec![one.place.clone(), one.claimed(), one.truth(), one.pv.clone()]
                };
                text += &table(&["place", "claim", "proven", "line"], refuted.map(row));
            }
            Results::Review(review) => {
                let players = players(&review.stored.reviews);
                let rows = players.into_iter().map(|player| {
                    let share = player.sums.share().unwrap_or(0.0) * 100.0;
                    let games = player.games.to_string();
                    vec![player.name, games, format!("{share:.1}%"), player.sums.lost.to_string()]
                });
                text += &table(&["player", "games", "perfect", "discs lost"], rows);
            }
        }
    }
    text
}

/// The second run against the first.
fn comparison(first: &Run, second: &Run) -> String {
    const MOST: usize = 5;
    let comparison = Comparison::of(first, second);
    let differing = comparison.differing();
    let mut text = format!("## {} against {}\n\n", escaped(&second.name), escaped(&first.name));
    let facts = [
        ("positions of both", readable(comparison.pairs.len() as u64)),
        ("scores that differ", readable(differing.len() as u64)),
        ("nodes, ratio (19 of 20)", ratio_text(comparison.ratio(|one| one.nodes as f64))),
        ("time, ratio (19 of 20)", ratio_text(comparison.ratio(|one| one.seconds))),
    ];
    text += &table(&["", ""], facts.into_iter().map(|(name, value)| vec![name.to_owned(), value]));
    let by_gain = comparison.by_gain();
    let ends = by_gain.iter().take(MOST).chain(by_gain.iter().skip(MOST).rev().take(MOST));
    let rows = ends.map(|(one, other)| {
        let ratio = other.nodes as f64 / one.nodes.max(1) as f64;
        let nodes = [one.nodes, other.nodes].map(readable);
        let [before, after] = nodes;
        vec![one.id.clone(), before, after, format!("{ratio:.2}")]
    });
    text += &table(&["position", "nodes before", "nodes after", "ratio"], rows);
    if !differing.is_empty() {
        let rows = differing
            .iter()
            .take(100)
            .map(|(one, other)| vec![one.id.clone(), one.bounds.clone(), other.bounds.clone()]);
        text += &table(&["scores that differ", "before", "after"], rows);
    }
    text
}

/// A table.
fn table(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text + "\n"
}

/// A text of a file without a meaning in Markdown or HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in shortened(text).chars() {
        match c {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '\\' | '`' | '*' | '_' | '|' | '[' | ']' | '!' | '#' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_no_meaning() {
        assert_eq!(escaped("a|b <script> [x](y)\n"), "a\\|b &lt;script&gt; \\[x\\](y)\u{fffd}");
    }
}
