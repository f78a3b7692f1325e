//! CSV with the columns of [`COLUMNS`]: numbers are plain, scores seen by the side to move, moves
//! separated by blanks, and what there is nothing to tell of is empty.

use std::io;

use super::super::words::claim_text;
use super::{COLUMNS, Finding, Run, Summary, Writer, note, place};
use crate::records::Statement;
use crate::records::output::{moves_text, seconds};

/// Writes CSV.
#[derive(Clone, Debug, Default)]
pub struct Csv;

impl Writer for Csv {
    fn begin(&mut self, _: &Run, out: &mut Vec<u8>) {
        line(out, &COLUMNS.map(str::to_owned));
    }

    fn finding(&mut self, finding: &Finding, out: &mut Vec<u8>) {
        let mut fields = COLUMNS.map(|_| String::new());
        let mut set = |name: &str, text: String| {
            let column = COLUMNS.iter().position(|&column| column == name).expect("a column");
            fields[column] = text;
        };
        set("place", place(finding));
        set("id", finding.id.clone());
        set("verdict", finding.verdict().name().to_owned());
        set("note", note(finding));
        if let Ok(examined) = &finding.outcome {
            set("position", examined.diagram.to_string());
            set("empties", examined.diagram.position.empties().count().to_string());
            if let (Some(claim), Some(kind)) = (&examined.claim, finding.kind()) {
                set("kind", kind.name().to_owned());
                set("claim", claim_text(&claim.statement, &examined.diagram, finding.location.at));
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
                    examined
                        .proven
                        .exact()
                        .map(|score| score.discs().to_string())
                        .unwrap_or_default(),
                );
                set("lower", examined.proven.lower.discs().to_string());
                set("upper", examined.proven.upper.discs().to_string());
                set("pv", moves_text(&examined.line));
                set("nodes", examined.nodes.to_string());
                set("seconds", seconds(examined.time));
            }
        }
        line(out, &fields);
    }

    fn end(&mut self, _: &Summary, _: &mut Vec<u8>) {}
}

/// One line, quoted where it must be.
fn line(out: &mut Vec<u8>, fields: &[String]) {
    let mut writer = csv::WriterBuilder::new().from_writer(out);
    let result = writer.write_record(fields).map_err(io::Error::from).and_then(|()| writer.flush());
    result.expect("memory can be written");
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn what_it_looks_like() {
        insta::assert_snapshot!(samples::written(&mut Csv));
    }
}
