//! Yose's own records read back: what rows of [CSV](super::csv) and of [JSON Lines](super::jsonl)
//! have in common.
//!
//! Both are cut into the same [`Row`], and what it claims is told here: an exact score, or bounds,
//! for the position; the same for each of `moves`; and, where the score is exact, that `best_move`
//! keeps it. Only `position` must be there, so that lists of other programs are read too.
//!
//! # The reader is relaxed
//! - A score may have a `+`. Bounds that are missing are the ends of the scale; an odd one, which
//!   is no score, stands for the next even number inside.
//! - The board may be written with any of the symbols that [`Diagram`] reads, and a `;` may follow
//!   the side to move.
//! - `pv`, `nodes`, `seconds` and all that is unknown are skipped: what play cost and how it went
//!   on is no claim.
//!
//! # And it is strict
//! - The number of `empties`, where it stands, must be the position's; bounds must not cross, nor
//!   leave the score out; moves must be legal, and have one score each.
//! - A record whose `status` is `invalid` has no position. It stays invalid, under its identifier.

use crate::othello::{Colour, Diagram, Move, Score};
use crate::search::Bounds;

use super::columns::Cell;
use super::problem::{Claim, LineError, Problem, Statement, exactly, illegal};
use super::text::{printable, shortened};

/// A record in pieces; what is missing is none.
#[derive(Default, Debug)]
pub(super) struct Row {
    pub id: Option<Cell>,
    pub position: Option<Cell>,
    pub empties: Option<Cell>,
    pub status: Option<Cell>,
    pub score: ScoreCells,
    pub best_move: Option<Cell>,
    pub moves: Vec<(Cell, ScoreCells)>,
}

/// What is told of a score.
#[derive(Default, Debug)]
pub(super) struct ScoreCells {
    pub score: Option<Cell>,
    pub lower: Option<Cell>,
    pub upper: Option<Cell>,
}

/// The identifier of a record that has one of its own, and what it says.
pub(super) type Named = (Option<String>, Result<Problem, LineError>);

impl Row {
    /// Reads the pieces of `line`. `side` is the side to move in positions that do not name it.
    pub fn read(&self, line: &str, side: Option<Colour>) -> Named {
        let id = self.id.as_ref().filter(|id| !id.text.trim().is_empty());
        (id.map(|id| printable(&id.text)), self.problem(line, side))
    }

    fn problem(&self, line: &str, side: Option<Colour>) -> Result<Problem, LineError> {
        let Some(position) = &self.position else {
            return Err(match &self.status {
                Some(status) if status.text == "invalid" => LineError::new(
                    status.offset,
                    "there was no position to solve",
                    "correct the line that this record is of",
                ),
                _ => LineError::new(
                    0,
                    "the position is missing",
                    "it stands in the column `position`",
                ),
            });
        };
        let diagram = read_position(position, side)?;
        let mut problem = Problem::new(diagram);
        let empties = diagram.position.empties().count();
        if let Some(cell) = self.empties.as_ref().filter(|cell| cell.text != empties.to_string()) {
            let what = format!("the number of empties is said to be `{}`", shortened(&cell.text));
            return Err(LineError::new(cell.offset, what, format!("the position has {empties}")));
        }
        if let Some((bounds, offset)) = self.score.bounds()? {
            problem.claims.push(Claim::at(line, offset, Statement::Score(bounds)));
            if let Some(cell) = self.best_move.as_ref().filter(|_| bounds.exact().is_some()) {
                let best = Statement::BestMoves(vec![read_move(cell, &diagram)?]);
                problem.claims.push(Claim::at(line, cell.offset, best));
            }
        }
        for (number, (cell, score)) in self.moves.iter().enumerate() {
            let mv = read_move(cell, &diagram)?;
            if self.moves[..number]
                .iter()
                .any(|(other, _)| other.text.eq_ignore_ascii_case(&cell.text))
            {
                return Err(LineError::new(
                    cell.offset,
                    format!("a second score for {mv}"),
                    "each move has one",
                ));
            }
            if let Some((bounds, _)) = score.bounds()? {
                problem.claims.push(Claim::at(line, cell.offset, Statement::MoveScore(mv, bounds)));
            }
        }
        Ok(problem)
    }
}

impl ScoreCells {
    /// The bounds that are told, and where; none if they leave every score possible.
    fn bounds(&self) -> Result<Option<(Bounds, usize)>, LineError> {
        let mut bounds = read_bounds(self.lower.as_ref(), self.upper.as_ref())?;
        if let Some(cell) = &self.score {
            let score = read_score(cell)?;
            if score.discs() % 2 != 0 {
                let what = format!("`{}` is an odd score", shortened(&cell.text));
                return Err(LineError::new(
                    cell.offset,
                    what,
                    "a score is an even number from -64 to 64",
                ));
            }
            if !(bounds.lower..=bounds.upper).contains(&score) {
                let what = format!("the score {score} lies outside its bounds");
                return Err(LineError::new(
                    cell.offset,
                    what,
                    format!("they are {} and {}", bounds.lower, bounds.upper),
                ));
            }
            bounds = exactly(score);
        }
        let first = [&self.score, &self.lower, &self.upper].into_iter().flatten().next();
        Ok(first.filter(|_| bounds != Bounds::UNKNOWN).map(|cell| (bounds, cell.offset)))
    }
}

/// The position of a cell that holds nothing else.
pub(super) fn read_position(cell: &Cell, side: Option<Colour>) -> Result<Diagram, LineError> {
    let (diagram, end) = Diagram::read(&cell.text, side)
        .map_err(|error| LineError::from(error).within(cell.offset))?;
    let tail = cell.text[end..].trim_start();
    if matches!(tail, "" | ";") {
        return Ok(diagram);
    }
    let offset = cell.offset + cell.text.len() - tail.len();
    Err(LineError::new(
        offset,
        "something follows the side to move",
        "a position is 64 squares and one side to move",
    ))
}

/// Bounds of which one or both may be missing; odd ones are drawn inwards, as scores are even.
pub(super) fn read_bounds(lower: Option<&Cell>, upper: Option<&Cell>) -> Result<Bounds, LineError> {
    let even = |cell: &Cell, inwards: i32| {
        read_score(cell).map(|score| {
            if score.discs() % 2 == 0 { score } else { Score::new(score.discs() + inwards) }
        })
    };
    let bounds = Bounds {
        lower: lower.map_or(Ok(Score::MIN), |cell| even(cell, 1))?,
        upper: upper.map_or(Ok(Score::MAX), |cell| even(cell, -1))?,
    };
    if bounds.lower <= bounds.upper {
        return Ok(bounds);
    }
    let offset = lower.or(upper).map_or(0, |cell| cell.offset);
    Err(LineError::new(
        offset,
        "no score lies within the bounds",
        "the lower bound comes first, and is not above the upper one",
    ))
}

fn read_score(cell: &Cell) -> Result<Score, LineError> {
    cell.text.parse().ok().and_then(Score::try_new).ok_or_else(|| {
        let what = format!("`{}` is not a score", shortened(&cell.text));
        LineError::new(cell.offset, what, "a score is a number from -64 to 64")
    })
}

fn read_move(cell: &Cell, diagram: &Diagram) -> Result<Move, LineError> {
    let mv: Move = cell.text.parse().map_err(|_| {
        let what = format!("`{}` is not a move", shortened(&cell.text));
        LineError::new(cell.offset, what, "a move is a square from a1 to h8, or -- for a pass")
    })?;
    if diagram.make(mv).is_some() {
        return Ok(mv);
    }
    let (what, hint) = illegal(mv, diagram);
    Err(LineError::new(cell.offset, what, hint))
}

#[cfg(test)]
pub(super) mod samples {
    //! What the tests of both formats share.

    use super::super::output::bounds_text;
    use super::*;

    /// The claims of a problem with their columns.
    pub fn words(problem: &Problem) -> Vec<String> {
        let word = |statement: &Statement| match statement {
            Statement::Score(bounds) => bounds_text(*bounds),
            Statement::MoveScore(mv, bounds) => format!("{mv} {}", bounds_text(*bounds)),
            Statement::BestMoves(moves) => format!("best {moves:?}"),
        };
        problem
            .claims
            .iter()
            .map(|claim| format!("{} {}", claim.column, word(&claim.statement)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::super::columns::Head;
    use super::super::output::{Record, Solved, Writer, csv::Csv, jsonl::JsonLines, samples};
    use super::super::{csv, jsonl};
    use super::*;
    use crate::othello::Bitboard;
    use crate::search::{NodeCounts, Solution};

    /// A record of a random position whose moves have random bounds.
    fn record(id: String, diagram: Diagram, scores: &[(i8, i8)]) -> Record {
        let mut scores = scores.iter().map(|&(a, b)| {
            let (a, b) = (i32::from(a / 4) * 2, i32::from(b / 4) * 2);
            // Exact ones are as frequent as others.
            Bounds {
                lower: Score::new(a.min(b)),
                upper: Score::new(if b % 4 == 0 { a.min(b) } else { a.max(b) }),
            }
        });
        let position = diagram.position;
        let legal = position
            .moves()
            .into_iter()
            .map(Move::Place)
            .chain(position.must_pass().then_some(Move::Pass));
        let bounds = scores.next().expect("a score");
        let moves: Vec<(Move, Bounds)> = legal.zip(scores).collect();
        let solution = Solution {
            bounds,
            best_move: moves.first().map(|&(mv, _)| mv),
            pv: moves.iter().map(|&(mv, _)| mv).take(1).collect(),
            moves,
            nodes: 7,
            profile: NodeCounts::default(),
            stopped: None,
            #[cfg(feature = "stats")]
            statistics: crate::search::Statistics::default(),
        };
        Record { id, outcome: Ok(Solved { diagram, solution, time: Duration::ZERO }) }
    }

    /// What a record claims when it is read back, without columns, as the writers cannot tell "no
    /// bounds" from "no claim".
    fn claimed(record: &Record) -> Vec<Statement> {
        let solution = &record.outcome.as_ref().expect("an answer").solution;
        let mut statements = Vec::new();
        if solution.bounds != Bounds::UNKNOWN {
            statements.push(Statement::Score(solution.bounds));
        }
        if solution.bounds.exact().is_some() {
            statements.extend(solution.best_move.map(|mv| Statement::BestMoves(vec![mv])));
        }
        let known = solution.moves.iter().filter(|(_, bounds)| *bounds != Bounds::UNKNOWN);
        statements.extend(known.map(|&(mv, bounds)| Statement::MoveScore(mv, bounds)));
        statements
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            id in "[a-z,\"% é]{1,8}", a: u64, b: u64, c: u64, black: bool,
            scores in prop::collection::vec(any::<(i8, i8)>(), 34),
        ) {
            let to_move = if black { Colour::Black } else { Colour::White };
            let diagram = Diagram::of_colours(Bitboard((a | c) & b), Bitboard((a | c) & !b), to_move);
            let record = record(id.trim().to_owned() + "x", diagram, &scores);
            let (mut head, mut row) = (Vec::new(), Vec::new());
            let mut writer = Csv::default();
            writer.begin(&samples::run(true), &mut head);
            writer.record(&record, &mut row);
            let [head, row] = [head, row].map(|text| String::from_utf8(text).expect("UTF-8").trim_end().to_owned());
            let of_csv = csv::read(&Head::read(&head), &row, None);
            let mut line = Vec::new();
            JsonLines.record(&record, &mut line);
            let of_json = jsonl::read(str::from_utf8(&line).expect("UTF-8"), None).expect("a position");
            for (id, problem) in [of_csv, of_json] {
                let problem = problem.expect("it was written");
                prop_assert_eq!(id.as_deref(), Some(record.id.as_str()));
                prop_assert_eq!(problem.diagram, diagram);
                let statements: Vec<Statement> = problem.claims.into_iter().map(|claim| claim.statement).collect();
                prop_assert_eq!(statements, claimed(&record));
            }
        }
    }
}
