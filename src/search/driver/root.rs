//! A root position: its score, best move, principal variation and the scores of all moves.
//!
//! The score comes first, by a search of the requested window (`passes.rs`). The best move and the
//! principal variation are found afterwards: a move is best if it keeps the score. The
//! transposition table still holds the proofs, so this costs next to nothing, and the nodes need
//! not carry a principal variation.

use crate::eval::Features;
use crate::othello::{Move, Position, Score};
use crate::search::parallel::split_point::SplitWorker;
use crate::search::solution::{Bounds, Request, Solution, Window};
use crate::search::worker::Worker;
use crate::table::{Entry, hash};

impl Worker<'_> {
    /// Solves a position, unless the search is aborted first.
    pub(super) fn solve(&mut self, request: &Request) -> Solution {
        let &Request { ref position, window, all_moves } = request;
        let bounds = self.bounds(position, window);
        self.budget().score_is_found();
        let before = self.nodes.total();
        // After a fail low, no move is known to be better than another.
        let best_move = if bounds.exact().is_some() || bounds.lower > window.alpha() {
            self.move_with_score(position, bounds.lower.discs())
        } else if self.state.aborted {
            None
        } else {
            position.must_pass().then_some(Move::Pass)
        };
        let pv = match bounds.exact() {
            Some(score) => self.principal_variation(position, best_move, score.discs()),
            None => best_move.into_iter().collect(),
        };
        let moves = if all_moves {
            self.all_moves(position, window, bounds, best_move)
        } else {
            Vec::new()
        };
        self.count_pass_nodes("principal variation", before);
        // A limit that was reached after the search had ended has stopped nothing.
        let stopped = self.budget().stop_reason().filter(|_| self.state.aborted);
        Solution {
            bounds,
            best_move,
            pv,
            moves,
            nodes: self.nodes.total(),
            profile: self.nodes.clone(),
            stopped,
            #[cfg(feature = "stats")]
            statistics: std::mem::take(&mut self.statistics),
        }
    }

    /// The score of a position, or a bound of it where it lies outside the window.
    pub(super) fn bounds(&mut self, position: &Position, window: Window) -> Bounds {
        self.bounds_within(position, window, (-64, 64))
    }

    /// The same for a position whose score is known to lie between two even bounds.
    ///
    /// The search may prove more than the window requires; how much more depends on the contents of
    /// the tables. The result has only what the window requires, so it is the same whatever they
    /// hold.
    fn bounds_within(
        &mut self,
        position: &Position,
        window: Window,
        (mut lower, mut upper): (i32, i32),
    ) -> Bounds {
        // The search must be able to return the ends of the scale as scores inside its window.
        let alpha = if window.alpha() == Score::MIN { -65 } else { window.alpha().discs() };
        let beta = if window.beta() == Score::MAX { 65 } else { window.beta().discs() };
        if lower < upper && lower < beta && upper > alpha {
            // One beyond the known bounds, so that the search can return the bounds themselves.
            let (from, to) = (alpha.max(lower - 1), beta.min(upper + 1));
            let score = self.iterate_passes(position, from, to);
            if self.state.aborted {
                return self.proven_bounds(position);
            }
            if score > from {
                lower = lower.max(score.min(beta + (beta & 1)));
            }
            if score < to {
                upper = upper.min(score.max(alpha - (alpha & 1)));
            }
        }
        Bounds { lower: Score::new(lower), upper: Score::new(upper) }
    }

    /// The proven bounds that the transposition table has of a position whose search was aborted.
    fn proven_bounds(&self, position: &Position) -> Bounds {
        let entry = self.table.probe(hash(position), position, self.generation);
        let Entry { lower, upper, .. } = entry.unwrap_or(Entry::UNKNOWN);
        Bounds { lower: Score::new(i32::from(lower)), upper: Score::new(i32::from(upper)) }
    }

    /// A legal move that leads to at least `score`, which is known to be the score of the position.
    /// `None` if the game is over or the search is aborted.
    fn move_with_score(&mut self, position: &Position, score: i32) -> Option<Move> {
        let moves = position.moves();
        if moves.is_empty() {
            return position.must_pass().then_some(Move::Pass);
        }
        let left = position.empties().count() - 1;
        let entry = self.table.probe(hash(position), position, self.generation);
        let hash_moves = entry.map_or([None; 2], |entry| entry.moves);
        let features = Features::of(position);
        let children = self.sorted_moves(position, &features, hash_moves, score - 1);
        let mut best = (i32::MIN, children[0].square);
        for mv in &children {
            let value = -self.search(&mv.child, mv.replies, left, -score);
            if self.should_abort() {
                return None;
            }
            if value > best.0 {
                best = (value, mv.square);
            }
            if value >= score {
                break;
            }
        }
        debug_assert!(best.0 >= score, "no move keeps {score} in {position:?}");
        Some(Move::Place(best.1))
    }

    /// Perfect play of both sides from `position`, whose score is `score`, to the end of the game.
    /// `first` is its first move.
    fn principal_variation(
        &mut self,
        position: &Position,
        first: Option<Move>,
        score: i32,
    ) -> Vec<Move> {
        let (mut position, mut score, mut next) = (*position, score, first);
        // A pass takes no square.
        let mut line = Vec::with_capacity(position.empties().count() as usize + 4);
        while let Some(mv) = next {
            line.push(mv);
            position = match mv {
                Move::Place(square) => position.after(square, position.flips(square)),
                Move::Pass => position.passed(),
            };
            score = -score;
            next = self.move_with_score(&position, score);
        }
        line
    }

    /// The score of every move, or bounds of it where it lies outside the window, best first.
    /// `bounds` are those of the position.
    fn all_moves(
        &mut self,
        position: &Position,
        window: Window,
        bounds: Bounds,
        best: Option<Move>,
    ) -> Vec<(Move, Bounds)> {
        let mut moves: Vec<(Move, Bounds)> = Vec::new();
        if position.must_pass() {
            moves.push((Move::Pass, bounds));
        }
        // The window from the other side's point of view.
        let negated =
            Window::new(-window.beta(), -window.alpha()).expect("a negated window is a window");
        for square in position.moves() {
            let child = position.after(square, position.flips(square));
            let is_best = best == Some(Move::Place(square));
            let known = (-bounds.upper.discs(), if is_best { -bounds.lower.discs() } else { 64 });
            let Bounds { lower, upper } = if self.state.aborted {
                self.proven_bounds(&child)
            } else {
                self.bounds_within(&child, negated, known)
            };
            moves.push((Move::Place(square), Bounds { lower: -upper, upper: -lower }));
        }
        moves.sort_by_key(|&(mv, bounds)| {
            (-bounds.lower.discs(), -bounds.upper.discs(), best != Some(mv), mv)
        });
        moves
    }
}
