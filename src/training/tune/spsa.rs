//! Simultaneous perturbation stochastic approximation (SPSA): stochastic gradient descent with two
//! measurements per iteration, whatever the number of parameters.
//!
//! Iteration k draws a random sign D_i for each parameter i, measures the objective f at x + c_k D
//! and x - c_k D, and moves the values:
//!
//! ```text
//! g = (f(x + c_k D) - f(x - c_k D)) / (2 c_k)        estimated slope along D
//! x ← x - a_k g D
//! c_k = c / k^gamma
//! a_k = gain ((A + 1) / (A + k))^alpha
//! ```
//!
//! Over many iterations the expected value of g D is the gradient. x is measured in the steps of
//! the parameters ([`ParameterSpec::step`]), so that a change by 1 has an effect of similar size
//! for each of them. Values are clamped to the range of their parameter. A step is clamped to
//! `MAX_STEP`, because the counts of a small batch have outliers.
//!
//! [`ParameterSpec::step`]: crate::search::ParameterSpec::step
//!
//! Sources: J. C. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation
//! Gradient Approximation", 1992; the exponents and the form of the gains: J. C. Spall,
//! "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", 1998;
//! <https://www.jhuapl.edu/SPSA/>. Spall's *a* is our gain times (A + 1)^alpha.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::search::{PARAMETERS, Parameters};

/// The number of parameters.
pub const COUNT: usize = PARAMETERS.len();

/// A real value for each parameter, in the order of [`PARAMETERS`].
pub type Values = [f64; COUNT];

/// The exponent of the gain. Spall 1998 recommends this value.
const ALPHA: f64 = 0.602;

/// The exponent of the perturbation. Spall 1998 recommends this value.
const GAMMA: f64 = 0.101;

/// The largest change of a parameter in one iteration, in its steps.
const MAX_STEP: f64 = 1.0;

/// The constants of the method.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    /// Whether each parameter is fitted, in the order of [`PARAMETERS`]. The others keep their
    /// values.
    pub free: [bool; COUNT],
    /// The size of the first perturbation, in steps of the parameters: c.
    pub perturbation: f64,
    /// The gain of the first iteration: steps of the parameters for a slope of 1 in ln(nodes) per
    /// step.
    pub gain: f64,
    /// The stability constant A, in iterations: the larger it is, the later the gain decreases.
    pub stability: f64,
    /// The seed of the signs.
    pub seed: u64,
}

/// The parameters nearest to real values.
pub fn to_parameters(values: &Values) -> Parameters {
    Parameters::new(std::array::from_fn(|parameter| {
        clamped(parameter, values[parameter]).round() as i32
    }))
}

/// A value clamped to the range of its parameter.
fn clamped(parameter: usize, value: f64) -> f64 {
    let range = PARAMETERS[parameter].range();
    value.clamp(f64::from(*range.start()), f64::from(*range.end()))
}

impl Spsa {
    /// The two sides that an iteration, from 1 on, measures: x + c_k D and x - c_k D.
    pub fn sides(&self, values: &Values, iteration: u32) -> [Parameters; 2] {
        let size = self.perturbation_of(iteration);
        [size, -size].map(|size| to_parameters(&self.moved(values, iteration, size)))
    }

    /// The values after an iteration that measured these objectives on its two sides.
    ///
    /// They are rounded to four decimals, so that writing and reading does not change them.
    pub fn after(&self, values: &Values, iteration: u32, objectives: [f64; 2]) -> Values {
        let slope = (objectives[0] - objectives[1]) / (2.0 * self.perturbation_of(iteration));
        let gain = self.gain
            * ((self.stability + 1.0) / (self.stability + f64::from(iteration))).powf(ALPHA);
        let moved = self.moved(values, iteration, (-gain * slope).clamp(-MAX_STEP, MAX_STEP));
        std::array::from_fn(|parameter| (clamped(parameter, moved[parameter]) * 1e4).round() / 1e4)
    }

    fn perturbation_of(&self, iteration: u32) -> f64 {
        self.perturbation / f64::from(iteration).powf(GAMMA)
    }

    /// The values moved by so many steps along the signs D of an iteration.
    fn moved(&self, values: &Values, iteration: u32, steps: f64) -> Values {
        let mut rng = Pcg64Mcg::seed_from_u64(
            self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(iteration.into()),
        );
        // All signs are drawn, so that those of a parameter do not depend on which others are
        // fitted.
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
        Spsa { free: [true; COUNT], perturbation: 1.0, gain: 20.0, stability: 10.0, seed: 1 };

    fn start() -> Values {
        PARAMETERS.map(|spec| f64::from(spec.start))
    }

    /// The differences of values to the minimum, in steps. The minimum is one step below the start
    /// for the first parameter, and three steps above it for the others.
    fn distances(values: &Values) -> Values {
        std::array::from_fn(|parameter| {
            let steps = (values[parameter] - f64::from(PARAMETERS[parameter].start))
                / f64::from(PARAMETERS[parameter].step);
            steps - if parameter == 0 { -1.0 } else { 3.0 }
        })
    }

    fn after(spsa: &Spsa, iterations: u32) -> Values {
        let objective = |side: Parameters| {
            let distances = distances(&side.values().map(f64::from));
            distances.iter().map(|distance| 0.003 * distance * distance).sum::<f64>()
        };
        (1..=iterations).fold(start(), |values, iteration| {
            spsa.after(&values, iteration, spsa.sides(&values, iteration).map(objective))
        })
    }

    #[test]
    fn a_known_minimum_is_found() {
        let values = after(&SPSA, 400);
        assert!(
            distances(&values).iter().all(|distance| distance.abs() < 0.7),
            "{:?}",
            distances(&values)
        );
    }

    #[test]
    fn parameters_that_are_not_free_keep_their_values() {
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
        for (parameter, spec) in PARAMETERS.iter().enumerate() {
            assert_eq!((plus.values()[parameter] - spec.start).abs(), spec.step);
            assert_eq!(plus.values()[parameter] + minus.values()[parameter], 2 * spec.start);
        }
        assert!((2..20).any(|iteration| SPSA.sides(&start(), iteration)[0] != plus));
        let far = |sign: f64| PARAMETERS.map(|spec| sign * 1e3 * f64::from(spec.step));
        for sign in [-1.0, 1.0] {
            let values = SPSA.after(&far(sign), 1, [1.0, 2.0]);
            let within = |parameter: usize| {
                PARAMETERS[parameter]
                    .range()
                    .contains(&to_parameters(&far(sign)).values()[parameter])
            };
            assert!((0..COUNT).all(|parameter| within(parameter)
                && clamped(parameter, values[parameter]) == values[parameter]));
        }
    }

    #[test]
    fn a_step_is_clamped() {
        let values = SPSA.after(&start(), 1, [0.0, 1e9]);
        assert!(
            values
                .iter()
                .zip(&PARAMETERS)
                .all(|(value, spec)| (value - f64::from(spec.start)).abs() <= f64::from(spec.step))
        );
    }
}
