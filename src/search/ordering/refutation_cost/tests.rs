//! Tests of the expected refutation cost.

use rand::SeedableRng;
use rand::rngs::SmallRng;

use super::*;
use crate::eval::Evaluation;
use crate::search::constants::NEGLIGIBLE_PART;
use crate::search::testing::position;
use crate::search::{Config, Parameters, Searcher};
use crate::table::Entry;

/// The cost by its definition: the sum over the replies of the least cost of an answer, without
/// tables, limits and negligible answers.
fn plain(worker: &Worker<'_>, window: &NullWindow, position: &Position, plies: u32) -> f64 {
    let leaf = |position: &Position, value: i32| {
        let replies = weighted_mobility(position.moves());
        let priority = window.model.priority(value, window.alpha, replies);
        (-f64::from(priority) / f64::from(CostModel::NAT)).exp()
    };
    let value = |position: &Position| {
        worker.evaluation.value(&Features::of(position), position.empties().count())
    };
    let cheapest_answer = |next: &Position| {
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
                true if next.final_score().discs() > window.alpha => 0.0,
                true => f64::INFINITY,
            };
        }
        answers.sort_by(|a, b| a.0.total_cmp(&b.0));
        if plies == 2 {
            return answers[0].0;
        }
        let deeper = answers.iter().take(REFUTATION_ANSWERS);
        deeper
            .map(|(_, child)| plain(worker, window, child, plies - 2))
            .fold(f64::INFINITY, f64::min)
    };
    let replies = position.moves();
    if replies.is_empty() {
        return cheapest_answer(&position.passed());
    }
    replies
        .into_iter()
        .map(|square| cheapest_answer(&position.after(square, position.flips(square))))
        .sum()
}

fn model() -> CostModel {
    CostModel::deep(&Parameters::of(&Evaluation::embedded()), 20)
}

/// Calls `check` with costs of positions as logarithms: computed with no negligible answers, with
/// those of [`NEGLIGIBLE_PART`], and by the definition. `windows` are alphas and plies.
fn compare_costs(
    positions: u32,
    windows: &[(i32, u32)],
    mut check: impl FnMut(&Position, f64, f64, f64),
) {
    let mut rng = SmallRng::seed_from_u64(20);
    let mut solver = Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() })
        .expect("there is memory");
    let mut worker = solver.worker();
    let mut finite = 0;
    for number in 0..positions {
        let child = position(&mut rng, 8 + number % 16);
        let model = model();
        for &(alpha, plies) in windows {
            let features = Features::of(&child);
            let mut log_cost = |negligible_part| {
                let window = NullWindow { alpha, model, negligible_part };
                let (replies, max) = (child.moves(), RefutationCost::MAX);
                let cost = worker.refutation_cost(&window, &child, &features, replies, plies, max);
                -f64::from(cost.priority()) / f64::from(CostModel::NAT)
            };
            let (whole, usual) = (log_cost(u32::MAX), log_cost(NEGLIGIBLE_PART));
            let window = NullWindow { alpha, model, negligible_part: u32::MAX };
            let plain = plain(&worker, &window, &child, plies).ln();
            // Costs outside the scale are clamped to its ends.
            if (-4.0..23.0).contains(&plain) {
                check(&child, whole, usual, plain);
                finite += 1;
            }
        }
    }
    assert!(finite > 100, "{finite} costs were compared");
}

#[test]
fn the_cost_is_a_sum_of_minima() {
    compare_costs(60, &[(-21, 2), (-1, 2), (9, 4)], |position, whole, _, plain| {
        // Answers of nearly equal priority may change places.
        assert!((whole - plain).abs() < 0.1, "{whole} for {plain}: {position:?}");
    });
}

/// For each reply, a negligible answer adds at most its part of the sum so far.
#[test]
fn negligible_answers_change_the_cost_by_little() {
    let mut larger = 0;
    compare_costs(300, &[(-21, 2), (-1, 2), (9, 2)], |position, _, usual, plain| {
        let most =
            f64::from(position.moves().count()) * (1.0 + 1.0 / f64::from(NEGLIGIBLE_PART)).ln();
        assert!((-0.1..most + 0.1).contains(&(usual - plain)), "{usual} for {plain}: {position:?}");
        larger += u32::from(usual > plain + 0.1);
    });
    assert!(larger > 10, "{larger} costs were larger");
}

/// The refutation cost of a position with empty tables in which `fill` has stored bounds. No answer
/// is negligible, because such an answer would not be probed.
fn cost_with(
    position: &Position,
    alpha: i32,
    fill: impl FnOnce(&mut Worker<'_>),
) -> RefutationCost {
    let mut solver = Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() })
        .expect("there is memory");
    let mut worker = solver.worker();
    fill(&mut worker);
    let window = NullWindow { alpha, model: model(), negligible_part: u32::MAX };
    let (features, replies) = (Features::of(position), position.moves());
    worker.refutation_cost(&window, position, &features, replies, 2, RefutationCost::MAX)
}

/// Stores in the table of a position that its score is above `alpha`, or that it is not.
fn store(worker: &mut Worker<'_>, position: &Position, alpha: i32, above: bool) {
    let empties = position.empties().count();
    let bound = if above { alpha + 1 } else { alpha };
    if empties < DEEP_EMPTIES {
        let key = Key::new(position, worker.normalise_keys);
        return key.store(&mut worker.local.middle, alpha, bound, None);
    }
    let (lower, upper) = if above { (bound as i8, 64) } else { (-64, bound as i8) };
    let entry = Entry { lower, upper, ..Entry::UNKNOWN };
    worker.table.store(hash(position), position, entry, worker.generation);
}

#[test]
fn proven_bounds_in_the_tables_cost_nothing() {
    let mut rng = SmallRng::seed_from_u64(22);
    let mut compared = 0;
    // From 13 empties the shared table has the positions after replies, and the local table those
    // after answers.
    for number in 0..60 {
        let child = position(&mut rng, 13 + number % 4);
        let alpha = 2 * (number as i32 % 9) - 9;
        let after = |square| child.after(square, child.flips(square));
        let nexts: Vec<Position> = child.moves().into_iter().map(after).collect();
        if nexts.len() < 2 {
            continue;
        }
        let store_all = |worker: &mut Worker<'_>| {
            nexts.iter().for_each(|next| store(worker, next, alpha, true))
        };
        assert_eq!(cost_with(&child, alpha, store_all), RefutationCost::ZERO);
        assert_eq!(
            cost_with(&child, alpha, |worker| store(worker, &nexts[1], alpha, false)),
            RefutationCost::MAX
        );

        // Bounds of all answers to a reply are worth as much as the bound after the reply.
        let next = &nexts[0];
        let answers: Vec<Position> =
            next.moves().into_iter().map(|square| next.after(square, next.flips(square))).collect();
        if answers.is_empty() || answers.iter().any(|answer| answer.player.is_empty()) {
            continue;
        }
        let known = cost_with(&child, alpha, |worker| store(worker, next, alpha, true));
        let free = cost_with(&child, alpha, |worker| {
            answers.iter().for_each(|answer| store(worker, answer, !alpha, false));
        });
        assert_eq!(free, known, "{child:?}");
        let unknown = cost_with(&child, alpha, |_| ());
        assert!(known <= unknown);
        compared += u32::from(known < unknown);
    }
    assert!(compared > 30, "{compared} costs fell");
}
