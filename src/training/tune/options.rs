//! The options of a run.

use super::spsa::{COUNT, Spsa};
use crate::search::Parameters;
use crate::training::node_counts::{NodeTotal, to_nine_decimals};

/// The objective, which is minimised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// The mean of ln(nodes): every position has the same weight.
    MeanLogarithm,
    /// ln(sum of the nodes): large positions dominate.
    Sum,
}

impl Objective {
    /// The objective for the node counts of a batch.
    pub(super) fn of(self, nodes: &[u64]) -> f64 {
        let total = NodeTotal::of(nodes);
        match self {
            Objective::MeanLogarithm => total.mean_ln,
            Objective::Sum => to_nine_decimals((total.nodes.max(1) as f64).ln()),
        }
    }
}

/// The options of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct TuneOptions {
    /// The parameters at the start.
    pub start: Parameters,
    /// The method.
    pub spsa: Spsa,
    /// The objective.
    pub objective: Objective,
    /// The number of positions of a batch. An iteration solves each of them twice.
    pub batch: usize,
    /// The number of iterations, those in the log included.
    pub iterations: u32,
    /// The number of iterations between two measurements of the whole list; 0 for a measurement at
    /// the end only.
    pub every: u32,
    /// The number of last iterations whose mean is the result. The values of single iterations
    /// scatter about the minimum.
    pub mean_of: u32,
}

impl Default for TuneOptions {
    fn default() -> TuneOptions {
        TuneOptions {
            start: Parameters::default(),
            spsa: Spsa {
                free: [true; COUNT],
                perturbation: 1.0,
                gain: 20.0,
                stability: 20.0,
                seed: 1,
            },
            objective: Objective::MeanLogarithm,
            batch: 40,
            iterations: 300,
            every: 50,
            mean_of: 50,
        }
    }
}
