//! OBF for other solvers: the format of suites such as FFO. [`obf`] reads it.
//!
//! - A line is a position and a field with the best move and the score. With the scores of all
//!   moves it has a field for each move, best first. A finished game has its score in a field
//!   without a move. A forced pass is `PS`.
//! - OBF has no bounds. A bounded score follows in a comment, as in `% score >=+4` and
//!   `% h1 <=-2`.
//! - The record of an invalid line is a comment with the error, so no program reads it as a
//!   position.
//! - The comment of an entry is written if the run has comments.
//! - Identifiers, nodes and seconds are not written. The lines are in the order of the input.

use super::{Record, Run, Summary, Writer};
use crate::records::problem::exactly;
use crate::records::{Claim, Problem, Statement, obf};

/// The writer of OBF.
#[derive(Clone, Debug, Default)]
pub struct Obf {
    comments: bool,
}

impl Writer for Obf {
    fn begin(&mut self, run: &Run, _: &mut Vec<u8>) {
        self.comments = run.notes.comment;
    }

    fn record(&mut self, record: &Record, out: &mut Vec<u8>) {
        let mut line = match &record.outcome {
            Err(error) => format!("% {}: invalid: {error}", record.id),
            Ok(solved) => {
                let solution = &solved.solution;
                let mut statements: Vec<Statement> = solution
                    .moves
                    .iter()
                    .map(|&(mv, bounds)| Statement::MoveScore(mv, bounds))
                    .collect();
                // If a move has an exact score, the position's score follows from the moves.
                let implied = statements.iter().any(|statement| statement.exact().is_some());
                match (solution.bounds.exact(), solution.best_move) {
                    (Some(_), _) if implied => {}
                    (Some(score), Some(mv)) => {
                        statements.push(Statement::MoveScore(mv, exactly(score)))
                    }
                    _ => statements.insert(0, Statement::Score(solution.bounds)),
                }
                let claims = statements
                    .into_iter()
                    .map(|statement| Claim { column: 1, statement })
                    .collect();
                obf::write(&Problem { claims, ..Problem::new(solved.diagram) })
            }
        };
        if let Some(comment) = record.notes.comment.as_deref().filter(|_| self.comments) {
            line += if line.contains('%') { "; " } else { " % " };
            line += comment;
        }
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }

    fn end(&mut self, _: &Summary, _: &mut Vec<u8>) {}
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn what_it_looks_like() {
        insta::assert_snapshot!("with_notes", samples::with_notes(&mut Obf::default()));
        insta::assert_snapshot!(samples::written(&mut Obf::default(), true));
    }

    #[test]
    fn a_score_without_a_move_and_a_move_without_the_others() {
        let mut records = samples::records();
        let written = |record: &Record| {
            let mut out = Vec::new();
            Obf::default().record(record, &mut out);
            String::from_utf8(out).expect("UTF-8")
        };
        let solved = records[0].outcome.as_mut().expect("an answer");
        solved.solution.moves.clear();
        assert!(written(&records[0]).ends_with(" X; G8:+18;\n"), "{}", written(&records[0]));
        let solved = records[0].outcome.as_mut().expect("an answer");
        solved.solution.best_move = None;
        assert!(written(&records[0]).ends_with(" X; +18;\n"), "{}", written(&records[0]));
    }
}
