//! Plain positions: 64 squares and the side to move, nothing else.
//!
//! ```text
//! ---------------------------OX------XO--------------------------- X
//! ```
//!
//! # The reader is relaxed
//! - The symbols are those of [`Diagram`]: `X x * B b` for Black, `O o W w` for White, `- . _` for
//!   an empty square.
//! - There may be blanks before the board, between its squares (rows, say), before the side to move
//!   (or none there) and at the end.
//! - A line of 64 squares alone is read if the caller says who is to move. The side is never
//!   guessed.
//! - A comment may follow after a `%`, as in OBF.
//!
//! Other programs take any unknown symbol for an empty square, or solve the line before once more;
//! here it is an error.

use crate::othello::{Colour, Diagram};

use super::problem::{LineError, Problem};

/// Reads a line, without its end and its comment. `side` is the side to move where the line does
/// not name it.
///
/// # Errors
/// If the line is not 64 squares and a side to move, or if anything follows.
pub fn read(line: &str, side: Option<Colour>) -> Result<Problem, LineError> {
    let (diagram, rest) = Diagram::read(line, side)?;
    let tail = line[rest..].trim_ascii_start();
    if tail.is_empty() {
        return Ok(Problem::new(diagram));
    }
    let offset = line.len() - tail.len();
    Err(if tail.starts_with(';') {
        LineError {
            offset,
            what: "fields follow the position".to_owned(),
            hint: "a plain position has none; read the file as OBF".to_owned(),
        }
    } else {
        LineError {
            offset,
            what: "something follows the side to move".to_owned(),
            hint: "a plain position is 64 squares and one side to move; fields of an OBF line begin with `;`"
                .to_owned(),
        }
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
    fn what_is_wrong_is_named() {
        let error = |line: &str| read(line, None).expect_err("no plain position");
        assert_eq!(error(&START[..64]).offset, 64);
        assert!(error(&START[..64]).hint.contains("name one side for all"));
        assert_eq!(error(&format!("{START}; d3:+0;")).what, "fields follow the position");
        assert_eq!(error(&format!("{START} +0")).offset, 67);
    }
}
