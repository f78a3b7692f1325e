//! Files of results, recognised by their first line, and their records.
//!
//! A record is read by the names of its columns or keys, so that CSV and JSON Lines are the same
//! here, and a file of records only has no header. A record is not checked as strictly as by
//! `--resume`: a page shows what a file has.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::othello::{Colour, Diagram};
use crate::records::output::readable;
use crate::review::lines::StoredReview;

/// A file of results that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}{}: {what}", line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct ReadError {
    /// The name of the file.
    pub file: String,
    /// The line, from 1; `None` if the whole file is meant.
    pub line: Option<u64>,
    /// What is wrong.
    pub what: String,
}

/// The results of a file.
#[derive(Clone, PartialEq, Debug)]
pub enum Results {
    /// Positions that were solved: by `solve`, `merge` or `bench`.
    Run(Run),
    /// Claims that were verified.
    Verify(Verify),
    /// Games that were reviewed.
    Review(Box<Review>),
}

/// Positions that were solved in a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The name of the file, and what else tells the run from others of the file.
    pub name: String,
    /// The options and the totals, with their names.
    pub facts: Vec<(String, String)>,
    /// The positions, in the order of the file.
    pub positions: Vec<Solved>,
    /// Lines of the input that were invalid, with their errors.
    pub invalid: Vec<(String, String)>,
}

/// A position that was solved.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// The identifier.
    pub id: String,
    /// The position.
    pub diagram: Diagram,
    /// The kind of result, such as `exact`.
    pub status: String,
    /// The score for the side to move, if it is exact.
    pub score: Option<i32>,
    /// The score or its bounds as a text.
    pub bounds: String,
    /// The principal variation, or the best move.
    pub pv: String,
    /// The nodes of the search.
    pub nodes: u64,
    /// Its time in seconds.
    pub seconds: f64,
}

impl Solved {
    /// The number of empties.
    pub fn empties(&self) -> u32 {
        self.diagram.position.empties().count()
    }

    /// Whether the run has not found what was asked for.
    pub fn is_unfinished(&self) -> bool {
        matches!(self.status.as_str(), "limit" | "interrupted")
    }
}

impl Run {
    /// The sum of the nodes.
    pub fn nodes(&self) -> u64 {
        self.positions.iter().map(|one| one.nodes).sum()
    }

    /// The sum of the times in seconds.
    pub fn seconds(&self) -> f64 {
        self.positions.iter().map(|one| one.seconds).sum()
    }
}

/// Claims that were verified.
#[derive(Clone, PartialEq, Debug)]
pub struct Verify {
    /// The name of the file.
    pub name: String,
    /// The options, with their names.
    pub facts: Vec<(String, String)>,
    /// The findings, in the order of the file.
    pub findings: Vec<Finding>,
}

/// A claim and its verdict.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// File, line and column.
    pub place: String,
    /// The identifier.
    pub id: String,
    /// The position, if the line has one.
    pub diagram: Option<Diagram>,
    /// The kind of claim.
    pub kind: String,
    /// The claim in words.
    pub claim: String,
    /// The score that is claimed for the side to move, if it is exact.
    pub claimed_score: Option<i32>,
    /// The verdict.
    pub verdict: String,
    /// The proven score or bounds.
    pub proven: String,
    /// The moves of the claim.
    pub moves: String,
    /// The line that proves it.
    pub pv: String,
    /// What else is to be said.
    pub note: String,
}

impl Finding {
    /// The claim in words. Black's discs of a WTHOR database also as a score.
    pub fn claimed(&self) -> String {
        match (self.claimed_score, self.counts_discs()) {
            (Some(score), Some(diagram)) => {
                format!("{} ({score:+} for {})", self.claim, diagram.to_move)
            }
            _ => self.claim.clone(),
        }
    }

    /// What is proven, in the terms of the claim.
    pub fn truth(&self) -> String {
        match (self.proven.parse::<i32>(), self.counts_discs()) {
            (Ok(score), Some(diagram)) => {
                let black = if diagram.to_move == Colour::Black { score } else { -score };
                format!("Black {} ({score:+} for {})", 32 + black / 2, diagram.to_move)
            }
            _ => self.proven.clone(),
        }
    }

    /// The position, if the claim counts Black's discs at the end.
    fn counts_discs(&self) -> Option<Diagram> {
        self.diagram.filter(|_| self.claim.starts_with("Black "))
    }

    /// The name of the file: the place without its numbers.
    pub fn file(&self) -> &str {
        self.place.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | '#'))
    }
}

/// Games that were reviewed.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The name of the file.
    pub name: String,
    /// The review.
    pub stored: StoredReview,
}

impl Results {
    /// The name of the results.
    pub fn name(&self) -> &str {
        match self {
            Results::Run(run) => &run.name,
            Results::Verify(verify) => &verify.name,
            Results::Review(review) => &review.name,
        }
    }

    /// What the results are, as a heading.
    pub fn kind(&self) -> &'static str {
        match self {
            Results::Run(_) => "Positions solved",
            Results::Verify(_) => "Claims verified",
            Results::Review(_) => "Games reviewed",
        }
    }

    /// The run, if positions were solved.
    pub fn run(&self) -> Option<&Run> {
        match self {
            Results::Run(run) => Some(run),
            _ => None,
        }
    }
}

/// The cells of a record by the names of their columns. Empty cells are left out.
type Cells = BTreeMap<String, String>;

/// Reads the results of a file; several if `bench` has measured several numbers of threads.
///
/// # Errors
/// If the text is not a file of results, or a line of it cannot be read.
pub fn read(name: &str, text: &str) -> Result<Vec<Results>, ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let fail =
        |line, what: &str| Err(ReadError { file: name.to_owned(), line, what: what.to_owned() });
    let first = text.lines().next().unwrap_or_default();
    if let Ok(Value::Object(bench)) = serde_json::from_str(text)
        && bench.contains_key("measurements")
    {
        return bench_runs(name, &bench);
    }
    let kind = match serde_json::from_str::<Value>(first) {
        Ok(object) => object["type"].as_str().unwrap_or_default().to_owned(),
        Err(_) => csv_kind(first).to_owned(),
    };
    let records = |kind| {
        if first.starts_with('{') {
            json_records(name, text)
        } else {
            csv_records(name, text, kind)
        }
    };
    let mut results = match kind.as_str() {
        "run" | "position" => Results::Run(run(name, &records("position")?)?),
        "verify" | "finding" => Results::Verify(verify(name, &records("finding")?)?),
        "review" => {
            let stored = StoredReview::read(text).map_err(|(line, what)| ReadError {
                file: name.to_owned(),
                line: Some(line),
                what,
            })?;
            Results::Review(Box::new(Review { name: name.to_owned(), stored }))
        }
        "review of CSV" => return fail(None, "is a review without its games; give its JSON Lines"),
        _ => return fail(None, "is no result of solve, merge, verify, review or bench"),
    };
    leave_out_folder(&mut results);
    Ok(vec![results])
}

/// Leaves out the folder that all identifiers begin with: `/data/a.obf:1` and `/data/b.obf:7` are
/// `a.obf:1` and `b.obf:7`.
fn leave_out_folder(results: &mut Results) {
    let mut texts: Vec<&mut String> = match results {
        Results::Run(run) => {
            let positions = run.positions.iter_mut().map(|one| &mut one.id);
            positions.chain(run.invalid.iter_mut().map(|(id, _)| id)).collect()
        }
        Results::Verify(verify) => verify.findings.iter_mut().map(|one| &mut one.place).collect(),
        Results::Review(review) => {
            review.stored.reviews.iter_mut().map(|one| &mut one.game.id).collect()
        }
    };
    let Some(first) = texts.first() else { return };
    let mut common = first.len();
    for text in &texts {
        let equal = first.bytes().zip(text.bytes()).take_while(|(one, other)| one == other);
        common = common.min(equal.count());
    }
    // Only what looks like a path is one.
    let is_plain = |c: char| c.is_alphanumeric() || "/\\:._~-+ ".contains(c);
    let plain = first.find(|c| !is_plain(c)).unwrap_or(first.len()).min(common);
    let separator = first.as_bytes()[..plain].iter().rposition(|byte| b"/\\".contains(byte));
    if let Some(end) = separator {
        for text in &mut texts {
            text.drain(..=end);
        }
    }
}

/// The kind of a CSV file, by its header.
fn csv_kind(header: &str) -> &'static str {
    let columns: Vec<&str> = header.trim_end().split(',').collect();
    let has = |names: &[&str]| names.iter().all(|name| columns.contains(name));
    if has(&["verdict", "claim", "position"]) {
        "finding"
    } else if has(&["best_score", "turning_point"]) {
        "review of CSV"
    } else if has(&["id", "position", "status", "nodes"]) {
        "position"
    } else {
        ""
    }
}

/// The records of CSV, with the numbers of their lines. Each gets a `type`.
fn csv_records(name: &str, text: &str, kind: &str) -> Result<Vec<(u64, Cells)>, ReadError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let error = |error: csv::Error| ReadError {
        file: name.to_owned(),
        line: error.position().map(csv::Position::line),
        what: "is no row of the table".to_owned(),
    };
    let header = reader.headers().map_err(error)?.clone();
    let mut records = Vec::new();
    for record in reader.records() {
        let record = record.map_err(error)?;
        let line = record.position().map_or(0, csv::Position::line);
        let cells = header.iter().zip(&record).filter(|(_, cell)| !cell.is_empty());
        let mut cells: Cells =
            cells.map(|(name, cell)| (name.to_owned(), cell.to_owned())).collect();
        cells.insert("type".to_owned(), kind.to_owned());
        records.push((line, cells));
    }
    Ok(records)
}

/// The objects of JSON Lines, with the numbers of their lines. A last line without an end is torn.
fn json_records(name: &str, text: &str) -> Result<Vec<(u64, Cells)>, ReadError> {
    let torn = !text.ends_with('\n');
    let lines: Vec<&str> = text.lines().collect();
    let mut records = Vec::with_capacity(lines.len());
    for (line, number) in lines.iter().zip(1u64..) {
        match serde_json::from_str::<Map<String, Value>>(line) {
            Ok(object) => records.push((number, cells(&object))),
            Err(_) if torn && number == lines.len() as u64 => {}
            Err(_) if line.is_empty() => {}
            Err(error) => {
                let what = error.to_string();
                return Err(ReadError { file: name.to_owned(), line: Some(number), what });
            }
        }
    }
    Ok(records)
}

fn cells(object: &Map<String, Value>) -> Cells {
    let cell = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    object.iter().filter_map(|(key, value)| Some((key.clone(), cell(value)?))).collect()
}

/// A cell as a text; empty if it is missing.
fn text(cells: &Cells, name: &str) -> String {
    cells.get(name).cloned().unwrap_or_default()
}

/// A cell as a number; the default if it is missing.
fn number<N: std::str::FromStr + Default>(cells: &Cells, name: &str) -> Option<N> {
    cells.get(name).map_or(Some(N::default()), |cell| cell.parse().ok())
}

/// The score, or the bounds, of a record.
fn bounds(cells: &Cells) -> String {
    let signed = |name: &str| -> Option<String> {
        let number: i32 = cells.get(name)?.parse().ok()?;
        Some(format!("{number:+}"))
    };
    match (signed("score"), signed("lower"), signed("upper")) {
        (Some(score), ..) => score,
        (None, Some(lower), Some(upper)) if lower == "-64" && upper == "+64" => String::new(),
        (None, Some(lower), Some(upper)) if upper == "+64" => format!("≥ {lower}"),
        (None, Some(lower), Some(upper)) if lower == "-64" => format!("≤ {upper}"),
        (None, Some(lower), Some(upper)) => format!("{lower} to {upper}"),
        _ => String::new(),
    }
}

/// The score of a claim, if it is exact.
fn claimed_score(cells: &Cells) -> Option<i32> {
    let bound = |name| cells.get(name).and_then(|cell| cell.parse::<i32>().ok());
    bound("claimed_lower").filter(|lower| bound("claimed_upper") == Some(*lower))
}

/// The run of `solve` or `merge`.
fn run(name: &str, records: &[(u64, Cells)]) -> Result<Run, ReadError> {
    let (mut facts, mut positions, mut invalid) = (Vec::new(), Vec::new(), Vec::new());
    for (line, cells) in records {
        match text(cells, "type").as_str() {
            "run" if facts.is_empty() => facts = run_facts(cells),
            "position" if text(cells, "status") == "invalid" => {
                invalid.push((text(cells, "id"), text(cells, "error")));
            }
            "position" => positions.push(solved(cells).ok_or_else(|| ReadError {
                file: name.to_owned(),
                line: Some(*line),
                what: "is no record of a position".to_owned(),
            })?),
            "run" | "summary" => {}
            other => {
                let what = format!("is a line of another kind: `{other}`");
                return Err(ReadError { file: name.to_owned(), line: Some(*line), what });
            }
        }
    }
    Ok(Run { name: name.to_owned(), facts, positions, invalid })
}

fn solved(cells: &Cells) -> Option<Solved> {
    let seconds: f64 = number(cells, "seconds")?;
    let pv = match text(cells, "pv") {
        pv if pv.is_empty() => text(cells, "best_move"),
        pv => pv,
    };
    Some(Solved {
        id: text(cells, "id"),
        diagram: text(cells, "position").parse().ok()?,
        status: cells.get("status").cloned().unwrap_or_else(|| "exact".to_owned()),
        score: match cells.get("score") {
            Some(score) => Some(score.parse().ok().filter(|score| (-64..=64).contains(score))?),
            None => None,
        },
        bounds: bounds(cells),
        pv,
        nodes: number(cells, "nodes")?,
        seconds: Some(seconds).filter(|seconds| seconds.is_finite() && *seconds >= 0.0)?,
    })
}

/// The facts of the first line of JSON Lines.
fn run_facts(cells: &Cells) -> Vec<(String, String)> {
    let json =
        |name: &str| cells.get(name).and_then(|text| serde_json::from_str::<Value>(text).ok());
    let mut facts = Vec::new();
    let mut add = |name: &str, value: String| {
        if !value.is_empty() {
            facts.push((name.to_owned(), value));
        }
    };
    add("Program", format!("{} {}", text(cells, "tool"), text(cells, "version")).trim().to_owned());
    add("Build tier", text(cells, "tier"));
    add("Threads", text(cells, "threads"));
    let table: u64 = number(cells, "table_bytes").unwrap_or(0);
    if table > 0 {
        add("Transposition table", format!("{} MiB", readable(table >> 20)));
    }
    let weights = json("weights").and_then(|weights| weights["name"].as_str().map(str::to_owned));
    add("Weights", weights.unwrap_or_else(|| text(cells, "weights")));
    match (text(cells, "alpha").as_str(), text(cells, "beta").as_str()) {
        ("-64", "64") => add("Asked for", "exact scores".to_owned()),
        ("-1", "1") => add("Asked for", "win, loss or draw".to_owned()),
        ("", _) => {}
        (alpha, beta) => add("Asked for", format!("scores between {alpha} and {beta}")),
    }
    if text(cells, "all_moves") == "true" {
        add("Moves", "the scores of all".to_owned());
    }
    add("Node limit", text(cells, "node_limit"));
    add("Time limit", text(cells, "time_limit"));
    add("Part", text(cells, "shard"));
    if let Some(Value::Array(inputs)) = json("inputs") {
        let names: Vec<&str> = inputs.iter().filter_map(|input| input["name"].as_str()).collect();
        add("Input", names.join(", "));
    }
    facts
}

/// The findings of `verify`.
fn verify(name: &str, records: &[(u64, Cells)]) -> Result<Verify, ReadError> {
    let (mut facts, mut findings) = (Vec::new(), Vec::new());
    for (line, cells) in records {
        match text(cells, "type").as_str() {
            "verify" => facts = run_facts(cells),
            "finding" => {
                let diagram = match cells.get("position").map(|text| text.parse()) {
                    None => None,
                    Some(Ok(diagram)) => Some(diagram),
                    Some(Err(_)) => {
                        let what = "has no position".to_owned();
                        return Err(ReadError { file: name.to_owned(), line: Some(*line), what });
                    }
                };
                findings.push(Finding {
                    place: text(cells, "place"),
                    id: text(cells, "id"),
                    diagram,
                    kind: text(cells, "kind"),
                    claim: text(cells, "claim"),
                    claimed_score: claimed_score(cells),
                    verdict: text(cells, "verdict"),
                    proven: bounds(cells),
                    moves: text(cells, "move"),
                    pv: text(cells, "pv"),
                    note: text(cells, "note"),
                });
            }
            _ => {}
        }
    }
    Ok(Verify { name: name.to_owned(), facts, findings })
}

/// The measurements of `bench --json`, and those of the other solver if there was one.
fn bench_runs(name: &str, bench: &Map<String, Value>) -> Result<Vec<Results>, ReadError> {
    let common = run_facts(&cells(bench));
    let empty = Vec::new();
    let measurements = bench["measurements"].as_array().unwrap_or(&empty);
    let mut runs = Vec::new();
    for one in measurements {
        let solver = one["solver"].as_str();
        let threads = one["threads"].as_u64();
        let mut facts = common.clone();
        let mut name = name.to_owned();
        if let Some(solver) = solver {
            facts = vec![("Program".to_owned(), solver.to_owned())];
            name = format!("{name}, {solver}");
        } else if let Some(threads) = threads {
            facts.push(("Threads".to_owned(), threads.to_string()));
            if measurements.len() > 1 {
                let plural = if threads == 1 { "" } else { "s" };
                name = format!("{name}, {threads} thread{plural}");
            }
        }
        let mut positions = Vec::new();
        for value in one["positions"].as_array().unwrap_or(&empty) {
            let position = value.as_object().map(cells).as_ref().and_then(solved);
            positions.push(position.ok_or_else(|| ReadError {
                file: name.clone(),
                line: None,
                what: "has a measurement that cannot be read".to_owned(),
            })?);
        }
        runs.push(Results::Run(Run { name, facts, positions, invalid: Vec::new() }));
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[&str]) -> Vec<String> {
        let board = Diagram::START.to_string();
        let line = |id: &&str| {
            let id = serde_json::json!(id);
            format!("{{\"type\":\"position\",\"id\":{id},\"position\":\"{board}\"}}\n")
        };
        let text: String = ids.iter().map(line).collect();
        let results = read("a.jsonl", &text).expect("results");
        let run = results[0].run().expect("a run");
        run.positions.iter().map(|one| one.id.clone()).collect()
    }

    #[test]
    fn a_common_folder_is_left_out() {
        assert_eq!(ids(&["/data/ffo/a.obf:1", "/data/b.obf:7"]), ["ffo/a.obf:1", "b.obf:7"]);
        assert_eq!(ids(&["/data/a.obf:1"]), ["a.obf:1"]);
        assert_eq!(ids(&["C:\\x\\é.obf:1", "C:\\x\\è.obf:1"]), ["é.obf:1", "è.obf:1"]);
        for kept in [["a.obf:1", "/data/b.obf:1"], ["<b>1</b>", "<b>1</b>"], ["", "/a"]] {
            assert_eq!(ids(&kept), kept);
        }
    }
}
