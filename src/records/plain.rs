//! Plain positions: 64 squares and the side to move.
//!
//! ```text
//! ---------------------------OX------XO--------------------------- X
//! ```
//!
//! The squares stand in the order a1, b1, ... h8. Most programs read and write this form; there is
//! no specification of it.
//!
//! # Leniency
//! - The symbols are those of `Diagram`: `X x * B b` for Black,
//!   `O o W w` for White, `- . _` for an empty square.
//! - Spaces may stand before the board, between its squares, before the side to move and at the
//!   end.
//! - A line of 64 squares alone is read if the caller names the side to move. The side is never
//!   guessed.
//! - A `%` begins a comment, as in OBF.
//!
//! # Refused
//! - Every other symbol. Some programs read an unknown symbol as an empty square.

use crate::othello::{Colour, Diagram};

use super::error::LineError;
use super::format_reader::{FormatReader, Line, NamedProblem, ParsedEntry, Recognition, Stop};
use super::formats::{FormatInfo, FormatKind};
use super::problem::Problem;

/// The entry of this format in the list of formats.
pub(super) const FORMAT: FormatInfo = FormatInfo {
    name: "plain",
    description: "Plain positions, without fields",
    kind: FormatKind::Text(|| Box::new(PlainReader)),
};

/// The reader of this format.
#[derive(Debug)]
pub(super) struct PlainReader;

impl FormatReader for PlainReader {
    fn recognise(&self, _: &str) -> Recognition {
        Recognition::Possible
    }

    fn read(&mut self, line: &Line<'_>, side: Option<Colour>) -> Result<Vec<ParsedEntry>, Stop> {
        let text = line.without_comment()?;
        Ok(vec![line.position(text, NamedProblem::unnamed(read(text, side)))])
    }
}

/// Reads a line without its end and its comment. `side` is the side to move where the line does not
/// name it.
///
/// # Errors
/// If the line is not 64 squares and a side to move, or has another content after them.
pub fn read(line: &str, side: Option<Colour>) -> Result<Problem, LineError> {
    let (diagram, rest) = Diagram::read(line, side)?;
    let tail = line[rest..].trim_ascii_start();
    if tail.is_empty() {
        return Ok(Problem::new(diagram));
    }
    let offset = line.len() - tail.len();
    Err(if tail.starts_with(';') {
        let hint = "a plain position has none; read the file as OBF";
        LineError::new(offset, "fields follow the position", hint)
    } else {
        let hint = "a plain position is 64 squares and one side to move; \
                    fields of an OBF line begin with `;`";
        LineError::new(offset, "something follows the side to move", hint)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn a_position_reads_with_and_without_its_side() {
        let start = Problem::new(START.parse().expect("the start position"));
        assert_eq!(read(START, None), Ok(start.clone()));
        assert_eq!(
            read(&format!("  {START}  "), Some(Colour::White)),
            Ok(start.clone()),
            "the line's own side counts"
        );
        assert_eq!(read(&START[..64], Some(Colour::Black)), Ok(start));
        let white = read(&START[..64], Some(Colour::White)).expect("a side was given");
        assert_eq!(white.diagram.to_move, Colour::White);
    }

    #[test]
    fn errors_have_offsets_and_hints() {
        let error = |line: &str| read(line, None).expect_err("no plain position");
        assert_eq!(error(&START[..64]).offset, 64);
        assert!(error(&START[..64]).hint.contains("name one side for all"));
        let fields = error(&format!("{START}; d3:+0;"));
        assert_eq!(fields.what, "fields follow the position");
        assert_eq!(fields.hint, "a plain position has none; read the file as OBF");
        assert_eq!(error(&format!("{START} +0")).offset, 67);
    }
}
