//! Another solver: its run on a list, and what it prints about each position.
//!
//! A [`ResultFormat`] reads the output: that of Edax, or a regular expression for any other. The
//! results are those of the positions in their order, or name the number of the position. `bench`
//! compares them with Yose's; as [claims](claims) they can be verified.
//!
//! The table of Edax is that of `edax -solve FILE`, a line for each position:
//!
//! ```text
//!   1|   20   +38        0:00.512       8512345   16625674  A2 b1 ...
//! ```
//!
//! Neural Reversi prints the same columns as a table of Markdown, with a `|` at both ends and
//! commas in its numbers.
//!
//! Source: the output of Edax-AVX 4.5.6 (R. Delorme, T. Okuhara),
//! <https://github.com/okuhara/edax-reversi-AVX>; the benchmark tables of Neural Reversi 6.2,
//! <https://github.com/natsutteatsuiyone/neural-reversi>.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

use regex::Regex;
use thiserror::Error;

use super::list::read_list;
use crate::othello::Score;
use crate::records::{Problem, Source};

/// How the output of a solver is read.
#[derive(Clone, Debug)]
pub enum ResultFormat {
    /// The table of Edax, or that of Neural Reversi.
    Edax,
    /// Each match is a result. The groups `score`, and perhaps `number`, `nodes` and `seconds`,
    /// have its figures.
    Pattern(Regex),
}

/// What a solver has printed about a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OtherResult {
    /// The score.
    pub score: Score,
    /// The nodes, if they were printed.
    pub nodes: Option<u64>,
    /// The time in seconds, if it was printed.
    pub seconds: Option<f64>,
}

/// Why another solver could not be measured.
#[derive(Debug, Error)]
pub enum OtherError {
    /// The program cannot be run.
    #[error("`{command}` cannot be run: {what}")]
    Run {
        /// The command.
        command: String,
        /// Why.
        what: String,
    },
    /// The output has not a result for each position.
    #[error("the output has results for {found} of {expected} positions")]
    Missing {
        /// The number of results.
        found: usize,
        /// The number of positions.
        expected: usize,
    },
    /// The list or the output cannot be read.
    #[error("{0}")]
    Read(String),
}

impl FromStr for ResultFormat {
    type Err = String;

    /// Reads `edax` or `regex:PATTERN`.
    ///
    /// # Errors
    /// With what would be right.
    fn from_str(text: &str) -> Result<ResultFormat, String> {
        if text == "edax" {
            return Ok(ResultFormat::Edax);
        }
        let pattern = text.strip_prefix("regex:").ok_or("write `edax` or `regex:PATTERN`")?;
        let regex = Regex::new(&format!("(?m){pattern}")).map_err(|error| error.to_string())?;
        match regex.capture_names().flatten().any(|name| name == "score") {
            true => Ok(ResultFormat::Pattern(regex)),
            false => Err("the pattern has no group `(?<score>...)`".to_owned()),
        }
    }
}

impl ResultFormat {
    /// The results in an output, by the numbers of their positions, from 1. A result without a
    /// number belongs to the position after that of the result before.
    ///
    /// # Errors
    /// With the first result that cannot be read.
    pub fn results(&self, output: &str) -> Result<BTreeMap<usize, OtherResult>, String> {
        let mut results = BTreeMap::new();
        let mut add = |number: usize, result| match results.insert(number, result) {
            None => Ok(()),
            Some(_) => Err(format!("the output has two results for position {number}")),
        };
        match self {
            ResultFormat::Edax => {
                for line in output.lines() {
                    if let Some((number, result)) = edax_line(line) {
                        add(number, result)?;
                    }
                }
            }
            ResultFormat::Pattern(regex) => {
                let mut number = 0;
                for found in regex.captures_iter(output) {
                    let group = |name: &str| found.name(name).map(|group| group.as_str());
                    let fault = || format!("`{}` is no result", &found[0]);
                    number = match group("number") {
                        Some(text) => text.trim().parse().map_err(|_| fault())?,
                        None => number + 1,
                    };
                    let score = group("score").and_then(score_of).ok_or_else(fault)?;
                    let nodes = group("nodes").map(|text| count_of(text).ok_or_else(fault));
                    let seconds = group("seconds").map(|text| seconds_of(text).ok_or_else(fault));
                    let (nodes, seconds) = (nodes.transpose()?, seconds.transpose()?);
                    add(number, OtherResult { score, nodes, seconds })?;
                }
            }
        }
        Ok(results)
    }
}

/// A line of the table of Edax or of Neural Reversi; `None` if it is another one, or if the score
/// is that of a selective search, such as `21@73%`.
fn edax_line(line: &str) -> Option<(usize, OtherResult)> {
    let line = line.trim_start();
    let (number, rest) = line.strip_prefix('|').unwrap_or(line).split_once('|')?;
    let rest = rest.replace('|', " ");
    let mut words = rest.split_whitespace();
    let depth = words.next()?;
    if depth.split_once('@').is_some_and(|(_, selectivity)| selectivity != "100%") {
        return None;
    }
    let score = score_of(words.next()?)?;
    let seconds = seconds_of(words.next()?)?;
    // A position that takes no node has none.
    let nodes = words.next().and_then(count_of).unwrap_or(0);
    let result = OtherResult { score, nodes: Some(nodes), seconds: Some(seconds) };
    Some((number.trim().parse().ok()?, result))
}

fn score_of(text: &str) -> Option<Score> {
    let discs = text.trim().parse().ok()?;
    Score::try_new(discs).filter(|score| score.discs() % 2 == 0)
}

/// A number of nodes, perhaps with commas.
fn count_of(text: &str) -> Option<u64> {
    text.trim().replace(',', "").parse().ok()
}

/// A time as `1.5`, `0:01.500` or `1:02:03.4`.
fn seconds_of(text: &str) -> Option<f64> {
    let add = |sum: Option<f64>, part: &str| Some(60.0 * sum? + part.parse::<f64>().ok()?);
    let seconds = text.trim().split(':').fold(Some(0.0), add)?;
    (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
}

/// A run of another solver.
#[derive(Clone, PartialEq, Debug)]
pub struct OtherRun {
    /// The results, in the order of the list.
    pub results: Vec<OtherResult>,
    /// The time of the whole process.
    pub time: Duration,
}

/// The positions of a list, a line for each, in the form that all solvers read.
fn plain_list(problems: &[(String, Problem)]) -> String {
    let mut text = String::new();
    for (_, problem) in problems {
        let _ = writeln!(text, "{};", problem.diagram);
    }
    text
}

/// Runs a command on the positions of a suite. `{}` in its words stands for the path of a file with
/// a position in each line. Words are separated by spaces; no shell reads them.
///
/// # Errors
/// If the program cannot be run or fails, or if its output has not a result for each position.
pub fn run(command: &str, format: &ResultFormat, suite: &Source) -> Result<OtherRun, OtherError> {
    let problems = read_list(suite.clone()).map_err(OtherError::Read)?;
    let failed = |what: String| OtherError::Run { command: command.to_owned(), what };
    let mut list = tempfile::Builder::new()
        .suffix(".obf")
        .tempfile()
        .map_err(|error| failed(error.to_string()))?;
    list.write_all(plain_list(&problems).as_bytes()).map_err(|error| failed(error.to_string()))?;
    let words = command.split_whitespace().map(|word| with_path(word, list.path()));
    let words: Vec<String> = words.collect();
    let [program, arguments @ ..] = &words[..] else {
        return Err(failed("it is empty".to_owned()));
    };
    let start = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| failed(error.to_string()))?;
    let time = start.elapsed();
    if !output.status.success() {
        return Err(failed(output.status.to_string()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let found = format.results(&text).map_err(OtherError::Read)?;
    let results: Vec<OtherResult> =
        (1..=problems.len()).filter_map(|number| found.get(&number).copied()).collect();
    if results.len() < problems.len() {
        return Err(OtherError::Missing { found: results.len(), expected: problems.len() });
    }
    Ok(OtherRun { results, time })
}

/// A word of a command with the path of the list in it.
fn with_path(word: &str, path: &Path) -> String {
    word.replace("{}", &path.to_string_lossy())
}

/// The positions of a list with the scores of another solver as claims, in OBF. A line belongs to
/// the position with its number; positions without a result have an empty line.
///
/// # Errors
/// If the list or a result cannot be read, or if there is no result for any position.
pub fn claims(list: Source, format: &ResultFormat, output: &str) -> Result<String, OtherError> {
    let problems = read_list(list).map_err(OtherError::Read)?;
    let results = format.results(output).map_err(OtherError::Read)?;
    let expected = problems.len();
    if results.is_empty() || results.keys().any(|&number| number == 0 || number > expected) {
        let found = results.keys().filter(|&&number| (1..=expected).contains(&number)).count();
        return Err(OtherError::Missing { found, expected });
    }
    let mut text = String::new();
    for ((_, problem), number) in problems.iter().zip(1..) {
        if let Some(result) = results.get(&number) {
            let _ = write!(text, "{}; {};", problem.diagram, result.score);
        }
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
 # | depth|score|       time   |  nodes (N)  |   N/s    | principal variation\n\
---+------+-----+--------------+-------------+----------+---------------------\n  \
  1|   14   +18        0:00.012         11250     937500  g8 H1 H7\n  \
  2|   20   -04        1:02.500    1234567890   19753086  A2\n  \
  3|    0   +02        0:00.000\n\
nodes in 1:02.512\n";

    #[test]
    fn the_table_of_edax_is_read() {
        let results = ResultFormat::Edax.results(TABLE).expect("results");
        assert_eq!(results.len(), 3);
        assert_eq!(
            results[&2],
            OtherResult { score: Score::new(-4), nodes: Some(1_234_567_890), seconds: Some(62.5) }
        );
        assert_eq!(results[&3].nodes, Some(0));
        let twice = TABLE.replace("  2|", "  1|");
        assert!(ResultFormat::Edax.results(&twice).expect_err("twice").contains("two results"));
    }

    #[test]
    fn the_table_of_neural_reversi_is_read() {
        let table = "\
|   #   | Depth  | Score |    Time     |        Nodes        |      N/s      |\n\
| ----: | :----: | :---: | ----------: | ------------------: | ------------: |\n\
|     1 |   20   |  +38  |    0:00.009 |          11,512,958 | 1,295,031,327 |\n\
|     2 |   22   |  -04  |    1:00.015 |               1,000 |           100 |\n\
| Total |        |       |    1:00.024 |          11,513,958 | 1,946,857,425 |\n";
        let results = ResultFormat::Edax.results(table).expect("results");
        assert_eq!(results.len(), 2);
        assert_eq!(
            results[&2],
            OtherResult { score: Score::new(-4), nodes: Some(1000), seconds: Some(60.015) }
        );
        assert_eq!(results[&1].nodes, Some(11_512_958));
        // The score of a selective search is no claim about perfect play.
        for (depth, count) in [("22@73%", 1), ("22@100%", 2)] {
            let table = table.replace("  22   ", depth);
            let results = ResultFormat::Edax.results(&table).expect("results");
            assert_eq!(results.len(), count, "{depth}");
        }
    }

    #[test]
    fn patterns_have_named_groups() {
        let format: ResultFormat =
            r"regex:score=(?<score>\S+) nodes=(?<nodes>[\d,]+)".parse().expect("a pattern");
        let results = format.results("score=+2 nodes=1,000\nscore=-6 nodes=5\n").expect("results");
        assert_eq!((results[&1].nodes, results[&2].score), (Some(1000), Score::new(-6)));
        assert!(format.results("score=+3 nodes=1\n").is_err(), "an odd score");
        for wrong in ["", "csv", "regex:(", "regex:abc"] {
            assert!(wrong.parse::<ResultFormat>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn results_become_claims() {
        let start = "---------------------------OX------XO--------------------------- X";
        let list = || Source::Memory {
            name: "list",
            bytes: format!("{start}\n{start}\n").into_bytes().into(),
        };
        let claims = |output: &str| claims(list(), &ResultFormat::Edax, output);
        let text = claims("  2|   60   +00        0:00.012  12  10  f5\n").expect("claims");
        assert_eq!(text, format!("\n{start}; +0;\n"));
        assert!(claims(TABLE).is_err(), "a third position");
        assert!(claims("").is_err());
    }
}
