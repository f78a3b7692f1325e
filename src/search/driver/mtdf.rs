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
        // The ends of the window are no bounds of the score: nothing has shown them.
        let (mut shown_lower, mut shown_upper) = (-64, 64);
        let mut threshold = (guess - 1).clamp(alpha, beta - 1);
        loop {
            let score = self.search(position, moves, empties, threshold);
            if self.state.aborted {
                return score;
            }
            if score > threshold {
                // In a selective pass the bounds may contradict each other. The newer one counts.
                (lower, shown_lower, shown_upper) = (score, score, shown_upper.max(score));
                self.publish(position, empties, shown_lower, shown_upper);
                if lower >= upper {
                    return lower;
                }
                threshold = lower;
            } else {
                (upper, shown_lower, shown_upper) = (score, shown_lower.min(score), score);
                self.publish(position, empties, shown_lower, shown_upper);
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

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;
    use crate::othello::Score;
    use crate::search::testing::position;
    use crate::search::{Config, Request, Searcher, Window};

    /// Windows on either side of the score, and around it: what the last null window has shown
    /// holds, and the ends of the window are not among it.
    #[test]
    fn what_is_shown_holds_in_every_window() {
        let config = Config { table_bytes: 4 << 20, ..Config::default() };
        let mut searcher = Searcher::new(config).expect("4 MiB");
        let mut rng = SmallRng::seed_from_u64(8);
        for _ in 0..4 {
            let position = position(&mut rng, SELECTIVE_EMPTIES);
            let request = Request { position, window: Window::FULL, all_moves: false };
            let score = searcher.solve(&request).score().expect("a score").discs();
            for (alpha, beta) in
                [(-64, 64), (-1, 1), (score - 9, score - 3), (score + 3, score + 9)]
            {
                let (alpha, beta) = (alpha.clamp(-64, 62), beta.clamp(-62, 64));
                let mut worker = searcher.worker();
                worker.bounds(
                    &position,
                    Window::new(Score::new(alpha), Score::new(beta)).expect("a window"),
                );
                let shown = worker.budget().window_result().expect("a null window");
                assert_eq!(shown.margin, None);
                assert!(shown.lower <= score && score <= shown.upper, "{shown:?}, {score}");
                if score <= alpha {
                    assert_eq!(shown.lower, -64, "{shown:?}, {score}");
                } else if score >= beta {
                    assert_eq!(shown.upper, 64, "{shown:?}, {score}");
                } else {
                    assert_eq!((shown.lower, shown.upper), (score, score));
                }
            }
        }
    }
}
