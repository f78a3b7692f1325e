//! OBF, for other solvers: the form in which suites such as FFO are published, so that what Yose
//! computed can be put into their hands, and read back by Yose.
//!
//! - A line is the position and a field for the best move with the score, or, where every move's
//!   score was asked for, a field for each move, best first. A finished game has its score alone,
//!   in a field without a move; a forced pass is `PS`.
//! - OBF has no bounds. What is not exact follows in a comment, as in `% score >=+4` and `% h1
//!   <=-2`.
//! - A line that could not be read becomes a comment that says why, so that no program takes it for
//!   a position, and none is lost without a word.
//! - There is no place for identifiers, nodes and seconds. The lines are in the order of the input.

use super::{Record, Run, Summary, Writer};
use crate::records::problem::exactly;
use crate::records::{Claim, Problem, Statement, obf};

/// Writes OBF.
#[derive(Clone, Debug, Default)]
pub struct Obf;

impl Writer for Obf {
    fn begin(&mut self, _: &Run, _: &mut Vec<u8>) {}

    fn record(&mut self, record: &Record, out: &mut Vec<u8>) {
        let line = match &record.outcome {
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
                obf::write(&Problem { diagram: solved.diagram, claims })
            }
        };
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
        insta::assert_snapshot!(samples::written(&mut Obf, true));
    }

    #[test]
    fn a_score_without_a_move_and_a_move_without_the_others() {
        let mut records = samples::records();
        let written = |record: &Record| {
            let mut out = Vec::new();
            Obf.record(record, &mut out);
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
