//! Dividing a node's moves among threads.
//!
//! Work is divided only when a thread is idle, and only at a node whose first move did not refute it: then it is probably one that nothing
//! refutes, so all its moves must be searched and nothing is wasted (*young brothers wait*; Feldmann 1993). The node becomes a *split
//! point*: its moves lie in the open, ordered, and its owner and the helpers take the next one until none is left or one has refuted. Then a flag
//! stops those who still work below it, wherever they are, and what they had in hand is dropped.
//!
//! The owner does not sit by while helpers finish: it helps them, but only below its own split point, so that it is back when they are
//! (the *helpful master*; Edax and Stockfish do the same).

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::crew::{SeatId, SplitId};
use super::likely::Round;
use super::nodes::NodeCounts;
use super::ordering::{Scored, Scores, select};
#[cfg(feature = "stats")]
use super::statistics::Statistics;
use super::worker::Worker;
use crate::eval::Features;
use crate::othello::{Position, Square};

/// No split point above.
const NONE: usize = usize::MAX;

/// A node whose moves are divided.
#[derive(Debug)]
pub(super) struct SplitPoint {
    /// Whether a thread owns it.
    taken: AtomicBool,
    /// Whether a move has refuted it, or its owner was called away: what is still searched below is in vain.
    refuted: AtomicBool,
    /// Whether moves are left to take.
    has_moves: AtomicBool,
    empties: AtomicU32,
    /// The split point below which this one lies; [`NONE`] if there is none.
    parent: AtomicUsize,
    work: Mutex<Option<Work>>,
}

/// What is done at a split point.
#[derive(Debug)]
struct Work {
    node: Divided,
    moves: Scores,
    /// The moves before this one are taken.
    next: usize,
    answer: Joint,
    /// What the helpers searched.
    nodes: NodeCounts,
    #[cfg(feature = "stats")]
    statistics: Statistics,
}

/// The node that is divided.
#[derive(Clone, Debug)]
pub(super) struct Divided {
    pub(super) position: Position,
    pub(super) features: Features,
    pub(super) empties: u32,
    pub(super) alpha: i32,
    /// Whose position it belongs to.
    task: SeatId,
    round: Round,
    generation: u8,
}

/// What a node's moves have come to so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    pub(super) best: i32,
    pub(super) best_move: Option<Square>,
    /// Whether an answer rests on a guess: of those at or below alpha any, of one above alpha itself.
    pub(super) guessed: bool,
}

impl Default for SplitPoint {
    fn default() -> SplitPoint {
        SplitPoint {
            taken: AtomicBool::new(false),
            refuted: AtomicBool::new(false),
            has_moves: AtomicBool::new(false),
            empties: AtomicU32::new(0),
            parent: AtomicUsize::new(NONE),
            work: Mutex::new(None),
        }
    }
}

impl SplitPoint {
    /// Takes it, unless it is in use. Only its owner does.
    pub(super) fn take(&self) -> bool {
        !self.taken.swap(true, Ordering::Relaxed)
    }

    #[inline(always)]
    pub(super) fn is_refuted(&self) -> bool {
        self.refuted.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(super) fn parent(&self) -> Option<SplitId> {
        let parent = self.parent.load(Ordering::Relaxed);
        (parent != NONE).then_some(parent)
    }

    pub(super) fn has_moves(&self) -> bool {
        self.has_moves.load(Ordering::Relaxed) && !self.is_refuted()
    }

    pub(super) fn empties(&self) -> u32 {
        self.empties.load(Ordering::Relaxed)
    }

    fn begin(&self, parent: Option<SplitId>, work: Work) {
        self.empties.store(work.node.empties, Ordering::Relaxed);
        self.parent.store(parent.unwrap_or(NONE), Ordering::Relaxed);
        self.refuted.store(false, Ordering::Relaxed);
        self.has_moves.store(true, Ordering::Relaxed);
        *self.work.lock() = Some(work);
    }

    /// Does `what` with the work.
    ///
    /// # Panics
    /// If there is none: nobody comes here before its owner has begun it, nor after it has ended it.
    fn with<R>(&self, what: impl FnOnce(&mut Work) -> R) -> R {
        what(self.work.lock().as_mut().expect("the owner waits for its helpers"))
    }

    /// The next move to search, if any is wanted.
    fn next_move(&self) -> Option<Scored> {
        self.with(|work| {
            if self.is_refuted() || work.next == work.moves.len() {
                self.has_moves.store(false, Ordering::Relaxed);
                return None;
            }
            work.next += 1;
            self.has_moves.store(work.next < work.moves.len(), Ordering::Relaxed);
            Some(select(&mut work.moves, work.next - 1))
        })
    }

    /// Notes a move's answer.
    fn note(&self, mv: Square, answer: i32, guessed: bool) {
        self.with(|work| {
            if self.is_refuted() {
                return;
            }
            let joint = &mut work.answer;
            if answer > joint.best {
                (joint.best, joint.best_move) = (answer, Some(mv));
            }
            if answer > work.node.alpha {
                joint.guessed = guessed;
                self.refuted.store(true, Ordering::Relaxed);
            } else {
                joint.guessed |= guessed;
            }
        });
    }
}

impl Worker<'_> {
    /// Whether the moves that are left at a node, of which one was tried, may be divided now.
    #[inline(always)]
    pub(super) fn may_divide(&self, empties: u32, moves: usize) -> bool {
        empties >= self.crew.config.split_empties && moves >= 2 && self.crew.anybody_idle()
    }

    /// Searches the moves from `from` on together with idle threads; `joint` is what those before have come to. None if nobody is idle
    /// who may help. If the answer is in vain, `quit` says so afterwards.
    #[inline(never)]
    pub(super) fn divide(
        &mut self,
        (position, features): (&Position, &Features),
        moves: &[Scored],
        (empties, alpha): (u32, i32),
        joint: Joint,
    ) -> Option<Joint> {
        let node = Divided {
            position: *position,
            features: *features,
            empties,
            alpha,
            task: self.task,
            round: self.round,
            generation: self.generation,
        };
        let parent = self.split;
        let begin = |point: &SplitPoint| {
            let work = Work {
                node: node.clone(),
                moves: moves.iter().copied().collect(),
                next: 0,
                answer: joint,
                nodes: NodeCounts::default(),
                #[cfg(feature = "stats")]
                statistics: Statistics::default(),
            };
            point.begin(parent, work);
        };
        let split = self.crew.open(self.seat, parent, moves.len(), begin)?;
        let point = self.crew.split_point(split);
        self.split = Some(split);
        self.take_moves(split, &node);
        self.crew.close(split);
        if self.quit && !point.is_refuted() {
            // Called away from above: so are the helpers, who would find out by themselves.
            point.refuted.store(true, Ordering::Relaxed);
        }
        self.quit = false;
        while let Some(other) = self.crew.wait_for_helpers(self.seat, split) {
            self.join(other);
        }
        self.split = parent;
        let work = point.work.lock().take().expect("the owner alone ends it");
        point.taken.store(false, Ordering::Relaxed);
        self.nodes.add(&work.nodes);
        // The helpers have told of their own nodes.
        self.told += work.nodes.total();
        #[cfg(feature = "stats")]
        self.statistics.add(&work.statistics);
        self.interrupted();
        Some(work.answer)
    }

    /// Takes moves of a split point and searches them until there are none, or until it is in vain.
    fn take_moves(&mut self, split: SplitId, node: &Divided) {
        let point = self.crew.split_point(split);
        while let Some(mv) = point.next_move() {
            let answer = -self.search_child(&node.position, &node.features, &mv, !node.alpha);
            if self.interrupted() {
                break;
            }
            point.note(mv.square, answer, self.guessed);
        }
    }

    /// Helps at another's split point.
    pub(super) fn join(&mut self, split: SplitId) {
        let point = self.crew.split_point(split);
        let node = point.with(|work| work.node.clone());
        // What this thread was about is put aside.
        let mine = (self.split, self.task, self.round, self.generation, self.told, self.quit);
        let nodes = std::mem::take(&mut self.nodes);
        #[cfg(feature = "stats")]
        let statistics = std::mem::take(&mut self.statistics);
        (self.split, self.task, self.round, self.generation, self.told, self.quit) =
            (Some(split), node.task, node.round, node.generation, 0, false);
        self.take_moves(split, &node);
        let total = self.nodes.total();
        self.tell_all_nodes(total);
        point.with(|work| {
            work.nodes.add(&self.nodes);
            #[cfg(feature = "stats")]
            work.statistics.add(&self.statistics);
        });
        self.crew.leave(split);
        self.nodes = nodes;
        #[cfg(feature = "stats")]
        {
            self.statistics = statistics;
        }
        (self.split, self.task, self.round, self.generation, self.told, self.quit) = mine;
    }
}
