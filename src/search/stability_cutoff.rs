//! Stability cut-offs: a disc that can never be flipped is two points that its owner cannot lose.
//!
//! With s stable discs a side scores at least 2s - 64. Every stage tests the *opponent's* stable
//! discs on entry, down to three empties: they may keep the score from rising above alpha. From
//! seven empties up a node also tests its *own*, before it searches a move: they may put the score
//! above alpha as they stand, or after one of its moves.
//!
//! Finding stable discs takes as long as a few small nodes, so a test needs a fair chance. The best
//! predictor of a cut-off is the number of discs that need not be stable ([`STABILITY_SPARE`]).
//! Edax has a least alpha for each number of empties instead.

use crate::othello::stability::{StableDiscs, stable_discs};
use crate::othello::{Bitboard, Position, Square};
use crate::search::constants::{STABILITY_GAIN, STABILITY_SPARE};

/// The number of stable discs that puts their owner's score above `alpha`, whatever happens to the
/// other squares: the least s with 2s - 64 > alpha.
fn needed_above(alpha: i32) -> i32 {
    (66 + alpha) / 2
}

/// Whether a side with these `discs` has enough of them for a test to be worth its time, if
/// `needed` of them must be stable.
#[inline(always)]
fn is_worth_testing(discs: Bitboard, needed: i32) -> bool {
    discs.count() as i32 >= needed + STABILITY_SPARE
}

/// An upper bound of the score by the opponent's stable discs, if it is at most `alpha`.
#[inline(always)]
pub(super) fn upper_bound(position: &Position, alpha: i32) -> Option<i32> {
    let needed = needed_above(!alpha);
    if !is_worth_testing(position.opponent, needed) {
        return None;
    }
    let stable = stable_discs(position.opponent, position.player).count() as i32;
    (stable >= needed).then_some(64 - 2 * stable)
}

/// The stable discs of the side to move, at a node where they may put the score above alpha.
pub(super) struct OwnStability {
    stable: StableDiscs,
    /// The number of stable discs that does so.
    needed: i32,
}

impl OwnStability {
    /// The stable discs of the side to move in `position`, if they, or those after a move, are
    /// likely enough to put its score above `alpha`.
    #[inline(always)]
    pub(super) fn of(position: &Position, alpha: i32) -> Option<OwnStability> {
        let needed = needed_above(alpha);
        if (position.player.count() as i32) < needed {
            return None;
        }
        let stable = StableDiscs::of(position);
        (stable.count() as i32 >= needed - STABILITY_GAIN)
            .then_some(OwnStability { stable, needed })
    }

    /// A lower bound of the score above alpha by the discs that are stable now.
    #[inline(always)]
    pub(super) fn lower_bound(&self) -> Option<i32> {
        self.bound(self.stable.count())
    }

    /// A lower bound of the score above alpha by the discs that are stable after the move to
    /// `square`, which leads to `child`.
    #[inline(always)]
    pub(super) fn lower_bound_after(&self, square: Square, child: &Position) -> Option<i32> {
        if !is_worth_testing(child.opponent, self.needed) {
            return None;
        }
        self.bound(self.stable.count_after(square, child))
    }

    fn bound(&self, stable: u32) -> Option<i32> {
        (stable as i32 >= self.needed).then_some(2 * stable as i32 - 64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_needed_number_is_the_least_that_is_above_alpha() {
        for alpha in -64..64 {
            let needed = needed_above(alpha);
            assert!(2 * needed - 64 > alpha, "{alpha}");
            assert!(2 * (needed - 1) - 64 <= alpha, "{alpha}");
        }
    }

    proptest! {
        /// A parent's test of a child gives what the child's own test gives.
        #[test]
        fn parents_and_children_find_the_same_bounds(
            a: u64,
            b: u64,
            holes in prop::collection::btree_set(0u8..64, 1..14),
            alpha in -64i32..64,
        ) {
            let empties: Bitboard = holes.into_iter().map(Square::new).collect();
            let player = Bitboard(a | b) & !empties;
            let position = Position::new(player, !player & !empties);
            let Some(own) = OwnStability::of(&position, alpha) else { return Ok(()) };
            let stable = stable_discs(position.player, position.opponent).count() as i32;
            let expected = Some(2 * stable - 64).filter(|&lower| lower > alpha);
            prop_assert_eq!(own.lower_bound(), expected);
            for square in position.moves() {
                let child = position.after(square, position.flips(square));
                let upper = upper_bound(&child, !alpha);
                prop_assert_eq!(own.lower_bound_after(square, &child), upper.map(|upper| -upper));
            }
        }
    }
}
