//! ProbCut: in a selective pass, a node whose value lies far enough above alpha fails high without
//! a proof.
//!
//! The value is that of a depth-limited search ([`super::depth_limited`]). The node is cut off if
//! the value exceeds alpha by the pass's number of standard deviations of the exact score about
//! such values. A selective pass costs a small part of an exact one. It leaves the next pass a good
//! guess of the score and good hash moves. The last pass is exact and uses no ProbCut bound.
//!
//! Source: M. Buro, "ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm", ICCA
//! Journal 18(2), 1995, <https://skatgame.net/mburo/ps/probcut.pdf>. As in Buro's Multi-ProbCut,
//! the standard deviation depends on the stage of the game and the pass sets the confidence; unlike
//! it, there is one depth, and only fail highs are cut off.
//!
//! # ProbCut bounds never count as proven
//!
//! Every result says whether it rests on a ProbCut bound ([`Worker::unproven`]). A result that does
//! not is proven whatever the pass, and is stored as proven: most of the lower tree is. ProbCut
//! bounds have their own field in the entries of the transposition table, and are read only in the
//! generation that wrote them, which is the same pass. So the exact pass meets proven bounds only.

use crate::eval::{Features, UNIT};
use crate::othello::{Bitboard, Position};
use crate::search::constants::{PROB_CUT_DEPTH, PROB_CUT_EMPTIES};
use crate::search::parameters::Parameter;
use crate::search::search_pass::SearchPass;
use crate::search::worker::Worker;

impl Worker<'_> {
    /// In a selective pass, the ProbCut lower bound above `alpha` of a position, if it has one.
    pub(super) fn prob_cut(
        &mut self,
        position: &Position,
        features: &Features,
        moves: Bitboard,
        empties: u32,
        alpha: i32,
    ) -> Option<i32> {
        let SearchPass::Selective(tenths) = self.search_pass else { return None };
        if empties < PROB_CUT_EMPTIES {
            return None;
        }
        // The least score above alpha: scores are even.
        let bound = (alpha + 2) & !1;
        let depth = PROB_CUT_DEPTH;
        let margin = self.evaluation.deviation(depth, empties) * tenths as i32 / 10;
        let beta = bound * UNIT + margin;
        let static_value = self.evaluation.value(features, empties);
        let slack = margin * self.parameters[Parameter::StaticValueSlack] / 100;
        if beta > 64 * UNIT || static_value < beta - slack {
            return None;
        }
        let value = self.depth_limited(position, features, moves, depth, beta - 1, beta);
        (value >= beta).then_some(bound)
    }
}
