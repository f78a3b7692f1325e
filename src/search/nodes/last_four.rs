//! The last four empty squares: straight-line code, one function for each number left. Half of all nodes are here.
//!
//! With four and three left the opponent's stable discs are asked first ([`crate::search::nodes::stability_cutoff`]): at three that ends three nodes of five where
//! they are asked and takes about as long as it saves, but of all nodes 5 to 13 % are gone. A square is tried only if an opponent's disc
//! stands next to it, and moves are not generated but found by flipping. The order of the squares is fixed by parity at four
//! ([`crate::search::ordering::parity`]), those beside corners last among equals, and handed down, in one register. Passes are out of line.

use crate::othello::arch::rays::NEIGHBOURS;
use crate::othello::arch::{flips, last_flips};
use crate::othello::{Bitboard, Position, Square, final_score};
use crate::search::nodes::stability_cutoff::upper_bound;
use crate::search::ordering::parity::order_of_four;
use crate::search::worker::Worker;

/// No move was found yet.
pub(in crate::search) const NONE: i32 = -100;

impl Worker<'_> {
    /// A position with at most four empties, as only a root can be.
    pub(in crate::search) fn last(&mut self, position: &Position, alpha: i32) -> i32 {
        let (player, opponent) = (position.player.0, position.opponent.0);
        let mut squares = position.empties().into_iter();
        let mut next = || squares.next().expect("as many squares as there are empties");
        match position.empties().count() {
            4 => self.four(position, alpha),
            3 => self.solve_3(player, opponent, [next(), next(), next()], alpha),
            2 => self.solve_2(player, opponent, [next(), next()], alpha),
            1 => self.solve_1(player, next(), alpha),
            _ => final_score(player.count_ones(), 0),
        }
    }

    /// A position with four empties.
    #[inline(always)]
    pub(in crate::search) fn four(&mut self, position: &Position, alpha: i32) -> i32 {
        let empties = position.empties().0;
        let (mut early, mut late) =
            (empties & !Bitboard::BESIDE_CORNERS.0, empties & Bitboard::BESIDE_CORNERS.0);
        let mut next = || {
            let from = if early != 0 { &mut early } else { &mut late };
            let square = Square::of_lowest_bit(*from);
            *from &= from.wrapping_sub(1);
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
        let mut best = NONE;
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
            let score =
                -self.solve_3(opponent ^ flips, player ^ flips ^ 1 << square.index(), rest, !alpha);
            if score > best {
                if score > alpha {
                    return score;
                }
                best = score;
            }
        }
        if best == NONE { self.pass_4(player, opponent, squares, alpha) } else { best }
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
        if best == NONE { self.pass_3(player, opponent, [a, b, c], alpha) } else { best }
    }

    /// The answer after a move to one of three squares; [`NONE`] if it is not legal.
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
            return NONE;
        }
        let flips = flips(square.index(), player, opponent);
        if flips == 0 {
            return NONE;
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
        if best == NONE { self.pass_2(player, opponent, squares, alpha) } else { best }
    }

    /// The better of both moves, or the first that is above alpha; [`NONE`] without a legal one.
    #[inline(always)]
    fn moves_2(&mut self, player: u64, opponent: u64, [a, b]: [Square; 2], alpha: i32) -> i32 {
        let best = self.play_2(player, opponent, a, b, alpha);
        if best > alpha { best } else { best.max(self.play_2(player, opponent, b, a, alpha)) }
    }

    /// The answer after a move to one of two squares; [`NONE`] if it is not legal.
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
            return NONE;
        }
        let flips = flips(square.index(), player, opponent);
        if flips == 0 { NONE } else { -self.solve_1(opponent ^ flips, rest, !alpha) }
    }

    #[cold]
    #[inline(never)]
    fn pass_2(&mut self, player: u64, opponent: u64, squares: [Square; 2], alpha: i32) -> i32 {
        let best = self.moves_2(opponent, player, squares, !alpha);
        if best == NONE { final_score(player.count_ones(), 2) } else { -best }
    }

    /// One empty square. The opponent holds every other square that is not the player's.
    ///
    /// Without a move of its own the player's score is at most what it would be if it won as things stand; if that
    /// is not above alpha, the opponent's flips need not be counted.
    #[inline(always)]
    fn solve_1(&mut self, player: u64, square: Square, alpha: i32) -> i32 {
        self.nodes.count(1);
        let own = player.count_ones() as i32;
        let flips = last_flips(square.index(), player) as i32;
        // With the last disc and no flips.
        let score = 2 * own - 62;
        if flips > 0 {
            return score + 2 * flips;
        }
        if score <= alpha {
            return score;
        }
        let flipped = last_flips(square.index(), !player & !(1 << square.index())) as i32;
        // The last square is the opponent's if it has a move there, or if it wins without one.
        if flipped > 0 || score <= 0 { score - 2 - 2 * flipped } else { score }
    }
}

/// Whether a side has a move to one of these squares.
fn can_move(squares: &[Square], player: u64, opponent: u64) -> bool {
    squares.iter().any(|&square| flips(square.index(), player, opponent) != 0)
}
