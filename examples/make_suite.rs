//! Makes a file of `positions/` from what Yose computed, and holds that against what others have published.
//!
//! ```sh
//! yose solve --all-moves --format jsonl LIST > records.jsonl
//! cargo run --release --example make_suite -- --name FFO --first 20 --list LIST records.jsonl > positions/ffo-20-39.obf
//! ```
//!
//! The boards come from the list, the scores from the records alone: every legal move's where `--all-moves` was given, the best move's
//! otherwise, and none where a position was not solved. The list's own scores are claims: each one is compared with the records and
//! what was found is told on standard error. The exit status is 1 if a claim is refuted.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;
use serde_json::Value;
use yose::othello::{Diagram, Move, Score};
use yose::records::{Claim, Entry, Item, Problem, ReadOptions, Reader, Source, Statement, obf};
use yose::search::Bounds;

/// Make a file of positions from Yose's records, and compare the scores that a list claims
#[derive(Parser)]
struct Args {
    /// What the positions are called, such as FFO: each gets the name and a number as its comment
    #[arg(long)]
    name: String,
    /// The number of the list's first position
    #[arg(long, default_value_t = 1)]
    first: usize,
    /// The positions in their order, with the scores that others claim, if any
    #[arg(long)]
    list: PathBuf,
    /// What `yose solve --format jsonl` wrote, in any order and any number of files
    records: Vec<PathBuf>,
}

/// What the records say of one position.
struct Known {
    score: Score,
    /// MoveList of moves; without a move, of the position, if it has none.
    scores: Vec<(Option<Move>, Score)>,
}

/// The version of Yose that made the records, and every exact one.
struct Records {
    versions: Vec<String>,
    known: HashMap<Diagram, Known>,
}

fn main() -> Result<ExitCode> {
    let args = Args::parse();
    let records = read_records(&args.records)?;
    let list: Vec<Problem> =
        Reader::new(vec![Source::File(args.list.clone())], ReadOptions::default())
            .map(|item| match item {
                Item::Entry(Entry { problem, .. }) => Ok(problem?),
                Item::Failure(error) => Err(error.into()),
                Item::Empty { file } => bail!("{file}: holds no positions"),
                Item::MissingPositions(short) => bail!("{short}"),
            })
            .collect::<Result<_>>()?;

    print!("{}", header(&args, list.len(), &records));
    let (mut compared, mut refuted) = (0, 0);
    for (number, listed) in (args.first..).zip(&list) {
        let known = records.known.get(&listed.diagram);
        let scores = known.map_or(&[][..], |known| &known.scores);
        let claims = scores.iter().map(claim).collect();
        let empties = listed.diagram.position.empties().count();
        let mut line = obf::write(&Problem { diagram: listed.diagram, claims });
        line += &format!(" % {} {number}, {empties} empties", args.name);
        let Some(known) = known else {
            println!("{line}, not solved yet");
            continue;
        };
        for (mv, claimed) in listed.claims.iter().filter_map(|claim| claim.statement.exact()) {
            match computed(known, mv) {
                None => {}
                Some(score) if score == claimed => compared += 1,
                Some(score) => {
                    (compared, refuted) = (compared + 1, refuted + 1);
                    let what = mv.map_or("the position".to_owned(), |mv| mv.to_string());
                    eprintln!(
                        "{} {number}: {what} is claimed to be {claimed}, and is {score}",
                        args.name
                    );
                    line += &format!("; published with {what}:{claimed}");
                }
            }
        }
        println!("{line}");
        // A list that has the moves' scores is expected to have the best one among them.
        if let Some(best) = listed.claimed_score().filter(|&best| best != known.score) {
            refuted += 1;
            eprintln!(
                "{} {number}: the best claim is {best}, the score is {}",
                args.name, known.score
            );
        }
    }
    let solved = list.iter().filter(|listed| records.known.contains_key(&listed.diagram)).count();
    let claims: usize = list.iter().map(|listed| listed.claims.len()).sum();
    eprintln!(
        "{solved} of {} positions solved; {compared} of {claims} claims compared, {refuted} refuted",
        list.len()
    );
    Ok(if refuted == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn header(args: &Args, positions: usize, records: &Records) -> String {
    let (name, first) = (&args.name, args.first);
    let last = first + positions.max(1) - 1;
    let scores = match &records.versions[..] {
        [] => "Yose has not computed their scores yet".to_owned(),
        versions => {
            format!("the scores are what Yose {} computed, on one thread", versions.join(", "))
        }
    };
    format!(
        "% {name} {first}-{last}. The boards are those of the published suite; {scores}.\n\
         % A score is the difference of discs after perfect play, empties to the winner, seen by the side to move. Best move first.\n"
    )
}

/// A score as a claim of the line that is written.
fn claim(&(mv, score): &(Option<Move>, Score)) -> Claim {
    let bounds = Bounds { lower: score, upper: score };
    Claim {
        column: 1,
        statement: mv.map_or(Statement::Score(bounds), |mv| Statement::MoveScore(mv, bounds)),
    }
}

/// The score that the records have for a move, or for the position; none if they do not tell.
fn computed(known: &Known, mv: Option<Move>) -> Option<Score> {
    match mv {
        None => Some(known.score),
        mv => known.scores.iter().find(|&&(own, _)| own == mv).map(|&(_, score)| score),
    }
}

fn read_records(files: &[PathBuf]) -> Result<Records> {
    let mut records = Records { versions: Vec::new(), known: HashMap::new() };
    for file in files {
        let text = fs::read_to_string(file)
            .with_context(|| format!("{}: cannot be read", file.display()))?;
        for (number, line) in text.lines().enumerate() {
            read_record(line, &mut records)
                .with_context(|| format!("{}:{}", file.display(), number + 1))?;
        }
    }
    Ok(records)
}

fn read_record(line: &str, records: &mut Records) -> Result<()> {
    let record: Value = serde_json::from_str(line)?;
    match record["type"].as_str() {
        Some("run") => {
            let version = record["version"].as_str().context("a run without a version")?.to_owned();
            if !records.versions.contains(&version) {
                records.versions.push(version);
            }
        }
        Some("position") if record["status"] == "exact" => {
            let diagram: Diagram = record["position"].as_str().context("no position")?.parse()?;
            let score = score(&record["score"])?;
            let mut scores = Vec::new();
            if let Some(moves) = record["moves"].as_array() {
                for mv in moves {
                    scores.push((Some(read_move(&mv["move"])?), self::score(&mv["score"])?));
                }
            } else {
                let mv = Some(&record["best_move"])
                    .filter(|mv| !mv.is_null())
                    .map(read_move)
                    .transpose()?;
                scores.push((mv, score));
            }
            records.known.insert(diagram, Known { score, scores });
        }
        _ => {}
    }
    Ok(())
}

fn score(value: &Value) -> Result<Score> {
    let discs = value.as_i64().and_then(|discs| i32::try_from(discs).ok());
    discs.and_then(Score::try_new).with_context(|| format!("{value} is not a score"))
}

fn read_move(value: &Value) -> Result<Move> {
    Ok(value.as_str().with_context(|| format!("{value} is not a move"))?.parse()?)
}
