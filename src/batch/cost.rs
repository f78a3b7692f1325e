//! The predicted cost of a position, in nodes, before it is solved.
//!
//! Nodes grow by a constant factor for each empty square, and vary a hundredfold among positions
//! with the same number of empties. So an estimate of the remaining time cannot count positions. It
//! adds up predicted costs, and even a rough prediction is enough for that.
//!
//! The logarithm of the nodes is predicted by a linear form:
//!
//! ```text
//! ln nodes = w0 + w1 · empties + w2 · ln moves + w3 · |evaluation in discs|
//! ```
//!
//! The number of legal moves measures how open the position still is. The residual is nearly
//! normal, so nodes are lognormal about the prediction, and the prediction includes their standard
//! deviation. `yose train cost` fits the weights to Yose's own node counts.

use super::progress::Finished;
use crate::eval::{Evaluation, Features, UNIT};
use crate::othello::Position;

/// The parameters of a prediction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The weights of the [`predictors`]: the constant, the number of empties, the logarithm of the
    /// number of legal moves, and the absolute evaluation in discs.
    pub weights: [f64; 4],
    /// The standard deviation of the logarithm of the nodes about the prediction.
    pub deviation: f64,
}

/// The model with the evaluation. Fitted: docs/experiments/search.md, "Predicted cost".
pub const WITH_EVALUATION: Model =
    Model { weights: [-0.738, 0.6891, 0.473, 0.0103], deviation: 0.818 };

/// The model without the evaluation. Fitted: docs/experiments/search.md, "Predicted cost".
const WITHOUT_EVALUATION: Model = Model { weights: [-0.503, 0.6874, 0.438, 0.0], deviation: 0.826 };

/// The standard deviation of the logarithm of a whole list's nodes about the prediction, for a list
/// of any length: lists differ in ways that the predictors do not measure. Chosen:
/// docs/experiments/search.md, "Predicted cost".
const LIST_DEVIATION: f64 = 0.5;

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
        let ln_nodes = self.weights.iter().zip(predictors).map(|(weight, one)| weight * one).sum();
        Prediction { ln_nodes, deviation: self.deviation }
    }
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

    /// The variance of the nodes.
    fn variance(&self) -> f64 {
        self.mean().powi(2) * ((self.deviation * self.deviation).exp() - 1.0)
    }
}

/// The predicted cost of `position`, in nodes, without the evaluation. It takes no longer than the
/// search of a node, and is less accurate than [`Prediction::of`].
pub fn predict(position: &Position) -> f64 {
    WITHOUT_EVALUATION.predict(&predictors(position, None)).mean()
}

/// The factor by which the predicted costs of the rest of a list are to be multiplied, from what
/// the finished part has taken.
///
/// It lies between 1 and the ratio of nodes and predicted cost so far (credibility theory: Hans
/// Bühlmann, "Experience Rating and Credibility", ASTIN Bulletin 4(3), 1967). The weight of that
/// ratio is the variance of lists, divided by its sum with the variance of the ratio. So one
/// position that dominates the finished part proves little, and a thousand equal ones prove nearly
/// all.
pub fn correction(finished: &Finished) -> f64 {
    if finished.cost <= 0.0 {
        return 1.0;
    }
    let relative_variance = |deviation: f64| (deviation * deviation).exp() - 1.0;
    let of_lists = relative_variance(LIST_DEVIATION);
    let of_ratio = relative_variance(WITHOUT_EVALUATION.deviation) * finished.squares
        / (finished.cost * finished.cost);
    let weight = of_lists / (of_lists + of_ratio);
    1.0 + weight * (finished.nodes as f64 / finished.cost - 1.0)
}

/// The expected nodes of the rest of a search, of which `searched` nodes are done, if its predicted
/// cost was `cost`.
///
/// Nodes are lognormal about the prediction. That the search has not ended excludes all numbers up
/// to `searched`; this is the mean of the others, less `searched`. So a search that takes longer
/// than predicted is not expected to end at once: the longer it has run, the longer it will run.
pub fn expected_rest(cost: f64, searched: u64) -> f64 {
    /// The tail of the normal distribution is summed up in steps of this size, in standard
    /// deviations, over this many steps.
    const STEP: f64 = 0.02;
    const STEPS: u32 = 600;
    let deviation = WITHOUT_EVALUATION.deviation;
    let ln_median = cost.max(1.0).ln() - deviation * deviation / 2.0;
    let searched = searched as f64;
    // What lies six deviations below the mean is negligible.
    let from = ((searched.max(1.0).ln() - ln_median) / deviation).max(-6.0);
    let (mut weights, mut nodes) = (0.0, 0.0);
    for step in 0..STEPS {
        let at = from + (f64::from(step) + 0.5) * STEP;
        // Relative to the density at `from`, which may be as small as no number.
        let weight = ((from * from - at * at) / 2.0).exp();
        weights += weight;
        nodes += weight * (ln_median + deviation * at).exp();
    }
    (nodes / weights - searched).max(0.0)
}

/// The predicted nodes of a list.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Total {
    /// The number of positions.
    pub positions: u64,
    mean: f64,
    variance: f64,
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

impl Total {
    /// Adds a position.
    pub fn add(&mut self, prediction: Prediction) {
        self.positions += 1;
        self.mean += prediction.mean();
        self.variance += prediction.variance();
    }

    /// The nodes of the whole list. The deviations of its positions are independent, so they cancel
    /// out in part; the deviation of the list does not.
    pub fn nodes(&self) -> Range {
        /// Eight of ten normally distributed numbers lie within this many standard deviations.
        const EIGHT_OF_TEN: f64 = 1.281_552;
        let variance = (1.0 + self.variance / self.mean.powi(2).max(f64::MIN_POSITIVE)).ln()
            + LIST_DEVIATION.powi(2);
        let at =
            |deviations: f64| self.mean * (deviations * variance.sqrt() - variance / 2.0).exp();
        Range { low: at(-EIGHT_OF_TEN), mean: self.mean, high: at(EIGHT_OF_TEN) }
    }
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
        assert!(predict(&start) > predict(&later));
        let passed = Position { player: start.opponent, opponent: Bitboard::EMPTY };
        assert!(predict(&passed).is_finite());
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
    fn finished_positions_correct_the_rest_of_the_list() {
        let of = |positions: u32, nodes: u64| {
            let mut finished = Finished::default();
            (0..positions).for_each(|_| finished.add(1e6, nodes));
            correction(&finished)
        };
        assert_eq!((of(0, 0), of(10, 1_000_000)), (1.0, 1.0));
        let (one, ten, many) = (of(1, 200_000), of(10, 200_000), of(10_000, 200_000));
        assert!(0.7 < one && one < 0.9, "one position proves little: {one}");
        assert!(0.3 < ten && ten < one, "{ten}");
        assert!((many - 0.2).abs() < 0.01, "{many}");
    }

    #[test]
    fn the_rest_of_a_search_follows_from_what_it_has_taken() {
        let rest = |searched: f64| expected_rest(1e6, searched as u64) / 1e6;
        assert!((rest(0.0) - 1.0).abs() < 0.01, "{}", rest(0.0));
        // At first the rest falls, but by less than what is searched: short searches are excluded.
        assert!(rest(0.3e6) < 1.0 && rest(0.3e6) > 0.7, "{}", rest(0.3e6));
        // Beyond the prediction it rises again, and stays a share of what is searched.
        assert!(rest(1e6) > 0.5 && rest(1e7) > rest(1e6) && rest(1e9) > rest(1e7));
        assert!(rest(1e9) < 0.5 * 1e3, "{}", rest(1e9));
        assert!(expected_rest(0.0, 0).is_finite() && expected_rest(1e30, u64::MAX).is_finite());
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
        assert!((width(alone) - two_sided * (1.0 + LIST_DEVIATION.powi(2)).sqrt()).abs() < 1e-6);
        assert!((width(many) - two_sided * LIST_DEVIATION).abs() < 1e-3, "{many:?}");
        assert!(alone.low < alone.mean && alone.mean < alone.high);
        assert_eq!(Total::default().nodes().mean, 0.0);
    }
}
