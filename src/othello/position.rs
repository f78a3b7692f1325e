//! A position: whose discs are where, seen by the side to move.

use super::score::final_score;
use super::{Bitboard, Move, Score, Square, arch};

/// A board seen by the side to move. Black and White do not appear: a move swaps the two sides.
///
/// No square belongs to both sides; every function here relies on it. Any such board is a position:
/// the four centre squares may be empty, and there may be any number of discs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(C, align(16))]
pub struct Position {
    /// The discs of the side to move.
    pub player: Bitboard,
    /// The discs of the other side.
    pub opponent: Bitboard,
}

impl Position {
    /// The start of a game, Black to move: Black on e4 and d5, White on d4 and e5.
    pub const START: Position = Position {
        player: Bitboard(0x0000_0008_1000_0000),
        opponent: Bitboard(0x0000_0010_0800_0000),
    };

    /// The position with these discs.
    ///
    /// # Panics
    /// If a square is in both sets.
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

    /// The discs that a move to the empty square `square` turns over; none if it is not legal.
    #[inline(always)]
    pub fn flips(&self, square: Square) -> Bitboard {
        debug_assert!(self.empties().contains(square), "{square} holds a disc");
        Bitboard(arch::flips(square.index(), self.player.0, self.opponent.0))
    }

    /// The position after a legal move that turns over `flips`, seen by the other side.
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

    /// The position after `square`, or `None` if that is not a legal move.
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

    /// The score if the game ended here: the disc difference for the side to move, empties to the
    /// winner.
    pub fn final_score(&self) -> Score {
        Score::new(final_score(self.player.count(), self.empties().count()))
    }

    /// Empty squares next to an opponent's disc in a direction in which a flip is possible: where
    /// the side to move may come to have moves (*potential mobility*).
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
