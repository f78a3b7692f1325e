//! How long the kernels of the rules take, for each tier that this build holds.
//!
//! `cargo bench --bench kernels`. Each figure is for all boards of a fixed sample, so that branches and tables meet what they meet in
//! a search.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use yose::othello::arch::portable;
use yose::othello::{Position, Square, stability};
use yose::table::hash;

/// Every position of a few games, each game played by taking the moves in turn.
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
            // The endgame is what the search sees.
            if position.empties().count() <= 24 {
                positions.push(position);
            }
            position = position.play(moves[(game * 7 + ply * 5) % moves.len()]).expect("a legal move");
        }
    }
    positions
}

/// All pairs of a position and one of its empty squares.
fn squares(positions: &[Position]) -> Vec<(usize, Position)> {
    positions.iter().flat_map(|&p| p.empties().into_iter().map(move |square| (square.index(), p))).collect()
}

fn flips(c: &mut Criterion, pairs: &[(usize, Position)]) {
    let mut group = c.benchmark_group("flips");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    let mut tier = |name: &str, flips: fn(usize, u64, u64) -> u64| {
        group.bench_function(name, |b| {
            b.iter(|| pairs.iter().fold(0, |sum, &(square, p)| sum ^ flips(square, p.player.0, p.opponent.0)));
        });
    };
    // Closures, so that each kernel is inlined into a function of its own.
    tier("portable", |square, player, opponent| portable::flips(square, player, opponent));
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
    tier("x86-64-v3", |square, player, opponent| yose::othello::arch::avx2::flips(square, player, opponent));
    #[cfg(all(
        target_arch = "x86_64",
        target_feature = "avx512f",
        target_feature = "avx512cd",
        target_feature = "avx512vl",
        target_feature = "bmi2"
    ))]
    tier("x86-64-v4", |square, player, opponent| yose::othello::arch::avx512::flips(square, player, opponent));
}

fn moves(c: &mut Criterion, positions: &[Position]) {
    let mut group = c.benchmark_group("moves");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut tier = |name: &str, moves: fn(u64, u64) -> u64| {
        group.bench_function(name, |b| {
            b.iter(|| positions.iter().fold(0, |sum, p| sum ^ moves(p.player.0, p.opponent.0)));
        });
    };
    tier("portable", |player, opponent| portable::moves(player, opponent));
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
    tier("x86-64-v3", |player, opponent| yose::othello::arch::avx2::moves(player, opponent));
}

fn last_flips(c: &mut Criterion, pairs: &[(usize, Position)]) {
    let mut group = c.benchmark_group("last flips");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    let mut tier = |name: &str, last_flips: fn(usize, u64) -> u32| {
        group.bench_function(name, |b| {
            b.iter(|| pairs.iter().fold(0, |sum, &(square, p)| sum + last_flips(square, p.player.0)));
        });
    };
    tier("portable", |square, player| portable::last_flips(square, player));
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
    tier("x86-64-v3", |square, player| yose::othello::arch::avx2::last_flips(square, player));
}

/// What has one version for all tiers.
fn others(c: &mut Criterion, positions: &[Position]) {
    let mut group = c.benchmark_group("all tiers");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("stable discs", |b| {
        b.iter(|| {
            let discs = positions.iter().map(|p| stability::stable_discs(p.opponent, p.player).count());
            black_box(discs.sum::<u32>())
        });
    });
    group.bench_function("hash", |b| b.iter(|| positions.iter().fold(0, |sum, p| sum ^ hash(p))));
}

fn kernels(c: &mut Criterion) {
    let positions = sample();
    let pairs = squares(&positions);
    flips(c, &pairs);
    moves(c, &positions);
    last_flips(c, &pairs);
    others(c, &positions);
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = kernels
}
criterion_main!(benches);
