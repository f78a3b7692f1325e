//! Bounds from stable discs alone: discs that can never be flipped again are points already won.
//!
//! Every stage asks on entry whether the opponent's keep the score from rising above alpha, down to three empties. From seven up a node
//! also asks, before it looks at its moves, whether its own put the score above alpha, as they stand or after one of its moves. (Edax asks
//! on entry and of children, down to four and fifteen empties, above a least alpha for each number of empties; SEEDS.md, row A14.)
//!
//! To tell stable discs takes as long as a few small nodes, so it is asked only where it may help. What tells best is how many discs there
//! are that need not be stable ([`STABILITY_SPARE`]): at three empties, where each is needed, it never helps; with eight to spare one time in
//! four, with sixteen seven in ten (FFO 46 and 48). What alpha is does not matter beside that.

use crate::othello::stability::{StableDiscs, stable_discs};
use crate::othello::{Bitboard, Position, Square};
use crate::search::constants::{STABILITY_GAIN, STABILITY_SPARE};

/// Whether the stable discs of the side that is not to move have been asked for a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum Stability {
    /// They may give one.
    Unknown,
    /// They give none.
    Asked,
}

/// How many stable discs put their owner's score above `alpha`, whatever becomes of the rest.
fn needed(alpha: i32) -> i32 {
    (66 + alpha) / 2
}

/// Whether there are enough discs to make it worth asking which of them are stable, so many being `needed`.
#[inline(always)]
fn enough(discs: Bitboard, needed: i32) -> bool {
    discs.count() as i32 >= needed + STABILITY_SPARE
}

/// An upper bound of the score by the opponent's stable discs, if they keep it from rising above `alpha`.
#[inline(always)]
pub(in crate::search) fn upper_bound(position: &Position, alpha: i32) -> Option<i32> {
    let needed = needed(!alpha);
    if !enough(position.opponent, needed) {
        return None;
    }
    let stable = stable_discs(position.opponent, position.player).count() as i32;
    (stable >= needed).then_some(64 - 2 * stable)
}

/// The stable discs of the side to move, where they, or those after a move, may put the score above some alpha.
pub(in crate::search) struct OwnStability {
    stable: StableDiscs,
    needed: i32,
}

impl OwnStability {
    /// Those of a position, if they are likely enough to put the score above `alpha`.
    #[inline(always)]
    pub(in crate::search) fn of(position: &Position, alpha: i32) -> Option<OwnStability> {
        let needed = needed(alpha);
        if (position.player.count() as i32) < needed {
            return None;
        }
        let stable = StableDiscs::of(position);
        (stable.count() as i32 >= needed - STABILITY_GAIN)
            .then_some(OwnStability { stable, needed })
    }

    /// A lower bound of the score above alpha by the discs that are stable now.
    #[inline(always)]
    pub(in crate::search) fn lower_bound(&self) -> Option<i32> {
        self.above(self.stable.count())
    }

    /// A lower bound of the score above alpha by those that are after the move to `square`, which leads to `child`.
    #[inline(always)]
    pub(in crate::search) fn lower_bound_after(
        &self,
        square: Square,
        child: &Position,
    ) -> Option<i32> {
        if !enough(child.opponent, self.needed) {
            return None;
        }
        self.above(self.stable.count_after(square, child))
    }

    fn above(&self, stable: u32) -> Option<i32> {
        (stable as i32 >= self.needed).then_some(2 * stable as i32 - 64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn so_many_are_needed_and_no_fewer() {
        for alpha in -64..64 {
            let needed = needed(alpha);
            assert!(2 * needed - 64 > alpha, "{alpha}");
            assert!(2 * (needed - 1) - 64 <= alpha, "{alpha}");
        }
    }

    proptest! {
        /// What a node is told of its children is what they would say themselves.
        #[test]
        fn children_are_bounded_as_they_would_be_on_entry(
            a: u64, b: u64, holes in prop::collection::btree_set(0u8..64, 1..14), alpha in -64i32..64,
        ) {
            let empties: Bitboard = holes.into_iter().map(Square::new).collect();
            let player = Bitboard(a | b) & !empties;
            let position = Position::new(player, !player & !empties);
            let Some(refuting) = OwnStability::of(&position, alpha) else { return Ok(()) };
            let stable = stable_discs(position.player, position.opponent).count() as i32;
            prop_assert_eq!(refuting.lower_bound(), Some(2 * stable - 64).filter(|&lower| lower > alpha));
            for square in position.moves() {
                let child = position.after(square, position.flips(square));
                let upper = upper_bound(&child, !alpha);
                prop_assert_eq!(refuting.lower_bound_after(square, &child), upper.map(|upper| -upper));
            }
        }
    }
}
