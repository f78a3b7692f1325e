//! The last four empty squares: straight-line code, one function for each number of empties. About
//! half of all nodes are here.
//!
//! With four and three empties the opponent's stable discs are tested first
//! ([`crate::search::stability_cutoff`]). A square is tried only if an opponent's disc stands next
//! to it; the move is legal if it flips a disc. Parity fixes the order of the squares at four
//! empties ([`crate::search::ordering::parity`]); squares beside a corner come last among equals.
//! The order is handed down as four bytes in one register. Passes are out of line.
//!
//! Edax and its AVX version also have a function for each number of empties, the test of the
//! neighbours, an order that is fixed at four empties, and an early end of the last square.

use std::hint::select_unpredictable;

use super::context::NO_SCORE;
use crate::othello::arch::rays::NEIGHBOURS;
use crate::othello::arch::{flips, last_flips};
use crate::othello::{Bitboard, Position, Square, final_score};
use crate::search::ordering::parity::order_of_four;
use crate::search::stability_cutoff::upper_bound;
use crate::search::worker::Worker;

impl Worker<'_> {
    /// Searches a position with at most four empties. Only a root has so few here.
    pub(super) fn last_four(&mut self, position: &Position, alpha: i32) -> i32 {
        let (player, opponent) = (position.player.0, position.opponent.0);
        let mut squares = position.empties().into_iter();
        let mut next = || squares.next().expect("as many squares as there are empties");
        match position.empties().count() {
            4 => self.four_empties(position, alpha),
            3 => self.solve_3(player, opponent, [next(), next(), next()], alpha),
            2 => self.solve_2(player, opponent, [next(), next()], alpha),
            1 => self.solve_1(player, next(), alpha),
            _ => final_score(player.count_ones(), 0),
        }
    }

    /// Searches a position with four empties.
    #[inline(always)]
    pub(super) fn four_empties(&mut self, position: &Position, alpha: i32) -> i32 {
        let empties = position.empties().0;
        let mut early = empties & !Bitboard::BESIDE_CORNERS.0;
        let mut late = empties & Bitboard::BESIDE_CORNERS.0;
        let mut next = || {
            let square = Square::of_lowest_bit(select_unpredictable(early == 0, late, early));
            early &= !(1 << square.index());
            late &= !(1 << square.index());
            square
        };
        let squares = [next(), next(), next(), next()];
        self.solve_4(position.player.0, position.opponent.0, squares, alpha)
    }

    /// Four empty squares.
    fn solve_4(&mut self, player: u64, opponent: u64, squares: [Square; 4], alpha: i32) -> i32 {
        self.nodes.count(4);
        let position = Position { player: Bitboard(player), opponent: Bitboard(opponent) };
        if let Some(upper) = upper_bound(&position, alpha) {
            return upper;
        }
        let mut best = NO_SCORE;
        for &[first, a, b, c] in order_of_four(squares) {
            let square = squares[first as usize & 3];
            if NEIGHBOURS[square.index()] & opponent == 0 {
                continue;
            }
            let flips = flips(square.index(), player, opponent);
            if flips == 0 {
                continue;
            }
            let rest = [squares[a as usize & 3], squares[b as usize & 3], squares[c as usize & 3]];
            let own = player ^ flips ^ 1 << square.index();
            let score = -self.solve_3(opponent ^ flips, own, rest, !alpha);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
        if best == NO_SCORE { self.pass_4(player, opponent, squares, alpha) } else { best }
    }

    #[cold]
    #[inline(never)]
    fn pass_4(&mut self, player: u64, opponent: u64, squares: [Square; 4], alpha: i32) -> i32 {
        if can_move(&squares, opponent, player) {
            -self.solve_4(opponent, player, squares, !alpha)
        } else {
            final_score(player.count_ones(), 4)
        }
    }

    /// Three empty squares, in the order in which to try them.
    fn solve_3(&mut self, player: u64, opponent: u64, [a, b, c]: [Square; 3], alpha: i32) -> i32 {
        self.nodes.count(3);
        let position = Position { player: Bitboard(player), opponent: Bitboard(opponent) };
        if let Some(upper) = upper_bound(&position, alpha) {
            return upper;
        }
        let mut best = self.play_3(player, opponent, a, [b, c], alpha);
        if best <= alpha {
            best = best.max(self.play_3(player, opponent, b, [a, c], alpha));
        }
        if best <= alpha {
            best = best.max(self.play_3(player, opponent, c, [a, b], alpha));
        }
        if best == NO_SCORE { self.pass_3(player, opponent, [a, b, c], alpha) } else { best }
    }

    /// The score after a move to one of three squares; [`NO_SCORE`] if the move is not legal.
    #[inline(always)]
    fn play_3(
        &mut self,
        player: u64,
        opponent: u64,
        square: Square,
        rest: [Square; 2],
        alpha: i32,
    ) -> i32 {
        if NEIGHBOURS[square.index()] & opponent == 0 {
            return NO_SCORE;
        }
        let flips = flips(square.index(), player, opponent);
        if flips == 0 {
            return NO_SCORE;
        }
        -self.solve_2(opponent ^ flips, player ^ flips ^ 1 << square.index(), rest, !alpha)
    }

    #[cold]
    #[inline(never)]
    fn pass_3(&mut self, player: u64, opponent: u64, squares: [Square; 3], alpha: i32) -> i32 {
        if can_move(&squares, opponent, player) {
            -self.solve_3(opponent, player, squares, !alpha)
        } else {
            final_score(player.count_ones(), 3)
        }
    }

    /// Two empty squares, in the order in which to try them.
    #[inline(always)]
    fn solve_2(&mut self, player: u64, opponent: u64, squares: [Square; 2], alpha: i32) -> i32 {
        self.nodes.count(2);
        let best = self.moves_2(player, opponent, squares, alpha);
        if best == NO_SCORE { self.pass_2(player, opponent, squares, alpha) } else { best }
    }

    /// The better of both moves, or the first that fails high; [`NO_SCORE`] if neither is legal.
    #[inline(always)]
    fn moves_2(&mut self, player: u64, opponent: u64, [a, b]: [Square; 2], alpha: i32) -> i32 {
        let best = self.play_2(player, opponent, a, b, alpha);
        if best > alpha { best } else { best.max(self.play_2(player, opponent, b, a, alpha)) }
    }

    /// The score after a move to one of two squares; [`NO_SCORE`] if the move is not legal.
    #[inline(always)]
    fn play_2(
        &mut self,
        player: u64,
        opponent: u64,
        square: Square,
        rest: Square,
        alpha: i32,
    ) -> i32 {
        if NEIGHBOURS[square.index()] & opponent == 0 {
            return NO_SCORE;
        }
        let flips = flips(square.index(), player, opponent);
        if flips == 0 { NO_SCORE } else { -self.solve_1(opponent ^ flips, rest, !alpha) }
    }

    #[cold]
    #[inline(never)]
    fn pass_2(&mut self, player: u64, opponent: u64, squares: [Square; 2], alpha: i32) -> i32 {
        let best = self.moves_2(opponent, player, squares, !alpha);
        if best == NO_SCORE { final_score(player.count_ones(), 2) } else { -best }
    }

    /// One empty square. The opponent holds every other square that is not the player's.
    ///
    /// If the player has no move, its score is at most the score of the board as it stands with the
    /// empty square for the player. If that is not above alpha, the opponent's flips are not
    /// counted.
    #[inline(always)]
    fn solve_1(&mut self, player: u64, square: Square, alpha: i32) -> i32 {
        self.nodes.count(1);
        let own = player.count_ones() as i32;
        let flips = last_flips(square.index(), player) as i32;
        // The player's score if it owns the last square and flips nothing.
        let score = 2 * own - 62;
        if flips > 0 {
            return score + 2 * flips;
        }
        if score <= alpha {
            return score;
        }
        let flipped = last_flips(square.index(), !player & !(1 << square.index())) as i32;
        // The opponent gets the last square by a move there, or, as the winner, without one.
        if flipped > 0 || score <= 0 { score - 2 - 2 * flipped } else { score }
    }
}

/// Whether `player` has a move to one of these squares.
fn can_move(squares: &[Square], player: u64, opponent: u64) -> bool {
    squares.iter().any(|&square| flips(square.index(), player, opponent) != 0)
}
