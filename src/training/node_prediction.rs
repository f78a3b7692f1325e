//! The regression by which [`batch::cost`](crate::batch::cost) predicts node counts.
//!
//! ```text
//! ln nodes = w0 x0 + w1 x1 + w2 x2 + w3 x3 + residual
//! ```
//!
//! What a clear game changes is subtracted first: its parameters are not fitted here.
//! The predictors x are those of [`predictors`](crate::batch::cost::predictors). The coefficients w
//! are fitted by ordinary least squares: the normal equations X'X w = X'y have four unknowns only,
//! and are solved by Gaussian elimination.

use crate::batch::cost::{Model, clear_game};

/// The number of coefficients.
const N: usize = 4;

/// Fits the model to the predictors and the node counts of a list of positions. The coefficient of
/// a predictor that is always 0 is 0. The standard deviation of the residuals is estimated with
/// n - 4 degrees of freedom.
///
/// # Panics
/// If there are not more positions than coefficients.
pub fn fit_prediction(predictors: &[[f64; N]], nodes: &[u64]) -> Model {
    assert!(
        nodes.len() > N && predictors.len() == nodes.len(),
        "{} positions are too few for {N} coefficients",
        nodes.len()
    );
    let (mut matrix, mut right) = ([[0.0; N]; N], [0.0; N]);
    for (x, &count) in predictors.iter().zip(nodes) {
        for row in 0..N {
            for column in 0..N {
                matrix[row][column] += x[row] * x[column];
            }
            right[row] += x[row] * (ln(count) - clear_game(x));
        }
    }
    for (row, diagonal) in matrix.iter_mut().enumerate() {
        if diagonal[row] == 0.0 {
            diagonal[row] = 1.0;
        }
    }
    let mut model = Model { weights: solve(matrix, right), deviation: 0.0 };
    let squares: f64 =
        residuals(&model, predictors, nodes).iter().map(|residual| residual * residual).sum();
    model.deviation = (squares / (nodes.len() - N) as f64).sqrt();
    model
}

/// The residual of each position: ln nodes minus its prediction.
pub fn residuals(model: &Model, predictors: &[[f64; N]], nodes: &[u64]) -> Vec<f64> {
    let residual = |(x, &count)| ln(count) - model.predict(x).ln_nodes;
    predictors.iter().zip(nodes).map(residual).collect()
}

fn ln(count: u64) -> f64 {
    (count.max(1) as f64).ln()
}

/// Solves a symmetric positive definite system by Gaussian elimination. Such a system needs no
/// pivoting.
fn solve(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for pivot in 0..N {
        let pivot_row = matrix[pivot];
        for row in pivot + 1..N {
            let factor = matrix[row][pivot] / pivot_row[pivot];
            for (number, above) in matrix[row].iter_mut().zip(pivot_row) {
                *number -= factor * above;
            }
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..N).rev() {
        let solved: f64 = (row + 1..N).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - solved) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_law_is_found_in_noisy_counts() {
        let law = [2.0, 0.7, 1.1, -0.05];
        let mut seed = 1u64;
        let mut random = |limit: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % limit
        };
        let predictors: Vec<[f64; 4]> = (0..2000)
            .map(|_| {
                [1.0, 10.0 + random(15) as f64, (1.0 + random(12) as f64).ln(), random(30) as f64]
            })
            .collect();
        // The noise is +0.5 or -0.5 with equal probability.
        let mut noisy = |x: &[f64; 4]| {
            let exact: f64 = law.iter().zip(x).map(|(weight, x)| weight * x).sum();
            (exact + clear_game(x) + if random(2) == 0 { 0.5 } else { -0.5 }).exp() as u64
        };
        let nodes: Vec<u64> = predictors.iter().map(&mut noisy).collect();
        let model = fit_prediction(&predictors, &nodes);
        for (found, true_weight) in model.weights.iter().zip(law) {
            assert!((found - true_weight).abs() < 0.15, "{model:?}");
        }
        assert!((model.deviation - 0.5).abs() < 0.02, "{model:?}");

        let blind: Vec<[f64; 4]> =
            predictors.iter().map(|&[x, empties, moves, _]| [x, empties, moves, 0.0]).collect();
        let model = fit_prediction(&blind, &nodes);
        assert_eq!(model.weights[3], 0.0);
        assert!(model.deviation > 0.55, "a predictor is missing: {model:?}");
    }
}
