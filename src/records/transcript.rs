//! Transcripts: the moves of a game from the start position, such as `f5d6c3d3c4f4f6f3`, one game
//! in a line; or with numbers, such as `1. f5 2. d6 3. c3`.
//!
//! Papers, forums and most programs write games and openings in this form; there is no
//! specification of it. A line gives the position after its last move. A
//! [`Selection`](super::Selection) selects other positions by their empties.
//!
//! # Leniency
//! - Letters may have either case, also mixed: some programs write Black's moves in capitals.
//! - Spaces may stand between moves.
//! - Numbers of moves (`1.`, `2)` or `3...`) may stand between moves, from 1 on: of single moves or
//!   of pairs. Such a game continues on the next line if the first number of that line is the next.
//! - Passes are left out, as most programs do. A written pass (`--`, `PS`, `PA` or `pass`) must be
//!   forced.
//! - A `%` begins a comment, as in OBF.
//!
//! # Refused
//! - A number that is not the next one: moves are missing.
//! - An illegal move. The error names it. Some programs continue with a position that was never on
//!   the board.

use crate::othello::{Colour, Diagram, Move, Square};

use super::error::LineError;
use super::format_reader::{EntryContent, FormatReader, Line, ParsedEntry, Recognition, Stop};
use super::formats::{FormatInfo, FormatKind};
use super::game::{Game, GameMove};
use super::joined_lines::JoinedLines;
use super::stream::LONGEST_LINE;
use super::text::shortened;

/// The names of a pass. A name stands before the names that it begins with.
const PASSES: [&str; 4] = ["pass", "ps", "pa", "--"];

/// The entry of this format in the list of formats.
pub(super) const FORMAT: FormatInfo = FormatInfo {
    name: "transcript",
    description: "Transcripts: the moves of a game, such as f5d6c3 or 1. f5 2. d6",
    kind: FormatKind::Text(|| Box::new(TranscriptReader::default())),
};

/// The reader of this format.
#[derive(Debug, Default)]
pub(super) struct TranscriptReader {
    /// The game with move numbers that has begun. Empty outside such a game.
    open: JoinedLines,
    /// The move number with which it continues.
    next: u32,
}

impl FormatReader for TranscriptReader {
    fn recognise(&self, line: &str) -> Recognition {
        let text = without_comment(line);
        // A `;` is a mark of OBF.
        if begins_game(text) && !text.contains(';') { Recognition::Likely } else { Recognition::No }
    }

    fn read(&mut self, line: &Line<'_>, _: Option<Colour>) -> Result<Vec<ParsedEntry>, Stop> {
        let text = line.without_comment()?;
        let mut numbers = tokens(text).filter_map(|(_, token)| match token {
            Token::Number(number) => Some(number),
            _ => None,
        });
        let first = numbers.next();
        // A game without numbers ends with its line. With a number it may continue.
        if self.open.is_empty() && first != Some(1) {
            return Ok(vec![line.game(None, text, read(text))]);
        }
        let last = numbers.last().or(first).unwrap_or(self.next);
        self.next = last.saturating_add(1);
        self.open.begin_line(line.number, 1);
        self.open.push(text);
        Ok(if self.open.text().len() <= LONGEST_LINE { None } else { self.finish() }
            .into_iter()
            .collect())
    }

    fn is_inside_entry(&self, line: &str) -> bool {
        if self.open.is_empty() {
            return false;
        }
        let first = tokens(without_comment(line)).find_map(|(_, token)| match token {
            Token::Move(_) => None,
            Token::Number(number) => Some(number == self.next),
            Token::Other => Some(false),
        });
        first == Some(true)
    }

    fn has_begun(&self) -> bool {
        !self.open.is_empty()
    }

    fn finish(&mut self) -> Option<ParsedEntry> {
        let open = std::mem::take(&mut self.open);
        (!open.is_empty()).then(|| {
            let game = read(open.text()).map_err(|error| open.error(error));
            open.entry(EntryContent::Game { id: None, game, numbered: false })
        })
    }
}

/// A line up to a `%`, which begins a comment.
fn without_comment(line: &str) -> &str {
    line.split('%').next().unwrap_or(line)
}

/// Whether a text begins with a square, or with the number of a move and a move. A position does
/// not, as no symbol of a disc is a digit.
pub(super) fn begins_game(text: &str) -> bool {
    let mut tokens = tokens(text).map(|(_, token)| token);
    match tokens.next() {
        Some(Token::Move(Move::Place(_))) => true,
        Some(Token::Number(_)) => !matches!(tokens.next(), Some(Token::Other)),
        _ => false,
    }
}

/// A part of a transcript.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Move(Move),
    /// The number of a move, such as `12.`.
    Number(u32),
    /// What is neither. No token follows.
    Other,
}

/// The tokens of a text with their offsets.
fn tokens(text: &str) -> impl Iterator<Item = (usize, Token)> {
    let (mut at, mut ended) = (0, false);
    std::iter::from_fn(move || {
        let rest = text[at..].trim_ascii_start();
        if rest.is_empty() || ended {
            return None;
        }
        let offset = text.len() - rest.len();
        let (token, length) = first_move(rest)
            .map(|(mv, length)| (Token::Move(mv), length))
            .or_else(|| first_number(rest))
            .unwrap_or((Token::Other, 0));
        (at, ended) = (offset + length, token == Token::Other);
        Some((offset, token))
    })
}

/// Reads a text without comments.
///
/// # Errors
/// With the first word that is not a move, or not a legal one, and the first move number that does
/// not follow the one before.
pub(super) fn read(text: &str) -> Result<Game, LineError> {
    let (mut moves, mut expected) = (Vec::new(), 1);
    for (offset, token) in tokens(text) {
        match token {
            Token::Move(mv) => moves.push(GameMove { mv, by: None, offset }),
            Token::Number(number) if number == expected => expected += 1,
            Token::Number(number) => {
                let what = format!("the move number is {number}");
                let hint = format!("the next one of this game is {expected}");
                return Err(LineError::new(offset, what, hint));
            }
            Token::Other => {
                let rest = &text[offset..];
                let word = rest.split_ascii_whitespace().next().unwrap_or(rest);
                let what = format!("`{}` is not a move", shortened(word));
                return Err(LineError::new(
                    offset,
                    what,
                    "a game is its moves, such as f5d6c3; a pass may be left out, or written --",
                ));
            }
        }
    }
    Game::play(Diagram::START, &moves)
}

/// The move at the beginning of a text, and its length in bytes.
fn first_move(text: &str) -> Option<(Move, usize)> {
    let begins =
        |name: &&&str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    if let Some(name) = PASSES.iter().find(begins) {
        return Some((Move::Pass, name.len()));
    }
    let square: Square = text.get(..2)?.parse().ok()?;
    Some((Move::Place(square), 2))
}

/// The number of a move at the beginning of a text, with dots or a bracket after it, and the length
/// of both in bytes.
fn first_number(text: &str) -> Option<(Token, usize)> {
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - after.len();
    let rest = after.trim_start_matches('.');
    let rest = if rest.len() == after.len() { after.strip_prefix(')')? } else { rest };
    Some((Token::Number(text[..digits].parse().ok()?), text.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::game::samples;
    use super::*;

    /// The last position of a line.
    fn last(line: &str) -> String {
        let game = read(line).unwrap_or_else(|error| panic!("{line}: {error:?}"));
        game.positions.last().expect("a position").diagram.to_string()
    }

    #[test]
    fn each_leniency_is_accepted() {
        let plain = last("f5d6c3d3c4");
        for line in ["F5D6C3D3C4", "F5d6C3d3C4", " f5 d6 c3\td3 c4 ", "F5D6 C3D3 C4"] {
            assert_eq!(last(line), plain, "{line}");
            assert!(begins_game(line), "{line}");
        }
        assert!(["OXX", "", "i9", "--XO", "1", "1. x"].iter().all(|text| !begins_game(text)));
        for line in [
            "1. f5 2. d6 3. c3 4. d3 5. c4",
            "1.f5 d6 2.C3 D3 3.c4",
            "1) f5 2) d6\n3) c3 4) d3\n\n5) c4",
        ] {
            assert_eq!(last(line), plain, "{line}");
            assert!(begins_game(line), "{line}");
        }
    }

    #[test]
    fn errors_have_their_offsets() {
        let error = |line: &str| read(line).expect_err(line);
        let hint = "a game is its moves, such as f5d6c3; a pass may be left out, or written --";
        assert_eq!(error("f5d6z9c3"), LineError::new(4, "`z9c3` is not a move", hint));
        assert_eq!(error("f5 d"), LineError::new(3, "`d` is not a move", hint));
        assert_eq!(error("f5é6"), LineError::new(2, "`é6` is not a move", hint));
        assert_eq!(
            error("f5 f5"),
            LineError::new(3, "move 2: O cannot play f5", "the legal moves are f4 d6 f6")
        );
        assert_eq!(error("f5 pass").what, "move 2: O cannot pass");
        let number = LineError::new(6, "the move number is 3", "the next one of this game is 2");
        assert_eq!(error("1. f5 3. c3"), number);
        assert_eq!(error("2. f5").what, "the move number is 2");
        assert_eq!(error("1. f5 99999999999. d6").what, "`99999999999.` is not a move");
    }

    proptest! {
        #[test]
        fn a_written_game_reads_back(
            choices in prop::collection::vec(any::<u8>(), 1..64), style in 0u8..12,
        ) {
            let moves = samples::random(&choices);
            let pass = [None, Some("--"), Some("PS"), Some("pass")][usize::from(style % 4)];
            let words = moves.iter().filter_map(|mv| match mv {
                Move::Pass => pass.map(str::to_owned),
                Move::Place(square) => Some(match style % 3 {
                    0 => square.to_string().to_ascii_uppercase(),
                    _ => square.to_string(),
                }),
            });
            let line = words.collect::<Vec<_>>().join(if style < 6 { "" } else { " " });
            let game = read(&line).expect("legal moves");
            let last = game.positions.last().map(|problem| problem.diagram);
            prop_assert_eq!(last, Some(samples::after(&moves)));
        }

        #[test]
        fn no_text_panics(text in "[a-hA-H1-9psPé -]{0,80}") {
            if let Err(error) = read(&text) {
                prop_assert!(text.is_char_boundary(error.offset), "{:?}", error);
            }
        }
    }
}
