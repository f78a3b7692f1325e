//! The result of a fit: weights in the precision of a weight file.

use super::Best;
use super::design_matrix::DesignMatrix;
use crate::eval::{SYMMETRY_CLASSES, StageWeights, Weights};
use crate::training::data_set::Sample;
use crate::training::evaluation_errors::ErrorsByEmpties;

/// The result of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct FitResult {
    /// The weights, rounded as in a weight file, without an origin.
    pub weights: Weights,
    /// The number of the iteration that they are from.
    pub iteration: u32,
    /// The size of the training set.
    pub training: usize,
    /// The errors of these weights on the validation set.
    pub validation_errors: ErrorsByEmpties,
    /// The number of weights that were clamped to the range of a weight file.
    pub clamped: usize,
}

impl FitResult {
    /// Rounds the weights of the best iterate, and measures them on the validation set.
    pub(super) fn new(
        best: &Best,
        matrix: &DesignMatrix,
        stages: &[u8],
        validation_set: &[Sample],
        training: usize,
    ) -> FitResult {
        let constants = round_constants(matrix, &best.weights[stages.len() * SYMMETRY_CLASSES..]);
        let (weights, clamped) = round_weights(&best.weights, stages, constants);
        let validation_errors = ErrorsByEmpties::of(&weights, validation_set);
        FitResult { weights, iteration: best.iteration, training, validation_errors, clamped }
    }
}

/// The constants for 0 to 60 empties. A number of empties without samples gets the constant of the
/// nearest number of the same parity, or of the nearest number if there is none: the parity, which
/// decides who moves last, matters more than a few empties.
fn round_constants(matrix: &DesignMatrix, fitted: &[f32]) -> [i16; 61] {
    let sampled: Vec<usize> = matrix.empties().collect();
    std::array::from_fn(|empties| {
        let nearest = sampled
            .iter()
            .min_by_key(|&&other| (other.abs_diff(empties) % 2, other.abs_diff(empties)));
        nearest.map_or(0, |&empties| fitted[empties].round() as i16)
    })
}

/// The weights of a weight file, and the number of weights that were clamped to its range.
fn round_weights(fitted: &[f32], stages: &[u8], constants: [i16; 61]) -> (Weights, usize) {
    let stages =
        stages.iter().zip(fitted.chunks_exact(SYMMETRY_CLASSES)).map(|(&empties, weights)| {
            StageWeights {
                empties,
                weights: weights.iter().map(|weight| weight.round() as i16).collect(),
            }
        });
    let stages: Vec<StageWeights> = stages.collect();
    let weights =
        Weights::new(String::new(), stages.clone(), constants, *Weights::zero().deviation());
    let pairs = stages.iter().zip(weights.stages());
    let clamped =
        pairs.map(|(a, b)| a.weights.iter().zip(&b.weights).filter(|(a, b)| a != b).count()).sum();
    (weights, clamped)
}
