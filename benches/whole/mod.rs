//! Solves whole positions for the benches `positions` (time) and `instructions` (instructions).

use std::cell::RefCell;

use criterion::measurement::Measurement;
use criterion::{BatchSize, Criterion, Throughput};
use yose::batch::fingerprint::{LIST, TABLE_BYTES};
use yose::othello::{Move, Position};
use yose::records::{Entry, Item, ReadOptions, Reader};
use yose::search::{Config, Request, Searcher, Window};

/// The empties of the solved positions, and the empties of the fingerprint's positions that they
/// are made from by best play.
const STAGES: [(u32, u32); 6] = [(6, 8), (8, 8), (10, 12), (12, 12), (14, 14), (16, 16)];

fn request(position: Position) -> Request {
    Request { position, window: Window::FULL, all_moves: false }
}

/// The position with `empties` empties after best play from `position`. `None` if the game ends
/// before.
fn play_to(solver: &mut Searcher, mut position: Position, empties: u32) -> Option<Position> {
    while position.empties().count() > empties {
        position = match solver.solve(&request(position)).best_move? {
            Move::Place(square) => position.play(square)?,
            Move::Pass => position.passed(),
        };
    }
    Some(position)
}

/// One benchmark for each number of empties. The tables are cleared before each run, outside the
/// measurement, so every run searches the same nodes. Nodes are the elements: criterion prints
/// nodes per second, or instructions per node.
pub fn positions<M: Measurement + 'static>(c: &mut Criterion<M>) {
    let list: Vec<Position> = Reader::new(vec![LIST], ReadOptions::default())
        .map(|item| match item {
            Item::Entry(Entry { problem: Ok(problem), .. }) => problem.diagram.position,
            other => panic!("{other:?}"),
        })
        .collect();
    let mut solver =
        Searcher::new(Config { table_bytes: TABLE_BYTES, ..Config::default() }).expect("16 MiB");
    let mut group = c.benchmark_group("positions");
    for (empties, from) in STAGES {
        let of_stage = list.iter().filter(|position| position.empties().count() == from);
        let requests: Vec<Request> = of_stage
            .filter_map(|&position| play_to(&mut solver, position, empties))
            .map(request)
            .collect();
        assert!(!requests.is_empty(), "no position has {empties} empties");
        let solver = RefCell::new(&mut solver);
        let solve_all =
            || requests.iter().map(|request| solver.borrow_mut().solve(request).nodes).sum::<u64>();
        solver.borrow_mut().clear();
        group.throughput(Throughput::Elements(solve_all()));
        group.bench_function(format!("{empties} empties"), |b| {
            b.iter_batched(
                || solver.borrow_mut().clear(),
                |()| solve_all(),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}
