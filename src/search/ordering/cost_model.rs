//! The price of a try: how likely a move is to refute, and what it costs to find out.
//!
//! At a node that one move is to refute, moves are best tried in the order of *chance over cost*; in logarithms, by the difference. The
//! chance that a move whose value lies `margin` above alpha refutes is a logistic function of the margin. The cost of a
//! reply's tree grows with a power of the number of replies and falls with the margin: both after sensei's model of the
//! nodes that it takes to disprove a position (catalogue 3.2, 9.1), which gives the exponent for each number of empties. So a reply
//! counts for more where there are few, and the value for more where the refutation is in doubt.
//!
//! From fourteen empties up such prices stand at the ends of a small tree ([`crate::search::ordering::refutation_cost`]); as numbers, not logarithms, they are
//! added there ([`Cost`]).
//!
//! The same holds from nine to eleven empties, where the value is the evaluation's own: against a fixed weight for the evaluation, whatever
//! alpha is, it takes 0.4 % fewer nodes, and 1.5 % more than that without the term for the margin's cost.

use std::ops::AddAssign;

use crate::eval::UNIT;
use crate::search::parameters::{Parameter, Parameters};

/// Steps of a margin in a disc.
const STEPS: i32 = 4;

/// `LOG_CUT_CHANCE[step]`: the logarithm of the chance, for margins from -64 deviations on, a spread being sixteen steps.
static LOG_CUT_CHANCE: [i32; 2048] = {
    let mut table = [0; 2048];
    let mut n = 0;
    while n < 2048 {
        // With 1.7 the logistic function has the shape of a normal distribution.
        let margin = 1.7 * (n as f64 - 1024.0) / 16.0;
        // For large negative margins ln(1 + exp(-m)) is -m, and exp would be too large.
        let doubt = if margin < -20.0 { -margin } else { ln(1.0 + exp(-margin)) };
        table[n] = (-doubt * CostModel::NAT as f64) as i32;
        n += 1;
    }
    table
};

/// `LOG_REPLIES[replies]`: the logarithm of the weighted number of replies, and two.
static LOG_REPLIES: [i32; 80] = {
    let mut table = [0; 80];
    let mut replies = 0;
    while replies < 80 {
        table[replies] = (ln(replies as f64 + 2.0) * CostModel::NAT as f64) as i32;
        replies += 1;
    }
    table
};

/// What refutations cost, in units that only compare: as a number, where [`CostModel`] tells logarithms, so that costs can be added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::search) struct Cost(u64);

/// `COSTS[n]`: the cost, the logarithm of which is n/64 above the least one that is told from nothing.
static COSTS: [u64; Cost::STEPS as usize] = {
    let mut table = [0; Cost::STEPS as usize];
    let mut n = 0;
    while n < table.len() {
        table[n] = exp(n as f64 / Cost::STEPS_OF_A_NAT as f64 + Cost::LEAST_LN as f64 + 9.0) as u64;
        n += 1;
    }
    table
};

impl Cost {
    pub(in crate::search) const NOTHING: Cost = Cost(0);
    /// As much as can be told. A few hundred of it can be added.
    pub(in crate::search) const MAX: Cost = Cost(1 << 52);

    const STEPS_OF_A_NAT: i32 = 64;
    /// The logarithm of the least cost that is told from nothing. It takes a position that is as good as lost to be cheaper.
    const LEAST_LN: i32 = -5;
    /// Up to a logarithm of 25.
    const STEPS: i32 = 30 * Self::STEPS_OF_A_NAT;
    /// The logarithm of the number that stands for a cost of one.
    const ONE_LN: i32 = 9 * CostModel::NAT;

    /// The cost of what [`CostModel::promise`] values so.
    #[inline(always)]
    pub(in crate::search) fn of_promise(promise: i32) -> Cost {
        let steps =
            (-promise - Self::LEAST_LN * CostModel::NAT) / (CostModel::NAT / Self::STEPS_OF_A_NAT);
        Cost(COSTS[steps.clamp(0, Self::STEPS - 1) as usize])
    }

    /// The same value again, where costs are single; of a sum, its value.
    pub(in crate::search) fn promise(self) -> i32 {
        let number = self.0.max(1);
        let doublings = number.ilog2();
        // The bits after the first, as a fraction of 256.
        let rest = (number << (63 - doublings) << 1 >> 56) as usize;
        Self::ONE_LN - doublings as i32 * LN_2 - FRACTIONS[rest]
    }

    /// The `parts`-th part of it.
    #[inline(always)]
    pub(in crate::search) fn part(self, parts: u32) -> Cost {
        Cost(self.0 / u64::from(parts))
    }

    /// So many eighths of it.
    #[inline(always)]
    pub(in crate::search) fn times_eighths(self, eighths: u32) -> Cost {
        Cost((self.0 / 8).saturating_mul(u64::from(eighths)))
    }
}

impl AddAssign for Cost {
    #[inline(always)]
    fn add_assign(&mut self, other: Cost) {
        self.0 += other.0;
    }
}

/// The logarithm of two.
const LN_2: i32 = (std::f64::consts::LN_2 * CostModel::NAT as f64) as i32;

/// `FRACTIONS[n]`: the logarithm of 1 + n/256.
static FRACTIONS: [i32; 256] = {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        table[n] = (ln(1.0 + n as f64 / 256.0) * CostModel::NAT as f64) as i32;
        n += 1;
    }
    table
};

/// What a try is taken to cost and to be worth, at a number of empties.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct CostModel {
    /// How far a value lies from the truth, in quarters of a disc.
    deviation: i32,
    /// The exponent with which replies make a refutation dear, in hundredths.
    exponent: i32,
    /// How much cheaper a quarter of a disc of margin makes it.
    margin: i32,
}

impl CostModel {
    /// One unit of a logarithm, in the units of an ordering's values.
    pub(in crate::search) const NAT: i32 = 32768;

    /// At twelve empties and more, where values come from a search.
    #[inline(always)]
    pub(in crate::search) fn deep(parameters: &Parameters, empties: u32) -> CostModel {
        CostModel {
            deviation: parameters[Parameter::DeepDeviation].max(1),
            exponent: parameters[Parameter::DeepReplyExponent]
                + parameters[Parameter::DeepReplyExponentPerEmpty] * (empties as i32 - 12),
            margin: parameters[Parameter::DeepMarginCost],
        }
    }

    /// At fewer, where they are the evaluation's own.
    #[inline(always)]
    pub(in crate::search) fn middle(parameters: &Parameters) -> CostModel {
        CostModel {
            deviation: parameters[Parameter::MiddleDeviation].max(1),
            exponent: parameters[Parameter::MiddleReplyExponent],
            margin: parameters[Parameter::MiddleMarginCost],
        }
    }

    /// How good it is to try a move early, from its value in units of the evaluation, and the opponent's replies, those to corners
    /// counted twice.
    #[inline(always)]
    pub(in crate::search) fn promise(&self, value: i32, alpha: i32, weighted_replies: u32) -> i32 {
        let margin = margin(value, alpha);
        self.refutes(margin) - LOG_REPLIES[weighted_replies.min(79) as usize] / 100 * self.exponent
            + margin * self.margin
    }

    /// The logarithm of the chance that a move of this value refutes.
    #[inline(always)]
    pub(in crate::search) fn chance(&self, value: i32, alpha: i32) -> i32 {
        self.refutes(margin(value, alpha))
    }

    #[inline(always)]
    fn refutes(&self, margin: i32) -> i32 {
        // In sixteenths of a spread, which is told in quarters of a disc as the margin is.
        let place = (margin * 16 / self.deviation + 1024).clamp(0, 2047);
        LOG_CUT_CHANCE[place as usize]
    }
}

/// How far a value in units of the evaluation lies above alpha, in quarters of a disc.
#[inline(always)]
fn margin(value: i32, alpha: i32) -> i32 {
    (value - (alpha + 1) * UNIT) * STEPS / UNIT
}

/// The natural logarithm of a number from 1 on, to thirty binary places, by repeated squaring.
const fn ln(number: f64) -> f64 {
    let (mut x, mut log, mut place) = (number, 0.0, 0.5);
    while x >= 2.0 {
        x /= 2.0;
        log += 1.0;
    }
    let mut n = 0;
    while n < 30 {
        x *= x;
        if x >= 2.0 {
            x /= 2.0;
            log += place;
        }
        place /= 2.0;
        n += 1;
    }
    log * std::f64::consts::LN_2
}

/// The exponential function, by its series for a 1024th and ten squarings.
const fn exp(x: f64) -> f64 {
    let y = x / 1024.0;
    let mut power = 1.0 + y * (1.0 + y / 2.0 * (1.0 + y / 3.0 * (1.0 + y / 4.0)));
    let mut n = 0;
    while n < 10 {
        power *= power;
        n += 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;

    #[test]
    fn logarithms_are_right() {
        for x in [1.0, 1.5, 2.0, 3.0, 66.0] {
            assert!((ln(x) - x.ln()).abs() < 1e-6, "{x}");
        }
        for x in [-20.0, -1.0, 0.0, 0.5, 20.0] {
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn costs_are_what_was_promised() {
        for nats in [-20.0, -7.3, -0.4, 0.0, 2.5, 4.9] {
            let promise = (nats * f64::from(CostModel::NAT)) as i32;
            let again = Cost::of_promise(promise).promise();
            assert!((again - promise).abs() < CostModel::NAT / 20, "{nats}: {again} for {promise}");
        }
        // Two of the same cost twice as much.
        let mut two = Cost::of_promise(-3 * CostModel::NAT);
        let one = two;
        two += one;
        assert!((one.promise() - two.promise() - LN_2).abs() < CostModel::NAT / 100);
        assert!(
            Cost::NOTHING < Cost::of_promise(10 * CostModel::NAT)
                && Cost::of_promise(-40 * CostModel::NAT) < Cost::MAX
        );
        assert_eq!(Cost::MAX.times_eighths(8), Cost::MAX);
    }

    #[test]
    fn more_chance_and_fewer_replies_promise_more() {
        let parameters = Parameters::of(&Evaluation::embedded());
        for price in [CostModel::deep(&parameters, 14), CostModel::middle(&parameters)] {
            let promise = |value, replies| price.promise(value * UNIT, 3, replies);
            assert!((-60..60).all(|value| promise(value + 1, 5) > promise(value, 5)));
            assert!((0..30).all(|replies| promise(6, replies) > promise(6, replies + 1)));
            // From three replies to four is further than from nine to ten.
            assert!(promise(6, 3) - promise(6, 4) > promise(6, 9) - promise(6, 10));
        }
    }
}
