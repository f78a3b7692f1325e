//! From files and standard input to entries, one at a time.
//!
//! A source is a WTHOR database if it begins with the header of one, and a text otherwise;
//! [`lines`](super::lines) tells which formats a text may have, line by line. Entries are numbered
//! and named here, and the positions of games selected, so that this is the same for all formats.
//!
//! # The reader is relaxed
//! - A line may end with a line feed or with a carriage return and a line feed; the last one need
//!   not end at all.
//! - A byte order mark of UTF-8 at the beginning of a file is skipped, and so are blank lines and
//!   comments.
//! - Each line is recognised for itself, so that formats may be mixed in one file, and files of all
//!   formats in one run.
//!
//! # And it goes on
//! One bad line or game costs just that: it becomes an entry that says what is wrong. What cannot
//! be opened, or turns out not to be text, costs the rest of that file, with one message and not
//! one for each line; the next file is read all the same.
//!
//! # In bounded memory
//! A line, and a game that is spread over lines, may have [64 KiB](super::line::LONGEST); of a
//! database there is one game in memory. A list may be as long as it likes.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::othello::Colour;

use super::Format;
use super::game::{Selection, Span, empties_of};
use super::lines::{Content, Fault, Found, Lines, Step};
use super::problem::{LineOrGame, Location, Problem, ReadError};
use super::source::{FileError, Input, Source, hex};
use super::wthor::{self, Header};

/// How sources are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// The format of everything; none if each file's and each line's looks decide.
    pub format: Option<Format>,
    /// The side to move in positions that do not name it: plain ones, and those of CSV and JSON
    /// Lines.
    pub side: Option<Colour>,
    /// Which positions are taken from games. It does not touch positions that stand for themselves.
    pub selection: Selection,
}

/// What a line or a game gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name in the output: the one that the input has for it (`id` of CSV and JSON Lines), or
    /// `file:line`; `file#game` for games of GGF and of a WTHOR database. Where a game may give
    /// several positions, `@` and the number of empties follow.
    pub id: String,
    /// Where it stands. A game that is spread over lines stands where it begins.
    pub location: Location,
    /// The position, or why there is none.
    pub problem: Result<Problem, ReadError>,
}

/// What a [`Reader`] comes upon.
#[derive(Debug)]
pub enum Item {
    /// A line that is neither blank nor a comment, or a position of a game.
    Entry(Entry),
    /// A source was read to its end, and there was no such line in it.
    Empty {
        /// Its name.
        file: String,
    },
    /// A source was read to its end, and some of its games did not have the positions that are
    /// wanted.
    MissingPositions(MissingPositions),
    /// A source could not be read, or not to its end.
    Failure(FileError),
}

/// How many games of a file did not have the positions that are wanted: they ended before, or began
/// after them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingPositions {
    /// The file's name.
    pub file: String,
    /// How many games there were.
    pub games: u64,
    /// How many of them gave no entry.
    pub without: u64,
    /// The empties of the positions that were wanted.
    pub empties: Span,
}

impl fmt::Display for MissingPositions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MissingPositions { file, games, without, empties } = self;
        let (noun, verb) = (
            if *games == 1 { "game" } else { "games" },
            if *without == 1 { "has" } else { "have" },
        );
        write!(f, "{file}: {without} of {games} {noun} {verb} no position with {empties} empties")
    }
}

/// Reads sources one after the other. It is an iterator over their [`Item`]s, in input order.
///
/// ```
/// use yose::records::{Item, ReadOptions, Reader, Source};
///
/// let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X\n";
/// let source = Source::Memory { name: "example.obf", bytes: board.as_bytes().into() };
/// for item in Reader::new(vec![source], ReadOptions::default()) {
///     let Item::Entry(entry) = item else { continue };
///     let problem = entry.problem?;
///     assert_eq!(problem.diagram.position.empties().count(), 6);
///     assert_eq!(entry.location.to_string(), "example.obf:1");
/// }
/// # Ok::<(), yose::records::ReadError>(())
/// ```
pub struct Reader {
    sources: Vec<Source>,
    inputs: Vec<Input>,
    reading: ReadOptions,
    /// The sources before this one are done with.
    next: usize,
    open: Option<Open>,
    /// What was read and not given yet: at most the positions of the games in one line.
    ready: VecDeque<Item>,
}

/// The source that is being read.
struct Open {
    file: Arc<str>,
    input: Box<dyn BufRead>,
    digest: Sha256,
    body: Body,
    /// How many entries it gave, and how many games were wanted of it.
    entries: u64,
    wanted: u64,
    /// How many games were read.
    games: u64,
    /// How many of those wanted gave no entry, and what was wanted of the last of them.
    without: u64,
    empties: Option<Span>,
}

/// What is in a source.
enum Body {
    Text(Lines),
    Database { header: Header },
}

impl Reader {
    /// A reader of these sources, none of which is opened yet.
    pub fn new(sources: Vec<Source>, reading: ReadOptions) -> Reader {
        let inputs =
            sources.iter().map(|source| Input { name: source.name(), sha256: None }).collect();
        Reader { sources, inputs, reading, next: 0, open: None, ready: VecDeque::new() }
    }

    /// The sources, with the digests of those that have been read to their end.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// How many of the sources are done with.
    pub fn done(&self) -> usize {
        self.next
    }

    /// Reads on in the open source, or opens the next one; none after the last.
    fn advance(&mut self) -> Option<()> {
        let Some(open) = &mut self.open else {
            match Open::new(self.sources.get(self.next)?, &self.reading) {
                Ok(open) => self.open = Some(open),
                Err(error) => {
                    self.ready.push_back(Item::Failure(error));
                    self.next += 1;
                }
            }
            return Some(());
        };
        match open.advance(&self.reading) {
            Ok(Some(found)) => {
                for found in found {
                    open.give(found, &self.reading.selection, &mut self.ready);
                }
            }
            Ok(None) => {
                self.inputs[self.next].sha256 = Some(hex(&open.digest.finalize_reset()));
                self.ready.extend(open.farewell());
                self.close();
            }
            Err(error) => {
                self.ready.push_back(Item::Failure(error));
                self.close();
            }
        }
        Some(())
    }

    fn close(&mut self) {
        self.open = None;
        self.next += 1;
    }
}

impl Open {
    /// Opens a source, and looks at its beginning.
    fn new(source: &Source, reading: &ReadOptions) -> Result<Open, FileError> {
        let (input, file) = (source.open()?, Arc::from(source.name()));
        let body = Body::Text(Lines::default());
        let digest = Sha256::new();
        let mut open = Open {
            file,
            input,
            digest,
            body,
            entries: 0,
            wanted: 0,
            games: 0,
            without: 0,
            empties: None,
        };
        let first = open.peek().map_err(|error| open.failed(LineOrGame::Line(1), error))?;
        match reading.format {
            Some(Format::Wthor) => {}
            None if first.is_some_and(Header::may_begin_with) => {}
            _ => return Ok(open),
        }
        // No more than one byte has been looked at so far: what types lines into a pipe is not kept
        // waiting for its answers.
        let mut bytes = [0; wthor::HEADER];
        let length =
            open.fill(&mut bytes).map_err(|error| open.failed(LineOrGame::Line(1), error))?;
        let header = Some(&bytes).filter(|_| length == bytes.len()).and_then(Header::read);
        let file = || open.file.as_ref().to_owned();
        open.body = match header {
            None if reading.format.is_some() => return Err(FileError::NotWthor { file: file() }),
            None => {
                return Err(FileError::NotText { location: open.location(LineOrGame::Line(1)) });
            }
            Some(Header { size, .. }) if size != 8 => {
                return Err(FileError::BoardSize { file: file(), size });
            }
            Some(Header { empties: None, .. }) if reading.selection.empties.is_none() => {
                return Err(FileError::NoDepth { file: file() });
            }
            Some(header) => Body::Database { header },
        };
        Ok(open)
    }

    /// Reads the next line or game; none at the end of the source.
    fn advance(&mut self, reading: &ReadOptions) -> Result<Option<Vec<Found>>, FileError> {
        match &mut self.body {
            Body::Text(lines) => {
                let step =
                    lines.advance(&mut *self.input, reading, |bytes| self.digest.update(bytes));
                let at = LineOrGame::Line(lines.number);
                match step.map_err(|error| self.failed(at, error))? {
                    Step::Found(found) => Ok(Some(found)),
                    Step::End => Ok(None),
                    Step::NotText => Err(FileError::NotText { location: self.location(at) }),
                    Step::NoHead { column } => {
                        Err(FileError::NoHead { location: self.location(at), column })
                    }
                }
            }
            &mut Body::Database { header } => self.next_game(&header),
        }
    }

    /// Reads the next game of a database.
    fn next_game(&mut self, header: &Header) -> Result<Option<Vec<Found>>, FileError> {
        let at = LineOrGame::Game(self.games + 1);
        if self.games == u64::from(header.games) {
            return match self.peek().map_err(|error| self.failed(at, error))? {
                None => Ok(None),
                Some(_) => Err(FileError::TooMuch {
                    file: self.file.as_ref().to_owned(),
                    games: header.games,
                }),
            };
        }
        let mut record = [0; wthor::RECORD];
        if self.fill(&mut record).map_err(|error| self.failed(at, error))? < record.len() {
            return Err(FileError::CutShort { location: self.location(at), games: header.games });
        }
        let game =
            wthor::read(&record, header).map_err(|error| Fault::new(at, error.offset + 1, error));
        Ok(Some(vec![Found { at, content: Content::Game { game, numbered: true } }]))
    }

    /// Makes entries of what was found.
    fn give(&mut self, found: Found, selection: &Selection, ready: &mut VecDeque<Item>) {
        let location = self.location(found.at);
        let (game, numbered) = match found.content {
            Content::Position { id, problem } => {
                let id = id.unwrap_or_else(|| location.to_string());
                let problem = problem.map_err(|fault| self.error(fault));
                self.entries += 1;
                ready.push_back(Item::Entry(Entry { id, location, problem }));
                return;
            }
            Content::Game { game, numbered } => (game, numbered),
        };
        self.games += 1;
        if selection.games.is_some_and(|span| !span.contains(self.games)) {
            return;
        }
        self.wanted += 1;
        let id =
            if numbered { format!("{}#{}", self.file, self.games) } else { location.to_string() };
        let before = ready.len();
        match game {
            Err(fault) => {
                ready.push_back(Item::Entry(Entry {
                    id,
                    location,
                    problem: Err(self.error(fault)),
                }));
            }
            Ok(game) => {
                let wanted = selection.empties.or(game.usual.map(Span::of));
                let several = wanted.is_some_and(|span| span.first != span.last);
                let problems = game.selected(wanted);
                if problems.is_empty() {
                    (self.without, self.empties) = (self.without + 1, wanted);
                }
                ready.extend(problems.into_iter().map(|problem| {
                    let id =
                        if several { format!("{id}@{}", empties_of(&problem)) } else { id.clone() };
                    Item::Entry(Entry { id, location: location.clone(), problem: Ok(problem) })
                }));
            }
        }
        self.entries += (ready.len() - before) as u64;
    }

    /// What is to be said of a source at its end.
    fn farewell(&self) -> Option<Item> {
        let file = self.file.as_ref().to_owned();
        match self.empties {
            Some(empties) => Some(Item::MissingPositions(MissingPositions {
                file,
                games: self.wanted,
                without: self.without,
                empties,
            })),
            None => (self.entries == 0).then_some(Item::Empty { file }),
        }
    }

    fn location(&self, at: LineOrGame) -> Location {
        Location { file: Arc::clone(&self.file), at }
    }

    fn error(&self, fault: Fault) -> ReadError {
        ReadError {
            location: self.location(fault.at),
            column: fault.column,
            what: fault.what,
            hint: fault.hint,
        }
    }

    fn failed(&self, at: LineOrGame, error: io::Error) -> FileError {
        FileError::Read { location: self.location(at), error }
    }

    /// The next byte, which is not taken; none at the end.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                available => return Ok(available?.first().copied()),
            }
        }
    }

    /// Fills the buffer, and gives how many bytes it took: fewer at the end of the source.
    fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut length = 0;
        while length < buffer.len() && self.peek()?.is_some() {
            let read = self.input.read(&mut buffer[length..])?;
            self.digest.update(&buffer[length..length + read]);
            length += read;
        }
        Ok(length)
    }
}

impl Iterator for Reader {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        while self.ready.is_empty() {
            self.advance()?;
        }
        self.ready.pop_front()
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("inputs", &self.inputs)
            .field("reading", &self.reading)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
