//! Texts: numbers, moves and bounds as records print them, and safe quotations of an input.

use std::io::Write as _;

use crate::othello::{Move, Score};
use crate::search::Bounds;

/// The largest number of characters of an input that a message quotes.
const QUOTATION: usize = 40;

/// A quotation for a message. Control characters, which could move the cursor or recolour the
/// terminal, become `�`. Characters after the first 40 become `…`.
pub fn shortened(text: &str) -> String {
    let mut characters = text.chars();
    let mut quotation: String = characters.by_ref().take(QUOTATION).map(visible).collect();
    if characters.next().is_some() {
        quotation.push('…');
    }
    quotation
}

/// A text, such as the name of a file, in which each control character is replaced by `�`.
pub fn printable(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// The column of a byte offset in a line, counted in characters from 1.
pub fn column_of(line: &str, offset: usize) -> usize {
    debug_assert!(line.is_char_boundary(offset), "{offset} is within a character of {line:?}");
    line[..line.floor_char_boundary(offset)].chars().count() + 1
}

/// Replaces control characters, and the marks that change the direction of the text, which can
/// make a message read as another one.
fn visible(character: char) -> char {
    match character {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Moves with spaces between them: `g8 h1 --`.
pub fn moves_text(moves: &[Move]) -> String {
    let mut out = Vec::with_capacity(3 * moves.len());
    write_moves(&mut out, moves);
    String::from_utf8(out).expect("moves are UTF-8")
}

/// The same, at the end of `out`.
pub fn write_moves(out: &mut Vec<u8>, moves: &[Move]) {
    for (n, mv) in moves.iter().enumerate() {
        let space = if n > 0 { " " } else { "" };
        let _ = write!(out, "{space}{mv}");
    }
}

/// Bounds in one word: `+18`, `>=+4`, `<=-2`, `-2..+4`, or `?` if no score is excluded.
pub fn bounds_text(bounds: Bounds) -> String {
    let Bounds { lower, upper } = bounds;
    match bounds.exact() {
        Some(score) => score.to_string(),
        None if bounds == Bounds::UNKNOWN => "?".to_owned(),
        None if upper == Score::MAX => format!(">={lower}"),
        None if lower == Score::MIN => format!("<={upper}"),
        None => format!("{lower}..{upper}"),
    }
}

/// Reads bounds as [`bounds_text`] writes them; `None` if the text is another one.
pub fn bounds_of_text(text: &str) -> Option<Bounds> {
    let score = |text: &str| text.parse().ok().and_then(Score::try_new);
    let (lower, upper) = if text == "?" {
        (Score::MIN, Score::MAX)
    } else if let Some(lower) = text.strip_prefix(">=") {
        (score(lower)?, Score::MAX)
    } else if let Some(upper) = text.strip_prefix("<=") {
        (Score::MIN, score(upper)?)
    } else if let Some((lower, upper)) = text.split_once("..") {
        (score(lower)?, score(upper)?)
    } else {
        (score(text)?, score(text)?)
    };
    (lower <= upper).then_some(Bounds { lower, upper })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_is_short_and_has_no_control_characters() {
        assert_eq!(shortened("a1:+4"), "a1:+4");
        assert_eq!(shortened("\x1b[31mred\r\n\u{202e}"), "�[31mred���");
        assert_eq!(shortened(&"é".repeat(41)), "é".repeat(40) + "…");
        assert_eq!(printable("a\tb"), "a�b");
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!([0, 2, 3].map(|offset| column_of("éab", offset)), [1, 2, 3]);
    }

    #[test]
    fn bounds_fit_in_a_word() {
        let text = |lower, upper| {
            bounds_text(Bounds { lower: Score::new(lower), upper: Score::new(upper) })
        };
        assert_eq!(
            [text(4, 4), text(2, 64), text(-64, -2), text(-2, 4)],
            ["+4", ">=+2", "<=-2", "-2..+4"]
        );
        assert_eq!(bounds_text(Bounds::UNKNOWN), "?");
        for (lower, upper) in [(4, 4), (2, 64), (-64, -2), (-2, 4), (-64, 64)] {
            let bounds = Bounds { lower: Score::new(lower), upper: Score::new(upper) };
            assert_eq!(bounds_of_text(&bounds_text(bounds)), Some(bounds));
        }
        for text in ["", ">=", "4..2", "66", "x", "+4.."] {
            assert_eq!(bounds_of_text(text), None, "{text}");
        }
    }
}
