//! What a position will take, before it is solved.
//!
//! Nodes grow by a factor for each empty square, and among positions with the same number of
//! empties they vary a hundredfold: the dearest tenth of a list of 35 empties takes two thirds of
//! the time. So an estimate of the time left that counts positions is worthless; one that adds up
//! even a rough prediction is not.
//!
//! The prediction is a linear form in the logarithm of the nodes, as everything here multiplies: of
//! the empties, of the logarithm of the number of legal moves, which is the best cheap measure of
//! how free the game still is, and of how far the evaluation sees one side ahead. What is left over
//! is nearly normal, so nodes are lognormal about the prediction, and its standard deviation is the
//! honest part of it. `yose train cost` fits the numbers to Yose's own node counts.

use crate::eval::{Evaluation, Features, UNIT};
use crate::othello::Position;

/// The numbers of a prediction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// What is added to the logarithm of all positions' nodes, what for each empty square, what for
    /// the logarithm of the number of legal moves, and what for each disc that the evaluation sees
    /// one side ahead.
    pub weights: [f64; 4],
    /// The standard deviation of the logarithm of the nodes about the prediction.
    pub deviation: f64,
}

// Fitted by `yose train cost` to 500 positions of tournament games (WTHOR): 200 with 16 empties,
// 100 with 18, 100 with 20, 60 with 22 and 40 with 24. The mean residual lies between -0.07 and
// +0.07 at each number of empties, the standard deviation between 0.73 (16 empties) and 0.99 (22).
// The evaluation explains hardly more than the moves do: on average a clear game is not cheaper.
// One as clear as FFO 39, won by 64 discs, is, and is predicted far too dear.

/// With the evaluation.
pub const WITH_VALUE: Model = Model { weights: [-0.738, 0.6891, 0.473, 0.0103], deviation: 0.818 };

/// Without it.
const WITHOUT_VALUE: Model = Model { weights: [-0.503, 0.6874, 0.438, 0.0], deviation: 0.826 };

/// How far, as a standard deviation of the logarithm, the nodes of a whole list lie from the
/// prediction, however long it is: lists differ in ways that the prediction does not see. FFO 40-49
/// take 0.80 times what is predicted, hard-20 1.01 times, the positions of the fingerprint, which
/// are of all kinds, 0.74 times.
const LIST_SPREAD: f64 = 0.5;

/// What a prediction looks at: 1, the empties, the logarithm of the number of legal moves, and the
/// absolute value that the evaluation gives, in discs. Without an evaluation the last one is 0.
pub fn traits(position: &Position, evaluation: Option<&Evaluation>) -> [f64; 4] {
    let empties = position.empties().count();
    // Who must pass leaves the choice to the other side.
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

/// The nodes that a position is predicted to take: their logarithm is normal, with this mean and
/// this standard deviation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// The mean of the natural logarithm.
    pub ln_nodes: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

impl Model {
    /// The prediction for a position with these traits.
    pub fn predict(&self, traits: &[f64; 4]) -> Prediction {
        let ln_nodes = self.weights.iter().zip(traits).map(|(weight, one)| weight * one).sum();
        Prediction { ln_nodes, deviation: self.deviation }
    }
}

impl Prediction {
    /// The prediction for a position, with an evaluation's help.
    pub fn of(position: &Position, evaluation: &Evaluation) -> Prediction {
        WITH_VALUE.predict(&traits(position, Some(evaluation)))
    }

    /// The mean of the nodes, which is above their median: few positions take many.
    pub fn mean(&self) -> f64 {
        (self.ln_nodes + self.deviation * self.deviation / 2.0).exp()
    }

    /// Their variance.
    fn variance(&self) -> f64 {
        self.mean().powi(2) * ((self.deviation * self.deviation).exp() - 1.0)
    }
}

/// The predicted cost of solving `position`, in nodes. It takes no longer than a node does, and is
/// rougher than [`Prediction::of`].
pub fn predict(position: &Position) -> f64 {
    WITHOUT_VALUE.predict(&traits(position, None)).mean()
}

/// The predicted nodes of a list.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Total {
    /// How many positions.
    pub positions: u64,
    mean: f64,
    variance: f64,
}

/// A number with the range in which it lies in eight of ten cases.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    /// In one of ten cases it is less.
    pub low: f64,
    /// The mean.
    pub mean: f64,
    /// In one of ten cases it is more.
    pub high: f64,
}

impl Total {
    /// Counts a position in.
    pub fn add(&mut self, prediction: Prediction) {
        self.positions += 1;
        self.mean += prediction.mean();
        self.variance += prediction.variance();
    }

    /// The nodes of all together. The positions' deviations are independent, so they cancel out in
    /// part; that of the list does not.
    pub fn nodes(&self) -> Range {
        /// The standard deviations between which eight of ten normal numbers lie.
        const EIGHT_OF_TEN: f64 = 1.281_552;
        let variance = (1.0 + self.variance / self.mean.powi(2).max(f64::MIN_POSITIVE)).ln()
            + LIST_SPREAD.powi(2);
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

    /// The positions of the fingerprint, of 8 to 20 empties, were not fitted to.
    #[test]
    fn predictions_are_near_the_counts() {
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
        assert!(
            median < 1.2,
            "half of the positions lie further than {median} from their prediction"
        );
        let ratio = counted as f64 / total.nodes().mean;
        assert!((0.25..4.0).contains(&ratio), "{counted} nodes, {:?}", total.nodes());
    }

    #[test]
    fn deviations_cancel_out_in_long_lists_but_not_those_of_the_list() {
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
        assert!((width(alone) - two_sided * (1.0 + LIST_SPREAD.powi(2)).sqrt()).abs() < 1e-6);
        assert!((width(many) - two_sided * LIST_SPREAD).abs() < 1e-3, "{many:?}");
        assert!(alone.low < alone.mean && alone.mean < alone.high);
        assert_eq!(Total::default().nodes().mean, 0.0);
    }
}
