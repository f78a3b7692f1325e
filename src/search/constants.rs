//! Every number that steers the search, with where it comes from. None of them can change a score; all of them change node counts,
//! and so the fingerprint.

use arrayvec::ArrayVec;

use crate::eval::UNIT;
use crate::search::ordering::cost_model::CostModel;

/// From this many empties up a node uses the shared table, enhanced transposition cut-offs and the full ordering
/// ([`crate::search::nodes::deep`]). Neural Reversi has 12, Edax 11 for its shared table.
pub(super) const DEEP_EMPTIES: u32 = 12;

/// From this many empties up a node of the middle orders its moves with the evaluation as well. The board's patterns are kept up to date
/// down to here. Edax stops at 15, Neural Reversi at 14, Egaroucid at 11. Nodes and CPU cycles for 60 positions of 18 to 20 empties, all
/// from 7 empties being 1: from 8, 1.014 and 0.90; from 9, 1.028 and 0.85; from 10, 1.053 and 0.83; from 12, 1.117 and 0.82.
pub(super) const EVALUATION_EMPTIES: u32 = 9;

/// How far below the best cheap value a move of the middle may lie to be worth the evaluation: by one reply. The others are tried after
/// those that are evaluated. Of all nodes it adds 1.2 %, of all cycles it saves 2.5 %; with two replies 0.3 % and nothing.
pub(super) const EVALUATION_WINDOW: i32 = weight::REPLY;

/// A move of the middle that leaves at most so many replies, those to corners counted twice, is good enough to be tried before the others
/// are made: to look at all is a quarter to a third of what a node with a refuting move costs. In the mean of the logarithms, of positions
/// from tournament games with 14, 16, 18 and 20 empties, 0.9, 2.2, 3.0 and 3.8 % fewer nodes (12: 0.5 % more); with none for one 0.2, 0.6
/// and 0.8 % fewer, with two 3.7 % more with 14 and 0.3 % more with 18.
pub(super) const FEW_REPLIES: u32 = 1;

/// How far from alpha the value of a node of the middle must lie for it to be expected that a move refutes, or that none does
/// ([`crate::search::nodes::node_type`]). In the mean of the logarithms, of positions from Yose's own games with 12, 14, 16, 18, 20, 22 and 24 empties,
/// this saves 0.8, 1.0, 2.5, 3.0, 3.4, 3.8 and 4.1 % of the nodes. Below alpha 8 and 16 discs are as good within 0.3 % from 16 empties on;
/// with 14, 8 take 0.6 % more.
pub(super) const NODE_TYPE_MARGIN: i32 = 12 * UNIT;

/// From this many empties up, and below [`DEEP_EMPTIES`], a node uses the local table and the cheap ordering ([`crate::search::nodes::middle`]). The same
/// in Edax and Neural Reversi. From 6 on, positions of 8 to 14 empties from random games take 1 to 4 % fewer nodes, but FFO 40-49 and
/// hard-20 as many or 0.7 % more, and more instructions.
pub(super) const MIDDLE_EMPTIES: u32 = 7;

/// From this many empties up a position is searched in rounds ([`crate::search::driver::passes`]). In the mean of the logarithms, with rounds there are, for
/// 14, 15, 16, 17, 18 and 19 empties, 17, 11, 9, -1.5, -8 and -7 % more nodes.
pub(super) const SELECTIVE_EMPTIES: u32 = 17;

/// How many plies the evaluation looks ahead for the first guess at a position's score; `None` where trees are so small that the discs as
/// they stand will do. Two plies against four: 1 % fewer nodes with 12 empties, 2 % more with 14; against one or none the same within
/// 1.5 % from 8 to 11.
pub(super) fn guess_depth(empties: u32) -> Option<u32> {
    match empties {
        0..5 => None,
        5..14 => Some(2),
        14..17 => Some(4),
        _ => Some(8),
    }
}

/// The selective rounds before the exact one, by the tenths of a standard deviation that they ask for; the first one's are a
/// [`Parameter`](super::Parameter). With 20 empties a second one saves 1.4 %, with 22 2.7 % (against a single one of 15 tenths 0.6 %); with 18
/// it saves nothing. A third one takes 1.5 % more with 20, 0.8 % more with 22, as much with 24, and 1.1 % less with 26.
pub(super) fn selective_passes(empties: u32, first: u32) -> ArrayVec<u32, 3> {
    match empties {
        0..20 => [first].into_iter().collect(),
        20..26 => [first, 20].into_iter().collect(),
        _ => [first, 20, 33].into(),
    }
}

/// From this many empties up a selective round takes likely bounds for proven ones ([`crate::search::nodes::prob_cut`]).
pub(super) const PROB_CUT_EMPTIES: u32 = 12;

/// How many plies the evaluation looks ahead before it does.
pub(super) const PROB_CUT_DEPTH: u32 = 3;

/// From this many empties up a node's moves may be divided among threads ([`crate::search::parallel::split_point`]).
pub(super) const SPLIT_EMPTIES: u32 = 14;

/// How many threads may help at one split point.
pub(super) const HELPERS_PER_SPLIT_POINT: usize = 3;

/// How many split points a thread may own at a time, one below the other.
pub(super) const SPLIT_POINTS_PER_WORKER: usize = 16;

/// From this many empties up a null window's moves are ordered by the price of their refutation ([`crate::search::ordering::refutation_cost`]). From 12 on the
/// search below needs 1.4 % fewer nodes, but the pricing itself costs 25 % more; from 16 on, 1 % more in all than from 14.
pub(super) const REFUTATION_COST_EMPTIES: u32 = 14;

/// Below so many empties a refutation by the most promising move may be so cheap, by its price after one ply, that looking further costs
/// more than it saves ([`CHEAP_REFUTATION`]). From 16 on it makes no difference.
pub(super) const CHEAP_REFUTATION_BELOW: u32 = 16;

/// How cheap that is. With 16, 18 and 20 empties 0.2, 0.2 and 0.6 % fewer nodes; with four units of the logarithm for three 0.1 to 0.3 %
/// more than that, with five 0.4 to 0.9 %, with six 1.3 to 2.2 %.
pub(super) const CHEAP_REFUTATION: i32 = -3 * CostModel::NAT;

/// An answer is good enough, and the others are not looked at, if it costs less than this part of what a move's price is compared with. With 16, 18
/// and 20 empties 0.7, 0.8 and 0.5 % fewer nodes; with half the part 0.4, 0.3 and 0.2 % more than that, with twice 0.2, 0.6 and 0.4 %.
pub(super) const NEGLIGIBLE_PART: u32 = 16;

/// From this many empties up that price is looked up four plies further instead of two. In the mean of the logarithms, on 60 positions of 22
/// empties 1 % fewer nodes than from 22 on, on 40 of 24 empties from 22 on 1.4 % fewer than from 24 on; on 100 of 20 empties from 18 on 2 %
/// more. Six plies: 0.3 % more than four with 22, 0.8 % more with 26.
pub(super) const REFUTATION_COST_4_PLY_EMPTIES: u32 = 20;

/// Of how many answers, the best ones after two plies, the price is looked up two plies further. Three make no difference.
pub(super) const REFUTATION_ANSWERS: usize = 2;

/// How far below the most promising answer another one may lie for the tables to be asked what they know of it: by one unit of the
/// logarithm. Twice as far needs 0.2 % fewer nodes; without a limit 0.2 to 0.3 % fewer, and 0.5 % more instructions in all.
pub(super) const PROBED_WITHIN: i32 = CostModel::NAT;

/// How many discs its owner must have beyond those that have to be stable, for it to be asked which are ([`crate::search::stability_cutoff`]).
/// With none to spare FFO 46 and 48 take 0.4 % fewer nodes, and a fifth more times the question is asked at three empties.
pub(super) const STABILITY_SPARE: i32 = 8;

/// How many more stable discs than it has the side to move is thought to get by one move ([`crate::search::stability_cutoff`]). Of such questions with 11 to 14 still
/// needed one in a hundred ended a node. With 18 empties 6 took 0.6 % more nodes, 14 or any number 0.1 % fewer.
pub(super) const STABILITY_GAIN: i32 = 10;

/// The value of a square by its kind, to tell moves of equal mobility apart: corners first, squares beside a corner last.
/// Edax's order of the ten kinds.
pub(super) const SQUARE_VALUE: [i32; 64] = {
    const QUARTER: [[i32; 4]; 4] = [[18, 4, 16, 12], [4, 2, 6, 8], [16, 6, 14, 10], [12, 8, 10, 0]];
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square & 7, square >> 3);
        let file = if file < 4 { file } else { 7 - file };
        let rank = if rank < 4 { rank } else { 7 - rank };
        table[square] = QUARTER[rank][file];
        square += 1;
    }
    table
};

/// Weights of the cheap ordering, in units in which a reply of the opponent counts [`REPLY`](weight::REPLY).
pub(super) mod weight {
    /// One legal reply of the opponent; a reply to a corner counts twice. This is the unit of the others ([`super::super::parameters`]).
    pub(in crate::search) const REPLY: i32 = 1 << 14;
}

/// Bytes of each thread's table for seven to eleven empties. Twice as much needs 0.7 % fewer nodes, half as much 1.1 % more; what is larger
/// than a core's level-2 cache is paid for in waiting, so that from 512 KiB to 2 MiB the time is the same within one part in fifty.
pub(super) const MIDDLE_TABLE_BYTES: usize = 1 << 20;

/// Bytes of each thread's table for five and six empties. Four times as much needs 0.8 % fewer nodes, and 1 to 3 % more time.
pub(super) const SHALLOW_TABLE_BYTES: usize = 128 << 10;
