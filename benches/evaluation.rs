//! How long the kernels of the evaluation take, for each tier that this build holds, and what the
//! evaluation's tables cost.
//!
//! `cargo bench --bench evaluation`. Each figure is for all items of a fixed sample of games, so
//! that branches and tables meet what they meet in a search.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
#[cfg(tier_v3)]
use yose::eval::arch::avx2;
#[cfg(tier_v4)]
use yose::eval::arch::avx512;
use yose::eval::arch::portable;
use yose::eval::codes::Code;
use yose::eval::packed::{early, late, pack};
use yose::eval::patterns::{INDICES, LANES, TABLE};
use yose::eval::{Classes, Evaluation, Features, Weights, gather};
use yose::othello::{Bitboard, Position, Square, Symmetry};

/// Every position of a few random games.
fn sample() -> Vec<Position> {
    let mut rng = SmallRng::seed_from_u64(1);
    let mut positions = Vec::new();
    for _ in 0..20 {
        let mut position = Position::START;
        loop {
            let moves: Vec<Square> = position.moves().into_iter().collect();
            if moves.is_empty() {
                if position.passed().moves().is_empty() {
                    break;
                }
                position = position.passed();
                continue;
            }
            positions.push(position);
            position =
                position.play(moves[rng.random_range(0..moves.len())]).expect("a legal move");
        }
    }
    positions
}

/// All moves of all positions, with the features that they start from.
fn moves(positions: &[Position]) -> Vec<(Features, Square, Bitboard)> {
    let of_position = |p: &Position| {
        let (position, features) = (*p, Features::of(p));
        p.moves().into_iter().map(move |square| (features, square, position.flips(square)))
    };
    positions.iter().flat_map(of_position).collect()
}

/// Times `work` on every item of a sample, as one bar in a group. The kernel's type is its own, so
/// that it is inlined as in a search.
fn bar<T>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    sample: &[T],
    work: impl Fn(&T) -> i32,
) {
    group.throughput(Throughput::Elements(sample.len() as u64));
    group.bench_function(name, |b| {
        b.iter(|| sample.iter().fold(0i32, |sum, item| sum.wrapping_add(work(item))))
    });
}

/// Makes sure that all features are made.
fn used(features: Features) -> i32 {
    i32::from(black_box(&features).as_array()[LANES - 3])
}

/// The update of all features after a move.
fn after(c: &mut Criterion, moves: &[(Features, Square, Bitboard)]) {
    let mut group = c.benchmark_group("after");
    bar(&mut group, "portable", moves, |(features, square, flips)| {
        used(portable::after(features, *square, *flips))
    });
    #[cfg(tier_v3)]
    bar(&mut group, "x86-64-v3", moves, |(features, square, flips)| {
        used(avx2::after(features, *square, *flips))
    });
}

/// The sum of packed weights, over the children of each position, which share most features.
fn sum(c: &mut Criterion, moves: &[(Features, Square, Bitboard)]) {
    let features: Vec<Features> =
        moves.iter().map(|(features, square, flips)| features.after(*square, *flips)).collect();
    let mut rng = SmallRng::seed_from_u64(2);
    let weights: Vec<[i16; 2]> =
        (0..INDICES).map(|_| [0; 2].map(|_: i32| rng.random_range(-712..=712))).collect();
    let table = |word: fn([i16; 2]) -> i32| -> Box<[i32; TABLE]> {
        let words = weights.iter().map(|&halves| word(halves)).chain([0; TABLE - INDICES]);
        words.collect::<Box<[i32]>>().try_into().expect("as long as a table")
    };
    let packed = table(|[a, b]| pack(a, b));
    let [first, second] = [table(|[a, _]| a.into()), table(|[_, b]| b.into())];

    let two = |sum: i32| early(sum) ^ late(sum);
    let mut group = c.benchmark_group("sum of two stages");
    bar(&mut group, "packed, portable", &features, |f| two(portable::sum(&packed, f)));
    bar(&mut group, "separate, portable", &features, |f| {
        portable::sum(&first, f) ^ portable::sum(&second, f)
    });
    #[cfg(tier_v3)]
    {
        bar(&mut group, "packed, x86-64-v3", &features, |f| two(avx2::sum(&packed, f)));
        bar(&mut group, "separate, x86-64-v3", &features, |f| {
            avx2::sum(&first, f) ^ avx2::sum(&second, f)
        });
    }
    #[cfg(tier_v4)]
    {
        bar(&mut group, "packed, x86-64-v4", &features, |f| two(avx512::sum(&packed, f)));
        bar(&mut group, "separate, x86-64-v4", &features, |f| {
            avx512::sum(&first, f) ^ avx512::sum(&second, f)
        });
    }
}

/// Features from a board, by every method.
fn extract(c: &mut Criterion, positions: &[Position]) {
    let mut group = c.benchmark_group("extract");
    bar(&mut group, "by disc, portable", positions, |p| used(portable::extract(p)));
    bar(&mut group, "by products, portable", positions, |p| used(gather::extract(p)));
    #[cfg(tier_v3)]
    {
        bar(&mut group, "by PEXT, x86-64-v3", positions, |p| used(avx2::extract_by_pext(p)));
        bar(&mut group, "by shuffles, x86-64-v3", positions, |p| used(avx2::extract(p)));
    }
    #[cfg(tier_v4)]
    bar(&mut group, "by shuffles, x86-64-v4", positions, |p| used(avx512::extract(p)));
}

/// Two-bit codes of the edge in all eight orientations.
fn codes(c: &mut Criterion, positions: &[Position]) {
    let top: [Square; 8] = std::array::from_fn(|file| Square::new(file as u8));
    let edges = Symmetry::ALL.map(|symmetry| Code::new(top.map(|square| symmetry.square(square))));
    let mut group = c.benchmark_group("codes of eight edges");
    let all = |p: &Position, code: fn(&Code, &Position) -> u32| {
        edges.iter().fold(0, |xor, e| xor ^ code(e, p)) as i32
    };
    bar(&mut group, "portable", positions, |p| all(p, portable::code));
    #[cfg(tier_v3)]
    bar(&mut group, "x86-64-v3", positions, |p| all(p, avx2::code));
    #[cfg(tier_v4)]
    bar(&mut group, "x86-64-v4", positions, |p| all(p, avx512::code));
}

/// The cost of storing one weight for each class.
fn tables(c: &mut Criterion) {
    let begun = Instant::now();
    Classes::get();
    println!("classes found in {:?}", begun.elapsed());
    let file = Weights::embedded().expect("the embedded weights are sound").write();
    let weights = Weights::read(&file).expect("it was written just now");
    let stages = weights.stages().len();
    println!(
        "{stages} stages: a file of {} bytes, tables of {}",
        file.len(),
        Evaluation::new(&weights).bytes()
    );
    let mut group = c.benchmark_group("weights");
    group.bench_function("read", |b| b.iter(|| Weights::read(&file)));
    group.bench_function("expanded into tables", |b| b.iter(|| Evaluation::new(&weights)));
}

fn evaluation(c: &mut Criterion) {
    let positions = sample();
    after(c, &moves(&positions));
    sum(c, &moves(&positions));
    extract(c, &positions);
    codes(c, &positions);
    tables(c);
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = evaluation
}
criterion_main!(benches);
