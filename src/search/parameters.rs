//! The parameters of the search: numbers that are fitted to node counts.
//!
//! They express how accurate the evaluation is and what replies cost. So they belong to the weights
//! of the evaluation that they were fitted with, and their values are in the same file
//! ([`crate::eval::Weights::parameters`]). This file defines their meaning and the values at which
//! a fit starts.
//!
//! `yose train tune` changes them at run time, searches a list of positions, and keeps values that
//! need fewer nodes. No parameter can change a score. All of them change node counts, and so the
//! fingerprint.

use std::collections::BTreeMap;
use std::ops::{Index, IndexMut, RangeInclusive};

use crate::eval::Evaluation;

/// The name of a parameter, the value at which a fit starts, and the size of a first change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterSpec {
    /// The name, in weight files and for `yose train tune`.
    pub name: &'static str,
    /// The value if a weight file has none, and the value at which a fit without one starts.
    pub start: i32,
    /// The size of the first change that a fit tries.
    pub step: i32,
}

impl ParameterSpec {
    /// The largest distance of a value from its start, in steps. No useful value is so far away,
    /// and no sum of the search overflows.
    const MAX_STEPS: i32 = 32;

    /// The range of values. No value is negative.
    pub const fn range(&self) -> RangeInclusive<i32> {
        0..=self.start + Self::MAX_STEPS * self.step
    }
}

/// The parameters. The unit of a "weight" is that of static move scores: a weighted mobility of one
/// has the weight 16384. One nat is a natural logarithm's unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Parameter {
    /// 10 to 12 empties: the standard deviation of the evaluation from the score, in quarters of a
    /// disc.
    MiddleDeviation,
    /// 10 to 12 empties: the exponent of the weighted mobility in the cost of a refutation, in
    /// hundredths.
    MiddleReplyExponent,
    /// 10 to 12 empties: the decrease of the logarithm of the cost for each quarter of a disc of
    /// margin, in 32768ths of a nat.
    MiddleMarginCost,
    /// 13 empties and more: the standard deviation of the evaluation from the score, in quarters of
    /// a disc.
    DeepDeviation,
    /// The exponent of the weighted mobility in the cost of a refutation at 12 empties, in
    /// hundredths.
    DeepReplyExponent,
    /// The increase of that exponent for each additional empty square, in hundredths.
    DeepReplyExponentPerEmpty,
    /// 13 empties and more: the decrease of the logarithm of the cost for each quarter of a disc of
    /// margin, in 32768ths of a nat.
    DeepMarginCost,
    /// The weight of a disc on a corner, and of a disc beside a corner of the same colour.
    CornerStability,
    /// The weight of a move into a quadrant with an odd number of empties.
    OddQuadrant,
    /// Selective passes: the part of the ProbCut margin, in hundredths, that the static evaluation
    /// may fall short of for a ProbCut search to be made.
    StaticValueSlack,
    /// The ProbCut margin of the first selective pass, in tenths of a standard deviation.
    FirstPass,
    /// 14 empties and more: the difference to the best priority after one ply up to which the
    /// expected refutation cost of a move is computed, in hundredths of a nat.
    RefutationWindow,
    /// The limit up to which the expected refutation cost of a move is computed exactly, in eighths
    /// of the cheapest move's cost.
    RefutationLimit,
    /// The largest value of -ln P at which expected refutation costs are computed, in hundredths of
    /// a nat. P is the cut probability of the best move.
    RefutationDoubt,
}

/// A value for each [`Parameter`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters([i32; PARAMETERS.len()]);

/// The specification of each [`Parameter`], in their order.
///
/// The starts are round numbers near the values that earlier fits ended with. The values in the
/// embedded weight file were fitted by `yose train tune`.
/// Fitted: docs/experiments/search.md, "Parameters".
pub const PARAMETERS: [ParameterSpec; 14] = [
    ParameterSpec { name: "middle-deviation", start: 20, step: 4 },
    ParameterSpec { name: "middle-reply-exponent", start: 130, step: 30 },
    ParameterSpec { name: "middle-margin-cost", start: 150, step: 80 },
    ParameterSpec { name: "deep-deviation", start: 40, step: 4 },
    ParameterSpec { name: "deep-reply-exponent", start: 290, step: 30 },
    ParameterSpec { name: "deep-reply-exponent-per-empty", start: 10, step: 5 },
    ParameterSpec { name: "deep-margin-cost", start: 700, step: 80 },
    ParameterSpec { name: "corner-stability", start: 1700, step: 512 },
    ParameterSpec { name: "odd-quadrant", start: 250, step: 64 },
    ParameterSpec { name: "static-value-slack", start: 10, step: 5 },
    ParameterSpec { name: "first-pass", start: 9, step: 2 },
    ParameterSpec { name: "refutation-window", start: 140, step: 25 },
    ParameterSpec { name: "refutation-limit", start: 11, step: 2 },
    ParameterSpec { name: "refutation-doubt", start: 150, step: 50 },
];

impl Default for Parameters {
    /// The start values.
    fn default() -> Parameters {
        Parameters(PARAMETERS.map(|spec| spec.start))
    }
}

impl Parameters {
    /// The parameters in the weights of an `evaluation`, each clamped to its
    /// [range](ParameterSpec::range). A parameter that the weights lack has its start value.
    pub fn of(evaluation: &Evaluation) -> Parameters {
        let value = |spec: ParameterSpec| match evaluation.parameters().get(spec.name) {
            Some(&value) => value.clamp(*spec.range().start(), *spec.range().end()),
            None => spec.start,
        };
        Parameters(PARAMETERS.map(value))
    }

    /// The values by name, as in a weight file.
    pub fn named(&self) -> BTreeMap<String, i32> {
        PARAMETERS.iter().zip(self.0).map(|(spec, value)| (spec.name.to_owned(), value)).collect()
    }

    /// Parameters with these values, in the order of [`PARAMETERS`].
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

    /// An evaluation whose weights have these parameters and no others.
    fn evaluation(parameters: &[(&str, i32)]) -> Evaluation {
        let parameters = parameters.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        Evaluation::new(&Weights::zero().with_parameters(parameters, String::new()))
    }

    #[test]
    fn parameters_are_read_from_the_weights() {
        let names = PARAMETERS.map(|spec| spec.name);
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
        // Values outside the range are clamped.
        let wild = Parameters::of(&evaluation(&[(names[0], i32::MIN), (names[1], i32::MAX)]));
        assert_eq!(wild.values()[..2], [0, *PARAMETERS[1].range().end()]);
    }

    #[test]
    fn the_embedded_weights_have_all_parameters_and_no_others() {
        let weights = Weights::embedded().expect("they are sound");
        let mut names = PARAMETERS.map(|spec| spec.name);
        names.sort_unstable();
        assert!(weights.parameters().keys().eq(names));
        assert_eq!(Parameters::of(&Evaluation::embedded()).named(), *weights.parameters());
    }

    #[test]
    fn every_parameter_has_a_specification() {
        assert_eq!(Parameter::RefutationDoubt as usize, PARAMETERS.len() - 1);
        assert!(PARAMETERS.iter().all(|spec| spec.step > 0 && spec.range().contains(&spec.start)));
    }
}
