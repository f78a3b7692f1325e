//! The method of conjugate gradients for the least squares of a [`Design`], with its numbers kept
//! in a form that can be written down and taken up again.
//!
//! What is made smallest is the sum over the samples of importance × error², plus `ridge` times the
//! sum of all squared weights, plus `smooth` times the squared differences between neighbouring
//! stages. The first keeps rare patterns small, of which little is known; the second lends them
//! what is known a few empties away. (CGLS with a diagonal preconditioner; Björck, *Numerical
//! Methods for Least Squares Problems*, 1996.)

use super::design::Design;
use crate::eval::CLASSES;

/// What holds the weights back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Restraint {
    pub(super) ridge: f32,
    pub(super) smooth: f32,
    pub(super) stages: usize,
}

impl Restraint {
    /// The restraint's part of the normal equations' matrix, times `vector`.
    fn times(self, vector: &[f32]) -> Vec<f32> {
        let mut result: Vec<f32> = vector.iter().map(|x| self.ridge * x).collect();
        for low in 0..(self.stages - 1) * CLASSES {
            let high = low + CLASSES;
            let pull = self.smooth * (vector[high] - vector[low]);
            result[low] -= pull;
            result[high] += pull;
        }
        result
    }

    /// The diagonal of that matrix.
    fn diagonal(self, column: usize) -> f32 {
        let stage = column / CLASSES;
        let neighbours = match stage {
            stage if stage >= self.stages => 0.0,
            0 => 1.0,
            stage if stage + 1 == self.stages => 1.0,
            _ => 2.0,
        };
        self.ridge + self.smooth * neighbours
    }
}

/// Where the method stands: all that the next iteration needs.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct State {
    /// How many iterations are done.
    pub(super) iteration: u32,
    /// The numbers that are fitted, so far.
    pub(super) weights: Vec<f32>,
    /// For each sample, how far its score lies above the prediction.
    pub(super) residuals: Vec<f32>,
    /// Along which the next step goes.
    pub(super) direction: Vec<f32>,
    /// The gradient's size, as the preconditioner measures it.
    pub(super) size: f64,
}

/// The problem, with what does not change between iterations.
pub(super) struct Solver<'a> {
    design: &'a Design,
    restraint: Restraint,
    /// One over the diagonal of the normal equations' matrix.
    scale: Vec<f32>,
}

impl<'a> Solver<'a> {
    pub(super) fn new(design: &'a Design, restraint: Restraint) -> Solver<'a> {
        let diagonal = design.squared_columns_times(&design.importance).into_iter().enumerate();
        // Columns of which no sample knows anything stay zero.
        let scale = diagonal.map(|(column, sum)| match sum + restraint.diagonal(column) {
            0.0 => 0.0,
            diagonal => 1.0 / diagonal,
        });
        Solver { design, restraint, scale: scale.collect() }
    }

    /// The beginning: every weight is zero.
    pub(super) fn start(&self) -> State {
        let weights = vec![0.0; self.design.columns()];
        let residuals = self.design.targets.clone();
        let gradient = self.gradient(&weights, &residuals);
        let direction = self.scaled(&gradient);
        let size = dot(&gradient, &direction);
        State { iteration: 0, weights, residuals, direction, size }
    }

    /// One iteration. Gives false, and changes nothing, where nothing is left to gain.
    pub(super) fn step(&self, state: &mut State) -> bool {
        let change = self.design.rows_times(&state.direction);
        let mut curvature = dot(&state.direction, &self.restraint.times(&state.direction));
        for part in self.design.parts(false) {
            let importance = &self.design.importance[part.clone()];
            let terms = importance
                .iter()
                .zip(&change[part])
                .map(|(s, q)| f64::from(*s) * f64::from(*q).powi(2));
            curvature += terms.sum::<f64>();
        }
        if curvature <= 0.0 || state.size <= 0.0 {
            return false;
        }
        let length = (state.size / curvature) as f32;
        state
            .weights
            .iter_mut()
            .zip(&state.direction)
            .for_each(|(weight, step)| *weight += length * step);
        state
            .residuals
            .iter_mut()
            .zip(&change)
            .for_each(|(residual, change)| *residual -= length * change);

        let gradient = self.gradient(&state.weights, &state.residuals);
        let scaled = self.scaled(&gradient);
        let size = dot(&gradient, &scaled);
        let keep = (size / state.size) as f32;
        state
            .direction
            .iter_mut()
            .zip(&scaled)
            .for_each(|(direction, new)| *direction = new + keep * *direction);
        state.size = size;
        state.iteration += 1;
        true
    }

    /// Half the negative gradient of what is made smallest.
    fn gradient(&self, weights: &[f32], residuals: &[f32]) -> Vec<f32> {
        let weighted: Vec<f32> =
            residuals.iter().zip(&self.design.importance).map(|(r, s)| r * s).collect();
        let mut gradient = self.design.columns_times(&weighted);
        gradient
            .iter_mut()
            .zip(self.restraint.times(weights))
            .for_each(|(gradient, pull)| *gradient -= pull);
        gradient
    }

    fn scaled(&self, vector: &[f32]) -> Vec<f32> {
        vector.iter().zip(&self.scale).map(|(x, scale)| x * scale).collect()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}
