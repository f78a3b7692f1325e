//! How long whole positions take, from a few empties to what a second is enough for.
//!
//! `cargo bench --bench positions`. The positions are those of the fingerprint with 8, 12, 14 and 16 empties. The tables are cleared
//! before each one and the clearing is not timed, so that every run searches the same nodes.

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use yose::batch::fingerprint::{LIST, TABLE_BYTES};
use yose::othello::Position;
use yose::records::{Entry, Item, Reader, Reading};
use yose::search::{Config, Request, Solver, Window};

fn positions(c: &mut Criterion) {
    let list: Vec<Position> = Reader::new(vec![LIST], Reading::default())
        .map(|item| match item {
            Item::Entry(Entry { problem: Ok(problem), .. }) => problem.diagram.position,
            other => panic!("{other:?}"),
        })
        .collect();
    let mut solver = Solver::new(Config { table_bytes: TABLE_BYTES, ..Config::default() }).expect("16 MiB");
    let mut group = c.benchmark_group("positions");
    for empties in [8, 12, 14, 16] {
        let requests: Vec<Request> = list
            .iter()
            .filter(|position| position.empties().count() == empties)
            .map(|&position| Request { position, window: Window::FULL, all_moves: false })
            .collect();
        let mut pass = || {
            let (mut nodes, mut time) = (0, Duration::ZERO);
            for request in &requests {
                solver.clear();
                let start = Instant::now();
                nodes += solver.solve(request).nodes;
                time += start.elapsed();
            }
            (nodes, time)
        };
        // Nodes are the elements, so that criterion tells nodes per second.
        group.throughput(Throughput::Elements(pass().0));
        group.bench_function(format!("{empties} empties"), |b| {
            b.iter_custom(|times| (0..times).map(|_| pass().1).sum());
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
    targets = positions
}
criterion_main!(benches);
