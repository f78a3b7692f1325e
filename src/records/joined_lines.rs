//! The text of an entry that has several lines.

use super::error::{LineError, LineOrGame};
use super::format_reader::{EntryContent, EntryError, ParsedEntry};
use super::text::column_of;

/// The lines of an entry, with line feeds between them.
#[derive(Debug, Default)]
pub(super) struct JoinedLines {
    text: String,
    starts: Vec<Start>,
}

/// The beginning of a line.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Byte offset in the text.
    offset: usize,
    /// The number of the line in the file.
    number: u64,
    /// The column at which the text begins in the line, from 1.
    column: usize,
}

impl JoinedLines {
    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The text of all lines.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Begins a line with this number. `column` is the column of the text that follows.
    pub fn begin_line(&mut self, number: u64, column: usize) {
        if !self.starts.is_empty() {
            self.text.push('\n');
        }
        self.starts.push(Start { offset: self.text.len(), number, column });
    }

    /// Adds a text to the last line.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The lines with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &str)> {
        let ends = self.starts.iter().skip(1).map(|start| start.offset - 1);
        let ends = ends.chain([self.text.len()]);
        self.starts
            .iter()
            .zip(ends)
            .map(|(start, end)| (start.number, &self.text[start.offset..end]))
    }

    /// An entry that begins in the first line.
    ///
    /// # Panics
    /// If there are no lines.
    pub fn entry(&self, content: EntryContent) -> ParsedEntry {
        ParsedEntry { at: LineOrGame::Line(self.starts[0].number), content, comment: None }
    }

    /// An error with the line and the column of its offset in the text.
    ///
    /// # Panics
    /// If there are no lines.
    pub fn error(&self, error: LineError) -> EntryError {
        let later = self.starts.partition_point(|start| start.offset <= error.offset);
        let start = self.starts[later.saturating_sub(1)];
        let column = column_of(&self.text[start.offset..], error.offset - start.offset);
        let column = start.column + column - 1;
        EntryError { at: LineOrGame::Line(start.number), column, error }
    }
}
