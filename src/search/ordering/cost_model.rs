//! The cost model: how likely a move is to fail high, and what it costs to find out.
//!
//! At a node where one move is enough for a cut-off, the expected cost is least when moves are
//! searched in decreasing order of *probability of a cut-off / cost*. In logarithms:
//!
//! ```text
//! priority = ln P - ln cost
//! P        = logistic(1.7 · margin / σ)
//! ln cost  = exponent · ln(weighted replies + 2) - margin cost · margin
//! margin   = evaluation after the move - (alpha + 1)
//! ```
//!
//! *Weighted replies* is the weighted mobility of the opponent
//! ([`weighted_mobility`](super::static_score::weighted_mobility)). σ is the standard deviation of
//! the evaluation from the score. σ, the exponent and the margin cost are
//! [`Parameters`]; the exponent depends on the number of empties.
//! Compared with a fixed weight for each term, replies count for more where there are few, and the
//! evaluation counts for more where the cut-off is in doubt.
//!
//! The shape of the cost, a power of the mobility and an exponential function of the margin, is
//! that of the model of disproof nodes in the engine Othello Sensei (Michele Borassi,
//! <https://github.com/borassi/othello-sensei>). Other engines call an ordering by mobility alone
//! *fastest first*.
//!
//! From ten empties up this priority orders moves. From fourteen up it is also the cost at the
//! leaves of the small trees of [`crate::search::ordering::refutation_cost`]. Costs are added
//! there, so they are numbers instead of logarithms: [`RefutationCost`].

use std::ops::AddAssign;

use crate::eval::UNIT;
use crate::search::parameters::{Parameter, Parameters};

/// The unit of a margin: this many are a disc.
const MARGIN_STEPS: i32 = 4;

/// `LOG_CUT_PROBABILITY[n]`: the logarithm of the probability of a cut-off with a margin of
/// (n - 1024) / 16 standard deviations, in [`CostModel::NAT`].
static LOG_CUT_PROBABILITY: [i32; 2048] = {
    let mut table = [0; 2048];
    let mut n = 0;
    while n < 2048 {
        // The factor 1.7 gives the logistic function the shape of a normal distribution.
        let margin = 1.7 * (n as f64 - 1024.0) / 16.0;
        // -ln(logistic(m)) is ln(1 + exp(-m)). For large negative margins that is -m, and exp(-m)
        // would be too large.
        let doubt = if margin < -20.0 { -margin } else { ln(1.0 + exp(-margin)) };
        table[n] = (-doubt * CostModel::NAT as f64) as i32;
        n += 1;
    }
    table
};

/// `LOG_REPLIES[n]`: ln(n + 2) in [`CostModel::NAT`], for a weighted mobility of n.
static LOG_REPLIES: [i32; 80] = {
    let mut table = [0; 80];
    let mut replies = 0;
    while replies < 80 {
        table[replies] = (ln(replies as f64 + 2.0) * CostModel::NAT as f64) as i32;
        replies += 1;
    }
    table
};

/// The cost of a refutation: a number, where a priority is a logarithm, so that costs can be added.
///
/// A refutation is a subtree that fails high against every reply. The unit has no meaning: costs
/// are only compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::search) struct RefutationCost(u64);

/// `COSTS[n]`: the cost whose logarithm is n/64 above [`RefutationCost::LOG_MIN`].
static COSTS: [u64; RefutationCost::STEPS as usize] = {
    let mut table = [0; RefutationCost::STEPS as usize];
    let mut n = 0;
    while n < table.len() {
        let log = n as f64 / RefutationCost::STEPS_PER_NAT as f64 + RefutationCost::LOG_MIN as f64;
        table[n] = exp(log + 9.0) as u64;
        n += 1;
    }
    table
};

impl RefutationCost {
    pub(in crate::search) const ZERO: RefutationCost = RefutationCost(0);
    /// The largest cost. A few hundred of it can be added without overflow.
    pub(in crate::search) const MAX: RefutationCost = RefutationCost(1 << 52);

    /// The resolution of logarithms of costs: this many steps are one nat.
    const STEPS_PER_NAT: i32 = 64;
    /// The logarithm of the least cost above zero. Only positions that are nearly lost cost less.
    const LOG_MIN: i32 = -5;
    /// The number of steps: up to a logarithm of 25.
    const STEPS: i32 = 30 * Self::STEPS_PER_NAT;
    /// The logarithm of the number that represents a cost of one, in [`CostModel::NAT`].
    const LOG_OF_ONE: i32 = 9 * CostModel::NAT;

    /// The cost of a move with this [`CostModel::priority`]: exp(-priority), which is the cost of
    /// one attempt divided by the probability that it gives a cut-off.
    #[inline(always)]
    pub(in crate::search) fn from_priority(priority: i32) -> RefutationCost {
        let above_min = -priority - Self::LOG_MIN * CostModel::NAT;
        let step = above_min / (CostModel::NAT / Self::STEPS_PER_NAT);
        RefutationCost(COSTS[step.clamp(0, Self::STEPS - 1) as usize])
    }

    /// The priority of a move with this cost: minus its logarithm, in [`CostModel::NAT`].
    pub(in crate::search) fn priority(self) -> i32 {
        let number = self.0.max(1);
        let doublings = number.ilog2();
        // The eight bits after the first one: a fraction of 256.
        let fraction = (number << (63 - doublings) << 1 >> 56) as usize;
        Self::LOG_OF_ONE - doublings as i32 * LN_2 - LOG_FRACTIONS[fraction]
    }

    /// The cost divided by `parts`.
    #[inline(always)]
    pub(in crate::search) fn part(self, parts: u32) -> RefutationCost {
        RefutationCost(self.0 / u64::from(parts))
    }

    /// The cost times `eighths` / 8.
    #[inline(always)]
    pub(in crate::search) fn times_eighths(self, eighths: u32) -> RefutationCost {
        RefutationCost((self.0 / 8).saturating_mul(u64::from(eighths)))
    }
}

impl AddAssign for RefutationCost {
    #[inline(always)]
    fn add_assign(&mut self, other: RefutationCost) {
        self.0 += other.0;
    }
}

/// ln 2 in [`CostModel::NAT`].
const LN_2: i32 = (std::f64::consts::LN_2 * CostModel::NAT as f64) as i32;

/// `LOG_FRACTIONS[n]`: ln(1 + n/256) in [`CostModel::NAT`].
static LOG_FRACTIONS: [i32; 256] = {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        table[n] = (ln(1.0 + n as f64 / 256.0) * CostModel::NAT as f64) as i32;
        n += 1;
    }
    table
};

/// The cost model at one number of empties.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct CostModel {
    /// The standard deviation σ, in quarters of a disc.
    deviation: i32,
    /// The exponent of the weighted replies, in hundredths.
    exponent: i32,
    /// The margin cost: the decrease of ln cost for each quarter of a disc, in [`CostModel::NAT`].
    margin_cost: i32,
}

impl CostModel {
    /// One nat, the unit of a natural logarithm, in the unit of move scores.
    pub(in crate::search) const NAT: i32 = 32768;

    /// The model of deep nodes.
    #[inline(always)]
    pub(in crate::search) fn deep(parameters: &Parameters, empties: u32) -> CostModel {
        CostModel {
            deviation: parameters[Parameter::DeepDeviation].max(1),
            exponent: parameters[Parameter::DeepReplyExponent]
                + parameters[Parameter::DeepReplyExponentPerEmpty] * (empties as i32 - 12),
            margin_cost: parameters[Parameter::DeepMarginCost],
        }
    }

    /// The model of middle nodes.
    #[inline(always)]
    pub(in crate::search) fn middle(parameters: &Parameters) -> CostModel {
        CostModel {
            deviation: parameters[Parameter::MiddleDeviation].max(1),
            exponent: parameters[Parameter::MiddleReplyExponent],
            margin_cost: parameters[Parameter::MiddleMarginCost],
        }
    }

    /// The priority of a move, in [`CostModel::NAT`]: the higher, the earlier it is searched.
    ///
    /// `value` is the evaluation after the move for the side that makes it, in units of the
    /// evaluation. `weighted_replies` is the opponent's weighted mobility.
    #[inline(always)]
    pub(in crate::search) fn priority(&self, value: i32, alpha: i32, weighted_replies: u32) -> i32 {
        let margin = margin(value, alpha);
        let log_replies = LOG_REPLIES[weighted_replies.min(79) as usize];
        self.log_probability(margin) - log_replies / 100 * self.exponent + margin * self.margin_cost
    }

    /// ln P for a move with this `value`, as in [`priority`](CostModel::priority).
    #[inline(always)]
    pub(in crate::search) fn log_cut_probability(&self, value: i32, alpha: i32) -> i32 {
        self.log_probability(margin(value, alpha))
    }

    #[inline(always)]
    fn log_probability(&self, margin: i32) -> i32 {
        let index = (margin * 16 / self.deviation + 1024).clamp(0, 2047);
        LOG_CUT_PROBABILITY[index as usize]
    }
}

/// The margin of a `value` in units of the evaluation: its distance from the least score above
/// alpha, in quarters of a disc.
#[inline(always)]
fn margin(value: i32, alpha: i32) -> i32 {
    (value - (alpha + 1) * UNIT) * MARGIN_STEPS / UNIT
}

/// The natural logarithm of a number of at least 1, to thirty binary places, by repeated squaring.
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

/// The exponential function: its power series at x / 1024, then ten squarings.
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
    fn a_cost_has_the_priority_that_it_was_made_from() {
        for nats in [-20.0, -7.3, -0.4, 0.0, 2.5, 4.9] {
            let priority = (nats * f64::from(CostModel::NAT)) as i32;
            let again = RefutationCost::from_priority(priority).priority();
            assert!((again - priority).abs() < CostModel::NAT / 20, "{nats}: {again}, {priority}");
        }
        // The sum of two equal costs is twice the cost.
        let mut two = RefutationCost::from_priority(-3 * CostModel::NAT);
        let one = two;
        two += one;
        assert!((one.priority() - two.priority() - LN_2).abs() < CostModel::NAT / 100);
        assert!(
            RefutationCost::ZERO < RefutationCost::from_priority(10 * CostModel::NAT)
                && RefutationCost::from_priority(-40 * CostModel::NAT) < RefutationCost::MAX
        );
        assert_eq!(RefutationCost::MAX.times_eighths(8), RefutationCost::MAX);
    }

    #[test]
    fn a_higher_evaluation_and_fewer_replies_raise_the_priority() {
        let parameters = Parameters::of(&Evaluation::embedded());
        for model in [CostModel::deep(&parameters, 14), CostModel::middle(&parameters)] {
            let priority = |value, replies| model.priority(value * UNIT, 3, replies);
            assert!((-60..60).all(|value| priority(value + 1, 5) > priority(value, 5)));
            assert!((0..30).all(|replies| priority(6, replies) > priority(6, replies + 1)));
            // A fourth reply costs more than a tenth one.
            assert!(priority(6, 3) - priority(6, 4) > priority(6, 9) - priority(6, 10));
        }
    }
}
