//! CSV for other programs: a header, then one line for each record, with the columns of
//! [`COLUMNS`](super::COLUMNS), and of [`NoteColumns`] after the identifier.
//!
//! - Scores and bounds are integers from the point of view of the side to move. `score` is empty
//!   unless it is exact. `lower` and `upper` are the proven bounds, and equal an exact score.
//! - Moves are in lower case, with spaces between them. A pass is `--`.
//! - `wld` is `win`, `draw` or `loss` if one of them is proven.
//! - The record of an invalid line has an `id` and a `status`. Its error is printed elsewhere.
//! - With the scores of all moves, the last column is `moves`, such as `g8:+18 h1:+12 b1:<=-4`.

use std::io;

use super::{
    GAME_COLUMNS, NoteColumns, Record, Run, Summary, Wld, Writer, bounds_text, column_names,
    moves_text, seconds,
};
use crate::records::{GameDetails, GameNotes, Notes};

/// The writer of CSV.
#[derive(Clone, Debug, Default)]
pub struct Csv {
    notes: NoteColumns,
    moves: bool,
}

impl Writer for Csv {
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>) {
        (self.notes, self.moves) = (run.notes, run.all_moves);
        let columns = column_names(self.notes, self.moves);
        line(out, columns.into_iter().map(str::to_owned).collect());
    }

    fn record(&mut self, record: &Record, out: &mut Vec<u8>) {
        let mut fields = vec![record.id.clone()];
        let Notes { comment, game } = &record.notes;
        if self.notes.game {
            fields.extend(game_fields(game.as_deref()));
        }
        if self.notes.comment {
            fields.push(comment.as_deref().unwrap_or_default().to_owned());
        }
        let status = record.status().to_string();
        match &record.outcome {
            Ok(solved) => {
                let solution = &solved.solution;
                let bounds = solution.bounds;
                fields.extend([
                    solved.diagram.to_string(),
                    solved.diagram.position.empties().count().to_string(),
                    status,
                    bounds.exact().map_or(String::new(), |score| score.discs().to_string()),
                    bounds.lower.discs().to_string(),
                    bounds.upper.discs().to_string(),
                    solution.best_move.map_or(String::new(), |mv| mv.to_string()),
                    moves_text(&solution.pv),
                    solution.nodes.to_string(),
                    seconds(solved.time),
                    Wld::of(bounds).map_or("", Wld::name).to_owned(),
                ]);
                if self.moves {
                    let moves: Vec<String> = solution
                        .moves
                        .iter()
                        .map(|&(mv, bounds)| format!("{mv}:{}", bounds_text(bounds)))
                        .collect();
                    fields.push(moves.join(" "));
                }
            }
            Err(_) => {
                fields.extend([String::new(), String::new(), status]);
                fields.resize(column_names(self.notes, self.moves).len(), String::new());
            }
        }
        line(out, fields);
    }

    fn end(&mut self, _: &Summary, _: &mut Vec<u8>) {}
}

/// The fields of a game; empty ones if the position is not of a game.
fn game_fields(game: Option<&GameNotes>) -> [String; GAME_COLUMNS.len()] {
    let Some(game) = game else { return GAME_COLUMNS.map(|_| String::new()) };
    let GameDetails { year, black, white, real_score } = &game.details;
    let name = |name: &Option<Box<str>>| name.as_deref().unwrap_or_default().to_owned();
    [
        game.file.to_string(),
        game.number.to_string(),
        year.map_or(String::new(), |year| year.to_string()),
        name(black),
        name(white),
        real_score.map_or(String::new(), |score| score.discs().to_string()),
        game.move_number.to_string(),
    ]
}

/// Appends a line. Fields are quoted where CSV requires it.
fn line(out: &mut Vec<u8>, fields: Vec<String>) {
    let mut writer = csv::WriterBuilder::new().from_writer(out);
    let result =
        writer.write_record(&fields).map_err(io::Error::from).and_then(|()| writer.flush());
    result.expect("memory can be written");
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn what_it_looks_like() {
        insta::assert_snapshot!(samples::written(&mut Csv::default(), false));
        insta::assert_snapshot!("with_notes", samples::with_notes(&mut Csv::default()));
        insta::assert_snapshot!("with_moves", samples::written(&mut Csv::default(), true));
    }
}
