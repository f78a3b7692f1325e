use super::*;
use crate::eval::{Evaluation, Features, SYMMETRY_CLASSES, StageWeights, Weights};
use crate::othello::Position;
use crate::training::data_set::PositionSource;

/// The positions of 1500 games of random moves.
fn positions() -> Vec<Position> {
    let mut word = 1u64;
    let mut positions = Vec::new();
    for _ in 0..1500 {
        let mut position = Position::START;
        while !position.is_over() {
            let moves = position.moves();
            word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            position = match moves
                .into_iter()
                .nth((word >> 33) as usize % moves.count().max(1) as usize)
            {
                Some(square) => position.after(square, position.flips(square)),
                None => position.passed(),
            };
            if (8..20).contains(&position.empties().count()) {
                positions.push(position);
            }
        }
    }
    positions
}

/// Known weights, by which the samples are labelled: the disc difference of each pattern, with
/// another factor at each of the two stages.
fn known_weights() -> Weights {
    use crate::eval::patterns::{KINDS, configurations, first_index};
    use crate::eval::symmetry_classes;
    let mut stages =
        [8, 20].map(|empties| StageWeights { empties, weights: vec![0; SYMMETRY_CLASSES] });
    for kind in 0..KINDS.len() {
        let half = configurations(kind) as i32 / 2;
        for feature in -half..=half {
            let mut digits = 0;
            let mut rest = feature;
            while rest != 0 {
                let digit = (rest + 1).rem_euclid(3) - 1;
                digits += digit;
                rest = (rest - digit) / 3;
            }
            let class =
                symmetry_classes()[(first_index(kind) as i32 + half + feature) as usize] as usize;
            stages[0].weights[class] = (3 * digits) as i16;
            stages[1].weights[class] = (9 * digits) as i16;
        }
    }
    Weights::new("known".into(), stages.to_vec(), [40; 61], *Weights::zero().deviation())
}

fn samples() -> Vec<Sample> {
    let evaluation = Evaluation::new(&known_weights());
    let label = |position: &Position| {
        let value = evaluation.value(&Features::of(position), position.empties().count());
        Sample::unlabelled(*position, PositionSource::SelfPlay).with_value(value, 0)
    };
    positions().iter().map(label).collect()
}

fn options() -> FitOptions {
    FitOptions { stages: vec![8, 20], ridge: 0.01, ..FitOptions::default() }
}

#[test]
fn known_weights_are_found() {
    let samples = samples();
    let fitted = fit(&samples, &options(), None, |_| ()).expect("it can be fitted");
    let errors = fitted.validation_errors.total();
    assert!(errors.count > 300 && fitted.training + errors.count as usize == samples.len());
    assert!(errors.mean_absolute() < 0.5, "{errors:?}");
    assert_eq!(fitted.clamped, 0);
}

#[test]
fn threads_and_interruptions_do_not_change_the_result() {
    let samples = samples();
    let run = |threads: usize, options: &FitOptions, checkpoint: Option<&Path>| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads can be had");
        pool.install(|| fit(&samples, options, checkpoint, |_| ())).expect("it can be fitted")
    };
    let options = FitOptions { iterations: 10, ..options() };
    let whole = run(1, &options, None);
    assert_eq!(run(2, &options, None), whole);

    // A checkpoint after the fourth iteration.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("state");
    let mut sorted = samples.clone();
    sorted.sort_by_cached_key(sort_key);
    let matrix = DesignMatrix::new(&sorted, &options.stages);
    let cgls = Cgls::new(&matrix, Regularisation::of(&options));
    let mut state = cgls.start();
    (0..4).for_each(|_| assert!(cgls.step(&mut state)));
    let best = Best {
        iteration: 4,
        error: weighted_error(&matrix, &state, true),
        weights: state.weights.clone(),
    };
    checkpoint::write(&path, checkpoint::digest(&sorted, &options), &state, &best)
        .expect("it can be written");
    let mut iterations = Vec::new();
    let resumed = fit(&samples, &options, Some(&path), |step| iterations.push(step.iteration));
    assert_eq!(resumed.expect("it can be fitted"), whole);
    assert_eq!(iterations.first(), Some(&5));
}

#[test]
fn invalid_options_and_empty_sets_are_refused() {
    let error = |samples: &[Sample], stages: &[u8]| {
        let options = FitOptions { stages: stages.to_vec(), ..options() };
        fit(samples, &options, None, |_| ()).expect_err("it cannot be fitted").to_string()
    };
    assert!(error(&[], &[10]).contains("at least two"));
    assert!(error(&[], &[10, 10]).contains("ascending"));
    assert!(error(&[], &[10, 61]).contains("up to 60"));
    let unlabelled = Sample::unlabelled(Position::START, PositionSource::SelfPlay);
    assert!(
        error(&[unlabelled], &[10, 20])
            .starts_with("0 labelled positions and 0 held out are too few")
    );
}
