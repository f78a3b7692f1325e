//! How far the value of a shallow search lies from the exact score: the constants of the selective
//! passes (ProbCut).
//!
//! For each depth, the logarithm of the standard deviation is taken to be linear in the number of
//! empties, and fitted to exactly labelled positions. (Buro's ProbCut and Edax fit such surfaces
//! too.) Each depth has a line of its own: odd and even ones differ. Beyond the numbers of empties
//! that were measured the line goes on for a few, and then stays level.
//!
//! Positions weigh as in the fit, by how close they are, but by their value and not by their score,
//! which is what is asked for: a choice by score would hide the largest errors.

use std::ops::ControlFlow;
use std::sync::Arc;

use thiserror::Error;

use super::data::{Quality, Sample};
use super::label::BLOCK;
use super::work::{all_cores, in_order};
use crate::eval::{DEVIATION_DEPTHS, Evaluation, UNIT};
use crate::search::{Config, Searcher};
use crate::table::TableError;

/// From how many empties on positions count. Below, the deepest search sees the end of the game.
const LEAST_EMPTIES: u32 = 10;

/// How many empties further than the measurements a line goes on.
const BEYOND: u32 = 8;

/// How far, in discs, a value must lie from a draw for its position to weigh half as much.
const HALF_WEIGHT: f64 = 20.0;

/// The largest deviation, in discs: that of scores about which nothing is known.
const LARGEST: f64 = 30.0;

/// The deviation as a weight file has it: by depth and empties, in 1 / [`UNIT`] disc.
pub type Deviations = [[u16; 61]; DEVIATION_DEPTHS];

/// Why there is no deviation.
#[derive(Debug, Error)]
pub enum DeviationError {
    /// A line needs two points.
    #[error(
        "exactly labelled positions with two numbers of empties from {LEAST_EMPTIES} up are needed; there are {0}"
    )]
    TooFew(usize),
    /// There is no memory for the tables.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The squared errors of a depth at a number of empties, weighted, in discs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moments {
    /// How many positions there are.
    pub count: u64,
    weight: f64,
    squares: f64,
}

impl Moments {
    /// The root of the mean square, in discs; none without positions.
    pub fn deviation(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| (self.squares / self.weight).sqrt())
    }
}

/// `errors[depth][empties]`.
pub type Measured = [[Moments; 61]; DEVIATION_DEPTHS];

/// Measures the errors over the exactly labelled ones of `samples` with at least ten empties.
/// `each` is told how many are done.
///
/// # Errors
/// If there is no memory for the tables.
pub fn measure(
    samples: &[Sample],
    evaluation: &Arc<Evaluation>,
    mut each: impl FnMut(usize),
) -> Result<Measured, TableError> {
    let counts = |sample: &&Sample| {
        sample.quality == Quality::Exact
            && (LEAST_EMPTIES..=60).contains(&sample.position.empties().count())
    };
    let samples: Vec<Sample> = samples.iter().filter(counts).copied().collect();
    // Looking ahead needs no table.
    let config =
        || Config { table_bytes: 1 << 20, evaluation: evaluation.clone(), ..Config::default() };
    let solvers =
        (0..all_cores().get()).map(|_| Searcher::new(config())).collect::<Result<_, _>>()?;
    let blocks: Vec<&[Sample]> = samples.chunks(BLOCK).collect();
    let work = |solver: &mut Searcher, number: usize| -> Vec<[i32; DEVIATION_DEPTHS]> {
        let values = |sample: &Sample| {
            std::array::from_fn(|depth| solver.estimate(&sample.position, depth as u32))
        };
        blocks[number].iter().map(values).collect()
    };
    let mut measured = [[Moments::default(); 61]; DEVIATION_DEPTHS];
    let mut done = 0;
    in_order(blocks.len(), solvers, work, |number, block| {
        for (sample, values) in blocks[number].iter().zip(&block) {
            let discs = |units: i32| f64::from(units) / f64::from(UNIT);
            for (row, &value) in measured.iter_mut().zip(values) {
                let moments = &mut row[sample.position.empties().count() as usize];
                let weight = 1.0 / (1.0 + (discs(value) / HALF_WEIGHT).powi(2));
                moments.count += 1;
                moments.weight += weight;
                moments.squares += weight * discs(i32::from(sample.score) - value).powi(2);
            }
        }
        done += block.len();
        each(done);
        ControlFlow::Continue(())
    });
    Ok(measured)
}

/// The deviation that fits what was measured best.
///
/// # Errors
/// If there are fewer than two numbers of empties.
pub fn smooth(measured: &Measured) -> Result<Deviations, DeviationError> {
    let known: Vec<u32> =
        (0..61).filter(|&empties| measured[0][empties as usize].count > 0).collect();
    let (Some(&low), Some(&high), 2..) = (known.first(), known.last(), known.len()) else {
        return Err(DeviationError::TooFew(known.len()));
    };
    Ok(std::array::from_fn(|depth| {
        let points = known.iter().filter_map(|&empties| {
            let moments = &measured[depth][empties as usize];
            // An evaluation that knows everything has no logarithm.
            let deviation = moments.deviation()?.max(0.1);
            Some((f64::from(empties), deviation.ln(), moments.weight))
        });
        let (intercept, slope) = line(points);
        std::array::from_fn(|empties| {
            let empties = f64::from((empties as u32).clamp(low, high + BEYOND));
            let deviation = (intercept + slope * empties).exp().min(LARGEST);
            (deviation * f64::from(UNIT)).round() as u16
        })
    }))
}

/// The line `intercept + slope * x` nearest to points (x, y, weight) in the mean square.
fn line(points: impl Iterator<Item = (f64, f64, f64)>) -> (f64, f64) {
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
    use crate::training::data::Origin;
    use crate::training::pool::Empties;
    use crate::training::self_play::{SelfPlay, self_play};

    #[test]
    fn lines_are_found() {
        let mut measured = [[Moments::default(); 61]; DEVIATION_DEPTHS];
        let planted =
            |depth: usize, empties: usize| (2.0 - 0.1 * depth as f64 + 0.01 * empties as f64).exp();
        for (depth, row) in measured.iter_mut().enumerate() {
            for empties in [12, 14, 20] {
                row[empties] = Moments {
                    count: 1,
                    weight: 2.0,
                    squares: 2.0 * planted(depth, empties).powi(2),
                };
            }
        }
        let deviation = smooth(&measured).expect("there are points enough");
        for (depth, row) in deviation.iter().enumerate() {
            for (empties, at) in [(12, 12), (17, 17), (28, 28), (29, 28), (60, 28), (0, 12)] {
                assert_eq!(row[empties], (planted(depth, at) * 64.0).round() as u16);
            }
        }
        measured.iter_mut().for_each(|row| row[12..=14].fill(Moments::default()));
        assert!(
            smooth(&measured)
                .expect_err("one number of empties")
                .to_string()
                .ends_with("there are 1")
        );
    }

    #[test]
    fn errors_are_measured() {
        let evaluation = Arc::new(Evaluation::new(&Weights::zero()));
        let wanted = SelfPlay { empties: Empties { low: 9, high: 11 }, count: 30, seed: 1 };
        let positions: Vec<Position> = self_play(&wanted, &evaluation, &[], |_| ());
        let sample = |position: &Position| {
            Sample::unlabelled(*position, Origin::SelfPlay).with_exact(Score::new(6))
        };
        let samples: Vec<Sample> = positions.iter().map(sample).collect();
        let measured = measure(&samples, &evaluation, |_| ()).expect("there is memory");
        // The value is zero everywhere; nine empties are too few.
        assert_eq!(measured[0][9], Moments::default());
        assert_eq!((measured[0][10].count, measured[0][11].count), (10, 10));
        assert_eq!(measured[0][11].deviation(), Some(6.0));
    }
}
