//! A source that is being read: its format, the identifiers of its entries, and the positions that
//! are selected from its games.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use super::entry::{Content, EmptySource, Entry, Item, MissingPositions, ReadOptions};
use super::error::{LineOrGame, Location, ReadError};
use super::format_reader::{EntryContent, EntryError, ParsedEntry, Stop};
use super::formats::Format;
use super::game::{Game, Span, empties_of};
use super::lines::TextReader;
use super::source::{FileError, Source};
use super::stream::Stream;
use super::wthor::{self, DatabaseHeader};

/// A source that is being read.
#[derive(Debug)]
pub(super) struct OpenSource {
    file: Arc<str>,
    stream: Stream,
    body: Body,
    options: ReadOptions,
    counts: Counts,
    /// The selected empties of the latest game without a selected position.
    missing: Option<Span>,
}

/// The numbers of entries and games of a source so far.
#[derive(Default, Debug)]
struct Counts {
    entries: u64,
    games: u64,
    selected_games: u64,
    games_without_entry: u64,
}

/// The content of a source.
#[derive(Debug)]
enum Body {
    Text(TextReader),
    Database(DatabaseHeader),
}

impl OpenSource {
    /// Opens a source, and recognises a database from its header.
    ///
    /// Only the first byte of a text is examined here. A reader of more bytes would delay the
    /// answer to a line that a user types into a pipe.
    pub fn new(source: &Source, options: ReadOptions) -> Result<OpenSource, FileError> {
        let mut open = OpenSource {
            file: Arc::from(source.name()),
            stream: Stream::new(source.open()?),
            body: Body::Text(TextReader::new(options.format)),
            options,
            counts: Counts::default(),
            missing: None,
        };
        let first = open.stream.peek().map_err(|error| open.failed(LineOrGame::Line(1), error))?;
        let may_be_database = match options.format {
            Some(format) => format == Format::Wthor,
            None => first.is_some_and(DatabaseHeader::may_begin_with),
        };
        if may_be_database {
            open.body = Body::Database(open.read_database_header()?);
        }
        Ok(open)
    }

    fn read_database_header(&mut self) -> Result<DatabaseHeader, FileError> {
        let mut bytes = [0; wthor::HEADER];
        let length = self
            .stream
            .fill(&mut bytes)
            .map_err(|error| self.failed(LineOrGame::Line(1), error))?;
        let header = Some(&bytes).filter(|_| length == bytes.len()).and_then(DatabaseHeader::read);
        let file = self.file.to_string();
        match header {
            None if self.options.format.is_some() => Err(FileError::NotWthor { file }),
            None => Err(FileError::NotText { location: self.location(LineOrGame::Line(1)) }),
            Some(DatabaseHeader { size, .. }) if size != 8 => {
                Err(FileError::BoardSize { file, size })
            }
            Some(DatabaseHeader { empties: None, .. })
                if self.options.selection.empties.is_none() =>
            {
                Err(FileError::UnknownScoreEmpties { file })
            }
            Some(header) => Ok(header),
        }
    }

    /// Reads the next line or game; `None` at the end of the source.
    pub fn next(&mut self) -> Result<Option<Vec<ParsedEntry>>, FileError> {
        match &mut self.body {
            Body::Text(lines) => {
                let result = lines.next(&mut self.stream, self.options.side);
                let at = LineOrGame::Line(lines.number());
                result.map_err(|stop| match stop {
                    Stop::Io(error) => self.failed(at, error),
                    Stop::NotText => FileError::NotText { location: self.location(at) },
                    Stop::MissingHeader { column } => {
                        FileError::MissingHeader { location: self.location(at), column }
                    }
                })
            }
            &mut Body::Database(header) => self.next_game(&header),
        }
    }

    /// Reads the next game of a database.
    fn next_game(
        &mut self,
        header: &DatabaseHeader,
    ) -> Result<Option<Vec<ParsedEntry>>, FileError> {
        let at = LineOrGame::Game(self.counts.games + 1);
        if self.counts.games == u64::from(header.games) {
            let next = self.stream.peek().map_err(|error| self.failed(at, error))?;
            return match next {
                None => Ok(None),
                Some(_) => Err(FileError::TrailingData {
                    file: self.file.to_string(),
                    games: header.games,
                }),
            };
        }
        let mut record = [0; wthor::RECORD];
        let length = self.stream.fill(&mut record).map_err(|error| self.failed(at, error))?;
        if length < record.len() {
            let location = self.location(at);
            return Err(FileError::Truncated { location, games: header.games });
        }
        let game = wthor::read(&record, header).map_err(|error| EntryError {
            at,
            column: error.offset + 1,
            error,
        });
        let content = EntryContent::Game { game, numbered: true };
        Ok(Some(vec![ParsedEntry { at, content }]))
    }

    /// Adds the items of an entry to `ready`: none or several for a game.
    pub fn push_items(&mut self, entry: ParsedEntry, ready: &mut VecDeque<Item>) {
        let location = self.location(entry.at);
        match entry.content {
            EntryContent::Position { id, problem } => {
                let id = id.unwrap_or_else(|| location.to_string());
                let problem = problem.map_err(|error| self.read_error(error));
                self.counts.entries += 1;
                ready.push_back(Item::Entry(Entry { id, location, problem }));
            }
            EntryContent::Game { game, numbered } => {
                self.counts.games += 1;
                let number = self.counts.games;
                let games = self.options.selection.games;
                if games.is_some_and(|span| !span.contains(number)) {
                    return;
                }
                let id =
                    if numbered { format!("{}#{number}", self.file) } else { location.to_string() };
                let before = ready.len();
                self.push_game(id, location, game, ready);
                self.counts.entries += (ready.len() - before) as u64;
            }
        }
    }

    /// Adds the selected positions of a game to `ready`.
    fn push_game(
        &mut self,
        id: String,
        location: Location,
        game: Result<Game, EntryError>,
        ready: &mut VecDeque<Item>,
    ) {
        self.counts.selected_games += 1;
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                let problem = Err(self.read_error(error));
                ready.push_back(Item::Entry(Entry { id, location, problem }));
                return;
            }
        };
        let empties = self.options.selection.empties.or(game.usual.map(Span::of));
        let several = empties.is_some_and(|span| span.first != span.last);
        let problems = game.selected(empties);
        if problems.is_empty() {
            self.counts.games_without_entry += 1;
            self.missing = empties;
        }
        ready.extend(problems.into_iter().map(|problem| {
            let id = if several { format!("{id}@{}", empties_of(&problem)) } else { id.clone() };
            Item::Entry(Entry { id, location: location.clone(), problem: Ok(problem) })
        }));
    }

    /// The digest of the bytes that were read.
    pub fn finish_digest(&mut self) -> String {
        self.stream.finish_digest()
    }

    /// The item for the end of the source, if there is something to report.
    pub fn item_at_end(&self) -> Option<Item> {
        let file = self.file.to_string();
        match self.missing {
            Some(empties) => Some(Item::MissingPositions(MissingPositions {
                file,
                games: self.counts.selected_games,
                without: self.counts.games_without_entry,
                empties,
            })),
            None => (self.counts.entries == 0)
                .then(|| Item::Empty(EmptySource { file, content: self.content() })),
        }
    }

    /// The number of entries so far.
    pub fn entries(&self) -> u64 {
        self.counts.entries
    }

    /// What the source has, as far as it was read.
    pub fn content(&self) -> Content {
        match &self.body {
            _ if self.counts.games > 0 => Content::Games(self.counts.games),
            Body::Database(_) => Content::DatabaseHeader,
            Body::Text(lines) => match lines.content() {
                0 => Content::Nothing,
                count => Content::Lines(count),
            },
        }
    }

    fn location(&self, at: LineOrGame) -> Location {
        Location { file: Arc::clone(&self.file), at }
    }

    fn read_error(&self, error: EntryError) -> ReadError {
        let EntryError { at, column, error } = error;
        ReadError { location: self.location(at), column, what: error.what, hint: error.hint }
    }

    fn failed(&self, at: LineOrGame, error: io::Error) -> FileError {
        FileError::Read { location: self.location(at), error }
    }
}
