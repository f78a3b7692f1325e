//! CSV with the columns of [`COLUMNS`]. Numbers are plain. Scores are those of the side to move.
//! Moves are separated by spaces. A field without a value is empty.

use std::io;

use super::super::messages::claim_text;
use super::{COLUMNS, Finding, Run, Summary, note_text, place_text};
use crate::records::Statement;
use crate::records::output::{Writer, moves_text, seconds};

/// Writes CSV.
#[derive(Clone, Debug, Default)]
pub struct Csv;

impl Writer<Run, Finding, Summary> for Csv {
    fn begin(&mut self, _: &Run, out: &mut Vec<u8>) {
        line(out, &COLUMNS.map(str::to_owned));
    }

    fn record(&mut self, finding: &Finding, out: &mut Vec<u8>) {
        let mut fields = COLUMNS.map(|_| String::new());
        let mut set = |name: &str, text: String| {
            let column = COLUMNS.iter().position(|&column| column == name).expect("a column");
            fields[column] = text;
        };
        set("place", place_text(finding));
        set("id", finding.id.clone());
        set("verdict", finding.verdict().name().to_owned());
        set("note", note_text(finding));
        if let Ok(outcome) = &finding.outcome {
            set("position", outcome.diagram.to_string());
            set("empties", outcome.diagram.position.empties().count().to_string());
            if let (Some(claim), Some(kind)) = (&outcome.claim, finding.kind()) {
                set("kind", kind.name().to_owned());
                set("claim", claim_text(&claim.statement, &outcome.diagram, finding.location.at));
                let (moves, claimed) = match &claim.statement {
                    Statement::Score(bounds) => (String::new(), Some(*bounds)),
                    Statement::MoveScore(mv, bounds) => (mv.to_string(), Some(*bounds)),
                    Statement::BestMoves(moves) => (moves_text(moves), None),
                };
                set("move", moves);
                if let Some(claimed) = claimed {
                    set("claimed_lower", claimed.lower.discs().to_string());
                    set("claimed_upper", claimed.upper.discs().to_string());
                }
                set(
                    "score",
                    outcome
                        .proven
                        .exact()
                        .map(|score| score.discs().to_string())
                        .unwrap_or_default(),
                );
                set("lower", outcome.proven.lower.discs().to_string());
                set("upper", outcome.proven.upper.discs().to_string());
                set("pv", moves_text(&outcome.pv));
                set("nodes", outcome.nodes.to_string());
                set("seconds", seconds(outcome.time));
            }
        }
        line(out, &fields);
    }

    fn end(&mut self, _: &Summary, _: &mut Vec<u8>) {}
}

/// Appends one line, with quotes where they are needed.
fn line(out: &mut Vec<u8>, fields: &[String]) {
    let mut writer = csv::WriterBuilder::new().from_writer(out);
    let result = writer.write_record(fields).map_err(io::Error::from).and_then(|()| writer.flush());
    result.expect("writing to memory does not fail");
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn all_findings_are_written() {
        insta::assert_snapshot!(samples::text_of(&mut Csv));
    }
}
