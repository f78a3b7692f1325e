//! A table for people, the default on a terminal.
//!
//! - A score has its sign; what is only bounded is shown as `>=+2` or `<=-2`. `principal variation`
//!   is perfect play for both sides.
//! - A score with a `!` before it is of a search that was cut short; only what it had proven is
//!   shown.
//! - There is no board: the identifier names the line in which it stands.
//! - Where every move's score was asked for, a second line lists them, best first.
//! - The columns are as wide as usual contents; what is wider pushes the rest of its line to the
//!   right.

use std::io::Write as _;
use std::time::Duration;

use super::{Record, Run, Summary, Writer, bounds_text, moves_text, readable};

/// Writes a table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Width of the first column.
    id: usize,
}

impl Table {
    fn row(&self, out: &mut Vec<u8>, cells: [&str; 6]) {
        let [id, empties, score, nodes, seconds, pv] = cells;
        let row =
            format!("{id:<0$}  {empties:>7}  {score:>7}  {nodes:>15}  {seconds:>9}  {pv}", self.id);
        out.extend_from_slice(row.trim_end().as_bytes());
        out.push(b'\n');
    }
}

/// Seconds with as many decimals as are of interest.
fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

impl Writer for Table {
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>) {
        // How long the longest identifier will be is not known before the end; `name:1234` is a
        // good guess.
        let longest = run.inputs.iter().map(|input| input.name.chars().count()).max().unwrap_or(0);
        self.id = (longest + ":1234".len()).clamp("position".len(), 48);
        self.row(out, ["position", "empties", "score", "nodes", "seconds", "principal variation"]);
    }

    fn record(&mut self, record: &Record, out: &mut Vec<u8>) {
        match &record.outcome {
            Ok(solved) => {
                let solution = &solved.solution;
                // Bounds from below come with a move that proves them, and no play after it.
                let pv = match solution.best_move {
                    Some(mv) if solution.pv.is_empty() => mv.to_string(),
                    _ => moves_text(&solution.pv),
                };
                let mark = if record.status().is_cut_short() { "!" } else { "" };
                let score = format!("{mark}{}", bounds_text(solution.bounds));
                let cells = [
                    &record.id,
                    &solved.diagram.position.empties().count().to_string(),
                    &score,
                    &readable(solution.nodes),
                    &seconds(solved.time),
                    &pv,
                ];
                self.row(out, cells.map(String::as_str));
                if !solution.moves.is_empty() {
                    let moves = solution
                        .moves
                        .iter()
                        .map(|&(mv, bounds)| format!("{mv} {}", bounds_text(bounds)));
                    let _ = writeln!(out, "    {}", moves.collect::<Vec<_>>().join("  "));
                }
            }
            Err(_) => self.row(out, [&record.id, "", "invalid", "", "", ""]),
        }
    }

    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        let _ = writeln!(out, "{}", summary_text(summary));
    }
}

/// A run in one line: what was solved, and how fast.
fn summary_text(summary: &Summary) -> String {
    let mut text = match summary.exact {
        1 => "1 exact score".to_owned(),
        exact => format!("{} exact scores", readable(exact)),
    };
    if summary.bounds > 0 {
        text += &format!(", {} bounded", readable(summary.bounds));
    }
    for (count, what) in [
        (summary.invalid, "invalid"),
        (summary.limit, "at a limit"),
        (summary.interrupted, "interrupted"),
    ] {
        if count > 0 {
            text += &format!(", {} {what}", readable(count));
        }
    }
    text += &format!("; {} nodes in {} s", readable(summary.nodes), seconds(summary.time));
    let rate = summary.nodes as f64 / summary.time.as_secs_f64();
    if rate.is_finite() && rate >= 1.0 {
        text += &format!(", {} nodes/s", readable(rate as u64));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn what_it_looks_like() {
        insta::assert_snapshot!(samples::written(&mut Table::default(), true));
    }

    #[test]
    fn a_run_without_time_has_no_rate() {
        assert_eq!(
            summary_text(&Summary { exact: 1, ..Summary::default() }),
            "1 exact score; 0 nodes in 0.000 s"
        );
    }
}
