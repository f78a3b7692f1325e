//! Games: legal moves, and the positions that they give.
//!
//! The formats with games ([`transcript`](super::transcript), [`ggf`](super::ggf),
//! [`wthor`](super::wthor)) parse their moves. This module plays the moves, so that the same rules
//! hold for all formats:
//!
//! - Every move must be legal, also after the selected positions. An illegal move is an error for
//!   the whole game, which names the number of the move. Passes have no number.
//! - A pass may be left out. A written pass must be forced. Passes after the end of the game are
//!   skipped, as some programs write them.
//! - The positions of a game are those in which a disc was placed, and the last one. A position
//!   with a forced pass is replaced by the position after the pass. So there is one position for
//!   each number of empties.
//!
//! A [`Selection`] selects the positions that become entries. A game without a selected position
//! gives no entry; the reader reports the number of such games at the end of the file.

use std::fmt;
use std::str::FromStr;

use crate::othello::{Bitboard, Colour, Diagram, Move, Score, Square};

use super::error::{LineError, illegal_move};
use super::notes::GameDetails;
use super::problem::Problem;

/// The selection of games, and of positions of each game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// The numbers of the games in their file, from 1; `None` selects all games.
    pub games: Option<Span>,
    /// The numbers of empties of the positions. `None` selects one position of each game: in a
    /// WTHOR database the position of the theoretical score, else the last position.
    pub empties: Option<Span>,
}

/// A range of numbers from `first` to `last`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The first number.
    pub first: u64,
    /// The last number, which is not below the first.
    pub last: u64,
}

impl Span {
    /// The range of one number.
    pub const fn of(number: u64) -> Span {
        Span { first: number, last: number }
    }

    /// Whether the range contains a number.
    pub fn contains(self, number: u64) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            write!(f, "{}", self.first)
        } else {
            write!(f, "{}-{}", self.first, self.last)
        }
    }
}

impl FromStr for Span {
    type Err = String;

    /// Reads `A-B` or a single number.
    ///
    /// # Errors
    /// With what would be right, if the text is not a range.
    fn from_str(text: &str) -> Result<Span, String> {
        let number = |text: &str| text.trim().parse().ok();
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Span { first, last }),
            (Some(first), Some(last)) => {
                Err(format!("{first} is more than {last}; the smaller number comes first"))
            }
            _ => Err("write one number, or two with a `-` between them, such as 12-20".to_owned()),
        }
    }
}

/// A move of a game as its file records it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameMove {
    pub mv: Move,
    /// The player in the file, if the format names one.
    pub by: Option<Colour>,
    /// Byte offset in the line or in the record.
    pub offset: usize,
}

/// A game with its positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Game {
    /// The positions in which a disc was placed, and the last one. There is at least one. Each has
    /// one empty square less than the one before.
    pub positions: Vec<Problem>,
    /// The number of empties of the position that the game gives without a selection; `None` means
    /// the last position.
    pub usual: Option<u64>,
    /// What the file says about the game. The score is seen by Black.
    pub details: GameDetails,
}

impl Game {
    /// Plays the moves from a start position.
    ///
    /// # Errors
    /// With the first move that is not legal, or is not by the named player.
    pub fn play(start: Diagram, moves: &[GameMove]) -> Result<Game, LineError> {
        let (mut current, mut positions) = (start, Vec::with_capacity(moves.len() + 1));
        for &GameMove { mv, by, offset } in moves {
            let number = positions.len() + 1;
            if mv == Move::Pass {
                if current.position.is_over() {
                    continue;
                }
            } else if let Some(after_pass) = current.make(Move::Pass) {
                current = after_pass;
            }
            let Some(next) = current.make(mv) else {
                let (what, hint) = illegal_move(mv, &current);
                return Err(LineError::new(offset, format!("move {number}: {what}"), hint));
            };
            if let Some(by) = by.filter(|&by| by != current.to_move) {
                let what = format!("move {number} is said to be {by}'s");
                let hint = format!("it is the turn of {}", current.to_move);
                return Err(LineError::new(offset, what, hint));
            }
            if mv != Move::Pass {
                positions.push(Problem::new(current));
            }
            current = next;
        }
        positions.push(Problem::new(current.make(Move::Pass).unwrap_or(current)));
        Ok(Game { positions, usual: None, details: GameDetails::default() })
    }

    /// The score of the game for Black: the one that the file has, or else that of the last
    /// position if the game is over there.
    pub fn black_score(&self) -> Option<Score> {
        let at_end = || {
            let last = &self.positions.last()?.diagram;
            let score = last.position.is_over().then(|| last.position.final_score())?;
            Some(if last.to_move == Colour::Black { score } else { -score })
        };
        self.details.real_score.or_else(at_end)
    }

    /// For each position, the move that led to it.
    pub fn last_moves(&self) -> Vec<Option<Square>> {
        let empties = |problem: &Problem| problem.diagram.position.empties().0;
        let played = |pair: &[Problem]| Bitboard(empties(&pair[0]) & !empties(&pair[1])).first();
        std::iter::once(None).chain(self.positions.windows(2).map(played)).collect()
    }

    /// The positions with these numbers of empties, in the order of the game; the last position if
    /// `empties` is `None`.
    pub fn selected(mut self, empties: Option<Span>) -> Vec<Problem> {
        match empties {
            Some(span) => self.positions.retain(|problem| span.contains(empties_of(problem))),
            None => drop(self.positions.drain(..self.positions.len() - 1)),
        }
        self.positions
    }
}

/// The number of empties of a problem.
pub(super) fn empties_of(problem: &Problem) -> u64 {
    u64::from(problem.diagram.position.empties().count())
}

#[cfg(test)]
pub(super) mod samples {
    //! Games for the tests of the formats.

    use crate::othello::{Diagram, Move, Square};

    /// The moves of a game, with its passes. `choices` picks the moves, until the end of the game
    /// or of `choices`.
    pub fn random(choices: &[u8]) -> Vec<Move> {
        let (mut current, mut moves) = (Diagram::START, Vec::new());
        let mut choices = choices.iter().map(|&choice| usize::from(choice));
        loop {
            let legal: Vec<Square> = current.position.moves().into_iter().collect();
            let mv = if !legal.is_empty() {
                let Some(choice) = choices.next() else { return moves };
                Move::Place(legal[choice % legal.len()])
            } else if current.position.must_pass() {
                Move::Pass
            } else {
                return moves;
            };
            current = current.make(mv).expect("a legal move");
            moves.push(mv);
        }
    }

    /// The position after these moves, and after a forced pass.
    pub fn after(moves: &[Move]) -> Diagram {
        let last = moves
            .iter()
            .fold(Diagram::START, |current, &mv| current.make(mv).expect("a legal move"));
        last.make(Move::Pass).unwrap_or(last)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn recorded(moves: &[Move]) -> Vec<GameMove> {
        moves.iter().enumerate().map(|(offset, &mv)| GameMove { mv, by: None, offset }).collect()
    }

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').map(|mv| mv.parse().expect("a move")).collect()
    }

    /// Nine moves, after which White has no disc left: no game is shorter.
    const WIPEOUT: &str = "e6 f4 e3 f6 g5 d6 e7 f5 c5";

    #[test]
    fn spans_read_and_print() {
        assert_eq!("12-20".parse(), Ok(Span { first: 12, last: 20 }));
        assert_eq!("7".parse(), Ok(Span::of(7)));
        for text in ["12-20", "7"] {
            assert_eq!(text.parse::<Span>().map(|span| span.to_string()), Ok(text.to_owned()));
        }
        for (text, part) in [
            ("20-12", "20 is more than 12"),
            ("", "write one number"),
            ("-3", "write one"),
            ("1-2-3", "write one"),
        ] {
            assert!(text.parse::<Span>().expect_err(text).contains(part), "{text}");
        }
    }

    #[test]
    fn an_illegal_move_is_named_by_its_number() {
        let error =
            Game::play(Diagram::START, &recorded(&moves("f5 d6 a1"))).expect_err("a1 is not legal");
        assert_eq!((error.offset, error.what.as_str()), (2, "move 3: X cannot play a1"));
        assert_eq!(error.hint, "the legal moves are c3 c4 c5 c6 c7");
        let error =
            Game::play(Diagram::START, &recorded(&moves("f5 --"))).expect_err("there are moves");
        assert_eq!(error.what, "move 2: O cannot pass");
        let late = format!("{WIPEOUT} a1");
        let error =
            Game::play(Diagram::START, &recorded(&moves(&late))).expect_err("the game is over");
        assert_eq!(
            (error.what.as_str(), error.hint.as_str()),
            ("move 10: O cannot play a1", "the game is over")
        );
    }

    #[test]
    fn a_pass_after_the_end_is_skipped() {
        let game = Game::play(Diagram::START, &recorded(&moves(&format!("{WIPEOUT} -- --"))))
            .expect("a game");
        assert_eq!(game.positions.len(), 10);
        assert!(game.positions[9].diagram.position.is_over());
        assert_eq!(game.selected(None).len(), 1);
    }

    #[test]
    fn the_named_player_must_be_to_move() {
        let by = |by| GameMove { mv: "f5".parse().expect("a move"), by: Some(by), offset: 0 };
        assert!(Game::play(Diagram::START, &[by(Colour::Black)]).is_ok());
        let error = Game::play(Diagram::START, &[by(Colour::White)]).expect_err("Black begins");
        assert_eq!(
            (error.what.as_str(), error.hint.as_str()),
            ("move 1 is said to be O's", "it is the turn of X")
        );
    }

    proptest! {
        #[test]
        fn passes_may_be_written_or_not(choices in prop::collection::vec(any::<u8>(), 0..64)) {
            let written = samples::random(&choices);
            let without: Vec<Move> =
                written.iter().copied().filter(|&mv| mv != Move::Pass).collect();
            let [game, same] = [&written, &without]
                .map(|moves| Game::play(Diagram::START, &recorded(moves)).expect("legal moves"));
            prop_assert_eq!(&same, &game);
            let last = game.positions.last().map(|problem| problem.diagram);
            prop_assert_eq!(last, Some(samples::after(&written)));
            for (number, problem) in game.positions.iter().enumerate() {
                prop_assert_eq!(empties_of(problem), 60 - number as u64);
                prop_assert!(!problem.diagram.position.must_pass());
            }
        }

        #[test]
        fn positions_are_selected_by_their_empties(
            choices in prop::collection::vec(any::<u8>(), 0..64), a in 0u64..=60, b in 0u64..=60,
        ) {
            let moves = recorded(&samples::random(&choices));
            let game = Game::play(Diagram::START, &moves).expect("legal moves");
            let span = Span { first: a.min(b), last: a.max(b) };
            let lowest = 60 - (game.positions.len() as u64 - 1);
            let expected: Vec<u64> = (span.first.max(lowest)..=span.last).rev().collect();
            let selected = |span| -> Vec<u64> {
                game.clone().selected(Some(span)).iter().map(empties_of).collect()
            };
            prop_assert_eq!(selected(Span::of(a)), Vec::from_iter((a >= lowest).then_some(a)));
            prop_assert_eq!(selected(span), expected);
        }
    }
}
