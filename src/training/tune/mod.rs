//! Fitting the parameters of the search to node counts.
//!
//! The order of moves and the selective passes depend on a handful of numbers ([`Parameters`]) that
//! nobody can calculate. This moves them all at once, again and again, towards where a list of
//! positions takes fewer nodes ([`spsa`]); each iteration solves a batch of the list twice, and the
//! whole list is measured now and then. The list should be a few hundred positions like those that
//! matter, but none of those that the search is judged by.
//!
//! The log (`log`) is the state: a parameters that was cut short goes on where it stood, and ends
//! with the same values, on any number of threads.

mod log;
pub mod spsa;

use std::path::Path;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};
use thiserror::Error;

use super::nodes::{Means, Total, count, rounded};
use crate::othello::Position;
use crate::search::{PARAMETERS, Parameters};
use crate::table::TableError;
use log::Log;
use spsa::{COUNT, Spsa, Values, parameters};

pub use log::LogError;

/// What is to become less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// The mean logarithm of the positions' nodes: all positions count the same.
    MeanLogarithm,
    /// The logarithm of the sum of their nodes: the large ones decide.
    Sum,
}

impl Cost {
    fn of(self, nodes: &[u64]) -> f64 {
        let total = Total::of(nodes);
        match self {
            Cost::MeanLogarithm => total.mean_ln,
            Cost::Sum => rounded((total.nodes.max(1) as f64).ln()),
        }
    }
}

/// How a parameters is made.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Where the parameters begin.
    pub start: Parameters,
    /// How they are moved.
    pub spsa: Spsa,
    /// What is to become less.
    pub cost: Cost,
    /// How many positions an iteration solves, twice each.
    pub batch: usize,
    /// How many iterations there are, those of the log included.
    pub iterations: u32,
    /// After how many iterations the whole list is measured; 0 only at the end.
    pub every: u32,
    /// Of how many iterations, the last ones, the result is the mean: single values wander about
    /// where it is best.
    pub mean_of: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            start: Parameters::default(),
            spsa: Spsa { free: [true; COUNT], reach: 1.0, gain: 20.0, stability: 20.0, seed: 1 },
            cost: Cost::MeanLogarithm,
            batch: 40,
            iterations: 300,
            every: 50,
            mean_of: 50,
        }
    }
}

/// Why there is no parameters.
#[derive(Debug, Error)]
pub enum TuneError {
    /// There is nothing to solve.
    #[error("there are no positions to tune on")]
    NoPositions,
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// There is no memory for the tables.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// An iteration that is done.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Its number, from 1 on.
    pub iteration: u32,
    /// The costs on its two sides.
    pub costs: [f64; 2],
    /// The values after it.
    pub values: Values,
}

/// Where a parameters stands, measured on the whole list.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// How many iterations are done.
    pub iterations: u32,
    /// The parameters at the start, and what they take.
    pub start: (Parameters, Total),
    /// The mean of the parameters after the last iterations, and what it takes.
    pub now: (Parameters, Total),
}

/// What happens on the way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event<'a> {
    /// An iteration is done.
    Step(&'a Step),
    /// The whole list is being measured: so many of its positions are solved.
    Measuring(usize),
    /// The whole list was measured.
    Measured(&'a Progress),
}

/// Tunes the parameters on `positions`, and keeps the log in the file of that name. `about` is what
/// the log says of the positions and the means; a log with other words there is of another
/// parameters.
///
/// # Errors
/// If there are no positions, if the log cannot be read or written or is of another parameters, or
/// if there is no memory for the tables.
pub fn tune(
    positions: &[Position],
    options: &Options,
    means: &Means,
    log: &Path,
    about: &Value,
    mut each: impl FnMut(Event<'_>),
) -> Result<Progress, TuneError> {
    if positions.is_empty() {
        return Err(TuneError::NoPositions);
    }
    let mut log = Log::open(log, &head(options, means, about))?;
    let start = (options.start, measure(positions, &options.start, means, &mut log, 0, &mut each)?);
    let mut values = log.values.last().copied().unwrap_or(options.start.values().map(f64::from));
    // Mixed, so that the batches are alike whatever the order of the list.
    let mut mixed = positions.to_vec();
    mixed.shuffle(&mut Pcg64Mcg::seed_from_u64(options.spsa.seed));
    loop {
        let done = log.iterations();
        let over = done >= options.iterations;
        if done > 0 && options.every > 0 && done.is_multiple_of(options.every) || over {
            let last = log.values.len().saturating_sub(options.mean_of.max(1) as usize);
            let tuned = mean(&log.values[last..]).map_or(options.start, |mean| parameters(&mean));
            let now = (tuned, measure(positions, &tuned, means, &mut log, done, &mut each)?);
            let progress = Progress { iterations: done, start, now };
            if over {
                return Ok(progress);
            }
            each(Event::Measured(&progress));
        }
        let iteration = done + 1;
        let first = done as usize * options.batch % mixed.len();
        let batch: Vec<Position> = mixed
            .iter()
            .cycle()
            .skip(first)
            .take(options.batch.min(mixed.len()))
            .copied()
            .collect();
        let nodes = count(&batch, &options.spsa.sides(&values, iteration), means, |_| ())?;
        let costs = nodes.map(|nodes| options.cost.of(&nodes));
        values = options.spsa.after(&values, iteration, costs);
        let step = Step { iteration, costs, values };
        log.add_step(&step).map_err(LogError::from)?;
        each(Event::Step(&step));
    }
}

/// The mean of values; none of none.
fn mean(values: &[Values]) -> Option<Values> {
    let of = |parameter| {
        values.iter().map(|values: &Values| values[parameter]).sum::<f64>() / values.len() as f64
    };
    (!values.is_empty()).then(|| std::array::from_fn(of))
}

/// What the whole list takes after so many iterations: from the log, or measured and noted there.
fn measure(
    positions: &[Position],
    parameters: &Parameters,
    means: &Means,
    log: &mut Log,
    iteration: u32,
    each: &mut impl FnMut(Event<'_>),
) -> Result<Total, TuneError> {
    if let Some(total) = log.whole(iteration) {
        return Ok(total);
    }
    let [nodes] = count(positions, &[*parameters], means, |done| each(Event::Measuring(done)))?;
    let total = Total::of(&nodes);
    log.add_whole(total).map_err(LogError::from)?;
    Ok(total)
}

/// The log's first line: all that decides what an iteration finds.
fn head(options: &Options, means: &Means, about: &Value) -> String {
    let Options { start, spsa, cost, batch, mean_of, .. } = options;
    let free: Vec<&str> = PARAMETERS
        .iter()
        .zip(spsa.free)
        .filter(|(_, free)| *free)
        .map(|(scale, _)| scale.name)
        .collect();
    let head = json!({
        "type": "parameters",
        "version": 1,
        "about": about,
        "table_bytes": means.table_bytes,
        "parameters": PARAMETERS.map(|scale| scale.name),
        "steps": PARAMETERS.map(|scale| scale.step),
        "start": start.values(),
        "free": free,
        "cost": match cost {
            Cost::MeanLogarithm => "mean logarithm of nodes",
            Cost::Sum => "logarithm of the sum of nodes",
        },
        "batch": batch,
        "mean_of": mean_of,
        "reach": spsa.reach,
        "gain": spsa.gain,
        "stability": spsa.stability,
        "seed": spsa.seed,
    });
    head.to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::num::NonZeroUsize;
    use std::sync::Arc;

    use super::*;
    use crate::eval::{Evaluation, Weights};
    use crate::training::pool::Empties;
    use crate::training::self_play::{SelfPlay, self_play};

    fn means(threads: usize) -> Means {
        let evaluation = Arc::new(Evaluation::new(&Weights::zero()));
        let threads = NonZeroUsize::new(threads).expect("at least one");
        Means { table_bytes: 1 << 20, threads, ..Means::new(evaluation) }
    }

    fn positions() -> Vec<Position> {
        let wanted = SelfPlay { empties: Empties { low: 12, high: 12 }, count: 8, seed: 30 };
        self_play(&wanted, &means(1).evaluation, &[], |_| ())
    }

    fn options() -> Options {
        Options { batch: 5, iterations: 3, every: 2, mean_of: 2, ..Options::default() }
    }

    /// A parameters, and the iterations that it did itself.
    fn tuned(
        options: &Options,
        threads: usize,
        log: &Path,
    ) -> Result<(Progress, Vec<u32>), TuneError> {
        let mut done = Vec::new();
        let progress =
            tune(&positions(), options, &means(threads), log, &json!("a test"), |event| {
                if let Event::Step(step) = event {
                    done.push(step.iteration);
                }
            })?;
        Ok((progress, done))
    }

    #[test]
    fn threads_do_not_matter() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let runs = [1, 2].map(|threads| {
            let log = folder.path().join(threads.to_string());
            let (progress, done) = tuned(&options(), threads, &log).expect("it can be done");
            assert_eq!(done, [1, 2, 3]);
            (progress, fs::read_to_string(log).expect("it is there"))
        });
        assert_eq!(runs[0], runs[1]);
        let (progress, log) = &runs[0];
        // A head, the start, three iterations, the second and the third of them measured.
        assert_eq!(log.lines().count(), 1 + 1 + 3 + 2);
        assert_ne!(progress.now.0, progress.start.0);
        let [nodes] =
            count(&positions(), &[progress.now.0], &means(1), |_| ()).expect("there is memory");
        assert_eq!((progress.iterations, progress.now.1), (3, Total::of(&nodes)));
        let lines: Vec<Value> =
            log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        // The result is the mean of the last two.
        let value = |line: usize| lines[line]["values"][0].as_f64().expect("a number");
        assert_eq!(
            (lines[3]["iteration"].as_u64(), lines[5]["iteration"].as_u64()),
            (Some(2), Some(3))
        );
        assert_eq!(f64::from(progress.now.0.values()[0]), ((value(3) + value(5)) / 2.0).round());
        let costs: Value =
            serde_json::from_str(log.lines().nth(2).expect("an iteration")).expect("JSON");
        assert_ne!(costs["plus"], costs["minus"]);
    }

    #[test]
    fn what_is_cut_short_goes_on() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let log = folder.path().join("log");
        let (progress, _) = tuned(&options(), 2, &log).expect("it can be done");
        let whole = fs::read(&log).expect("it is there");
        let ends: Vec<usize> =
            (0..whole.len()).filter(|&at| whole[at] == b'\n').map(|at| at + 1).collect();
        // Within the head; behind it; within an iteration, whole and with its measurement; nothing
        // is missing.
        for (length, left) in
            [(20, 3), (ends[0], 3), (ends[2] + 7, 2), (ends[3], 1), (ends[4] + 1, 1), (ends[6], 0)]
        {
            fs::write(&log, &whole[..length]).expect("it can be written");
            let (again, done) = tuned(&options(), 1, &log).expect("it can be done");
            assert_eq!((again, done.len()), (progress, left), "cut to {length}");
            assert_eq!(fs::read(&log).expect("it is there"), whole);
        }
        // More iterations are the same work.
        let (_, done) =
            tuned(&Options { iterations: 4, ..options() }, 2, &log).expect("it can be done");
        assert_eq!(done, [4]);
    }

    #[test]
    fn wrong_logs_are_told() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let log = folder.path().join("log");
        let short = Options { iterations: 1, ..options() };
        tuned(&short, 2, &log).expect("it can be done");
        let whole = fs::read_to_string(&log).expect("it is there");
        let error = |options: &Options, text: &str| {
            fs::write(&log, text).expect("it can be written");
            let error = tuned(options, 1, &log).expect_err("the log is wrong").to_string();
            assert_eq!(
                fs::read_to_string(&log).expect("it is there"),
                text,
                "a wrong log is left alone"
            );
            error
        };
        assert!(
            error(&Options { batch: 4, ..options() }, &whole)
                .contains("no log of the same parameters")
        );
        assert!(error(&short, "something else").contains("no log of the same parameters"));
        assert!(error(&short, &format!("{whole}{{}}\n")).starts_with("line 5 is malformed"));
        let third = whole.lines().nth(2).expect("an iteration");
        assert!(error(&short, &format!("{whole}{third}\n")).starts_with("line 5 is malformed"));
        let none = tune(&[], &short, &means(1), &log, &json!(0), |_| ());
        assert!(matches!(none, Err(TuneError::NoPositions)));
        let nowhere = tuned(&short, 1, &folder.path().join("none").join("log"));
        assert!(matches!(nowhere, Err(TuneError::Log(LogError::Io(_)))));
    }

    #[test]
    fn costs_weigh_as_they_say() {
        let (few, many) = ([10, 1000], [40, 900]);
        assert!(Cost::MeanLogarithm.of(&few) < Cost::MeanLogarithm.of(&many));
        assert!(Cost::Sum.of(&few) > Cost::Sum.of(&many));
    }
}
