//! Five and six empties: moves are ordered by parity alone, without scores.
//!
//! Moves into quadrants with an odd number of empties come first. Among them, and among the others,
//! corners come first and squares beside a corner last. A small local table catches transpositions,
//! as in Neural Reversi.

use super::context::{AfterPass, NO_SCORE, NodeContext, StabilityState};
use crate::othello::{Bitboard, Position, Square};
use crate::search::instrument::tally::NodeOutcome;
use crate::search::local_tables::{Key, LocalProbe, OpenLines};
use crate::search::ordering::parity::odd_quadrants;
use crate::search::stability_cutoff::upper_bound;
use crate::search::worker::Worker;

impl Worker<'_> {
    /// Searches a position with five or six empties of which nothing is known yet.
    pub(super) fn enter_shallow(
        &mut self,
        position: &Position,
        moves: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        let key = Key::new(position, self.normalise_keys);
        let stability = StabilityState::Untested;
        self.shallow(&NodeContext { position, key: &key, moves, stability }, empties, alpha)
    }

    /// Searches a node with five or six empties.
    pub(super) fn shallow(&mut self, node: &NodeContext<'_>, empties: u32, alpha: i32) -> i32 {
        let &NodeContext { position, key, moves, stability } = node;
        self.nodes.count(empties);
        let mut tally = self.begin_node();
        if stability == StabilityState::Untested
            && let Some(upper) = upper_bound(position, alpha)
        {
            self.end_node(&tally, empties, NodeOutcome::Stability);
            return upper;
        }
        if moves == 0 {
            return self.pass_shallow(position, empties, alpha);
        }
        if let LocalProbe::Cutoff(bound) = key.probe(&self.local.shallow, empties, alpha) {
            self.end_node(&tally, empties, NodeOutcome::Table);
            return bound;
        }
        // Children with five empties have keys, those with four have none.
        let open = if empties == 5 { Bitboard::EMPTY } else { position.empties() };
        let lines = OpenLines::of(open, self.normalise_keys);
        let odd = odd_quadrants(position.empties().0);
        let mut left = moves;
        let mut best = NO_SCORE;
        let mut searched = 0;
        while left != 0 {
            let square = first_by_parity(left, odd);
            left ^= 1 << square.index();
            searched += 1;
            self.begin_move(&mut tally);
            let child = position.after(square, position.flips(square));
            let score = -if empties == 5 {
                self.four_empties(&child, !alpha)
            } else {
                let key = Key::normalised(&child, lines.solid_after(square));
                key.prefetch(&self.local.shallow);
                let moves = child.moves().0;
                let stability = StabilityState::Untested;
                let child = NodeContext { position: &child, key: &key, moves, stability };
                self.shallow(&child, 5, !alpha)
            };
            best = best.max(score);
            if best > alpha {
                break;
            }
        }
        let outcome = if best > alpha { NodeOutcome::Cut(searched) } else { NodeOutcome::All };
        self.end_node(&tally, empties, outcome);
        key.store(&mut self.local.shallow, alpha, best, None);
        best
    }

    /// Searches on after a forced pass.
    #[cold]
    #[inline(never)]
    fn pass_shallow(&mut self, position: &Position, empties: u32, alpha: i32) -> i32 {
        match AfterPass::of(position) {
            AfterPass::GameOver(score) => score,
            AfterPass::Moves(passed, moves) => -self.enter_shallow(&passed, moves, empties, !alpha),
        }
    }
}

/// The square to try first among `moves`, where `odd` are the squares of odd quadrants.
#[inline(always)]
fn first_by_parity(moves: u64, odd: u64) -> Square {
    let candidates = Bitboard(moves & odd).or_else(Bitboard(moves));
    let best = (candidates & Bitboard::CORNERS)
        .or_else(candidates & !Bitboard::BESIDE_CORNERS)
        .or_else(candidates);
    Square::of_lowest_bit(best.0)
}
