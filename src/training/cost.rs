//! What the nodes of a position depend on, fitted to counts: the numbers of
//! [`batch::cost`](crate::batch::cost).
//!
//! Least squares on the logarithm of the nodes, by the normal equations, as there are four unknowns
//! and hundreds of positions.

use crate::batch::cost::Model;

/// How many numbers a model has.
const N: usize = 4;

/// The model that fits these traits and counts of nodes best. A trait that is 0 everywhere gets the
/// weight 0.
///
/// # Panics
/// If there are not more positions than numbers to fit.
pub fn fit(traits: &[[f64; N]], nodes: &[u64]) -> Model {
    assert!(
        nodes.len() > N && traits.len() == nodes.len(),
        "{} positions are too few for {N} numbers",
        nodes.len()
    );
    let (mut matrix, mut right) = ([[0.0; N]; N], [0.0; N]);
    for (one, &count) in traits.iter().zip(nodes) {
        for row in 0..N {
            for column in 0..N {
                matrix[row][column] += one[row] * one[column];
            }
            right[row] += one[row] * ln(count);
        }
    }
    for (row, diagonal) in matrix.iter_mut().enumerate() {
        if diagonal[row] == 0.0 {
            diagonal[row] = 1.0;
        }
    }
    let mut model = Model { weights: solve(matrix, right), deviation: 0.0 };
    let squares: f64 =
        residuals(&model, traits, nodes).iter().map(|residual| residual * residual).sum();
    model.deviation = (squares / (nodes.len() - N) as f64).sqrt();
    model
}

/// By how much the logarithm of each count lies above its prediction.
pub fn residuals(model: &Model, traits: &[[f64; N]], nodes: &[u64]) -> Vec<f64> {
    traits.iter().zip(nodes).map(|(one, &count)| ln(count) - model.predict(one).ln_nodes).collect()
}

fn ln(count: u64) -> f64 {
    (count.max(1) as f64).ln()
}

/// Solves a symmetric positive definite system by elimination; such a one needs no pivots.
fn solve(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for pivot in 0..N {
        let above = matrix[pivot];
        for row in pivot + 1..N {
            let factor = matrix[row][pivot] / above[pivot];
            for (number, above) in matrix[row].iter_mut().zip(above) {
                *number -= factor * above;
            }
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_is_found_again_in_its_noise() {
        let law = [2.0, 0.7, 1.1, -0.05];
        let mut seed = 1u64;
        let mut random = |limit: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % limit
        };
        let traits: Vec<[f64; 4]> = (0..2000)
            .map(|_| {
                [1.0, 10.0 + random(15) as f64, (1.0 + random(12) as f64).ln(), random(30) as f64]
            })
            .collect();
        // Noise of a fair coin: half a unit up or down.
        let mut coin = |one: &[f64; 4]| {
            let exact: f64 = law.iter().zip(one).map(|(weight, one)| weight * one).sum();
            (exact + if random(2) == 0 { 0.5 } else { -0.5 }).exp() as u64
        };
        let nodes: Vec<u64> = traits.iter().map(&mut coin).collect();
        let model = fit(&traits, &nodes);
        for (found, true_weight) in model.weights.iter().zip(law) {
            assert!((found - true_weight).abs() < 0.15, "{model:?}");
        }
        assert!((model.deviation - 0.5).abs() < 0.02, "{model:?}");

        let blind: Vec<[f64; 4]> =
            traits.iter().map(|&[one, empties, moves, _]| [one, empties, moves, 0.0]).collect();
        let model = fit(&blind, &nodes);
        assert_eq!(model.weights[3], 0.0);
        assert!(model.deviation > 0.55, "it knows less: {model:?}");
    }
}
