//! MTD(f): a score by null windows alone, starting at a guess.
//!
//! If the guess is right, two null windows prove it: the score is at least the guess, and it is not
//! more. Each can be proven by the moves that are cheapest for it. A search with an open window
//! along the principal variation (PVS) proves both by the same moves, chosen by value; it takes
//! more nodes here (`docs/experiments/search.md`). If the guess is wrong, the next null window
//! starts at the bound that the last one returned.
//!
//! Source: A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-First Fixed-Depth Minimax
//! Algorithms", Artificial Intelligence 87 (1996), <https://doi.org/10.1016/0004-3702(95)00126-3>.

use crate::othello::Position;
use crate::search::constants::SELECTIVE_EMPTIES;
use crate::search::limits::WindowResult;
use crate::search::search_pass::SearchPass;
use crate::search::worker::Worker;
use crate::table::hash;

impl Worker<'_> {
    /// The score of `position` in the window from `alpha` to `beta`, starting at `guess`, an even
    /// number. A result between them is the score; at or below `alpha` it is an upper bound, at or
    /// above `beta` a lower bound. In a selective pass the result is unproven. If the search is
    /// aborted, the result is void.
    pub(super) fn mtdf(&mut self, position: &Position, guess: i32, alpha: i32, beta: i32) -> i32 {
        let empties = position.empties().count();
        let moves = position.moves().0;
        let (mut lower, mut upper) = (alpha, beta);
        let mut threshold = (guess - 1).clamp(alpha, beta - 1);
        loop {
            let score = self.search(position, moves, empties, threshold);
            if self.state.aborted {
                return score;
            }
            if score > threshold {
                lower = score;
                self.publish(position, empties, lower, upper.max(lower));
                // In a selective pass the bounds may contradict each other. The newer one counts.
                if lower >= upper {
                    return lower;
                }
                threshold = lower;
            } else {
                upper = score;
                self.publish(position, empties, lower.min(upper), upper);
                if lower >= upper {
                    return upper;
                }
                threshold = upper - 1;
            }
        }
    }

    /// Tells those who watch what a null window at the root has shown.
    fn publish(&self, position: &Position, empties: u32, lower: i32, upper: i32) {
        // Searches of fewer empties are over before anybody reads it.
        if empties < SELECTIVE_EMPTIES {
            return;
        }
        let entry = self.table.probe(hash(position), position, self.generation);
        let budget = self.budget();
        budget.window_ends(WindowResult {
            empties,
            margin: match self.search_pass {
                SearchPass::Selective(tenths) => Some(tenths),
                SearchPass::Exact => None,
            },
            lower,
            upper,
            best_move: entry.and_then(|entry| entry.moves[0]),
            mega_nodes: (budget.nodes() + self.nodes.total() - self.flushed) >> 20,
        });
    }
}
