//! The run of a review: games side by side, one on each thread, each backwards. Threads without a
//! game help the others.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use thiserror::Error;

use super::effort::all_moves_cost;
use super::games::{Game, Turn};
use super::moves::{Review, ReviewedMove};
use crate::batch::executor::{HelpedTaskList, in_order};
use crate::batch::solve_within;
use crate::batch::{Finished, Progress, Searchers, StopCause, StopSignal, ThreadError};
use crate::othello::{Diagram, Move, Score};
use crate::records::Span;
use crate::search::{Limits, Request, Searcher, Window};

/// The order in which the positions of a game are solved. It changes no score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// From the end of the game, so that the table has what the position before needs.
    #[default]
    Backwards,
    /// From the beginning. For measurements.
    Forwards,
    /// Backwards, each with an empty table. For measurements.
    Alone,
}

/// What is reviewed.
#[derive(Clone, Debug)]
pub struct ReviewOptions {
    /// The numbers of empties of the positions.
    pub empties: Span,
    /// The order of the positions of a game.
    pub order: Order,
    /// The limits of each position.
    pub limits: Limits,
    /// The time at which the run ends.
    pub deadline: Option<Instant>,
    /// Moves of an earlier run, by their positions. They are not searched again.
    pub earlier: HashMap<Diagram, ReviewedMove>,
}

/// Why games could not be reviewed.
#[derive(Debug, Error)]
pub enum ReviewError<E> {
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
    /// What receives the reviews has failed.
    #[error("{0}")]
    Output(E),
}

/// Reviews games, and passes them to `report` in their order. Returns the cause if `stop` or the
/// deadline has ended the run: then the reviews of the games under way, and of those after them,
/// are not complete.
///
/// # Errors
/// If a thread cannot be started, or with the first error of `report`.
///
/// # Panics
/// If one of the threads panics.
pub fn run<E>(
    games: Vec<Game>,
    options: &ReviewOptions,
    searchers: Searchers,
    progress: &dyn Progress,
    stop: &StopSignal,
    mut report: impl FnMut(Review) -> Result<(), E>,
) -> Result<Option<StopCause>, ReviewError<E>> {
    let pools = searchers.thread_pools();
    let pool = Arc::clone(&pools[0]);
    let mut searchers = searchers.searchers;
    let stopped = AtomicBool::new(false);
    let end_all = || {
        stopped.store(true, Ordering::SeqCst);
        pools.iter().for_each(|pool| pool.abort());
    };
    let tasks = HelpedTaskList::new(games, &pool);
    let work =
        |searcher: &mut Searcher, game: Game| review(searcher, game, options, progress, &stopped);
    let result = thread::scope(|scope| {
        // Ends the watcher.
        let _finish = stop.finish_on_drop();
        let watcher = thread::Builder::new().name("watcher".to_owned());
        let watch = || {
            if stop.wait(options.deadline).is_some() {
                end_all();
            }
        };
        watcher.spawn_scoped(scope, watch).map_err(ThreadError)?;
        in_order(&mut searchers, &tasks, work, |review| {
            report(review).map(|()| ControlFlow::Continue(())).inspect_err(|_| end_all())
        })
    })?;
    result.map_err(ReviewError::Output)?;
    Ok(stop.cause())
}

/// Reviews one game.
fn review(
    searcher: &mut Searcher,
    game: Game,
    options: &ReviewOptions,
    progress: &dyn Progress,
    stopped: &AtomicBool,
) -> Review {
    let mut turns: Vec<Turn> = game.turns_in(options.empties).copied().collect();
    if options.order != Order::Forwards {
        turns.reverse();
    }
    let selected = turns.len();
    let mut moves: Vec<ReviewedMove> = Vec::with_capacity(selected);
    for turn in turns {
        let cost = all_moves_cost(&turn.diagram.position);
        if let Some(earlier) = options.earlier.get(&turn.diagram) {
            moves.push(ReviewedMove { turn, ..earlier.clone() });
            progress.resumed(cost);
            continue;
        }
        if stopped.load(Ordering::Relaxed) {
            break;
        }
        if options.order == Order::Alone {
            searcher.clear();
        }
        progress.begin(searcher.index(), cost);
        let reviewed = solve(searcher, turn, &options.limits);
        progress.end(searcher.index());
        if let Some(reviewed) = reviewed {
            progress.done(Finished { positions: 1, cost, nodes: reviewed.nodes });
            moves.push(reviewed);
        }
    }
    moves.sort_by_key(|one| one.turn.number);
    let complete = moves.len() == selected;
    Review { game, moves, complete }
}

/// The scores of all moves; `None` if the search was stopped.
fn solve(searcher: &mut Searcher, turn: Turn, limits: &Limits) -> Option<ReviewedMove> {
    let position = turn.diagram.position;
    let request = Request { position, window: Window::FULL, all_moves: true };
    let start = Instant::now();
    let solution = solve_within(searcher, &request, limits);
    let exact = |&(mv, bounds): &(Move, crate::search::Bounds)| Some((mv, bounds.exact()?));
    let scores: Vec<(Move, Score)> = solution.moves.iter().map(exact).collect::<Option<_>>()?;
    if solution.stopped.is_some() || scores.is_empty() {
        return None;
    }
    Some(ReviewedMove { turn, scores, nodes: solution.nodes, time: start.elapsed() })
}

#[cfg(test)]
mod tests {
    use super::super::games::read_games;
    use super::*;
    use crate::batch::{NoProgress, SearcherOptions};
    use crate::records::{ReadOptions, Source};

    /// A game to its end.
    const GAME: &str = "f5d6c3d3c4f4f6g5e3f3g4h3e6g3g6f7h4h5c7d2e2c2d1c1e1f1f2e7e8c6d7c8f8d8b8c5b6b4b5g1\
        a3b3a2a4a5b2g2h1h2a7a6a1b1b7a8g7h8g8h6h7\n";

    fn searchers(threads: usize) -> Searchers {
        let options = SearcherOptions::new().threads(threads).table_bytes(1 << 20);
        Searchers::shared_table(&options).expect("a small table")
    }

    fn reviewed(order: Order, threads: usize) -> Vec<Review> {
        let source = Source::Memory { name: "games", bytes: GAME.as_bytes().into() };
        let (games, ..) =
            read_games(vec![source.clone(), source], ReadOptions::default(), None, |message| {
                panic!("{message}")
            });
        let options = options(order);
        let mut reviews = Vec::new();
        let stop = StopSignal::default();
        let cause = run(games, &options, searchers(threads), &NoProgress, &stop, |review| {
            reviews.push(review);
            Ok::<_, String>(())
        });
        assert_eq!(cause.expect("a run"), None);
        reviews
    }

    fn options(order: Order) -> ReviewOptions {
        ReviewOptions {
            empties: Span { first: 0, last: 9 },
            order,
            limits: Limits::NONE,
            deadline: None,
            earlier: HashMap::new(),
        }
    }

    #[test]
    fn a_review_agrees_with_itself_in_any_order() {
        let scores = |reviews: &[Review]| -> Vec<Vec<(Move, Score)>> {
            reviews[0]
                .moves
                .iter()
                .map(|one| {
                    let mut scores = one.scores.clone();
                    scores.sort_by_key(|&(mv, _)| mv);
                    scores
                })
                .collect()
        };
        let backwards = reviewed(Order::Backwards, 2);
        assert_eq!(backwards.len(), 2);
        assert!(backwards.iter().all(|review| review.complete));
        for order in [Order::Forwards, Order::Alone] {
            assert_eq!(scores(&reviewed(order, 1)), scores(&backwards), "{order:?}");
        }
        let moves = &backwards[0].moves;
        assert_eq!(moves.len(), 9);
        for pair in moves.windows(2) {
            assert_eq!(pair[0].result_after(), pair[1].result_before());
        }
        let last = moves.last().expect("a move");
        let end = backwards[0].game.end;
        let by_black = |score: Score| {
            if end.to_move == crate::othello::Colour::Black { score } else { -score }
        };
        assert_eq!(last.result_after(), by_black(end.position.final_score()));
    }

    #[test]
    fn a_run_that_is_stopped_reviews_nothing_more() {
        let source = Source::Memory { name: "games", bytes: GAME.as_bytes().into() };
        let (games, ..) = read_games(vec![source], ReadOptions::default(), None, |_| ());
        let stop = StopSignal::default();
        stop.stop(StopCause::Interrupt);
        let mut complete = Vec::new();
        let wide =
            ReviewOptions { empties: Span { first: 0, last: 40 }, ..options(Order::Backwards) };
        let cause = run(games, &wide, searchers(1), &NoProgress, &stop, |review| {
            complete.push(review.complete);
            Ok::<_, String>(())
        });
        assert_eq!((cause.expect("a run"), complete), (Some(StopCause::Interrupt), vec![false]));
    }
}
