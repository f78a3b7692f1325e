//! The predicted cost of a position, in nodes, before it is solved.
//!
//! Nodes grow by a constant factor for each empty square, and vary a hundredfold among positions
//! with the same number of empties. So an estimate of the remaining time cannot count positions. It
//! adds up predicted costs, and even a rough prediction is enough for that.
//!
//! The logarithm of the nodes is predicted by a linear form:
//!
//! ```text
//! ln nodes = w0 + w1 · empties + w2 · ln moves + w3 · |evaluation in discs| + clear game
//! ```
//!
//! The number of legal moves measures how open the position still is. The residual is nearly
//! normal, so nodes are lognormal about the prediction, and the prediction includes their standard
//! deviation. `yose train cost` fits the weights to Yose's own node counts.
//!
//! A *clear game* is one whose evaluation is beyond `CLEAR_DISCS`. Such positions are cheaper,
//! and the more so the more empties they have: many end in a wipeout, which is found early. How
//! much cheaper varies by a factor of a thousand, so their standard deviation is larger.

use std::iter::Sum;
use std::ops::{AddAssign, SubAssign};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::eval::{Evaluation, Features, UNIT};
use crate::othello::Position;

/// The parameters of a prediction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The weights of the [`predictors`]: the constant, the number of empties, the logarithm of the
    /// number of legal moves, and the absolute evaluation in discs.
    pub weights: [f64; 4],
    /// The standard deviation of the logarithm of the nodes about the prediction, in games that are
    /// not clear.
    pub deviation: f64,
}

/// The model with the evaluation. Fitted: docs/experiments/search.md, "Predicted cost".
pub const WITH_EVALUATION: Model =
    Model { weights: [-0.738, 0.6891, 0.473, 0.0103], deviation: 0.818 };

/// The model without the evaluation. Fitted: docs/experiments/search.md, "Predicted cost".
const WITHOUT_EVALUATION: Model = Model { weights: [-0.503, 0.6874, 0.438, 0.0], deviation: 0.826 };

/// The absolute evaluation beyond which a game is clear, in discs.
/// Fitted: docs/experiments/search.md, "Clear games".
const CLEAR_DISCS: f64 = 25.0;

/// The logarithm by which each disc beyond [`CLEAR_DISCS`] changes the nodes of a position with
/// [`CLEAR_EMPTIES`] empties. It is proportional to the empties.
/// Fitted: docs/experiments/search.md, "Clear games".
const CLEAR_WEIGHT: f64 = -0.12;

/// The empties to which [`CLEAR_WEIGHT`] and [`CLEAR_DEVIATION`] belong.
const CLEAR_EMPTIES: f64 = 20.0;

/// What each disc beyond [`CLEAR_DISCS`] adds to the standard deviation, as [`CLEAR_WEIGHT`] does
/// to the logarithm. Fitted: docs/experiments/search.md, "Clear games".
const CLEAR_DEVIATION: f64 = 0.08;

/// The largest standard deviation. Fitted: docs/experiments/search.md, "Clear games".
const LARGEST_DEVIATION: f64 = 2.3;

/// The least number of empties at which the cost of a position in a run is predicted with the
/// evaluation. Positions with fewer are solved in less than a hundredth of a second.
const EVALUATED_EMPTIES: u32 = 17;

/// The standard deviation of the logarithm of a whole list's nodes about the prediction, for a list
/// of any length: lists differ in ways that the predictors do not measure. Chosen:
/// docs/experiments/search.md, "Predicted cost".
pub(super) const LIST_DEVIATION: f64 = 0.37;

/// The predictors of a position: 1, the number of empties, the logarithm of the number of legal
/// moves, and the absolute evaluation in discs. Without an evaluation the last one is 0.
pub fn predictors(position: &Position, evaluation: Option<&Evaluation>) -> [f64; 4] {
    let empties = position.empties().count();
    // After a pass, the opponent chooses the move.
    let moves = if position.must_pass() { position.passed().moves() } else { position.moves() };
    let value =
        evaluation.map_or(0, |evaluation| evaluation.value(&Features::of(position), empties).abs());
    [
        1.0,
        f64::from(empties),
        f64::from(moves.count().max(1)).ln(),
        f64::from(value) / f64::from(UNIT),
    ]
}

/// Eight of ten normally distributed numbers lie within this many standard deviations.
pub(super) const EIGHT_OF_TEN: f64 = 1.281_552;

/// The predicted nodes of a position. Their logarithm is normally distributed, with this mean and
/// this standard deviation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// The mean of the natural logarithm.
    pub ln_nodes: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

impl Model {
    /// The prediction for a position with these [`predictors`].
    pub fn predict(&self, predictors: &[f64; 4]) -> Prediction {
        let ln_nodes: f64 =
            self.weights.iter().zip(predictors).map(|(weight, one)| weight * one).sum();
        let clear = clear_discs(predictors);
        Prediction {
            ln_nodes: ln_nodes + CLEAR_WEIGHT * clear,
            deviation: (self.deviation + CLEAR_DEVIATION * clear)
                .min(LARGEST_DEVIATION.max(self.deviation)),
        }
    }
}

/// The discs beyond [`CLEAR_DISCS`], in proportion to the empties.
fn clear_discs(&[_, empties, _, discs]: &[f64; 4]) -> f64 {
    (discs - CLEAR_DISCS).max(0.0) * empties / CLEAR_EMPTIES
}

/// What a clear game adds to the logarithm of the nodes. 0 in other games.
#[cfg(feature = "training")]
pub(crate) fn clear_game(predictors: &[f64; 4]) -> f64 {
    CLEAR_WEIGHT * clear_discs(predictors)
}

impl Prediction {
    /// The prediction for a position, with the evaluation.
    pub fn of(position: &Position, evaluation: &Evaluation) -> Prediction {
        WITH_EVALUATION.predict(&predictors(position, Some(evaluation)))
    }

    /// The mean of the nodes. It is above their median, as in every lognormal distribution.
    pub fn mean(&self) -> f64 {
        (self.ln_nodes + self.deviation * self.deviation / 2.0).exp()
    }

    /// The nodes as a cost.
    pub(crate) fn cost(&self) -> Cost {
        let mean = self.mean();
        let variance = mean * mean * relative_variance(self.deviation);
        Cost { mean, variance, low: self.at(-EIGHT_OF_TEN) }
    }

    /// The number of nodes this many standard deviations from the mean of the logarithm.
    fn at(&self, deviations: f64) -> f64 {
        (self.ln_nodes + deviations * self.deviation).exp()
    }

    /// The nodes that are left after `searched` nodes.
    ///
    /// That the search has not ended excludes all numbers up to `searched`; this is the cost of
    /// the others, less `searched`. So a search that takes longer than predicted is not expected
    /// to end at once: the longer it has run, the longer it will run.
    pub(super) fn rest(&self, searched: f64) -> Cost {
        /// The tail of the normal distribution is summed up in steps of this size, in standard
        /// deviations, over this many steps.
        const STEP: f64 = 0.02;
        const STEPS: u32 = 600;
        // What lies six deviations below the mean is negligible.
        let from = ((searched.max(1.0).ln() - self.ln_nodes) / self.deviation).max(-6.0);
        let steps = || {
            (0..STEPS).map(|step| {
                let at = from + (f64::from(step) + 0.5) * STEP;
                // Relative to the density at `from`, which may be as small as no number.
                let weight = ((from * from - at * at) / 2.0).exp();
                (weight, (self.at(at) - searched).max(0.0))
            })
        };
        let (mut weights, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (weight, left) in steps() {
            weights += weight;
            sum += weight * left;
            squares += weight * left * left;
        }
        let mean = sum / weights;
        let mut below = 0.0;
        let low = steps().find(|(weight, _)| {
            below += weight;
            below >= weights / 10.0
        });
        Cost {
            mean,
            variance: (squares / weights - mean * mean).max(0.0),
            low: low.map_or(0.0, |(_, left)| left),
        }
    }
}

/// The variance of a lognormal number with this standard deviation of its logarithm, relative to
/// the square of its mean.
pub(super) fn relative_variance(deviation: f64) -> f64 {
    (deviation * deviation).exp() - 1.0
}

/// The predicted cost of `position` for a run. It takes about as long as the search of a node.
/// Positions with few empties are predicted without the evaluation.
pub fn predict(position: &Position) -> Cost {
    if position.empties().count() < EVALUATED_EMPTIES {
        WITHOUT_EVALUATION.predict(&predictors(position, None)).cost()
    } else {
        Prediction::of(position, &Evaluation::embedded()).cost()
    }
}

/// A number of nodes that is not certain. Costs of different positions are independent: their means
/// and variances add up.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cost {
    /// The mean, in nodes.
    pub mean: f64,
    /// The variance, in square nodes.
    pub variance: f64,
    /// The sum of what each position takes at least in nine of ten cases, in nodes. The sum of all
    /// is hardly ever lower.
    pub low: f64,
}

impl Cost {
    /// No nodes.
    pub const ZERO: Cost = Cost { mean: 0.0, variance: 0.0, low: 0.0 };
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.mean += other.mean;
        self.variance += other.variance;
        self.low += other.low;
    }
}

impl SubAssign for Cost {
    /// Takes a part out of a sum. A remainder below zero is the error of rounding, and is zero.
    fn sub_assign(&mut self, part: Cost) {
        self.mean = (self.mean - part.mean).max(0.0);
        self.variance = (self.variance - part.variance).max(0.0);
        self.low = (self.low - part.low).max(0.0);
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        let mut sum = Cost::ZERO;
        costs.for_each(|cost| sum += cost);
        sum
    }
}

/// A mean, and the range that holds in eight of ten cases.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    /// The number is lower in one of ten cases.
    pub low: f64,
    /// The mean.
    pub mean: f64,
    /// The number is higher in one of ten cases.
    pub high: f64,
}

impl Cost {
    /// The lognormal distribution with this mean and variance; 0 if the mean is.
    pub(super) fn lognormal(&self) -> Prediction {
        if self.mean <= 0.0 {
            return Prediction { ln_nodes: f64::NEG_INFINITY, deviation: 0.0 };
        }
        let variance = (self.variance / (self.mean * self.mean)).ln_1p();
        Prediction { ln_nodes: self.mean.ln() - variance / 2.0, deviation: variance.sqrt() }
    }

    /// The range of a lognormal number with this mean and variance. Where a position dominates, a
    /// sum is not lognormal, and is not lower than its positions are.
    pub fn range(&self) -> Range {
        let sum = self.lognormal();
        let low = sum.at(-EIGHT_OF_TEN).max(self.low);
        Range { low, mean: self.mean, high: sum.at(EIGHT_OF_TEN) }
    }
}

/// The predicted nodes of a list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Total {
    /// The number of positions.
    pub positions: u64,
    /// The positions with the largest variances.
    largest: Vec<Prediction>,
    /// The sum of all others.
    others: Cost,
}

impl Total {
    /// The number of positions whose distributions are kept. The sum of the others is nearly
    /// lognormal; with a position that dominates the list it is not.
    const LARGEST: usize = 16;

    /// Adds a position.
    pub fn add(&mut self, prediction: Prediction) {
        self.positions += 1;
        self.largest.push(prediction);
        if self.largest.len() > Total::LARGEST {
            let variances = self.largest.iter().map(|part| part.cost().variance);
            let least = variances.enumerate().min_by(|one, other| one.1.total_cmp(&other.1));
            let (least, _) = least.expect("there are positions");
            self.others += self.largest.swap_remove(least).cost();
        }
    }

    /// The mean of the nodes.
    pub fn mean(&self) -> f64 {
        self.others.mean + self.largest.iter().map(Prediction::mean).sum::<f64>()
    }

    /// The nodes of the whole list. The deviations of its positions are independent, so they cancel
    /// out in part; the deviation of the list does not. The range is that of a fixed set of random
    /// draws.
    pub fn nodes(&self) -> Range {
        const DRAWS: usize = 4000;
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let list =
            Prediction { ln_nodes: -LIST_DEVIATION.powi(2) / 2.0, deviation: LIST_DEVIATION };
        let others = self.others.lognormal();
        let mut draws: Vec<f64> = (0..DRAWS)
            .map(|_| {
                let parts = self.largest.iter().chain([&others]);
                let sum: f64 = parts.map(|part| part.draw(&mut rng)).sum();
                sum * list.draw(&mut rng)
            })
            .collect();
        draws.sort_by(f64::total_cmp);
        Range { low: draws[DRAWS / 10], mean: self.mean(), high: draws[DRAWS / 10 * 9] }
    }
}

impl Prediction {
    /// A random number of this distribution, by the transform of Box and Muller.
    fn draw(&self, rng: &mut Pcg64Mcg) -> f64 {
        let (one, other): (f64, f64) = (rng.random(), rng.random());
        let normal = (-2.0 * (1.0 - one).ln()).sqrt() * (std::f64::consts::TAU * other).cos();
        self.at(normal)
    }
}

/// A cost with this mean, and the deviation of games that are not clear.
#[cfg(test)]
pub(super) fn testing(mean: f64) -> Cost {
    let deviation = WITHOUT_EVALUATION.deviation;
    let ln_nodes = mean.ln() - deviation * deviation / 2.0;
    // Exactly this mean: the test of a ratio compares it.
    Cost { mean, ..Prediction { ln_nodes, deviation }.cost() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::fingerprint::Fingerprint;
    use crate::othello::Bitboard;

    #[test]
    fn more_empties_and_more_moves_cost_more() {
        let start = Position::START;
        let later = start.play(start.moves().first().expect("a move")).expect("legal");
        assert!(predict(&start).mean > predict(&later).mean);
        let passed = Position { player: start.opponent, opponent: Bitboard::EMPTY };
        assert!(predict(&passed).mean.is_finite());
    }

    /// The positions of the fingerprint, with 8 to 20 empties, are not among those of the fit.
    #[test]
    fn predictions_are_near_the_node_counts() {
        const RECORD: &str = include_str!("../../positions/fingerprint.txt");
        let lines = Fingerprint::read(RECORD, "fingerprint.txt").expect("a record").lines;
        let evaluation = Evaluation::embedded();
        let (mut total, mut counted, mut residuals) = (Total::default(), 0, Vec::new());
        for line in &lines {
            let prediction = Prediction::of(&line.diagram.position, &evaluation);
            total.add(prediction);
            counted += line.nodes;
            residuals.push(((line.nodes as f64).ln() - prediction.ln_nodes).abs());
        }
        residuals.sort_by(f64::total_cmp);
        let median = residuals[residuals.len() / 2];
        assert!(median < 1.2, "half of the residuals are above {median}");
        let ratio = counted as f64 / total.nodes().mean;
        assert!((0.25..4.0).contains(&ratio), "{counted} nodes, {:?}", total.nodes());
    }

    #[test]
    fn the_rest_of_a_search_follows_from_what_it_has_taken() {
        let predicted = testing(1e6).lognormal();
        let rest = |searched: f64| predicted.rest(searched).mean / 1e6;
        assert!((rest(0.0) - 1.0).abs() < 0.01, "{}", rest(0.0));
        // At first the rest falls, but by less than what is searched: short searches are excluded.
        assert!(rest(0.3e6) < 1.0 && rest(0.3e6) > 0.7, "{}", rest(0.3e6));
        // Beyond the prediction it rises again, and stays a share of what is searched.
        assert!(rest(1e6) > 0.5 && rest(1e7) > rest(1e6) && rest(1e9) > rest(1e7));
        assert!(rest(1e9) < 0.5 * 1e3, "{}", rest(1e9));
        assert!(testing(0.1).lognormal().rest(0.0).mean.is_finite());
        assert!(testing(1e30).lognormal().rest(1e19).variance.is_finite());
    }

    #[test]
    fn deviations_of_positions_cancel_out_in_long_lists() {
        let one = Prediction { ln_nodes: 10.0, deviation: 1.0 };
        let total = |positions| {
            let mut total = Total::default();
            (0..positions).for_each(|_| total.add(one));
            total.nodes()
        };
        let (alone, many) = (total(1), total(10_000));
        assert!((many.mean / alone.mean / 10_000.0 - 1.0).abs() < 1e-9);
        let width = |range: Range| (range.high / range.low).ln();
        let two_sided = 2.0 * 1.281_552;
        let both = (1.0 + LIST_DEVIATION.powi(2)).sqrt();
        assert!((width(alone) / (two_sided * both) - 1.0).abs() < 0.05, "{alone:?}");
        assert!((width(many) / (two_sided * LIST_DEVIATION) - 1.0).abs() < 0.05, "{many:?}");
        assert!(alone.low < alone.mean && alone.mean < alone.high);
        assert_eq!(Total::default().nodes().mean, 0.0);
    }
}
