//! From labelled positions to weights: weighted linear least squares over all stages at once.
//!
//! The value of a position is linear in the weights, so fitting them is a linear problem with some
//! 900,000 unknowns, and one in which every row has a hundred entries. The method of conjugate
//! gradients needs nothing but products with that matrix, which are 46 look-ups a sample
//! (`design`), comes near the best in some fifty of them (`gradient`), and has no rate to be tuned,
//! as gradient descent has. One position in forty is held out; the weights of the iteration that
//! predicts those best are kept, which is the better half of the regularisation.
//!
//! All stages are fitted together, as the search mixes them: a sample pulls at the two stages
//! around its number of empties.

mod checkpoint;
mod design;
mod gradient;

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use thiserror::Error;

use crate::eval::{CLASSES, StageWeights, UNIT, Weights};
use crate::training::check::Tallies;
use crate::training::data::{Quality, Sample};
use design::{Design, key};
use gradient::{Restraint, Solver, State};

pub use design::HELD_OUT;

/// How long a fit runs before it writes its state again.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(20);

/// How a fit is made.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The empties of the stages: at least two, ascending, at most 60.
    pub stages: Vec<u8>,
    /// How strongly weights are held at zero: as many close samples as would pull as hard. 0 or
    /// more.
    pub ridge: f32,
    /// How strongly a weight is held at those of the neighbouring stages, in the same unit.
    pub smooth: f32,
    /// How many iterations there are at most.
    pub iterations: u32,
    /// After how many iterations without a gain the fit ends.
    pub patience: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            stages: vec![10, 14, 18, 22, 26, 30, 36, 44],
            ridge: 0.3,
            smooth: 20.0,
            iterations: 120,
            patience: 8,
        }
    }
}

/// Why there is no fit.
#[derive(Debug, Error)]
pub enum FitError {
    /// The stages are not in order.
    #[error(
        "the stages must be at least two different numbers of empties up to 60, in ascending order"
    )]
    Stages,
    /// There is nothing to fit to.
    #[error(
        "{fitted} labelled positions and {held_out} held out are too few; there must be some of both"
    )]
    TooFew {
        /// Positions to fit to.
        fitted: usize,
        /// Positions held out.
        held_out: usize,
    },
    /// The state cannot be written.
    #[error("the state of the fit cannot be written: {0}")]
    Checkpoint(#[from] io::Error),
}

/// How far a fit is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// How many iterations are done.
    pub iteration: u32,
    /// The error on what is fitted to: the root of the mean square, weighted like the fit, in
    /// discs.
    pub training: f64,
    /// The same on what is held out.
    pub validation: f64,
}

/// What a fit gives.
#[derive(Clone, PartialEq, Debug)]
pub struct Fitted {
    /// The weights, rounded as a weight file holds them, without an origin.
    pub weights: Weights,
    /// Which iteration they are from.
    pub iteration: u32,
    /// Positions that were fitted to.
    pub fitted: usize,
    /// How these weights do on the positions that were held out.
    pub held_out: Tallies,
    /// How many weights would have been larger than a weight file allows.
    pub cut: usize,
}

/// The best weights so far.
#[derive(Clone, PartialEq, Debug)]
struct Best {
    iteration: u32,
    /// Their error on what is held out.
    error: f64,
    weights: Vec<f32>,
}

/// Fits weights to the labelled ones of `samples`; those without a label are left aside. With a
/// `checkpoint`, the state is kept in that file on the way, and taken up from there if it is of
/// this very task. Every iteration is shown to `each`.
///
/// The result depends on the samples and their order, and not on the number of threads.
///
/// # Errors
/// If there are too few samples, the stages are out of order, or the state cannot be written.
pub fn fit(
    samples: &[Sample],
    options: &Options,
    checkpoint: Option<&Path>,
    mut each: impl FnMut(&Step),
) -> Result<Fitted, FitError> {
    let stages = &options.stages;
    if stages.len() < 2
        || !stages.is_sorted_by(|a, b| a < b)
        || stages.iter().any(|&empties| empties > 60)
    {
        return Err(FitError::Stages);
    }
    let labelled = samples.iter().filter(|sample| sample.quality != Quality::None);
    let mut samples: Vec<Sample> = labelled.copied().collect();
    samples.par_sort_by_cached_key(key);
    let design = Design::new(&samples, stages);
    let held_out: Vec<Sample> =
        design.parts(true).flat_map(|part| &samples[part]).copied().collect();
    let fitted = samples.len() - held_out.len();
    if fitted == 0 || held_out.is_empty() {
        return Err(FitError::TooFew { fitted, held_out: held_out.len() });
    }
    let task = checkpoint::task(&samples, options);
    drop(samples);

    let restraint =
        Restraint { ridge: options.ridge, smooth: options.smooth, stages: stages.len() };
    let solver = Solver::new(&design, restraint);
    let (mut state, mut best) =
        checkpoint.and_then(|path| checkpoint::read(path, task)).unwrap_or_else(|| {
            let state = solver.start();
            let best = Best {
                iteration: 0,
                error: error(&design, &state, true),
                weights: state.weights.clone(),
            };
            (state, best)
        });
    let mut written = Instant::now();
    while state.iteration < options.iterations
        && state.iteration - best.iteration < options.patience
    {
        if !solver.step(&mut state) {
            break;
        }
        let step = Step {
            iteration: state.iteration,
            training: error(&design, &state, false),
            validation: error(&design, &state, true),
        };
        if step.validation < best.error {
            best = Best {
                iteration: step.iteration,
                error: step.validation,
                weights: state.weights.clone(),
            };
        }
        each(&step);
        if let Some(path) = checkpoint.filter(|_| written.elapsed() >= BETWEEN_CHECKPOINTS) {
            checkpoint::write(path, task, &state, &best)?;
            written = Instant::now();
        }
    }
    let constants = constants(&design, &best.weights[stages.len() * CLASSES..]);
    let (weights, cut) = rounded(&best.weights, stages, constants);
    let tallies = Tallies::of(&weights, &held_out);
    Ok(Fitted { weights, iteration: best.iteration, fitted, held_out: tallies, cut })
}

/// The root of the mean squared error, weighted like the fit, in discs.
fn error(design: &Design, state: &State, held_out: bool) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for part in design.parts(held_out) {
        for (residual, importance) in
            state.residuals[part.clone()].iter().zip(&design.importance[part])
        {
            sum += f64::from(*importance) * f64::from(*residual).powi(2);
            weight += f64::from(*importance);
        }
    }
    (sum / weight).sqrt() / f64::from(UNIT)
}

/// The constants for every number of empties. Where there were no samples, that of the nearest
/// number of the same parity is taken, as being the last to move matters more than a few empties;
/// or else of the nearest.
fn constants(design: &Design, fitted: &[f32]) -> [i16; 61] {
    let known: Vec<usize> = design.empties().collect();
    std::array::from_fn(|empties| {
        let nearest = known
            .iter()
            .min_by_key(|&&other| (other.abs_diff(empties) % 2, other.abs_diff(empties)));
        nearest.map_or(0, |&empties| fitted[empties].round() as i16)
    })
}

/// The weights as a file holds them, and how many were too large for it.
fn rounded(fitted: &[f32], stages: &[u8], constants: [i16; 61]) -> (Weights, usize) {
    let stages =
        stages.iter().zip(fitted.chunks_exact(CLASSES)).map(|(&empties, weights)| StageWeights {
            empties,
            weights: weights.iter().map(|weight| weight.round() as i16).collect(),
        });
    let stages: Vec<StageWeights> = stages.collect();
    let weights =
        Weights::new(String::new(), stages.clone(), constants, *Weights::zero().deviation());
    let pairs = stages.iter().zip(weights.stages());
    let cut =
        pairs.map(|(a, b)| a.weights.iter().zip(&b.weights).filter(|(a, b)| a != b).count()).sum();
    (weights, cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluation, Features};
    use crate::othello::Position;
    use crate::training::data::Origin;

    /// The positions of some thousand games of random moves.
    fn positions() -> Vec<Position> {
        let mut word = 1u64;
        let mut positions = Vec::new();
        for _ in 0..1500 {
            let mut position = Position::START;
            while !position.is_over() {
                let moves = position.moves();
                word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                position = match moves
                    .into_iter()
                    .nth((word >> 33) as usize % moves.count().max(1) as usize)
                {
                    Some(square) => position.after(square, position.flips(square)),
                    None => position.passed(),
                };
                if (8..20).contains(&position.empties().count()) {
                    positions.push(position);
                }
            }
        }
        positions
    }

    /// Weights of which the patterns of every position know something: the discs of each pattern,
    /// more at one stage than at the other.
    fn planted() -> Weights {
        use crate::eval::Classes;
        use crate::eval::patterns::{KINDS, base_of, indices_of};
        let mut stages = [8, 20].map(|empties| StageWeights { empties, weights: vec![0; CLASSES] });
        for kind in 0..KINDS.len() {
            let half = indices_of(kind) as i32 / 2;
            for feature in -half..=half {
                let mut digits = 0;
                let mut rest = feature;
                while rest != 0 {
                    let digit = (rest + 1).rem_euclid(3) - 1;
                    digits += digit;
                    rest = (rest - digit) / 3;
                }
                let class = Classes::get().of_indices()
                    [(base_of(kind) as i32 + half + feature) as usize]
                    as usize;
                stages[0].weights[class] = (3 * digits) as i16;
                stages[1].weights[class] = (9 * digits) as i16;
            }
        }
        Weights::new("planted".into(), stages.to_vec(), [40; 61], *Weights::zero().deviation())
    }

    fn samples() -> Vec<Sample> {
        let planted = Evaluation::new(&planted());
        let label = |position: &Position| {
            let value = planted.value(&Features::of(position), position.empties().count());
            Sample::unlabelled(*position, Origin::SelfPlay).with_value(value, 0)
        };
        positions().iter().map(label).collect()
    }

    fn options() -> Options {
        Options { stages: vec![8, 20], ridge: 0.01, ..Options::default() }
    }

    #[test]
    fn planted_weights_are_found() {
        let samples = samples();
        let fitted = fit(&samples, &options(), None, |_| ()).expect("it can be fitted");
        let tally = fitted.held_out.total();
        assert!(tally.count > 300 && fitted.fitted + tally.count as usize == samples.len());
        assert!(tally.mean_absolute() < 0.5, "{tally:?}");
        assert_eq!(fitted.cut, 0);
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let samples = samples();
        let run = |threads: usize, options: &Options, checkpoint: Option<&Path>| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads can be had");
            pool.install(|| fit(&samples, options, checkpoint, |_| ())).expect("it can be fitted")
        };
        let options = Options { iterations: 10, ..options() };
        let whole = run(1, &options, None);
        assert_eq!(run(2, &options, None), whole);

        // A state written by hand at the fourth iteration.
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("state");
        let mut sorted = samples.clone();
        sorted.sort_by_cached_key(key);
        let design = Design::new(&sorted, &options.stages);
        let solver = Solver::new(
            &design,
            Restraint { ridge: options.ridge, smooth: options.smooth, stages: 2 },
        );
        let mut state = solver.start();
        (0..4).for_each(|_| assert!(solver.step(&mut state)));
        let best = Best {
            iteration: 4,
            error: error(&design, &state, true),
            weights: state.weights.clone(),
        };
        checkpoint::write(&path, checkpoint::task(&sorted, &options), &state, &best)
            .expect("it can be written");
        let mut steps = Vec::new();
        let resumed = fit(&samples, &options, Some(&path), |step| steps.push(step.iteration));
        assert_eq!(resumed.expect("it can be fitted"), whole);
        assert_eq!(steps.first(), Some(&5));
    }

    #[test]
    fn what_cannot_be_fitted_is_told() {
        let error = |samples: &[Sample], stages: &[u8]| {
            let options = Options { stages: stages.to_vec(), ..options() };
            fit(samples, &options, None, |_| ()).expect_err("it cannot be fitted").to_string()
        };
        assert!(error(&[], &[10]).contains("at least two"));
        assert!(error(&[], &[10, 10]).contains("ascending"));
        assert!(error(&[], &[10, 61]).contains("up to 60"));
        let unlabelled = Sample::unlabelled(Position::START, Origin::SelfPlay);
        assert!(
            error(&[unlabelled], &[10, 20])
                .starts_with("0 labelled positions and 0 held out are too few")
        );
    }
}
