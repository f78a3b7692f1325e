//! The selective rounds before the exact one: what a position's score very likely is.
//!
//! A position with many empties is searched several times. In the *selective* rounds a node whose score lies above alpha in all
//! likelihood, by the learned evaluation some plies ahead, is taken to do so without a proof (ProbCut; Buro 1995). What such a round finds
//! is only a guess, but a good one, for a small part of the price: the next round begins with the windows and the
//! moves that it left in the table. The last round is exact and takes nothing on trust.
//!
//! # No guess leaks
//! Every answer says whether it rests on a guess ([`Worker::guessed`]). One that does not is proven whatever the round, and is
//! noted as such: most of the lower tree is. Bounds that rest on a guess are kept apart in the table's entries and are read only by
//! the round that wrote them (they bear its generation). So the exact round can meet proven bounds only. (Edax and its successors mark
//! every entry of a selective search as selective; this way its proofs are kept.)

use crate::eval::{Features, UNIT};
use crate::othello::{Bitboard, Position};
use crate::search::constants::{PROB_CUT_DEPTH, PROB_CUT_EMPTIES};
use crate::search::nodes::depth_limited::INFINITY;
use crate::search::parameters::Parameter;
use crate::search::worker::Worker;

/// How much is taken on trust.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum SearchPass {
    /// A node is cut when the evaluation lies above alpha by this many tenths of its standard deviation.
    Selective(u32),
    /// Nothing is.
    Exact,
}

impl Worker<'_> {
    /// In a selective round, a lower bound above `alpha` that the position's score very likely has.
    pub(in crate::search) fn prob_cut(
        &mut self,
        position: &Position,
        features: &Features,
        moves: Bitboard,
        empties: u32,
        alpha: i32,
    ) -> Option<i32> {
        let SearchPass::Selective(tenths) = self.round else { return None };
        if empties < PROB_CUT_EMPTIES {
            return None;
        }
        // MoveList are even.
        let bound = (alpha + 2) & !1;
        let depth = PROB_CUT_DEPTH;
        let margin = self.evaluation.deviation(depth, empties) * tenths as i32 / 10;
        let enough = bound * UNIT + margin;
        let standing = self.evaluation.value(features, empties);
        if enough > 64 * UNIT
            || standing < enough - margin * self.parameters[Parameter::StaticValueSlack] / 100
        {
            return None;
        }
        let value = self.depth_limited(position, features, moves, depth, enough - 1, enough);
        debug_assert!(value.abs() <= INFINITY);
        (value >= enough).then_some(bound)
    }
}
