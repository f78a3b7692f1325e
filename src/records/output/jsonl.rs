//! JSON Lines, the format with the most information: one object on each line.
//!
//! - The first has `"type":"run"`: the version of these keys (`schema`), of the program, its build
//!   tier, threads, table size, the weights of the evaluation (`embedded`, `zero` or a file's name,
//!   and the file's SHA-256), the window, and the inputs with their SHA-256; which shard it is, and
//!   limits in nodes and seconds, where there are any. The digest of what can be read only once
//!   (standard input, a pipe) is `null` here.
//! - Then one `"type":"position"` for each record, with the keys of [`COLUMNS`](super::COLUMNS),
//!   `null` where there is no value. Scores are plain integers. `pv` is text, moves with
//!   blanks between them. Where every move's score was asked for, `moves` lists them, best first.
//!   An invalid line has an `error`, the message on standard error.
//! - The last has `"type":"summary"`: the number of records of each status in the whole file; the
//!   nodes and the duration of the run that wrote the line; how many records it kept from earlier
//!   runs; the sums of nodes and seconds over all records; and the inputs once more, now with the
//!   digest of each one that was read to its end. A file without this line was not finished.

use serde::Serialize;
use serde_json::value::RawValue;

use super::json::{InputJson, number, write_line};
use super::{Record, Run, Summary, Writer, moves_text};
use crate::search::Bounds;

/// The version of the keys. It grows when one changes its meaning or goes away, not when one is
/// added.
pub const SCHEMA: u32 = 1;

/// Writes JSON Lines.
#[derive(Clone, Debug, Default)]
pub struct JsonLines;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Run(RunJson<'a>),
    Position(Box<PositionJson<'a>>),
    Summary(SummaryJson<'a>),
}

#[derive(Serialize)]
struct RunJson<'a> {
    schema: u32,
    tool: &'static str,
    version: &'static str,
    tier: &'static str,
    threads: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    deterministic: bool,
    table_bytes: u64,
    weights: InputJson<'a>,
    alpha: i32,
    beta: i32,
    all_moves: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_limit: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_limit: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<&'a str>,
    inputs: Vec<InputJson<'a>>,
}

#[derive(Default, Serialize)]
struct PositionJson<'a> {
    id: &'a str,
    position: Option<String>,
    empties: Option<u32>,
    status: &'static str,
    score: Option<i32>,
    lower: Option<i32>,
    upper: Option<i32>,
    best_move: Option<String>,
    pv: Option<String>,
    nodes: Option<u64>,
    seconds: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    score: Option<i32>,
    lower: i32,
    upper: i32,
}

#[derive(Serialize)]
struct SummaryJson<'a> {
    positions: u64,
    exact: u64,
    bounds: u64,
    invalid: u64,
    limit: u64,
    interrupted: u64,
    unreadable_files: u64,
    nodes: u64,
    seconds: Box<RawValue>,
    kept: u64,
    file_nodes: u64,
    file_seconds: Box<RawValue>,
    inputs: Vec<InputJson<'a>>,
}

fn exact(bounds: Bounds) -> Option<i32> {
    bounds.exact().map(|score| score.discs())
}

impl Writer for JsonLines {
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>) {
        let line = RunJson {
            schema: SCHEMA,
            tool: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            tier: crate::tier::NAME,
            threads: run.threads,
            deterministic: run.deterministic,
            table_bytes: run.table_bytes,
            weights: InputJson::of(&run.weights),
            alpha: run.window.alpha().discs(),
            beta: run.window.beta().discs(),
            all_moves: run.all_moves,
            node_limit: run.limits.nodes,
            time_limit: run.limits.time.map(number),
            shard: run.shard.as_deref(),
            inputs: InputJson::all(&run.inputs),
        };
        write_line(out, &Line::Run(line));
    }

    fn record(&mut self, record: &Record, out: &mut Vec<u8>) {
        let mut line = PositionJson {
            id: &record.id,
            status: record.status().name(),
            ..PositionJson::default()
        };
        match &record.outcome {
            Ok(solved) => {
                let solution = &solved.solution;
                let bounds = solution.bounds;
                line.position = Some(solved.diagram.to_string());
                line.empties = Some(solved.diagram.position.empties().count());
                line.score = exact(bounds);
                line.lower = Some(bounds.lower.discs());
                line.upper = Some(bounds.upper.discs());
                line.best_move = solution.best_move.map(|mv| mv.to_string());
                line.pv = Some(moves_text(&solution.pv));
                line.nodes = Some(solution.nodes);
                line.seconds = Some(number(solved.time));
                let moves = solution.moves.iter().map(|&(mv, bounds)| MoveJson {
                    mv: mv.to_string(),
                    score: exact(bounds),
                    lower: bounds.lower.discs(),
                    upper: bounds.upper.discs(),
                });
                line.moves =
                    Some(moves.collect()).filter(|moves: &Vec<MoveJson>| !moves.is_empty());
            }
            Err(error) => line.error = Some(error.to_string()),
        }
        write_line(out, &Line::Position(Box::new(line)));
    }

    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        let line = SummaryJson {
            positions: summary.records(),
            exact: summary.exact,
            bounds: summary.bounds,
            invalid: summary.invalid,
            limit: summary.limit,
            interrupted: summary.interrupted,
            unreadable_files: summary.unreadable,
            nodes: summary.nodes,
            seconds: number(summary.time),
            kept: summary.kept,
            file_nodes: summary.file_nodes,
            file_seconds: number(summary.file_time),
            inputs: InputJson::all(&summary.inputs),
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
        let text = samples::written(&mut JsonLines, true);
        for line in text.lines() {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON");
        }
        let text =
            text.replace(env!("CARGO_PKG_VERSION"), "VERSION").replace(crate::tier::NAME, "TIER");
        insta::assert_snapshot!(text);
    }
}
