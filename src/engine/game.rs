//! The position of a dialogue, and the moves that led to it.

use crate::othello::{Diagram, Move, Position};
use crate::records::{LineError, ggf};

/// A game: a start position and legal moves. A pass may be left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Game {
    /// The position before each move, left-out passes included, and the current one.
    diagrams: Vec<Diagram>,
    /// For each move that was played, the number of positions before it.
    played: Vec<usize>,
}

impl Default for Game {
    fn default() -> Game {
        Game::at(Diagram::START)
    }
}

impl Game {
    /// A game without a move.
    pub(super) fn at(start: Diagram) -> Game {
        Game { diagrams: vec![start], played: Vec::new() }
    }

    /// Reads a game in GGF, from `(;` to `;)`.
    ///
    /// # Errors
    /// If it is not such a game, or a move is illegal.
    pub(super) fn of_ggf(text: &str) -> Result<Game, LineError> {
        // The same checks and errors as those of files.
        ggf::read(text)?;
        let (start, moves) = ggf::start_and_moves(text)?;
        let mut game = Game::at(start);
        for made in moves {
            // Only a pass after the end of the game is not legal now.
            let _ = game.play(made.mv);
        }
        Ok(game)
    }

    /// The position after the moves.
    pub(super) fn current(&self) -> Diagram {
        *self.diagrams.last().expect("a game has a position")
    }

    /// All positions from the start on. Passes are moves, also where they were left out.
    pub(super) fn diagrams(&self) -> &[Diagram] {
        &self.diagrams
    }

    /// Plays a move. A forced pass before it may be left out. Returns whether it is legal.
    #[must_use]
    pub(super) fn play(&mut self, mv: Move) -> bool {
        let current = self.current();
        let passed = current.make(Move::Pass).filter(|_| mv != Move::Pass);
        let Some(next) = passed.unwrap_or(current).make(mv) else { return false };
        self.played.push(self.diagrams.len());
        self.diagrams.extend(passed);
        self.diagrams.push(next);
        true
    }

    /// Records a pass of a side after the end of the game. The position stays as it is.
    pub(super) fn pass_after_the_end(&mut self) {
        self.played.push(self.diagrams.len());
    }

    /// Takes the last move back, with a pass that was left out before it. Returns whether there was
    /// one.
    #[must_use]
    pub(super) fn undo(&mut self) -> bool {
        let Some(length) = self.played.pop() else { return false };
        self.diagrams.truncate(length);
        true
    }
}

/// The legal moves of a position, a forced pass included, and the position after each.
pub(super) fn moves(position: &Position) -> Vec<(Move, Position)> {
    let squares = position.moves().into_iter().map(Move::Place);
    let pass = position.must_pass().then_some(Move::Pass);
    let after = |mv| (mv, position.make(mv).expect("a legal move"));
    squares.chain(pass).map(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    #[test]
    fn moves_are_played_only_where_they_are_legal() {
        let mut game = Game::default();
        assert!(game.play(mv("f5")) && !game.play(mv("f5")) && !game.play(Move::Pass));
        assert_eq!(game.diagrams().len(), 2);
        assert_eq!(moves(&game.current().position).len(), 3);
        assert!(game.undo() && !game.undo());
        assert_eq!(game, Game::default());
    }

    #[test]
    fn a_game_in_ggf_ends_before_a_pass_that_is_not_written() {
        let (row, empty) = ("XO------", "-".repeat(48));
        let text = format!("(;GM[Othello]BO[8 {row}{empty}{row} X]B[c1];)");
        let game = Game::of_ggf(&text).expect("a game");
        assert_eq!(game.diagrams().len(), 2);
        assert!(game.current().position.must_pass());
        let without = Game::of_ggf("(;GM[Othello];)").expect("a game");
        assert_eq!(without, Game::default());
        for bad in ["", "(;", "hello", "(;B[a1];)", "(;BO[10 -];)", "(;B[f5]W[f5];)"] {
            assert!(Game::of_ggf(bad).is_err(), "{bad}");
        }
    }
}
