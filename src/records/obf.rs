//! OBF, the "Othello Board File" in which test suites are published: a position, and the exact scores of its moves.
//!
//! ```text
//! --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:+6;   % FFO 1
//! ```
//!
//! The format was Edax's first (`obftest.c`), and has no description but what programs write. A line is the 64 squares
//! a1 … h8, the side to move, and fields that each end with `;`. A field is `MOVE:SCORE` for one legal move, or a score
//! alone for the position (which is how Edax writes a finished game). Scores are seen by the side to move. `PS` is a
//! forced pass.
//!
//! # The reader is relaxed
//! - The board may be written with any of the symbols that [`Diagram`] reads, with blanks between them or none before
//!   the side to move.
//! - The `;` after the side to move may be missing if no field follows, and so may the one after the last field. Empty
//!   fields are skipped.
//! - Moves may have either case and a pass may be `PS`, `PA` or `pass`; a score's `+` may be missing.
//! - A score beyond ±64 means "not known": such a field makes no claim, though its move must be legal.
//! - `--`, no move, stands for the pass or for the finished game if the position is one. `--:-127`, with which some
//!   suites end each line, is skipped in any position.
//!
//! # And it is strict
//! An illegal move, an odd score and a second score for one move are errors, where other programs stop reading the line
//! without a word.

use std::fmt::Write as _;

use crate::othello::{Colour, Diagram, Move, Position, Score};

use super::problem::{Claim, LineError, Problem};
use super::text::shortened;

/// Reads a line, without its end and its comment.
///
/// # Errors
/// If the position or a field is malformed, or a field's move is not legal.
pub fn read(line: &str) -> Result<Problem, LineError> {
    let (diagram, rest) = Diagram::read(line, None).map_err(|error| {
        // The board is whole if a side to move is all that it lacks, and --side is for plain positions only.
        match Diagram::read(line, Some(Colour::Black)) {
            Ok(_) => LineError { hint: "X or O stands after the 64 squares".to_owned(), ..error.into() },
            Err(_) => error.into(),
        }
    })?;
    let mut problem = Problem::new(diagram);
    let mut start = match line[rest..].find(|c: char| !c.is_ascii_whitespace()) {
        None => return Ok(problem),
        Some(blanks) if line[rest + blanks..].starts_with(';') => rest + blanks + 1,
        Some(blanks) => {
            return Err(LineError {
                offset: rest + blanks,
                what: "something follows the side to move".to_owned(),
                hint: "a `;` stands before the first field, as in `X; d3:+2;`".to_owned(),
            });
        }
    };
    for field in line[start..].split(';') {
        let offset = start + (field.len() - field.trim_ascii_start().len());
        start += field.len() + 1;
        let field = field.trim_ascii();
        if field.is_empty() {
            continue;
        }
        let claim =
            read_field(field, &diagram).map_err(|error| LineError { offset: offset + error.offset, ..error })?;
        let Some(claim) = claim else { continue };
        if problem.claims.iter().any(|earlier| earlier.mv == claim.mv) {
            let of = claim.mv.map_or("the position".to_owned(), |mv| mv.to_string());
            return Err(LineError {
                offset,
                what: format!("a second score for {of}"),
                hint: "each move has one field".to_owned(),
            });
        }
        problem.claims.push(claim);
    }
    Ok(problem)
}

/// Reads a field without blanks around it and gives its claim; none if it makes none.
fn read_field(field: &str, diagram: &Diagram) -> Result<Option<Claim>, LineError> {
    let Some((mv, score)) = field.split_once(':') else {
        let score = read_score(field)?;
        return Ok(score.map(|score| Claim { mv: None, score }));
    };
    let blanks = score.len() - score.trim_ascii_start().len();
    let score = read_score(score.trim_ascii())
        .map_err(|error| LineError { offset: mv.len() + 1 + blanks + error.offset, ..error })?;
    let mv = mv.trim_ascii_end();
    if mv == "--" && score.is_none() {
        return Ok(None);
    }
    let position = &diagram.position;
    if mv == "--" && position.is_over() {
        return Ok(score.map(|score| Claim { mv: None, score }));
    }
    let mv: Move = mv.parse().map_err(|_| LineError {
        offset: 0,
        what: format!("`{}` is not a move", shortened(mv)),
        hint: "a field is `MOVE:SCORE`, with a move from a1 to h8, or PS for a pass".to_owned(),
    })?;
    if position.make(mv).is_none() {
        return Err(illegal(mv, diagram));
    }
    Ok(score.map(|score| Claim { mv: Some(mv), score }))
}

/// The score of a field; none if it is not known.
fn read_score(text: &str) -> Result<Option<Score>, LineError> {
    const EVEN: &str = "a score is an even number from -64 to +64";
    let wrong =
        |what: &str| LineError { offset: 0, what: format!("`{}` {what}", shortened(text)), hint: EVEN.to_owned() };
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong("is not a score"));
    }
    // What does not fit into an i32 is far beyond 64 too.
    match text.parse::<i32>().ok().and_then(Score::try_new) {
        Some(score) if score.discs() % 2 != 0 => Err(wrong("is an odd score")),
        score => Ok(score),
    }
}

/// What is said of a move that cannot be made.
fn illegal(mv: Move, diagram: &Diagram) -> LineError {
    let position: &Position = &diagram.position;
    let side = diagram.to_move;
    let hint = if position.is_over() {
        "the game is over: its score stands in a field of its own".to_owned()
    } else if position.must_pass() {
        format!("{side} has no move and must pass, which is written PS")
    } else {
        let moves: Vec<String> = position.moves().into_iter().map(|square| square.to_string()).collect();
        format!("the legal moves are {}", moves.join(" "))
    };
    LineError { offset: 0, what: format!("{side} cannot {}", deed(mv)), hint }
}

fn deed(mv: Move) -> String {
    match mv {
        Move::Place(square) => format!("play {square}"),
        Move::Pass => "pass".to_owned(),
    }
}

/// A problem as a line of OBF, without an end of line, in the form that other programs read.
pub fn write(problem: &Problem) -> String {
    let mut line = format!("{};", problem.diagram);
    for claim in &problem.claims {
        let _ = match claim.mv {
            None => write!(line, " {};", claim.score),
            Some(Move::Pass) => write!(line, " PS:{};", claim.score),
            Some(Move::Place(square)) => write!(line, " {}:{};", square.to_string().to_ascii_uppercase(), claim.score),
        };
    }
    line
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::othello::Bitboard;

    const START: &str = "---------------------------OX------XO--------------------------- X";
    /// X must pass; O has a move on h1.
    const PASS: &str = "OXXXXXX--------------------------------------------------------- X";
    const OVER: &str = "XXXXXXXX-------------------------------------------------------- O";

    fn claims(text: &str) -> Vec<(Option<Move>, i32)> {
        let problem = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        problem.claims.into_iter().map(|claim| (claim.mv, claim.score.discs())).collect()
    }

    fn mv(text: &str) -> Option<Move> {
        Some(text.parse().expect("a move"))
    }

    #[test]
    fn fields_are_claims() {
        assert_eq!(claims(&format!("{START}; D3:+2; c4:-4; f5:0")), [(mv("d3"), 2), (mv("c4"), -4), (mv("f5"), 0)]);
        assert_eq!(claims(&format!("{START};;; d3 : +2 ; +2")), [(mv("d3"), 2), (None, 2)]);
        assert_eq!(claims(START), [], "a compact line");
        assert_eq!(claims(&START.replace(' ', "")), [], "with its side next to the board");
        assert_eq!(claims(&format!("{OVER}; -64;")), [(None, -64)]);
        assert_eq!(claims(&format!("{OVER}; --:-64;")), [(None, -64)]);
    }

    #[test]
    fn a_pass_has_many_names_and_no_move_is_none() {
        for name in ["PS", "ps", "PA", "pass", "--"] {
            assert_eq!(claims(&format!("{PASS}; {name}:+4;")), [(Some(Move::Pass), 4)], "{name}");
        }
        assert_eq!(claims(&format!("{START}; d3:+2; --:-127;")), [(mv("d3"), 2)]);
        assert_eq!(claims(&format!("{START}; d3:+100; c4:-99999999999999999999; e6:+65;")), []);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let error = |fields: &str| read(&format!("{START}; {fields}")).expect_err(fields);
        let legal = "the legal moves are d3 c4 f5 e6";
        let illegal = error("d3:+2; a1:+64;");
        assert_eq!((illegal.offset, illegal.what.as_str(), illegal.hint.as_str()), (75, "X cannot play a1", legal));
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
        assert_eq!((side.offset, side.hint.contains("--side")), (64, false));
        assert!(read(&format!("{START} d3:+2;")).expect_err("no `;`").hint.contains("`;`"));
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(a: u64, b: u64, c: u64, black: bool, scores: [i8; 32], whole in 0usize..3) {
            let to_move = if black { Colour::Black } else { Colour::White };
            // Three discs in four squares are a board with moves, passes and finished games among them.
            let filled = a | c;
            let diagram = Diagram::of_colours(Bitboard(filled & b), Bitboard(filled & !b), to_move);
            let mut problem = Problem::new(diagram);
            let position = diagram.position;
            let squares = position.moves().into_iter().map(Move::Place);
            let moves = squares.chain(position.must_pass().then_some(Move::Pass)).map(Some);
            let whole = (whole == 0).then_some(None);
            for (mv, score) in moves.chain(whole).zip(scores) {
                problem.claims.push(Claim { mv, score: Score::new(i32::from(score / 4) * 2) });
            }
            prop_assert_eq!(read(&write(&problem)), Ok(problem));
        }

        #[test]
        fn no_text_panics(text in "[-XO]{60,66}[-XO ;:+a-h0-9é]{0,40}") {
            if let Err(error) = read(&text) {
                prop_assert!(text.is_char_boundary(error.offset), "{:?}", error);
            }
        }
    }
}
