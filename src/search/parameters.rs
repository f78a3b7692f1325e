//! The parameters of the search that are fitted to node counts, in one place.
//!
//! They say how far values of the evaluation are to be trusted and what replies cost, so they belong to the weights that they were fitted with, and
//! their values are kept in the same file ([`crate::eval::Weights::parameters`]). Here is what they mean, and where a fit begins.
//!
//! They can be changed at run time, so that `yose train tune` can try others on a list of positions and keep those that need
//! fewer nodes. None of them can change a score; all of them change node counts, and so the fingerprint.

use std::collections::BTreeMap;
use std::ops::{Index, IndexMut, RangeInclusive};

use crate::eval::Evaluation;

/// What a parameter is, where it begins, and how far a first try goes from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterSpec {
    /// Its name, in weight files and for `yose train tune`.
    pub name: &'static str,
    /// Its value where weights come without one, and so where a first parameters begins.
    pub start: i32,
    /// A change that is worth trying.
    pub step: i32,
}

impl ParameterSpec {
    /// How far from its start a parameter may go, in its step. No search is sound so far away, and no sum in it overflows.
    const FURTHEST: i32 = 32;

    /// The values that it may have. None is below zero.
    pub const fn range(&self) -> RangeInclusive<i32> {
        0..=self.start + Self::FURTHEST * self.step
    }
}

/// The parameters. Those that say `weight` are in the unit in which one of the opponent's replies weighs 16384.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Parameter {
    /// Nine to eleven empties: how far a value lies from the truth, in quarters of a disc.
    MiddleDeviation,
    /// The exponent with which replies make a refutation dear there, in hundredths.
    MiddleReplyExponent,
    /// How much cheaper a quarter of a disc of margin makes it there, in 32768ths of a unit of the logarithm.
    MiddleMarginCost,
    /// Twelve empties and more: how far a value lies from the truth, in quarters of a disc.
    DeepDeviation,
    /// The exponent with which replies make a refutation dear at twelve empties, in hundredths.
    DeepReplyExponent,
    /// How much that grows with each empty square more.
    DeepReplyExponentPerEmpty,
    /// How much cheaper a quarter of a disc of margin makes it, in 32768ths of a unit of the logarithm.
    DeepMarginCost,
    /// Weight of a disc on a corner, or beside a corner of one's own.
    CornerStability,
    /// Weight of a point of the square's kind.
    Square,
    /// Weight of a move into a quadrant with an odd number of empties.
    OddQuadrant,
    /// In selective rounds: how much of the margin the position's own value may lack, in hundredths, for a look ahead to be worth its
    /// nodes.
    StaticValueSlack,
    /// How many tenths of a standard deviation the first selective round asks for.
    FirstPass,
    /// Fourteen empties and more: how far below the best a move's price after one ply may lie for the price after more plies to be
    /// looked up, in hundredths of a unit of the logarithm.
    RefutationWindow,
    /// How much dearer than the cheapest a move's price is still told exactly, in eighths.
    RefutationLimit,
    /// How unlikely the best move may be to refute for prices to be looked up, in hundredths of a unit of the logarithm.
    RefutationDoubt,
}

/// Every parameter with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters([i32; PARAMETERS.len()]);

/// What is known of each [`Parameter`], in their order.
///
/// The starts are round numbers near the values that fits to older searches and weights ended with. The values in the embedded weight file
/// are the means over 60 iterations, 21 to 80, of `yose train tune` on 240 positions of 20 to 22 empties
/// (`scripts/records/tune-in-turn.jsonl`), where the nodes fell by 1.0 % in the mean of their logarithms. It began with what had been
/// fitted to earlier searches in the same way (`tune-null-windows-2.jsonl`, that one with `…-1.jsonl`, and that with `tune-prices.jsonl`).
/// On positions from other games with 12, 14, 16, 18, 20, 22 and 24 empties nodes changed by -0.4, -0.5, -4.3, -0.5, +0.4, -1.2 and -3.0 %,
/// in the search with the stable discs of today, which it had not been fitted to.
pub const PARAMETERS: [ParameterSpec; 15] = [
    ParameterSpec { name: "middle-spread", start: 20, step: 4 },
    ParameterSpec { name: "middle-reply-cost", start: 130, step: 30 },
    ParameterSpec { name: "middle-margin-cost", start: 150, step: 80 },
    ParameterSpec { name: "chance-spread", start: 40, step: 4 },
    ParameterSpec { name: "reply-cost", start: 290, step: 30 },
    ParameterSpec { name: "reply-cost-per-empty", start: 10, step: 5 },
    ParameterSpec { name: "margin-cost", start: 700, step: 80 },
    ParameterSpec { name: "corner-stability", start: 1700, step: 512 },
    ParameterSpec { name: "square", start: 10, step: 8 },
    ParameterSpec { name: "odd-quadrant", start: 250, step: 64 },
    ParameterSpec { name: "standing", start: 10, step: 5 },
    ParameterSpec { name: "first-round", start: 9, step: 2 },
    ParameterSpec { name: "priced-within", start: 140, step: 25 },
    ParameterSpec { name: "priced-limit", start: 11, step: 2 },
    ParameterSpec { name: "priced-chance", start: 150, step: 50 },
];

impl Default for Parameters {
    /// The starts.
    fn default() -> Parameters {
        Parameters(PARAMETERS.map(|scale| scale.start))
    }
}

impl Parameters {
    /// The parameters that came with the weights of an evaluation, each within its [range](ParameterSpec::range), and the start where there is none.
    pub fn of(evaluation: &Evaluation) -> Parameters {
        let value = |scale: ParameterSpec| match evaluation.parameters().get(scale.name) {
            Some(&value) => value.clamp(*scale.range().start(), *scale.range().end()),
            None => scale.start,
        };
        Parameters(PARAMETERS.map(value))
    }

    /// The parameters as weights have them.
    pub fn named(&self) -> BTreeMap<String, i32> {
        PARAMETERS.iter().zip(self.0).map(|(scale, value)| (scale.name.to_owned(), value)).collect()
    }

    /// These values, in the order of [`PARAMETERS`].
    pub const fn new(values: [i32; PARAMETERS.len()]) -> Parameters {
        Parameters(values)
    }

    /// The values, in the order of [`PARAMETERS`].
    pub const fn values(&self) -> &[i32; PARAMETERS.len()] {
        &self.0
    }
}

impl Index<Parameter> for Parameters {
    type Output = i32;

    #[inline(always)]
    fn index(&self, parameter: Parameter) -> &i32 {
        &self.0[parameter as usize]
    }
}

impl IndexMut<Parameter> for Parameters {
    fn index_mut(&mut self, parameter: Parameter) -> &mut i32 {
        &mut self.0[parameter as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;

    /// The evaluation of weights that come with these parameters and no others.
    fn evaluation(parameters: &[(&str, i32)]) -> Evaluation {
        let parameters = parameters.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        Evaluation::new(&Weights::zero().with_parameters(parameters, String::new()))
    }

    #[test]
    fn scalars_come_with_the_weights() {
        let names = PARAMETERS.map(|scale| scale.name);
        assert_eq!(Parameters::of(&evaluation(&[])), Parameters::default());
        let mut expected = Parameters::default();
        expected[Parameter::MiddleReplyExponent] = 77;
        let found = Parameters::of(&evaluation(&[(names[1], 77), ("of another search", 5)]));
        assert_eq!(found, expected);
        assert_eq!(
            Parameters::of(&Evaluation::new(
                &Weights::zero().with_parameters(found.named(), String::new())
            )),
            found
        );
        // What no fit can have found does no harm.
        let wild = Parameters::of(&evaluation(&[(names[0], i32::MIN), (names[1], i32::MAX)]));
        assert_eq!(wild.values()[..2], [0, *PARAMETERS[1].range().end()]);
    }

    #[test]
    fn the_embedded_weights_have_all_scalars_and_no_others() {
        let weights = Weights::embedded().expect("they are sound");
        let mut names = PARAMETERS.map(|scale| scale.name);
        names.sort_unstable();
        assert!(weights.parameters().keys().eq(names));
        assert_eq!(Parameters::of(&Evaluation::embedded()).named(), *weights.parameters());
    }

    #[test]
    fn every_scalar_has_its_scale() {
        assert_eq!(Parameter::RefutationDoubt as usize, PARAMETERS.len() - 1);
        assert!(
            PARAMETERS.iter().all(|scale| scale.step > 0 && scale.range().contains(&scale.start))
        );
    }
}
