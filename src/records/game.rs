//! Games: moves that were played, and the positions that come of them.
//!
//! The formats that hold games ([`transcript`](super::transcript), [`ggf`](super::ggf),
//! [`wthor`](super::wthor)) read their moves each in its own way; here they are played, so that the
//! rules about them are the same for all:
//!
//! - Every move must be legal, whichever positions are wanted. One that is not spoils its game, and
//!   is named by its number; a pass has none.
//! - A pass need not be written. Where it is, it must be forced; after the end of the game passes
//!   are skipped, as some programs write them there.
//! - A game's positions are those in which a disc was placed, and the last one. One in which the
//!   side to move must pass is left out for the one after the pass, so that there is one position
//!   for each number of empties.
//!
//! Which positions become entries, a [`Selection`] tells. A game that has none of those that are
//! asked for, as it ended early or began late, is no fault: it gives no entry, and how many there
//! were is told once for each file.

use std::fmt;
use std::str::FromStr;

use crate::othello::{Colour, Diagram, Move};

use super::problem::{LineError, Problem, illegal};

/// Which positions of which games are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// The games, by their numbers in the file, from 1; none means all.
    pub games: Option<Span>,
    /// The positions, by their empties. None means one position of each game: the one that the
    /// format is about, which is the last, but in a WTHOR database the one whose theoretical score
    /// it has.
    pub empties: Option<Span>,
}

/// The numbers from `first` to `last`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The first one.
    pub first: u64,
    /// The last one, not below the first.
    pub last: u64,
}

impl Span {
    /// One number alone.
    pub const fn of(number: u64) -> Span {
        Span { first: number, last: number }
    }

    /// Whether it holds a number.
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

    /// Reads `A-B` or a single number; the error says what would be right.
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

/// A move as it was written down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    pub mv: Move,
    /// Who is said to have made it, where that is told.
    pub by: Option<Colour>,
    /// Where it stands: byte offset in the line or in the record.
    pub offset: usize,
}

/// A game that was played through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Game {
    /// The positions in which a disc was placed, and the last one: never empty, with one empty
    /// square less each.
    pub positions: Vec<Problem>,
    /// The number of empties of the position that the format is about; none means the last
    /// position.
    pub usual: Option<u64>,
}

impl Game {
    /// Plays the moves.
    ///
    /// # Errors
    /// With the first move that is not legal.
    pub fn play(start: Diagram, plies: &[Ply]) -> Result<Game, LineError> {
        let (mut now, mut positions) = (start, Vec::with_capacity(plies.len() + 1));
        for ply in plies {
            let number = positions.len() + 1;
            if ply.mv == Move::Pass {
                if now.position.is_over() {
                    continue;
                }
            } else if let Some(passed) = now.make(Move::Pass) {
                now = passed;
            }
            let Some(next) = now.make(ply.mv) else {
                let (what, hint) = illegal(ply.mv, &now);
                return Err(LineError::new(ply.offset, format!("move {number}: {what}"), hint));
            };
            if let Some(by) = ply.by.filter(|&by| by != now.to_move) {
                let what = format!("move {number} is said to be {by}'s");
                return Err(LineError::new(
                    ply.offset,
                    what,
                    format!("it is the turn of {}", now.to_move),
                ));
            }
            if ply.mv != Move::Pass {
                positions.push(Problem::new(now));
            }
            now = next;
        }
        positions.push(Problem::new(now.make(Move::Pass).unwrap_or(now)));
        Ok(Game { positions, usual: None })
    }

    /// The positions with so many empties, in the order of the game; the last one if it is not said
    /// how many.
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
    //! Games that the tests of the formats share.

    use crate::othello::{Diagram, Move, Square};

    /// A game of moves that `choices` picks, with its passes, to its end or until there are no more
    /// choices.
    pub fn random(choices: &[u8]) -> Vec<Move> {
        let (mut now, mut moves) = (Diagram::START, Vec::new());
        let mut choices = choices.iter().map(|&choice| usize::from(choice));
        loop {
            let legal: Vec<Square> = now.position.moves().into_iter().collect();
            let mv = if !legal.is_empty() {
                let Some(choice) = choices.next() else { return moves };
                Move::Place(legal[choice % legal.len()])
            } else if now.position.must_pass() {
                Move::Pass
            } else {
                return moves;
            };
            now = now.make(mv).expect("a legal move");
            moves.push(mv);
        }
    }

    /// The position after these moves, and after a pass if one is due.
    pub fn after(moves: &[Move]) -> Diagram {
        let last =
            moves.iter().fold(Diagram::START, |now, &mv| now.make(mv).expect("a legal move"));
        last.make(Move::Pass).unwrap_or(last)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plies(moves: &[Move]) -> Vec<Ply> {
        moves.iter().enumerate().map(|(offset, &mv)| Ply { mv, by: None, offset }).collect()
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
            Game::play(Diagram::START, &plies(&moves("f5 d6 a1"))).expect_err("a1 is not legal");
        assert_eq!((error.offset, error.what.as_str()), (2, "move 3: X cannot play a1"));
        assert_eq!(error.hint, "the legal moves are c3 c4 c5 c6 c7");
        let error =
            Game::play(Diagram::START, &plies(&moves("f5 --"))).expect_err("there are moves");
        assert_eq!(error.what, "move 2: O cannot pass");
        let late = format!("{WIPEOUT} a1");
        let error =
            Game::play(Diagram::START, &plies(&moves(&late))).expect_err("the game is over");
        assert_eq!(
            (error.what.as_str(), error.hint.as_str()),
            ("move 10: O cannot play a1", "the game is over")
        );
    }

    #[test]
    fn a_pass_after_the_end_is_skipped() {
        let game = Game::play(Diagram::START, &plies(&moves(&format!("{WIPEOUT} -- --"))))
            .expect("a game");
        assert_eq!(game.positions.len(), 10);
        assert!(game.positions[9].diagram.position.is_over());
        assert_eq!(game.selected(None).len(), 1);
    }

    #[test]
    fn the_colour_that_is_told_must_be_right() {
        let by = |by| Ply { mv: "f5".parse().expect("a move"), by: Some(by), offset: 0 };
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
            let without: Vec<Move> = written.iter().copied().filter(|&mv| mv != Move::Pass).collect();
            let game = Game::play(Diagram::START, &plies(&written)).expect("legal moves");
            prop_assert_eq!(&Game::play(Diagram::START, &plies(&without)).expect("legal moves"), &game);
            prop_assert_eq!(game.positions.last().map(|problem| problem.diagram), Some(samples::after(&written)));
            for (number, problem) in game.positions.iter().enumerate() {
                prop_assert_eq!(empties_of(problem), 60 - number as u64);
                prop_assert!(!problem.diagram.position.must_pass());
            }
        }

        #[test]
        fn positions_are_selected_by_their_empties(
            choices in prop::collection::vec(any::<u8>(), 0..64), a in 0u64..=60, b in 0u64..=60,
        ) {
            let game = Game::play(Diagram::START, &plies(&samples::random(&choices))).expect("legal moves");
            let span = Span { first: a.min(b), last: a.max(b) };
            let lowest = 60 - (game.positions.len() as u64 - 1);
            let expected: Vec<u64> = (span.first.max(lowest)..=span.last).rev().collect();
            let one = game.clone().selected(Some(Span::of(a)));
            prop_assert_eq!(one.iter().map(empties_of).collect::<Vec<_>>(), Vec::from_iter((a >= lowest).then_some(a)));
            prop_assert_eq!(game.selected(Some(span)).iter().map(empties_of).collect::<Vec<_>>(), expected);
        }
    }
}
