//! The section of `verify`: verdicts by file and by kind, and each refuted claim with its board,
//! the truth, and the line that refutes it.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::page::{self, Step};
use super::read::{Finding, Verify};
use crate::othello::{Diagram, Move, Square};
use crate::records::output::readable;

/// The verdicts in the order of the columns.
const VERDICTS: [&str; 5] = ["confirmed", "refuted", "consistent", "open", "malformed"];

/// The number of refuted claims that have boards.
const BOARDS: usize = 60;

/// The section.
pub fn section(id: &str, verify: &Verify) -> Markup {
    let refuted: Vec<&Finding> =
        verify.findings.iter().filter(|one| one.verdict == "refuted").collect();
    let mut facts = verify.facts.clone();
    for verdict in VERDICTS {
        let count = verify.findings.iter().filter(|one| one.verdict == verdict).count();
        if count > 0 {
            facts.push(page::fact(verdict, readable(count as u64)));
        }
    }
    html! {
        section id=(id) {
            h2 { (page::text(&verify.name)) }
            (page::facts(&facts))
            (verdicts("file", verify, |one| one.file().to_owned()))
            (verdicts("kind of claim", verify, |one| one.kind.clone()))
            h3 { "Refuted claims" }
            @if refuted.is_empty() { p { "No claim is refuted." } }
            @if refuted.len() > BOARDS {
                p { "The first " (BOARDS) " of " (readable(refuted.len() as u64))
                    " have boards; all are in the table." }
            }
            @for one in refuted.iter().take(BOARDS) { (article(one)) }
            @if !refuted.is_empty() { (list("Refuted claims", &refuted)) }
            (others(verify))
        }
    }
}

/// The claims that could not be decided or read.
fn others(verify: &Verify) -> Markup {
    let is_other = |one: &&Finding| matches!(one.verdict.as_str(), "open" | "malformed");
    let others: Vec<&Finding> = verify.findings.iter().filter(is_other).collect();
    html! {
        @if !others.is_empty() {
            h3 { "Open and malformed claims" }
            (list("Open and malformed claims", &others))
        }
    }
}

/// A table of findings; of many, the first ones.
fn list(caption: &str, findings: &[&Finding]) -> Markup {
    const ROWS: usize = 2000;
    let rows: Vec<Vec<String>> = findings
        .iter()
        .take(ROWS)
        .map(|one| {
            let fields = [&one.place, &one.verdict, &one.claim, &one.proven, &one.pv, &one.note];
            fields.map(Clone::clone).to_vec()
        })
        .collect();
    let columns = ["place", "verdict", "claim", "proven", "line", "note"].map(|name| (name, false));
    html! {
        @if findings.len() > ROWS { p { "The first " (readable(ROWS as u64)) " are listed." } }
        (page::table(caption, &columns, &rows))
    }
}

/// The number of claims with each verdict, by something.
fn verdicts(name: &str, verify: &Verify, key: impl Fn(&Finding) -> String) -> Markup {
    let mut counts: BTreeMap<String, [u64; VERDICTS.len()]> = BTreeMap::new();
    for one in &verify.findings {
        if let Some(index) = VERDICTS.iter().position(|verdict| *verdict == one.verdict) {
            counts.entry(key(one)).or_default()[index] += 1;
        }
    }
    let rows: Vec<Vec<String>> = counts
        .into_iter()
        .map(|(key, counts)| std::iter::once(key).chain(counts.map(readable)).collect())
        .collect();
    let mut columns = vec![(name, false)];
    columns.extend(VERDICTS.map(|verdict| (verdict, true)));
    page::table(&format!("Verdicts by {name}"), &columns, &rows)
}

/// A refuted claim.
fn article(one: &Finding) -> Markup {
    html! {
        article.claim {
            h3 { (page::text(&one.place)) }
            p {
                "Claimed: " strong { (page::text(&one.claim)) } ". "
                span.bad { "Proven: " (page::text(&one.proven)) } "."
                @if !one.note.is_empty() { " " (page::text(&one.note)) }
            }
            @if let Some(diagram) = one.diagram {
                (page::stepper(&one.claim, &steps(diagram, one), 0))
            }
        }
    }
}

/// The position, and the positions along the line that refutes the claim. The line begins in the
/// position or, for a claim about a move, after that move.
fn steps(diagram: Diagram, one: &Finding) -> Vec<Step> {
    let mut line: Vec<Move> = one.pv.split_whitespace().map_while(|mv| mv.parse().ok()).collect();
    let claimed: Option<Move> = one.moves.split_whitespace().next().and_then(|mv| mv.parse().ok());
    if let (Some(first), Some(mv)) = (line.first(), claimed)
        && *first != mv
        && diagram.make(*first).is_none()
    {
        line.insert(0, mv);
    }
    let step = |diagram: Diagram, last: Option<Square>, caption: String| Step {
        diagram,
        last,
        caption,
        scores: Vec::new(),
        played: None,
    };
    let first = format!("{} to move. Claimed: {}", diagram.to_move, one.claim);
    let mut steps = vec![step(diagram, None, first)];
    let mut current = diagram;
    for (number, &mv) in line.iter().enumerate() {
        let Some(next) = current.make(mv) else { break };
        let square = match mv {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        };
        let mut caption = format!("{}. {} plays {mv}", number + 1, current.to_move);
        if next.position.is_over() {
            let black = next.black().count();
            caption += &format!("; the end: X {black}, O {}", next.white().count());
        }
        steps.push(step(next, square, caption));
        current = next;
    }
    steps
}
