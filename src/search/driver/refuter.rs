//! One move that proves a bound: what a certificate has at each position of the side that wins.
//!
//! The transposition tables mostly have the move, or the bounds of the positions after it: the
//! search that found the score has left them there. What is missing is searched again, by the same
//! null windows.

use crate::eval::Features;
use crate::othello::{Position, Square};
use crate::search::constants::DEEP_EMPTIES;
use crate::search::local_tables::Key;
use crate::search::parallel::split_point::SplitWorker;
use crate::search::worker::Worker;
use crate::table::hash;

/// A search for single moves that prove a bound.
pub(crate) struct Refuter<'a>(Worker<'a>);

impl<'a> Refuter<'a> {
    pub(super) fn new(worker: Worker<'a>) -> Refuter<'a> {
        Refuter(worker)
    }

    /// The nodes that were searched.
    pub(crate) fn nodes(&self) -> u64 {
        self.0.nodes.total()
    }

    /// Whether the thread pool is aborted.
    pub(crate) fn is_aborted(&self) -> bool {
        self.0.pool.is_aborted()
    }

    /// A move after which the side to move gets at least `score`, an even number. `None` if the
    /// search is aborted, or if there is no such move.
    pub(crate) fn find(&mut self, position: &Position, score: i32) -> Option<Square> {
        let worker = &mut self.0;
        let empties = position.empties().count();
        for square in worker.stored_moves(position, empties).into_iter().flatten() {
            if worker.proves(position, square, score) {
                return Some(square);
            }
        }
        if empties < DEEP_EMPTIES {
            // This puts the move into the local table, unless stable discs answer at once.
            worker.search(position, position.moves().0, empties, score - 1);
            for square in worker.stored_moves(position, empties).into_iter().flatten() {
                if worker.proves(position, square, score) {
                    return Some(square);
                }
            }
        }
        let features = Features::of(position);
        for mv in &worker.sorted_moves(position, &features, [None; 2], score - 1) {
            let value = -worker.search(&mv.child, mv.replies, empties - 1, -score);
            if worker.should_abort() {
                return None;
            }
            if value >= score {
                return Some(mv.square);
            }
        }
        None
    }
}

impl Worker<'_> {
    /// The hash moves of a position.
    fn stored_moves(&self, position: &Position, empties: u32) -> [Option<Square>; 2] {
        if empties >= DEEP_EMPTIES {
            let entry = self.table.probe(hash(position), position, self.generation);
            entry.map_or([None; 2], |entry| entry.moves)
        } else {
            let key = Key::new(position, self.normalise_keys);
            let number = key.hash_move(self.local.of(empties));
            [number.and_then(|number| position.empties().with_rank(number)), None]
        }
    }

    /// Whether the side to move gets at least `score` by a move, which may be illegal. If the
    /// search is aborted, it does not.
    fn proves(&mut self, position: &Position, square: Square, score: i32) -> bool {
        let Some(child) = position.play(square) else { return false };
        let value = -self.search(&child, child.moves().0, child.empties().count(), -score);
        value >= score && !self.should_abort()
    }
}
