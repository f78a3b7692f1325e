//! Preconditioned conjugate gradients for the regularised least squares problem (CGLS).
//!
//! With the design matrix X, the labels y, the diagonal matrix S of the sample weights and the
//! matrix R of the regularisation, the minimum solves the normal equations
//!
//! ```text
//! (X'SX + R) w = X'Sy
//! ```
//!
//! The method only needs products with X and X'. The preconditioner is the inverse of the diagonal
//! of X'SX + R. The ridge term keeps the weights of rare patterns small; the smoothness term fills
//! them from the neighbouring stages.
//!
//! The whole state is in [`CglsState`], so that it can be saved between two iterations.
//!
//! Source: Å. Björck, *Numerical Methods for Least Squares Problems*, 1996.

use super::FitOptions;
use super::design_matrix::DesignMatrix;
use crate::eval::SYMMETRY_CLASSES;

/// The regularisation R.
#[derive(Clone, Copy, Debug)]
pub(super) struct Regularisation {
    ridge: f32,
    smoothness: f32,
    /// The number of stages.
    stages: usize,
}

impl Regularisation {
    /// The regularisation of a fit.
    pub(super) fn of(options: &FitOptions) -> Regularisation {
        let FitOptions { ridge, smoothness, .. } = *options;
        Regularisation { ridge, smoothness, stages: options.stages.len() }
    }

    /// The product of R with a vector.
    fn times(self, vector: &[f32]) -> Vec<f32> {
        let mut result: Vec<f32> = vector.iter().map(|x| self.ridge * x).collect();
        for low in 0..(self.stages - 1) * SYMMETRY_CLASSES {
            let high = low + SYMMETRY_CLASSES;
            let pull = self.smoothness * (vector[high] - vector[low]);
            result[low] -= pull;
            result[high] += pull;
        }
        result
    }

    /// An entry of the diagonal of R.
    fn diagonal(self, column: usize) -> f32 {
        let stage = column / SYMMETRY_CLASSES;
        let neighbours = match stage {
            stage if stage >= self.stages => 0.0,
            0 => 1.0,
            stage if stage + 1 == self.stages => 1.0,
            _ => 2.0,
        };
        self.ridge + self.smoothness * neighbours
    }
}

/// The state between two iterations.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CglsState {
    /// The number of finished iterations.
    pub(super) iteration: u32,
    /// The coefficients w.
    pub(super) weights: Vec<f32>,
    /// The residuals y - Xw.
    pub(super) residuals: Vec<f32>,
    /// The search direction of the next step.
    pub(super) direction: Vec<f32>,
    /// The squared norm of the gradient, as the preconditioner measures it.
    pub(super) gradient_norm: f64,
}

/// The problem, and the preconditioner.
pub(super) struct Cgls<'a> {
    matrix: &'a DesignMatrix,
    regularisation: Regularisation,
    /// The diagonal of the preconditioner.
    preconditioner: Vec<f32>,
}

impl<'a> Cgls<'a> {
    pub(super) fn new(matrix: &'a DesignMatrix, regularisation: Regularisation) -> Cgls<'a> {
        let diagonal = matrix.squared_transposed_times(&matrix.sample_weights);
        // The coefficient of a column without samples stays 0.
        let inverse = |(column, sum)| match sum + regularisation.diagonal(column) {
            0.0 => 0.0,
            diagonal => 1.0 / diagonal,
        };
        let preconditioner = diagonal.into_iter().enumerate().map(inverse).collect();
        Cgls { matrix, regularisation, preconditioner }
    }

    /// The state at the start, where all coefficients are 0.
    pub(super) fn start(&self) -> CglsState {
        let weights = vec![0.0; self.matrix.columns()];
        let residuals = self.matrix.labels.clone();
        let gradient = self.gradient(&weights, &residuals);
        let direction = self.preconditioned(&gradient);
        let gradient_norm = dot(&gradient, &direction);
        CglsState { iteration: 0, weights, residuals, direction, gradient_norm }
    }

    /// Does one iteration. Returns `false`, and changes nothing, at the minimum.
    pub(super) fn step(&self, state: &mut CglsState) -> bool {
        let change = self.matrix.times(&state.direction);
        let curvature = self.curvature(&state.direction, &change);
        if curvature <= 0.0 || state.gradient_norm <= 0.0 {
            return false;
        }
        let length = (state.gradient_norm / curvature) as f32;
        let weights = state.weights.iter_mut().zip(&state.direction);
        weights.for_each(|(weight, step)| *weight += length * step);
        let residuals = state.residuals.iter_mut().zip(&change);
        residuals.for_each(|(residual, change)| *residual -= length * change);

        let gradient = self.gradient(&state.weights, &state.residuals);
        let preconditioned = self.preconditioned(&gradient);
        let gradient_norm = dot(&gradient, &preconditioned);
        let keep = (gradient_norm / state.gradient_norm) as f32;
        let directions = state.direction.iter_mut().zip(&preconditioned);
        directions.for_each(|(direction, new)| *direction = new + keep * *direction);
        state.gradient_norm = gradient_norm;
        state.iteration += 1;
        true
    }

    /// d'(X'SX + R)d for a direction d, where `change` is Xd.
    fn curvature(&self, direction: &[f32], change: &[f32]) -> f64 {
        let mut curvature = dot(direction, &self.regularisation.times(direction));
        for part in self.matrix.parts(false) {
            let weights = &self.matrix.sample_weights[part.clone()];
            let terms = weights
                .iter()
                .zip(&change[part])
                .map(|(weight, change)| f64::from(*weight) * f64::from(*change).powi(2));
            curvature += terms.sum::<f64>();
        }
        curvature
    }

    /// X'S(y - Xw) - Rw: half the negative gradient of the objective.
    fn gradient(&self, weights: &[f32], residuals: &[f32]) -> Vec<f32> {
        let weighted: Vec<f32> =
            residuals.iter().zip(&self.matrix.sample_weights).map(|(r, s)| r * s).collect();
        let mut gradient = self.matrix.transposed_times(&weighted);
        gradient
            .iter_mut()
            .zip(self.regularisation.times(weights))
            .for_each(|(gradient, pull)| *gradient -= pull);
        gradient
    }

    fn preconditioned(&self, vector: &[f32]) -> Vec<f32> {
        vector.iter().zip(&self.preconditioner).map(|(x, scale)| x * scale).collect()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}
