//! The files of "Othello is Solved": bounds on the scores of positions with 50 and with 36 empties,
//! from which the draw was proven.
//!
//! Source: H. Takizawa, "Othello is Solved", 2023, <https://arxiv.org/abs/2310.19387>.
//!
//! There are three kinds of CSV, which differ in their headers. `obf` is 64 squares, a space, the
//! side to move and a `;`.
//!
//! ```text
//! obf,depth,accuracy,score_lowerbound,score_upperbound,nodes        knowledge: result of a search
//! obf,is_exact,score_lowerbound,score_upperbound                    results: what is proven
//! obf,count,score,alpha,beta     obf,alpha,beta,estimated_score     tasks: what is to be searched
//! ```
//!
//! # Claims
//! Bounds are claims. A row of knowledge is a claim only if its search proves it: `depth` is at
//! least the number of empties, and `accuracy` is 100, so the search was not selective. Every other
//! row gives its position without claims. So does a task: its score is an estimate, and `alpha` and
//! `beta` are the window of a search.
//!
//! # Leniency
//! - Columns may have any order. Unknown columns, and `nodes`, are skipped.
//! - An odd bound is replaced by the next even number inside, as scores are even.
//! - A line that begins with `%` is a comment. Another header may follow, as in concatenated files.
//!
//! # Refused
//! - Bounds that cross. The lower bound comes first, as in the files; a description of the files
//!   has the opposite order.
//! - A row with more or fewer fields than the header.
//!
//! A position with two rows gives two entries. Their bounds are not compared here.

use super::columns::{Cell, CsvHeader, split_by};
use super::error::LineError;
use super::format_reader::{FormatReader, Line, NamedProblem, ParsedEntry, Recognition, Stop};
use super::formats::{FormatInfo, FormatKind};
use super::problem::{Claim, Problem, Statement};
use super::row::{read_bounds, read_position};
use super::table::{Table, TableLine};
use super::text::shortened;
use crate::othello::Colour;
use crate::search::Bounds;

/// The entry of this format in the list of formats.
pub(super) const FORMAT: FormatInfo = FormatInfo {
    name: "solved",
    description: "The CSV files of \"Othello is Solved\", with a column `obf`",
    kind: FormatKind::Text(|| Box::new(SolvedReader::default())),
};

/// The reader of this format.
#[derive(Debug)]
pub(super) struct SolvedReader {
    table: Table,
}

impl Default for SolvedReader {
    fn default() -> SolvedReader {
        SolvedReader { table: Table::new(&["obf"]) }
    }
}

impl FormatReader for SolvedReader {
    fn recognise(&self, line: &str) -> Recognition {
        self.table.recognise(line)
    }

    fn read(&mut self, line: &Line<'_>, _: Option<Colour>) -> Result<Vec<ParsedEntry>, Stop> {
        Ok(match self.table.read(line)? {
            TableLine::NoRow => Vec::new(),
            TableLine::Failed(entry) => vec![entry],
            TableLine::Row(row) => {
                vec![row.position(NamedProblem::unnamed(read(row.header, row.text())))]
            }
        })
    }

    fn is_inside_entry(&self, line: &str) -> bool {
        self.table.continues(line)
    }

    fn has_begun(&self) -> bool {
        self.table.has_begun()
    }

    fn finish(&mut self) -> Option<ParsedEntry> {
        self.table.finish()
    }

    fn take_rejected(&mut self) -> Vec<(u64, String)> {
        self.table.take_rejected()
    }
}

/// Reads a row.
///
/// # Errors
/// If a field is missing or malformed.
fn read(header: &CsvHeader, line: &str) -> Result<Problem, LineError> {
    let fields = split_by(line, header.separator());
    header.check_width(&fields, line)?;
    let board = header.cell(&fields, "obf").ok_or_else(|| {
        LineError::new(0, "the position is missing", "it stands in the column `obf`")
    })?;
    let diagram = read_position(&board, None)?;
    let mut problem = Problem::new(diagram);
    let number = |name: &str| header.cell(&fields, name).as_ref().map(read_number).transpose();
    let (depth, accuracy) = (number("depth")?, number("accuracy")?);
    let lower = header.cell(&fields, "score_lowerbound");
    let upper = header.cell(&fields, "score_upperbound");
    let bounds = read_bounds(lower.as_ref(), upper.as_ref())?;
    let reaches_the_end = depth.is_none_or(|depth| depth >= diagram.position.empties().count());
    let not_selective = accuracy.is_none_or(|accuracy| accuracy == 100);
    let cell =
        lower.or(upper).filter(|_| reaches_the_end && not_selective && bounds != Bounds::UNKNOWN);
    problem.claims.extend(cell.map(|cell| Claim::at(line, cell.offset, Statement::Score(bounds))));
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
    use crate::othello::{Bitboard, Diagram, Score};

    const KNOWLEDGE: &str = "obf,depth,accuracy,score_lowerbound,score_upperbound,nodes";
    const RESULTS: &str = "obf,is_exact,score_lowerbound,score_upperbound";
    const FFO_20: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X;";

    /// The claimed bounds of a row.
    fn claim(header: &str, rest: &str) -> Option<(i32, i32)> {
        let problem = read(&CsvHeader::read(header), &format!("{FFO_20},{rest}"))
            .unwrap_or_else(|error| panic!("{rest}: {error:?}"));
        problem.claims.first().map(|claim| match claim.statement {
            Statement::Score(Bounds { lower, upper }) => (lower.discs(), upper.discs()),
            ref other => panic!("{other:?}"),
        })
    }

    #[test]
    fn a_proof_is_a_claim_and_another_result_is_not() {
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
            read(&CsvHeader::read(KNOWLEDGE), &format!("{FFO_20},6,100,-64,-4,1")).expect("a row");
        assert_eq!(problem.claims[0].column, 75);
    }

    #[test]
    fn errors_have_their_offsets() {
        let error = |line: String| {
            let error = read(&CsvHeader::read(KNOWLEDGE), &line).expect_err("a bad row");
            format!("{} {}; {}", error.offset, error.what, error.hint)
        };
        let crossed = "74 no score lies within the bounds; \
                       the lower bound comes first, and is not above the upper one";
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
        fn a_row_reads_back(a: u64, b: u64, one in -32i32..=32, two in -32i32..=32, black: bool) {
            let to_move = if black { Colour::Black } else { Colour::White };
            let diagram = Diagram::of_colours(Bitboard(a & !b), Bitboard(b), to_move);
            let (lower, upper) = (2 * one.min(two), 2 * one.max(two));
            let line = format!("{diagram};,36,100,{lower},{upper},1");
            // A depth below the number of empties proves nothing.
            let proves = diagram.position.empties().count() <= 36 && (lower, upper) != (-64, 64);
            let problem = read(&CsvHeader::read(KNOWLEDGE), &line).expect("a row");
            prop_assert_eq!(problem.diagram, diagram);
            let bounds = Bounds { lower: Score::new(lower), upper: Score::new(upper) };
            let statements: Vec<Statement> =
                problem.claims.into_iter().map(|claim| claim.statement).collect();
            prop_assert_eq!(statements, Vec::from_iter(proves.then_some(Statement::Score(bounds))));
        }
    }
}
