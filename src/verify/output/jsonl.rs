//! JSON Lines, one object on each line: the run, the findings, and the summary.
//!
//! - The first object has `"type":"verify"`: the versions of the keys (`schema`) and of the
//!   program, its build tier, the threads, table size, weights, limits, sample and shard, and the
//!   inputs with their SHA-256.
//! - Then one object with `"type":"finding"` for each claim, with the keys of
//!   [`COLUMNS`](super::COLUMNS). A key without a value is `null`.
//! - The last object has `"type":"summary"`: the number of claims of each kind with each verdict,
//!   and the nodes of all findings. `kept` and `kept_nodes` are those of an earlier run; `seconds`
//!   is the time of the last run. A file without this line is not complete.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::super::finding::ClaimKind;
use super::super::messages::claim_text;
use super::super::verdict::Verdict;
use super::{Finding, Run, Summary, note_text, place_text};
use crate::records::Statement;
use crate::records::output::json::{AutoTableJson, InputJson, number, write_line};
use crate::records::output::{Writer, moves_text};

/// The version of the keys. It is increased when a key is removed or changes its meaning, not when
/// a key is added.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    auto_table: Option<AutoTableJson>,
    weights: InputJson<'a>,
    node_limit: Option<u64>,
    time_limit: Option<Box<RawValue>>,
    sample: Option<SampleJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    inputs: Vec<InputJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificates: Option<String>,
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
    by_certificate: u64,
    unreadable_files: u64,
    nodes: u64,
    kept: u64,
    kept_nodes: u64,
    seconds: Box<RawValue>,
    kinds: Map<String, Value>,
}

impl Writer<Run, Finding, Summary> for JsonLines {
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>) {
        let line = RunJson {
            schema: SCHEMA,
            tool: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            tier: crate::tier::NAME,
            threads: run.threads,
            table_bytes: run.table_bytes,
            auto_table: run.auto_table.map(AutoTableJson::from),
            weights: InputJson::of(&run.weights),
            node_limit: run.limits.nodes,
            time_limit: run.limits.time.map(number),
            sample: run
                .sample
                .map(|sample| SampleJson { positions: sample.positions, seed: sample.seed }),
            shard: run.shard.map(|shard| shard.to_string()),
            inputs: InputJson::all(&run.inputs),
            certificates: run.certificates.as_ref().map(|folder| folder.display().to_string()),
        };
        write_line(out, &Line::Verify(line));
    }

    fn record(&mut self, finding: &Finding, out: &mut Vec<u8>) {
        let mut line = FindingJson {
            place: place_text(finding),
            id: &finding.id,
            verdict: finding.verdict().name(),
            note: Some(note_text(finding)).filter(|note| !note.is_empty()),
            ..FindingJson::default()
        };
        if let Ok(outcome) = &finding.outcome {
            line.position = Some(outcome.diagram.to_string());
            line.empties = Some(outcome.diagram.position.empties().count());
            if let Some(claim) = &outcome.claim {
                line.kind = finding.kind().map(ClaimKind::name);
                line.claim =
                    Some(claim_text(&claim.statement, &outcome.diagram, finding.location.at));
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
                line.score = outcome.proven.exact().map(|score| score.discs());
                line.lower = Some(outcome.proven.lower.discs());
                line.upper = Some(outcome.proven.upper.discs());
                line.pv = Some(moves_text(&outcome.pv));
                line.nodes = Some(outcome.nodes);
                line.seconds = Some(number(outcome.time));
            }
        }
        write_line(out, &Line::Finding(Box::new(line)));
    }

    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        let tally = &summary.tally;
        let kinds = ClaimKind::ALL.into_iter().filter_map(|kind| {
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
            confirmed: tally.with_verdict(Verdict::Confirmed),
            refuted: tally.with_verdict(Verdict::Refuted),
            consistent: tally.with_verdict(Verdict::Consistent),
            open: tally.with_verdict(Verdict::Open),
            malformed: tally.malformed,
            unclaimed: tally.unclaimed,
            repeated: tally.repeated,
            contradictions: tally.contradictions,
            by_certificate: tally.by_certificate,
            unreadable_files: summary.unreadable,
            nodes: tally.nodes,
            kept: summary.kept,
            kept_nodes: summary.kept_nodes,
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
    fn all_findings_are_written() {
        let text = samples::text_of(&mut JsonLines);
        for line in text.lines() {
            serde_json::from_str::<Value>(line).expect("JSON");
        }
        let text =
            text.replace(env!("CARGO_PKG_VERSION"), "VERSION").replace(crate::tier::NAME, "TIER");
        insta::assert_snapshot!(text);
    }
}
