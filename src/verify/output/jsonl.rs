//! JSON Lines, one object on each line: the run, the findings, and what they came to.
//!
//! - The first has `"type":"verify"`: the version of these keys (`schema`), of the program, its
//!   build tier, threads, table size, weights, limits, the sample if only a part was examined, and
//!   the inputs with their SHA-256.
//! - Then one `"type":"finding"` for each claim, with the keys of [`COLUMNS`](super::COLUMNS),
//!   `null` where there is nothing to tell.
//! - The last has `"type":"summary"`: how many claims of each sort have which verdict. A file
//!   without this line was not finished.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::super::words::claim_text;
use super::{Finding, Kind, Run, Summary, Verdict, Writer, note, place};
use crate::records::Statement;
use crate::records::output::json::{InputJson, number, write_line};
use crate::records::output::moves_text;

/// The version of the keys. It grows when one changes its meaning or goes away, not when one is
/// added.
pub const SCHEMA: u32 = 1;

/// Writes JSON Lines.
#[derive(Clone, Debug, Default)]
pub struct JsonLines;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Verify(RunJson<'a>),
    Finding(Box<FindingJson<'a>>),
    Summary(SummaryJson),
}

#[derive(Serialize)]
struct SampleJson {
    positions: usize,
    seed: u64,
}

#[derive(Serialize)]
struct RunJson<'a> {
    schema: u32,
    tool: &'static str,
    version: &'static str,
    tier: &'static str,
    threads: usize,
    table_bytes: u64,
    weights: InputJson<'a>,
    node_limit: Option<u64>,
    time_limit: Option<Box<RawValue>>,
    sample: Option<SampleJson>,
    inputs: Vec<InputJson<'a>>,
}

#[derive(Default, Serialize)]
struct FindingJson<'a> {
    place: String,
    id: &'a str,
    position: Option<String>,
    empties: Option<u32>,
    kind: Option<&'static str>,
    claim: Option<String>,
    #[serde(rename = "move")]
    moves: Option<String>,
    claimed_lower: Option<i32>,
    claimed_upper: Option<i32>,
    verdict: &'static str,
    score: Option<i32>,
    lower: Option<i32>,
    upper: Option<i32>,
    pv: Option<String>,
    nodes: Option<u64>,
    seconds: Option<Box<RawValue>>,
    note: Option<String>,
}

#[derive(Serialize)]
struct SummaryJson {
    claims: u64,
    confirmed: u64,
    refuted: u64,
    consistent: u64,
    open: u64,
    malformed: u64,
    unclaimed: u64,
    repeated: u64,
    contradictions: u64,
    unreadable_files: u64,
    nodes: u64,
    seconds: Box<RawValue>,
    kinds: Map<String, Value>,
}

impl Writer for JsonLines {
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>) {
        let line = RunJson {
            schema: SCHEMA,
            tool: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            tier: crate::tier::NAME,
            threads: run.threads,
            table_bytes: run.table_bytes,
            weights: InputJson::of(&run.weights),
            node_limit: run.limits.nodes,
            time_limit: run.limits.time.map(number),
            sample: run
                .sample
                .map(|sample| SampleJson { positions: sample.positions, seed: sample.seed }),
            inputs: InputJson::all(&run.inputs),
        };
        write_line(out, &Line::Verify(line));
    }

    fn finding(&mut self, finding: &Finding, out: &mut Vec<u8>) {
        let mut line = FindingJson {
            place: place(finding),
            id: &finding.id,
            verdict: finding.verdict().name(),
            note: Some(note(finding)).filter(|note| !note.is_empty()),
            ..FindingJson::default()
        };
        if let Ok(examined) = &finding.outcome {
            line.position = Some(examined.diagram.to_string());
            line.empties = Some(examined.diagram.position.empties().count());
            if let Some(claim) = &examined.claim {
                line.kind = finding.kind().map(Kind::name);
                line.claim =
                    Some(claim_text(&claim.statement, &examined.diagram, finding.location.at));
                let claimed = match &claim.statement {
                    Statement::Score(bounds) => Some(bounds),
                    Statement::MoveScore(mv, bounds) => {
                        line.moves = Some(mv.to_string());
                        Some(bounds)
                    }
                    Statement::BestMoves(moves) => {
                        line.moves = Some(moves_text(moves));
                        None
                    }
                };
                line.claimed_lower = claimed.map(|bounds| bounds.lower.discs());
                line.claimed_upper = claimed.map(|bounds| bounds.upper.discs());
                line.score = examined.proven.exact().map(|score| score.discs());
                line.lower = Some(examined.proven.lower.discs());
                line.upper = Some(examined.proven.upper.discs());
                line.pv = Some(moves_text(&examined.line));
                line.nodes = Some(examined.nodes);
                line.seconds = Some(number(examined.time));
            }
        }
        write_line(out, &Line::Finding(Box::new(line)));
    }

    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        let tally = &summary.tally;
        let kinds = Kind::ALL.into_iter().filter_map(|kind| {
            let counts =
                Verdict::ALL.into_iter().map(|verdict| (verdict, tally.count(kind, verdict)));
            let counts: Map<String, Value> = counts
                .filter(|&(_, count)| count > 0)
                .map(|(verdict, count)| (verdict.to_string(), count.into()))
                .collect();
            (!counts.is_empty()).then(|| (kind.to_string(), Value::Object(counts)))
        });
        let line = SummaryJson {
            claims: tally.claims(),
            confirmed: tally.with(Verdict::Confirmed),
            refuted: tally.with(Verdict::Refuted),
            consistent: tally.with(Verdict::Consistent),
            open: tally.with(Verdict::Open),
            malformed: tally.malformed,
            unclaimed: tally.unclaimed,
            repeated: tally.repeated,
            contradictions: tally.contradictions,
            unreadable_files: summary.unreadable,
            nodes: tally.nodes,
            seconds: number(summary.time),
            kinds: kinds.collect(),
        };
        write_line(out, &Line::Summary(line));
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn what_it_looks_like() {
        let text = samples::written(&mut JsonLines);
        for line in text.lines() {
            serde_json::from_str::<Value>(line).expect("JSON");
        }
        let text =
            text.replace(env!("CARGO_PKG_VERSION"), "VERSION").replace(crate::tier::NAME, "TIER");
        insta::assert_snapshot!(text);
    }
}
