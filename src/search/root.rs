//! From a position to its exact score: the root of the tree, and the questions asked of it.
//!
//! Below the root there is only one kind of question, a null window: *is the score at least t?* ([`super::worker::Worker`]). The root
//! asks it for one even t after another (scores are even) and narrows its bounds by the answers, until they meet or leave the
//! window. A first guess says where to begin; from there it steps towards the score, twice as far each time, and halves the rest once
//! the score is bracketed. Two questions settle a good guess. Each root move keeps its own bounds, so
//! that no question is asked of it twice. (An aspiration search whose windows are all null, as in MTD(f); a principal variation search
//! over the window `t - 1, t + 1` visits the same nodes.)

use super::constants::LOCAL_TABLE_BYTES;
use super::nodes::NodeCounts;
use super::ordering::{Scores, score};
use super::parity::odd_quadrants;
use super::solution::{Bounds, Config, Request, Solution, Window};
use super::worker::Worker;
use crate::othello::{Move, Position, Score, Square, stability};
use crate::table::{LocalTable, SharedTable, TableError, hash};

/// Solves positions, one after the other, and keeps its tables between them.
#[derive(Debug)]
pub struct Solver {
    config: Config,
    table: SharedTable,
    local: LocalTable,
}

impl Solver {
    /// A solver with fresh tables.
    ///
    /// # Errors
    /// If the memory for the shared table cannot be had.
    pub fn new(config: Config) -> Result<Solver, TableError> {
        let local = LocalTable::new(if config.local_table { LOCAL_TABLE_BYTES } else { 0 });
        Ok(Solver { config, table: SharedTable::new(config.table_bytes)?, local })
    }

    /// Bytes of the shared table.
    pub fn table_bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Solves one position.
    pub fn solve(&mut self, request: &Request) -> Solution {
        self.table.next_generation();
        let mut worker = Worker {
            table: &self.table,
            local: &mut self.local,
            nodes: NodeCounts::default(),
            solid_keys: self.config.solid_keys,
        };
        let mut solution = Root::new(&request.position).solve(&mut worker, request);
        solution.nodes = worker.nodes;
        solution
    }

    /// Forgets everything, so that the next solve costs the same nodes as in a new solver.
    pub fn clear(&mut self) {
        self.table.clear();
        self.local.clear();
    }
}

/// A legal move at the root, and what is known of its score (for the side to move at the root).
struct RootMove {
    mv: Move,
    child: Position,
    lower: i32,
    upper: i32,
    value: i32,
}

struct Root {
    position: Position,
    moves: Vec<RootMove>,
    lower: i32,
    upper: i32,
    best: Option<Move>,
}

impl Root {
    fn new(position: &Position) -> Root {
        let mut moves: Vec<RootMove> = scores(position)
            .into_iter()
            .map(|mv| RootMove { mv: Move::Place(mv.square), child: mv.child, lower: -64, upper: 64, value: mv.value })
            .collect();
        moves.sort_by_key(|mv| -mv.value);
        if position.must_pass() {
            moves.push(RootMove { mv: Move::Pass, child: position.passed(), lower: -64, upper: 64, value: 0 });
        }
        Root { position: *position, moves, lower: -64, upper: 64, best: None }
    }

    fn solve(mut self, worker: &mut Worker<'_>, request: &Request) -> Solution {
        let (bounds, pv);
        if self.moves.is_empty() {
            let score = self.position.final_score();
            (bounds, pv) = (Bounds { lower: score, upper: score }, Vec::new());
        } else {
            self.lower = -stability::upper_bound(&self.position.passed());
            self.upper = stability::upper_bound(&self.position);
            self.narrow(worker, request.window, 0);
            bounds = Bounds { lower: Score::new(self.lower), upper: Score::new(self.upper) };
            if bounds.exact().is_some() && self.best.is_none() {
                // The bounds met without a question (all is stable), so no move has been tried yet.
                self.at_least(worker, self.lower);
            }
            pv = match bounds.exact() {
                Some(score) => principal_variation(worker, &self.position, self.best, score.discs()),
                None => self.best.into_iter().collect(),
            };
        }
        let moves = if request.all_moves { self.all_moves(worker, request.window) } else { Vec::new() };
        Solution { bounds, best_move: self.best, pv, moves, nodes: NodeCounts::default() }
    }

    /// Narrows the bounds until they meet or are beyond the window, beginning at `guess`.
    fn narrow(&mut self, worker: &mut Worker<'_>, window: Window, guess: i32) {
        let mut steps = Steps::new(guess);
        while let Some(threshold) = steps.next(self.lower, self.upper, window) {
            self.at_least(worker, threshold);
            steps.answer(self.lower >= threshold);
        }
    }

    /// Asks whether the score is at least `threshold`, and narrows the bounds by the answer.
    fn at_least(&mut self, worker: &mut Worker<'_>, threshold: i32) {
        let alpha = threshold - 1;
        let empties = self.position.empties().count();
        worker.nodes.count(empties);
        let mut best = -64;
        for i in 0..self.moves.len() {
            let mv = &mut self.moves[i];
            if mv.lower <= alpha && mv.upper > alpha {
                let left = empties - u32::from(mv.mv != Move::Pass);
                let answer = -worker.search(&mv.child, mv.child.moves().0, left, !alpha);
                if answer > alpha {
                    mv.lower = mv.lower.max(answer);
                } else {
                    mv.upper = mv.upper.min(answer);
                }
            }
            if mv.lower > alpha {
                self.lower = self.lower.max(mv.lower);
                self.best = Some(mv.mv);
                self.moves[..=i].rotate_right(1);
                return;
            }
            best = best.max(mv.upper);
        }
        self.upper = self.upper.min(best);
    }

    /// Every move's score, or its bounds where it lies outside the window; best first.
    fn all_moves(&mut self, worker: &mut Worker<'_>, window: Window) -> Vec<(Move, Bounds)> {
        let empties = self.position.empties().count();
        let mut guess = self.upper;
        for mv in &mut self.moves {
            let left = empties - u32::from(mv.mv != Move::Pass);
            mv.upper = mv.upper.min(self.upper);
            if self.best == Some(mv.mv) {
                mv.lower = mv.lower.max(self.lower);
            }
            let mut steps = Steps::new(guess);
            while let Some(threshold) = steps.next(mv.lower, mv.upper, window) {
                let answer = -worker.search(&mv.child, mv.child.moves().0, left, -threshold);
                if answer >= threshold {
                    mv.lower = mv.lower.max(answer);
                } else {
                    mv.upper = mv.upper.min(answer);
                }
                steps.answer(answer >= threshold);
            }
            guess = mv.lower;
        }
        let mut moves: Vec<(Move, Bounds)> = self
            .moves
            .iter()
            .map(|mv| (mv.mv, Bounds { lower: Score::new(mv.lower), upper: Score::new(mv.upper) }))
            .collect();
        moves.sort_by_key(|&(mv, bounds)| (-bounds.lower.discs(), -bounds.upper.discs(), self.best != Some(mv), mv));
        moves
    }
}

/// Perfect play from `position`, whose score is `score`, to the end. `first` is the first move if that is known already.
fn principal_variation(worker: &mut Worker<'_>, position: &Position, first: Option<Move>, score: i32) -> Vec<Move> {
    let (mut position, mut score) = (*position, score);
    let mut known = first;
    let mut pv = Vec::new();
    loop {
        let moves = position.moves();
        let mv = match known.take() {
            Some(mv) => mv,
            None if !moves.is_empty() => Move::Place(keeps_score(worker, &position, score)),
            None if position.is_over() => return pv,
            None => Move::Pass,
        };
        position = match mv {
            Move::Place(square) => position.after(square, position.flips(square)),
            Move::Pass => position.passed(),
        };
        pv.push(mv);
        score = -score;
    }
}

/// A move that keeps the score of a position with a legal move.
fn keeps_score(worker: &mut Worker<'_>, position: &Position, score: i32) -> Square {
    let left = position.empties().count() - 1;
    let remembered = worker.table.probe(hash(position), position).and_then(|entry| entry.moves[0]);
    let mut children = scores(position);
    children.sort_by_key(|mv| (Some(mv.square) != remembered, -mv.value));
    let mut best = (i32::MIN, children[0].square);
    for mv in &children {
        let answer = -worker.search(&mv.child, mv.replies, left, -score);
        best = best.max((answer, mv.square));
        if answer >= score {
            break;
        }
    }
    debug_assert!(best.0 >= score, "no move keeps {score} in {position:?}");
    best.1
}

/// All legal moves with their values.
fn scores(position: &Position) -> Scores {
    let odd = odd_quadrants(position.empties().0);
    position.moves().into_iter().map(|square| score(square, position.after(square, position.flips(square)), odd)).collect()
}

/// Which threshold to ask about next: the guess; then away from it in the direction of the answers, twice as far each time;
/// and once there was an answer of each kind, the middle.
struct Steps {
    next: i32,
    step: i32,
    answers: [bool; 2],
}

impl Steps {
    fn new(guess: i32) -> Steps {
        Steps { next: even_at_least(guess), step: 0, answers: [false; 2] }
    }

    /// An even threshold above `lower` and at most `upper` that tells something about the scores in the window; `None` if all is
    /// known that was asked.
    fn next(&self, lower: i32, upper: i32, window: Window) -> Option<i32> {
        let lowest = (lower + 2).max(even_at_least(window.alpha().discs() + 1));
        let highest = upper.min(even_at_least(window.beta().discs()));
        if lowest > highest {
            return None;
        }
        let threshold = match self.answers {
            [false, false] => self.next,
            [false, true] => lower + self.step,
            [true, false] => upper + 2 - self.step,
            [true, true] => even_at_least((lower + upper) / 2 + 1),
        };
        Some(threshold.clamp(lowest, highest))
    }

    /// Notes whether the score was at least what was asked.
    fn answer(&mut self, yes: bool) {
        self.answers[usize::from(yes)] = true;
        self.step = (2 * self.step).max(2);
    }
}

/// The least even number not below `discs`.
fn even_at_least(discs: i32) -> i32 {
    discs + (discs & 1)
}
