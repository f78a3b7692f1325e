//! Echoing what somebody else wrote.

/// The most characters of somebody's text that a message repeats.
const ECHO: usize = 40;

/// A text as a message may repeat it: a control character (which could move the cursor or recolour
/// the terminal) becomes `�`, and all but the first 40 characters become `…`.
pub fn shortened(text: &str) -> String {
    let mut characters = text.chars();
    let mut echo: String = characters.by_ref().take(ECHO).map(visible).collect();
    if characters.next().is_some() {
        echo.push('…');
    }
    echo
}

/// `text`, such as a file's name, with each control character replaced by `�`.
pub fn printable(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// The column of a byte offset in a line, counted in characters; the first one has 1.
pub fn column_of(line: &str, offset: usize) -> usize {
    debug_assert!(line.is_char_boundary(offset), "{offset} is no place in {line:?}");
    line[..line.floor_char_boundary(offset)].chars().count() + 1
}

/// Also the marks that turn the direction of the text around: they can make a message read as
/// something else.
fn visible(character: char) -> char {
    match character {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_echo_is_short_and_harmless() {
        assert_eq!(shortened("a1:+4"), "a1:+4");
        assert_eq!(shortened("\x1b[31mred\r\n\u{202e}"), "�[31mred���");
        assert_eq!(shortened(&"é".repeat(41)), "é".repeat(40) + "…");
        assert_eq!(printable("a\tb"), "a�b");
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!([0, 2, 3].map(|offset| column_of("éab", offset)), [1, 2, 3]);
    }
}
