//! Transcripts: the moves of a game from the start position, such as `f5d6c3d3c4f4f6f3`, one game
//! in a line.
//!
//! Papers, forums and most programs write games and openings in this form; there is no
//! specification of it. A line gives the position after its last move. A
//! [`Selection`](super::Selection) selects other positions by their empties.
//!
//! # Leniency
//! - Letters may have either case, also mixed: some programs write Black's moves in capitals.
//! - Spaces may stand between moves.
//! - Passes are left out, as most programs do. A written pass (`--`, `PS`, `PA` or `pass`) must be
//!   forced.
//! - A `%` begins a comment, as in OBF.
//!
//! # Refused
//! - An illegal move. The error names it. Some programs continue with a position that was never on
//!   the board.

use crate::othello::{Colour, Diagram, Move, Square};

use super::error::LineError;
use super::format_reader::{FormatReader, Line, ParsedEntry, Recognition, Stop};
use super::game::{Game, GameMove};
use super::text::shortened;

/// The names of a pass. A name stands before the names that it begins with.
const PASSES: [&str; 4] = ["pass", "ps", "pa", "--"];

/// The reader of this format.
#[derive(Debug)]
pub(super) struct TranscriptReader;

impl FormatReader for TranscriptReader {
    fn recognise(&self, line: &str) -> Recognition {
        let text = line.split('%').next().unwrap_or(line);
        // A `;` is a mark of OBF.
        if begins_with_square(text) && !text.contains(';') {
            Recognition::Likely
        } else {
            Recognition::No
        }
    }

    fn read(&mut self, line: &Line<'_>, _: Option<Colour>) -> Result<Vec<ParsedEntry>, Stop> {
        let text = line.without_comment()?;
        Ok(vec![line.game(text, read(text))])
    }
}

/// Whether a line begins with a square. A position does not, as no symbol of a disc is a digit.
fn begins_with_square(line: &str) -> bool {
    matches!(line.trim_ascii_start().as_bytes(), [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', ..])
}

/// Reads a line without its end and its comment.
///
/// # Errors
/// With the first word that is not a move, or not a legal one.
pub(super) fn read(line: &str) -> Result<Game, LineError> {
    let (mut moves, mut offset) = (Vec::new(), 0);
    loop {
        let rest = line[offset..].trim_ascii_start();
        offset = line.len() - rest.len();
        if rest.is_empty() {
            return Game::play(Diagram::START, &moves);
        }
        let (mv, length) = first_move(rest).ok_or_else(|| {
            let word = rest.split_ascii_whitespace().next().unwrap_or(rest);
            let what = format!("`{}` is not a move", shortened(word));
            LineError::new(
                offset,
                what,
                "a game is its moves, such as f5d6c3; a pass may be left out, or written --",
            )
        })?;
        moves.push(GameMove { mv, by: None, offset });
        offset += length;
    }
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
            assert!(begins_with_square(line), "{line}");
        }
        assert!(!begins_with_square("OXX") && !begins_with_square("") && !begins_with_square("i9"));
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
    }

    proptest! {
        #[test]
        fn a_written_game_reads_back(choices in prop::collection::vec(any::<u8>(), 1..64), style in 0u8..12) {
            let moves = samples::random(&choices);
            let pass = [None, Some("--"), Some("PS"), Some("pass")][usize::from(style % 4)];
            let words = moves.iter().filter_map(|mv| match mv {
                Move::Pass => pass.map(str::to_owned),
                Move::Place(square) if style % 3 == 0 => Some(square.to_string().to_ascii_uppercase()),
                Move::Place(square) => Some(square.to_string()),
            });
            let line = words.collect::<Vec<_>>().join(if style < 6 { "" } else { " " });
            let game = read(&line).expect("legal moves");
            prop_assert_eq!(game.positions.last().map(|problem| problem.diagram), Some(samples::after(&moves)));
        }

        #[test]
        fn no_text_panics(text in "[a-hA-H1-9psPé -]{0,80}") {
            if let Err(error) = read(&text) {
                prop_assert!(text.is_char_boundary(error.offset), "{:?}", error);
            }
        }
    }
}
