//! A text, line by line: the choice of the reader for each line.
//!
//! # Recognition
//! Each line is recognised on its own, so formats may be mixed in a file. The reader whose
//! [`Recognition`](super::format_reader::Recognition) is greatest reads the line:
//!
//! 1. `{` begins an object of JSON Lines. `(;`, also after a number, begins a game of GGF.
//! 2. A line with a column `position` or `obf` is the header of a CSV table.
//! 3. After a header, a line with a comma is a row.
//! 4. A line with a `;` is OBF. A line that begins with a square such as `f5` is a transcript.
//! 5. Every other line is a plain position.
//!
//! While a game of GGF is open, all lines belong to it. With a forced format, its reader reads all
//! lines.
//!
//! # Skipped
//! Blank lines, a byte order mark of UTF-8 at the beginning of the file, and lines that begin with
//! `%`, which are comments. Plain positions, OBF and transcripts also end at a `%` within the
//! line. In the other formats names may contain a `%`.

use super::error::LineError;
use super::format_reader::{FormatReader, Line, NamedProblem, ParsedEntry, Stop};
use super::formats::Format;
use super::stream::{LONGEST_LINE, LineRead, Stream};
use crate::othello::Colour;

/// The byte order mark of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A reader of the lines of a text.
#[derive(Debug)]
pub(super) struct TextReader {
    /// The number of the latest line.
    number: u64,
    /// The number of lines that are neither blank nor comments.
    content: u64,
    buffer: Vec<u8>,
    /// The reader of the forced format, or the readers of all text formats.
    readers: Vec<Box<dyn FormatReader>>,
}

impl TextReader {
    /// A reader of this format; of all text formats without one, or if the format is binary.
    pub fn new(format: Option<Format>) -> TextReader {
        let forced = format.and_then(Format::text_reader);
        let all = || Format::ALL.into_iter().filter_map(Format::text_reader).collect();
        let readers = forced.map_or_else(all, |reader| vec![reader]);
        TextReader { number: 0, content: 0, buffer: Vec::new(), readers }
    }

    /// The number of the latest line; the first line has 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The number of lines so far that are neither blank nor comments.
    pub fn content(&self) -> u64 {
        self.content
    }

    /// Reads the next line, and returns the entries that end in it. `None` at the end of the text.
    ///
    /// # Errors
    /// If the rest of the text cannot be read.
    pub fn next(
        &mut self,
        stream: &mut Stream,
        side: Option<Colour>,
    ) -> Result<Option<Vec<ParsedEntry>>, Stop> {
        self.number += 1;
        let mut buffer = std::mem::take(&mut self.buffer);
        let read = stream.read_line(&mut buffer)?;
        let entries = match read {
            LineRead::Line => self.read_line(&buffer, side).map(Some),
            LineRead::NotText => Err(Stop::NotText),
            LineRead::TooLong => Ok(Some(vec![self.too_long()])),
            // The end is read once more after an entry that has no end.
            LineRead::End => {
                let unfinished = self.readers.iter_mut().find_map(|reader| reader.finish());
                Ok(unfinished.map(|entry| vec![entry]))
            }
        };
        self.buffer = buffer;
        entries
    }

    fn read_line(
        &mut self,
        mut bytes: &[u8],
        side: Option<Colour>,
    ) -> Result<Vec<ParsedEntry>, Stop> {
        if self.number == 1 {
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        }
        let line = Line::new(self.number, bytes);
        if let Some(reader) = self.readers.iter_mut().find(|reader| reader.is_inside_entry()) {
            return reader.read(&line, side);
        }
        let text = line.lossy().trim();
        if text.is_empty() || text.starts_with('%') {
            return Ok(Vec::new());
        }
        self.content += 1;
        let recognition = |reader: &&mut Box<dyn FormatReader>| reader.recognise(line.lossy());
        let reader = self.readers.iter_mut().max_by_key(recognition).expect("there are readers");
        reader.read(&line, side)
    }

    fn too_long(&self) -> ParsedEntry {
        let what = format!("the line is longer than {LONGEST_LINE} bytes");
        let error = LineError::new(0, what, "each position has a line of its own");
        Line::new(self.number, b"").position("", NamedProblem::unnamed(Err(error)))
    }
}
