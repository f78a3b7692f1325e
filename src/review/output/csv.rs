//! CSV: a row for each move, with the columns of [`COLUMNS`]. Scores are those of the side to move;
//! `result` is the theoretical result before the move, for Black. Moves are separated by spaces.

use std::io;

use super::super::lines::{MoveLine, RunLine};
use super::super::moves::Review;
use super::Totals;
use crate::records::output::Writer;

/// The columns.
pub const COLUMNS: [&str; 15] = [
    "id",
    "number",
    "position",
    "empties",
    "side",
    "player",
    "move",
    "score",
    "best_score",
    "best_moves",
    "lost",
    "result",
    "turning_point",
    "nodes",
    "seconds",
];

/// Writes CSV.
#[derive(Clone, Copy, Debug, Default)]
pub struct Csv;

impl Writer<RunLine, Review, Totals> for Csv {
    fn begin(&mut self, _: &RunLine, out: &mut Vec<u8>) {
        row(out, &COLUMNS.map(str::to_owned));
    }

    fn record(&mut self, review: &Review, out: &mut Vec<u8>) {
        for one in &review.moves {
            let line = MoveLine::of(&review.game, one);
            row(
                out,
                &[
                    line.id,
                    line.number.to_string(),
                    line.position,
                    line.empties.to_string(),
                    line.side,
                    line.player.unwrap_or_default(),
                    line.mv,
                    line.score.to_string(),
                    line.best_score.to_string(),
                    line.best_moves,
                    line.lost.to_string(),
                    line.result.to_string(),
                    line.turning_point.to_string(),
                    line.nodes.to_string(),
                    format!("{:.6}", line.seconds),
                ],
            );
        }
    }

    fn end(&mut self, _: &Totals, _: &mut Vec<u8>) {}
}

/// Appends one line, with quotes where they are needed.
fn row(out: &mut Vec<u8>, fields: &[String; COLUMNS.len()]) {
    let mut writer = csv::WriterBuilder::new().from_writer(out);
    let result = writer.write_record(fields).map_err(io::Error::from).and_then(|()| writer.flush());
    result.expect("writing to memory does not fail");
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn each_move_has_a_row() {
        let text = samples::written(&mut Csv);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 3);
        assert!(rows[1].contains(",X,Ann,g6,-2,6,h5,8,6,true,100,0.002000"), "{text}");
    }
}
