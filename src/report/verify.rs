//! The section of `verify`: verdicts by file and by kind, and each refuted claim with its board,
//! the truth, and the line that refutes it.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::page::{self, Column};
use super::read::{Finding, Verify};
use super::solve::capital;
use super::stepper::{Step, stepper};
use crate::othello::{Diagram, Move, Square};
use crate::records::output::readable;

/// The verdicts in the order of the columns.
const VERDICTS: [&str; 5] = ["confirmed", "refuted", "consistent", "open", "malformed"];

/// The number of refuted claims that have boards.
const BOARDS: usize = 60;

/// The section.
pub fn section(id: &str, verify: &Verify, heading: &str) -> Markup {
    let refuted: Vec<&Finding> =
        verify.findings.iter().filter(|one| one.verdict == "refuted").collect();
    let mut figures = vec![page::fact("Claims", readable(verify.findings.len() as u64))];
    for verdict in VERDICTS {
        let count = verify.findings.iter().filter(|one| one.verdict == verdict).count();
        if count > 0 {
            let fact = page::fact(&capital(verdict), readable(count as u64));
            figures.push(fact.bad(verdict == "refuted"));
        }
    }
    html! {
        section id=(id) {
            h2 { (page::text(heading)) }
            (page::key_figures(&figures))
            (page::settings(&verify.facts))
            @if !verify.findings.is_empty() {
                (verdicts("file", verify, |one| one.file().to_owned()))
                (verdicts("kind of claim", verify, |one| one.kind.clone()))
            }
            h3 { "Refuted claims" }
            @if verify.findings.is_empty() { p { "The file has no claim." } }
            @else if refuted.is_empty() { p.good { "No claim is refuted." } }
            @else { p.faint { "Step through a board to see the line of perfect play that refutes \
                the claim." } }
            @if refuted.len() > BOARDS {
                p { "The first " (BOARDS) " of " (readable(refuted.len() as u64))
                    " have boards; all are in the table." }
            }
            @if !refuted.is_empty() {
                div.claims { @for one in refuted.iter().take(BOARDS) { (article(one)) } }
                (list("Refuted claims", &refuted))
            }
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
    let mut columns = vec![
        Column::Words("place"),
        Column::Words("verdict"),
        Column::Moves("claimed"),
        Column::Moves("proven"),
        Column::Long("line"),
    ];
    if findings.iter().any(|one| !one.note.is_empty()) {
        columns.push(Column::Words("note"));
    }
    let rows: Vec<Vec<String>> = findings
        .iter()
        .take(ROWS)
        .map(|one| {
            let (claimed, proven) = (one.claimed(), one.truth());
            let fields = [&one.place, &one.verdict, &claimed, &proven, &one.pv, &one.note];
            fields[..columns.len()].iter().map(|field| (*field).clone()).collect()
        })
        .collect();
    html! {
        @if findings.len() > ROWS { p { "The first " (readable(ROWS as u64)) " are listed." } }
        (page::table(caption, &columns, &rows))
    }
}

/// The number of claims with each verdict, by something.
fn verdicts(name: &'static str, verify: &Verify, key: impl Fn(&Finding) -> String) -> Markup {
    let mut counts: BTreeMap<String, [u64; VERDICTS.len()]> = BTreeMap::new();
    for one in &verify.findings {
        if let Some(index) = VERDICTS.iter().position(|verdict| *verdict == one.verdict) {
            counts.entry(key(one)).or_default()[index] += 1;
        }
    }
    // Verdicts that do not occur have no column.
    let occurs = |index: &usize| counts.values().any(|counts| counts[*index] > 0);
    let shown: Vec<usize> = (0..VERDICTS.len()).filter(occurs).collect();
    let row = |(key, counts): (&String, &[u64; VERDICTS.len()])| {
        let counts = shown.iter().map(|&index| readable(counts[index]));
        std::iter::once(key.clone()).chain(counts).collect()
    };
    let rows: Vec<Vec<String>> = counts.iter().map(row).collect();
    let mut columns = vec![Column::Words(name)];
    columns.extend(shown.iter().map(|&index| Column::Numbers(VERDICTS[index])));
    page::table(&format!("Verdicts by {name}"), &columns, &rows)
}

/// A refuted claim.
fn article(one: &Finding) -> Markup {
    html! {
        article.claim {
            h3 { (page::text(&one.place)) }
            dl {
                dt { "Claimed" } dd { (page::text(&one.claimed())) }
                dt { "Proven" } dd.bad { (page::text(&one.truth())) }
            }
            @if !one.note.is_empty() { p { (page::text(&one.note)) } }
            @if let Some(diagram) = one.diagram {
                (stepper(&one.claim, &steps(diagram, one), 0))
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
    let first = format!("{} to move. Claimed: {}", diagram.to_move, one.claimed());
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
