//! Dividing a node's moves among threads.
//!
//! Work is divided only when a thread is idle, and only at a node whose first move did not refute it: then it is
//! probably one that nothing refutes, so all its moves must be searched and nothing is wasted (*young brothers wait*;
//! Feldmann 1993). The node becomes a *split point*: its moves lie in the open, and its owner and the helpers take the
//! next one until none is left or one has refuted. Then a flag stops those who still work below it, wherever they are,
//! and what they had in hand is dropped.
//!
//! The owner does not sit by while helpers finish: it helps them, but only below its own split point, so that it is
//! back when they are (the *helpful master*; Edax and Stockfish do the same).
//!
//! # Nothing is missing from an answer
//! A helper that is called away drops a move that it has taken. It saw a flag above, or a limit, before it left the
//! split point, and its owner, who has waited for it to leave, looks at the same flags afterwards and sees them too: it
//! drops the whole node. So flags are never lowered while somebody works below them.
//!
//! This file knows how moves are shared out; what moves and answers are is the business of [`Work`] and [`SplitWorker`], which
//! the search implements in [`divide`](crate::search::parallel::split_node).

use crate::search::parallel::registry::{SplitPointId, SplitRegistry, WorkerId};
use crate::sync::{AtomicBool, AtomicU32, AtomicUsize, Mutex, Ordering};

/// No split point above.
const NONE: usize = usize::MAX;

/// What is done at a split point: a node's moves, and what they have come to.
pub(in crate::search) trait Work {
    /// What a helper must know of the node.
    type Node: Clone;
    type Move;
    type Answer;
    /// What helpers have spent on it.
    type Effort;

    fn node(&self) -> &Self::Node;

    /// How large the trees below its moves are: helpers go where they are largest.
    fn empties(&self) -> u32;

    /// How many moves nobody has taken.
    fn left(&self) -> usize;

    /// Takes the next move.
    fn take(&mut self) -> Option<Self::Move>;

    /// Notes a move's answer, and tells whether it refutes the node.
    fn note(&mut self, mv: &Self::Move, answer: Self::Answer) -> bool;

    /// Adds what a helper has spent.
    fn add(&mut self, spent: Self::Effort);
}

/// A node whose moves are divided.
#[derive(Debug)]
pub(in crate::search) struct SplitPoint<W> {
    /// Whether a thread owns it.
    taken: AtomicBool,
    /// Whether a move has refuted it, or its owner was called away: what is still searched below is in vain.
    refuted: AtomicBool,
    /// Whether moves are left to take.
    has_moves: AtomicBool,
    empties: AtomicU32,
    /// The split point below which this one lies; [`NONE`] if there is none.
    parent: AtomicUsize,
    work: Mutex<Option<W>>,
}

impl<W> Default for SplitPoint<W> {
    fn default() -> SplitPoint<W> {
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

impl<W: Work> SplitPoint<W> {
    /// Takes it, unless it is in use. Only its owner does.
    pub(in crate::search) fn take(&self) -> bool {
        !self.taken.swap(true, Ordering::Relaxed)
    }

    #[inline(always)]
    pub(in crate::search) fn has_cutoff(&self) -> bool {
        self.refuted.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(in crate::search) fn parent(&self) -> Option<SplitPointId> {
        let parent = self.parent.load(Ordering::Relaxed);
        (parent != NONE).then_some(parent)
    }

    pub(in crate::search) fn has_moves(&self) -> bool {
        self.has_moves.load(Ordering::Relaxed) && !self.has_cutoff()
    }

    pub(in crate::search) fn empties(&self) -> u32 {
        self.empties.load(Ordering::Relaxed)
    }

    /// Lays the work out. Its owner does, before anybody is called.
    pub(in crate::search) fn begin(&self, parent: Option<SplitPointId>, work: W) {
        self.empties.store(work.empties(), Ordering::Relaxed);
        self.parent.store(parent.unwrap_or(NONE), Ordering::Relaxed);
        self.refuted.store(false, Ordering::Relaxed);
        self.has_moves.store(true, Ordering::Relaxed);
        *self.work.lock() = Some(work);
    }

    /// Takes the work away. Its owner does, when nobody else is there.
    fn end(&self) -> W {
        let work = self.work.lock().take().expect("the owner alone ends it");
        self.taken.store(false, Ordering::Relaxed);
        work
    }

    /// Does `what` with the work.
    ///
    /// # Panics
    /// If there is none: nobody comes here before its owner has begun it, nor after it has ended it.
    fn with<R>(&self, what: impl FnOnce(&mut W) -> R) -> R {
        what(self.work.lock().as_mut().expect("the owner waits for its helpers"))
    }

    /// The next move to search, if any is wanted.
    fn next_move(&self) -> Option<W::Move> {
        self.with(|work| {
            let mv = if self.has_cutoff() { None } else { work.take() };
            self.has_moves.store(mv.is_some() && work.left() > 0, Ordering::Relaxed);
            mv
        })
    }

    /// Notes a move's answer, unless another move has refuted.
    fn note(&self, mv: &W::Move, answer: W::Answer) {
        self.with(|work| {
            if !self.has_cutoff() && work.note(mv, answer) {
                self.refute();
            }
        });
    }

    fn refute(&self) {
        self.refuted.store(true, Ordering::Relaxed);
    }
}

/// Where a thread is.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct WorkerState {
    pub(in crate::search) worker_id: WorkerId,
    /// The innermost split point at which or below which it works.
    pub(in crate::search) split: Option<SplitPointId>,
    /// Whether its work is in vain.
    pub(in crate::search) aborted: bool,
}

impl WorkerState {
    /// The thread on `seat`, with work of its own.
    pub(in crate::search) fn new(worker_id: WorkerId) -> WorkerState {
        WorkerState { worker_id, split: None, aborted: false }
    }
}

/// A thread that divides its work and helps others with theirs.
pub(in crate::search) trait SplitWorker<'a> {
    type Work: Work + 'a;

    fn registry(&self) -> &'a SplitRegistry<Self::Work>;

    fn state(&mut self) -> &mut WorkerState;

    /// Whether a limit ends the search that it works for. Once it does, it does until that search is over.
    fn budget_is_spent(&self) -> bool;

    /// Searches a move. If it is [interrupted](SplitWorker::interrupted) meanwhile, the answer means nothing.
    fn search_move(
        &mut self,
        node: &<Self::Work as Work>::Node,
        mv: &<Self::Work as Work>::Move,
    ) -> <Self::Work as Work>::Answer;

    /// Does `what` for another thread's node, and tells what was spent on it. What this thread was about is put aside
    /// meanwhile.
    fn search_for_owner(
        &mut self,
        node: &<Self::Work as Work>::Node,
        what: impl FnOnce(&mut Self),
    ) -> <Self::Work as Work>::Effort;

    /// Whether this thread's work is in vain: a limit is reached, or a split point above it was refuted. Then
    /// everything returns at once, with answers that mean nothing.
    #[inline(always)]
    fn should_abort(&mut self) -> bool {
        let WorkerState { split, aborted, .. } = *self.state();
        let aborted = aborted || self.budget_is_spent() || self.registry().has_cutoff(split);
        self.state().aborted = aborted;
        aborted
    }

    /// Has a node's moves searched by this thread and idle ones together; `work` lays them out. None if nobody is idle
    /// who may help. If the answer is in vain, `quit` says so afterwards.
    fn share(
        &mut self,
        node: &<Self::Work as Work>::Node,
        work: impl FnOnce() -> Self::Work,
    ) -> Option<Self::Work> {
        let board = self.registry();
        let WorkerState { worker_id, split: parent, .. } = *self.state();
        let split = board.open(worker_id, parent, work)?;
        let point = board.split_point(split);
        self.state().split = Some(split);
        self.take_moves(split, node);
        board.close(split);
        if self.state().aborted {
            // Refuted, or called away from above: so are the helpers, who would find out by themselves.
            point.refute();
        }
        self.state().aborted = false;
        while let Some(other) = board.wait_for_helpers(worker_id, split) {
            self.join(other);
        }
        self.state().split = parent;
        let work = point.end();
        self.should_abort();
        Some(work)
    }

    /// Takes moves of a split point and searches them until there are none, or until it is in vain.
    fn take_moves(&mut self, split: SplitPointId, node: &<Self::Work as Work>::Node) {
        let point = self.registry().split_point(split);
        while let Some(mv) = point.next_move() {
            let answer = self.search_move(node, &mv);
            if self.should_abort() {
                break;
            }
            point.note(&mv, answer);
        }
    }

    /// Helps at another's split point, to which it was called.
    fn join(&mut self, split: SplitPointId) {
        let board = self.registry();
        let point = board.split_point(split);
        let node = point.with(|work| work.node().clone());
        let mine = *self.state();
        *self.state() = WorkerState { split: Some(split), aborted: false, ..mine };
        let spent = self.search_for_owner(&node, |hand| hand.take_moves(split, &node));
        point.with(|work| work.add(spent));
        board.leave(split);
        *self.state() = mine;
    }

    /// Helps whoever needs it, and sleeps while nobody does, until `enough` says so.
    fn help(&mut self, enough: impl Fn() -> bool) {
        let worker_id = self.state().worker_id;
        while let Some(split) = self.registry().wait(worker_id, &enough) {
            self.join(split);
        }
    }
}
