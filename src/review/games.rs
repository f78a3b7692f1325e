//! Games to review: positions with the moves that were played in them.
//!
//! The [`Reader`] gives the positions of a game one after the other. This module joins those of a
//! game: the square that is occupied in the next position, and was empty in this one, is the move.

use std::fmt::Display;
use std::sync::Arc;

use crate::othello::{Colour, Diagram, Move, Score, Square};
use crate::records::{GameDetails, Input, Item, ReadOptions, Reader, Selection, Source, Span};

/// A position of a game, and the move that was played in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The number of the move in the game, from 1. Passes have no number.
    pub number: u64,
    /// The position. The side to move has a move.
    pub diagram: Diagram,
    /// The move.
    pub square: Square,
}

impl Turn {
    /// The number of empties of the position.
    pub fn empties(&self) -> u64 {
        u64::from(self.diagram.position.empties().count())
    }
}

/// A game: who played, and all moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The identifier: `file#number` of a game of GGF or WTHOR, else `file:line`.
    pub id: String,
    /// The name of the file.
    pub file: Arc<str>,
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// What the file says about the game. The score is seen by Black.
    pub details: GameDetails,
    /// The moves in their order, without passes.
    pub turns: Vec<Turn>,
    /// The last position.
    pub end: Diagram,
}

impl Game {
    /// The name of a player, if the file has it.
    pub fn player(&self, colour: Colour) -> Option<&str> {
        match colour {
            Colour::Black => self.details.black.as_deref(),
            Colour::White => self.details.white.as_deref(),
        }
    }

    /// The colour of the player whose name contains `part`, whatever the case of its letters. If
    /// both names do, Black.
    pub fn colour_of(&self, part: &str) -> Option<Colour> {
        let part = part.to_lowercase();
        let is_named = |colour: &Colour| {
            self.player(*colour).is_some_and(|name| name.to_lowercase().contains(&part))
        };
        [Colour::Black, Colour::White].into_iter().find(is_named)
    }

    /// The moves whose positions have these numbers of empties.
    pub fn turns_in(&self, empties: Span) -> impl DoubleEndedIterator<Item = &Turn> {
        self.turns.iter().filter(move |turn| empties.contains(turn.empties()))
    }
}

/// Reads all games of the sources, in their order, and the digests of the sources. `player` selects
/// the games in which one of the names contains it. What cannot be read, and positions that are
/// not part of a game, go to `message`.
///
/// The count is that of the entries and files that could not be read.
pub fn read_games(
    sources: Vec<Source>,
    options: ReadOptions,
    player: Option<&str>,
    mut message: impl FnMut(&dyn Display),
) -> (Vec<Game>, Vec<Input>, Unread) {
    let selection = Selection { empties: Some(Span { first: 0, last: 60 }), ..options.selection };
    let mut reader = Reader::new(sources, ReadOptions { selection, notes: true, ..options });
    let (mut games, mut unread) = (Vec::<Game>::new(), Unread::default());
    for item in reader.by_ref() {
        let entry = match item {
            Item::Entry(entry) => entry,
            Item::Empty(empty) => {
                message(&empty);
                continue;
            }
            Item::MissingPositions(missing) => {
                message(&missing);
                continue;
            }
            Item::Failure(error) => {
                unread.files += 1;
                message(&error);
                continue;
            }
        };
        let diagram = match entry.problem {
            Ok(problem) => problem.diagram,
            Err(error) => {
                unread.entries += 1;
                message(&error);
                continue;
            }
        };
        let Some(notes) = entry.notes.game else {
            unread.entries += 1;
            message(&format_args!("{}: is a position and no game", entry.id));
            continue;
        };
        if let Some(game) = games.last_mut()
            && game.number == notes.number
            && game.file == notes.file
            && let Some(square) = move_between(&game.end, &diagram)
        {
            let number = game.turns.len() as u64 + 1;
            game.turns.push(Turn { number, diagram: game.end, square });
            game.end = diagram;
            continue;
        }
        let seen_by_black =
            |score: Score| if diagram.to_move == Colour::Black { score } else { -score };
        let mut details = notes.details;
        details.real_score = details.real_score.map(seen_by_black);
        let id = entry.id.rsplit_once('@').map_or(entry.id.as_str(), |(id, _)| id).to_owned();
        let (file, number) = (notes.file, notes.number);
        games.push(Game { id, file, number, details, turns: Vec::new(), end: diagram });
    }
    if let Some(player) = player {
        games.retain(|game| game.colour_of(player).is_some());
    }
    (games, reader.inputs().to_vec(), unread)
}

/// What could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unread {
    /// Entries: lines and games.
    pub entries: u64,
    /// Files, or the rest of them.
    pub files: u64,
}

/// The move that leads from a position to the next one of a game, perhaps with a pass after it.
fn move_between(before: &Diagram, after: &Diagram) -> Option<Square> {
    let squares = before.position.empties().0 & !after.position.empties().0;
    if squares.count_ones() != 1 {
        return None;
    }
    let square = Square::new(squares.trailing_zeros() as u8);
    let next = before.make(Move::Place(square))?;
    let is_next = |next: Diagram| next == *after;
    (is_next(next) || next.make(Move::Pass).is_some_and(is_next)).then_some(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games_of(text: &'static str, player: Option<&str>) -> (Vec<Game>, Vec<String>, Unread) {
        let source = Source::Memory { name: "games", bytes: text.as_bytes().into() };
        let mut messages = Vec::new();
        let (games, _, unread) =
            read_games(vec![source.clone(), source], ReadOptions::default(), player, |message| {
                messages.push(message.to_string());
            });
        (games, messages, unread)
    }

    #[test]
    fn moves_come_from_the_positions() {
        let (games, messages, _) = games_of("f5d6c3d3c4\n", None);
        assert_eq!((games.len(), messages.len()), (2, 0), "the same file twice are two games");
        let moves: Vec<String> =
            games[0].turns.iter().map(|turn| turn.square.to_string()).collect();
        assert_eq!(moves, ["f5", "d6", "c3", "d3", "c4"]);
        assert_eq!(games[1].turns.len(), 5);
        assert_eq!(games[0].id, "games:1");
        let of_four = Span { first: 56, last: 57 };
        let numbers: Vec<u64> = games[0].turns_in(of_four).map(|turn| turn.number).collect();
        assert_eq!(numbers, [4, 5]);
    }

    #[test]
    fn players_are_found_by_a_part_of_their_names() {
        let text = "(;GM[Othello]PB[Ann Smith]PW[Bob]TY[8]B[f5]W[d6];)\n";
        for (part, colour) in [("smith", Colour::Black), ("BOB", Colour::White)] {
            let (games, ..) = games_of(text, Some(part));
            assert_eq!(games[0].colour_of(part), Some(colour));
        }
        assert!(games_of(text, Some("carol")).0.is_empty());
    }

    #[test]
    fn what_is_no_game_is_counted() {
        let position = "---------------------------OX------XO--------------------------- X\nf5a1\n";
        let (games, messages, unread) = games_of(position, None);
        assert_eq!((games.len(), unread), (0, Unread { entries: 4, files: 0 }));
        assert_eq!(messages[0], "games:1: is a position and no game");
    }
}
