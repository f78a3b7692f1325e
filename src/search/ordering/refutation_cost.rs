//! What a refutation will cost, told by the first plies of its own tree: fourteen empties and more, in a null window.
//!
//! A move refutes when *every* reply to it has an answer that refutes. So its refutation costs, summed over the replies, what the cheapest answer
//! to each costs: the price of a move is a sum of minima of prices. Where that small tree ends, [`crate::search::ordering::cost_model`] has the price: by
//! the replies left and the value there.
//!
//! Counting replies (*fastest first*) is this sum with nothing known of the answers; proof numbers (Allis 1994) are such sums; the
//! leaves are priced after sensei's model of nodes (catalogue 3.2, 9.1). Nobody is known to order a null window by all three. It was found by
//! searching *every* move of 20,000 nodes of 12 to 18 empties and comparing what orderings would have spent: this price, with nothing
//! fitted, spends 5 to 10 % less at *each* level than look-aheads of the same evaluation three plies deep, and less than a forest of
//! decision trees over twenty features of the move and its board. A learned evaluation of the cost alone (patterns fitted to 600,000
//! refutations) told brothers apart no better than the number of replies.
//!
//! What was proven before, in another order of moves, costs nothing again: a reply whose position the tables know to be refuted adds nothing
//! to the sum, an answer that they know to refute is free, and a reply that is known not to be refuted makes the move worthless. So this
//! ordering leads into what is known already, as enhanced transposition cut-offs do, but two and three plies ahead. On the lists below
//! it takes another 2, 4 and 6 % of the nodes, with 18, 20 and 22 empties.
//!
//! Prices have a price: at 14 and 15 empties a tenth of what the search below takes. So one whose outcome is told by the first ply is not asked
//! for ([`CHEAP_REFUTATION`]), and answers are not compared further than it matters ([`NEGLIGIBLE_PART`]).
//!
//! With the price alone (and children refuted by their stable discs), 100 trees of 18 empties have 10 % fewer nodes, 100 of 20 empties 9 %,
//! 40 of 24 empties 27 %: the gain is had again at each level.

use arrayvec::ArrayVec;

use crate::eval::Features;
use crate::othello::{Bitboard, Position, Square};
use crate::search::constants::{
    CHEAP_REFUTATION, CHEAP_REFUTATION_BELOW, DEEP_EMPTIES, NEGLIGIBLE_PART, PROBED_WITHIN,
    REFUTATION_ANSWERS, REFUTATION_COST_4_PLY_EMPTIES,
};
use crate::search::local_tables::{Key, LocalProbe};
use crate::search::move_list::{MoveList, ScoredMove};
use crate::search::ordering::cost_model::{Cost, CostModel};
use crate::search::ordering::parity::odd_quadrants;
use crate::search::ordering::static_score::{tie_break_score, weighted};
use crate::search::parameters::Parameter;
use crate::search::search_pass::SearchPass;
use crate::search::worker::Worker;
use crate::table::hash;

/// What is taken from the value of a move that is not worth a closer look: more than values differ by.
const UNPRICED_PENALTY: i32 = 1 << 24;

/// A null window's question, and the price list of the position where it is asked.
#[derive(Clone, Copy, Debug)]
struct Question {
    price: CostModel,
    /// The player's own, whoever is to move.
    alpha: i32,
    /// See [`NEGLIGIBLE_PART`].
    small_part: u32,
}

/// Where a position is looked up: by its hash in the shared table, by its key in the thread's own.
enum Address {
    Shared(u64),
    Local(Key),
}

/// A reply, what it leads to, and the answers there.
struct Reply {
    square: Square,
    flips: Bitboard,
    child: Position,
    address: Address,
    answers: Bitboard,
}

impl Worker<'_> {
    /// Values moves of a position by how much their refutation promises to cost, ties broken as everywhere.
    ///
    /// All moves are priced by what they lead to; those that may be the best are then priced by the plies that follow, if there is
    /// anything to gain by it.
    pub(in crate::search) fn score_by_refutation_cost(
        &mut self,
        position: &Position,
        features: &Features,
        children: &mut MoveList,
        alpha: i32,
    ) {
        let most = self.score_by_cost_model(position, features, children, alpha);
        let odd = odd_quadrants(position.empties().0);
        let empties = position.empties().count();
        let question = Question {
            price: CostModel::deep(self.parameters, empties),
            alpha,
            small_part: NEGLIGIBLE_PART,
        };
        // Where hardly a move refutes, all will be tried in any case.
        let doubt =
            -self.parameters[Parameter::RefutationDoubt].saturating_mul(CostModel::NAT / 100);
        if children.len() < 2 || question.price.chance(most, alpha) < doubt {
            return;
        }
        children.sort_by_key(|mv| -mv.value);
        if empties < CHEAP_REFUTATION_BELOW && children[0].value > CHEAP_REFUTATION {
            return;
        }
        let within = children[0].value
            - self.parameters[Parameter::RefutationWindow].saturating_mul(CostModel::NAT / 100);
        let plies = if empties >= REFUTATION_COST_4_PLY_EMPTIES { 4 } else { 2 };
        let mut least = Cost::MAX;
        for mv in children {
            if mv.value < within {
                mv.value -= UNPRICED_PENALTY;
                continue;
            }
            let features = features.after(mv.square, mv.flips(position));
            // How dear a dear move is does not matter.
            let limit =
                least.times_eighths(self.parameters[Parameter::RefutationLimit].unsigned_abs());
            let cost = self.refutation(
                &question,
                &mv.child,
                &features,
                Bitboard(mv.replies),
                plies,
                limit,
            );
            least = least.min(cost);
            mv.value = tie_break_score(self.parameters, mv.square, &mv.child, odd) + cost.promise();
        }
    }

    /// What it will cost to refute a position, by so many plies of the tree below it; more than `limit` if more than that. `replies` are
    /// the legal moves there.
    fn refutation(
        &mut self,
        question: &Question,
        position: &Position,
        features: &Features,
        replies: Bitboard,
        plies: u32,
        limit: Cost,
    ) -> Cost {
        if replies.is_empty() {
            let passed = position.passed();
            return self.cheapest_answer_cost(
                question,
                &passed,
                &features.passed(),
                passed.moves(),
                plies,
                Cost::NOTHING,
            );
        }
        let empties = position.empties().count() - 1;
        let mut nexts: ArrayVec<Reply, 60> = ArrayVec::new();
        let mut order: ArrayVec<u16, 60> = ArrayVec::new();
        for square in replies {
            self.nodes.count(empties);
            let flips = position.flips(square);
            let child = position.after(square, flips);
            let address = self.address(&child, empties);
            let answers = child.moves();
            order.push((answers.count() << 8) as u16 | nexts.len() as u16);
            nexts.push(Reply { flips, address, child, answers, square });
        }
        // The fewer the answers, the sooner they are looked at, and the dearer they are likely to be.
        order.sort_unstable();
        let mut sum = Cost::NOTHING;
        for place in order {
            let Reply { flips, address, child, answers, square } = &nexts[usize::from(place & 255)];
            match self.known(address, child, empties, question.alpha) {
                Some(true) => continue,
                Some(false) => return Cost::MAX,
                None => {}
            }
            let features = features.after(*square, *flips);
            // The first move's price has none to be compared with.
            let enough = if limit < Cost::MAX { limit } else { sum }.part(question.small_part);
            sum += self.cheapest_answer_cost(question, child, &features, *answers, plies, enough);
            if sum > limit {
                break;
            }
        }
        sum
    }

    /// Where a table has what it may know of a position, which is on its way from memory then.
    #[inline(always)]
    fn address(&self, position: &Position, empties: u32) -> Address {
        if empties >= DEEP_EMPTIES {
            let key = hash(position);
            self.table.prefetch(key);
            Address::Shared(key)
        } else {
            Address::Local(Key::new(position, self.normalise_keys))
        }
    }

    /// Whether the score of a position is above alpha, if a table knows; in a selective round, if it knows for all it takes on trust.
    #[inline(always)]
    fn known(
        &self,
        address: &Address,
        position: &Position,
        empties: u32,
        alpha: i32,
    ) -> Option<bool> {
        match address {
            Address::Local(key) => match key.probe(self.local.of(empties), empties, alpha) {
                LocalProbe::Cutoff(answer) => Some(answer > alpha),
                LocalProbe::HashMove(_) => None,
            },
            Address::Shared(key) => {
                let entry = self.table.probe(*key, position, self.generation)?;
                let (lower, upper) = match self.search_pass {
                    SearchPass::Exact => (entry.lower, entry.upper),
                    SearchPass::Selective(_) => {
                        (entry.lower.max(entry.likely.0), entry.upper.min(entry.likely.1))
                    }
                };
                match i32::from(lower) > alpha {
                    true => Some(true),
                    false => (i32::from(upper) <= alpha).then_some(false),
                }
            }
        }
    }

    /// The least that an answer in `position` will cost, or, two plies before the end of the small tree, what the first one does that costs less
    /// than `enough`. `answers` are the legal moves there.
    fn cheapest_answer_cost(
        &mut self,
        question: &Question,
        position: &Position,
        features: &Features,
        answers: Bitboard,
        plies: u32,
        enough: Cost,
    ) -> Cost {
        let Question { price, alpha, .. } = question;
        let empties = position.empties().count();
        if answers.is_empty() {
            let replies = position.passed().moves();
            return if !replies.is_empty() {
                let value = self.evaluation.value(features, empties);
                Cost::of_promise(price.promise(value, *alpha, weighted(replies)))
            } else if position.final_score().discs() > *alpha {
                Cost::NOTHING
            } else {
                Cost::MAX
            };
        }
        let mut best: MoveList = MoveList::new();
        let mut most = i32::MIN;
        for square in answers {
            self.nodes.count(empties - 1);
            let flips = position.flips(square);
            if flips == position.opponent {
                return Cost::NOTHING;
            }
            let child = position.after(square, flips);
            let replies = child.moves();
            let ahead = -self.evaluation.value(&features.after(square, flips), empties - 1);
            let value = price.promise(ahead, *alpha, weighted(replies));
            most = most.max(value);
            best.push(ScoredMove { child, replies: replies.0, value, square });
            if plies == 2 && Cost::of_promise(value) < enough {
                break;
            }
        }
        let within = most - PROBED_WITHIN;
        let mut asked: ArrayVec<(Address, Position), 60> = ArrayVec::new();
        for mv in best.iter().filter(|mv| mv.value >= within) {
            asked.push((self.address(&mv.child, empties - 1), mv.child));
        }
        for (address, child) in &asked {
            match self.known(address, child, empties - 1, !*alpha) {
                Some(false) => return Cost::NOTHING,
                Some(true) => best.retain(|mv| mv.child != *child),
                None => {}
            }
        }
        if plies == 2 {
            return best.iter().map(|mv| mv.value).max().map_or(Cost::MAX, Cost::of_promise);
        }
        best.sort_unstable_by_key(|mv| -mv.value);
        let mut least = Cost::MAX;
        for mv in best.iter().take(REFUTATION_ANSWERS) {
            let features = features.after(mv.square, mv.flips(position));
            let cost = self.refutation(
                question,
                &mv.child,
                &features,
                Bitboard(mv.replies),
                plies - 2,
                least,
            );
            least = least.min(cost);
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;
    use crate::eval::Evaluation;
    use crate::search::ordering::static_score::unscored_moves;
    use crate::search::testing::position;
    use crate::search::{Config, Parameters, Searcher};
    use crate::table::Entry;

    /// The price by its definition, as a number: the sum over replies of the least price of an answer, every answer looked at.
    fn plain(worker: &Worker<'_>, question: &Question, position: &Position, plies: u32) -> f64 {
        let leaf = |position: &Position, value: i32| {
            let promise = question.price.promise(value, question.alpha, weighted(position.moves()));
            (-f64::from(promise) / f64::from(CostModel::NAT)).exp()
        };
        let value = |position: &Position| {
            worker.evaluation.value(&Features::of(position), position.empties().count())
        };
        let answered = |next: &Position| {
            let mut answers: Vec<(f64, Position)> = Vec::new();
            for square in next.moves() {
                let flips = next.flips(square);
                if flips == next.opponent {
                    return 0.0;
                }
                let child = next.after(square, flips);
                answers.push((leaf(&child, -value(&child)), child));
            }
            if answers.is_empty() {
                return match next.is_over() {
                    false => leaf(&next.passed(), value(next)),
                    true if next.final_score().discs() > question.alpha => 0.0,
                    true => f64::INFINITY,
                };
            }
            answers.sort_by(|a, b| a.0.total_cmp(&b.0));
            if plies == 2 {
                return answers[0].0;
            }
            let deeper = answers.iter().take(REFUTATION_ANSWERS);
            deeper
                .map(|(_, child)| plain(worker, question, child, plies - 2))
                .fold(f64::INFINITY, f64::min)
        };
        let replies = position.moves();
        if replies.is_empty() {
            return answered(&position.passed());
        }
        replies
            .into_iter()
            .map(|square| answered(&position.after(square, position.flips(square))))
            .sum()
    }

    fn price() -> CostModel {
        CostModel::deep(&Parameters::of(&Evaluation::embedded()), 20)
    }

    /// Prices of positions, as logarithms, where no answer is small enough to be taken without a look at the others, where those of
    /// [`NEGLIGIBLE_PART`] are, and by their definition.
    fn prices(
        positions: u32,
        questions: &[(i32, u32)],
        mut check: impl FnMut(&Position, f64, f64, f64),
    ) {
        let mut rng = SmallRng::seed_from_u64(20);
        let mut solver = Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() })
            .expect("there is memory");
        let mut worker = solver.worker();
        let mut finite = 0;
        for number in 0..positions {
            let child = position(&mut rng, 8 + number % 16);
            let price = price();
            for &(alpha, plies) in questions {
                let features = Features::of(&child);
                let mut found = |small_part| {
                    let question = Question { price, alpha, small_part };
                    let cost = worker.refutation(
                        &question,
                        &child,
                        &features,
                        child.moves(),
                        plies,
                        Cost::MAX,
                    );
                    -f64::from(cost.promise()) / f64::from(CostModel::NAT)
                };
                let (whole, usual) = (found(u32::MAX), found(NEGLIGIBLE_PART));
                let plain =
                    plain(&worker, &Question { price, alpha, small_part: u32::MAX }, &child, plies)
                        .ln();
                // What lies outside the scale of costs is told as its end.
                if (-4.0..23.0).contains(&plain) {
                    check(&child, whole, usual, plain);
                    finite += 1;
                }
            }
        }
        assert!(finite > 100, "{finite} prices were compared");
    }

    #[test]
    fn the_price_is_a_sum_of_minima() {
        prices(60, &[(-21, 2), (-1, 2), (9, 4)], |position, whole, _, plain| {
            // Answers alike to a hair may change places.
            assert!((whole - plain).abs() < 0.1, "{whole} for {plain}: {position:?}");
        });
    }

    /// What a small answer is too dear, is a small part of the sum so far: so much for each reply.
    #[test]
    fn small_answers_change_the_price_by_little() {
        let mut larger = 0;
        prices(300, &[(-21, 2), (-1, 2), (9, 2)], |position, _, usual, plain| {
            let most =
                f64::from(position.moves().count()) * (1.0 + 1.0 / f64::from(NEGLIGIBLE_PART)).ln();
            assert!(
                (-0.1..most + 0.1).contains(&(usual - plain)),
                "{usual} for {plain}: {position:?}"
            );
            larger += u32::from(usual > plain + 0.1);
        });
        assert!(larger > 10, "{larger} prices were larger");
    }

    /// What a worker with fresh tables, after `teach` told them something, says a position's refutation costs.
    fn cost_knowing(position: &Position, alpha: i32, teach: impl FnOnce(&mut Worker<'_>)) -> Cost {
        let mut solver = Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() })
            .expect("there is memory");
        let mut worker = solver.worker();
        teach(&mut worker);
        let question = Question { price: price(), alpha, small_part: NEGLIGIBLE_PART };
        worker.refutation(
            &question,
            position,
            &Features::of(position),
            position.moves(),
            2,
            Cost::MAX,
        )
    }

    /// Tells the table which it belongs into that a position's score is above `alpha`, or that it is not.
    fn learn(worker: &mut Worker<'_>, position: &Position, alpha: i32, above: bool) {
        let empties = position.empties().count();
        let answer = if above { alpha + 1 } else { alpha };
        if empties < DEEP_EMPTIES {
            let key = Key::new(position, worker.normalise_keys);
            return key.store(&mut worker.local.middle, empties, alpha, answer, None);
        }
        let (lower, upper) = if above { (answer as i8, 64) } else { (-64, answer as i8) };
        let entry = Entry { lower, upper, ..Entry::UNKNOWN };
        worker.table.store(hash(position), position, entry, worker.generation);
    }

    #[test]
    fn what_the_tables_know_costs_nothing() {
        let mut rng = SmallRng::seed_from_u64(22);
        let mut compared = 0;
        // From 13 empties the replies are looked up in the shared table, and the answers in the thread's own.
        for number in 0..60 {
            let child = position(&mut rng, 13 + number % 4);
            let alpha = 2 * (number as i32 % 9) - 9;
            let after = |square| child.after(square, child.flips(square));
            let nexts: Vec<Position> = child.moves().into_iter().map(after).collect();
            if nexts.len() < 2 {
                continue;
            }
            let learn_all = |worker: &mut Worker<'_>| {
                nexts.iter().for_each(|next| learn(worker, next, alpha, true))
            };
            assert_eq!(cost_knowing(&child, alpha, learn_all), Cost::NOTHING);
            assert_eq!(
                cost_knowing(&child, alpha, |worker| learn(worker, &nexts[1], alpha, false)),
                Cost::MAX
            );

            // That a reply's answers refute is worth as much as that the reply is refuted.
            let next = &nexts[0];
            let answers: Vec<Position> = next
                .moves()
                .into_iter()
                .map(|square| next.after(square, next.flips(square)))
                .collect();
            if answers.is_empty() || answers.iter().any(|answer| answer.player.is_empty()) {
                continue;
            }
            let known = cost_knowing(&child, alpha, |worker| learn(worker, next, alpha, true));
            let free = cost_knowing(&child, alpha, |worker| {
                answers.iter().for_each(|answer| learn(worker, answer, !alpha, false));
            });
            assert_eq!(free, known, "{child:?}");
            let unknown = cost_knowing(&child, alpha, |_| ());
            assert!(known <= unknown);
            compared += u32::from(known < unknown);
        }
        assert!(compared > 30, "{compared} prices fell");
    }

    #[test]
    fn every_move_is_there_once_with_what_it_leads_to() {
        let mut rng = SmallRng::seed_from_u64(21);
        let mut solver = Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() })
            .expect("there is memory");
        for number in 0..30 {
            let position = position(&mut rng, 14 + number % 10);
            let features = Features::of(&position);
            let mut worker = solver.worker();
            let mut children = unscored_moves(&position, position.moves());
            worker.score_by_refutation_cost(
                &position,
                &features,
                &mut children,
                number as i32 * 2 - 31,
            );
            let mut moves = Bitboard::EMPTY;
            for mv in &children {
                moves |= Bitboard::of(mv.square);
                assert_eq!(mv.child, position.after(mv.square, position.flips(mv.square)));
                assert_eq!(mv.replies, mv.child.moves().0);
            }
            assert_eq!(
                (moves, children.len()),
                (position.moves(), moves.count() as usize),
                "{position:?}"
            );
        }
    }
}
