//! The errors of an evaluation on labelled positions, by number of empties.
//!
//! The error of a position is e = (value of the evaluation) - (label), in discs.

use std::fmt;

use rayon::prelude::*;

use super::data_set::{LabelKind, Sample};
use crate::eval::{Evaluation, Features, UNIT, Weights};

/// Statistics of the errors on some positions, in discs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ErrorSummary {
    /// The number of positions.
    pub count: u64,
    absolute: f64,
    signed: f64,
    squared: f64,
}

impl ErrorSummary {
    /// The summary of a single error.
    pub fn of(error: f64) -> ErrorSummary {
        ErrorSummary { count: 1, absolute: error.abs(), signed: error, squared: error * error }
    }

    /// Adds the errors of another summary.
    pub fn add(&mut self, other: &ErrorSummary) {
        self.count += other.count;
        self.absolute += other.absolute;
        self.signed += other.signed;
        self.squared += other.squared;
    }

    /// The mean absolute error; 0 without positions.
    pub fn mean_absolute(&self) -> f64 {
        self.mean(self.absolute)
    }

    fn mean(&self, sum: f64) -> f64 {
        if self.count == 0 { 0.0 } else { sum / self.count as f64 }
    }

    /// The mean error, which is above 0 if the values are too high on average; 0 without positions.
    pub fn bias(&self) -> f64 {
        self.mean(self.signed)
    }

    /// The root mean square error; 0 without positions.
    pub fn root_mean_square(&self) -> f64 {
        self.mean(self.squared).sqrt()
    }
}

/// A summary for each number of empties, 0 to 60.
#[derive(Clone, PartialEq, Debug)]
pub struct ErrorsByEmpties(pub [ErrorSummary; 61]);

impl ErrorsByEmpties {
    /// The errors of these weights on the labelled ones of `samples`.
    pub fn of(weights: &Weights, samples: &[Sample]) -> ErrorsByEmpties {
        let evaluation = Evaluation::new(weights);
        let labelled = samples.par_iter().filter(|sample| sample.label != LabelKind::None);
        // Collected before they are added, so that the order of the sum does not depend on the
        // threads.
        let errors: Vec<(usize, f64)> = labelled
            .map(|sample| {
                let empties = sample.position.empties().count();
                let value = evaluation.value(&Features::of(&sample.position), empties);
                (empties as usize, f64::from(value - i32::from(sample.score)) / f64::from(UNIT))
            })
            .collect();
        let mut summaries = ErrorsByEmpties([ErrorSummary::default(); 61]);
        for (empties, error) in errors {
            summaries.0[empties.min(60)].add(&ErrorSummary::of(error));
        }
        summaries
    }

    /// The summary of all positions.
    pub fn total(&self) -> ErrorSummary {
        let mut total = ErrorSummary::default();
        self.0.iter().for_each(|summary| total.add(summary));
        total
    }

    /// The numbers of empties with at least one position, and their summaries.
    pub fn non_empty(&self) -> impl Iterator<Item = (usize, &ErrorSummary)> {
        self.0.iter().enumerate().filter(|(_, summary)| summary.count > 0)
    }
}

impl fmt::Display for ErrorsByEmpties {
    /// A table with a line for each number of empties and one for all positions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "empties  positions  mean absolute error  mean error  root mean square")?;
        let mut line = |name: &str, summary: &ErrorSummary| {
            let ErrorSummary { count, .. } = summary;
            let (absolute, mean, square) =
                (summary.mean_absolute(), summary.bias(), summary.root_mean_square());
            writeln!(f, "{name:>7}  {count:>9}  {absolute:>19.3}  {mean:>+10.3}  {square:>16.3}")
        };
        self.non_empty().try_for_each(|(empties, summary)| line(&empties.to_string(), summary))?;
        line("all", &self.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::{Position, Score};
    use crate::training::data_set::PositionSource;

    #[test]
    fn errors_of_labelled_positions_are_averaged() {
        let start = Sample::unlabelled(Position::START, PositionSource::SelfPlay);
        let next = Position::START.passed();
        let samples = [start, start.with_exact(Score::new(4)), start.with_exact(Score::new(-2))];
        let samples = [&samples[..], &[Sample { position: next, ..samples[1] }]].concat();
        let summaries = ErrorsByEmpties::of(&Weights::zero(), &samples);
        let summary = summaries.total();
        assert_eq!(
            summaries
                .non_empty()
                .map(|(empties, summary)| (empties, summary.count))
                .collect::<Vec<_>>(),
            [(60, 3)]
        );
        assert_eq!((summary.count, summary.mean_absolute(), summary.bias()), (3, 10.0 / 3.0, -2.0));
        assert_eq!(summary.root_mean_square(), 12f64.sqrt());
        assert_eq!(summaries.to_string().lines().count(), 3);
    }
}
