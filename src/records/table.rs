//! The rows of CSV tables, under the latest header. A row has several lines if a quoted field
//! contains line ends.
//!
//! A quote without its second one would take all following rows for a part of its field. So a row
//! with line ends is accepted only if it is certain: the field ends with a quote at the end of a
//! field, the row has as many fields as the header, no line of it is a row on its own, and it is
//! not longer than a line may be. Otherwise the row is an error at its quote, and the lines after
//! its first are read again.

use super::columns::{Cell, CsvHeader, split_by};
use super::error::LineError;
use super::format_reader::{EntryContent, Line, NamedProblem, ParsedEntry, Recognition, Stop};
use super::game::Game;
use super::joined_lines::JoinedLines;
use super::row::read_position;
use super::source::FileError;
use super::stream::LONGEST_LINE;
use super::text::shortened;
use super::transcript::begins_game;
use crate::othello::Colour;

/// Columns that lists of positions have. A line with one of them, in which every field may be the
/// name of a column, is a header.
const USUAL_COLUMNS: [&str; 22] = [
    "id",
    "board",
    "empties",
    "status",
    "score",
    "lower",
    "upper",
    "best_move",
    "pv",
    "nodes",
    "seconds",
    "side",
    "color",
    "colour",
    "player",
    "turn",
    "eval",
    "depth",
    "comment",
    "black",
    "white",
    "game",
];

/// The number of columns that a message names.
const NAMED_COLUMNS: usize = 20;

/// The state of a reader of tables.
#[derive(Debug)]
pub(super) struct Table {
    /// The columns that identify a header of the format; a header has at least one of them. The
    /// first is named in messages.
    keys: &'static [&'static str],
    /// The latest header, and its line.
    header: Option<(u64, CsvHeader)>,
    /// The row that has begun and continues on the next line, and the offset of its open quote.
    open: JoinedLines,
    quote: usize,
    rejected: Vec<(u64, String)>,
}

/// A row with its header.
#[derive(Debug)]
pub(super) struct TableRow<'a> {
    pub header: &'a CsvHeader,
    lines: JoinedLines,
}

impl TableRow<'_> {
    /// The text of the row.
    pub fn text(&self) -> &str {
        self.lines.text()
    }

    /// An entry with a position.
    pub fn position(&self, named: NamedProblem) -> ParsedEntry {
        let (id, comment, problem) = named.located(|error| self.lines.error(error));
        let content = EntryContent::Position { id, problem };
        ParsedEntry { comment, ..self.lines.entry(content) }
    }

    /// An entry with a game.
    pub fn game(&self, id: Option<String>, game: Result<Game, LineError>) -> ParsedEntry {
        let game = game.map_err(|error| self.lines.error(error));
        self.lines.entry(EntryContent::Game { id, game, numbered: false })
    }
}

/// What a line is for a table.
#[derive(Debug)]
pub(super) enum TableLine<'a> {
    /// A header, or a part of a row that continues.
    NoRow,
    /// The end of a row.
    Row(TableRow<'a>),
    /// A row that cannot be read.
    Failed(ParsedEntry),
}

/// The quotes at the end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Quotes {
    /// No quoted field is open.
    Closed,
    /// A quoted field is open. It began in this line at this byte, or in an earlier line.
    Open { began: Option<usize> },
    /// A quoted field of an earlier line ends within a field of this one.
    Misplaced,
}

impl Table {
    /// A table whose headers have one of these columns.
    pub fn new(keys: &'static [&'static str]) -> Table {
        Table { keys, header: None, open: JoinedLines::default(), quote: 0, rejected: Vec::new() }
    }

    /// How surely a line belongs to a table of this format.
    pub fn recognise(&self, line: &str) -> Recognition {
        if CsvHeader::with_column(self.keys, line).is_some() {
            return Recognition::Header;
        }
        match &self.header {
            // The first field may continue on the next line.
            Some((number, header))
                if line.contains(header.separator()) || line.trim_start().starts_with('"') =>
            {
                Recognition::Row { header: *number }
            }
            _ => Recognition::No,
        }
    }

    /// Whether a line is the header of a table without a column that the format needs, and no
    /// header stands before it.
    pub fn is_foreign_header(&self, line: &str) -> bool {
        self.header.is_none() && foreign_header(line).is_some()
    }

    /// Reads a line.
    ///
    /// # Errors
    /// If it is a row or the header of another table, and no header stands before it.
    pub fn read(&mut self, line: &Line<'_>) -> Result<TableLine<'_>, Stop> {
        let text = line.text()?;
        if self.open.is_empty() {
            if let Some(header) = CsvHeader::with_column(self.keys, text) {
                self.header = Some((line.number, header));
                return Ok(TableLine::NoRow);
            }
            if self.header.is_none() {
                return Err(self.missing_header(text));
            }
        }
        self.open.begin_line(line.number, 1);
        let began = self.open.text().len();
        let is_first = began == 0;
        self.open.push(text);
        match quotes(text, !is_first, self.separator()) {
            Quotes::Open { began: quote } if self.open.text().len() <= LONGEST_LINE => {
                self.quote = quote.map_or(self.quote, |quote| began + quote);
                Ok(TableLine::NoRow)
            }
            Quotes::Closed if is_first || self.width_is_right() => {
                let (_, header) = self.header.as_ref().expect("a row has a header");
                let lines = std::mem::take(&mut self.open);
                Ok(TableLine::Row(TableRow { header, lines }))
            }
            _ => Ok(TableLine::Failed(self.reject())),
        }
    }

    /// Whether a row has begun.
    pub fn has_begun(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether the next line belongs to a row that has begun: unless it is a row itself.
    pub fn continues(&self, line: &str) -> bool {
        let Some((_, header)) = self.header.as_ref().filter(|_| self.has_begun()) else {
            return false;
        };
        // A line that ends the field may look like a row: its first field is the end of the field.
        if quotes(line, true, header.separator()) != (Quotes::Open { began: None }) {
            return true;
        }
        let fields = split_by(line, header.separator());
        let board = self.keys.iter().find_map(|key| header.cell(&fields, key));
        let is_entry = |cell: Cell| {
            begins_game(&cell.text) || read_position(&cell, Some(Colour::Black)).is_ok()
        };
        !(header.check_width(&fields, line).is_ok() && board.is_some_and(is_entry))
    }

    /// Ends a row that has begun. Returns its error.
    pub fn finish(&mut self) -> Option<ParsedEntry> {
        self.has_begun().then(|| self.reject())
    }

    /// The lines that belong to no row after all.
    pub fn take_rejected(&mut self) -> Vec<(u64, String)> {
        std::mem::take(&mut self.rejected)
    }

    fn separator(&self) -> char {
        self.header.as_ref().map_or(',', |(_, header)| header.separator())
    }

    fn width_is_right(&self) -> bool {
        let text = self.open.text();
        let (_, header) = self.header.as_ref().expect("a row has a header");
        header.check_width(&split_by(text, header.separator()), text).is_ok()
    }

    /// Ends a row with an open quote. Its lines after the first are read again.
    fn reject(&mut self) -> ParsedEntry {
        let open = std::mem::take(&mut self.open);
        let mut lines = open.lines();
        lines.next();
        self.rejected.extend(lines.map(|(number, line)| (number, line.to_owned())));
        let hint = "a field that begins with `\"` ends with one; a quote within it is `\"\"`";
        let error = LineError::new(self.quote, "the quoted field does not end", hint);
        open.entry(EntryContent::Position { id: None, problem: Err(open.error(error)) })
    }

    /// The reason why the file cannot be read: its first line is not a header of this format.
    fn missing_header(&self, line: &str) -> Stop {
        let column = self.keys[0];
        match foreign_header(line) {
            None => Stop::new(move |location| FileError::MissingHeader { location, column }),
            Some(header) => {
                let mut names: Vec<String> =
                    header.names().iter().take(NAMED_COLUMNS).map(|name| shortened(name)).collect();
                if header.names().len() > NAMED_COLUMNS {
                    names.push("…".to_owned());
                }
                let found = names.join(", ");
                Stop::new(move |location| FileError::MissingColumn { location, column, found })
            }
        }
    }
}

/// The header in a line whose fields all may be names of columns, and one is usual.
fn foreign_header(line: &str) -> Option<CsvHeader> {
    let is_name = |name: &String| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || "_#".contains(c))
            && name.len() <= 40
            && name.chars().all(|c| c.is_ascii_alphanumeric() || " _-.#()/".contains(c))
    };
    // Most lines are positions, whose first field is longer.
    if line.find([',', ';', '\t']).is_none_or(|end| end > 48) {
        return None;
    }
    let header = CsvHeader::with_column(&USUAL_COLUMNS, line)?;
    (header.names().len() > 1 && header.names().iter().all(is_name)).then_some(header)
}

/// The quotes at the end of a line. `open` says whether a quoted field of an earlier line is open
/// at its beginning.
fn quotes(line: &str, open: bool, separator: char) -> Quotes {
    let (mut in_quotes, mut began, mut at_start) = (open, None, !open);
    let mut characters = line.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if in_quotes {
            if character == '"' {
                match characters.peek() {
                    Some(&(_, '"')) => drop(characters.next()),
                    Some(&(_, next)) if next != separator && open && began.is_none() => {
                        return Quotes::Misplaced;
                    }
                    _ => in_quotes = false,
                }
            }
        } else if character == '"' && at_start {
            (in_quotes, began) = (true, Some(at));
        }
        // A byte order mark may stand before the first field.
        at_start = !in_quotes && (character == separator || character == '\u{feff}' && at_start);
    }
    if in_quotes { Quotes::Open { began } } else { Quotes::Closed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_quotes_are_found() {
        let open = |began| Quotes::Open { began };
        for (line, earlier, expected) in [
            (r#"a,"b",c"#, false, Quotes::Closed),
            (r#"a,"b"#, false, open(Some(2))),
            (r#"a,"b"","#, false, open(Some(2))),
            (r#"a,"b""","#, false, Quotes::Closed),
            (r#"a,5" disc,b"c"#, false, Quotes::Closed),
            (r#"a b"#, true, open(None)),
            (r#"a ""b"" c"#, true, open(None)),
            (r#"a",b"#, true, Quotes::Closed),
            (r#"a""#, true, Quotes::Closed),
            (r#"a"b"#, true, Quotes::Misplaced),
            (r#"a","b"#, true, open(Some(3))),
            ("", true, open(None)),
        ] {
            assert_eq!(quotes(line, earlier, ','), expected, "{line}");
        }
    }

    #[test]
    fn headers_of_other_tables_are_found() {
        for line in ["id,board", "\"Black\";\"White\"", "name\tscore\t#", "ID , Comment"] {
            assert!(foreign_header(line).is_some(), "{line}");
        }
        for line in ["hello, world", "id", "f5,d6", "score,", "id,1", "id,---X"] {
            assert!(foreign_header(line).is_none(), "{line}");
        }
    }
}
