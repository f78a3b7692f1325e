//! The weights of the evaluation, by regularised least squares over all stages at once.
//!
//! The value of a position is a linear function of the weights. With about 900,000 weights w, the
//! fit minimises
//!
//! ```text
//! sum over samples i of s_i (y_i - x_i w)^2
//!   + ridge × (sum of w^2)
//!   + smoothness × (sum of squared differences between neighbouring stages)
//! ```
//!
//! y_i is the label of a sample, x_i its row of the design matrix (`design_matrix`), s_i its
//! sample weight. The units of y and w are 1 / [`UNIT`] disc. The matrix is sparse, so the method
//! of conjugate gradients is used (`conjugate_gradient`): it needs only products with the matrix,
//! is near the minimum after about fifty iterations, and has no learning rate.
//!
//! One position in [`VALIDATION_ONE_IN`] belongs to the validation set, which is not fitted to. The
//! result is the iterate with the least validation error. This early stopping acts as a
//! regularisation too.
//!
//! All stages are fitted together, because the search interpolates between them: a sample
//! contributes to the two stages around its number of empties.
//!
//! The result depends on the samples and their order. It depends neither on the number of threads
//! nor on interruptions.

mod checkpoint;
mod conjugate_gradient;
mod design_matrix;
mod result;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use thiserror::Error;

use crate::eval::UNIT;
use crate::training::data_set::{LabelKind, Sample};
use conjugate_gradient::{Cgls, CglsState, Regularisation};
use design_matrix::{DesignMatrix, sort_key};

pub use design_matrix::VALIDATION_ONE_IN;
pub use result::FitResult;

/// The time between two checkpoints.
const CHECKPOINT_PERIOD: Duration = Duration::from_secs(20);

/// The options of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct FitOptions {
    /// The empties of the stages: at least two, ascending, at most 60.
    pub stages: Vec<u8>,
    /// The strength of the regularisation towards 0, at least 0. A strength of 1 has as much
    /// influence as one sample with the score 0.
    pub ridge: f32,
    /// The strength of the regularisation towards the weights of the neighbouring stages, in the
    /// same unit.
    pub smoothness: f32,
    /// The largest number of iterations.
    pub iterations: u32,
    /// The number of iterations without a smaller validation error after which the fit ends.
    pub patience: u32,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions {
            stages: vec![10, 14, 18, 22, 26, 30, 36, 44],
            ridge: 0.3,
            smoothness: 20.0,
            iterations: 120,
            patience: 8,
        }
    }
}

/// Why weights could not be fitted.
#[derive(Debug, Error)]
pub enum FitError {
    /// The stages are not valid.
    #[error(
        "the stages must be at least two different numbers of empties up to 60, in ascending order"
    )]
    Stages,
    /// The training set or the validation set is empty.
    #[error(
        "{training} labelled positions and {validation} held out are too few; there must be some \
         of both"
    )]
    TooFew {
        /// The size of the training set.
        training: usize,
        /// The size of the validation set.
        validation: usize,
    },
    /// The checkpoint cannot be written.
    #[error("the state of the fit cannot be written: {0}")]
    Checkpoint(#[from] io::Error),
}

/// The errors after an iteration: root mean squares with the sample weights of the fit, in discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitIteration {
    /// The number of the iteration, from 1 on.
    pub iteration: u32,
    /// The error on the training set.
    pub training: f64,
    /// The error on the validation set.
    pub validation: f64,
}

/// The iterate with the least validation error so far.
#[derive(Clone, PartialEq, Debug)]
struct Best {
    iteration: u32,
    /// The validation error, in discs.
    error: f64,
    weights: Vec<f32>,
}

/// Fits weights to the labelled ones of `samples`. With a `checkpoint`, the state is kept in that
/// file, and the fit continues from it if it is of the same samples and options. Calls `progress`
/// after every iteration.
///
/// # Errors
/// If the stages are not valid, the training set or the validation set is empty, or the checkpoint
/// cannot be written.
pub fn fit(
    samples: &[Sample],
    options: &FitOptions,
    checkpoint: Option<&Path>,
    progress: impl FnMut(&FitIteration),
) -> Result<FitResult, FitError> {
    let stages = &options.stages;
    if stages.len() < 2
        || !stages.is_sorted_by(|a, b| a < b)
        || stages.iter().any(|&empties| empties > 60)
    {
        return Err(FitError::Stages);
    }
    let labelled = samples.iter().filter(|sample| sample.label != LabelKind::None);
    let mut samples: Vec<Sample> = labelled.copied().collect();
    samples.par_sort_by_cached_key(sort_key);
    let matrix = DesignMatrix::new(&samples, stages);
    let validation_set: Vec<Sample> =
        matrix.parts(true).flat_map(|part| &samples[part]).copied().collect();
    let training = samples.len() - validation_set.len();
    if training == 0 || validation_set.is_empty() {
        return Err(FitError::TooFew { training, validation: validation_set.len() });
    }
    let digest = checkpoint::digest(&samples, options);
    drop(samples);

    let best = iterate(&matrix, options, checkpoint.map(|path| (path, digest)), progress)?;
    Ok(FitResult::new(&best, &matrix, stages, &validation_set, training))
}

/// Iterates until the validation error has not become smaller for some iterations. Returns the best
/// iterate.
fn iterate(
    matrix: &DesignMatrix,
    options: &FitOptions,
    checkpoint: Option<(&Path, checkpoint::Digest)>,
    mut progress: impl FnMut(&FitIteration),
) -> Result<Best, FitError> {
    let cgls = Cgls::new(matrix, Regularisation::of(options));
    let saved = checkpoint.and_then(|(path, digest)| checkpoint::read(path, digest));
    let (mut state, mut best) = saved.unwrap_or_else(|| {
        let state = cgls.start();
        let error = weighted_error(matrix, &state, true);
        let best = Best { iteration: 0, error, weights: state.weights.clone() };
        (state, best)
    });
    let mut written = Instant::now();
    while state.iteration < options.iterations
        && state.iteration - best.iteration < options.patience
    {
        if !cgls.step(&mut state) {
            break;
        }
        let iteration = FitIteration {
            iteration: state.iteration,
            training: weighted_error(matrix, &state, false),
            validation: weighted_error(matrix, &state, true),
        };
        if iteration.validation < best.error {
            best = Best {
                iteration: iteration.iteration,
                error: iteration.validation,
                weights: state.weights.clone(),
            };
        }
        progress(&iteration);
        if let Some((path, digest)) = checkpoint
            && written.elapsed() >= CHECKPOINT_PERIOD
        {
            checkpoint::write(path, digest, &state, &best)?;
            written = Instant::now();
        }
    }
    Ok(best)
}

/// The root mean square error on the validation set or on the training set, with the sample weights
/// of the fit, in discs.
fn weighted_error(matrix: &DesignMatrix, state: &CglsState, validation: bool) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for part in matrix.parts(validation) {
        let residuals = &state.residuals[part.clone()];
        for (residual, weight) in residuals.iter().zip(&matrix.sample_weights[part]) {
            sum += f64::from(*weight) * f64::from(*residual).powi(2);
            weights += f64::from(*weight);
        }
    }
    (sum / weights).sqrt() / f64::from(UNIT)
}
