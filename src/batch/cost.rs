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
