//! CSV for other programs: a header, then one line for each record, with the columns of
//! [`COLUMNS`](super::COLUMNS), and of [`NoteColumns`] after the identifier.
//!
//! - Scores and bounds are integers from the point of view of the side to move. `score` is empty
//!   unless it is exact. `lower` and `upper` are the proven bounds, and equal an exact score.
//! - Moves are in lower case, with spaces between them. A pass is `--`.
//! - `wld` is `win`, `draw` or `loss` if one of them is proven.
//! - The record of an invalid line has an `id` and a `status`. Its error is printed elsewhere.
//! - With the scores of all moves, the last column is `moves`, such as `g8:+18 h1:+12 b1:<=-4`.

use std::fmt::{self, Display, Write as _};

use csv_core::WriteResult;

use super::{
    GAME_COLUMNS, NoteColumns, Record, Run, Summary, Wld, Writer, bounds_text, column_names,
    seconds,
};
use crate::othello::Move;
use crate::records::{GameDetails, GameNotes, Notes};

/// The writer of CSV.
#[derive(Clone, Debug, Default)]
pub struct Csv {
    notes: NoteColumns,
    moves: bool,
    fields: Fields,
}

impl Writer for Csv {
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>) {
        (self.notes, self.moves) = (run.notes, run.all_moves);
        let mut line = self.fields.line(out);
        column_names(self.notes, self.moves).into_iter().for_each(|name| line.text(name));
        line.end();
    }

    fn record(&mut self, record: &Record, out: &mut Vec<u8>) {
        let columns = || column_names(self.notes, self.moves).len();
        let mut line = self.fields.line(out);
        line.text(&record.id);
        let Notes { comment, game } = &record.notes;
        if self.notes.game {
            game_fields(&mut line, game.as_deref());
        }
        if self.notes.comment {
            line.text(comment.as_deref().unwrap_or_default());
        }
        match &record.outcome {
            Ok(solved) => {
                let solution = &solved.solution;
                let bounds = solution.bounds;
                line.value(&solved.diagram);
                line.value(&solved.diagram.position.empties().count());
                line.value(&record.status());
                line.optional(bounds.exact().map(|score| score.discs()));
                line.value(&bounds.lower.discs());
                line.value(&bounds.upper.discs());
                line.optional(solution.best_move);
                line.value(&Moves(&solution.pv));
                line.value(&solution.nodes);
                line.value(&seconds(solved.time));
                line.text(Wld::of(bounds).map_or("", Wld::name));
                if self.moves {
                    let moves: Vec<String> = solution
                        .moves
                        .iter()
                        .map(|&(mv, bounds)| format!("{mv}:{}", bounds_text(bounds)))
                        .collect();
                    line.text(&moves.join(" "));
                }
            }
            Err(_) => {
                line.text("");
                line.text("");
                line.value(&record.status());
                (line.count..columns()).for_each(|_| line.text(""));
            }
        }
        line.end();
    }

    fn end(&mut self, _: &Summary, _: &mut Vec<u8>) {}
}

/// Adds the fields of a game; empty ones if the position is not of a game.
fn game_fields(line: &mut Line<'_>, game: Option<&GameNotes>) {
    let Some(game) = game else { return GAME_COLUMNS.iter().for_each(|_| line.text("")) };
    let GameDetails { year, black, white, real_score } = &game.details;
    line.value(&game.file);
    line.value(&game.number);
    line.optional(*year);
    line.text(black.as_deref().unwrap_or_default());
    line.text(white.as_deref().unwrap_or_default());
    line.optional(real_score.map(|score| score.discs()));
    line.value(&game.move_number);
}

/// Moves with spaces between them.
struct Moves<'a>(&'a [Move]);

impl Display for Moves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(index, mv)| {
            if index > 0 {
                f.write_char(' ')?;
            }
            mv.fmt(f)
        })
    }
}

/// What the lines of a file need: a list of a million records allocates it once.
#[derive(Clone, Debug, Default)]
struct Fields {
    writer: csv_core::Writer,
    /// The text of a field.
    text: String,
}

impl Fields {
    fn line<'a>(&'a mut self, out: &'a mut Vec<u8>) -> Line<'a> {
        Line { fields: self, out, count: 0 }
    }
}

/// A line that is being appended. Fields are quoted where CSV requires it.
struct Line<'a> {
    fields: &'a mut Fields,
    out: &'a mut Vec<u8>,
    /// The number of its fields so far.
    count: usize,
}

impl Line<'_> {
    /// Adds a field with this text.
    fn text(&mut self, text: &str) {
        let writer = &mut self.fields.writer;
        if self.count > 0 {
            append(self.out, |buffer| writer.delimiter(buffer));
        }
        let mut rest = text.as_bytes();
        append(self.out, |buffer| {
            let (result, read, written) = writer.field(rest, buffer);
            rest = &rest[read..];
            (result, written)
        });
        self.count += 1;
    }

    /// Adds a field with this value.
    fn value(&mut self, value: &dyn Display) {
        let mut text = std::mem::take(&mut self.fields.text);
        text.clear();
        write!(text, "{value}").expect("a text grows");
        self.text(&text);
        self.fields.text = text;
    }

    /// Adds a field with this value; an empty one if there is none.
    fn optional(&mut self, value: Option<impl Display>) {
        match value {
            Some(value) => self.value(&value),
            None => self.text(""),
        }
    }

    fn end(self) {
        append(self.out, |buffer| self.fields.writer.terminator(buffer));
    }
}

/// Appends what `write` puts into a buffer, until it has nothing left.
fn append(out: &mut Vec<u8>, mut write: impl FnMut(&mut [u8]) -> (WriteResult, usize)) {
    let mut buffer = [0; 128];
    loop {
        let (result, written) = write(&mut buffer);
        out.extend_from_slice(&buffer[..written]);
        if result == WriteResult::InputEmpty {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn fields_are_quoted_as_the_csv_crate_quotes_them() {
        let long = "a,\"b\" ".repeat(50);
        let texts = ["", "plain", "a b", ",", "\"", "a\nb", "a\rb", " ", "\u{e9}\t;", &long, ""];
        let (mut fields, mut out) = (Fields::default(), Vec::new());
        let mut expected = csv::Writer::from_writer(Vec::new());
        for _ in 0..2 {
            let mut line = fields.line(&mut out);
            texts.iter().for_each(|text| line.text(text));
            line.value(&-12);
            line.optional(None::<u8>);
            line.end();
            expected.write_record(texts.iter().chain(&["-12", ""])).expect("memory");
        }
        assert_eq!(out, expected.into_inner().expect("memory"));
    }

    #[test]
    fn what_it_looks_like() {
        insta::assert_snapshot!(samples::written(&mut Csv::default(), false));
        insta::assert_snapshot!("with_notes", samples::with_notes(&mut Csv::default()));
        insta::assert_snapshot!("with_moves", samples::written(&mut Csv::default(), true));
    }
}
