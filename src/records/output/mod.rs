//! The output: one record for each entry, in one of four formats.
//!
//! A [`Writer`] turns a record into text. A [`Sink`] writes whole records and counts them. The
//! structure is that of the `export` folder of hyperfine (<https://github.com/sharkdp/hyperfine>):
//! one small trait, and one file for each format. `records::results` reads CSV and JSON
//! Lines back.
//!
//! | format | contents |
//! |---|---|
//! | [`table`] | for people: scores with a sign, numbers with commas, no boards |
//! | [`csv`] | the columns of [`COLUMNS`], and `moves` with the scores of all moves |
//! | [`obf`] | for other solvers: positions and exact scores |
//! | [`jsonl`] | also the options of the run, its summary, and errors of invalid lines |

pub mod csv;
pub(crate) mod json;
pub mod jsonl;
pub mod obf;
mod sink;
pub mod table;

use std::fmt;
use std::io::Write as _;
use std::time::Duration;

use crate::othello::Diagram;
use crate::records::{Input, Notes, ReadError};
use crate::search::{Bounds, Limits, Solution, StopReason, Window};
use crate::table::AutoTable;

pub(crate) use super::text::bounds_of_text;
#[doc(hidden)]
pub use super::text::bounds_text;
pub(crate) use super::text::moves_text;
pub use sink::{Sink, SinkError};

/// The columns of CSV and the keys of JSON Lines, in their order.
#[doc(hidden)]
pub const COLUMNS: [&str; 12] = [
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
    "wld",
];

/// The columns and keys of a game, after the identifier.
pub(crate) const GAME_COLUMNS: [&str; 7] =
    ["file", "game", "year", "black", "white", "real_score", "move"];

/// The columns with the notes of entries, which a run may add to its records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoteColumns {
    /// Whether records have `file`, `game`, `year`, `black`, `white`, `real_score` and `move`.
    pub game: bool,
    /// Whether records have the `comment`.
    pub comment: bool,
}

/// The names of the columns of CSV, in their order.
pub(crate) fn column_names(notes: NoteColumns, all_moves: bool) -> Vec<&'static str> {
    let mut names = vec![COLUMNS[0]];
    if notes.game {
        names.extend(GAME_COLUMNS);
    }
    names.extend(notes.comment.then_some("comment"));
    names.extend(&COLUMNS[1..]);
    names.extend(all_moves.then_some("moves"));
    names
}

/// The formats whose records can be read back, to resume a run or to merge its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultFormat {
    /// [`csv`].
    Csv,
    /// [`jsonl`].
    JsonLines,
    /// [`jsonl`] with the records only. A run file beside it has the run and the summary.
    JsonRecords,
}

/// The result of one entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The entry's identifier.
    pub id: String,
    /// The notes of the entry.
    pub notes: Notes,
    /// The solution, or the error of an invalid line.
    pub outcome: Result<Solved, ReadError>,
}

impl Record {
    /// The kind of result.
    pub fn status(&self) -> Status {
        let Ok(Solved { solution, window, .. }) = &self.outcome else { return Status::Invalid };
        match solution.stopped {
            Some(StopReason::Nodes | StopReason::Time) => Status::Limit,
            Some(StopReason::Aborted) => Status::Interrupted,
            None if solution.bounds.exact().is_some() => Status::Exact,
            None if *window == Window::WIN_LOSS_DRAW => Status::Wld,
            None => Status::Bounds,
        }
    }
}

/// A position with its solution.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// The position.
    pub diagram: Diagram,
    /// The solution.
    pub solution: Solution,
    /// The scores that were to be found exactly.
    pub window: Window,
    /// The duration of the search.
    pub time: Duration,
}

/// The kind of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The score is proven.
    Exact,
    /// Whether the position is won or lost was to be found, and is proven. The score is bounded.
    Wld,
    /// The score lies outside the window. Its bounds are proven.
    Bounds,
    /// The line could not be read.
    Invalid,
    /// A limit of nodes or of time ended the search. The bounds are proven.
    Limit,
    /// The run ended before the position was solved, or before its search began. The bounds are
    /// proven.
    Interrupted,
}

impl Status {
    /// All kinds.
    pub const ALL: [Status; 6] = [
        Status::Exact,
        Status::Wld,
        Status::Bounds,
        Status::Invalid,
        Status::Limit,
        Status::Interrupted,
    ];

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Exact => "exact",
            Status::Wld => "wld",
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

/// The result of perfect play, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wld {
    /// The score is above 0.
    Win,
    /// The score is 0.
    Draw,
    /// The score is below 0.
    Loss,
}

impl Wld {
    /// The result that bounds prove; `None` if they prove none.
    pub fn of(bounds: Bounds) -> Option<Wld> {
        match (bounds.lower.discs(), bounds.upper.discs()) {
            (1.., _) => Some(Wld::Win),
            (_, ..=-1) => Some(Wld::Loss),
            (0, 0) => Some(Wld::Draw),
            _ => None,
        }
    }

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Wld::Win => "win",
            Wld::Draw => "draw",
            Wld::Loss => "loss",
        }
    }
}

/// The settings of a run, as far as its records depend on them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The number of threads that solve.
    pub threads: usize,
    /// Whether each thread solves alone, with tables of its own that are empty before each
    /// position.
    pub deterministic: bool,
    /// The size in bytes of the shared table; of each thread's table in a deterministic run.
    pub table_bytes: u64,
    /// What this size was chosen by, and how far the table may grow; `None` if it is fixed.
    pub auto_table: Option<AutoTable>,
    /// The weights of the evaluation, with the digest of their file. They change nodes, and no
    /// score.
    pub weights: Input,
    /// The scores that are to be found exactly.
    pub window: Window,
    /// Whether the score of every move is to be found.
    pub all_moves: bool,
    /// The notes that records have.
    pub notes: NoteColumns,
    /// The limits of the search of each position.
    pub limits: Limits,
    /// The part of the lines that is solved, as `I/N`; `None`: all.
    pub shard: Option<String>,
    /// The sources, with the digests of those that could be read beforehand.
    pub inputs: Vec<Input>,
}

/// The totals of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Positions solved exactly.
    pub exact: u64,
    /// Positions of which a win or a loss is proven, as was requested.
    pub wld: u64,
    /// Positions solved to bounds.
    pub bounds: u64,
    /// Lines that could not be read.
    pub invalid: u64,
    /// Positions whose own limit of nodes or time ended their search.
    pub limit: u64,
    /// Positions that were not solved when the run ended.
    pub interrupted: u64,
    /// The number of results that an earlier run found, and that were kept.
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
    /// The search statistics by number of empties.
    #[cfg(feature = "stats")]
    pub statistics: crate::search::Statistics,
}

impl Summary {
    /// Counts a record.
    pub fn add(&mut self, record: &Record) {
        self.count(record.status());
        if let Ok(solved) = &record.outcome {
            self.nodes += solved.solution.nodes;
            self.add_to_file(solved.solution.nodes, solved.time);
            #[cfg(feature = "stats")]
            self.statistics.add(&solved.solution.statistics);
        }
    }

    /// Counts a record of an earlier run that is kept, with its nodes and its time.
    pub fn keep(&mut self, status: Status, nodes: u64, time: Duration) {
        self.count(status);
        self.kept += 1;
        self.add_to_file(nodes, time);
    }

    /// Adds to the sums over the file. A file that was edited may have any numbers.
    fn add_to_file(&mut self, nodes: u64, time: Duration) {
        self.file_nodes = self.file_nodes.saturating_add(nodes);
        self.file_time = self.file_time.saturating_add(time);
    }

    /// Counts a record of this status.
    pub fn count(&mut self, status: Status) {
        *match status {
            Status::Exact => &mut self.exact,
            Status::Wld => &mut self.wld,
            Status::Bounds => &mut self.bounds,
            Status::Invalid => &mut self.invalid,
            Status::Limit => &mut self.limit,
            Status::Interrupted => &mut self.interrupted,
        } += 1;
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.solved() + self.invalid + self.cut_short()
    }

    /// The number of positions that are solved: exactly, or as far as was requested.
    pub fn solved(&self) -> u64 {
        self.exact + self.wld + self.bounds
    }

    /// The number of records of positions.
    pub fn positions(&self) -> u64 {
        self.records() - self.invalid
    }

    /// The number of positions that another run may solve.
    pub fn cut_short(&self) -> u64 {
        self.limit + self.interrupted
    }
}

/// A format: turns what happens in a run into text, appended to `out`. The records are of type `R`,
/// the header is made from an `H`, the footer from an `F`.
pub trait Writer<H = Run, R = Record, F = Summary>: fmt::Debug + Send {
    /// Appends the header, which stands before all records.
    fn begin(&mut self, run: &H, out: &mut Vec<u8>);
    /// Appends a record, with the end of its line.
    fn record(&mut self, record: &R, out: &mut Vec<u8>);
    /// Appends the footer, which stands after all records.
    fn end(&mut self, summary: &F, out: &mut Vec<u8>);
}

/// Seconds with six decimals. An exponent is avoided, as some programs cannot read it.
pub(crate) fn seconds(time: Duration) -> String {
    let mut out = Vec::new();
    write_seconds(&mut out, time);
    String::from_utf8(out).expect("digits are UTF-8")
}

/// The same, at the end of `out`.
pub(crate) fn write_seconds(out: &mut Vec<u8>, time: Duration) {
    let _ = write!(out, "{}.{:06}", time.as_secs(), time.subsec_micros());
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
    use crate::records::{GameDetails, GameNotes, LineOrGame, Location};
    use crate::search::NodeCounts;

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
            auto_table: None,
            weights: input("embedded", Some("def")),
            window: Window::FULL,
            all_moves,
            notes: NoteColumns::default(),
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
                window: if pv.is_empty() { Window::WIN_LOSS_DRAW } else { Window::FULL },
                time: Duration::from_nanos(1_234_567_890),
            })
        };
        let invalid = ReadError {
            location: Location { file: "list.obf".into(), at: LineOrGame::Line(4) },
            column: 65,
            what: "the side to move is missing".to_owned(),
            hint: "write it".to_owned(),
        };
        let game = GameNotes {
            file: "list.obf".into(),
            number: 7,
            move_number: 47,
            last_move: None,
            details: GameDetails {
                year: Some(2026),
                black: Some("Ann".into()),
                white: None,
                real_score: Some(Score::new(-4)),
            },
        };
        vec![
            Record {
                id: "list.obf:1".to_owned(),
                notes: Notes { comment: Some("FFO 1, \"a\"".into()), game: Some(Box::new(game)) },
                outcome: solved(
                    bounds(18, 18),
                    &["g8", "--", "h1"],
                    &[("g8", bounds(18, 18)), ("h1", bounds(-64, 12))],
                ),
            },
            Record {
                id: "list.obf:3".to_owned(),
                notes: Notes::default(),
                outcome: solved(bounds(-64, -2), &[], &[]),
            },
            Record { id: "list.obf:4".to_owned(), notes: Notes::default(), outcome: Err(invalid) },
        ]
    }

    /// What a writer makes of all of it.
    pub fn written(writer: &mut dyn Writer, all_moves: bool) -> String {
        written_by(writer, run(all_moves))
    }

    /// The same with both kinds of notes.
    pub fn with_notes(writer: &mut dyn Writer) -> String {
        let notes = NoteColumns { game: true, comment: true };
        written_by(writer, Run { notes, ..run(true) })
    }

    fn written_by(writer: &mut dyn Writer, run: Run) -> String {
        let (mut out, mut summary) = (Vec::new(), Summary::default());
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

    #[test]
    fn bounds_prove_a_win_a_draw_or_a_loss() {
        let wld = |lower, upper| Wld::of(samples::bounds(lower, upper)).map(Wld::name);
        assert_eq!([wld(2, 64), wld(6, 6), wld(1, 3)], [Some("win"); 3]);
        assert_eq!([wld(-64, -2), wld(-8, -8)], [Some("loss"); 2]);
        assert_eq!(wld(0, 0), Some("draw"));
        assert_eq!([wld(0, 64), wld(-64, 0), wld(-2, 2), wld(-64, 64)], [None; 4]);
    }

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
