//! Times the kernels of the rules in each tier of this build, the position hash, and the clearing
//! of a shared table.
//!
//! ```sh
//! cargo bench --bench kernels
//! ```
//!
//! Each figure is the time for all boards of a fixed sample, so that branches and caches behave as
//! in a search. Measured figures are in docs/experiments/kernels.md.

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main,
};
#[cfg(tier_v3)]
use yose::othello::arch::avx2;
#[cfg(tier_v4)]
use yose::othello::arch::avx512;
#[cfg(target_arch = "aarch64")]
use yose::othello::arch::neon;
use yose::othello::arch::portable;
use yose::othello::{Bitboard, Position, Square, stability};
use yose::table::{Entry, SharedTable, hash};

/// The positions with at most 24 empties of 20 games, whose moves are chosen by a fixed formula.
fn sample() -> Vec<Position> {
    let mut positions = Vec::new();
    for game in 0..20 {
        let mut position = Position::START;
        for ply in 0.. {
            let moves: Vec<Square> = position.moves().into_iter().collect();
            if moves.is_empty() {
                if position.passed().moves().is_empty() {
                    break;
                }
                position = position.passed();
                continue;
            }
            if position.empties().count() <= 24 {
                positions.push(position);
            }
            position =
                position.play(moves[(game * 7 + ply * 5) % moves.len()]).expect("a legal move");
        }
    }
    positions
}

/// All pairs of a position and one of its empty squares.
fn squares(positions: &[Position]) -> Vec<(usize, Position)> {
    positions
        .iter()
        .flat_map(|&p| p.empties().into_iter().map(move |square| (square.index(), p)))
        .collect()
}

/// Times `work` on all items of a sample, as one tier's figure of a group. `work` is a type
/// parameter, so the kernel is inlined as in a search.
fn tier<T>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    sample: &[T],
    work: impl Fn(&T) -> u64,
) {
    group.throughput(Throughput::Elements(sample.len() as u64));
    group.bench_function(name, |b| b.iter(|| sample.iter().fold(0, |sum, item| sum ^ work(item))));
}

fn flips(c: &mut Criterion, pairs: &[(usize, Position)]) {
    let mut group = c.benchmark_group("flips");
    tier(&mut group, "portable", pairs, |(square, p)| {
        portable::flips(*square, p.player.0, p.opponent.0)
    });
    #[cfg(tier_v3)]
    tier(&mut group, "x86-64-v3", pairs, |(square, p)| {
        avx2::flips(*square, p.player.0, p.opponent.0)
    });
    #[cfg(tier_v4)]
    tier(&mut group, "x86-64-v4", pairs, |(square, p)| {
        avx512::flips(*square, p.player.0, p.opponent.0)
    });
    #[cfg(target_arch = "aarch64")]
    tier(&mut group, "aarch64-neon", pairs, |(square, p)| {
        neon::flips(*square, p.player.0, p.opponent.0)
    });
}

fn moves(c: &mut Criterion, positions: &[Position]) {
    let mut group = c.benchmark_group("moves");
    tier(&mut group, "portable", positions, |p| portable::moves(p.player.0, p.opponent.0));
    #[cfg(tier_v3)]
    tier(&mut group, "x86-64-v3", positions, |p| avx2::moves(p.player.0, p.opponent.0));
    #[cfg(target_arch = "aarch64")]
    tier(&mut group, "aarch64-neon", positions, |p| neon::moves(p.player.0, p.opponent.0));
}

/// The kernels that have one version for all tiers.
fn others(c: &mut Criterion, positions: &[Position], pairs: &[(usize, Position)]) {
    let mut group = c.benchmark_group("all tiers");
    tier(&mut group, "last flips", pairs, |(square, p)| {
        portable::last_flips(*square, p.player.0).into()
    });
    tier(&mut group, "stable discs", positions, |p| {
        stability::stable_discs(p.opponent, p.player).0
    });
    tier(&mut group, "hash", positions, hash);
}

/// Clearing a shared table of 64 MiB after some number of stores. A batch with `--deterministic`
/// does this before every position.
fn clear(c: &mut Criterion) {
    const BYTES: u64 = 64 << 20;
    let table = SharedTable::new(BYTES, 1).expect("64 MiB");
    // Pseudo-random boards without common discs.
    let store = |n: u64| {
        let (a, b) = (n.wrapping_mul(0x9e37_79b9_7f4a_7c15), n.wrapping_mul(0xd1b5_4a32_d192_ed03));
        let position = Position { player: Bitboard(a & !b), opponent: Bitboard(b & !a) };
        table.store(hash(&position), &position, Entry::UNKNOWN, 0);
    };
    let mut group = c.benchmark_group("clear 64 MiB");
    for (name, entries) in
        [("after 100 entries", 100), ("after 10,000 entries", 10_000), ("full", 4 * BYTES / 32)]
    {
        group.throughput(Throughput::Bytes(BYTES));
        group.sample_size(10);
        group.bench_function(name, |b| {
            b.iter_batched(
                || (1..=entries).for_each(store),
                |()| table.clear(),
                BatchSize::PerIteration,
            );
        });
    }
}

fn kernels(c: &mut Criterion) {
    let positions = sample();
    let pairs = squares(&positions);
    flips(c, &pairs);
    moves(c, &positions);
    others(c, &positions, &pairs);
    clear(c);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = kernels
}
criterion_main!(benches);
