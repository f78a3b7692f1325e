//! The constants of the search.
//!
//! None of them can change a score. Most of them change node counts, and so the fingerprint. Values
//! that a fit may change are [`Parameters`](super::Parameters) instead.
//!
//! `docs/experiments/search.md` has the measurements behind the constants. The name in quotes after
//! "Fitted" is its section.

use arrayvec::ArrayVec;

use crate::eval::UNIT;
use crate::search::ordering::cost_model::CostModel;

/// The least number of empties at which a node uses the shared transposition table, enhanced
/// transposition cut-offs and the full move ordering ([`crate::search::nodes::deep`]).
/// Fitted: "Stages by number of empties".
pub(super) const DEEP_EMPTIES: u32 = 13;

/// The least number of empties at which a middle node orders its moves by the evaluation too. The
/// features of a position are updated down to here. Fitted: "Stages by number of empties".
pub(super) const EVALUATION_EMPTIES: u32 = 10;

/// The least number of empties, below [`DEEP_EMPTIES`], at which a node uses the local table and
/// static move scores ([`crate::search::nodes::middle`]). Fitted: "Stages by number of empties".
pub(super) const MIDDLE_EMPTIES: u32 = 7;

/// The difference to the best static score up to which a middle node evaluates a move, in units of
/// static scores. Moves below are searched after those. Fitted: "Static move ordering".
pub(super) const EVALUATION_WINDOW: i32 = REPLY_WEIGHT;

/// The largest weighted mobility that a move of a middle node may leave the opponent to be searched
/// before the node's other moves are made. Fitted: "Static move ordering".
pub(super) const FEW_REPLIES: u32 = 1;

/// The distance of a middle node's evaluation from alpha beyond which the node is expected to be a
/// cut node or an all-node, in units of the evaluation. Fitted: "Static move ordering".
pub(super) const NODE_TYPE_MARGIN: i32 = 12 * UNIT;

/// The least number of empties at which selective passes precede the exact pass
/// ([`crate::search::driver::passes`]). Fitted: "First guess and search passes".
pub(super) const SELECTIVE_EMPTIES: u32 = 16;

/// The depth, in plies, of the search that gives the first guess of a position's score. `None`: the
/// disc difference is the guess. Fitted: "First guess and search passes".
pub(super) fn guess_depth(empties: u32) -> Option<u32> {
    match empties {
        0..5 => None,
        5..14 => Some(2),
        14..17 => Some(4),
        17..24 => Some(6),
        _ => Some(8),
    }
}

/// The ProbCut margins of the selective passes, one a pass, in tenths of a standard deviation.
/// `first` is the first one's, a [`Parameter`](super::Parameter).
/// Fitted: "First guess and search passes".
pub(super) fn selective_passes(empties: u32, first: u32) -> ArrayVec<u32, 3> {
    match empties {
        0..20 => [first].into_iter().collect(),
        20..26 => [first, 20].into_iter().collect(),
        _ => [first, 20, 33].into(),
    }
}

/// The least number of empties at which a node of a selective pass may be cut off by ProbCut
/// ([`crate::search::nodes::prob_cut`]).
pub(super) const PROB_CUT_EMPTIES: u32 = 12;

/// The depth of a ProbCut search, in plies.
pub(super) const PROB_CUT_DEPTH: u32 = 3;

/// The least number of empties at which a node may become a split point
/// ([`crate::search::parallel::split_point`]).
pub(super) const SPLIT_EMPTIES: u32 = 14;

/// The largest number of helpers at one split point.
pub(super) const HELPERS_PER_SPLIT_POINT: usize = 3;

/// The largest number of split points that a worker owns at a time, one below the other.
pub(super) const SPLIT_POINTS_PER_WORKER: usize = 16;

/// The least number of empties at which moves are ordered by their expected refutation cost
/// ([`crate::search::ordering::refutation_cost`]). Fitted: "Expected refutation cost".
pub(super) const REFUTATION_COST_EMPTIES: u32 = 14;

/// The least number of empties at which that cost has a tree of four plies instead of two.
/// Fitted: "Expected refutation cost".
pub(super) const REFUTATION_COST_4_PLY_EMPTIES: u32 = 20;

/// The number of best answers whose cost is computed two plies further, in a tree of four plies.
/// Fitted: "Expected refutation cost".
pub(super) const REFUTATION_ANSWERS: usize = 2;

/// The number of empties below which a node with a [`CHEAP_REFUTATION`] computes no expected
/// refutation costs. Fitted: "Expected refutation cost".
pub(super) const CHEAP_REFUTATION_BELOW: u32 = 16;

/// The priority of the best move above which its refutation is cheap, in [`CostModel::NAT`].
/// Fitted: "Expected refutation cost".
pub(super) const CHEAP_REFUTATION: i32 = -3 * CostModel::NAT;

/// The loop over answers stops at an answer that costs less than this part of the move's limit: the
/// cost of the move is then off by a negligible amount. Fitted: "Expected refutation cost".
pub(super) const NEGLIGIBLE_PART: u32 = 16;

/// The difference to the best answer's priority up to which an answer is looked up in the tables,
/// in [`CostModel::NAT`]. Fitted: "Expected refutation cost".
pub(super) const PROBE_WINDOW: i32 = CostModel::NAT;

/// The number of discs that a side must have in excess of the stable discs it needs for a cut-off,
/// before its stable discs are computed ([`crate::search::stability_cutoff`]).
/// Fitted: "Stability cut-offs".
pub(super) const STABILITY_SPARE: i32 = 8;

/// The largest number of stable discs that a move is assumed to gain, when a node decides whether
/// to compute child stability cut-offs. Fitted: "Stability cut-offs".
pub(super) const STABILITY_GAIN: i32 = 10;

/// The weight of one unit of weighted mobility in the static move score. It defines the unit of
/// static scores, in which the weights among the [`Parameters`](super::Parameters) are.
pub(super) const REPLY_WEIGHT: i32 = 1 << 14;

/// The number of index bits of each thread's local table for the middle nodes: 2^16 entries.
/// Fitted: `docs/experiments/tables.md`, "Size of the local tables".
pub(super) const MIDDLE_INDEX_BITS: u32 = 16;

/// The number of index bits of each thread's local table for five and six empties: 2^12 entries.
/// Fitted: `docs/experiments/tables.md`, "Size of the local tables".
pub(super) const SHALLOW_INDEX_BITS: u32 = 12;
