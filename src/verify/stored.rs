//! The findings of an earlier run, read back for the run that continues it.
//!
//! A finding belongs to a claim of the input if its place, the identifier and the position of its
//! entry, and the claim itself agree. Only confirmed and refuted claims are kept. A claim at which
//! a limit was reached is verified again. What needs no search is found again: malformed claims,
//! positions without a claim, and the comparison of claims about one position.

use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value};

use super::finding::ClaimOutcome;
use super::messages::claim_text;
use super::output::{BY_CERTIFICATE, COLUMNS, claim_place, jsonl};
use super::summary::{Run, Summary};
use super::verdict::Verdict;
use super::{Finding, finding::ClaimKind};
use crate::batch::{
    HeaderError, Journal, JournalError, RecordOffset, StoredFormat, StoredRecords, resume_with,
};
use crate::othello::{Diagram, Score};
use crate::records::jsonl::values as json_values;
use crate::records::output::{ResultFormat, Writer, bounds_of_text};
use crate::records::{Cell, Claim, Entry, Item, LineError, shortened, split};
use crate::search::Bounds;

/// The findings of an earlier run that the present one need not search for.
#[derive(Debug)]
pub struct EarlierFindings(StoredRecords<FindingFormat>);

/// The journal of a run.
pub type FindingJournal = Journal<Run, Finding, Summary>;

/// Opens the file of an earlier run and continues it. If the file does not exist, a new one is
/// made. `form` is the format of `writer`.
///
/// `items` is the input if it can be read twice. It is compared with the findings first. If they do
/// not belong together, the file is not changed. Without it a difference is found while the input
/// is read.
///
/// # Errors
/// If the file cannot be read or written, or if it does not have the findings of this input.
pub fn resume(
    path: &Path,
    writer: Box<dyn Writer<Run, Finding, Summary>>,
    form: ResultFormat,
    run: &Run,
    items: Option<impl Iterator<Item = Item>>,
) -> Result<(FindingJournal, Option<EarlierFindings>), JournalError> {
    let compare = |stored: &mut StoredRecords<_>| {
        let Some(items) = items else { return Ok(false) };
        for item in items {
            let Item::Entry(entry) = item else { continue };
            let Ok(problem) = &entry.problem else { continue };
            if run.selects(&entry) {
                for claim in &problem.claims {
                    claim_finding(stored, &entry, &problem.diagram, claim)?;
                }
            }
        }
        Ok(true)
    };
    let (journal, stored) = resume_with(path, writer, FindingFormat { form }, run, true, compare)?;
    Ok((journal, stored.map(EarlierFindings)))
}

impl EarlierFindings {
    /// The finding about a claim of an entry with this position, and its offset in the journal.
    /// `None` if there is none that was not returned before. The comparison is missing.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(super) fn claim(
        &mut self,
        entry: &Entry,
        diagram: &Diagram,
        claim: &Claim,
    ) -> Result<Option<(RecordOffset, ClaimOutcome)>, JournalError> {
        let found = claim_finding(&mut self.0, entry, diagram, claim)?;
        Ok(found.and_then(|(offset, stored)| {
            let outcome = stored.outcome?;
            Some((offset, ClaimOutcome { claim: Some(claim.clone()), ..outcome }))
        }))
    }

    /// The error that some findings belong to no claim of the input. `None` if all belong to one.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(super) fn unclaimed(&mut self) -> Result<Option<JournalError>, JournalError> {
        self.0.unclaimed()
    }
}

fn claim_finding(
    stored: &mut StoredRecords<FindingFormat>,
    entry: &Entry,
    diagram: &Diagram,
    claim: &Claim,
) -> Result<Option<(RecordOffset, StoredFinding)>, JournalError> {
    let text = claim_text(&claim.statement, diagram, entry.location.at);
    stored.claim(&claim_place(&entry.location, claim.column), |stored| {
        let position = stored.outcome.as_ref().map(|outcome| outcome.diagram);
        stored.id == entry.id && stored.claim == text && position == Some(*diagram)
    })
}

/// CSV or JSON Lines.
#[derive(Debug)]
struct FindingFormat {
    form: ResultFormat,
}

/// A finding that was written before.
#[derive(Clone, PartialEq, Debug)]
struct StoredFinding {
    place: String,
    id: String,
    claim: String,
    /// The results of the searches, without the claim; `None` if they are not kept.
    outcome: Option<ClaimOutcome>,
}

impl StoredFormat for FindingFormat {
    type Record = StoredFinding;

    fn check_header(&mut self, line: &str) -> Result<(), HeaderError> {
        let error = |what: &str| Err(HeaderError::NotARecord(what.to_owned()));
        let form = match serde_json::from_str::<Map<String, Value>>(line) {
            _ if line == COLUMNS.join(",") => ResultFormat::Csv,
            Ok(object) if object.get("type") == Some(&"verify".into()) => {
                if object.get("schema") != Some(&jsonl::SCHEMA.into()) {
                    return error("is of another schema, which this version does not read");
                }
                ResultFormat::JsonLines
            }
            _ => return error("does not begin as a file of findings does"),
        };
        if form == self.form {
            Ok(())
        } else {
            error("begins a file of findings in another format")
        }
    }

    fn is_torn_header(&self, text: &str) -> bool {
        const JSON: &str = r#"{"type":"verify","#;
        let columns = COLUMNS.join(",");
        [&columns, JSON].iter().any(|begin| begin.starts_with(text)) || text.starts_with(JSON)
    }

    fn read_line(&self, line: &str) -> Result<Option<StoredFinding>, LineError> {
        let cells = match self.form {
            // The files of several shards may have been joined.
            ResultFormat::Csv if line == COLUMNS.join(",") => return Ok(None),
            ResultFormat::Csv => csv_cells(line)?,
            ResultFormat::JsonLines | ResultFormat::JsonRecords => match json_cells(line)? {
                Some(cells) => cells,
                None => return Ok(None),
            },
        };
        let cell = |name: &str| {
            let column = COLUMNS.iter().position(|&column| column == name).expect("a column");
            &cells[column]
        };
        let stored = |outcome| StoredFinding {
            place: cell("place").text.clone(),
            id: cell("id").text.clone(),
            claim: cell("claim").text.clone(),
            outcome,
        };
        let name = cell("verdict");
        match Verdict::ALL.into_iter().find(|verdict| verdict.name() == name.text) {
            None => Err(is_not(name, "a verdict")),
            Some(verdict @ (Verdict::Confirmed | Verdict::Refuted)) => {
                read_outcome(verdict, cell).map(|outcome| Some(stored(Some(outcome))))
            }
            Some(_) => Ok(Some(stored(None))),
        }
    }

    fn answers(&self, record: &StoredFinding) -> bool {
        record.outcome.is_some()
    }

    fn key(record: &StoredFinding) -> &str {
        &record.place
    }
}

/// An error in a line that is not as it was written.
fn fault(offset: usize, what: impl Into<String>) -> LineError {
    let hint = "a finding stays as it was written".to_owned();
    LineError { offset, what: what.into(), hint }
}

fn is_not(cell: &Cell, what: &str) -> LineError {
    fault(cell.offset, format!("`{}` is not {what}", shortened(&cell.text)))
}

/// The results of the searches for a confirmed or refuted claim. `cell` has the columns.
fn read_outcome<'a>(
    verdict: Verdict,
    cell: impl Fn(&str) -> &'a Cell,
) -> Result<ClaimOutcome, LineError> {
    let position = cell("position");
    let diagram: Diagram = position.text.parse().map_err(|_| is_not(position, "a position"))?;
    let score = |name: &str| {
        let score = cell(name).text.parse().ok().and_then(Score::try_new);
        score.ok_or_else(|| is_not(cell(name), "a score"))
    };
    let proven = Bounds { lower: score("lower")?, upper: score("upper")? };
    if proven.lower > proven.upper {
        return Err(fault(cell("lower").offset, "no score lies within the bounds"));
    }
    let pv = cell("pv");
    let moves = pv.text.split_ascii_whitespace().map(str::parse);
    let seconds = cell("seconds");
    let time =
        seconds.text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    // The note begins with the inferior move if the claim is about best moves.
    let has_inferior =
        verdict == Verdict::Refuted && cell("kind").text == ClaimKind::BestMove.name();
    let note = cell("note");
    let first = note.text.split("; ").next().and_then(|note| note.split_once(' '));
    let inferior = |(mv, score): (&str, &str)| Some((mv.parse().ok()?, bounds_of_text(score)?));
    let inferior_move = match first.filter(|_| has_inferior) {
        Some(first) => {
            Some(inferior(first).ok_or_else(|| is_not(note, "a note about a best move"))?)
        }
        None => None,
    };
    Ok(ClaimOutcome {
        verdict,
        proven,
        inferior_move,
        pv: moves.collect::<Result<_, _>>().map_err(|_| is_not(pv, "a line of moves"))?,
        nodes: cell("nodes").text.parse().map_err(|_| is_not(cell("nodes"), "a number"))?,
        by_certificate: note.text.split("; ").any(|note| note == BY_CERTIFICATE),
        time: time.ok_or_else(|| is_not(seconds, "a number of seconds"))?,
        ..ClaimOutcome::unclaimed(diagram)
    })
}

/// The columns of a line of CSV.
fn csv_cells(line: &str) -> Result<Vec<Cell>, LineError> {
    let cells = split(line);
    if cells.len() == COLUMNS.len() {
        return Ok(cells);
    }
    let what = format!("has {} fields and not {}", cells.len(), COLUMNS.len());
    Err(fault(line.len(), what))
}

/// The values of a line of JSON Lines, in the order of the columns. `None` if the line is about the
/// run as a whole.
fn json_cells(line: &str) -> Result<Option<Vec<Cell>>, LineError> {
    let mut cells = json_values(line)?;
    match cells.get("type").map(|cell| cell.text.as_str()) {
        Some("finding") => {}
        Some("verify" | "summary") => return Ok(None),
        _ => return Err(fault(0, "is not a finding")),
    }
    let empty = || Cell { text: String::new(), offset: 0 };
    Ok(Some(COLUMNS.map(|name| cells.remove(name).unwrap_or_else(empty)).to_vec()))
}

#[cfg(test)]
mod tests {
    use super::super::output::csv::Csv;
    use super::super::output::jsonl::JsonLines;
    use super::super::output::samples;
    use super::*;

    #[test]
    fn findings_are_read_back() {
        for (writer, form) in [
            (&mut Csv as &mut dyn Writer<Run, Finding, Summary>, ResultFormat::Csv),
            (&mut JsonLines, ResultFormat::JsonLines),
        ] {
            let text = samples::text_of(writer);
            let mut format = FindingFormat { form };
            let mut lines = text.lines();
            let header = lines.next().expect("a header");
            assert!(format.check_header(header).is_ok() && format.is_torn_header(&header[..9]));
            for finding in samples::findings() {
                let line = lines.next().expect("a finding");
                let stored = format.read_line(line).expect("it was written").expect("a finding");
                assert_eq!(stored.id, finding.id);
                let Some(read) = stored.outcome else {
                    let verdict = finding.verdict();
                    assert!(!matches!(verdict, Verdict::Confirmed | Verdict::Refuted), "{line}");
                    continue;
                };
                let ClaimOutcome { claim, comparison, time, .. } =
                    finding.outcome.expect("a verdict");
                let micros = Duration::from_micros(time.as_micros() as u64);
                assert_eq!(read.time, micros, "it is written with six decimals");
                let read = ClaimOutcome { claim, comparison, time, ..read };
                let again = Finding { outcome: Ok(read), ..finding };
                assert!(samples::findings().contains(&again), "{again:?}");
            }
        }
    }

    #[test]
    fn other_lines_are_refused() {
        let mut csv = FindingFormat { form: ResultFormat::Csv };
        for line in ["", "a,b", "id,position", r#"{"type":"run","schema":1}"#] {
            assert!(csv.check_header(line).is_err(), "{line}");
        }
        let line = |verdict: &str, rest: &str| format!("l:1:69,l:1,,,,,,,,{verdict},{rest}");
        assert!(csv.read_line(&line("malformed", ",,,,,,")).is_ok());
        for line in [
            String::new(),
            line("malformed", ","),
            line("perhaps", ",,,,,,"),
            line("confirmed", ",,,,,,"),
        ] {
            assert!(csv.read_line(&line).is_err(), "{line}");
        }
        let json = FindingFormat { form: ResultFormat::JsonLines };
        for line in ["", "{", r#"{"type":"position"}"#] {
            assert!(json.read_line(line).is_err(), "{line}");
        }
    }
}
