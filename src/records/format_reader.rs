//! The interfaces that the readers of formats implement.
//!
//! A [`SourceReader`] reads a whole source. Each binary format has one, and
//! [`TextReader`](super::lines::TextReader) is that of all text formats: it passes each line to the
//! [`FormatReader`] that recognises it. Such a reader returns the entries that end in the line. It
//! keeps a state only where the format needs one: the header of a table, or an entry that continues
//! on the next line.

use std::borrow::Cow;
use std::fmt;
use std::io;

use crate::othello::Colour;

use super::entry::Content;
use super::error::{LineError, LineOrGame, Location};
use super::game::Game;
use super::problem::{MalformedClaim, Problem};
use super::source::FileError;
use super::stream::Stream;
use super::text::{column_of, printable};

/// A reader of a whole source.
pub(super) trait SourceReader: fmt::Debug {
    /// Reads on, and returns the entries that end in what was read. `None` at the end of the
    /// source.
    ///
    /// # Errors
    /// If the rest of the source cannot be read.
    fn next(&mut self, stream: &mut Stream) -> Result<Option<Vec<ParsedEntry>>, Stop>;

    /// The location of what was read last.
    fn at(&self) -> LineOrGame;

    /// What the source has, so far, if none of it was an entry.
    fn content(&self) -> Content;
}

/// A reader of one text format.
pub(super) trait FormatReader: fmt::Debug {
    /// How surely a line is of this format, from its first characters and the lines before it. The
    /// line is neither blank nor a comment. Bytes that are not UTF-8 are replaced.
    fn recognise(&self, line: &str) -> Recognition;

    /// Reads a line, and returns the entries that end in it. `side` is the side to move where the
    /// line does not name it.
    ///
    /// # Errors
    /// If the rest of the file cannot be read. An error within an entry is part of the entry.
    fn read(&mut self, line: &Line<'_>, side: Option<Colour>) -> Result<Vec<ParsedEntry>, Stop>;

    /// Whether this next line belongs to an entry that has begun.
    fn is_inside_entry(&self, line: &str) -> bool {
        let _ = line;
        false
    }

    /// Whether an entry has begun that may continue on the next line.
    fn has_begun(&self) -> bool {
        false
    }

    /// Ends an entry that has begun, at the end of the file or before a line that does not belong
    /// to it. Returns the entry, or the error that stands for it.
    fn finish(&mut self) -> Option<ParsedEntry> {
        None
    }

    /// The lines that were taken for parts of an entry and are none, with their numbers. They are
    /// read again.
    fn take_rejected(&mut self) -> Vec<(u64, String)> {
        Vec::new()
    }
}

/// How surely a line is of a format. The format with the greatest value reads the line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Recognition {
    /// The line is not of this format.
    No,
    /// No characteristic of the line excludes the format.
    Possible,
    /// The line has the shape of the format.
    Likely,
    /// The line looks like the header of a table that no format reads.
    OtherHeader,
    /// The line is a row of a table with a header in this line. The latest header counts.
    Row {
        /// The line of the header.
        header: u64,
    },
    /// The line is the header of a table.
    Header,
    /// The line begins with the bracket of the format.
    Bracket,
}

/// A line of a text, without its end.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The number of the line; the first line has 1.
    pub number: u64,
    bytes: &'a [u8],
    lossy: Cow<'a, str>,
}

impl<'a> Line<'a> {
    pub fn new(number: u64, bytes: &'a [u8]) -> Line<'a> {
        Line { number, bytes, lossy: String::from_utf8_lossy(bytes) }
    }

    /// The line, with `�` for bytes that are not UTF-8.
    pub fn lossy(&self) -> &str {
        &self.lossy
    }

    /// The line.
    ///
    /// # Errors
    /// If it is not UTF-8.
    pub fn text(&self) -> Result<&str, Stop> {
        str::from_utf8(self.bytes).map_err(|_| Stop::not_text())
    }

    /// The line up to a `%`, which begins a comment. Comments may have another encoding, as in old
    /// files with the names of players.
    ///
    /// # Errors
    /// If it is not UTF-8.
    pub fn without_comment(&self) -> Result<&str, Stop> {
        let end = self.bytes.iter().position(|&byte| byte == b'%').unwrap_or(self.bytes.len());
        str::from_utf8(&self.bytes[..end]).map_err(|_| Stop::not_text())
    }

    /// An entry with a position. `text` is what the error counts its columns in.
    pub fn position(&self, text: &str, named: NamedProblem) -> ParsedEntry {
        let (id, comment, problem) = named.located(|error| self.error(text, error));
        let comment = comment.or_else(|| self.comment_after(text));
        self.entry(EntryContent::Position { id, problem }, comment)
    }

    /// An entry with a game that stands in this line alone, with the identifier that the input has
    /// for it, if it has one.
    pub fn game(
        &self,
        id: Option<String>,
        text: &str,
        game: Result<Game, LineError>,
    ) -> ParsedEntry {
        let game = game.map_err(|error| self.error(text, error));
        let content = EntryContent::Game { id, game, numbered: false };
        self.entry(content, self.comment_after(text))
    }

    fn entry(&self, content: EntryContent, comment: Option<Box<str>>) -> ParsedEntry {
        ParsedEntry { at: LineOrGame::Line(self.number), content, comment }
    }

    /// The comment behind the beginning of the line, if it has one.
    fn comment_after(&self, beginning: &str) -> Option<Box<str>> {
        let comment = self.bytes.get(beginning.len()..)?.strip_prefix(b"%")?;
        comment_of(&String::from_utf8_lossy(comment))
    }

    fn error(&self, text: &str, error: LineError) -> EntryError {
        let column = column_of(text, error.offset);
        EntryError { at: LineOrGame::Line(self.number), column, error }
    }
}

/// A comment without spaces around it and without control characters; `None` if nothing is left.
pub(super) fn comment_of(text: &str) -> Option<Box<str>> {
    let text = text.trim();
    (!text.is_empty()).then(|| printable(text).into())
}

/// A position with the identifier and the comment that the input has for it in cells of their own.
#[derive(Debug)]
pub(super) struct NamedProblem {
    pub id: Option<String>,
    pub comment: Option<Box<str>>,
    pub problem: Result<Problem, LineError>,
    /// The errors of claims that cannot be read.
    pub malformed: Vec<LineError>,
}

impl NamedProblem {
    /// A position without an identifier, a comment and malformed claims.
    pub fn unnamed(problem: Result<Problem, LineError>) -> NamedProblem {
        NamedProblem { id: None, comment: None, problem, malformed: Vec::new() }
    }

    /// The identifier, the comment and the problem with its malformed claims. `locate` adds the
    /// location of an error.
    pub fn located(
        self,
        locate: impl Fn(LineError) -> EntryError,
    ) -> (Option<String>, Option<Box<str>>, Result<Problem, EntryError>) {
        let NamedProblem { id, comment, problem, malformed } = self;
        let malformed =
            malformed.into_iter().map(|error| MalformedClaim::of(locate(error))).collect();
        let problem = problem.map(|problem| Problem { malformed, ..problem }).map_err(locate);
        (id, comment, problem)
    }
}

/// An entry without the name of its file.
#[derive(Debug)]
pub(super) struct ParsedEntry {
    pub at: LineOrGame,
    pub content: EntryContent,
    pub comment: Option<Box<str>>,
}

/// The content of an entry.
#[derive(Debug)]
pub(super) enum EntryContent {
    /// A position.
    Position { id: Option<String>, problem: Result<Problem, EntryError> },
    /// A game. Without an identifier, a numbered game is identified by its number in the file,
    /// another by its line.
    Game { id: Option<String>, game: Result<Game, EntryError>, numbered: bool },
}

/// An error with its own line, as an entry may have several lines.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct EntryError {
    pub at: LineOrGame,
    /// The column, from 1.
    pub column: usize,
    pub error: LineError,
}

/// The reason why the rest of a file cannot be read, without the location.
pub(super) struct Stop(Box<dyn FnOnce(Location) -> FileError>);

impl Stop {
    /// A reason, from the location of what was read last.
    pub fn new(error: impl FnOnce(Location) -> FileError + 'static) -> Stop {
        Stop(Box::new(error))
    }

    /// The file is not a text.
    pub fn not_text() -> Stop {
        Stop::new(|location| FileError::NotText { location })
    }

    /// The error with its location.
    pub fn at(self, location: Location) -> FileError {
        (self.0)(location)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::new(|location| FileError::Read { location, error })
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stop").finish_non_exhaustive()
    }
}
