//! The standard deviations of depth-limited searches about the exact score, for the margins of
//! ProbCut.
//!
//! For each depth d, the errors e = (exact score) - (value of a search of d plies) are measured on
//! exactly labelled positions, in discs. The standard deviation as a function of the empties n is
//! modelled by
//!
//! ```text
//! ln sigma_d(n) = a_d + b_d n
//! ```
//!
//! with a_d and b_d by weighted least squares. Each depth has a line of its own, because odd and
//! even depths differ. The line is extrapolated by `EXTRAPOLATED_EMPTIES` above the measured
//! range, and is constant beyond that and below the range.
//!
//! A position with the value v has the weight 1 / (1 + (v / `HALF_WEIGHT`)^2): close positions
//! matter more. The weight depends on the value and not on the score, because the value is what the
//! search has; a selection by score would hide the largest errors.
//!
//! Source of such margins: M. Buro, "ProbCut: An Effective Selective Extension of the Alpha-Beta
//! Algorithm", 1995. Edax fits a similar surface over depth and empties.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;

use thiserror::Error;

use super::data_set::{LabelKind, Sample};
use super::label::BLOCK;
use super::search_settings::{SearchError, SearchSettings};
use crate::batch::executor::{TaskList, in_order};
use crate::eval::{DEVIATION_DEPTHS, Evaluation, UNIT};
use crate::search::Searcher;

/// The least empties of a measured position. With fewer, the deepest search reaches the end of the
/// game.
const MIN_EMPTIES: u32 = 10;

/// The number of empties by which a line is extrapolated.
const EXTRAPOLATED_EMPTIES: u32 = 8;

/// The absolute value, in discs, at which a position has half the weight of an even one.
const HALF_WEIGHT: f64 = 20.0;

/// The least measured deviation, in discs: the logarithm of 0 is not finite.
const MIN_DEVIATION: f64 = 0.1;

/// The largest fitted deviation, in discs: about that of the scores themselves.
const MAX_DEVIATION: f64 = 30.0;

/// The standard deviations of a weight file: by depth and empties, in 1 / [`UNIT`] disc.
pub type Deviations = [[u16; 61]; DEVIATION_DEPTHS];

/// Why no standard deviations could be fitted.
#[derive(Debug, Error)]
pub enum DeviationError {
    /// A line needs two points.
    #[error(
        "exactly labelled positions with two numbers of empties from {MIN_EMPTIES} up are needed; \
         there are {0}"
    )]
    TooFew(usize),
    /// The positions cannot be searched.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// The weighted sums over the errors of one depth at one number of empties.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ErrorSums {
    /// The number of positions.
    pub count: u64,
    /// The sum of the weights.
    weight: f64,
    /// The weighted sum of the squared errors, in squared discs.
    squares: f64,
}

impl ErrorSums {
    /// The weighted root mean square, in discs; `None` without positions.
    pub fn deviation(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| (self.squares / self.weight).sqrt())
    }
}

/// The measured errors: `errors[depth][empties]`.
pub type MeasuredErrors = [[ErrorSums; 61]; DEVIATION_DEPTHS];

/// Measures the errors on the exactly labelled positions of `samples` with ten empties or more.
/// Calls `progress` with the number of measured positions.
///
/// # Errors
/// If there is no memory for the tables, or if a thread cannot be started.
pub fn measure_errors(
    samples: &[Sample],
    evaluation: &Arc<Evaluation>,
    mut progress: impl FnMut(usize),
) -> Result<MeasuredErrors, SearchError> {
    let is_measured = |sample: &&Sample| {
        sample.label == LabelKind::Exact
            && (MIN_EMPTIES..=60).contains(&sample.position.empties().count())
    };
    let samples: Vec<Sample> = samples.iter().filter(is_measured).copied().collect();
    // A depth-limited search uses no table.
    let settings =
        SearchSettings { table_bytes: 1 << 20, ..SearchSettings::new(evaluation.clone()) };
    let mut searchers = settings.searchers()?;
    let search = |searcher: &mut Searcher, block: &[Sample]| -> Vec<[i32; DEVIATION_DEPTHS]> {
        let values = |sample: &Sample| {
            std::array::from_fn(|depth| searcher.estimate(&sample.position, depth as u32))
        };
        block.iter().map(values).collect()
    };
    let mut errors = [[ErrorSums::default(); 61]; DEVIATION_DEPTHS];
    let mut done = 0;
    let tasks = TaskList::new(samples.chunks(BLOCK));
    let Ok(()) = in_order(&mut searchers, &tasks, search, |block| {
        for values in &block {
            add_errors(&mut errors, &samples[done], values);
            done += 1;
        }
        progress(done);
        Ok::<_, Infallible>(ControlFlow::Continue(()))
    })?;
    Ok(errors)
}

/// Adds the errors of one position. `values` has the value of the search of each depth, in
/// 1 / [`UNIT`] disc.
fn add_errors(errors: &mut MeasuredErrors, sample: &Sample, values: &[i32; DEVIATION_DEPTHS]) {
    let discs = |units: i32| f64::from(units) / f64::from(UNIT);
    for (row, &value) in errors.iter_mut().zip(values) {
        let sums = &mut row[sample.position.empties().count() as usize];
        let weight = 1.0 / (1.0 + (discs(value) / HALF_WEIGHT).powi(2));
        sums.count += 1;
        sums.weight += weight;
        sums.squares += weight * discs(i32::from(sample.score) - value).powi(2);
    }
}

/// Fits the standard deviations to measured errors.
///
/// # Errors
/// If there are errors of fewer than two numbers of empties.
pub fn fit_deviations(errors: &MeasuredErrors) -> Result<Deviations, DeviationError> {
    let measured: Vec<u32> =
        (0..61).filter(|&empties| errors[0][empties as usize].count > 0).collect();
    let (Some(&low), Some(&high), 2..) = (measured.first(), measured.last(), measured.len()) else {
        return Err(DeviationError::TooFew(measured.len()));
    };
    Ok(std::array::from_fn(|depth| {
        let points = measured.iter().filter_map(|&empties| {
            let sums = &errors[depth][empties as usize];
            let deviation = sums.deviation()?.max(MIN_DEVIATION);
            Some((f64::from(empties), deviation.ln(), sums.weight))
        });
        let (intercept, slope) = fit_line(points);
        std::array::from_fn(|empties| {
            let empties = f64::from((empties as u32).clamp(low, high + EXTRAPOLATED_EMPTIES));
            let deviation = (intercept + slope * empties).exp().min(MAX_DEVIATION);
            (deviation * f64::from(UNIT)).round() as u16
        })
    }))
}

/// The intercept and the slope of the regression line through points (x, y, weight).
fn fit_line(points: impl Iterator<Item = (f64, f64, f64)>) -> (f64, f64) {
    let [mut n, mut x, mut y, mut xx, mut xy] = [0.0; 5];
    for (px, py, weight) in points {
        n += weight;
        x += weight * px;
        y += weight * py;
        xx += weight * px * px;
        xy += weight * px * py;
    }
    let slope = (n * xy - x * y) / (n * xx - x * x);
    ((y - slope * x) / n, slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::othello::{Position, Score};
    use crate::training::data_set::PositionSource;
    use crate::training::self_play::{SelfPlay, self_play};
    use crate::training::stratified_sample::EmptiesRange;

    #[test]
    fn known_lines_are_found() {
        let mut errors = [[ErrorSums::default(); 61]; DEVIATION_DEPTHS];
        let known =
            |depth: usize, empties: usize| (2.0 - 0.1 * depth as f64 + 0.01 * empties as f64).exp();
        for (depth, row) in errors.iter_mut().enumerate() {
            for empties in [12, 14, 20] {
                row[empties] = ErrorSums {
                    count: 1,
                    weight: 2.0,
                    squares: 2.0 * known(depth, empties).powi(2),
                };
            }
        }
        let deviation = fit_deviations(&errors).expect("there are enough points");
        for (depth, row) in deviation.iter().enumerate() {
            for (empties, at) in [(12, 12), (17, 17), (28, 28), (29, 28), (60, 28), (0, 12)] {
                assert_eq!(row[empties], (known(depth, at) * 64.0).round() as u16);
            }
        }
        errors.iter_mut().for_each(|row| row[12..=14].fill(ErrorSums::default()));
        assert!(
            fit_deviations(&errors)
                .expect_err("one number of empties")
                .to_string()
                .ends_with("there are 1")
        );
    }

    #[test]
    fn errors_are_measured_from_ten_empties_on() {
        let evaluation = Arc::new(Evaluation::new(&Weights::zero()));
        let options = SelfPlay { empties: EmptiesRange { low: 9, high: 11 }, count: 30, seed: 1 };
        let positions: Vec<Position> =
            self_play(&options, &evaluation, &[], |_| ()).expect("threads");
        let sample = |position: &Position| {
            Sample::unlabelled(*position, PositionSource::SelfPlay).with_exact(Score::new(6))
        };
        let samples: Vec<Sample> = positions.iter().map(sample).collect();
        let errors = measure_errors(&samples, &evaluation, |_| ()).expect("there is memory");
        // The value is 0 everywhere. Positions with nine empties are not errors.
        assert_eq!(errors[0][9], ErrorSums::default());
        assert_eq!((errors[0][10].count, errors[0][11].count), (10, 10));
        assert_eq!(errors[0][11].deviation(), Some(6.0));
    }
}
