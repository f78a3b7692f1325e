//! `yose bench --against`: another solver on the same suite, in turn with Yose; and the output of
//! another solver as claims for `yose verify`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::ValueHint;
use serde_json::{Value, json};

use yose::batch::bench::{Measurement, Timing};
use yose::batch::other_solver::{OtherResult, OtherRun, ResultFormat, claims, run};
use yose::records::Source;
use yose::records::output::readable;

/// The other solver.
#[derive(Debug, clap::Args)]
pub struct AgainstArgs {
    /// Run another solver on the suite too, and compare scores, nodes and time
    ///
    /// COMMAND is a program and its arguments, separated by spaces. `{}` stands for the path of a
    /// file with a position in each line, such as `edax -l 60 -n-tasks 1 -solve {}`. With --runs,
    /// both run in turn. Its output has a result for each position.
    #[arg(long, value_name = "COMMAND")]
    pub against: Option<String>,

    /// How the other solver prints its results: `edax`, or `regex:PATTERN`
    ///
    /// `edax` reads the tables of Edax and of Neural Reversi. Of a pattern, each match is a result.
    /// Its group `(?<score>...)` is the score; the groups `nodes`, `seconds` and `number`, that of
    /// the position from 1, may be missing.
    #[arg(long, value_name = "FORMAT", default_value = "edax")]
    output_format: ResultFormat,
}

impl AgainstArgs {
    /// Runs the other solver once.
    pub fn run(&self, suite: &Source) -> Result<Option<OtherRun>> {
        let Some(command) = &self.against else { return Ok(None) };
        Ok(Some(run(command, &self.output_format, suite)?))
    }
}

/// The run with the median time; of the two in the middle the shorter one.
pub fn median(mut runs: Vec<OtherRun>) -> Option<OtherRun> {
    runs.sort_by_key(|run| run.time);
    let middle = runs.len().checked_sub(1)? / 2;
    Some(runs.swap_remove(middle))
}

/// The pairs of results whose scores differ.
pub fn differing<'a>(
    own: &'a Measurement,
    other: &'a OtherRun,
) -> impl Iterator<Item = (&'a Timing, &'a OtherResult)> {
    let pairs = own.positions.iter().zip(&other.results);
    pairs.filter(|(one, other)| one.score != other.score)
}

/// The table of both solvers.
pub fn table(own: &Measurement, other: &OtherRun) -> String {
    let names = own.positions.iter().map(|one| one.id.chars().count());
    let width = names.max().unwrap_or(0).max("position".len());
    let row = |cells: [&str; 6]| {
        let [id, score, nodes, other_nodes, seconds, other_seconds] = cells;
        format!(
            "{id:<width$}  {score:>5}  {nodes:>15}  {other_nodes:>15}  {seconds:>9}  \
             {other_seconds:>9}\n"
        )
    };
    let mut text = row(["position", "score", "nodes", "other nodes", "seconds", "other s"]);
    for (one, result) in own.positions.iter().zip(&other.results) {
        text += &row([
            &one.id,
            &one.score.to_string(),
            &readable(one.nodes),
            &result.nodes.map_or_else(String::new, readable),
            &format!("{:.3}", one.time.as_secs_f64()),
            &result.seconds.map_or_else(String::new, |seconds| format!("{seconds:.3}")),
        ]);
    }
    let (nodes, other_nodes) = (own.nodes(), nodes(other));
    let (seconds, other_seconds) = (own.time.as_secs_f64(), other.time.as_secs_f64());
    text += &row([
        "all",
        "",
        &readable(nodes),
        &other_nodes.map_or_else(String::new, readable),
        &format!("{seconds:.3}"),
        &format!("{other_seconds:.3}"),
    ]);
    text += &match differing(own, other).count() {
        0 => format!("\nAll {} scores agree.\n", other.results.len()),
        count => format!("\n{count} of {} scores differ.\n", other.results.len()),
    };
    text += "The time of the other solver is that of its whole process.\n";
    if let Some(other_nodes) = other_nodes.filter(|&nodes| nodes > 0) {
        text += &format!("Nodes, Yose to the other: {:.3}\n", nodes as f64 / other_nodes as f64);
    }
    text + &format!("Time, Yose to the other: {:.3}\n", seconds / other_seconds)
}

/// The sum of the nodes, if all were printed.
fn nodes(other: &OtherRun) -> Option<u64> {
    other.results.iter().map(|result| result.nodes).sum()
}

/// The measurement of the other solver, as those of Yose are in the JSON of `bench`.
pub fn measurement(command: &str, own: &Measurement, other: &OtherRun) -> Value {
    let position = |(one, result): (&Timing, &OtherResult)| {
        json!({
            "id": one.id,
            "position": one.diagram.to_string(),
            "empties": one.diagram.position.empties().count(),
            "score": result.score.discs(),
            "claim": one.score.discs(),
            "nodes": result.nodes,
            "seconds": result.seconds,
        })
    };
    let positions = own.positions.iter().zip(&other.results).map(position);
    json!({
        "solver": command,
        "nodes": nodes(other),
        "seconds": other.time.as_secs_f64(),
        "positions": positions.collect::<Vec<Value>>(),
    })
}

/// The output of another solver.
#[derive(Debug, clap::Args)]
pub struct SolverOutputArgs {
    /// Verify the scores that another solver has printed for the positions of the one input file
    ///
    /// A claim has the place `FILE:N:C`: N is the number of its position in the list, and C a
    /// column in the line of OBF that is made of it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    solver_output: Option<PathBuf>,

    /// How that solver prints its results: `edax`, or `regex:PATTERN`, as for `yose bench`
    #[arg(long, value_name = "FORMAT", default_value = "edax", requires = "solver_output")]
    output_format: ResultFormat,
}

impl SolverOutputArgs {
    /// The sources of the claims: `sources` themselves, or the list with the scores of the solver.
    pub fn claims(&self, sources: Vec<Source>) -> Result<Vec<Source>> {
        let Some(path) = &self.solver_output else { return Ok(sources) };
        let [list] = &sources[..] else {
            bail!("--solver-output belongs to one list; give one file");
        };
        let name = Source::File(path.clone()).name();
        let bytes = fs::read(path).with_context(|| format!("{name}: cannot be read"))?;
        let text = claims(list.clone(), &self.output_format, &String::from_utf8_lossy(&bytes))
            .with_context(|| name.clone())?;
        // Claims are read once in a process, so their name may live as long as it.
        Ok(vec![Source::Memory { name: name.leak(), bytes: text.into_bytes().into() }])
    }
}
