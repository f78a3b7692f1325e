//! The benchmark: nodes and time of a suite.
//!
//! There are two modes, for two questions. [`BenchMode::List`]: how long does a list take?
//! Positions are solved side by side, and idle threads help the others. [`BenchMode::Each`]: how
//! long does one position take? All threads work on it, one position after the other, each with
//! empty tables. The time shows which version is faster. The nodes show why: what several threads
//! search more than one is parallel overhead.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::executor::{HelpedTaskList, ThreadError, in_order};
use super::list::read_list;
use super::output::{Output, RecordOffset};
use super::progress::NoProgress;
use super::{InputReader, RunError, RunOptions, Searchers, StopSignal};
use crate::othello::{Diagram, Score};
use crate::records::output::{NoteColumns, Record, Run, SinkError, Summary};
use crate::records::{Input, Problem, Source};
use crate::search::{Config, Limits, Request, Searcher, Window};
use crate::table::TableError;

/// The suites that are part of the program.
pub const SUITES: [Source; 3] = [
    built_in("ffo-1-19", include_bytes!("../../positions/ffo-1-19.obf")),
    built_in("ffo-20-39", include_bytes!("../../positions/ffo-20-39.obf")),
    built_in("ffo-40-59", include_bytes!("../../positions/ffo-40-59.obf")),
];

const fn built_in(name: &'static str, bytes: &'static [u8]) -> Source {
    Source::Memory { name, bytes: Cow::Borrowed(bytes) }
}

/// How a suite is solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BenchMode {
    /// As a list.
    List,
    /// One position after the other, each on all threads.
    Each,
}

/// The measurement of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Its identifier in the suite.
    pub id: String,
    /// The position.
    pub diagram: Diagram,
    /// Its score.
    pub score: Score,
    /// The score in the suite, if it has one.
    pub claim: Option<Score>,
    /// Nodes searched.
    pub nodes: u64,
    /// The time of its search.
    pub time: Duration,
}

/// The measurement of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measurement {
    /// The number of threads.
    pub threads: usize,
    /// The positions, in the order of the suite.
    pub positions: Vec<Timing>,
    /// The time of the whole suite.
    pub time: Duration,
}

/// Why a suite could not be measured.
#[derive(Debug, Error)]
pub enum BenchError {
    /// A part of the suite cannot be read.
    #[error("{0}")]
    Suite(String),
    /// There is not enough memory for the table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
}

impl Measurement {
    /// Solves a suite once.
    ///
    /// # Errors
    /// If a part of the suite cannot be read, if there is not enough memory for the table, or if a
    /// thread cannot be started.
    pub fn run(
        suite: &Source,
        mode: BenchMode,
        config: Config,
        threads: NonZeroUsize,
    ) -> Result<Measurement, BenchError> {
        let problems = read_list(suite.clone()).map_err(BenchError::Suite)?;
        match mode {
            BenchMode::List => list(suite, &problems, config, threads),
            BenchMode::Each => each(&problems, config, threads),
        }
    }

    /// Nodes over the whole suite.
    pub fn nodes(&self) -> u64 {
        self.positions.iter().map(|position| position.nodes).sum()
    }

    /// The median of each figure over several measurements of the same suite.
    ///
    /// # Panics
    /// If there is no measurement, or if they are of different suites.
    pub fn median(measurements: &[Measurement]) -> Measurement {
        let mut result = measurements[0].clone();
        result.time = median(measurements.iter().map(|one| one.time));
        for (index, position) in result.positions.iter_mut().enumerate() {
            position.time = median(measurements.iter().map(|one| one.positions[index].time));
            position.nodes = median(measurements.iter().map(|one| one.positions[index].nodes));
        }
        result
    }
}

/// The median; of the two middle values the lower one.
fn median<T: Ord>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    let middle = (values.len() - 1) / 2;
    values.swap_remove(middle)
}

/// An output that keeps the records in memory.
#[derive(Default)]
struct Collection(Vec<Record>);

impl Output for Collection {
    fn in_order(&self) -> bool {
        true
    }

    fn begin(&mut self, _: &Run) -> Result<(), SinkError> {
        Ok(())
    }

    fn record(&mut self, _: u64, record: &Record) {
        self.0.push(record.clone());
    }

    fn keep(&mut self, _: u64, _: RecordOffset) {}

    fn flush(&mut self) -> Result<(), SinkError> {
        Ok(())
    }

    fn end(&mut self, _: &Summary) -> Result<(), SinkError> {
        Ok(())
    }
}

fn list(
    suite: &Source,
    problems: &[(String, Problem)],
    config: Config,
    threads: NonZeroUsize,
) -> Result<Measurement, BenchError> {
    let run = Run {
        threads: threads.get(),
        deterministic: false,
        table_bytes: config.table_bytes,
        auto_table: None,
        weights: Input { name: String::new(), sha256: None },
        window: Window::FULL,
        all_moves: false,
        notes: NoteColumns::default(),
        limits: Limits::NONE,
        shard: None,
        inputs: Vec::new(),
    };
    let searchers = Searchers::pool(config, threads)?;
    let input = InputReader { sources: vec![suite.clone()], ..InputReader::default() };
    let mut records = Collection::default();
    let (options, stop) = (RunOptions::default(), StopSignal::default());
    let report = super::run(&run, options, searchers, input, &mut records, &NoProgress, &stop)?;
    let timing = |(record, (id, problem)): (Record, &(String, Problem))| {
        let solved = record.outcome.expect("the suite is read without errors above");
        Timing {
            id: id.clone(),
            diagram: solved.diagram,
            score: solved.solution.bounds.lower,
            claim: problem.claimed_score(),
            nodes: solved.solution.nodes,
            time: solved.time,
        }
    };
    let positions = records.0.into_iter().zip(problems).map(timing).collect();
    Ok(Measurement { threads: threads.get(), positions, time: report.summary.time })
}

fn each(
    problems: &[(String, Problem)],
    config: Config,
    threads: NonZeroUsize,
) -> Result<Measurement, BenchError> {
    let mut searchers = Searcher::pool(config, threads)?;
    let pool = Arc::clone(searchers[0].thread_pool());
    let tasks = HelpedTaskList::new(problems, &pool).one_at_a_time();
    let work = |searcher: &mut Searcher, (id, problem): &(String, Problem)| {
        searcher.clear();
        let request =
            Request { position: problem.diagram.position, window: Window::FULL, all_moves: false };
        let start = Instant::now();
        let solution = searcher.solve(&request);
        Timing {
            id: id.clone(),
            diagram: problem.diagram,
            score: solution.bounds.lower,
            claim: problem.claimed_score(),
            nodes: solution.nodes,
            time: start.elapsed(),
        }
    };
    let mut positions = Vec::with_capacity(problems.len());
    in_order(&mut searchers, &tasks, work, |timing| {
        positions.push(timing);
        Ok::<_, BenchError>(ControlFlow::Continue(()))
    })??;
    let time = positions.iter().map(|position| position.time).sum();
    Ok(Measurement { threads: threads.get(), positions, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_modes_give_the_scores_of_the_suite() {
        const TEXT: &[u8] = include_bytes!("../../positions/ffo-1-19.obf");
        let end = TEXT
            .iter()
            .enumerate()
            .filter(|&(_, byte)| *byte == b'\n')
            .nth(5)
            .expect("more than five lines")
            .0;
        let suite = built_in("ffo", &TEXT[..end]);
        for mode in [BenchMode::List, BenchMode::Each] {
            let config = Config { table_bytes: 1 << 20, ..Config::default() };
            let threads = NonZeroUsize::new(2).expect("two");
            let measurement = Measurement::run(&suite, mode, config, threads).expect("a suite");
            assert_eq!((measurement.threads, measurement.positions.len()), (2, 4));
            assert!(
                measurement.positions.iter().all(|position| position.claim == Some(position.score))
            );
            assert_eq!(measurement.positions[0].id, "ffo:3");
            assert!(measurement.nodes() > 1000 && measurement.time > Duration::ZERO);
        }
    }

    #[test]
    fn a_median_is_the_middle_value() {
        assert_eq!(
            [
                median([3, 1, 2].into_iter()),
                median([4, 1, 3, 2].into_iter()),
                median([5].into_iter())
            ],
            [2, 2, 5]
        );
    }

    #[test]
    fn a_suite_that_cannot_be_read_is_an_error() {
        let suite = built_in("bad", b"XO\n");
        let error = Measurement::run(&suite, BenchMode::List, Config::default(), NonZeroUsize::MIN)
            .expect_err("no suite");
        assert!(error.to_string().starts_with("bad:1:"), "{error}");
    }
}
