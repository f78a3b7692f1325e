//! What is written: a record for each finding, in one of three formats, and what all of them came
//! to.
//!
//! As with the records of scores ([`records::output`](crate::records::output)), a [`Writer`] turns
//! findings into text, and an [`Output`] writes each text whole and flushes it. All formats say the
//! same; [`table`] is for people, and [`jsonl`] also tells how the run was made.

pub mod csv;
pub mod jsonl;
pub mod table;

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use super::finding::{Examined, Finding, Kind, Tally, Verdict};
use super::register::Relation;
use super::run::Run;
use crate::records::output::{SinkError, bounds_text, readable};

/// The columns of CSV and the keys of JSON Lines, in their order.
pub const COLUMNS: [&str; 17] = [
    "place",
    "id",
    "position",
    "empties",
    "kind",
    "claim",
    "move",
    "claimed_lower",
    "claimed_upper",
    "verdict",
    "score",
    "lower",
    "upper",
    "pv",
    "nodes",
    "seconds",
    "note",
];

/// What a run came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The findings, counted.
    pub tally: Tally,
    /// Files that could not be read, or not to their end.
    pub unreadable: u64,
    /// From the first line read to the last finding written.
    pub time: Duration,
}

/// A format: turns what happens in a run into text, appended to `out`.
pub trait Writer: fmt::Debug {
    /// What stands before the findings.
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>);
    /// One finding, with the end of its line.
    fn finding(&mut self, finding: &Finding, out: &mut Vec<u8>);
    /// What stands after them.
    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>);
}

/// A stream of findings in one format.
pub struct Output {
    writer: Box<dyn Writer>,
    stream: Box<dyn Write>,
    buffer: Vec<u8>,
    written: u64,
}

impl Output {
    /// An output that writes `writer`'s format to `stream`.
    pub fn new(writer: Box<dyn Writer>, stream: Box<dyn Write>) -> Output {
        Output { writer, stream, buffer: Vec::new(), written: 0 }
    }

    /// Writes what stands before the findings.
    ///
    /// # Errors
    /// If the stream takes no more, as all functions here.
    pub fn begin(&mut self, run: &Run) -> Result<(), SinkError> {
        self.writer.begin(run, &mut self.buffer);
        self.flush()
    }

    /// Writes the findings about an entry.
    ///
    /// # Errors
    /// If the stream takes no more.
    pub fn findings(&mut self, findings: &[Finding]) -> Result<(), SinkError> {
        for finding in findings {
            self.writer.finding(finding, &mut self.buffer);
        }
        self.flush()?;
        self.written += findings.len() as u64;
        Ok(())
    }

    /// Writes what stands after the findings.
    ///
    /// # Errors
    /// If the stream takes no more.
    pub fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        self.writer.end(summary, &mut self.buffer);
        self.flush()
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        let result = self.stream.write_all(&self.buffer).and_then(|()| self.stream.flush());
        self.buffer.clear();
        result.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => SinkError::Closed { written: self.written },
            _ => SinkError::Write { written: self.written, error },
        })
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output")
            .field("writer", &self.writer)
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}

/// `file:line:column`, or `file:line` of an entry without a claim.
fn place(finding: &Finding) -> String {
    let column = match &finding.outcome {
        Ok(Examined { claim: Some(claim), .. }) => Some(claim.column),
        Ok(_) => None,
        Err(error) => Some(error.column),
    };
    column.map_or_else(
        || finding.location.to_string(),
        |column| format!("{}:{column}", finding.location),
    )
}

/// What else is to be said of a finding.
fn note(finding: &Finding) -> String {
    let examined = match &finding.outcome {
        Ok(examined) => examined,
        Err(error) => return format!("{}; {}", error.what, error.hint),
    };
    let relation = examined.relation.as_ref().map(|relation| match relation {
        Relation::Duplicate { first } => format!("the same as in {first}"),
        Relation::Agrees { first } => format!("the same position as in {first}"),
        Relation::Contradicts { first, claimed } => {
            format!("contradicts {first} ({})", bounds_text(*claimed))
        }
    });
    let lesser = examined.lesser.map(|(mv, bounds)| format!("{mv} {}", bounds_text(bounds)));
    let note = examined.note.map(|note| note.to_string());
    [note, lesser, relation].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// What a run came to, in words: how many claims of each sort have which verdict, and what it cost.
pub fn summary_text(summary: &Summary) -> String {
    const SETTLED: [Verdict; 4] =
        [Verdict::Confirmed, Verdict::Refuted, Verdict::Consistent, Verdict::Open];
    let Summary { tally, unreadable, time } = summary;
    let row = |name: &str, claims: u64, counts: [u64; 4]| {
        let [confirmed, refuted, consistent, open] = counts.map(readable);
        format!(
            "{name:<16}{:>9}{confirmed:>11}{refuted:>9}{consistent:>12}{open:>6}\n",
            readable(claims)
        )
    };
    let mut text = format!(
        "{:<16}{:>9}{:>11}{:>9}{:>12}{:>6}\n",
        "", "claims", "confirmed", "refuted", "consistent", "open"
    );
    for kind in Kind::ALL {
        let counts = SETTLED.map(|verdict| tally.count(kind, verdict));
        let claims = counts.iter().sum();
        if claims > 0 {
            text += &row(kind.name(), claims, counts);
        }
    }
    text += &row("all", tally.claims(), SETTLED.map(|verdict| tally.with(verdict)));
    let others = [
        (tally.malformed, "entry cannot be read", "entries cannot be read"),
        (tally.unclaimed, "position without a claim", "positions without a claim"),
        (
            tally.repeated,
            "claim about a position that had one before",
            "claims about positions that had one before",
        ),
        (tally.contradictions, "contradiction between claims", "contradictions between claims"),
        (*unreadable, "file not read to its end", "files not read to their end"),
    ];
    for (count, one, many) in others.into_iter().filter(|(count, ..)| *count > 0) {
        text += &format!("{} {}\n", readable(count), if count == 1 { one } else { many });
    }
    text + &format!("{} nodes in {:.3} s\n", readable(tally.nodes), time.as_secs_f64())
}

#[cfg(test)]
pub(super) mod samples {
    //! Findings that the writers' tests share.

    use super::super::finding::Note;
    use super::super::sample::Sample;
    use super::*;
    use crate::othello::{Move, Score};
    use crate::records::{Claim, Input, LineOrGame, Location, ReadError, Statement};
    use crate::search::{Bounds, Limits};

    const POSITION: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

    fn bounds(lower: i32, upper: i32) -> Bounds {
        Bounds { lower: Score::new(lower), upper: Score::new(upper) }
    }

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    fn finding(
        at: LineOrGame,
        statement: Option<Statement>,
        verdict: Verdict,
        proven: Bounds,
        line: &[&str],
    ) -> Finding {
        let location = Location { file: "list".into(), at };
        let examined = Examined {
            diagram: POSITION.parse().expect("a position"),
            claim: statement.map(|statement| Claim { column: 69, statement }),
            verdict,
            proven,
            lesser: None,
            line: line.iter().map(|text| mv(text)).collect(),
            nodes: 1_234_567,
            time: Duration::from_nanos(1_234_567_890),
            note: None,
            relation: None,
        };
        Finding { id: location.to_string(), location, outcome: Ok(examined) }
    }

    /// One of each verdict, a note and each relation.
    fn findings() -> Vec<Finding> {
        use Verdict::{Confirmed, Consistent, Open, Refuted, Unclaimed};
        let exact = bounds(18, 18);
        let mut findings = vec![
            finding(
                LineOrGame::Line(1),
                Some(Statement::MoveScore(mv("g8"), exact)),
                Confirmed,
                exact,
                &["g8", "h1"],
            ),
            finding(
                LineOrGame::Line(2),
                Some(Statement::Score(bounds(20, 64))),
                Refuted,
                exact,
                &["g8", "h1"],
            ),
            finding(
                LineOrGame::Line(3),
                Some(Statement::BestMoves(vec![mv("h1")])),
                Refuted,
                exact,
                &["g8", "h1"],
            ),
            finding(
                LineOrGame::Line(4),
                Some(Statement::Score(exact)),
                Consistent,
                bounds(2, 64),
                &["g8"],
            ),
            finding(
                LineOrGame::Line(5),
                Some(Statement::Score(bounds(-64, -2))),
                Open,
                Bounds::UNKNOWN,
                &[],
            ),
            finding(LineOrGame::Line(6), None, Unclaimed, Bounds::UNKNOWN, &[]),
            finding(
                LineOrGame::Game(7),
                Some(Statement::Score(exact)),
                Confirmed,
                exact,
                &["g8", "h1"],
            ),
        ];
        let first = findings[1].location.clone();
        let relations = [
            (3, Relation::Agrees { first: first.clone() }),
            (4, Relation::Contradicts { first: first.clone(), claimed: bounds(20, 64) }),
            (6, Relation::Duplicate { first }),
        ];
        for (number, relation) in relations {
            findings[number].outcome.as_mut().expect("it is examined").relation = Some(relation);
        }
        let examined = |number: usize, findings: &mut Vec<Finding>| {
            findings[number].outcome.clone().expect("examined")
        };
        let lesser =
            Examined { lesser: Some((mv("h1"), bounds(12, 12))), ..examined(2, &mut findings) };
        findings[2].outcome = Ok(lesser);
        let noted = Examined { note: Some(Note::NotRepeated), ..examined(4, &mut findings) };
        findings[4].outcome = Ok(noted);
        let location = Location { file: "list".into(), at: LineOrGame::Line(8) };
        let error = ReadError {
            location: location.clone(),
            column: 65,
            what: "the side to move is missing".to_owned(),
            hint: "write it".to_owned(),
        };
        findings.push(Finding { id: "list:8".to_owned(), location, outcome: Err(error) });
        findings
    }

    /// What a writer makes of all of it.
    pub fn written(writer: &mut dyn Writer) -> String {
        let input = |name: &str| Input { name: name.to_owned(), sha256: Some("abc".to_owned()) };
        let run = Run {
            threads: 2,
            table_bytes: 256 << 20,
            weights: input("embedded"),
            limits: Limits { nodes: Some(1000), time: None },
            sample: Some(Sample { positions: 8, seed: 1 }),
            inputs: vec![input("list")],
        };
        let (mut out, mut summary) = (Vec::new(), Summary::default());
        writer.begin(&run, &mut out);
        for finding in findings() {
            writer.finding(&finding, &mut out);
            summary.tally.add(&finding);
        }
        summary.time = Duration::from_millis(2500);
        writer.end(&summary, &mut out);
        String::from_utf8(out).expect("UTF-8")
    }
}
