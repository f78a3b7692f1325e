//! The nodes that the rest of a run will take, from the predicted costs of its positions and from
//! what the run has shown so far.
//!
//! ```text
//! remaining nodes = correction · predicted cost of the positions that wait
//!                 + what is left of each search under way
//! ```
//!
//! The *correction* comes from the positions that are finished. What is left of a *search under
//! way* comes from its last [`Milestone`]: a selective pass is a small copy of the passes that
//! follow. Before the first milestone it comes from the predicted cost. Either way the nodes since
//! then count: a search that has taken longer than predicted is one of the longer ones
//! (`Prediction::rest`).
//!
//! The null windows of the exact pass are no milestones. Which bounds they have proven says nothing
//! about the rest that its nodes do not say (docs/experiments/search.md, "Remaining nodes").

use super::cost::{Cost, EIGHT_OF_TEN, LIST_DEVIATION, Prediction, relative_variance};
use super::progress::Finished;
use crate::search::Milestone;

/// The nodes after a milestone. Their logarithm is normally distributed, with this mean and
/// standard deviation:
///
/// ```text
/// ln rest = constant + nodes · ln (nodes up to the milestone) + cost · ln (median predicted cost)
/// ```
struct AfterPass {
    constant: f64,
    nodes: f64,
    cost: f64,
    deviation: f64,
}

/// By the number of selective passes that follow the milestone.
/// Fitted: docs/experiments/search.md, "Remaining nodes".
const AFTER_PASS: [AfterPass; 3] = [
    AfterPass { constant: 1.5, nodes: 0.57, cost: 0.35, deviation: 0.8 },
    AfterPass { constant: 0.5, nodes: 0.54, cost: 0.50, deviation: 0.7 },
    AfterPass { constant: 7.2, nodes: 0.54, cost: 0.17, deviation: 0.7 },
];

/// The factor by which the predicted costs of the rest of a list are to be multiplied, from what
/// the finished part has taken.
///
/// It lies between 1 and the ratio of nodes and predicted cost so far (credibility theory: Hans
/// Bühlmann, "Experience Rating and Credibility", ASTIN Bulletin 4(3), 1967). The weight of that
/// ratio is the variance of lists, divided by its sum with the variance of the ratio. So one
/// position that dominates the finished part proves little, and a thousand equal ones prove nearly
/// all. The variance of the factor is what is left of that of lists.
fn correction(finished: &Finished) -> Correction {
    let of_lists = relative_variance(LIST_DEVIATION);
    let Cost { mean, variance, .. } = finished.cost;
    if mean <= 0.0 {
        return Correction { factor: 1.0, variance: of_lists };
    }
    let weight = of_lists / (of_lists + variance / (mean * mean));
    Correction {
        factor: 1.0 + weight * (finished.nodes as f64 / mean - 1.0),
        variance: of_lists * (1.0 - weight),
    }
}

struct Correction {
    factor: f64,
    /// The variance of the factor.
    variance: f64,
}

/// A search under way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Running {
    /// The predicted cost of its position.
    pub cost: Cost,
    /// The nodes that it has taken so far.
    pub nodes: u64,
    /// Its last milestone.
    pub milestone: Option<Milestone>,
}

/// The positions of a run that are not finished.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Remaining {
    /// The predicted cost of those that are not begun.
    pub waiting: Cost,
    /// The searches under way.
    pub running: Vec<Running>,
}

impl Remaining {
    /// The nodes that are left of all positions together, after `finished`.
    pub fn nodes(&self, finished: &Finished) -> Cost {
        let Correction { factor, variance } = correction(finished);
        let Cost { mean, variance: of_positions, low } = self.waiting;
        let deviation = (variance / (factor * factor).max(f64::MIN_POSITIVE)).ln_1p().sqrt();
        let mut nodes = Cost {
            mean: factor * mean,
            variance: factor * factor * of_positions + mean * mean * variance,
            low: factor * low * (-EIGHT_OF_TEN * deviation).exp(),
        };
        for search in &self.running {
            nodes += search.rest(finished);
        }
        nodes
    }
}

impl Running {
    /// The nodes that are left of this search, in a run with these finished positions.
    pub fn rest(&self, finished: &Finished) -> Cost {
        let mut predicted = self.cost.lognormal();
        predicted.ln_nodes += correction(finished).factor.max(f64::MIN_POSITIVE).ln();
        let Some(Milestone { passes_left, nodes, .. }) = self.milestone else {
            return predicted.rest(self.nodes as f64);
        };
        let pass = &AFTER_PASS[(passes_left as usize).min(AFTER_PASS.len() - 1)];
        let since = self.nodes.saturating_sub(nodes) as f64;
        let ln_nodes = pass.constant
            + pass.nodes * (nodes.max(1) as f64).ln()
            + pass.cost * predicted.ln_nodes;
        Prediction { ln_nodes, deviation: pass.deviation }.rest(since)
    }
}

#[cfg(test)]
mod tests;
