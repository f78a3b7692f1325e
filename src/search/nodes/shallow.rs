//! Five and six empties: moves are not scored; parity alone decides what is tried first.
//!
//! Moves into quadrants with an odd number of empties come first; among them, and among the others, corners come first and the squares
//! beside corners last. A small table of the thread's own catches transpositions (as in Neural Reversi; Edax has none here).

use crate::othello::{Bitboard, Square};
use crate::search::instrument::statistics::NodeOutcome;
use crate::search::nodes::last_four::NONE;
use crate::search::nodes::local_tables::{Key, LocalProbe, OpenLines};
use crate::search::nodes::stability_cutoff::{Stability, upper_bound};
use crate::search::ordering::parity::odd_quadrants;
use crate::search::worker::{NodeContext, Worker};

impl Worker<'_> {
    /// A position with five or six `empties`.
    pub(in crate::search) fn shallow(
        &mut self,
        arrival: &NodeContext<'_>,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        let &NodeContext { position, key, moves, stability } = arrival;
        self.nodes.count(empties);
        let mut watch = self.watch();
        if stability == Stability::Unknown
            && let Some(upper) = upper_bound(position, alpha)
        {
            self.note(&watch, empties, NodeOutcome::Stability);
            return upper;
        }
        if moves == 0 {
            return self.pass(position, empties, alpha);
        }
        if let LocalProbe::Answer(answer) = key.look_up(&self.local.shallow, empties, alpha) {
            self.note(&watch, empties, NodeOutcome::Table);
            return answer;
        }
        // Children with five empties have keys, others none.
        let lines = OpenLines::of(
            if empties == 5 { Bitboard::EMPTY } else { position.empties() },
            self.solid_keys,
        );
        let odd = odd_quadrants(position.empties().0);
        let first = |squares: u64, others: u64| if squares == 0 { others } else { squares };
        let mut left = moves;
        let mut best = NONE;
        let mut tried = 0;
        while left != 0 {
            let inviting = first(left & odd, left);
            let inviting = first(
                inviting & Bitboard::CORNERS.0,
                first(inviting & !Bitboard::BESIDE_CORNERS.0, inviting),
            );
            let square = Square::of_lowest_bit(inviting);
            left ^= 1 << square.index();
            tried += 1;
            self.begin_move(&mut watch);
            let child = position.after(square, position.flips(square));
            let answer = -if empties == 5 {
                self.four(&child, !alpha)
            } else {
                let key = Key::repainted(&child, lines.full_after(square));
                key.prefetch(&self.local.shallow);
                let arrival = NodeContext {
                    position: &child,
                    key: &key,
                    moves: child.moves().0,
                    stability: Stability::Unknown,
                };
                self.shallow(&arrival, 5, !alpha)
            };
            best = best.max(answer);
            if best > alpha {
                break;
            }
        }
        self.note(
            &watch,
            empties,
            if best > alpha { NodeOutcome::Cut(tried) } else { NodeOutcome::All },
        );
        key.note(&mut self.local.shallow, empties, alpha, best, None);
        best
    }
}
