//! A table for people, the default on a terminal.
//!
//! A row for each claim, with the claim and what is proven in the words of its format; the line of
//! play is left to the other formats, and to the messages about refutations. The columns are as
//! wide as usual contents; what is wider pushes the rest to the right.

use super::super::words::{claim_text, proven_text};
use super::{Finding, Run, Summary, Verdict, Writer, note, place, summary_text};
use crate::records::output::readable;

/// Writes a table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Width of the first column.
    place: usize,
}

impl Table {
    fn row(&self, out: &mut Vec<u8>, cells: [&str; 8]) {
        let [place, empties, claim, verdict, proven, nodes, seconds, note] = cells;
        let row = format!(
            "{place:<0$}  {empties:>7}  {claim:<12}  {verdict:<10}  {proven:<9}  {nodes:>13}  {seconds:>8}  {note}",
            self.place
        );
        out.extend_from_slice(row.trim_end().as_bytes());
        out.push(b'\n');
    }
}

impl Writer for Table {
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>) {
        // How long the longest place will be is not known before the end; `name:1234:123` is a good
        // guess.
        let longest = run.inputs.iter().map(|input| input.name.chars().count()).max().unwrap_or(0);
        self.place = (longest + ":1234:123".len()).clamp("place".len(), 48);
        self.row(
            out,
            ["place", "empties", "claim", "verdict", "proven", "nodes", "seconds", "note"],
        );
    }

    fn finding(&mut self, finding: &Finding, out: &mut Vec<u8>) {
        let (place, verdict, note) = (place(finding), finding.verdict(), note(finding));
        let Ok(examined) = &finding.outcome else {
            return self.row(out, [&place, "", "", verdict.name(), "", "", "", &note]);
        };
        let diagram = &examined.diagram;
        let empties = diagram.position.empties().count().to_string();
        let Some(claim) = examined.claim.as_ref().filter(|_| verdict != Verdict::Unclaimed) else {
            return self.row(out, [&place, &empties, "", verdict.name(), "", "", "", &note]);
        };
        let cells = [
            &place,
            &empties,
            &claim_text(&claim.statement, diagram, finding.location.at),
            verdict.name(),
            &proven_text(examined, finding.kind()),
            &readable(examined.nodes),
            &format!("{:.3}", examined.time.as_secs_f64()),
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
    fn what_it_looks_like() {
        insta::assert_snapshot!(samples::written(&mut Table::default()));
    }
}
