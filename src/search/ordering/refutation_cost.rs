//! The expected refutation cost of a move: fourteen empties and more.
//!
//! A move fails high if *every* reply of the opponent has an answer that fails high. The tree that
//! proves this has all replies, and one answer to each. So the expected cost of a move is
//!
//! ```text
//! cost(move)   = Σ over the replies of: min over the answers of: cost(answer)
//! cost(answer) = exp(-priority(answer)), by the cost model      at a leaf
//!              = cost(move) with the answer as the move         above
//! ```
//!
//! Moves with the lowest cost are searched first. The sum has two plies below the move (reply and
//! answer), or four with many empties. With no plies below the move it would be the
//! [cost model](crate::search::ordering::cost_model) of the move itself.
//!
//! # Sources
//! *Proof numbers* are the same sums and minima with a cost of one for each leaf (L. V. Allis,
//! "Searching for Solutions in Games and Artificial Intelligence", thesis, University of Limburg,
//! 1994, <https://project.dke.maastrichtuniversity.nl/games/files/phd/SearchingForSolutions.pdf>).
//! Leaf costs that depend on the mobility and the evaluation follow the model of disproof nodes in
//! the engine Othello Sensei (Michele Borassi, <https://github.com/borassi/othello-sensei>). Both
//! programs search best-first; here the cost orders the moves of a depth-first null-window search.
//!
//! # Bounds in the tables
//! Positions whose bounds are proven cost nothing again. In scores of the side that makes the move:
//!
//! - a reply whose position has a lower bound above alpha adds nothing to the sum,
//! - an answer whose position has a lower bound above alpha makes the minimum zero,
//! - a reply whose position has an upper bound at or below alpha makes the cost infinite.
//!
//! So the ordering prefers moves that lead to positions with proven bounds, as enhanced
//! transposition cut-offs do, but two and three plies ahead.
//!
//! # Limits of the computation
//! The computation itself takes nodes. It ends when the sum exceeds a limit, as the exact cost of
//! an expensive move does not matter. It ends the minimum at an answer of negligible cost
//! ([`NEGLIGIBLE_PART`](crate::search::constants::NEGLIGIBLE_PART)), and probes no answer there.
//! Measurements: docs/experiments/search.md, "Expected refutation cost".

use arrayvec::ArrayVec;

use crate::eval::Features;
use crate::othello::{Bitboard, Position, Square};
use crate::search::constants::{DEEP_EMPTIES, PROBE_WINDOW, REFUTATION_ANSWERS};
use crate::search::local_tables::{Key, LocalProbe};
use crate::search::ordering::cost_model::{CostModel, RefutationCost};
use crate::search::ordering::static_score::weighted_mobility;
use crate::search::search_pass::SearchPass;
use crate::search::worker::Worker;
use crate::table::hash;

#[cfg(test)]
mod tests;

/// The null window in which a move is to fail high, and how costs are computed there.
#[derive(Clone, Copy, Debug)]
pub(super) struct NullWindow {
    /// The window's alpha, for the side that makes the move.
    pub(super) alpha: i32,
    pub(super) model: CostModel,
    /// The cost of an answer is negligible below this part of the limit of the sum.
    pub(super) negligible_part: u32,
}

/// The key of a position in the table that its number of empties belongs to.
enum TableKey {
    Shared(u64),
    Local(Key),
}

/// What a table proves of a position in a null window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proof {
    /// The score is above alpha.
    FailsHigh,
    /// The score is at or below alpha.
    FailsLow,
}

/// A reply of the opponent, and the position after it.
struct Reply {
    square: Square,
    flips: Bitboard,
    child: Position,
    key: TableKey,
    /// The legal moves in `child`.
    answers: Bitboard,
}

/// An answer to a reply, and the position after it.
struct Answer {
    square: Square,
    child: Position,
    /// The opponent's legal moves in `child`.
    replies: Bitboard,
    priority: i32,
}

impl Worker<'_> {
    /// The expected cost of refuting a `position`: of proving that the side that is not to move has
    /// a score above `window.alpha`. A cost above `limit` need not be exact.
    ///
    /// `replies` are the legal moves, `plies` is the depth of the tree below the move: 2 or 4.
    pub(super) fn refutation_cost(
        &mut self,
        window: &NullWindow,
        position: &Position,
        features: &Features,
        replies: Bitboard,
        plies: u32,
        limit: RefutationCost,
    ) -> RefutationCost {
        if replies.is_empty() {
            let (passed, features) = (position.passed(), features.passed());
            let (answers, enough) = (passed.moves(), RefutationCost::ZERO);
            return self.cheapest_answer(window, &passed, &features, answers, plies, enough);
        }
        let empties = position.empties().count() - 1;
        let mut made: ArrayVec<Reply, 60> = ArrayVec::new();
        // The number of answers and the index of each reply. Replies with few answers are likely
        // the most expensive. They come first, so that the sum exceeds the limit early.
        let mut order: ArrayVec<u16, 60> = ArrayVec::new();
        for square in replies {
            self.nodes.count(empties);
            let flips = position.flips(square);
            let child = position.after(square, flips);
            let key = self.table_key(&child, empties);
            let answers = child.moves();
            order.push((answers.count() << 8) as u16 | made.len() as u16);
            made.push(Reply { square, flips, child, key, answers });
        }
        order.sort_unstable();
        let mut sum = RefutationCost::ZERO;
        for packed in order {
            let Reply { square, flips, child, key, answers } = &made[usize::from(packed & 255)];
            match self.probe(key, child, empties, window.alpha) {
                Some(Proof::FailsHigh) => continue,
                Some(Proof::FailsLow) => return RefutationCost::MAX,
                None => {}
            }
            let features = features.after(*square, *flips);
            // The first move of a node has no limit. The sum so far takes its place.
            let scale = if limit < RefutationCost::MAX { limit } else { sum };
            let enough = scale.part(window.negligible_part);
            sum += self.cheapest_answer(window, child, &features, *answers, plies, enough);
            if sum > limit {
                break;
            }
        }
        sum
    }

    /// The key of a position with this many `empties`. Prefetches its entry in the shared table.
    #[inline(always)]
    fn table_key(&self, position: &Position, empties: u32) -> TableKey {
        if empties >= DEEP_EMPTIES {
            let key = hash(position);
            self.table.prefetch(key);
            TableKey::Shared(key)
        } else {
            TableKey::Local(Key::new(position, self.normalise_keys))
        }
    }

    /// What the table proves of the score of a position in the null window of `alpha`. In a
    /// selective pass, ProbCut bounds count as proven.
    #[inline(always)]
    fn probe(
        &self,
        key: &TableKey,
        position: &Position,
        empties: u32,
        alpha: i32,
    ) -> Option<Proof> {
        let fails_high = match key {
            TableKey::Local(key) => match key.probe(self.local.of(empties), empties, alpha) {
                LocalProbe::Cutoff(bound) => bound > alpha,
                LocalProbe::HashMove(_) => return None,
            },
            TableKey::Shared(key) => {
                let entry = self.table.probe(*key, position, self.generation)?;
                let (lower, upper) = match self.search_pass {
                    SearchPass::Exact => (entry.lower, entry.upper),
                    SearchPass::Selective(_) => {
                        (entry.lower.max(entry.selective.0), entry.upper.min(entry.selective.1))
                    }
                };
                match i32::from(lower) > alpha {
                    true => true,
                    false if i32::from(upper) <= alpha => false,
                    false => return None,
                }
            }
        };
        Some(if fails_high { Proof::FailsHigh } else { Proof::FailsLow })
    }

    /// The least cost of an answer in `position`, where the side that made the move is to move.
    /// With two plies left, the first answer that costs less than `enough` is the result, and no
    /// answer is probed: a proven bound could hardly change the sum. `answers` are the legal moves.
    fn cheapest_answer(
        &mut self,
        window: &NullWindow,
        position: &Position,
        features: &Features,
        answers: Bitboard,
        plies: u32,
        enough: RefutationCost,
    ) -> RefutationCost {
        let &NullWindow { model, alpha, .. } = window;
        if answers.is_empty() {
            return self.cost_without_answer(window, position, features);
        }
        let empties = position.empties().count() - 1;
        let mut made: ArrayVec<Answer, 60> = ArrayVec::new();
        let mut best = i32::MIN;
        for square in answers {
            self.nodes.count(empties);
            let flips = position.flips(square);
            // A wipeout.
            if flips == position.opponent {
                return RefutationCost::ZERO;
            }
            let child = position.after(square, flips);
            let replies = child.moves();
            let value = -self.evaluation.value(&features.after(square, flips), empties);
            let priority = model.priority(value, alpha, weighted_mobility(replies));
            best = best.max(priority);
            made.push(Answer { square, child, replies, priority });
            if plies == 2 {
                let cost = RefutationCost::from_priority(priority);
                if cost < enough {
                    return cost;
                }
            }
        }
        let mut probed: ArrayVec<(TableKey, Position), 60> = ArrayVec::new();
        for answer in made.iter().filter(|answer| answer.priority >= best - PROBE_WINDOW) {
            probed.push((self.table_key(&answer.child, empties), answer.child));
        }
        for (key, child) in &probed {
            match self.probe(key, child, empties, !alpha) {
                Some(Proof::FailsLow) => return RefutationCost::ZERO,
                Some(Proof::FailsHigh) => made.retain(|answer| answer.child != *child),
                None => {}
            }
        }
        if plies == 2 {
            let best = made.iter().map(|answer| answer.priority).max();
            return best.map_or(RefutationCost::MAX, RefutationCost::from_priority);
        }
        made.sort_unstable_by_key(|answer| -answer.priority);
        let mut least = RefutationCost::MAX;
        for Answer { square, child, replies, .. } in made.iter().take(REFUTATION_ANSWERS) {
            let features = features.after(*square, position.opponent ^ child.player);
            let cost = self.refutation_cost(window, child, &features, *replies, plies - 2, least);
            least = least.min(cost);
        }
        least
    }

    /// The cost in a `position` where the side that made the move must pass, or the game is over.
    fn cost_without_answer(
        &self,
        window: &NullWindow,
        position: &Position,
        features: &Features,
    ) -> RefutationCost {
        let replies = position.passed().moves();
        if !replies.is_empty() {
            let value = self.evaluation.value(features, position.empties().count());
            let replies = weighted_mobility(replies);
            let priority = window.model.priority(value, window.alpha, replies);
            RefutationCost::from_priority(priority)
        } else if position.final_score().discs() > window.alpha {
            RefutationCost::ZERO
        } else {
            RefutationCost::MAX
        }
    }
}
