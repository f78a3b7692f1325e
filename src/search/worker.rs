//! What one thread needs to search: its node counts, its local tables, and the table that it shares.

use super::cached::LocalTables;
use super::constants::{DEEP_EMPTIES, MIDDLE_EMPTIES, STABILITY_ALPHA};
use super::nodes::NodeCounts;
use crate::othello::{Position, stability};
use crate::table::SharedTable;

/// One thread's search. The stages of the tree are its methods, a file each, from the top down: [`deep`](super::deep),
/// [`middle`](super::middle), [`shallow`](super::shallow), [`last`](super::last).
///
/// All of them answer the same question. `alpha` is a number of discs; the answer is a *fail-soft bound*: an answer above
/// `alpha` says that the score is at least that, an answer at or below `alpha` that it is at most that. Scores are those of
/// the side to move, so a child is asked with `-alpha - 1`, which is `!alpha`, and its answer negated.
pub(super) struct Worker<'a> {
    pub(super) table: &'a SharedTable,
    pub(super) local: &'a mut LocalTables,
    pub(super) nodes: NodeCounts,
    /// Whether the local tables' keys have their solid discs repainted ([`cached`](super::cached)).
    pub(super) solid_keys: bool,
}

impl Worker<'_> {
    /// Searches a position with any number of `empties`; `moves` are its legal moves.
    #[inline(always)]
    pub(super) fn search(&mut self, position: &Position, moves: u64, empties: u32, alpha: i32) -> i32 {
        if empties >= DEEP_EMPTIES {
            self.deep(position, moves, empties, alpha)
        } else {
            self.below_deep(position, moves, empties, alpha)
        }
    }

    /// The same for fewer than [`DEEP_EMPTIES`].
    pub(super) fn below_deep(&mut self, position: &Position, moves: u64, empties: u32, alpha: i32) -> i32 {
        match empties {
            MIDDLE_EMPTIES.. => self.middle(position, moves, empties, alpha),
            5.. => self.shallow(position, moves, empties, alpha),
            _ => self.last(position, alpha),
        }
    }

    /// The answer of a node without a legal move: the other side's if it can move, else the final score.
    #[cold]
    #[inline(never)]
    pub(super) fn pass(&mut self, position: &Position, empties: u32, alpha: i32) -> i32 {
        let passed = position.passed();
        let moves = passed.moves();
        if moves.is_empty() { position.final_score().discs() } else { -self.search(&passed, moves.0, empties, !alpha) }
    }

    /// An upper bound of the score from the opponent's stable discs, if that is at most `alpha`.
    #[inline(always)]
    pub(super) fn stability_cut(&self, position: &Position, empties: u32, alpha: i32) -> Option<i32> {
        if alpha < STABILITY_ALPHA[empties as usize] {
            return None;
        }
        let upper = stability::upper_bound(position);
        (upper <= alpha).then_some(upper)
    }
}
