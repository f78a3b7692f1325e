//! CSV, for other programs: a header, then one line for each record, with exactly the columns of
//! [`COLUMNS`].
//!
//! - Scores and bounds are plain integers, seen by the side to move. `score` is empty unless it
//!   is exact; `lower` and `upper` always hold what is proven, and are both the score where that is
//!   exact.
//! - Moves are lower case with blanks between them; a pass is `--`.
//! - An invalid line has an `id`, its `status`, and nothing else; what was wrong with it goes to
//!   standard error.
//! - Where every move's score was asked for there is one more column, the last: `moves`, as `g8:+18
//!   h1:+12 b1:<=-4`.

use std::io;

use super::{COLUMNS, Record, Run, Summary, Writer, bounds_text, moves_text, seconds};

/// Writes CSV.
#[derive(Clone, Debug, Default)]
pub struct Csv {
    moves: bool,
}

impl Writer for Csv {
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>) {
        self.moves = run.all_moves;
        let columns = COLUMNS.iter().copied().chain(self.moves.then_some("moves"));
        line(out, columns.map(str::to_owned).collect());
    }

    fn record(&mut self, record: &Record, out: &mut Vec<u8>) {
        let mut fields = vec![record.id.clone()];
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
                fields.resize(COLUMNS.len() + usize::from(self.moves), String::new());
            }
        }
        line(out, fields);
    }

    fn end(&mut self, _: &Summary, _: &mut Vec<u8>) {}
}

/// One line, quoted where it must be.
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
        insta::assert_snapshot!("with_moves", samples::written(&mut Csv::default(), true));
    }
}
