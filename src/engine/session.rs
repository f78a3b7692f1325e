//! What an engine answers about a position, whatever the protocol: hints, and the move it plays.
//!
//! A position within reach, which means one with few enough empties, is solved. The best move comes
//! first, by a search of the whole window. Each other move then gets a window from the score that
//! it would need to be among the wanted ones, up to the best score. So a bad move is refuted and
//! not solved.
//!
//! Any other position gets guesses: depth-limited searches, one for each move. They also come
//! before the exact scores where these take long, so that an interface has something to show.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::engine::Settings;
use crate::engine::game::moves;
use crate::othello::{Move, Position, Score};
use crate::search::{Limits, Solution, Window};
use crate::solver::{CancelToken, Options, Solver};

/// The least number of empties at which guesses come before exact scores, and each exact score is
/// reported as soon as it is proven. Below it all exact scores take some milliseconds.
const GUESS_EMPTIES: u32 = 17;

/// The depths of the guesses, in plies. A search of the last one takes a fraction of a second, and
/// it is not interrupted.
const GUESS_DEPTHS: [u32; 4] = [2, 4, 6, 8];

/// The value of a move, for the side that moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value {
    /// The proven score.
    Exact(Score),
    /// The value of a depth-limited search.
    Guess { discs: f64, depth: u32 },
}

impl Value {
    /// The value in discs.
    pub(super) fn discs(self) -> f64 {
        match self {
            Value::Exact(score) => f64::from(score.discs()),
            Value::Guess { discs, .. } => discs,
        }
    }
}

/// A move and its value.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Hint {
    pub(super) value: Value,
    /// The move and, if the value is exact, perfect play after it.
    pub(super) line: Vec<Move>,
}

impl Hint {
    pub(super) fn mv(&self) -> Move {
        self.line[0]
    }
}

/// The way in which hints are reported: those that are new, best first.
pub(super) type Report<'a> = &'a mut dyn FnMut(&[Hint]) -> io::Result<()>;

/// A solver and its limits.
#[derive(Debug)]
pub(super) struct Session {
    solver: Solver,
    settings: Settings,
    /// The largest depth of guesses.
    pub(super) depth: u32,
    /// The nodes of the current command.
    nodes: Arc<AtomicU64>,
}

impl Session {
    pub(super) fn new(solver: Solver, settings: Settings) -> Session {
        let depth = GUESS_DEPTHS[GUESS_DEPTHS.len() - 1];
        Session { solver, settings, depth, nodes: Arc::default() }
    }

    pub(super) fn settings(&self) -> Settings {
        self.settings
    }

    /// Starts the count of nodes again, and returns it. It grows when a search ends.
    pub(super) fn restart_nodes(&self) -> Arc<AtomicU64> {
        self.nodes.store(0, Ordering::Relaxed);
        Arc::clone(&self.nodes)
    }

    /// Whether a position is solved, and not guessed.
    pub(super) fn is_within_reach(&self, position: &Position) -> bool {
        position.empties().count() <= self.settings.exact_empties
    }

    /// Reports the best `count` moves of a position: guesses first, then exact scores if the
    /// position is within reach. These come best first if the position has few empties; otherwise
    /// each comes as soon as it is proven, so there may be more than `count`. Ends early if
    /// `cancel` is cancelled.
    ///
    /// # Errors
    /// Those of `report`.
    pub(super) fn hints(
        &mut self,
        position: &Position,
        count: usize,
        cancel: &CancelToken,
        report: Report<'_>,
    ) -> io::Result<()> {
        let deadline = Instant::now().checked_add(self.settings.move_time);
        let exact = self.is_within_reach(position);
        let mut order: Vec<Move> = moves(position).iter().map(|&(mv, _)| mv).collect();
        if !exact || position.empties().count() >= GUESS_EMPTIES {
            for &depth in &GUESS_DEPTHS {
                let Some(hints) = self.guesses(position, depth, deadline, cancel) else { break };
                order = hints.iter().map(Hint::mv).collect();
                report(&hints[..count.min(hints.len())])?;
            }
        }
        if !exact {
            return Ok(());
        }
        if position.empties().count() >= GUESS_EMPTIES {
            return self.exact_hints(position, &order, count, cancel, report);
        }
        let mut hints = Vec::new();
        self.exact_hints(position, &order, count, cancel, &mut |new| {
            hints.extend_from_slice(new);
            Ok(())
        })?;
        // The best move stays the first one: the order of equal values does not change.
        hints.sort_by(|a, b| b.value.discs().total_cmp(&a.value.discs()));
        hints.truncate(count);
        if cancel.is_cancelled() { Ok(()) } else { report(&hints) }
    }

    /// Reports the exact scores of the best `count` moves, each as soon as it is proven. `order`
    /// has the moves, the best first as far as that is guessed.
    fn exact_hints(
        &mut self,
        position: &Position,
        order: &[Move],
        count: usize,
        cancel: &CancelToken,
        report: Report<'_>,
    ) -> io::Result<()> {
        let Some(best) = self.solve(position, Limits::NONE, cancel) else { return Ok(()) };
        let Some(score) = best.score() else { return Ok(()) };
        let Some(&first) = best.pv.first() else { return Ok(()) };
        report(&[Hint { value: Value::Exact(score), line: best.pv }])?;
        let mut scores = vec![score];
        for &mv in order.iter().filter(|&&mv| mv != first) {
            // The score that a move must exceed to be among the wanted ones, if there is one.
            let bar = scores.get(count.saturating_sub(1)).copied();
            if bar == Some(score) {
                return Ok(());
            }
            let child = position.make(mv).expect("a legal move");
            let alpha = Score::try_new(-score.discs() - 1).unwrap_or(Score::MIN);
            let window = Window::new(alpha, bar.map_or(Score::MAX, |bar| -bar));
            let window = window.expect("the bar is below the best score");
            let options = Options { window, cancel: Some(cancel.clone()), ..Options::default() };
            let solution = self.solver.solve_with(&child, &options);
            self.nodes.fetch_add(solution.nodes, Ordering::Relaxed);
            if solution.stopped.is_some() {
                return Ok(());
            }
            let Some(reply) = solution.score() else { continue };
            let line = [mv].into_iter().chain(solution.pv).collect();
            report(&[Hint { value: Value::Exact(-reply), line }])?;
            scores.push(-reply);
            scores.sort_by(|a, b| b.cmp(a));
        }
        Ok(())
    }

    /// The move that the engine plays: the best one, if the position is within reach and `time`
    /// suffices, and else the best guess. A forced move takes no search and has no value, nor has a
    /// move for which there was no time at all. `None` if the game is over, or if `cancel` is
    /// cancelled.
    pub(super) fn best_move(
        &mut self,
        position: &Position,
        time: Duration,
        cancel: &CancelToken,
    ) -> Option<(Move, Option<Value>)> {
        let deadline = Instant::now().checked_add(time);
        let legal = moves(position);
        if let &[(mv, _)] = &legal[..] {
            return Some((mv, None));
        }
        let &(first, _) = legal.first()?;
        let exact = self.is_within_reach(position);
        let mut best = (first, None);
        if !exact || position.empties().count() >= GUESS_EMPTIES {
            for &depth in &GUESS_DEPTHS {
                let Some(hints) = self.guesses(position, depth, deadline, cancel) else { break };
                best = (hints[0].mv(), Some(hints[0].value));
            }
        }
        if exact {
            let time = deadline.map(|it| it.saturating_duration_since(Instant::now()));
            let solution = self.solve(position, Limits { time, ..Limits::NONE }, cancel);
            if let Some((score, mv)) = solution.and_then(|it| it.score().zip(it.best_move)) {
                best = (mv, Some(Value::Exact(score)));
            }
        }
        (!cancel.is_cancelled()).then_some(best)
    }

    /// The exact solution of a position. `None` if a limit was reached or `cancel` is cancelled.
    pub(super) fn solve(
        &mut self,
        position: &Position,
        limits: Limits,
        cancel: &CancelToken,
    ) -> Option<Solution> {
        let options = Options { limits, cancel: Some(cancel.clone()), ..Options::default() };
        let solution = self.solver.solve_with(position, &options);
        self.nodes.fetch_add(solution.nodes, Ordering::Relaxed);
        solution.stopped.is_none().then_some(solution)
    }

    /// The value of a position by a depth-limited search, in discs; `None` if `cancel` is
    /// cancelled.
    pub(super) fn guess(&mut self, position: &Position, cancel: &CancelToken) -> Option<f64> {
        let depth = self.depth.clamp(GUESS_DEPTHS[0], GUESS_DEPTHS[GUESS_DEPTHS.len() - 1]);
        (!cancel.is_cancelled()).then(|| self.solver.estimate(position, depth))
    }

    /// The moves of a position by depth-limited searches, best first. `None` if `depth` is more
    /// than that of the session, at the deadline, and if `cancel` is cancelled. A depth of two
    /// plies needs no time.
    fn guesses(
        &mut self,
        position: &Position,
        depth: u32,
        deadline: Option<Instant>,
        cancel: &CancelToken,
    ) -> Option<Vec<Hint>> {
        if depth > self.depth.max(GUESS_DEPTHS[0]) {
            return None;
        }
        let mut hints = Vec::new();
        for (mv, child) in moves(position) {
            let in_time = depth == GUESS_DEPTHS[0]
                || deadline.is_none_or(|deadline| Instant::now() < deadline);
            if cancel.is_cancelled() || !in_time {
                return None;
            }
            let discs = -self.solver.estimate(&child, depth - 1);
            hints.push(Hint { value: Value::Guess { discs, depth }, line: vec![mv] });
        }
        hints.sort_by(|a, b| b.value.discs().total_cmp(&a.value.discs()));
        (!hints.is_empty()).then_some(hints)
    }
}
