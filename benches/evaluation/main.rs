//! Times the kernels of the evaluation in each tier of this build, their alternatives
//! (`alternatives/`), and the reading of a weight file.
//!
//! ```sh
//! cargo bench --bench evaluation
//! ```
//!
//! Each figure is the time for all items of a fixed sample of random games, so that branches and
//! caches behave as in a search. Criterion prints the time and the items per second. Measured
//! figures are in docs/experiments/evaluation.md, "Kernels".

mod alternatives;

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
#[cfg(target_arch = "aarch64")]
use yose::eval::arch::neon;
use yose::eval::arch::portable;
use yose::eval::patterns::{CONFIGURATIONS, LANES, TABLE_WORDS};
use yose::eval::tapered::{high, low, pack};
use yose::eval::{Evaluation, Features, Weights, symmetry_classes};
use yose::othello::{Bitboard, Position, Square, Symmetry};

use alternatives::products;
use alternatives::two_bit_codes::{self, Code};

/// Every position of 20 random games in which the side to move has a move.
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

/// All moves of all positions, with the features before the move and the flipped discs.
fn moves(positions: &[Position]) -> Vec<(Features, Square, Bitboard)> {
    let of_position = |p: &Position| {
        let (position, features) = (*p, Features::of(p));
        p.moves().into_iter().map(move |square| (features, square, position.flips(square)))
    };
    positions.iter().flat_map(of_position).collect()
}

/// Times `work` on all items of a sample, as one figure of a group. `work` is a type parameter, so
/// the kernel is inlined as in a search.
fn measure<T>(
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

/// Keeps the compiler from computing only some features.
fn consume(features: &[i16; LANES]) -> i32 {
    i32::from(black_box(features)[LANES - 3])
}

/// The update of all features after a move.
fn after(c: &mut Criterion, moves: &[(Features, Square, Bitboard)]) {
    let mut group = c.benchmark_group("after");
    measure(&mut group, "portable", moves, |(features, square, flips)| {
        consume(portable::after(features, *square, *flips).as_array())
    });
    #[cfg(tier_v3)]
    measure(&mut group, "x86-64-v3", moves, |(features, square, flips)| {
        consume(avx2::after(features, *square, *flips).as_array())
    });
}

/// The sum of the weights of two stages: in one table of words, and in two tables. The positions
/// are the children of each position, which share most features, as in move ordering.
fn sum(c: &mut Criterion, moves: &[(Features, Square, Bitboard)]) {
    let features: Vec<Features> =
        moves.iter().map(|(features, square, flips)| features.after(*square, *flips)).collect();
    let mut rng = SmallRng::seed_from_u64(2);
    let weights: Vec<[i16; 2]> =
        (0..CONFIGURATIONS).map(|_| [0; 2].map(|_: i32| rng.random_range(-712..=712))).collect();
    let table = |word: fn([i16; 2]) -> i32| -> Box<[i32; TABLE_WORDS]> {
        let words =
            weights.iter().map(|&halves| word(halves)).chain([0; TABLE_WORDS - CONFIGURATIONS]);
        words.collect::<Box<[i32]>>().try_into().expect("as long as a table")
    };
    let packed = table(|[a, b]| pack(a, b));
    let [first, second] = [table(|[a, _]| a.into()), table(|[_, b]| b.into())];

    let unpack = |sum: i32| low(sum) ^ high(sum);
    let mut group = c.benchmark_group("sum of two stages");
    measure(&mut group, "one table, portable", &features, |f| unpack(portable::sum(&packed, f)));
    measure(&mut group, "two tables, portable", &features, |f| {
        portable::sum(&first, f) ^ portable::sum(&second, f)
    });
    #[cfg(tier_v3)]
    {
        use alternatives::avx2 as gathered;
        measure(&mut group, "one table, gathered with AVX2", &features, |f| {
            unpack(gathered::sum(&packed, f.as_array()))
        });
        measure(&mut group, "two tables, gathered with AVX2", &features, |f| {
            gathered::sum(&first, f.as_array()) ^ gathered::sum(&second, f.as_array())
        });
    }
    #[cfg(target_arch = "aarch64")]
    measure(&mut group, "one table, aarch64-neon", &features, |f| unpack(neon::sum(&packed, f)));
    #[cfg(tier_v4)]
    {
        measure(&mut group, "one table, x86-64-v4", &features, |f| unpack(avx512::sum(&packed, f)));
        measure(&mut group, "two tables, x86-64-v4", &features, |f| {
            avx512::sum(&first, f) ^ avx512::sum(&second, f)
        });
    }
}

/// The extraction of all features from a board, by every method.
fn extract(c: &mut Criterion, positions: &[Position]) {
    let mut group = c.benchmark_group("extract");
    measure(&mut group, "disc by disc, portable", positions, |p| {
        consume(portable::extract(p).as_array())
    });
    measure(&mut group, "multiplications, portable", positions, |p| consume(&products::extract(p)));
    #[cfg(tier_v3)]
    {
        measure(&mut group, "PEXT, x86-64-v3", positions, |p| {
            consume(&alternatives::avx2::extract_by_pext(p))
        });
        measure(&mut group, "byte shuffles, x86-64-v3", positions, |p| {
            consume(avx2::extract(p).as_array())
        });
    }
    #[cfg(tier_v4)]
    measure(&mut group, "byte shuffles, x86-64-v4", positions, |p| {
        consume(avx512::extract(p).as_array())
    });
    #[cfg(target_arch = "aarch64")]
    measure(&mut group, "table look-ups, aarch64-neon", positions, |p| {
        consume(neon::extract(p).as_array())
    });
}

/// The two-bit codes of the edge in all eight orientations.
fn codes(c: &mut Criterion, positions: &[Position]) {
    let top: [Square; 8] = std::array::from_fn(|file| Square::new(file as u8));
    let edges = Symmetry::ALL.map(|symmetry| Code::new(top.map(|square| symmetry.square(square))));
    let mut group = c.benchmark_group("two-bit codes of eight edges");
    let all = |p: &Position, code: fn(&Code, &Position) -> u32| {
        edges.iter().fold(0, |xor, e| xor ^ code(e, p)) as i32
    };
    measure(&mut group, "portable", positions, |p| all(p, two_bit_codes::portable));
    #[cfg(tier_v3)]
    measure(&mut group, "x86-64-v3", positions, |p| all(p, two_bit_codes::avx2));
    #[cfg(tier_v4)]
    measure(&mut group, "x86-64-v4", positions, |p| all(p, two_bit_codes::avx512));
}

/// Reading a weight file and expanding its symmetric weights to tables.
fn weights(c: &mut Criterion) {
    let start = Instant::now();
    symmetry_classes();
    println!("symmetry classes computed in {:?}", start.elapsed());
    let file = Weights::embedded().expect("the embedded weights are sound").write();
    let weights = Weights::read(&file).expect("it was written just now");
    let stages = weights.stages().len();
    println!(
        "{stages} stages: a file of {} bytes, tables of {} bytes",
        file.len(),
        Evaluation::new(&weights).bytes()
    );
    let mut group = c.benchmark_group("weights");
    group.bench_function("read", |b| b.iter(|| Weights::read(&file)));
    group.bench_function("expand to tables", |b| b.iter(|| Evaluation::new(&weights)));
}

fn evaluation(c: &mut Criterion) {
    let positions = sample();
    after(c, &moves(&positions));
    sum(c, &moves(&positions));
    extract(c, &positions);
    codes(c, &positions);
    weights(c);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = evaluation
}
criterion_main!(benches);
