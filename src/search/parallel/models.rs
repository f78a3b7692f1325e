//! Models of parallel search: every order in which threads may join a split point, take its moves
//! and leave ([`crate::sync`]). The registry, the split points and the budgets are those of the
//! search. The tree that is searched has a few nodes.
//!
//! A model fails on a wrong score, on a move that no worker or more than one searched, on a worker
//! at a split point that is finished, and on a deadlock or lost wake-up.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use crate::search::limits::{Budget, Limits, StopReason};
use crate::search::parallel::registry::{SplitRegistry, WorkerId};
use crate::search::parallel::split_point::{SplitWork, SplitWorker, WorkerState};
use crate::sync::model::{check_interleavings, thread};
use crate::sync::{AtomicBool, Ordering};

/// A node: its moves, in the order in which they are searched.
#[derive(Debug)]
struct Tree(&'static [Move]);

#[derive(Debug)]
enum Move {
    /// An index of its own, and the score for the side that makes the move.
    Leaf(usize, i32),
    Inner(&'static Tree),
}
use Move::{Inner, Leaf};

/// The result of an aborted search. It is no score, so that its use is detected.
const ABORTED: i32 = 1000;

impl Move {
    /// The score by a plain negamax search.
    fn score(&self) -> i32 {
        match self {
            Leaf(_, score) => *score,
            Inner(tree) => -tree.score(),
        }
    }
}

impl Tree {
    fn score(&self) -> i32 {
        self.0.iter().map(Move::score).max().expect("a move")
    }

    /// The number of nodes on the longest path: split points may be that deep.
    fn height(&self) -> u32 {
        let below = |mv: &Move| if let Inner(tree) = mv { tree.height() } else { 0 };
        1 + self.0.iter().map(below).max().unwrap_or(0)
    }
}

/// The data that the threads of a model share.
struct Shared {
    registry: SplitRegistry<ModelWork>,
    budget: Budget,
    abort_flag: AtomicBool,
    done: AtomicBool,
    started: Instant,
    /// How often each leaf was searched. Read when all threads have ended.
    searched: [AtomicUsize; 8],
    events: Arc<Events>,
}

/// How often each event happened, over all orders. A model in which none happens proves nothing.
#[derive(Debug, Default)]
struct Events {
    /// A node was split.
    splits: AtomicUsize,
    /// A node was split below a split point.
    nested_splits: AtomicUsize,
    /// The owner of a split point helped below it.
    owner_helped: AtomicUsize,
    /// A search was aborted, and its result dropped.
    aborts: AtomicUsize,
}

fn count(event: &AtomicUsize) {
    event.fetch_add(1, Ordering::Relaxed);
}

#[derive(Clone, Copy)]
struct Node {
    tree: &'static Tree,
    alpha: i32,
}

impl Node {
    /// Asserts that a bound, which the search would store in its table, is correct.
    fn checked(self, bound: i32) -> i32 {
        let score = self.tree.score();
        let correct = if bound > self.alpha { score >= bound } else { score <= bound };
        assert!(
            correct,
            "bound {bound} of {:?}, alpha {}, whose score is {score}",
            self.tree, self.alpha
        );
        bound
    }
}

struct ModelWork {
    node: Node,
    left: &'static [Move],
    best: i32,
    effort: u64,
}

impl SplitWork for ModelWork {
    type Context = Node;
    type Move = &'static Move;
    type MoveResult = i32;
    type Effort = u64;

    fn context(&self) -> &Node {
        &self.node
    }

    fn empties(&self) -> u32 {
        self.node.tree.height()
    }

    fn moves_left(&self) -> usize {
        self.left.len()
    }

    fn take_move(&mut self) -> Option<&'static Move> {
        let (first, left) = self.left.split_first()?;
        self.left = left;
        Some(first)
    }

    fn add_result(&mut self, mv: &&'static Move, bound: i32) -> bool {
        assert!(bound.abs() < ABORTED, "the result of an aborted search is added");
        assert!(
            self.node.tree.0.iter().any(|own| std::ptr::eq(own, *mv)),
            "the result of another node's move is added"
        );
        self.best = self.best.max(bound);
        bound > self.node.alpha
    }

    fn add_effort(&mut self, effort: u64) {
        self.effort += effort;
    }
}

/// A thread of a model.
struct ModelWorker<'a> {
    shared: &'a Shared,
    state: WorkerState,
    /// The number of leaves that it has searched.
    effort: u64,
}

impl<'a> SplitWorker<'a> for ModelWorker<'a> {
    type Work = ModelWork;

    fn registry(&self) -> &'a SplitRegistry<ModelWork> {
        &self.shared.registry
    }

    fn state(&mut self) -> &mut WorkerState {
        &mut self.state
    }

    fn budget_is_spent(&self) -> bool {
        self.shared.budget.stop_reason().is_some()
    }

    fn search_move(&mut self, node: &Node, mv: &&'static Move) -> i32 {
        match mv {
            Leaf(index, score) => {
                let shared = self.shared;
                shared.searched[*index].fetch_add(1, Ordering::Relaxed);
                self.effort += 1;
                shared.budget.add_nodes(1, shared.started, &shared.abort_flag);
                *score
            }
            Inner(tree) => -self.search(&Node { tree, alpha: !node.alpha }),
        }
    }

    fn search_for_owner(&mut self, _: &Node, search: impl FnOnce(&mut Self)) -> u64 {
        if self.state.worker_id == 0 {
            count(&self.shared.events.owner_helped);
        }
        let own = std::mem::take(&mut self.effort);
        search(self);
        std::mem::replace(&mut self.effort, own)
    }
}

impl<'a> ModelWorker<'a> {
    fn new(shared: &'a Shared, worker_id: WorkerId) -> ModelWorker<'a> {
        ModelWorker { shared, state: WorkerState::new(worker_id), effort: 0 }
    }

    /// Searches a node as the search does: the first move alone, the others with idle workers.
    fn search(&mut self, node: &Node) -> i32 {
        if self.should_abort() {
            return ABORTED;
        }
        let moves = node.tree.0;
        let mut best = -ABORTED;
        for (i, mv) in moves.iter().enumerate() {
            let left = &moves[i..];
            if i > 0 && left.len() >= 2 && self.registry().has_idle_workers() {
                let work = || ModelWork { node: *node, left, best, effort: 0 };
                let nested = self.state.split_point.is_some();
                if let Some(work) = self.split(node, work) {
                    let events = &self.shared.events;
                    count(if nested { &events.nested_splits } else { &events.splits });
                    self.effort += work.effort;
                    return if self.state.aborted { ABORTED } else { node.checked(work.best) };
                }
            }
            let bound = self.search_move(node, &mv);
            if self.should_abort() {
                count(&self.shared.events.aborts);
                return ABORTED;
            }
            best = best.max(bound);
            if best > node.alpha {
                break;
            }
        }
        node.checked(best)
    }
}

/// When helpers are made to leave.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HelpersLeave {
    /// When the search has ended.
    AtTheEnd,
    /// At any time.
    AtAnyTime,
}

/// Searches a tree by one owner and this many `helpers`, in every order, and checks the results.
/// `limit` is a node limit.
fn model(
    preemptions: usize,
    helpers: usize,
    node: Node,
    limit: Option<u64>,
    leave: HelpersLeave,
) -> Arc<Events> {
    let events = Arc::<Events>::default();
    let all_events = Arc::clone(&events);
    check_interleavings(preemptions, move || {
        let shared = Arc::new(Shared {
            registry: SplitRegistry::new(1 + helpers),
            budget: Budget::default(),
            abort_flag: AtomicBool::new(false),
            done: AtomicBool::new(false),
            started: Instant::now(),
            searched: Default::default(),
            events: Arc::clone(&all_events),
        });
        shared.budget.start(&Limits { nodes: limit, time: None }, shared.started);
        let helpers = (1..=helpers).map(|worker_id| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                ModelWorker::new(&shared, worker_id)
                    .help(|| shared.done.load(Ordering::Relaxed), |_| ())
            })
        });
        let mut others: Vec<_> = helpers.collect();
        let release_helpers = {
            let shared = Arc::clone(&shared);
            move || {
                shared.done.store(true, Ordering::Relaxed);
                shared.registry.wake_all();
            }
        };
        // Without an idle worker nothing is split.
        while !shared.registry.has_idle_workers() {
            thread::yield_now();
        }
        if leave == HelpersLeave::AtAnyTime {
            others.push(thread::spawn(release_helpers.clone()));
        }
        let mut owner = ModelWorker::new(&shared, 0);
        let bound = owner.search(&node);
        let (aborted, effort) = (owner.should_abort(), owner.effort);
        if leave == HelpersLeave::AtTheEnd {
            release_helpers();
        }
        others.into_iter().for_each(|other| other.join().expect("a thread of the model"));

        let searched = shared.searched.each_ref().map(|leaf| leaf.load(Ordering::Relaxed));
        assert_eq!(effort, searched.iter().sum::<usize>() as u64, "the effort: {searched:?}");
        assert!(searched.iter().all(|&times| times <= 1), "a move is searched twice: {searched:?}");
        if aborted {
            assert_eq!(shared.budget.stop_reason(), Some(StopReason::Nodes));
            assert!(limit.is_some_and(|limit| effort >= limit));
            return;
        }
        if bound <= node.alpha {
            check_all_searched(node, &searched);
        }
    });
    assert!(events.splits.load(Ordering::Relaxed) > 0);
    events
}

/// Whether an event happened. Without loom, a few hundred random orders may miss it.
fn happened(event: &AtomicUsize) -> bool {
    event.load(Ordering::Relaxed) > 0 || cfg!(not(loom))
}

/// Asserts that every leaf below an all-node was searched.
fn check_all_searched(node: Node, searched: &[usize]) {
    for mv in node.tree.0 {
        if let Leaf(index, _) = mv {
            assert_eq!(searched[*index], 1, "leaf {index} of {searched:?}");
        }
    }
}

/// At an all-node every move is taken once.
#[test]
fn moves_are_taken_once() {
    static TREE: Tree = Tree(&[Leaf(0, -4), Leaf(1, -2), Leaf(2, -6), Leaf(3, 0)]);
    model(3, 1, Node { tree: &TREE, alpha: 1 }, None, HelpersLeave::AtTheEnd);
    model(2, 2, Node { tree: &TREE, alpha: 1 }, None, HelpersLeave::AtTheEnd);
}

/// A helper is assigned and made to leave at the same time: it helps first, and leaves afterwards.
#[test]
fn an_assigned_worker_joins() {
    static TREE: Tree = Tree(&[Leaf(0, -4), Leaf(1, -2), Leaf(2, -6)]);
    model(3, 1, Node { tree: &TREE, alpha: 1 }, None, HelpersLeave::AtAnyTime);
}

/// One worker splits two nodes, one after the other: the second split uses the split point of the
/// first, which had a cut-off.
#[test]
fn a_split_point_is_used_again() {
    static FIRST: Tree = Tree(&[Leaf(0, -4), Leaf(1, -6), Leaf(2, -2)]);
    static SECOND: Tree = Tree(&[Leaf(3, -8), Leaf(4, -4), Leaf(5, -6)]);
    static TREE: Tree = Tree(&[Inner(&FIRST), Inner(&SECOND)]);
    model(3, 1, Node { tree: &TREE, alpha: 2 }, None, HelpersLeave::AtTheEnd);
}

/// A move fails high while the subtree of another is searched, which is split too: the result of
/// that subtree is dropped. In that subtree a move fails high as well.
#[test]
fn a_cutoff_aborts_the_searches_below() {
    static BELOW: Tree = Tree(&[Leaf(1, -8), Leaf(2, -10), Leaf(3, -4)]);
    static TREE: Tree = Tree(&[Leaf(0, -4), Inner(&BELOW), Leaf(4, 8), Leaf(5, 6)]);
    let node = Node { tree: &TREE, alpha: 5 };
    let events = [1, 2].map(|helpers| model(2, helpers, node, None, HelpersLeave::AtTheEnd));
    assert!(events.iter().all(|events| happened(&events.aborts)), "{events:?}");
    assert!(happened(&events[1].nested_splits), "{events:?}");
}

/// The owner has no moves left while its helper splits its own subtree: the owner helps there, and
/// goes on with its node afterwards.
#[test]
fn an_owner_helps_below_its_own_split_point() {
    static DEEPER: Tree = Tree(&[Leaf(1, -2), Leaf(2, -4), Leaf(3, -6)]);
    static BELOW: Tree = Tree(&[Inner(&DEEPER)]);
    static TREE: Tree = Tree(&[Leaf(0, -4), Inner(&BELOW), Leaf(4, -2)]);
    let node = Node { tree: &TREE, alpha: 5 };
    let events = [1, 2].map(|helpers| model(2, helpers, node, None, HelpersLeave::AtTheEnd));
    assert!(
        events
            .iter()
            .all(|events| { happened(&events.nested_splits) && happened(&events.owner_helped) }),
        "{events:?}"
    );
}

/// One worker reaches the node limit: no result misses the moves that others drop because of it.
#[test]
fn a_limit_aborts_all_workers() {
    static BELOW: Tree = Tree(&[Leaf(1, -8), Leaf(2, -10), Leaf(3, -4)]);
    static TREE: Tree = Tree(&[Leaf(0, -4), Inner(&BELOW), Leaf(4, -2), Leaf(5, 0)]);
    let node = Node { tree: &TREE, alpha: 5 };
    let events = [(1, 3), (2, 4)]
        .map(|(helpers, limit)| model(2, helpers, node, Some(limit), HelpersLeave::AtTheEnd));
    assert!(events.iter().all(|events| happened(&events.aborts)), "{events:?}");
}
