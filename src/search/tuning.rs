//! The scalars of the search that are fitted to node counts, in one place.
//!
//! They say how far values of the evaluation are to be trusted and what replies cost, so they belong to the weights that they were fitted with, and
//! their values are kept in the same file ([`crate::eval::Weights::scalars`]). Here is what they mean, and where a fit begins.
//!
//! They can be changed at run time, so that `yose train tune` can try others on a list of positions and keep those that need
//! fewer nodes. None of them can change a score; all of them change node counts, and so the fingerprint.

use std::collections::BTreeMap;
use std::ops::{Index, IndexMut, RangeInclusive};

use crate::eval::Evaluation;

/// What a scalar is, where it begins, and how far a first try goes from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scale {
    /// Its name, in weight files and for `yose train tune`.
    pub name: &'static str,
    /// Its value where weights come without one, and so where a first tuning begins.
    pub start: i32,
    /// A change that is worth trying.
    pub step: i32,
}

impl Scale {
    /// How far from its start a scalar may go, in its step. No search is sound so far away, and no sum in it overflows.
    const FURTHEST: i32 = 32;

    /// The values that it may have. None is below zero.
    pub const fn range(&self) -> RangeInclusive<i32> {
        0..=self.start + Self::FURTHEST * self.step
    }
}

/// The scalars. Those that say `weight` are in the unit in which one of the opponent's replies weighs 16384.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Scalar {
    /// Nine to eleven empties: how far a value lies from the truth, in quarters of a disc.
    MiddleSpread,
    /// The exponent with which replies make a refutation dear there, in hundredths.
    MiddleReplyCost,
    /// How much cheaper a quarter of a disc of margin makes it there, in 32768ths of a unit of the logarithm.
    MiddleMarginCost,
    /// Twelve empties and more: how far a value lies from the truth, in quarters of a disc.
    ChanceSpread,
    /// The exponent with which replies make a refutation dear at twelve empties, in hundredths.
    ReplyCost,
    /// How much that grows with each empty square more.
    ReplyCostPerEmpty,
    /// How much cheaper a quarter of a disc of margin makes it, in 32768ths of a unit of the logarithm.
    MarginCost,
    /// Weight of a disc on a corner, or beside a corner of one's own.
    CornerStability,
    /// Weight of a point of the square's kind.
    Square,
    /// Weight of a move into a quadrant with an odd number of empties.
    OddQuadrant,
    /// In selective rounds: how much of the margin the position's own value may lack, in hundredths, for a look ahead to be worth its
    /// nodes.
    Standing,
    /// How many tenths of a standard deviation the first selective round asks for.
    FirstRound,
    /// Fourteen empties and more: how far below the best a move's price after one ply may lie for the price after more plies to be
    /// looked up, in hundredths of a unit of the logarithm.
    PricedWithin,
    /// How much dearer than the cheapest a move's price is still told exactly, in eighths.
    PricedLimit,
    /// How unlikely the best move may be to refute for prices to be looked up, in hundredths of a unit of the logarithm.
    PricedChance,
}

/// Every scalar with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning([i32; SCALES.len()]);

/// What is known of each [`Scalar`], in their order.
///
/// The starts are round numbers near the values that fits to older searches and weights ended with. The values in the embedded weight file
/// are the means over 60 iterations, 21 to 80, of `yose train tune` on 240 positions of 20 to 22 empties
/// (`scripts/records/tune-in-turn.jsonl`), where the nodes fell by 1.0 % in the mean of their logarithms. It began with what had been
/// fitted to earlier searches in the same way (`tune-null-windows-2.jsonl`, that one with `…-1.jsonl`, and that with `tune-prices.jsonl`).
/// On positions from other games with 12, 14, 16, 18, 20, 22 and 24 empties nodes changed by -0.4, -0.5, -4.3, -0.5, +0.4, -1.2 and -3.0 %,
/// in the search with the stable discs of today, which it had not been fitted to.
pub const SCALES: [Scale; 15] = [
    Scale { name: "middle-spread", start: 20, step: 4 },
    Scale { name: "middle-reply-cost", start: 130, step: 30 },
    Scale { name: "middle-margin-cost", start: 150, step: 80 },
    Scale { name: "chance-spread", start: 40, step: 4 },
    Scale { name: "reply-cost", start: 290, step: 30 },
    Scale { name: "reply-cost-per-empty", start: 10, step: 5 },
    Scale { name: "margin-cost", start: 700, step: 80 },
    Scale { name: "corner-stability", start: 1700, step: 512 },
    Scale { name: "square", start: 10, step: 8 },
    Scale { name: "odd-quadrant", start: 250, step: 64 },
    Scale { name: "standing", start: 10, step: 5 },
    Scale { name: "first-round", start: 9, step: 2 },
    Scale { name: "priced-within", start: 140, step: 25 },
    Scale { name: "priced-limit", start: 11, step: 2 },
    Scale { name: "priced-chance", start: 150, step: 50 },
];

impl Default for Tuning {
    /// The starts.
    fn default() -> Tuning {
        Tuning(SCALES.map(|scale| scale.start))
    }
}

impl Tuning {
    /// The scalars that came with the weights of an evaluation, each within its [range](Scale::range), and the start where there is none.
    pub fn of(evaluation: &Evaluation) -> Tuning {
        let value = |scale: Scale| match evaluation.scalars().get(scale.name) {
            Some(&value) => value.clamp(*scale.range().start(), *scale.range().end()),
            None => scale.start,
        };
        Tuning(SCALES.map(value))
    }

    /// The scalars as weights have them.
    pub fn named(&self) -> BTreeMap<String, i32> {
        SCALES.iter().zip(self.0).map(|(scale, value)| (scale.name.to_owned(), value)).collect()
    }

    /// These values, in the order of [`SCALES`].
    pub const fn new(values: [i32; SCALES.len()]) -> Tuning {
        Tuning(values)
    }

    /// The values, in the order of [`SCALES`].
    pub const fn values(&self) -> &[i32; SCALES.len()] {
        &self.0
    }
}

impl Index<Scalar> for Tuning {
    type Output = i32;

    #[inline(always)]
    fn index(&self, scalar: Scalar) -> &i32 {
        &self.0[scalar as usize]
    }
}

impl IndexMut<Scalar> for Tuning {
    fn index_mut(&mut self, scalar: Scalar) -> &mut i32 {
        &mut self.0[scalar as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;

    /// The evaluation of weights that come with these scalars and no others.
    fn evaluation(scalars: &[(&str, i32)]) -> Evaluation {
        let scalars = scalars.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        Evaluation::new(&Weights::zero().with_scalars(scalars, String::new()))
    }

    #[test]
    fn scalars_come_with_the_weights() {
        let names = SCALES.map(|scale| scale.name);
        assert_eq!(Tuning::of(&evaluation(&[])), Tuning::default());
        let mut expected = Tuning::default();
        expected[Scalar::MiddleReplyCost] = 77;
        let found = Tuning::of(&evaluation(&[(names[1], 77), ("of another search", 5)]));
        assert_eq!(found, expected);
        assert_eq!(Tuning::of(&Evaluation::new(&Weights::zero().with_scalars(found.named(), String::new()))), found);
        // What no fit can have found does no harm.
        let wild = Tuning::of(&evaluation(&[(names[0], i32::MIN), (names[1], i32::MAX)]));
        assert_eq!(wild.values()[..2], [0, *SCALES[1].range().end()]);
    }

    #[test]
    fn the_embedded_weights_have_all_scalars_and_no_others() {
        let weights = Weights::embedded().expect("they are sound");
        let mut names = SCALES.map(|scale| scale.name);
        names.sort_unstable();
        assert!(weights.scalars().keys().eq(names));
        assert_eq!(Tuning::of(&Evaluation::embedded()).named(), *weights.scalars());
    }

    #[test]
    fn every_scalar_has_its_scale() {
        assert_eq!(Scalar::PricedChance as usize, SCALES.len() - 1);
        assert!(SCALES.iter().all(|scale| scale.step > 0 && scale.range().contains(&scale.start)));
    }
}
