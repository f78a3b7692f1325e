//! The output of a run: a record for each finding, in one of three formats, and the summary.
//!
//! Each format is a [`Writer`](crate::records::output::Writer) of findings, for a
//! [`Stream`](crate::batch::Stream). A program that wants the findings themselves collects them in
//! a vector, which is an [`Output`] too. All formats have the same fields. [`table`] is for people;
//! [`jsonl`] also has the settings of the run.

pub mod csv;
pub mod jsonl;
pub mod table;

use super::claim_register::Comparison;
use super::finding::{ClaimKind, ClaimOutcome, Finding};
use super::summary::{Run, Summary};
use super::verdict::Verdict;
use crate::batch::{Output, RecordOffset};
use crate::records::Location;
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

/// Collects the findings in the order of the input.
impl Output<Run, Finding, Summary> for Vec<Finding> {
    fn in_order(&self) -> bool {
        true
    }

    fn begin(&mut self, _: &Run) -> Result<(), SinkError> {
        Ok(())
    }

    fn record(&mut self, _: u64, finding: &Finding) {
        self.push(finding.clone());
    }

    fn keep(&mut self, _: u64, _: RecordOffset) {
        unreachable!("only a journal has findings of an earlier run");
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        Ok(())
    }

    fn end(&mut self, _: &Summary) -> Result<(), SinkError> {
        Ok(())
    }
}

/// The column `place` of a claim: `file:line:column`.
pub(super) fn claim_place(location: &Location, column: usize) -> String {
    format!("{location}:{column}")
}

/// The column `place`: `file:line:column`, or `file:line` for an entry without a claim.
fn place_text(finding: &Finding) -> String {
    match &finding.outcome {
        Ok(ClaimOutcome { claim: Some(claim), .. }) => claim_place(&finding.location, claim.column),
        Ok(_) => finding.location.to_string(),
        // An entry may have several lines.
        Err(error) => claim_place(&error.location, error.column),
    }
}

/// In the column `note`: no search was needed.
pub(super) const BY_CERTIFICATE: &str = "by a certificate";

/// The column `note`: an unconfirmed refutation, an inferior move, a comparison, a
/// certificate, or the error.
fn note_text(finding: &Finding) -> String {
    let outcome = match &finding.outcome {
        Ok(outcome) => outcome,
        Err(error) => return format!("{}; {}", error.what, error.hint),
    };
    let comparison = outcome.comparison.as_ref().map(|comparison| match comparison {
        Comparison::Same { first } => format!("the same as in {first}"),
        Comparison::Compatible { first } => format!("the same position as in {first}"),
        Comparison::Contradiction { first, earlier } => {
            format!("contradicts {first} ({})", bounds_text(*earlier))
        }
    });
    let inferior_move =
        outcome.inferior_move.map(|(mv, bounds)| format!("{mv} {}", bounds_text(bounds)));
    let unconfirmed = outcome.unconfirmed.map(|reason| reason.to_string());
    let certificate = outcome.by_certificate.then(|| BY_CERTIFICATE.to_owned());
    let notes = [unconfirmed, inferior_move, comparison, certificate];
    notes.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The summary as text of several lines: the number of claims of each kind with each verdict, the
/// other entries, nodes and time of this run.
pub fn summary_text(summary: &Summary) -> String {
    const VERDICTS: [Verdict; 4] =
        [Verdict::Confirmed, Verdict::Refuted, Verdict::Consistent, Verdict::Open];
    let Summary { tally, kept, kept_nodes, unreadable, time } = summary;
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
    for kind in ClaimKind::ALL {
        let counts = VERDICTS.map(|verdict| tally.count(kind, verdict));
        let claims = counts.iter().sum();
        if claims > 0 {
            text += &row(kind.name(), claims, counts);
        }
    }
    text += &row("all", tally.claims(), VERDICTS.map(|verdict| tally.with_verdict(verdict)));
    let others = [
        (tally.malformed, "malformed entry or claim", "malformed entries or claims"),
        (tally.unclaimed, "position without a claim", "positions without a claim"),
        (
            tally.repeated,
            "claim about a position that had one before",
            "claims about positions that had one before",
        ),
        (tally.contradictions, "contradiction between claims", "contradictions between claims"),
        (
            tally.by_certificate,
            "claim confirmed by a certificate alone",
            "claims confirmed by certificates alone",
        ),
        (*kept, "finding of an earlier run", "findings of an earlier run"),
        (*unreadable, "file not read to its end", "files not read to their end"),
    ];
    for (count, one, many) in others.into_iter().filter(|(count, ..)| *count > 0) {
        text += &format!("{} {}\n", readable(count), if count == 1 { one } else { many });
    }
    let nodes = readable(tally.nodes - kept_nodes);
    text + &format!("{nodes} nodes in {:.3} s\n", time.as_secs_f64())
}

#[cfg(test)]
pub(in crate::verify) mod samples {
    //! Findings for the tests of all writers.

    use std::time::Duration;

    use super::super::finding::Unconfirmed;
    use super::super::sample::Sample;
    use super::*;
    use crate::othello::{Move, Score};
    use crate::records::output::Writer;
    use crate::records::{Claim, Input, LineOrGame, ReadError, Statement};
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
        pv: &[&str],
    ) -> Finding {
        let location = Location { file: "list".into(), at };
        let outcome = ClaimOutcome {
            diagram: POSITION.parse().expect("a position"),
            claim: statement.map(|statement| Claim { column: 69, statement }),
            verdict,
            proven,
            inferior_move: None,
            pv: pv.iter().map(|text| mv(text)).collect(),
            nodes: 1_234_567,
            time: Duration::from_nanos(1_234_567_890),
            unconfirmed: None,
            comparison: None,
            by_certificate: false,
            refused_certificates: Vec::new(),
        };
        Finding { id: location.to_string(), location, outcome: Ok(outcome) }
    }

    fn outcome(finding: &mut Finding) -> &mut ClaimOutcome {
        finding.outcome.as_mut().expect("a valid entry")
    }

    /// Findings with each verdict and each comparison; one is an unconfirmed refutation.
    pub fn findings() -> Vec<Finding> {
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
        let comparisons = [
            (3, Comparison::Compatible { first: first.clone() }),
            (4, Comparison::Contradiction { first: first.clone(), earlier: bounds(20, 64) }),
            (6, Comparison::Same { first }),
        ];
        for (number, comparison) in comparisons {
            outcome(&mut findings[number]).comparison = Some(comparison);
        }
        outcome(&mut findings[2]).inferior_move = Some((mv("h1"), bounds(12, 12)));
        outcome(&mut findings[4]).unconfirmed = Some(Unconfirmed::LimitReached);
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

    /// The text that a writer makes of a run with all these findings.
    pub fn text_of(writer: &mut dyn Writer<Run, Finding, Summary>) -> String {
        let input = |name: &str| Input { name: name.to_owned(), sha256: Some("abc".to_owned()) };
        let run = Run {
            threads: 2,
            table_bytes: 256 << 20,
            auto_table: None,
            weights: input("embedded"),
            limits: Limits { nodes: Some(1000), time: None },
            sample: Some(Sample { positions: 8, seed: 1 }),
            shard: "1/2".parse().ok(),
            inputs: vec![input("list")],
            certificates: None,
        };
        let (mut out, mut summary) = (Vec::new(), Summary::default());
        writer.begin(&run, &mut out);
        for finding in findings() {
            writer.record(&finding, &mut out);
            summary.tally.add(&finding);
        }
        summary.time = Duration::from_millis(2500);
        writer.end(&summary, &mut out);
        String::from_utf8(out).expect("UTF-8")
    }
}
