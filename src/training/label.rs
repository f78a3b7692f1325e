//! Giving positions their scores: exactly where that is cheap, by the evaluation some plies ahead
//! where it is not.
//!
//! Results go to a file beside the output, a block at a time and in order, and the file gets its
//! name when it is whole. So work that is cut short at any moment loses less than a block a thread,
//! and goes on behind the last whole one, if the file was begun for the same work: its origin,
//! which stands at its head, must be the same.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::data::{RECORD, Sample, head, part_of, write_samples};
use super::work::{all_cores, in_order};
use crate::eval::Evaluation;
use crate::search::{Config, Request, Searcher, Window};
use crate::table::TableError;

/// Positions of a block: some seconds of work where it is hardest.
pub const BLOCK: usize = 256;

/// The size of each thread's table.
const TABLE_BYTES: u64 = 16 << 20;

/// How scores are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Positions with at most so many empties are solved exactly.
    pub exact_to: u32,
    /// All others are searched so many plies deep, 0 to 60.
    pub depth: u8,
}

/// Why positions cannot be labelled.
#[derive(Debug, Error)]
pub enum LabelError {
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is no memory for the tables.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Gives a position its score. Whatever the solver's table holds, the answer is the same.
pub fn label(sample: &Sample, rule: &Rule, solver: &mut Searcher) -> Sample {
    let position = sample.position;
    if position.empties().count() <= rule.exact_to {
        let solution = solver.solve(&Request { position, window: Window::FULL, all_moves: false });
        // The full window leaves nothing open: both bounds are the score.
        sample.with_exact(solution.bounds.lower)
    } else {
        sample.with_value(solver.estimate(&position, u32::from(rule.depth)), rule.depth)
    }
}

/// Labels all `samples` and writes them, in their order, to the file `output`. `origin` is what is
/// written at its head. `each` is told how many are done.
///
/// # Errors
/// If the output cannot be written, or if there is no memory for the tables.
pub fn label_all(
    samples: &[Sample],
    rule: &Rule,
    evaluation: &Arc<Evaluation>,
    output: &Path,
    origin: &str,
    mut each: impl FnMut(usize),
) -> Result<(), LabelError> {
    let config =
        || Config { table_bytes: TABLE_BYTES, evaluation: evaluation.clone(), ..Config::default() };
    let solvers =
        (0..all_cores().get()).map(|_| Searcher::new(config())).collect::<Result<_, _>>()?;
    let part = part_of(output);
    let (mut file, done) = resume(&part, origin)?;
    let blocks: Vec<&[Sample]> = samples.chunks(BLOCK).skip(done).collect();
    let mut count = (done * BLOCK).min(samples.len());
    each(count);
    let work = |solver: &mut Searcher, number: usize| -> Vec<Sample> {
        blocks[number].iter().map(|sample| label(sample, rule, solver)).collect()
    };
    let mut result = Ok(());
    in_order(blocks.len(), solvers, work, |_, block| {
        let mut bytes = Vec::with_capacity(block.len() * RECORD);
        result = write_samples(&mut bytes, &block).and_then(|()| file.write_all(&bytes));
        count += block.len();
        each(count);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    result?;
    file.sync_all()?;
    Ok(fs::rename(part, output)?)
}

/// The file to append to, and how many whole blocks it holds. What was begun for other work is
/// begun anew.
fn resume(part: &Path, origin: &str) -> io::Result<(File, usize)> {
    let head = head(origin);
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(part)?;
    let mut begun = Vec::new();
    (&file).take(head.len() as u64).read_to_end(&mut begun)?;
    let blocks = if begun == head.as_bytes() {
        (file.metadata()?.len() as usize - head.len()) / (BLOCK * RECORD)
    } else {
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(head.as_bytes())?;
        0
    };
    // A last block that is shorter, because the positions end there, is done again: it costs
    // little.
    let length = (head.len() + blocks * BLOCK * RECORD) as u64;
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length))?;
    Ok((file, blocks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::othello::Position;
    use crate::training::data::{Data, Origin, Quality};
    use crate::training::pool::Empties;
    use crate::training::self_play::{SelfPlay, self_play};

    const RULE: Rule = Rule { exact_to: 7, depth: 2 };

    fn evaluation() -> Arc<Evaluation> {
        Arc::new(Evaluation::new(&Weights::zero()))
    }

    fn samples() -> Vec<Sample> {
        let wanted =
            SelfPlay { empties: Empties { low: 6, high: 8 }, count: 3 * BLOCK + 10, seed: 5 };
        let positions = self_play(&wanted, &evaluation(), &[], |_| ());
        positions
            .into_iter()
            .map(|position| Sample::unlabelled(position, Origin::SelfPlay))
            .collect()
    }

    /// The plainest exact score there is.
    fn negamax(position: &Position) -> i32 {
        if position.is_over() {
            return position.final_score().discs();
        }
        let moves = position.moves();
        if moves.is_empty() {
            return -negamax(&position.passed());
        }
        let children =
            moves.into_iter().map(|square| position.after(square, position.flips(square)));
        children.map(|child| -negamax(&child)).max().expect("there are moves")
    }

    #[test]
    fn labels_are_exact_or_of_the_depth() {
        let mut solver = Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() })
            .expect("there is memory");
        for sample in &samples()[..60] {
            let labelled = label(sample, &RULE, &mut solver);
            if sample.position.empties().count() <= 7 {
                assert_eq!(labelled.quality, Quality::Exact);
                assert_eq!(
                    i32::from(labelled.score),
                    negamax(&sample.position) * crate::eval::UNIT
                );
            } else {
                assert_eq!(labelled.quality, Quality::Depth(2));
            }
        }
    }

    #[test]
    fn what_is_cut_short_goes_on() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let output = folder.path().join("labels");
        let samples = samples();
        let mut done = Vec::new();
        let mut label = |origin: &str| {
            done.clear();
            label_all(&samples, &RULE, &evaluation(), &output, origin, |count| done.push(count))
                .expect("it can be done");
            let data = Data::read(&output).expect("it can be read");
            assert_eq!(data.origin, origin);
            (done.first().copied(), data.samples)
        };
        let (first, whole) = label("a");
        assert_eq!((first, whole.len()), (Some(0), samples.len()));
        assert!(
            whole
                .iter()
                .zip(&samples)
                .all(|(a, b)| a.position == b.position && a.quality != Quality::None)
        );

        let file = fs::read(&output).expect("it is there");
        let part = part_of(&output);
        // In the second block, within a record; and in the short last one.
        for (bytes, blocks) in
            [(head("a").len() + (BLOCK + 20) * RECORD + 3, 1), (file.len() - RECORD, 3)]
        {
            fs::write(&part, &file[..bytes]).expect("it can be written");
            assert_eq!(label("a"), (Some(blocks * BLOCK), whole.clone()));
            assert!(!part.exists());
        }
        fs::write(&part, &file).expect("it can be written");
        assert_eq!(label("b").0, Some(0), "begun for other work");
    }
}
