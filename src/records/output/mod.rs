//! The output: one record for each entry, in one of four formats.
//!
//! A [`Writer`] turns a record into text. A [`Sink`] writes whole records and counts them, so that
//! a finished position is safe from that moment on. The structure is that of hyperfine's `export`
//! folder: one small trait, one file for each format. [`results`](crate::records::results) reads
//! CSV and JSON Lines back.
//!
//! | format | contents |
//! |---|---|
//! | [`table`] | for people: scores with a sign, numbers with commas, no boards |
//! | [`csv`] | the columns of [`COLUMNS`], and `moves` if the run had all moves |
//! | [`obf`] | for other solvers: positions and exact scores |
//! | [`jsonl`] | also the options of the run, its summary, and errors of invalid lines |

pub mod csv;
pub(crate) mod json;
pub mod jsonl;
pub mod obf;
mod sink;
pub mod table;

use std::fmt;
use std::time::Duration;

use crate::othello::Diagram;
use crate::records::{Input, ReadError};
use crate::search::{Limits, Solution, StopReason, Window};

#[doc(hidden)]
pub use super::text::bounds_text;
pub(crate) use super::text::moves_text;
pub use sink::{Sink, SinkError};

/// The columns of CSV and the keys of JSON Lines, in their order.
pub const COLUMNS: [&str; 11] = [
    "id",
    "position",
    "empties",
    "status",
    "score",
    "lower",
    "upper",
    "best_move",
    "pv",
    "nodes",
    "seconds",
];

/// The result of one entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The entry's identifier.
    pub id: String,
    /// The solution, or the error of an invalid line.
    pub outcome: Result<Solved, ReadError>,
}

impl Record {
    /// What sort of answer it is.
    pub fn status(&self) -> Status {
        let Ok(Solved { solution, .. }) = &self.outcome else { return Status::Invalid };
        match solution.stopped {
            Some(StopReason::Nodes | StopReason::Time) => Status::Limit,
            Some(StopReason::Aborted) => Status::Interrupted,
            None if solution.bounds.exact().is_some() => Status::Exact,
            None => Status::Bounds,
        }
    }
}

/// A position with its answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// The position.
    pub diagram: Diagram,
    /// The answer.
    pub solution: Solution,
    /// How long it took.
    pub time: Duration,
}

/// What sort of answer a record gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The score is known.
    Exact,
    /// The score lies outside the window: bounds on it are known.
    Bounds,
    /// The line could not be read.
    Invalid,
    /// A limit of nodes or of time ended the search: what is proven so far is known.
    Limit,
    /// The run was ended before the position was solved, or begun: what is proven so far is known.
    Interrupted,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 5] =
        [Status::Exact, Status::Bounds, Status::Invalid, Status::Limit, Status::Interrupted];

    /// The word that records have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Exact => "exact",
            Status::Bounds => "bounds",
            Status::Invalid => "invalid",
            Status::Limit => "limit",
            Status::Interrupted => "interrupted",
        }
    }

    /// Whether the search of a position was cut short, so that another run may come further.
    pub const fn is_cut_short(self) -> bool {
        matches!(self, Status::Limit | Status::Interrupted)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a run is made: what must be the same for its records to be the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Threads that solve.
    pub threads: usize,
    /// Whether each thread solves alone, with tables of its own that are empty before each
    /// position.
    pub deterministic: bool,
    /// Size of the shared table in bytes; of each thread's table if they are deterministic.
    pub table_bytes: u64,
    /// Where the evaluation's weights come from, with the digest of their file; they change nodes
    /// and no score.
    pub weights: Input,
    /// The scores of interest.
    pub window: Window,
    /// Whether every move's score is asked for.
    pub all_moves: bool,
    /// How far the search of each position may go.
    pub limits: Limits,
    /// Which part of the lines is solved, as `I/N`; none if all are.
    pub shard: Option<String>,
    /// The sources, with the digests of those that could be read beforehand.
    pub inputs: Vec<Input>,
}

/// What a run came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Positions solved exactly.
    pub exact: u64,
    /// Positions solved to bounds.
    pub bounds: u64,
    /// Lines that could not be read.
    pub invalid: u64,
    /// Positions whose own limit of nodes or time ended their search.
    pub limit: u64,
    /// Positions that were not solved, or not begun, when the run was ended.
    pub interrupted: u64,
    /// How many of the exact and the bounded ones were solved in an earlier run, and kept.
    pub kept: u64,
    /// Files that could not be read, or not to their end.
    pub unreadable: u64,
    /// Nodes searched in this run.
    pub nodes: u64,
    /// The duration of this run: from the first line read to the last record written.
    pub time: Duration,
    /// Nodes of all records, those of earlier runs included.
    pub file_nodes: u64,
    /// The sum of the times of all records, those of earlier runs included.
    pub file_time: Duration,
    /// The sources, with the digests of those that were read to their end.
    pub inputs: Vec<Input>,
    /// What the search did at each number of empties.
    #[cfg(feature = "stats")]
    pub statistics: crate::search::Statistics,
}

impl Summary {
    /// Counts a record in.
    pub fn add(&mut self, record: &Record) {
        self.count(record.status());
        if let Ok(solved) = &record.outcome {
            self.nodes += solved.solution.nodes;
            self.file_nodes += solved.solution.nodes;
            self.file_time += solved.time;
            #[cfg(feature = "stats")]
            self.statistics.add(&solved.solution.statistics);
        }
    }

    /// Counts a record of an earlier run that is kept, with its nodes and its time.
    pub fn keep(&mut self, status: Status, nodes: u64, time: Duration) {
        self.count(status);
        self.kept += 1;
        self.file_nodes += nodes;
        self.file_time += time;
    }

    /// Counts a record of this status.
    pub fn count(&mut self, status: Status) {
        *match status {
            Status::Exact => &mut self.exact,
            Status::Bounds => &mut self.bounds,
            Status::Invalid => &mut self.invalid,
            Status::Limit => &mut self.limit,
            Status::Interrupted => &mut self.interrupted,
        } += 1;
    }

    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.exact + self.bounds + self.invalid + self.limit + self.interrupted
    }

    /// How many of them are of positions.
    pub fn positions(&self) -> u64 {
        self.records() - self.invalid
    }

    /// How many positions another run may bring further.
    pub fn cut_short(&self) -> u64 {
        self.limit + self.interrupted
    }
}

/// A format: turns what happens in a run into text, appended to `out`.
pub trait Writer: fmt::Debug + Send {
    /// Appends what precedes the records to `out`.
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>);
    /// Appends a record, with the end of its line.
    fn record(&mut self, record: &Record, out: &mut Vec<u8>);
    /// Appends what follows the records.
    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>);
}

/// Seconds with six decimals and without an exponent, which not every program reads.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{}.{:06}", time.as_secs(), time.subsec_micros())
}

/// A number with a comma after every three digits: `12,345,678`.
#[doc(hidden)]
pub fn readable(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
pub(crate) mod samples {
    //! Records that the writers' tests share.

    use super::*;
    use crate::othello::{Move, Score};
    use crate::records::{LineOrGame, Location};
    use crate::search::{Bounds, NodeCounts};

    pub const POSITION: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

    pub fn bounds(lower: i32, upper: i32) -> Bounds {
        Bounds { lower: Score::new(lower), upper: Score::new(upper) }
    }

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    pub fn run(all_moves: bool) -> Run {
        let input = |name: &str, sha256: Option<&str>| Input {
            name: name.to_owned(),
            sha256: sha256.map(str::to_owned),
        };
        Run {
            threads: 1,
            deterministic: false,
            table_bytes: 256 << 20,
            weights: input("embedded", Some("def")),
            window: Window::FULL,
            all_moves,
            limits: Limits::NONE,
            shard: None,
            inputs: vec![input("list.obf", Some("abc")), input("stdin", None)],
        }
    }

    /// An exact answer, bounds, and an invalid line.
    pub fn records() -> Vec<Record> {
        let solved = |bounds: Bounds, pv: &[&str], moves: &[(&str, Bounds)]| {
            Ok(Solved {
                diagram: POSITION.parse().expect("a position"),
                solution: Solution {
                    bounds,
                    best_move: pv.first().map(|text| mv(text)),
                    pv: pv.iter().map(|text| mv(text)).collect(),
                    moves: moves.iter().map(|&(text, bounds)| (mv(text), bounds)).collect(),
                    nodes: 1_234_567,
                    profile: NodeCounts::default(),
                    stopped: None,
                    #[cfg(feature = "stats")]
                    statistics: crate::search::Statistics::default(),
                },
                time: Duration::from_nanos(1_234_567_890),
            })
        };
        let invalid = ReadError {
            location: Location { file: "list.obf".into(), at: LineOrGame::Line(4) },
            column: 65,
            what: "the side to move is missing".to_owned(),
            hint: "write it".to_owned(),
        };
        vec![
            Record {
                id: "list.obf:1".to_owned(),
                outcome: solved(
                    bounds(18, 18),
                    &["g8", "--", "h1"],
                    &[("g8", bounds(18, 18)), ("h1", bounds(-64, 12))],
                ),
            },
            Record { id: "list.obf:3".to_owned(), outcome: solved(bounds(-64, -2), &[], &[]) },
            Record { id: "list.obf:4".to_owned(), outcome: Err(invalid) },
        ]
    }

    /// What a writer makes of all of it.
    pub fn written(writer: &mut dyn Writer, all_moves: bool) -> String {
        let (mut out, mut summary) = (Vec::new(), Summary::default());
        let run = run(all_moves);
        writer.begin(&run, &mut out);
        for record in records() {
            writer.record(&record, &mut out);
            summary.add(&record);
        }
        summary.time = Duration::from_millis(2500);
        summary.inputs = run.inputs;
        writer.end(&summary, &mut out);
        String::from_utf8(out).expect("UTF-8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bounds;

    #[test]
    fn numbers_are_readable() {
        let text: Vec<String> = [0, 999, 1000, 12_345_678].map(readable).to_vec();
        assert_eq!(text, ["0", "999", "1,000", "12,345,678"]);
    }

    #[test]
    fn what_is_known_of_a_score_fits_in_a_word() {
        let text = |lower, upper| bounds_text(samples::bounds(lower, upper));
        assert_eq!(
            [text(4, 4), text(2, 64), text(-64, -2), text(-2, 4)],
            ["+4", ">=+2", "<=-2", "-2..+4"]
        );
        assert_eq!(bounds_text(Bounds::UNKNOWN), "?");
    }
}
