//! Makes a file of `positions/` from results of Yose, and compares them with published scores.
//!
//! ```sh
//! yose solve --all-moves --format jsonl LIST > records.jsonl
//! cargo run --release --example make_suite -- --name FFO --first 20 --list LIST records.jsonl \
//!     > positions/ffo-20-39.obf
//! ```
//!
//! The positions come from the list, the scores from the results alone: of every legal move if the
//! results have them, otherwise of the best move, and none where a position was not solved. The
//! scores of the list are claims. Each is compared with the results, and every difference goes to
//! standard error. The exit status is 1 if a claim is refuted.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;
use serde_json::Value;
use yose::records::{Claim, Entry, Item, Problem, ReadOptions, Reader, Source, Statement, obf};
use yose::{Bounds, Diagram, Move, Score};

/// Make a file of positions from Yose's records, and compare the scores that a list claims
#[derive(Parser)]
struct Args {
    /// Name of the suite, such as FFO: each position gets it with a number as its comment
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

/// The exact scores of one position.
struct SolvedScores {
    score: Score,
    /// The scores of moves; or of the best move alone; or of the position, if it has no move.
    scores: Vec<(Option<Move>, Score)>,
}

/// All results, and the versions of Yose that found them.
struct Records {
    versions: Vec<String>,
    solved: HashMap<Diagram, SolvedScores>,
}

fn main() -> Result<ExitCode> {
    let args = Args::parse();
    let records = read_records(&args.records)?;
    let list = read(&args.list)?;

    print!("{}", header(&args, list.len(), &records));
    let (mut compared, mut refuted) = (0, 0);
    for (number, listed) in (args.first..).zip(&list) {
        let solved = records.solved.get(&listed.diagram);
        let scores = solved.map_or(&[][..], |solved| &solved.scores);
        let claims = scores.iter().map(claim).collect();
        let empties = listed.diagram.position.empties().count();
        let mut line = obf::write(&Problem { claims, ..Problem::new(listed.diagram) });
        line += &format!(" % {} {number}, {empties} empties", args.name);
        let Some(solved) = solved else {
            println!("{line}, not solved yet");
            continue;
        };
        for (mv, claimed) in listed.claims.iter().filter_map(|claim| claim.statement.exact()) {
            match computed(solved, mv) {
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
        if let Some(best) = listed.claimed_score().filter(|&best| best != solved.score) {
            refuted += 1;
            eprintln!(
                "{} {number}: the best claim is {best}, the score is {}",
                args.name, solved.score
            );
        }
    }
    let solved = list.iter().filter(|listed| records.solved.contains_key(&listed.diagram)).count();
    let claims: usize = list.iter().map(|listed| listed.claims.len()).sum();
    eprintln!(
        "{solved} of {} positions solved; {compared} of {claims} claims compared, \
         {refuted} refuted",
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
         % A score is the difference of discs after perfect play, empties to the winner, seen by \
         the side to move. Best move first.\n"
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

/// The score of a move, or of the position; `None` if the results do not have it.
fn computed(solved: &SolvedScores, mv: Option<Move>) -> Option<Score> {
    match mv {
        None => Some(solved.score),
        mv => solved.scores.iter().find(|&&(own, _)| own == mv).map(|&(_, score)| score),
    }
}

/// The positions of a file.
fn read(file: &Path) -> Result<Vec<Problem>> {
    let sources = vec![Source::File(file.to_owned())];
    let problem = |item| match item {
        Item::Entry(Entry { problem, .. }) => Ok(problem?),
        Item::Failure(error) => Err(error.into()),
        Item::Empty(empty) => bail!("{empty}"),
        Item::MissingPositions(missing) => bail!("{missing}"),
    };
    Reader::new(sources, ReadOptions::default()).map(problem).collect()
}

fn read_records(files: &[PathBuf]) -> Result<Records> {
    let mut records = Records { versions: Vec::new(), solved: HashMap::new() };
    for file in files {
        let version =
            version(file).with_context(|| format!("{}: cannot be read", file.display()))?;
        if !records.versions.contains(&version) {
            records.versions.push(version);
        }
        for problem in read(file)? {
            if let Some(scores) = exact_scores(&problem) {
                records.solved.insert(problem.diagram, scores);
            }
        }
    }
    Ok(records)
}

/// The version of Yose in the first line of a file of results, which describes the run.
fn version(file: &Path) -> Result<String> {
    let text = fs::read_to_string(file)?;
    let run: Value = serde_json::from_str(text.lines().next().unwrap_or_default())?;
    Ok(run["version"].as_str().context("the first line has no version of Yose")?.to_owned())
}

/// The exact scores of a result; `None` if its score is not exact.
fn exact_scores(result: &Problem) -> Option<SolvedScores> {
    let statements = || result.claims.iter().map(|claim| &claim.statement);
    let score = statements().find_map(|statement| match statement {
        Statement::Score(bounds) => bounds.exact(),
        _ => None,
    })?;
    let mut scores: Vec<(Option<Move>, Score)> =
        statements().filter_map(Statement::exact).filter(|(mv, _)| mv.is_some()).collect();
    if scores.is_empty() {
        let best = statements().find_map(|statement| match statement {
            Statement::BestMoves(moves) => moves.first().copied(),
            _ => None,
        });
        scores.push((best, score));
    }
    Some(SolvedScores { score, scores })
}
