//! JSON Lines, the format with the most information: one object on each line.
//!
//! - The first line has `"type":"run"`: the version of these keys (`schema`), the version of the
//!   program, its build tier, the threads, the size of the table (with `auto_table`, what it was
//!   chosen by), the weights of the evaluation
//!   (`embedded`, `zero` or a file's name, and the SHA-256 of the file), the window, the limits,
//!   the shard, and the inputs with their SHA-256. The digest of standard input and of a pipe is
//!   `null` here, because they can be read only once.
//! - Then each record has a line with `"type":"position"` and the keys of
//!   [`COLUMNS`](super::COLUMNS). A key without a value is `null`. Scores are integers. `pv` is a
//!   text: moves with spaces between them. With the scores of all moves, `moves` lists them, best
//!   first. An invalid line has its error message in `error`. The keys of [`NoteColumns`] follow
//!   the identifier if the run has them.
//! - The last line has `"type":"summary"`: the number of records of each status in the whole file;
//!   the nodes and the duration of the run that wrote the line; the number of records that it kept
//!   from earlier runs; the sums of nodes and seconds over all records; and the inputs again, with
//!   the digest of each one that was read to its end. A file without this line is not complete.
//!
//! Programs that read tables expect lines of one kind. [`JsonLines::records_only`] writes the
//! second kind alone. `batch::RunFile` then has the others, in a file beside it.

use serde::Serialize;
use serde_json::value::RawValue;

use super::json::{AutoTableJson, InputJson, number, write_line};
use super::{NoteColumns, Record, Run, Summary, Wld, Writer, moves_text};
use crate::records::{GameDetails, GameNotes, Notes};
use crate::search::Bounds;

/// The version of the keys. It grows when a key changes its meaning or is removed, not when one is
/// added.
pub const SCHEMA: u32 = 1;

/// The writer of JSON Lines.
#[derive(Clone, Debug, Default)]
pub struct JsonLines {
    notes: NoteColumns,
    records_only: bool,
}

impl JsonLines {
    /// A writer that leaves the lines of the run and of the summary out.
    pub fn records_only() -> JsonLines {
        JsonLines { records_only: true, ..JsonLines::default() }
    }
}

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
    #[serde(skip_serializing_if = "Option::is_none")]
    auto_table: Option<AutoTableJson>,
    weights: InputJson<'a>,
    alpha: i32,
    beta: i32,
    all_moves: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    game_columns: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    comments: bool,
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
    #[serde(flatten)]
    game: Option<GameJson<'a>>,
    /// `Some(None)` is `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<Option<&'a str>>,
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
    wld: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The keys of a game: [`GAME_COLUMNS`](super::GAME_COLUMNS).
#[derive(Default, Serialize)]
struct GameJson<'a> {
    file: Option<&'a str>,
    game: Option<u64>,
    year: Option<u16>,
    black: Option<&'a str>,
    white: Option<&'a str>,
    real_score: Option<i32>,
    #[serde(rename = "move")]
    move_number: Option<u64>,
}

impl<'a> GameJson<'a> {
    fn of(game: &'a GameNotes) -> GameJson<'a> {
        let GameDetails { year, black, white, real_score } = &game.details;
        GameJson {
            file: Some(&game.file),
            game: Some(game.number),
            year: *year,
            black: black.as_deref(),
            white: white.as_deref(),
            real_score: real_score.map(|score| score.discs()),
            move_number: Some(game.move_number),
        }
    }
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
    wld: u64,
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
        self.notes = run.notes;
        if self.records_only {
            return;
        }
        let line = RunJson {
            schema: SCHEMA,
            tool: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            tier: crate::tier::NAME,
            threads: run.threads,
            deterministic: run.deterministic,
            table_bytes: run.table_bytes,
            auto_table: run.auto_table.map(AutoTableJson::from),
            weights: InputJson::of(&run.weights),
            alpha: run.window.alpha().discs(),
            beta: run.window.beta().discs(),
            all_moves: run.all_moves,
            game_columns: run.notes.game,
            comments: run.notes.comment,
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
        let Notes { comment, game } = &record.notes;
        if self.notes.game {
            line.game = Some(game.as_deref().map(GameJson::of).unwrap_or_default());
        }
        line.comment = self.notes.comment.then_some(comment.as_deref());
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
                line.wld = Wld::of(bounds).map(Wld::name);
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
        if self.records_only {
            return;
        }
        let line = SummaryJson {
            positions: summary.records(),
            exact: summary.exact,
            wld: summary.wld,
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
        let steady = |text: String| {
            for line in text.lines() {
                serde_json::from_str::<serde_json::Value>(line).expect("JSON");
            }
            text.replace(env!("CARGO_PKG_VERSION"), "VERSION").replace(crate::tier::NAME, "TIER")
        };
        insta::assert_snapshot!(steady(samples::written(&mut JsonLines::default(), true)));
        let all = samples::written(&mut JsonLines::default(), true);
        let records = samples::written(&mut JsonLines::records_only(), true);
        assert_eq!(records.lines().collect::<Vec<_>>(), all.lines().collect::<Vec<_>>()[1..4]);
        let text = samples::with_notes(&mut JsonLines::default());
        insta::assert_snapshot!("with_notes", steady(text));
    }
}
