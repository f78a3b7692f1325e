//! The files of "Othello is Solved": what is known of the positions with 36 and with 50 empties
//! from which the draw was proven.
//!
//! Three kinds of CSV, told apart by their heads; `obf` is 64 squares, a blank, the side to move
//! and a `;`.
//!
//! ```text
//! obf,depth,accuracy,score_lowerbound,score_upperbound,nodes        knowledge: what a search found
//! obf,is_exact,score_lowerbound,score_upperbound        results: what the searches together prove
//! obf,count,score,alpha,beta     obf,alpha,beta,estimated_score     tasks: what is to be searched
//! ```
//!
//! Bounds are claims. A row of knowledge makes one only if it is a proof: searched to the end of
//! the game (`depth` is at least the number of empties) and not selectively (`accuracy` is 100);
//! every other row is a guess, and gives its position alone. So does a task: its score is what
//! somebody expects, and `alpha` and `beta` are a question.
//!
//! # The reader is relaxed
//! - Columns may come in any order; those that are not known are skipped, and with them the nodes.
//! - An odd bound stands for the next even number inside, as scores are even.
//! - A line that begins with `%` is a comment. Another head may follow on the way, as in files that
//!   were put together.
//!
//! # And it is strict
//! - The lower bound comes first, as in the files themselves (a description of them has it the
//!   other way round): bounds that cross are an error.
//! - A position that comes twice is two entries; whether their bounds agree is not looked at here.

use super::columns::{Cell, Head, split};
use super::csv::check_width;
use super::problem::{Claim, LineError, Problem, Statement};
use super::row::{read_bounds, read_position};
use super::text::shortened;
use crate::search::Bounds;

/// The column that a head of these files names.
pub(super) const COLUMN: &str = "obf";

/// Reads a row.
///
/// # Errors
/// If a field is missing or is not what it should be.
pub(super) fn read(head: &Head, line: &str) -> Result<Problem, LineError> {
    let fields = split(line);
    check_width(head, &fields, line)?;
    let board = head.cell(&fields, "obf").ok_or_else(|| {
        LineError::new(0, "the position is missing", "it stands in the column `obf`")
    })?;
    let diagram = read_position(&board, None)?;
    let mut problem = Problem::new(diagram);
    let number = |name: &str| head.cell(&fields, name).as_ref().map(read_number).transpose();
    let (depth, accuracy) = (number("depth")?, number("accuracy")?);
    let lower = head.cell(&fields, "score_lowerbound");
    let upper = head.cell(&fields, "score_upperbound");
    let bounds = read_bounds(lower.as_ref(), upper.as_ref())?;
    let to_the_end = depth.is_none_or(|depth| depth >= diagram.position.empties().count());
    let not_selective = accuracy.is_none_or(|accuracy| accuracy == 100);
    let place =
        lower.or(upper).filter(|_| to_the_end && not_selective && bounds != Bounds::UNKNOWN);
    problem.claims.extend(place.map(|cell| Claim::at(line, cell.offset, Statement::Score(bounds))));
    Ok(problem)
}

fn read_number(cell: &Cell) -> Result<u32, LineError> {
    cell.text.parse().map_err(|_| {
        let what = format!("`{}` is not a number", shortened(&cell.text));
        LineError::new(cell.offset, what, "depth and accuracy are whole numbers")
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::othello::{Bitboard, Colour, Diagram, Score};

    const KNOWLEDGE: &str = "obf,depth,accuracy,score_lowerbound,score_upperbound,nodes";
    const RESULTS: &str = "obf,is_exact,score_lowerbound,score_upperbound";
    const FFO_20: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X;";

    /// The bounds that a row claims.
    fn claim(head: &str, rest: &str) -> Option<(i32, i32)> {
        let problem = read(&Head::read(head), &format!("{FFO_20},{rest}"))
            .unwrap_or_else(|error| panic!("{rest}: {error:?}"));
        problem.claims.first().map(|claim| match claim.statement {
            Statement::Score(Bounds { lower, upper }) => (lower.discs(), upper.discs()),
            ref other => panic!("{other:?}"),
        })
    }

    #[test]
    fn a_proof_is_a_claim_and_a_guess_is_none() {
        assert_eq!(claim(KNOWLEDGE, "6,100,-64,-4,12345"), Some((-64, -4)));
        assert_eq!(claim(KNOWLEDGE, "36,100,2,2,-12345"), Some((2, 2)));
        assert_eq!(claim(KNOWLEDGE, "6,100,-3,64,1"), Some((-2, 64)), "odd bounds");
        assert_eq!(claim(KNOWLEDGE, "5,100,4,4,1"), None, "not to the end");
        assert_eq!(claim(KNOWLEDGE, "6,73,4,4,1"), None, "selective");
        assert_eq!(claim(KNOWLEDGE, "6,100,-64,64,1"), None, "nothing is known");
        assert_eq!(claim(RESULTS, "1,0,0"), Some((0, 0)));
        assert_eq!(claim("obf,count,score,alpha,beta", "12,4,-64,0"), None, "a task");
        assert_eq!(claim("obf,alpha,beta,estimated_score", "-64,0,4"), None, "a task");
        let problem =
            read(&Head::read(KNOWLEDGE), &format!("{FFO_20},6,100,-64,-4,1")).expect("a row");
        assert_eq!(problem.claims[0].column, 75);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let error = |line: String| {
            let error = read(&Head::read(KNOWLEDGE), &line).expect_err("a bad row");
            format!("{} {}; {}", error.offset, error.what, error.hint)
        };
        let crossed = "74 no score lies within the bounds; the lower bound comes first, and is not above the upper one";
        assert_eq!(error(format!("{FFO_20},6,100,-4,-64,1")), crossed);
        assert!(error(format!("{FFO_20},six,100,-4,-4,1")).starts_with("68 `six` is not a number"));
        assert!(error(format!("{FFO_20},6,100,-4,-65,1")).starts_with("77 `-65` is not a score"));
        assert!(error(format!("{FFO_20},6,100,-4")).starts_with("76 the row has 4 fields"));
        assert!(error(",6,100,-4,4,1".to_owned()).starts_with("0 the position is missing"));
        assert!(
            error(format!("{}?,6,100,-4,4,1", &FFO_20[..63])).starts_with("63 '?' is not a square")
        );
        assert!(
            error(format!("\u{feff}{}?,6,100,-4,4,1", &FFO_20[..63]))
                .starts_with("66 '?' is not a square")
        );
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(a: u64, b: u64, one in -32i32..=32, two in -32i32..=32, black: bool) {
            let to_move = if black { Colour::Black } else { Colour::White };
            let diagram = Diagram::of_colours(Bitboard(a & !b), Bitboard(b), to_move);
            let (lower, upper) = (2 * one.min(two), 2 * one.max(two));
            let line = format!("{diagram};,36,100,{lower},{upper},1");
            // A depth below the number of empties proves nothing.
            let proves = diagram.position.empties().count() <= 36 && (lower, upper) != (-64, 64);
            let problem = read(&Head::read(KNOWLEDGE), &line).expect("a row");
            prop_assert_eq!(problem.diagram, diagram);
            let bounds = Bounds { lower: Score::new(lower), upper: Score::new(upper) };
            let statements: Vec<Statement> = problem.claims.into_iter().map(|claim| claim.statement).collect();
            prop_assert_eq!(statements, Vec::from_iter(proves.then_some(Statement::Score(bounds))));
        }
    }
}
