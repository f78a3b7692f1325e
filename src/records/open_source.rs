//! A source that is being read: its format, the identifiers of its entries, and the positions that
//! are selected from its games.

use std::collections::VecDeque;
use std::sync::Arc;

use super::entry::{Content, EmptySource, Entry, Item, MissingPositions, ReadOptions};
use super::error::{LineOrGame, Location, ReadError};
use super::format_reader::{EntryContent, EntryError, ParsedEntry, SourceReader, Stop};
use super::formats::{Format, FormatKind};
use super::game::{Game, Span, empties_of};
use super::lines::TextReader;
use super::source::{FileError, Source};
use super::stream::Stream;

/// A source that is being read.
#[derive(Debug)]
pub(super) struct OpenSource {
    file: Arc<str>,
    stream: Stream,
    reader: Box<dyn SourceReader>,
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

impl OpenSource {
    /// Opens a source, and recognises a binary format.
    ///
    /// Only the first byte of a text is examined here. A reader of more bytes would delay the
    /// answer to a line that a user types into a pipe.
    pub fn new(source: &Source, options: ReadOptions) -> Result<OpenSource, FileError> {
        let file: Arc<str> = Arc::from(source.name());
        let mut stream = Stream::new(source.open()?);
        let start = Location { file: Arc::clone(&file), at: LineOrGame::Line(1) };
        let reader = source_reader(&mut stream, &options).map_err(|stop| stop.at(start))?;
        let (counts, missing) = (Counts::default(), None);
        Ok(OpenSource { file, stream, reader, options, counts, missing })
    }

    /// Reads the next line or game; `None` at the end of the source.
    pub fn next(&mut self) -> Result<Option<Vec<ParsedEntry>>, FileError> {
        let result = self.reader.next(&mut self.stream);
        result.map_err(|stop| stop.at(self.location(self.reader.at())))
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
            EntryContent::Game { id, game, numbered } => {
                self.counts.games += 1;
                let number = self.counts.games;
                let games = self.options.selection.games;
                if games.is_some_and(|span| !span.contains(number)) {
                    return;
                }
                let id = id.unwrap_or_else(|| match numbered {
                    true => format!("{}#{number}", self.file),
                    false => location.to_string(),
                });
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
        match self.counts.games {
            0 => self.reader.content(),
            games => Content::Games(games),
        }
    }

    fn location(&self, at: LineOrGame) -> Location {
        Location { file: Arc::clone(&self.file), at }
    }

    fn read_error(&self, error: EntryError) -> ReadError {
        let EntryError { at, column, error } = error;
        ReadError { location: self.location(at), column, what: error.what, hint: error.hint }
    }
}

/// The reader of the forced format, or of the format that the first byte of the source shows.
fn source_reader(
    stream: &mut Stream,
    options: &ReadOptions,
) -> Result<Box<dyn SourceReader>, Stop> {
    let first = stream.peek()?;
    for format in Format::ALL {
        if let FormatKind::Binary { may_begin_with, open } = format.kind()
            && options.format.map_or(first.is_some_and(may_begin_with), |forced| forced == format)
        {
            return open(stream, options);
        }
    }
    Ok(Box::new(TextReader::new(options)))
}
