//! A text, line by line: the choice of the reader for each line.
//!
//! # Recognition
//! Each line is recognised on its own, so formats may be mixed in a file. The reader whose
//! [`Recognition`](super::format_reader::Recognition) is greatest reads the line:
//!
//! 1. `{` begins an object of JSON Lines. `(;`, also after a number, begins a game of GGF; with a
//!    property of SGF after it, or alone in its line, one of SGF.
//! 2. A line with a column `position`, `transcript`, `moves` or `obf` is the header of a CSV table.
//!    So is a first line with names of other columns, which is an error.
//! 3. After a header, a line with its separator is a row.
//! 4. A line with a `;` is OBF. A line that begins with a square such as `f5`, or with the number
//!    of a move, is a transcript.
//! 5. Every other line is a plain position.
//!
//! While a game of GGF or SGF is open, all lines belong to it. A row of a table continues while a
//! quoted field is open, and a transcript while the next line has its next move number. With a
//! forced format, its reader reads all lines.
//!
//! # Skipped
//! Blank lines, a byte order mark of UTF-8 at the beginning of the file, and lines that begin with
//! `%`, which are comments. Plain positions, OBF and transcripts also end at a `%` within the
//! line. In the other formats names may contain a `%`.

use super::entry::{Content, ReadOptions};
use super::error::{LineError, LineOrGame};
use super::format_reader::{FormatReader, Line, NamedProblem, ParsedEntry, SourceReader, Stop};
use super::formats::Format;
use super::stream::{LONGEST_LINE, LineRead, Stream};
use crate::othello::Colour;

/// The byte order mark of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A reader of the lines of a text.
#[derive(Debug)]
pub(super) struct TextReader {
    /// The number of the latest line that was read from the stream.
    number: u64,
    /// The number of lines that are neither blank nor comments.
    content: u64,
    buffer: Vec<u8>,
    /// The reader of the forced format, or the readers of all text formats.
    readers: Vec<Box<dyn FormatReader>>,
    /// The side to move where a line does not name it.
    side: Option<Colour>,
    /// Why the rest of the file cannot be read, while the entries before it are returned.
    stop: Option<Stop>,
}

impl TextReader {
    /// A reader of the format in the options; of all text formats without one, or if the format is
    /// binary.
    pub fn new(options: &ReadOptions) -> TextReader {
        let forced = options.format.and_then(Format::text_reader);
        let all = || Format::ALL.into_iter().filter_map(Format::text_reader).collect();
        let readers = forced.map_or_else(all, |reader| vec![reader]);
        let (buffer, side) = (Vec::new(), options.side);
        TextReader { number: 0, content: 0, buffer, readers, side, stop: None }
    }

    /// Reads the next line, and the lines that a reader has rejected after it.
    fn read_next(
        &mut self,
        stream: &mut Stream,
        entries: &mut Vec<ParsedEntry>,
    ) -> Result<LineRead, Stop> {
        self.number += 1;
        let mut buffer = std::mem::take(&mut self.buffer);
        let read = stream.read_line(&mut buffer)?;
        match read {
            LineRead::Line => {
                let bytes = match self.number {
                    1 => buffer.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&buffer),
                    _ => &buffer[..],
                };
                self.read_line(self.number, bytes, entries)?;
            }
            LineRead::TooLong => {
                self.finish(entries)?;
                entries.push(self.too_long());
            }
            LineRead::NotText => return Err(Stop::not_text()),
            LineRead::End => self.finish(entries)?,
        }
        self.buffer = buffer;
        Ok(read)
    }

    /// Reads a line. The lines that a reader rejects because of it are read before it.
    fn read_line(
        &mut self,
        number: u64,
        bytes: &[u8],
        entries: &mut Vec<ParsedEntry>,
    ) -> Result<(), Stop> {
        let line = Line::new(number, bytes);
        let text = line.lossy();
        let inside = |reader: &&mut Box<dyn FormatReader>| reader.is_inside_entry(text);
        if let Some(reader) = self.readers.iter_mut().find(inside) {
            entries.extend(reader.read(&line, self.side)?);
            return self.read_rejected(entries);
        }
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed.starts_with('%') {
            return Ok(());
        }
        if self.readers.iter().any(|reader| reader.has_begun()) {
            self.finish(entries)?;
            // A line that was read again may have begun an entry to which this line belongs.
            return self.read_line(number, bytes, entries);
        }
        self.content += 1;
        let recognition = |reader: &&mut Box<dyn FormatReader>| reader.recognise(text);
        let reader = self.readers.iter_mut().max_by_key(recognition).expect("there are readers");
        entries.extend(reader.read(&line, self.side)?);
        self.read_rejected(entries)
    }

    /// Ends all entries that have begun.
    fn finish(&mut self, entries: &mut Vec<ParsedEntry>) -> Result<(), Stop> {
        while let Some(reader) = self.readers.iter_mut().find(|reader| reader.has_begun()) {
            entries.extend(reader.finish());
            self.read_rejected(entries)?;
        }
        Ok(())
    }

    /// Reads the lines again that readers have rejected.
    fn read_rejected(&mut self, entries: &mut Vec<ParsedEntry>) -> Result<(), Stop> {
        let rejected: Vec<(u64, String)> =
            self.readers.iter_mut().flat_map(|reader| reader.take_rejected()).collect();
        for (number, line) in rejected {
            self.read_line(number, line.as_bytes(), entries)?;
        }
        Ok(())
    }

    fn too_long(&self) -> ParsedEntry {
        let what = format!("the line is longer than {LONGEST_LINE} bytes");
        let error = LineError::new(0, what, "each position has a line of its own");
        Line::new(self.number, b"").position("", NamedProblem::unnamed(Err(error)))
    }
}

impl SourceReader for TextReader {
    fn next(&mut self, stream: &mut Stream) -> Result<Option<Vec<ParsedEntry>>, Stop> {
        if let Some(stop) = self.stop.take() {
            return Err(stop);
        }
        let mut entries = Vec::new();
        match self.read_next(stream, &mut entries) {
            // The end is read once more after the last entries.
            Ok(LineRead::End) if entries.is_empty() => Ok(None),
            Ok(_) => Ok(Some(entries)),
            Err(stop) => {
                // An entry that has begun ends here.
                let again = self.finish(&mut entries);
                self.stop = Some(again.err().unwrap_or(stop));
                Ok(Some(entries))
            }
        }
    }

    fn at(&self) -> LineOrGame {
        LineOrGame::Line(self.number)
    }

    fn content(&self) -> Content {
        match self.content {
            0 => Content::Nothing,
            count => Content::Lines(count),
        }
    }
}
