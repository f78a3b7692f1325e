//! A simulation of a plan on a cluster: does its policy keep the workers busy?
//!
//! ```text
//! cargo run --release --example simulate_cluster -- COSTS.csv [WORKERS [POSITIONS]]
//! ```
//!
//! `COSTS.csv` has the columns `empties,predicted,nodes`: positions with their predicted and their
//! measured nodes. Predictions and deviations are drawn from it at random, and scaled to a mean of
//! a minute. Deeper lists than the measured ones have a heavier tail, so in every second line the
//! logarithm of each deviation is multiplied by 1.5.
//!
//! As in `plan::make`, tasks are cut by predicted cost, the most expensive positions first. A free
//! worker takes the next task. A worker fails about once in a hundred hours: the task keeps the
//! positions that are solved, and is the next to be taken. The bound that no schedule can beat
//! is the largest of the sum over the number of workers and the most expensive position.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::error::Error;
use std::fs;

/// The time between two failures of a worker, in seconds.
const BETWEEN_FAILURES: f64 = 100.0 * 3600.0;

/// A number generator: xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift
/// generators, scrambled", 2016, <https://arxiv.org/abs/1402.6246>).
struct Rng(u64);

impl Rng {
    /// A number from 0 to below 1.
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A position: its predicted and its measured cost in seconds.
#[derive(Clone, Copy)]
struct Cost {
    predicted: f64,
    measured: f64,
}

/// The outcome of a simulation.
struct Outcome {
    tasks: usize,
    /// The time of the whole plan relative to the bound.
    over_bound: f64,
    /// The share of the workers' time in which they search, until the last 2 % of the time.
    busy: f64,
    failures: u64,
}

/// Cuts positions into tasks of about `size` seconds, as `plan::make` does.
fn cut(mut positions: Vec<Cost>, size: f64) -> Vec<Vec<Cost>> {
    positions.sort_by(|one, other| other.predicted.total_cmp(&one.predicted));
    let alone = positions.partition_point(|cost| cost.predicted >= size);
    let others = positions.split_off(alone);
    let mut tasks: Vec<Vec<Cost>> = positions.into_iter().map(|cost| vec![cost]).collect();
    let sum: f64 = others.iter().map(|cost| cost.predicted).sum();
    let share = sum / (sum / size).ceil().max(1.0);
    let (mut before, mut bound, mut task) = (0.0, share, Vec::new());
    for cost in others {
        if before + cost.predicted / 2.0 > bound && !task.is_empty() {
            tasks.push(std::mem::take(&mut task));
            bound += share;
        }
        before += cost.predicted;
        task.push(cost);
    }
    tasks.push(task);
    tasks
}

/// Runs the tasks on so many workers.
fn simulate(tasks: Vec<Vec<Cost>>, workers: usize, rng: &mut Rng) -> Outcome {
    let count = tasks.len();
    let all = || tasks.iter().flatten().map(|cost| cost.measured);
    let bound = (all().sum::<f64>() / workers as f64).max(all().fold(0.0, f64::max));
    let mut queue: VecDeque<(usize, usize)> = (0..count).map(|task| (task, 0)).collect();
    // The workers by the time at which they are free, in microseconds.
    let mut free: BinaryHeap<Reverse<(u64, usize)>> =
        (0..workers).map(|worker| Reverse((0, worker))).collect();
    let (mut spans, mut failures) = (Vec::new(), 0);
    while let Some((task, first)) = queue.pop_front() {
        let Some(Reverse((start, worker))) = free.pop() else { break };
        let fails = -BETWEEN_FAILURES * (1.0 - rng.uniform()).ln();
        let (mut time, mut done) = (0.0, first);
        while done < tasks[task].len() && time + tasks[task][done].measured <= fails {
            time += tasks[task][done].measured;
            done += 1;
        }
        if done < tasks[task].len() {
            // What was searched of the position is lost.
            failures += 1;
            queue.push_front((task, done));
            time = fails;
        }
        let end = start + (time * 1e6) as u64;
        spans.push((start, end));
        free.push(Reverse((end, worker)));
    }
    let end = spans.iter().map(|&(_, end)| end).max().unwrap_or(0);
    let until = end as f64 * 0.98;
    let searched: f64 = spans
        .iter()
        .map(|&(start, end)| ((end as f64).min(until) - (start as f64).min(until)).max(0.0))
        .sum();
    Outcome {
        tasks: count,
        over_bound: end as f64 / 1e6 / bound,
        busy: searched / (until * workers as f64),
        failures,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.first().ok_or("name a file of costs")?;
    let number = |at: usize, default| arguments.get(at).map_or(Ok(default), |text| text.parse());
    let (workers, positions) = (number(1, 1000)?, number(2, 1_000_000)?);
    let mut measured = Vec::new();
    for line in fs::read_to_string(file)?.lines().skip(1) {
        let numbers: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
        match numbers?[..] {
            [_, predicted, nodes] => measured.push((predicted, nodes)),
            _ => return Err("a line has empties, predicted and nodes".into()),
        }
    }
    println!("{} measured costs, {workers} workers, {positions} positions", measured.len());
    println!("minutes  deviation  costs      tasks  busy  time/bound  failures");
    for minutes in [5.0, 10.0, 30.0, 120.0] {
        for stretch in [1.0, 1.5] {
            for exact in [false, true] {
                let mut rng = Rng(1);
                let list: Vec<Cost> = (0..positions)
                    .map(|_| {
                        let mut draw =
                            || measured[(rng.uniform() * measured.len() as f64) as usize];
                        // Copies of one position would be in one task, with one deviation. So each
                        // prediction gets the deviation of another position.
                        let ((predicted, _), (of, nodes)) = (draw(), draw());
                        // The costs are those of deeper positions: a mean of a minute.
                        let predicted = predicted * 60.0 / mean(&measured);
                        let nodes = predicted * (nodes / of).powf(stretch);
                        Cost { predicted: if exact { nodes } else { predicted }, measured: nodes }
                    })
                    .collect();
                let outcome = simulate(cut(list, minutes * 60.0), workers, &mut rng);
                println!(
                    "{minutes:>7}  {stretch:>9}  {}  {:>9}  {:>4.1}  {:>10.4}  {:>8}",
                    if exact { "exact    " } else { "predicted" },
                    outcome.tasks,
                    100.0 * outcome.busy,
                    outcome.over_bound,
                    outcome.failures
                );
            }
        }
    }
    Ok(())
}

/// The mean of the measured nodes.
fn mean(measured: &[(f64, f64)]) -> f64 {
    measured.iter().map(|(_, nodes)| nodes).sum::<f64>() / measured.len() as f64
}
