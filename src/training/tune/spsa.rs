//! Simultaneous perturbation stochastic approximation: downhill in many directions at once, for two
//! measurements a step.
//!
//! Every parameter is moved up or down by chance, all at the same time, and the cost is measured
//! there and on the opposite side. The difference says nothing sure of any one parameter, but on
//! average over many steps it is the slope in each. The lengths of the steps and of the moves
//! shrink with the powers that Spall recommends. (J. C. Spall, "Implementation of the simultaneous
//! perturbation algorithm for stochastic optimization", 1998. Chess programs are tuned like this
//! too.)
//!
//! Parameters are measured in their own
//! [`ParameterSpec::step`](crate::search::ParameterSpec::step), so that a move by one means about
//! as much for each of them.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::search::{PARAMETERS, Parameters};

/// How many parameters there are.
pub const COUNT: usize = PARAMETERS.len();

/// Values of the parameters between whole numbers, in the order of [`PARAMETERS`].
pub type Values = [f64; COUNT];

/// The power with which steps shrink.
const ALPHA: f64 = 0.602;

/// The power with which moves shrink.
const GAMMA: f64 = 0.101;

/// No step moves a parameter further than this, in its own unit: a few positions may differ wildly.
const LONGEST: f64 = 1.0;

/// How the parameters are moved.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    /// Which parameters move, in the order of [`PARAMETERS`]; all others stay.
    pub free: [bool; COUNT],
    /// How far to each side the first iteration measures, in each parameter's step. (Spall's *c*.)
    pub reach: f64,
    /// How many steps the first iteration moves each parameter for a slope of 1 in the logarithm of
    /// the nodes per step. (Spall's *a*, divided by the power of the stability.)
    pub gain: f64,
    /// After about how many iterations steps begin to shrink. (Spall's *A*.)
    pub stability: f64,
    /// The seed of the directions.
    pub seed: u64,
}

/// The nearest parameters that the search can use.
pub fn parameters(values: &Values) -> Parameters {
    Parameters::new(std::array::from_fn(|parameter| {
        clamped(parameter, values[parameter]).round() as i32
    }))
}

fn clamped(parameter: usize, value: f64) -> f64 {
    let range = PARAMETERS[parameter].range();
    value.clamp(f64::from(*range.start()), f64::from(*range.end()))
}

impl Spsa {
    /// The two sides that an iteration, from 1 on, measures.
    pub fn sides(&self, values: &Values, iteration: u32) -> [Parameters; 2] {
        let reach = self.reach_of(iteration);
        [reach, -reach].map(|reach| parameters(&self.moved(values, iteration, reach)))
    }

    /// The values after an iteration that found these costs on its two sides.
    ///
    /// They have four decimals, so that they stay what they are when they are written and read.
    pub fn after(&self, values: &Values, iteration: u32, costs: [f64; 2]) -> Values {
        let slope = (costs[0] - costs[1]) / (2.0 * self.reach_of(iteration));
        let gain = self.gain
            * ((self.stability + 1.0) / (self.stability + f64::from(iteration))).powf(ALPHA);
        let moved = self.moved(values, iteration, (-gain * slope).clamp(-LONGEST, LONGEST));
        std::array::from_fn(|parameter| (clamped(parameter, moved[parameter]) * 1e4).round() / 1e4)
    }

    fn reach_of(&self, iteration: u32) -> f64 {
        self.reach / f64::from(iteration).powf(GAMMA)
    }

    /// The values moved by so many steps in an iteration's direction.
    fn moved(&self, values: &Values, iteration: u32, steps: f64) -> Values {
        let mut rng = Pcg64Mcg::seed_from_u64(
            self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(iteration.into()),
        );
        // All are drawn, so that a parameter's directions are the same whichever others move.
        let signs: [bool; COUNT] = std::array::from_fn(|_| rng.random());
        std::array::from_fn(|parameter| match (self.free[parameter], signs[parameter]) {
            (false, _) => values[parameter],
            (true, up) => {
                values[parameter]
                    + f64::from(PARAMETERS[parameter].step) * if up { steps } else { -steps }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPSA: Spsa =
        Spsa { free: [true; COUNT], reach: 1.0, gain: 20.0, stability: 10.0, seed: 1 };

    fn start() -> Values {
        PARAMETERS.map(|scale| f64::from(scale.start))
    }

    /// How far values lie from a target three steps above the start (one below, in the first
    /// parameter), in steps.
    fn distances(values: &Values) -> Values {
        std::array::from_fn(|parameter| {
            let steps = (values[parameter] - f64::from(PARAMETERS[parameter].start))
                / f64::from(PARAMETERS[parameter].step);
            steps - if parameter == 0 { -1.0 } else { 3.0 }
        })
    }

    fn after(spsa: &Spsa, iterations: u32) -> Values {
        let cost = |side: Parameters| {
            let distances = distances(&side.values().map(f64::from));
            distances.iter().map(|distance| 0.003 * distance * distance).sum::<f64>()
        };
        (1..=iterations).fold(start(), |values, iteration| {
            spsa.after(&values, iteration, spsa.sides(&values, iteration).map(cost))
        })
    }

    #[test]
    fn a_planted_minimum_is_found() {
        let values = after(&SPSA, 400);
        assert!(
            distances(&values).iter().all(|distance| distance.abs() < 0.7),
            "{:?}",
            distances(&values)
        );
    }

    #[test]
    fn scalars_that_are_not_free_stay() {
        let mut free = [false; COUNT];
        free[1] = true;
        let values = after(&Spsa { free, ..SPSA }, 60);
        for (parameter, distance) in distances(&values).into_iter().enumerate() {
            if parameter == 1 {
                assert!(distance.abs() < 0.7, "{distance}");
            } else {
                assert_eq!(values[parameter], start()[parameter]);
            }
        }
    }

    #[test]
    fn sides_lie_opposite_and_values_stay_in_their_range() {
        let [plus, minus] = SPSA.sides(&start(), 1);
        for (parameter, scale) in PARAMETERS.iter().enumerate() {
            assert_eq!((plus.values()[parameter] - scale.start).abs(), scale.step);
            assert_eq!(plus.values()[parameter] + minus.values()[parameter], 2 * scale.start);
        }
        assert!((2..20).any(|iteration| SPSA.sides(&start(), iteration)[0] != plus));
        let far = |sign: f64| PARAMETERS.map(|scale| sign * 1e3 * f64::from(scale.step));
        for sign in [-1.0, 1.0] {
            let values = SPSA.after(&far(sign), 1, [1.0, 2.0]);
            let within = |parameter: usize| {
                PARAMETERS[parameter].range().contains(&parameters(&far(sign)).values()[parameter])
            };
            assert!((0..COUNT).all(|parameter| within(parameter)
                && clamped(parameter, values[parameter]) == values[parameter]));
        }
    }

    #[test]
    fn a_step_has_a_longest() {
        let values = SPSA.after(&start(), 1, [0.0, 1e9]);
        assert!(
            values
                .iter()
                .zip(&PARAMETERS)
                .all(|(value, scale)| (value - f64::from(scale.start)).abs()
                    <= f64::from(scale.step))
        );
    }
}
