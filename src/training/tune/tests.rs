use std::fs;
use std::num::NonZeroUsize;
use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::eval::{Evaluation, Weights};
use crate::training::self_play::{SelfPlay, self_play};
use crate::training::stratified_sample::EmptiesRange;

fn settings(threads: usize) -> SearchSettings {
    let evaluation = Arc::new(Evaluation::new(&Weights::zero()));
    let threads = NonZeroUsize::new(threads).expect("at least one");
    SearchSettings { table_bytes: 1 << 20, threads, ..SearchSettings::new(evaluation) }
}

fn positions() -> Vec<Position> {
    let options = SelfPlay { empties: EmptiesRange { low: 12, high: 12 }, count: 8, seed: 30 };
    self_play(&options, &settings(1).evaluation, &[], |_| ()).expect("threads")
}

fn options() -> TuneOptions {
    TuneOptions { batch: 5, iterations: 3, every: 2, mean_of: 2, ..TuneOptions::default() }
}

/// The result of a run, and the iterations that it did itself.
fn tuned(
    options: &TuneOptions,
    threads: usize,
    log: &Path,
) -> Result<(Measurement, Vec<u32>), TuneError> {
    let mut done = Vec::new();
    let result = tune(&positions(), options, &settings(threads), log, &json!("a test"), |event| {
        if let Event::Iteration(finished) = event {
            done.push(finished.iteration);
        }
    })?;
    Ok((result, done))
}

#[test]
fn the_number_of_threads_does_not_change_the_result() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runs = [1, 2].map(|threads| {
        let log = folder.path().join(threads.to_string());
        let (result, done) = tuned(&options(), threads, &log).expect("it can be done");
        assert_eq!(done, [1, 2, 3]);
        (result, fs::read_to_string(log).expect("it is there"))
    });
    assert_eq!(runs[0], runs[1]);
    let (result, log) = &runs[0];
    // The header, the measurement at the start, three iterations, and the measurements after the
    // second and the third.
    assert_eq!(log.lines().count(), 1 + 1 + 3 + 2);
    assert_ne!(result.current.0, result.start.0);
    let [nodes] = count_nodes(&positions(), &[result.current.0], &settings(1), |_| ())
        .expect("there is memory");
    assert_eq!((result.iterations, result.current.1), (3, NodeTotal::of(&nodes)));
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    // The result is the mean of the values after the last two iterations.
    let value = |line: usize| lines[line]["values"][0].as_f64().expect("a number");
    assert_eq!(
        (lines[3]["iteration"].as_u64(), lines[5]["iteration"].as_u64()),
        (Some(2), Some(3))
    );
    assert_eq!(f64::from(result.current.0.values()[0]), ((value(3) + value(5)) / 2.0).round());
    let objectives: Value =
        serde_json::from_str(log.lines().nth(2).expect("an iteration")).expect("JSON");
    assert_ne!(objectives["plus"], objectives["minus"]);
}

#[test]
fn an_interrupted_run_continues_from_its_log() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log");
    let (result, _) = tuned(&options(), 2, &log).expect("it can be done");
    let whole = fs::read(&log).expect("it is there");
    let ends: Vec<usize> =
        (0..whole.len()).filter(|&at| whole[at] == b'\n').map(|at| at + 1).collect();
    // Cut within the header, behind it, within the second iteration, behind it and before its
    // measurement, within the third iteration, and not at all.
    for (length, left) in
        [(20, 3), (ends[0], 3), (ends[2] + 7, 2), (ends[3], 1), (ends[4] + 1, 1), (ends[6], 0)]
    {
        fs::write(&log, &whole[..length]).expect("it can be written");
        let (again, done) = tuned(&options(), 1, &log).expect("it can be done");
        assert_eq!((again, done.len()), (result, left), "cut to {length}");
        assert_eq!(fs::read(&log).expect("it is there"), whole);
    }
    // The number of iterations is not in the header, so the run can be prolonged.
    let (_, done) =
        tuned(&TuneOptions { iterations: 4, ..options() }, 2, &log).expect("it can be done");
    assert_eq!(done, [4]);
}

#[test]
fn malformed_logs_and_logs_of_other_runs_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log");
    let short = TuneOptions { iterations: 1, ..options() };
    tuned(&short, 2, &log).expect("it can be done");
    let whole = fs::read_to_string(&log).expect("it is there");
    let error = |options: &TuneOptions, text: &str| {
        fs::write(&log, text).expect("it can be written");
        let error = tuned(options, 1, &log).expect_err("the log is wrong").to_string();
        assert_eq!(fs::read_to_string(&log).expect("it is there"), text, "the log is not changed");
        error
    };
    assert!(
        error(&TuneOptions { batch: 4, ..options() }, &whole)
            .contains("this log is of another run")
    );
    assert!(error(&short, "something else").contains("this log is of another run"));
    assert!(error(&short, &format!("{whole}{{}}\n")).starts_with("line 5 is malformed"));
    let third = whole.lines().nth(2).expect("an iteration");
    assert!(error(&short, &format!("{whole}{third}\n")).starts_with("line 5 is malformed"));
    let none = tune(&[], &short, &settings(1), &log, &json!(0), |_| ());
    assert!(matches!(none, Err(TuneError::NoPositions)));
    let nowhere = tuned(&short, 1, &folder.path().join("none").join("log"));
    assert!(matches!(nowhere, Err(TuneError::Log(LogError::Io(_)))));
}

#[test]
fn the_objectives_weight_positions_differently() {
    let (few, many) = ([10, 1000], [40, 900]);
    assert!(Objective::MeanLogarithm.of(&few) < Objective::MeanLogarithm.of(&many));
    assert!(Objective::Sum.of(&few) > Objective::Sum.of(&many));
}
