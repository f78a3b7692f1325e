//! Transcripts: the moves of a game from the start position, one game in a line, as in
//! `f5d6c3d3c4f4f6f3`.
//!
//! It is how papers, forums and most programs write a game or an opening, and nobody has defined
//! it. The position that a line gives is the one after its last move; other positions of its game
//! can be asked for by their empties.
//!
//! # The reader is relaxed
//! - Letters may have either case, and mixed: some programs write Black's moves in capitals.
//! - Blanks may stand between moves, or none.
//! - Passes are left out, as most programs do; where one stands (`--`, `PS`, `PA` or `pass`), it
//!   must be forced.
//! - A comment may follow after a `%`, as in OBF.
//!
//! Other programs play on after a move that is not legal, and solve a position that never was; here
//! it is an error that names the move.

use crate::othello::{Diagram, Move, Square};

use super::game::{Game, Ply};
use super::problem::LineError;
use super::text::shortened;

/// The names of a pass, the longer one of two that begin alike first.
const PASSES: [&str; 4] = ["pass", "ps", "pa", "--"];

/// Whether a line looks like one: it begins with a square. No position does, as no disc's symbol is
/// a digit.
pub(super) fn looks_like(line: &str) -> bool {
    matches!(line.trim_ascii_start().as_bytes(), [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', ..])
}

/// Reads a line, without its end and its comment.
///
/// # Errors
/// With the first thing that is no move, or is no legal one.
pub(super) fn read(line: &str) -> Result<Game, LineError> {
    let (mut plies, mut offset) = (Vec::new(), 0);
    loop {
        let rest = line[offset..].trim_ascii_start();
        offset = line.len() - rest.len();
        if rest.is_empty() {
            return Game::play(Diagram::START, &plies);
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
        plies.push(Ply { mv, by: None, offset });
        offset += length;
    }
}

/// The move with which a text begins, and its length.
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
    fn every_leniency() {
        let plain = last("f5d6c3d3c4");
        for line in ["F5D6C3D3C4", "F5d6C3d3C4", " f5 d6 c3\td3 c4 ", "F5D6 C3D3 C4"] {
            assert_eq!(last(line), plain, "{line}");
            assert!(looks_like(line), "{line}");
        }
        assert!(!looks_like("OXX") && !looks_like("") && !looks_like("i9"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
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
        fn what_is_written_reads_back(choices in prop::collection::vec(any::<u8>(), 1..64), style in 0u8..12) {
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
