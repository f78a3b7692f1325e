//! Every order in which threads may come to a split point, share its moves, and leave ([`crate::sync`]): the board, the
//! split points and the accounts are those of the search, what is searched is a tree of a few nodes.
//!
//! A model fails on a wrong answer, on a move that nobody searched or that two did, on a thread that comes to a split
//! point after its end, and on threads that wait for each other, a lost wake-up among them.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use crate::search::limits::{Budget, Limits, StopReason};
use crate::search::parallel::registry::{SplitRegistry, WorkerId};
use crate::search::parallel::split_point::{SplitWorker, Work, WorkerState};
use crate::sync::model::{thread, try_orders};
use crate::sync::{AtomicBool, Ordering};

/// A node: its moves' answers, or what they lead to.
#[derive(Debug)]
struct Tree(&'static [Move]);

#[derive(Debug)]
enum Move {
    /// A number of its own, and what it is worth to the side that makes it.
    Leaf(usize, i32),
    Inner(&'static Tree),
}
use Move::{Inner, Leaf};

/// The answer of a search that was interrupted: whoever believes it is found out.
const ABORTED: i32 = 1000;

impl Move {
    /// The value by a plain negamax.
    fn value(&self) -> i32 {
        match self {
            Leaf(_, value) => *value,
            Inner(tree) => -tree.value(),
        }
    }
}

impl Tree {
    fn value(&self) -> i32 {
        self.0.iter().map(Move::value).max().expect("a move")
    }

    /// How many splits may lie below each other here.
    fn height(&self) -> u32 {
        let below = |mv: &Move| if let Inner(tree) = mv { tree.height() } else { 0 };
        1 + self.0.iter().map(below).max().unwrap_or(0)
    }
}

/// What the threads of a model share.
struct World {
    registry: SplitRegistry<Job>,
    budget: Budget,
    called: AtomicBool,
    done: AtomicBool,
    beginning: Instant,
    /// How often each leaf was searched. No thread looks at it before all are done.
    searched: [AtomicUsize; 8],
    seen: Arc<Seen>,
}

/// What was met in one order or another, and how often: a model in which nothing happens shows nothing.
#[derive(Debug, Default)]
struct Seen {
    /// Nodes were divided.
    divided: AtomicUsize,
    /// Nodes were divided below a split point.
    divided_below: AtomicUsize,
    /// The owner of a split point helped below it.
    owner_helped: AtomicUsize,
    /// A thread was called away, and what it had in hand was dropped.
    dropped: AtomicUsize,
}

fn note(seen: &AtomicUsize) {
    seen.fetch_add(1, Ordering::Relaxed);
}

#[derive(Clone, Copy)]
struct Node {
    tree: &'static Tree,
    alpha: i32,
}

impl Node {
    /// An answer that the search would note in its table.
    fn believed(self, answer: i32) -> i32 {
        let value = self.tree.value();
        let right = if answer > self.alpha { value >= answer } else { value <= answer };
        assert!(
            right,
            "{answer} is believed of {:?}, alpha {}, which is worth {value}",
            self.tree, self.alpha
        );
        answer
    }
}

struct Job {
    node: Node,
    left: &'static [Move],
    best: i32,
    spent: u64,
}

impl Work for Job {
    type Node = Node;
    type Move = &'static Move;
    type Answer = i32;
    type Effort = u64;

    fn node(&self) -> &Node {
        &self.node
    }

    fn empties(&self) -> u32 {
        self.node.tree.height()
    }

    fn left(&self) -> usize {
        self.left.len()
    }

    fn take(&mut self) -> Option<&'static Move> {
        let (first, left) = self.left.split_first()?;
        self.left = left;
        Some(first)
    }

    fn note(&mut self, mv: &&'static Move, answer: i32) -> bool {
        assert!(answer.abs() < ABORTED, "an answer of an interrupted search is noted");
        assert!(
            self.node.tree.0.iter().any(|own| std::ptr::eq(own, *mv)),
            "another node's move is noted"
        );
        self.best = self.best.max(answer);
        answer > self.node.alpha
    }

    fn add(&mut self, spent: u64) {
        self.spent += spent;
    }
}

/// A thread of a model.
struct Toy<'a> {
    world: &'a World,
    state: WorkerState,
    /// The leaves that it has searched.
    spent: u64,
}

impl<'a> SplitWorker<'a> for Toy<'a> {
    type Work = Job;

    fn registry(&self) -> &'a SplitRegistry<Job> {
        &self.world.registry
    }

    fn state(&mut self) -> &mut WorkerState {
        &mut self.state
    }

    fn budget_is_spent(&self) -> bool {
        self.world.budget.stopped().is_some()
    }

    fn search_move(&mut self, node: &Node, mv: &&'static Move) -> i32 {
        match mv {
            Leaf(number, value) => {
                self.world.searched[*number].fetch_add(1, Ordering::Relaxed);
                self.spent += 1;
                self.world.budget.add(1, self.world.beginning, &self.world.called);
                *value
            }
            Inner(tree) => -self.search(&Node { tree, alpha: !node.alpha }),
        }
    }

    fn search_for_owner(&mut self, _: &Node, what: impl FnOnce(&mut Self)) -> u64 {
        if self.state.worker_id == 0 {
            note(&self.world.seen.owner_helped);
        }
        let mine = std::mem::take(&mut self.spent);
        what(self);
        std::mem::replace(&mut self.spent, mine)
    }
}

impl<'a> Toy<'a> {
    fn new(world: &'a World, worker_id: WorkerId) -> Toy<'a> {
        Toy { world, state: WorkerState::new(worker_id), spent: 0 }
    }

    /// A node, as the search does it: the first move alone, the others together with whoever is idle.
    fn search(&mut self, node: &Node) -> i32 {
        if self.should_abort() {
            return ABORTED;
        }
        let moves = node.tree.0;
        let mut best = -ABORTED;
        for (i, mv) in moves.iter().enumerate() {
            let left = &moves[i..];
            if i > 0 && left.len() >= 2 && self.registry().has_idle_workers() {
                let work = || Job { node: *node, left, best, spent: 0 };
                let below = self.state.split.is_some();
                if let Some(job) = self.share(node, work) {
                    note(if below {
                        &self.world.seen.divided_below
                    } else {
                        &self.world.seen.divided
                    });
                    self.spent += job.spent;
                    return if self.state.aborted { ABORTED } else { node.believed(job.best) };
                }
            }
            let answer = self.search_move(node, &mv);
            if self.should_abort() {
                note(&self.world.seen.dropped);
                return ABORTED;
            }
            best = best.max(answer);
            if best > node.alpha {
                break;
            }
        }
        node.believed(best)
    }
}

/// When helpers are told to go home.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    /// When the search is over.
    AtTheEnd,
    /// At any time.
    Meanwhile,
}

/// Has so many `helpers` and a thread of its own search a tree in every order, and checks what comes out.
fn model(
    preemptions: usize,
    helpers: usize,
    node: Node,
    limit: Option<u64>,
    home: Home,
) -> Arc<Seen> {
    let seen = Arc::<Seen>::default();
    let all_seen = Arc::clone(&seen);
    try_orders(preemptions, move || {
        let world = Arc::new(World {
            registry: SplitRegistry::new(1 + helpers),
            budget: Budget::default(),
            called: AtomicBool::new(false),
            done: AtomicBool::new(false),
            beginning: Instant::now(),
            searched: Default::default(),
            seen: Arc::clone(&all_seen),
        });
        world.budget.open(&Limits { nodes: limit, time: None }, world.beginning);
        let helpers = (1..=helpers).map(|worker_id| {
            let world = Arc::clone(&world);
            thread::spawn(move || {
                Toy::new(&world, worker_id).help(|| world.done.load(Ordering::Relaxed))
            })
        });
        let mut others: Vec<_> = helpers.collect();
        let send_home = {
            let world = Arc::clone(&world);
            move || {
                world.done.store(true, Ordering::Relaxed);
                world.registry.wake_all();
            }
        };
        // Before anybody is idle there is nothing to model.
        while !world.registry.has_idle_workers() {
            thread::yield_now();
        }
        if home == Home::Meanwhile {
            others.push(thread::spawn(send_home.clone()));
        }
        let mut owner = Toy::new(&world, 0);
        let answer = owner.search(&node);
        let (aborted, spent) = (owner.should_abort(), owner.spent);
        if home == Home::AtTheEnd {
            send_home();
        }
        others.into_iter().for_each(|other| other.join().expect("a thread of the model"));

        let searched = world.searched.each_ref().map(|leaf| leaf.load(Ordering::Relaxed));
        assert_eq!(spent, searched.iter().sum::<usize>() as u64, "what was spent: {searched:?}");
        assert!(searched.iter().all(|&times| times <= 1), "a move is searched twice: {searched:?}");
        if aborted {
            assert_eq!(world.budget.stopped(), Some(StopReason::Nodes));
            assert!(limit.is_some_and(|limit| spent >= limit));
            return;
        }
        if answer <= node.alpha {
            check_searched(node, &searched);
        }
    });
    assert!(seen.divided.load(Ordering::Relaxed) > 0);
    seen
}

/// What loom meets by trying everything may not be met in some hundred tries.
fn is_met(what: &AtomicUsize) -> bool {
    what.load(Ordering::Relaxed) > 0 || cfg!(not(loom))
}

/// Where nothing refutes, every move is searched.
fn check_searched(node: Node, searched: &[usize]) {
    for mv in node.tree.0 {
        if let Leaf(number, _) = mv {
            assert_eq!(searched[*number], 1, "leaf {number} of {searched:?}");
        }
    }
}

/// Nothing refutes: every move is taken once, by whomever.
#[test]
fn moves_are_taken_once() {
    static TREE: Tree = Tree(&[Leaf(0, -4), Leaf(1, -2), Leaf(2, -6), Leaf(3, 0)]);
    model(3, 1, Node { tree: &TREE, alpha: 1 }, None, Home::AtTheEnd);
    model(2, 2, Node { tree: &TREE, alpha: 1 }, None, Home::AtTheEnd);
}

/// A helper is called and told to go home at the same time: who is called comes, and goes afterwards.
#[test]
fn who_is_called_comes() {
    static TREE: Tree = Tree(&[Leaf(0, -4), Leaf(1, -2), Leaf(2, -6)]);
    model(3, 1, Node { tree: &TREE, alpha: 1 }, None, Home::Meanwhile);
}

/// Two split points of one thread, one after the other: the second is where the first was, which a move has refuted.
#[test]
fn a_split_point_is_used_again() {
    static FIRST: Tree = Tree(&[Leaf(0, -4), Leaf(1, -6), Leaf(2, -2)]);
    static SECOND: Tree = Tree(&[Leaf(3, -8), Leaf(4, -4), Leaf(5, -6)]);
    static TREE: Tree = Tree(&[Inner(&FIRST), Inner(&SECOND)]);
    model(3, 1, Node { tree: &TREE, alpha: 2 }, None, Home::AtTheEnd);
}

/// A move refutes while another's subtree, divided in its turn, is searched: what comes from there is not believed.
/// Below, too, a move refutes in the middle.
#[test]
fn a_refutation_calls_away() {
    static BELOW: Tree = Tree(&[Leaf(1, -8), Leaf(2, -10), Leaf(3, -4)]);
    static TREE: Tree = Tree(&[Leaf(0, -4), Inner(&BELOW), Leaf(4, 8), Leaf(5, 6)]);
    let node = Node { tree: &TREE, alpha: 5 };
    let seen = [1, 2].map(|helpers| model(2, helpers, node, None, Home::AtTheEnd));
    assert!(seen.iter().all(|seen| is_met(&seen.dropped)), "{seen:?}");
    assert!(is_met(&seen[1].divided_below), "{seen:?}");
}

/// The owner runs out of moves while its helper divides what it has: it helps there, and comes back.
#[test]
fn an_owner_helps_below_its_own_split_point() {
    static DEEPER: Tree = Tree(&[Leaf(1, -2), Leaf(2, -4), Leaf(3, -6)]);
    static BELOW: Tree = Tree(&[Inner(&DEEPER)]);
    static TREE: Tree = Tree(&[Leaf(0, -4), Inner(&BELOW), Leaf(4, -2)]);
    let node = Node { tree: &TREE, alpha: 5 };
    let seen = [1, 2].map(|helpers| model(2, helpers, node, None, Home::AtTheEnd));
    assert!(
        seen.iter().all(|seen| is_met(&seen.divided_below) && is_met(&seen.owner_helped)),
        "{seen:?}"
    );
}

/// A limit is reached by one of the threads: the moves that another one drops for it are not missing from an answer.
#[test]
fn a_limit_ends_everything() {
    static BELOW: Tree = Tree(&[Leaf(1, -8), Leaf(2, -10), Leaf(3, -4)]);
    static TREE: Tree = Tree(&[Leaf(0, -4), Inner(&BELOW), Leaf(4, -2), Leaf(5, 0)]);
    let node = Node { tree: &TREE, alpha: 5 };
    let seen = [(1, 3), (2, 4)]
        .map(|(helpers, limit)| model(2, helpers, node, Some(limit), Home::AtTheEnd));
    assert!(seen.iter().all(|seen| is_met(&seen.dropped)), "{seen:?}");
}
