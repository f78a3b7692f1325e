//! How far an evaluation lies from the labels of positions, for each number of empties.

use std::fmt;

use rayon::prelude::*;

use super::data::{Quality, Sample};
use crate::eval::{Evaluation, Features, UNIT, Weights};

/// The errors of some positions, summed up. Everything is in discs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// How many positions there are.
    pub count: u64,
    absolute: f64,
    signed: f64,
    squared: f64,
}

impl Tally {
    /// The tally of one position, whose value lies so far above its score.
    pub fn of(error: f64) -> Tally {
        Tally { count: 1, absolute: error.abs(), signed: error, squared: error * error }
    }

    /// Takes in another tally.
    pub fn add(&mut self, other: &Tally) {
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

    /// The mean error: above 0 where positions are valued too high.
    pub fn bias(&self) -> f64 {
        self.mean(self.signed)
    }

    /// The root of the mean squared error.
    pub fn root_mean_square(&self) -> f64 {
        self.mean(self.squared).sqrt()
    }
}

/// A tally for each number of empties.
#[derive(Clone, PartialEq, Debug)]
pub struct Tallies(pub [Tally; 61]);

impl Tallies {
    /// The errors of the values that weights give to the labelled ones of `samples`.
    pub fn of(weights: &Weights, samples: &[Sample]) -> Tallies {
        let evaluation = Evaluation::new(weights);
        let labelled = samples.par_iter().filter(|sample| sample.quality != Quality::None);
        // Collected before they are added, so that the order of the sum does not depend on the
        // threads.
        let errors: Vec<(usize, f64)> = labelled
            .map(|sample| {
                let empties = sample.position.empties().count();
                let value = evaluation.value(&Features::of(&sample.position), empties);
                (empties as usize, f64::from(value - i32::from(sample.score)) / f64::from(UNIT))
            })
            .collect();
        let mut tallies = Tallies([Tally::default(); 61]);
        for (empties, error) in errors {
            tallies.0[empties.min(60)].add(&Tally::of(error));
        }
        tallies
    }

    /// All of them together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.0.iter().for_each(|tally| total.add(tally));
        total
    }

    /// The numbers of empties of which there are positions, and their tallies.
    pub fn known(&self) -> impl Iterator<Item = (usize, &Tally)> {
        self.0.iter().enumerate().filter(|(_, tally)| tally.count > 0)
    }
}

impl fmt::Display for Tallies {
    /// As a table, a line for each number of empties and one for all of them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "empties  positions  mean absolute error  mean error  root mean square")?;
        let mut line = |name: &str, tally: &Tally| {
            let Tally { count, .. } = tally;
            let (absolute, mean, square) =
                (tally.mean_absolute(), tally.bias(), tally.root_mean_square());
            writeln!(f, "{name:>7}  {count:>9}  {absolute:>19.3}  {mean:>+10.3}  {square:>16.3}")
        };
        self.known().try_for_each(|(empties, tally)| line(&empties.to_string(), tally))?;
        line("all", &self.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::{Position, Score};
    use crate::training::data::Origin;

    #[test]
    fn errors_are_summed_up() {
        let start = Sample::unlabelled(Position::START, Origin::SelfPlay);
        let next = Position::START.passed();
        let samples = [start, start.with_exact(Score::new(4)), start.with_exact(Score::new(-2))];
        let samples = [&samples[..], &[Sample { position: next, ..samples[1] }]].concat();
        let tallies = Tallies::of(&Weights::zero(), &samples);
        let tally = tallies.total();
        assert_eq!(
            tallies.known().map(|(empties, tally)| (empties, tally.count)).collect::<Vec<_>>(),
            [(60, 3)]
        );
        assert_eq!((tally.count, tally.mean_absolute(), tally.bias()), (3, 10.0 / 3.0, -2.0));
        assert_eq!(tally.root_mean_square(), 12f64.sqrt());
        assert_eq!(tallies.to_string().lines().count(), 3);
    }
}
