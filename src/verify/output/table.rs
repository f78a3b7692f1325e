//! A table for people, the default on a terminal.
//!
//! Each claim is a row. The claim and the proven bounds are written as in the format of the claim.
//! The principal variation is only in the other formats and in the messages about refutations. The
//! columns have fixed widths; a wider cell moves the rest of its row to the right.

use super::super::messages::{claim_text, proven_text};
use super::super::verdict::Verdict;
use super::{Finding, Run, Summary, note_text, place_text, summary_text};
use crate::records::output::{Writer, readable};

/// Writes a table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The width of the first column, in characters.
    place_width: usize,
}

impl Table {
    fn row(&self, out: &mut Vec<u8>, cells: [&str; 8]) {
        let [place, empties, claim, verdict, proven, nodes, seconds, note] = cells;
        let row = format!(
            "{place:<0$}  {empties:>7}  {claim:<12}  {verdict:<10}  {proven:<9}  {nodes:>13}  \
             {seconds:>8}  {note}",
            self.place_width
        );
        out.extend_from_slice(row.trim_end().as_bytes());
        out.push(b'\n');
    }
}

impl Writer<Run, Finding, Summary> for Table {
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>) {
        // The longest place is not known yet. Lines and columns have at most four and three digits
        // in most files.
        let longest = run.inputs.iter().map(|input| input.name.chars().count()).max().unwrap_or(0);
        self.place_width = (longest + ":1234:123".len()).clamp("place".len(), 48);
        self.row(
            out,
            ["place", "empties", "claim", "verdict", "proven", "nodes", "seconds", "note"],
        );
    }

    fn record(&mut self, finding: &Finding, out: &mut Vec<u8>) {
        let (place, verdict, note) = (place_text(finding), finding.verdict(), note_text(finding));
        let Ok(outcome) = &finding.outcome else {
            return self.row(out, [&place, "", "", verdict.name(), "", "", "", &note]);
        };
        let diagram = &outcome.diagram;
        let empties = diagram.position.empties().count().to_string();
        let Some(claim) = outcome.claim.as_ref().filter(|_| verdict != Verdict::Unclaimed) else {
            return self.row(out, [&place, &empties, "", verdict.name(), "", "", "", &note]);
        };
        let cells = [
            &place,
            &empties,
            &claim_text(&claim.statement, diagram, finding.location.at),
            verdict.name(),
            &proven_text(outcome, finding.kind()),
            &readable(outcome.nodes),
            &format!("{:.3}", outcome.time.as_secs_f64()),
            &note,
        ];
        self.row(out, cells);
    }

    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("\n{}", summary_text(summary)).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn all_findings_are_written() {
        insta::assert_snapshot!(samples::text_of(&mut Table::default()));
    }
}
