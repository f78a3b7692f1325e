//! OBF, the Othello Board File of test suites: a position, and the exact scores of its moves.
//!
//! ```text
//! --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; % FFO 1
//! ```
//!
//! The format comes from Edax (R. Delorme, `obftest.c`, <https://github.com/abulmo/edax-reversi>).
//! It has no specification. A line is the 64 squares a1, b1, ... h8, the side to move, and fields
//! that each end with `;`. A field is `MOVE:SCORE` for a legal move, or a score alone for the
//! position, as Edax writes for a finished game. Scores are from the point of view of the side to
//! move. `PS` is a forced pass.
//!
//! # Leniency
//! - The board may have all symbols of [`Diagram`], spaces between them, and no space before the
//!   side to move.
//! - The `;` after the side to move may be missing if no field follows. So may the `;` after the
//!   last field. Empty fields are skipped.
//! - Moves may have either case. A pass may be `PS`, `PA` or `pass`. A score may lack its `+`.
//! - A score beyond ±64 means "unknown". Such a field makes no claim, but its move must be legal.
//! - `--`, no move, stands for the pass or for the finished game if the position is one. `--:-127`,
//!   with which some suites end each line, is skipped in any position.
//!
//! # Refused
//! - An illegal move, an odd score, and a second score for a move. Some programs ignore the rest of
//!   such a line without a message. Here the field is a malformed claim; the fields after it are
//!   read.
//! - A line without a side to move, even if the caller names one: a field of such a line would be
//!   ambiguous.

use crate::othello::{Colour, Diagram, Move, Score};

use super::error::{LineError, illegal_move};
use super::format_reader::{FormatReader, Line, NamedProblem, ParsedEntry, Recognition, Stop};
use super::formats::{FormatInfo, FormatKind};
use super::problem::{Claim, Problem, Statement, exactly};
use super::text::{bounds_text, moves_text, shortened};

/// The entry of this format in the list of formats.
pub(super) const FORMAT: FormatInfo = FormatInfo {
    name: "obf",
    description: "OBF: a position, then a `;` and fields with the scores of its moves",
    kind: FormatKind::Text(|| Box::new(ObfReader)),
};

/// The reader of this format.
#[derive(Debug)]
pub(super) struct ObfReader;

impl FormatReader for ObfReader {
    fn recognise(&self, line: &str) -> Recognition {
        let text = line.split('%').next().unwrap_or(line);
        if text.contains(';') { Recognition::Likely } else { Recognition::No }
    }

    fn read(&mut self, line: &Line<'_>, _: Option<Colour>) -> Result<Vec<ParsedEntry>, Stop> {
        let text = line.without_comment()?;
        Ok(vec![line.position(text, read_fields(text))])
    }
}

/// Reads a line without its end and its comment.
///
/// # Errors
/// If the position or a field is malformed, or the move of a field is not legal.
///
/// # Examples
/// ```
/// use yose::records::obf;
///
/// let line = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2;";
/// let problem = obf::read(line).expect("a line of OBF");
/// assert_eq!(problem.claims.len(), 2);
/// assert_eq!(problem.claimed_score().map(|score| score.discs()), Some(6));
/// ```
pub fn read(line: &str) -> Result<Problem, LineError> {
    let (problem, errors) = parse(line)?;
    errors.into_iter().next().map_or(Ok(problem), Err)
}

/// Reads the same. A malformed field is a malformed claim.
fn read_fields(line: &str) -> NamedProblem {
    match parse(line) {
        Ok((problem, malformed)) => {
            NamedProblem { malformed, ..NamedProblem::unnamed(Ok(problem)) }
        }
        Err(error) => NamedProblem::unnamed(Err(error)),
    }
}

/// The problem of a line without its malformed fields, and their errors.
fn parse(line: &str) -> Result<(Problem, Vec<LineError>), LineError> {
    let (diagram, rest) = Diagram::read(line, None).map_err(|error| {
        let error = LineError::from(error);
        // The hint of a diagram offers to name the side, which is for plain positions only.
        match Diagram::read(line, Some(Colour::Black)) {
            Ok(_) => LineError { hint: "X or O stands after the 64 squares".to_owned(), ..error },
            Err(_) => error,
        }
    })?;
    let (mut problem, mut errors) = (Problem::new(diagram), Vec::new());
    let mut start = match line[rest..].find(|c: char| !c.is_ascii_whitespace()) {
        None => return Ok((problem, errors)),
        Some(blanks) if line[rest + blanks..].starts_with(';') => rest + blanks + 1,
        Some(blanks) => {
            let hint = "a `;` stands before the first field, as in `X; d3:+2;`";
            return Err(LineError::new(rest + blanks, "something follows the side to move", hint));
        }
    };
    for field in line[start..].split(';') {
        let offset = start + (field.len() - field.trim_ascii_start().len());
        start += field.len() + 1;
        let field = field.trim_ascii();
        if field.is_empty() {
            continue;
        }
        match read_field(field, &diagram).and_then(|statement| check_first(statement, &problem)) {
            Ok(Some(statement)) => problem.claims.push(Claim::at(line, offset, statement)),
            Ok(None) => {}
            Err(error) => errors.push(error.within(offset)),
        }
    }
    Ok((problem, errors))
}

/// Checks that no claim before a statement is about the same move or position.
fn check_first(
    statement: Option<Statement>,
    problem: &Problem,
) -> Result<Option<Statement>, LineError> {
    let of = match &statement {
        Some(Statement::MoveScore(mv, _)) => mv.to_string(),
        _ => "the position".to_owned(),
    };
    let subject = statement.as_ref().map(Statement::subject);
    if problem.claims.iter().all(|earlier| Some(earlier.statement.subject()) != subject) {
        return Ok(statement);
    }
    Err(LineError::new(0, format!("a second score for {of}"), "each move has one field"))
}

/// Reads a field without spaces around it; `None` if it states nothing.
fn read_field(field: &str, diagram: &Diagram) -> Result<Option<Statement>, LineError> {
    let of_position = |score: Option<Score>| score.map(|score| Statement::Score(exactly(score)));
    let Some((mv, score)) = field.split_once(':') else {
        return read_score(field).map(of_position);
    };
    let blanks = score.len() - score.trim_ascii_start().len();
    let score =
        read_score(score.trim_ascii()).map_err(|error| error.within(mv.len() + 1 + blanks))?;
    let mv = mv.trim_ascii_end();
    if mv == "--" && score.is_none() {
        return Ok(None);
    }
    let position = &diagram.position;
    if mv == "--" && position.is_over() {
        return Ok(of_position(score));
    }
    let mv: Move = mv.parse().map_err(|_| {
        let hint = "a field is `MOVE:SCORE`, with a move from a1 to h8, or PS for a pass";
        LineError::new(0, format!("`{}` is not a move", shortened(mv)), hint)
    })?;
    if position.make(mv).is_none() {
        let (what, hint) = illegal_move(mv, diagram);
        let hint = if position.is_over() {
            hint + ": its score stands in a field of its own"
        } else if position.must_pass() {
            hint + ", which is written PS"
        } else {
            hint
        };
        return Err(LineError::new(0, what, hint));
    }
    Ok(score.map(|score| Statement::MoveScore(mv, exactly(score))))
}

/// The score of a field; `None` if it is beyond ±64, which means "unknown".
fn read_score(text: &str) -> Result<Option<Score>, LineError> {
    const EVEN: &str = "a score is an even number from -64 to +64";
    let error = |what: &str| LineError::new(0, format!("`{}` {what}", shortened(text)), EVEN);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(error("is not a score"));
    }
    // A number that does not fit into an i32 is beyond 64 too.
    match text.parse::<i32>().ok().and_then(Score::try_new) {
        Some(score) if score.discs() % 2 != 0 => Err(error("is an odd score")),
        score => Ok(score),
    }
}

/// A problem as a line of OBF, without a line end, in the form that other programs read.
///
/// The format has exact scores only. Other claims follow in a comment, as in
/// `% score >=+4, h1 <=-2, best d3`.
pub fn write(problem: &Problem) -> String {
    let mut line = format!("{};", problem.diagram);
    let mut remarks = Vec::new();
    for claim in &problem.claims {
        match (&claim.statement, claim.statement.exact()) {
            (_, Some((None, score))) => line += &format!(" {score};"),
            (_, Some((Some(Move::Pass), score))) => line += &format!(" PS:{score};"),
            (_, Some((Some(Move::Place(square)), score))) => {
                line += &format!(" {}:{score};", square.to_string().to_ascii_uppercase());
            }
            (Statement::Score(bounds), None) => {
                remarks.push(format!("score {}", bounds_text(*bounds)))
            }
            (Statement::MoveScore(mv, bounds), None) => {
                remarks.push(format!("{mv} {}", bounds_text(*bounds)))
            }
            (Statement::BestMoves(moves), None) => {
                remarks.push(format!("best {}", moves_text(moves)));
            }
        }
    }
    if !remarks.is_empty() {
        line += &format!(" % {}", remarks.join(", "));
    }
    line
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::othello::Bitboard;
    use crate::search::Bounds;

    const START: &str = "---------------------------OX------XO--------------------------- X";
    /// X must pass; O has a move on h1.
    const PASS: &str = "OXXXXXX--------------------------------------------------------- X";
    const OVER: &str = "XXXXXXXX-------------------------------------------------------- O";

    fn claims(text: &str) -> Vec<(Option<Move>, i32)> {
        let problem = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let exact = |claim: Claim| claim.statement.exact().expect("an exact score");
        problem.claims.into_iter().map(exact).map(|(mv, score)| (mv, score.discs())).collect()
    }

    fn mv(text: &str) -> Option<Move> {
        Some(text.parse().expect("a move"))
    }

    #[test]
    fn fields_are_claims() {
        assert_eq!(
            claims(&format!("{START}; D3:+2; c4:-4; f5:0")),
            [(mv("d3"), 2), (mv("c4"), -4), (mv("f5"), 0)]
        );
        assert_eq!(claims(&format!("{START};;; d3 : +2 ; +2")), [(mv("d3"), 2), (None, 2)]);
        assert_eq!(claims(START), [], "a compact line");
        assert_eq!(claims(&START.replace(' ', "")), [], "with its side next to the board");
        assert_eq!(claims(&format!("{OVER}; -64;")), [(None, -64)]);
        assert_eq!(claims(&format!("{OVER}; --:-64;")), [(None, -64)]);
    }

    #[test]
    fn a_pass_has_many_names_and_no_move_makes_no_claim() {
        for name in ["PS", "ps", "PA", "pass", "--"] {
            assert_eq!(claims(&format!("{PASS}; {name}:+4;")), [(Some(Move::Pass), 4)], "{name}");
        }
        assert_eq!(claims(&format!("{START}; d3:+2; --:-127;")), [(mv("d3"), 2)]);
        assert_eq!(claims(&format!("{START}; d3:+100; c4:-99999999999999999999; e6:+65;")), []);
    }

    #[test]
    fn a_claim_has_its_column() {
        let problem = read(&format!("{START}; D3:+2;  c4 :-4; 0;")).expect("OBF");
        assert_eq!(
            problem.claims.iter().map(|claim| claim.column).collect::<Vec<_>>(),
            [69, 77, 85]
        );
        assert_eq!(problem.claimed_score(), Some(Score::new(2)));
    }

    #[test]
    fn a_claim_without_an_exact_score_becomes_a_comment() {
        let mut problem = read(&format!("{START}; D3:+2;")).expect("OBF");
        let bounds = |lower, upper| Bounds { lower: Score::new(lower), upper: Score::new(upper) };
        let others = [
            Statement::Score(bounds(2, 64)),
            Statement::MoveScore(mv("c4").expect("a move"), bounds(-64, 0)),
            Statement::BestMoves(vec![mv("d3").expect("a move"), mv("f5").expect("a move")]),
        ];
        problem.claims.extend(others.map(|statement| Claim { column: 1, statement }));
        assert_eq!(write(&problem), format!("{START}; D3:+2; % score >=+2, c4 <=+0, best d3 f5"));
    }

    #[test]
    fn errors_have_their_offsets() {
        let error = |fields: &str| read(&format!("{START}; {fields}")).expect_err(fields);
        let legal = "the legal moves are d3 c4 f5 e6";
        let illegal = error("d3:+2; a1:+64;");
        assert_eq!(
            (illegal.offset, illegal.what.as_str(), illegal.hint.as_str()),
            (75, "X cannot play a1", legal)
        );
        assert_eq!(error("PS:+2").what, "X cannot pass");
        assert_eq!(error("--:+2").what, "X cannot pass");
        assert_eq!(error("d3:+3").what, "`+3` is an odd score");
        assert_eq!(error("d3: +3").offset, 72);
        assert_eq!(error("d3:").what, "`` is not a score");
        assert_eq!(error("d3:++2").what, "`++2` is not a score");
        assert_eq!(error("d3").what, "`d3` is not a score");
        assert_eq!(error("z9:+2").what, "`z9` is not a move");
        assert_eq!(error("\x1b[31m:+2").what, "`�[31m` is not a move");
        assert_eq!(error("d3:+2; D3:+2;").what, "a second score for d3");
        assert_eq!(error("+2; +2;").what, "a second score for the position");
        let over = read(&format!("{OVER}; h8:+64;")).expect_err("the game is over");
        assert!(over.hint.contains("the game is over"));
        let side = read(&format!("{};", &START[..64])).expect_err("no side");
        assert_eq!((side.offset, side.hint.contains("name one side")), (64, false));
        assert!(read(&format!("{START} d3:+2;")).expect_err("no `;`").hint.contains("`;`"));
    }

    proptest! {
        #[test]
        fn a_written_problem_reads_back(
            a: u64, b: u64, c: u64, black: bool, scores: [i8; 32], whole in 0usize..3,
        ) {
            let to_move = if black { Colour::Black } else { Colour::White };
            // Three discs in four squares are a board with moves, passes and finished games among
            // them.
            let filled = a | c;
            let diagram = Diagram::of_colours(Bitboard(filled & b), Bitboard(filled & !b), to_move);
            let mut problem = Problem::new(diagram);
            let position = diagram.position;
            let squares = position.moves().into_iter().map(Move::Place);
            let moves = squares.chain(position.must_pass().then_some(Move::Pass)).map(Some);
            let whole = (whole == 0).then_some(None);
            for (mv, score) in moves.chain(whole).zip(scores) {
                let bounds = exactly(Score::new(i32::from(score / 4) * 2));
                let statement = match mv {
                    Some(mv) => Statement::MoveScore(mv, bounds),
                    None => Statement::Score(bounds),
                };
                problem.claims.push(Claim { column: 0, statement });
            }
            let again = read(&write(&problem)).expect("it was written");
            prop_assert_eq!(again.diagram, problem.diagram);
            let statements = |problem: Problem| -> Vec<Statement> {
                problem.claims.into_iter().map(|claim| claim.statement).collect()
            };
            prop_assert_eq!(statements(again), statements(problem));
        }

        #[test]
        fn no_text_panics(text in "[-XO]{60,66}[-XO ;:+a-h0-9é]{0,40}") {
            if let Err(error) = read(&text) {
                prop_assert!(text.is_char_boundary(error.offset), "{:?}", error);
            }
        }
    }
}
