//! The scalars of the search that are fitted to node counts, in one place.
//!
//! They can be changed at run time, so that `yose train tune` can try others on a list of positions and keep those that need
//! fewer nodes. None of them can change a score; all of them change node counts, and so the fingerprint.

use std::ops::{Index, IndexMut};

/// What a scalar is, where it begins, and how far a first try goes from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scale {
    /// Its name, as `yose train tune` prints it.
    pub name: &'static str,
    /// Its value.
    pub value: i32,
    /// A change that is worth trying.
    pub step: i32,
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
/// The values are the means of the last 60 iterations of `yose train tune` on 160 positions of 20 and 22 empties, which stood still there: at
/// its iteration 80 the mean logarithm of the list was what it had been at its beginning. That run
/// (`scripts/records/tune-null-windows-2.jsonl`) began with the means of 70 iterations of one before (`…-1.jsonl`), and that one with what
/// had been fitted to a search with open windows (`tune-prices.jsonl`). On the list the mean logarithm fell by 1.7 % by both. On positions of
/// which none was tuned on it fell by 0.2 % with 18 empties (100 of them) and 1.2 % with 24 (40); on 16, 14 and 12 by 1.0 and 0.6 % and
/// rose by 0.4 %.
pub const SCALES: [Scale; 15] = [
    Scale { name: "middle-spread", value: 18, step: 4 },
    Scale { name: "middle-reply-cost", value: 128, step: 30 },
    Scale { name: "middle-margin-cost", value: 148, step: 80 },
    Scale { name: "chance-spread", value: 37, step: 4 },
    Scale { name: "reply-cost", value: 286, step: 30 },
    Scale { name: "reply-cost-per-empty", value: 7, step: 5 },
    Scale { name: "margin-cost", value: 710, step: 80 },
    Scale { name: "corner-stability", value: 1708, step: 512 },
    Scale { name: "square", value: 8, step: 8 },
    Scale { name: "odd-quadrant", value: 250, step: 64 },
    Scale { name: "standing", value: 9, step: 5 },
    Scale { name: "first-round", value: 9, step: 2 },
    Scale { name: "priced-within", value: 143, step: 25 },
    Scale { name: "priced-limit", value: 11, step: 2 },
    Scale { name: "priced-chance", value: 151, step: 50 },
];

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning(SCALES.map(|scale| scale.value))
    }
}

impl Tuning {
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
