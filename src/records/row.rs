//! A record of Yose's output, read from [CSV](super::csv) or from [JSON Lines](super::jsonl).
//!
//! Both readers split a record into the cells of a [`Row`], and [`Row::problem`] checks them. The
//! source is a list of another program, or Yose's output whose claims are to be verified.
//! [`results`](super::results) reads the same files strictly, to resume a run or to merge its
//! parts.
//!
//! # Claims
//! The score, its bounds or its `wld` (`win`, `draw` or `loss`) are a claim about the position, and
//! those of each of `moves` are a claim about the move. If the score is exact, `best_move` is
//! claimed to keep it. `pv`, `nodes`, `seconds` and unknown columns are no claims, and are skipped.
//!
//! # Leniency
//! - A score may have a `+`. A missing bound is the end of the scale. An odd bound, which no score
//!   has, is replaced by the next even number inside.
//! - The board may have all symbols of [`Diagram`], and a `;` may follow the side to move.
//!
//! # Refused
//! - `empties` that differ from the position's.
//! - Bounds that cross or exclude the score, a `wld` that they exclude, illegal moves, and a second
//!   score for a move. These are malformed claims; the other claims of the record are read.
//! - A record with the `status` `invalid`, which has no position. Its entry keeps its identifier,
//!   and is an error.

use crate::othello::{Colour, Diagram, Move, Score};
use crate::search::Bounds;

use super::columns::Cell;
use super::error::{LineError, illegal_move};
use super::format_reader::{NamedProblem, comment_of};
use super::problem::{Claim, Problem, Statement, exactly};
use super::text::{printable, shortened};

/// The cells of a record. A missing cell is `None`.
#[derive(Default, Debug)]
pub(super) struct Row {
    /// The `type` of JSON Lines.
    pub kind: Option<Cell>,
    pub id: Option<Cell>,
    pub position: Option<Cell>,
    pub empties: Option<Cell>,
    pub status: Option<Cell>,
    pub score: ScoreCells,
    pub best_move: Option<Cell>,
    /// The moves with their scores, or the errors in their place.
    pub moves: Vec<Result<(Cell, ScoreCells), LineError>>,
    pub comment: Option<Cell>,
    pub nodes: Option<Cell>,
    pub seconds: Option<Cell>,
    /// The first error in the structure of the record. The other cells may be incomplete then.
    pub error: Option<LineError>,
}

/// A move, its bounds (`None`: no score is excluded), and the offset of its cell.
pub(super) type MoveBounds = (Move, Option<Bounds>, usize);

/// The cells of a score.
#[derive(Default, Debug)]
pub(super) struct ScoreCells {
    pub score: Option<Cell>,
    pub lower: Option<Cell>,
    pub upper: Option<Cell>,
    /// The `wld` of a position: a win, a draw or a loss.
    pub wld: Option<Cell>,
}

impl Row {
    /// The row as an entry of an input, with its identifier. `line` is the line of the cells, and
    /// `side` the side to move in a position that does not name it.
    pub fn problem(&self, line: &str, side: Option<Colour>) -> NamedProblem {
        let id = self.id.as_ref().map(|id| printable(id.text.trim())).filter(|id| !id.is_empty());
        let comment = self.comment.as_ref().and_then(|cell| comment_of(&cell.text));
        let mut malformed = Vec::new();
        let problem = self.read_problem(line, side, &mut malformed);
        NamedProblem { id, comment, problem, malformed }
    }

    fn read_problem(
        &self,
        line: &str,
        side: Option<Colour>,
        malformed: &mut Vec<LineError>,
    ) -> Result<Problem, LineError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let diagram = self.diagram(side)?;
        let mut problem = Problem::new(diagram);
        let mut claim = |claim: Result<Option<(Statement, usize)>, LineError>| match claim {
            Ok(Some((statement, at))) => problem.claims.push(Claim::at(line, at, statement)),
            Ok(None) => {}
            Err(error) => malformed.push(error),
        };
        let score = self.score.bounds();
        let exact = match &score {
            Ok(bounds) => bounds.is_some_and(|(bounds, _)| bounds.exact().is_some()),
            // It is meant to be exact.
            Err(_) => self.score.score.is_some(),
        };
        claim(score.map(|score| score.map(|(bounds, at)| (Statement::Score(bounds), at))));
        if let Some(cell) = self.best_move.as_ref().filter(|_| exact) {
            let best = |mv| Some((Statement::BestMoves(vec![mv]), cell.offset));
            claim(read_move(cell, &diagram).map(best));
        }
        for mv in self.moves(&diagram) {
            let of_move = |(mv, bounds, at): MoveBounds| {
                bounds.map(|bounds| (Statement::MoveScore(mv, bounds), at))
            };
            claim(mv.map(of_move));
        }
        Ok(problem)
    }

    /// The position, whose number of empties is checked.
    ///
    /// # Errors
    /// If it is missing or malformed, or has another number of empties.
    pub fn diagram(&self, side: Option<Colour>) -> Result<Diagram, LineError> {
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
        let empties = diagram.position.empties().count();
        match self.empties.as_ref().filter(|cell| cell.text != empties.to_string()) {
            None => Ok(diagram),
            Some(cell) => {
                let what =
                    format!("the number of empties is said to be `{}`", shortened(&cell.text));
                Err(LineError::new(cell.offset, what, format!("the position has {empties}")))
            }
        }
    }

    /// The moves with their bounds (`None`: no score is excluded) and offsets. A move that is not
    /// legal or has a second score, and a malformed score, are errors in the place of the move.
    pub fn moves(&self, diagram: &Diagram) -> Vec<Result<MoveBounds, LineError>> {
        let mut seen = Vec::with_capacity(self.moves.len());
        let mut read = |(cell, score): &(Cell, ScoreCells)| {
            let mv = read_move(cell, diagram)?;
            if seen.contains(&mv) {
                let what = format!("a second score for {mv}");
                return Err(LineError::new(cell.offset, what, "each move has one"));
            }
            seen.push(mv);
            Ok((mv, score.bounds()?.map(|(bounds, _)| bounds), cell.offset))
        };
        self.moves.iter().map(|mv| read(mv.as_ref().map_err(Clone::clone)?)).collect()
    }
}

impl ScoreCells {
    /// The bounds and their offset; `None` if they exclude no score.
    ///
    /// # Errors
    /// If a number is malformed, the bounds cross, or the score lies outside.
    pub fn bounds(&self) -> Result<Option<(Bounds, usize)>, LineError> {
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
        if let Some(cell) = &self.wld {
            bounds = within_result(bounds, cell)?;
        }
        let cells = [&self.score, &self.lower, &self.upper, &self.wld];
        let first = cells.into_iter().flatten().next();
        Ok(first.filter(|_| bounds != Bounds::UNKNOWN).map(|cell| (bounds, cell.offset)))
    }
}

/// The position of a cell. A `;` may follow it.
///
/// # Errors
/// If the cell has another content.
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

/// Bounds, of which one or both may be missing. An odd bound is replaced by the next even number
/// inside.
///
/// # Errors
/// If a number is malformed, or the bounds cross.
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

/// The bounds of a score whose result is a win, a draw or a loss.
///
/// # Errors
/// If the cell has another content, or the bounds exclude the result.
fn within_result(bounds: Bounds, cell: &Cell) -> Result<Bounds, LineError> {
    let (lower, upper) = match cell.text.to_ascii_lowercase().as_str() {
        "win" => (2, 64),
        "draw" => (0, 0),
        "loss" => (-64, -2),
        _ => {
            let what = format!("`{}` is not a result", shortened(&cell.text));
            return Err(LineError::new(cell.offset, what, "a result is win, draw or loss"));
        }
    };
    let within = Bounds {
        lower: bounds.lower.max(Score::new(lower)),
        upper: bounds.upper.min(Score::new(upper)),
    };
    if within.lower <= within.upper {
        return Ok(within);
    }
    let what = format!("the bounds do not allow a `{}`", shortened(&cell.text));
    let hint = format!("they are {} and {}", bounds.lower, bounds.upper);
    Err(LineError::new(cell.offset, what, hint))
}

/// An even or odd score.
fn read_score(cell: &Cell) -> Result<Score, LineError> {
    cell.text.parse().ok().and_then(Score::try_new).ok_or_else(|| {
        let what = format!("`{}` is not a score", shortened(&cell.text));
        LineError::new(cell.offset, what, "a score is a number from -64 to 64")
    })
}

/// A legal move.
fn read_move(cell: &Cell, diagram: &Diagram) -> Result<Move, LineError> {
    let mv: Move = cell.text.parse().map_err(|_| {
        let what = format!("`{}` is not a move", shortened(&cell.text));
        LineError::new(cell.offset, what, "a move is a square from a1 to h8, or -- for a pass")
    })?;
    if diagram.make(mv).is_some() {
        return Ok(mv);
    }
    let (what, hint) = illegal_move(mv, diagram);
    Err(LineError::new(cell.offset, what, hint))
}

#[cfg(test)]
pub(super) mod samples {
    //! Helpers for the tests of both formats.

    use super::super::text::bounds_text;
    use super::*;

    /// The claims of a problem with their columns.
    pub fn claim_texts(problem: &Problem) -> Vec<String> {
        let text = |statement: &Statement| match statement {
            Statement::Score(bounds) => bounds_text(*bounds),
            Statement::MoveScore(mv, bounds) => format!("{mv} {}", bounds_text(*bounds)),
            Statement::BestMoves(moves) => format!("best {moves:?}"),
        };
        problem
            .claims
            .iter()
            .map(|claim| format!("{} {}", claim.column, text(&claim.statement)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::super::columns::{CsvHeader, split};
    use super::super::output::{Record, Solved, Writer, csv::Csv, jsonl::JsonLines, samples};
    use super::super::{Notes, csv, jsonl};
    use super::*;
    use crate::othello::Bitboard;
    use crate::search::{NodeCounts, Solution, Window};

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
        Record {
            id,
            notes: Notes::default(),
            outcome: Ok(Solved { diagram, solution, window: Window::FULL, time: Duration::ZERO }),
        }
    }

    /// The claims of a record that is read back, without columns. A written record does not
    /// distinguish between unknown bounds and no claim.
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
        fn a_written_record_reads_back(
            id in "[a-z,\"% é]{1,8}", a: u64, b: u64, c: u64, black: bool,
            scores in prop::collection::vec(any::<(i8, i8)>(), 34),
        ) {
            let to_move = if black { Colour::Black } else { Colour::White };
            let (black, white) = (Bitboard((a | c) & b), Bitboard((a | c) & !b));
            let diagram = Diagram::of_colours(black, white, to_move);
            let record = record(id.trim().to_owned() + "x", diagram, &scores);
            let (mut header, mut row) = (Vec::new(), Vec::new());
            let mut writer = Csv::default();
            writer.begin(&samples::run(true), &mut header);
            writer.record(&record, &mut row);
            let [header, row] = [&header, &row]
                .map(|text| str::from_utf8(text).expect("UTF-8").trim_end());
            let of_csv = csv::parse(&CsvHeader::read(header), split(row), row).problem(row, None);
            let mut line = Vec::new();
            JsonLines::default().record(&record, &mut line);
            let line = str::from_utf8(&line).expect("UTF-8");
            let of_json = jsonl::parse(line).problem(line, None);
            for NamedProblem { id, problem, .. } in [of_csv, of_json] {
                let problem = problem.expect("it was written");
                prop_assert_eq!(id.as_deref(), Some(record.id.as_str()));
                prop_assert_eq!(problem.diagram, diagram);
                let statements: Vec<Statement> =
                    problem.claims.into_iter().map(|claim| claim.statement).collect();
                prop_assert_eq!(statements, claimed(&record));
            }
        }
    }
}
