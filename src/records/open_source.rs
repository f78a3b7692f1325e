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
use super::notes::{GameNotes, Notes};
use super::problem::{MalformedClaims, Problem};
use super::source::{FileError, Source};
use super::stream::Stream;
use super::wthor::Players;
use crate::othello::Colour;

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
    /// The names of the players of a database.
    players: Players,
    /// Why these are not complete.
    names_error: Option<FileError>,
}

/// The names of an entry, and its notes.
struct EntryNames {
    id: String,
    location: Location,
    notes: Notes,
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
        // A database has numbers of players.
        let (players, names_error) = match (source, reader.at()) {
            (Source::File(path), LineOrGame::Game(_)) if options.notes => Players::beside(path),
            _ => (Players::default(), None),
        };
        Ok(OpenSource { file, stream, reader, options, counts, missing, players, names_error })
    }

    /// Reads the next line or game; `None` at the end of the source.
    pub fn next(&mut self) -> Result<Option<Vec<ParsedEntry>>, FileError> {
        let result = self.reader.next(&mut self.stream);
        result.map_err(|stop| stop.at(self.location(self.reader.at())))
    }

    /// Adds the items of an entry to `ready`: none or several for a game.
    pub fn push_items(&mut self, entry: ParsedEntry, ready: &mut VecDeque<Item>) {
        let location = self.location(entry.at);
        let notes = Notes { comment: entry.comment.filter(|_| self.options.notes), game: None };
        match entry.content {
            EntryContent::Position { id, problem } => {
                let id = id.unwrap_or_else(|| location.to_string());
                let problem = problem
                    .map_err(|error| self.read_error(error))
                    .and_then(|problem| self.check_claims(problem, &location));
                self.counts.entries += 1;
                ready.push_back(Item::Entry(Entry { id, location, notes, problem }));
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
                let names = EntryNames { id, location, notes };
                self.push_game(names, game, ready);
                self.counts.entries += (ready.len() - before) as u64;
            }
        }
    }

    /// Adds the selected positions of a game to `ready`.
    fn push_game(
        &mut self,
        names: EntryNames,
        game: Result<Game, EntryError>,
        ready: &mut VecDeque<Item>,
    ) {
        self.counts.selected_games += 1;
        let EntryNames { id, location, mut notes } = names;
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                let problem = Err(self.read_error(error));
                ready.push_back(Item::Entry(Entry { id, location, notes, problem }));
                return;
            }
        };
        let empties = self.options.selection.empties.or(game.usual.map(Span::of));
        let several = empties.is_some_and(|span| span.first != span.last);
        let first = empties_of(&game.positions[0]);
        let black_score = game.black_score();
        if self.options.notes {
            notes.game = Some(Box::new(GameNotes {
                file: Arc::clone(&self.file),
                number: self.counts.games,
                move_number: 1,
                last_move: None,
                details: self.players.named(game.details.clone()),
            }));
        }
        let last_moves = if self.options.notes { game.last_moves() } else { Vec::new() };
        let problems = game.selected(empties);
        if problems.is_empty() {
            self.counts.games_without_entry += 1;
            self.missing = empties;
        }
        ready.extend(problems.into_iter().map(|problem| {
            let id = if several { format!("{id}@{}", empties_of(&problem)) } else { id.clone() };
            let mut notes = notes.clone();
            if let Some(game) = &mut notes.game {
                let played = first - empties_of(&problem);
                game.move_number = played + 1;
                game.last_move = last_moves.get(played as usize).copied().flatten();
                let black = problem.diagram.to_move == Colour::Black;
                game.details.real_score =
                    black_score.map(|score| if black { score } else { -score });
            }
            Item::Entry(Entry { id, location: location.clone(), notes, problem: Ok(problem) })
        }));
    }

    /// The problem, or the error of its first malformed claim if the options refuse such entries.
    fn check_claims(&self, problem: Problem, location: &Location) -> Result<Problem, ReadError> {
        match (problem.malformed.first(), self.options.malformed_claims) {
            (Some(claim), MalformedClaims::Refuse) => Err(claim.error(location)),
            _ => Ok(problem),
        }
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

    /// The error of the names of the players, once. The source is read nevertheless.
    pub fn take_names_error(&mut self) -> Option<FileError> {
        self.names_error.take()
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
