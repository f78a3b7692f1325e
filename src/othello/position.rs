//! A position: the discs of the side to move and of the other side.

use super::score::final_score;
use super::{Bitboard, Move, Score, Square, arch};

/// A board seen by the side to move: its discs (`player`) and those of the other side (`opponent`).
/// Bit 0 of each set is a1, bit 7 is h1, bit 63 is h8. There is no Black or White here: a move
/// exchanges the two sides. [`Diagram`](super::Diagram) adds the colours.
///
/// No square is in both sets; every method relies on it. Any two such sets are a position: the four
/// centre squares may be empty, and there may be any number of discs.
///
/// ```
/// use yose::othello::{Position, Square};
///
/// let f5: Square = "f5".parse()?;
/// assert!(Position::START.moves().contains(f5));
/// let next = Position::START.play(f5).expect("f5 is legal");
/// assert_eq!((next.player.count(), next.opponent.count()), (1, 4));
/// # Ok::<(), yose::othello::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(C, align(16))]
pub struct Position {
    /// The discs of the side to move.
    pub player: Bitboard,
    /// The discs of the other side.
    pub opponent: Bitboard,
}

impl Position {
    /// The start of a game. Black is to move and has e4 and d5; White has d4 and e5.
    pub const START: Position = Position {
        player: Bitboard(0x0000_0008_1000_0000),
        opponent: Bitboard(0x0000_0010_0800_0000),
    };

    /// The position with these discs.
    ///
    /// # Panics
    /// Panics if a square is in both sets.
    #[track_caller]
    pub const fn new(player: Bitboard, opponent: Bitboard) -> Position {
        assert!(player.0 & opponent.0 == 0, "a square holds one disc");
        Position { player, opponent }
    }

    /// The squares without a disc.
    #[inline(always)]
    pub const fn empties(&self) -> Bitboard {
        Bitboard(!(self.player.0 | self.opponent.0))
    }

    /// The legal moves of the side to move; none means that it passes or that the game is over.
    #[inline(always)]
    pub fn moves(&self) -> Bitboard {
        Bitboard(arch::moves(self.player.0, self.opponent.0))
    }

    /// The opponent's discs that a move to `square` flips; none if the move is not legal. `square`
    /// must be empty (checked in debug builds; otherwise the result has no meaning).
    #[inline(always)]
    pub fn flips(&self, square: Square) -> Bitboard {
        debug_assert!(self.empties().contains(square), "{square} holds a disc");
        Bitboard(arch::flips(square.index(), self.player.0, self.opponent.0))
    }

    /// The position after a move to `square` that flips `flips`, seen by the side that moves next.
    /// The move must be legal and `flips` its [`flips`](Position::flips).
    #[inline(always)]
    pub fn after(&self, square: Square, flips: Bitboard) -> Position {
        Position {
            player: self.opponent ^ flips,
            opponent: self.player ^ flips ^ Bitboard::of(square),
        }
    }

    /// The same board with the turn passed to the other side.
    #[inline(always)]
    pub const fn passed(&self) -> Position {
        Position { player: self.opponent, opponent: self.player }
    }

    /// The position after a move to `square`, or `None` if it is not legal.
    pub fn play(&self, square: Square) -> Option<Position> {
        if !self.empties().contains(square) {
            return None;
        }
        let flips = self.flips(square);
        (!flips.is_empty()).then(|| self.after(square, flips))
    }

    /// The position after `mv`, or `None` if it is not legal. A pass is legal where there is no
    /// legal move and the game is not over.
    pub fn make(&self, mv: Move) -> Option<Position> {
        match mv {
            Move::Place(square) => self.play(square),
            Move::Pass => self.must_pass().then(|| self.passed()),
        }
    }

    /// Whether the side to move has no legal move, but the other side has one.
    pub fn must_pass(&self) -> bool {
        self.moves().is_empty() && !self.passed().moves().is_empty()
    }

    /// Whether neither side has a legal move.
    pub fn is_over(&self) -> bool {
        self.moves().is_empty() && self.passed().moves().is_empty()
    }

    /// The score for the side to move if the game ended here: the disc difference, -64 to 64, with
    /// the empty squares counted for the winner.
    pub fn final_score(&self) -> Score {
        Score::new(final_score(self.player.count(), self.empties().count()))
    }

    /// The potential mobility: empty squares next to an opponent's disc in a direction in which
    /// that disc might be flipped. Every legal move is one of them.
    #[inline(always)]
    pub fn potential_moves(&self) -> Bitboard {
        Bitboard(arch::potential_moves(self.opponent.0)) & self.empties()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        text.parse().expect("a square")
    }

    #[test]
    fn the_first_moves_of_a_game() {
        let moves: Vec<String> =
            Position::START.moves().into_iter().map(|s| s.to_string()).collect();
        assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
        let next = Position::START.play(square("f5")).expect("f5 is legal");
        assert_eq!(next.empties().count(), 59);
        assert_eq!((next.player.count(), next.opponent.count()), (1, 4));
        assert_eq!(Position::START.play(square("a1")), None);
        assert_eq!(Position::START.play(square("d4")), None, "an occupied square");
        assert_eq!(Position::START.make(Move::Pass), None, "no pass while there are moves");
    }

    #[test]
    fn a_pass_and_the_end() {
        // White to move cannot, Black can (h1).
        let pass = Position::new(Bitboard(0b0111_1110), Bitboard(1)).passed();
        let must = Position::new(Bitboard(0b0111_1110), Bitboard(1));
        assert!(must.must_pass() && !must.is_over());
        assert_eq!(must.make(Move::Pass), Some(pass));
        let over = Position::new(Bitboard(0xff), Bitboard::EMPTY);
        assert!(over.is_over() && !over.must_pass());
        assert_eq!(over.final_score(), Score::MAX);
        assert_eq!(over.make(Move::Pass), None);
    }
}
