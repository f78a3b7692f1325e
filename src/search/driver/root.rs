//! From a position to its exact score, best move and line of play.
//!
//! The score comes first, by a search of the window that was asked for ([`crate::search::driver::passes`]). The best move and the line of play are
//! found afterwards, by asking which move keeps the score: the table still holds the proofs, so that costs next to nothing, and the
//! nodes on the way need not carry a line about.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::eval::Features;
use crate::othello::{Move, Position, Score};
#[cfg(feature = "record")]
use crate::search::instrument::recorder::{Recorder, Recording};
use crate::search::instrument::sampler::Sampler;
#[cfg(feature = "stats")]
use crate::search::instrument::statistics::Statistics;
use crate::search::limits::Limits;
use crate::search::node_counts::NodeCounts;
use crate::search::nodes::depth_limited::INFINITY;
use crate::search::nodes::local_tables::LocalTables;
use crate::search::nodes::prob_cut::SearchPass;
use crate::search::parallel::pool::ThreadPool;
use crate::search::parallel::registry::WorkerId;
use crate::search::parallel::split_point::{Place, SplitWorker};
use crate::search::solution::{Bounds, Config, Request, Solution, Window};
use crate::search::worker::Worker;
use crate::table::{Entry, TableError, hash};

/// Solves positions, one after the other, and keeps its tables between them. It may belong to a [`ThreadPool`] of several, each for a thread of
/// its own, which share a table and help each other.
#[derive(Debug)]
pub struct Searcher {
    crew: Arc<ThreadPool>,
    worker_id: WorkerId,
    local: LocalTables,
}

impl Searcher {
    /// A solver with fresh tables, alone in its crew.
    ///
    /// # Errors
    /// If the memory for the shared table cannot be had.
    pub fn new(config: Config) -> Result<Searcher, TableError> {
        Ok(Searcher::join(&Arc::new(ThreadPool::new(config, 1)?), 0))
    }

    /// Solvers that share a table and help each other, as many as `threads`.
    ///
    /// # Errors
    /// If the memory for the shared table cannot be had.
    pub fn crew(config: Config, threads: NonZeroUsize) -> Result<Vec<Searcher>, TableError> {
        let crew = Arc::new(ThreadPool::new(config, threads.get())?);
        Ok((0..threads.get()).map(|worker_id| Searcher::join(&crew, worker_id)).collect())
    }

    fn join(crew: &Arc<ThreadPool>, worker_id: WorkerId) -> Searcher {
        Searcher {
            crew: Arc::clone(crew),
            worker_id,
            local: LocalTables::new(crew.config.local_tables),
        }
    }

    /// What the solver shares with the others of its crew.
    pub fn shared(&self) -> &Arc<ThreadPool> {
        &self.crew
    }

    /// Bytes of the shared table.
    pub fn table_bytes(&self) -> u64 {
        self.crew.table.bytes()
    }

    /// A thread's search with this solver's tables.
    pub(in crate::search) fn worker(&mut self) -> Worker<'_> {
        let crew = &*self.crew;
        crew.account(self.worker_id).open(&Limits::NONE, crew.beginning());
        Worker {
            crew,
            place: Place::new(self.worker_id),
            task: self.worker_id,
            flushed: 0,
            flush_interval: 0,
            table: &crew.table,
            local: &mut self.local,
            evaluation: &crew.config.evaluation,
            parameters: &crew.parameters,
            nodes: NodeCounts::default(),
            #[cfg(feature = "stats")]
            statistics: Statistics::default(),
            round: SearchPass::Exact,
            generation: crew.table.next_generation(),
            guessed: false,
            sampler: None,
            #[cfg(feature = "record")]
            recorder: None,
            solid_keys: crew.config.solid_keys,
        }
    }

    /// The evaluation's value of a position by a search of `depth` plies, for the side to move, in units of 1 / [`UNIT`](crate::eval::UNIT)
    /// disc. A guess, and no more.
    pub fn estimate(&mut self, position: &Position, depth: u32) -> i32 {
        let features = Features::of(position);
        self.worker().depth_limited(
            position,
            &features,
            position.moves(),
            depth,
            -INFINITY,
            INFINITY,
        )
    }

    /// Solves a position, and gives about one in `one_in` of the boards that the search asked the evaluation about while it
    /// ordered moves. Boards may come more than once. They are what the evaluation is trained on.
    pub fn sample(&mut self, position: &Position, one_in: u64) -> Vec<Position> {
        let mut worker = self.worker();
        worker.sampler = Some(Sampler::new(one_in));
        worker.bounds(position, Window::FULL);
        worker.sampler.map_or_else(Vec::new, |sampler| sampler.positions)
    }

    /// Solves a position, and records what every move comes to at about one in `one_in[empties]` of the nodes of the exact round that
    /// try their moves; at none where that is 0, and at none with fewer than seven empties.
    #[cfg(feature = "record")]
    pub fn record(&mut self, position: &Position, one_in: &[u64; 65]) -> Recording {
        let mut worker = self.worker();
        worker.recorder = Some(Recorder::new(one_in));
        worker.bounds(position, Window::FULL);
        let records = worker.recorder.map_or_else(Vec::new, |recorder| recorder.records);
        Recording { records, nodes: worker.nodes.total() }
    }

    /// Solves one position.
    pub fn solve(&mut self, request: &Request) -> Solution {
        self.solve_within(request, &Limits::NONE)
    }

    /// Solves one position, or ends before when a limit is reached or the crew is told to stop; [`Solution::stopped`] tells.
    pub fn solve_within(&mut self, request: &Request, limits: &Limits) -> Solution {
        let mut worker = self.worker();
        worker.limit(limits);
        let position = &request.position;
        let bounds = worker.bounds(position, request.window);
        let before = worker.nodes.total();
        // Where the score is only known to be too low, no move is known to be better than the others.
        let best_move = if bounds.exact().is_some() || bounds.lower > request.window.alpha() {
            worker.move_with_score(position, bounds.lower.discs())
        } else if worker.place.quit {
            None
        } else {
            position.must_pass().then_some(Move::Pass)
        };
        let pv = match bounds.exact() {
            Some(score) => worker.line(position, best_move, score.discs()),
            None => best_move.into_iter().collect(),
        };
        let moves = if request.all_moves {
            worker.all_moves(position, request.window, bounds, best_move)
        } else {
            Vec::new()
        };
        worker.count_pass_nodes("line of play", before);
        // A limit that nobody met in time has ended nothing.
        let stopped = worker.account().stopped().filter(|_| worker.place.quit);
        Solution {
            bounds,
            best_move,
            pv,
            moves,
            nodes: worker.nodes.total(),
            profile: worker.nodes,
            stopped,
            #[cfg(feature = "stats")]
            statistics: worker.statistics,
        }
    }

    /// Helps the others of the crew, and sleeps while nobody needs help. Comes back when `enough` says so, which is asked before each
    /// sleep and after each [`ThreadPool::nudge`]; what was begun is finished first. It is asked while the crew's board is locked, so it must be quick,
    /// and must not ask anything of the crew.
    pub fn help(&mut self, enough: impl Fn() -> bool) {
        self.worker().help(enough);
    }

    /// Forgets everything, so that the next solve costs the same nodes as in a new solver.
    pub fn clear(&mut self) {
        self.crew.table.clear();
        self.local.clear();
    }
}

impl Worker<'_> {
    /// The score of a position within a window, or on which side of it the score lies.
    fn bounds(&mut self, position: &Position, window: Window) -> Bounds {
        self.bounds_within(position, window, (-64, 64))
    }

    /// The same for a position whose score is known to lie between two even bounds.
    ///
    /// The search may show more than it was asked: how much more depends on what the tables hold. Only what was asked is told, so that
    /// the answer is the same whatever they hold.
    fn bounds_within(
        &mut self,
        position: &Position,
        window: Window,
        (mut lower, mut upper): (i32, i32),
    ) -> Bounds {
        // In the search the edges of the scale are scores like any other, and must lie within the window.
        let alpha = if window.alpha() == Score::MIN { -65 } else { window.alpha().discs() };
        let beta = if window.beta() == Score::MAX { 65 } else { window.beta().discs() };
        if lower < upper && lower < beta && upper > alpha {
            // One beyond what is known, so that the bound itself can be told.
            let (from, to) = (alpha.max(lower - 1), beta.min(upper + 1));
            let answer = self.iterate_passes(position, from, to);
            if self.place.quit {
                return self.proven(position);
            }
            if answer > from {
                lower = lower.max(answer.min(beta + (beta & 1)));
            }
            if answer < to {
                upper = upper.min(answer.max(alpha - (alpha & 1)));
            }
        }
        Bounds { lower: Score::new(lower), upper: Score::new(upper) }
    }

    /// What the table knows of a position whose search was interrupted.
    fn proven(&self, position: &Position) -> Bounds {
        let entry =
            self.table.probe(hash(position), position, self.generation).unwrap_or(Entry::UNKNOWN);
        Bounds {
            lower: Score::new(i32::from(entry.lower)),
            upper: Score::new(i32::from(entry.upper)),
        }
    }

    /// A legal move that leads to at least `score`, which the position's score is known to be; none if the game is over, or the search is
    /// interrupted.
    fn move_with_score(&mut self, position: &Position, score: i32) -> Option<Move> {
        let moves = position.moves();
        if moves.is_empty() {
            return position.must_pass().then_some(Move::Pass);
        }
        let left = position.empties().count() - 1;
        let hash_moves = self
            .table
            .probe(hash(position), position, self.generation)
            .map_or([None; 2], |entry| entry.moves);
        let features = Features::of(position);
        let children = self.sorted_moves(position, &features, hash_moves, score - 1);
        let mut best = (i32::MIN, children[0].square);
        for mv in &children {
            let answer = -self.search(&mv.child, mv.replies, left, -score);
            if self.interrupted() {
                return None;
            }
            if answer > best.0 {
                best = (answer, mv.square);
            }
            if answer >= score {
                break;
            }
        }
        debug_assert!(best.0 >= score, "no move keeps {score} in {position:?}");
        Some(Move::Place(best.1))
    }

    /// Perfect play from `position`, whose score is `score`, to the end. `first` is the first move.
    fn line(&mut self, position: &Position, first: Option<Move>, score: i32) -> Vec<Move> {
        let (mut position, mut score, mut next) = (*position, score, first);
        let mut line = Vec::new();
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

    /// Every move's score, or its bounds where it lies outside the window; best first. The position's own bounds are known.
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
        // The scores of the children, seen by the other side, lie in the window turned round.
        let turned = Window::new(-window.beta(), -window.alpha())
            .expect("a window turned round is a window");
        for square in position.moves() {
            let child = position.after(square, position.flips(square));
            let known = (
                -bounds.upper.discs(),
                if best == Some(Move::Place(square)) { -bounds.lower.discs() } else { 64 },
            );
            let Bounds { lower, upper } = if self.place.quit {
                self.proven(&child)
            } else {
                self.bounds_within(&child, turned, known)
            };
            moves.push((Move::Place(square), Bounds { lower: -upper, upper: -lower }));
        }
        moves.sort_by_key(|&(mv, bounds)| {
            (-bounds.lower.discs(), -bounds.upper.discs(), best != Some(mv), mv)
        });
        moves
    }
}
