//! Labels of positions: exact scores where these are cheap, and values of depth-limited searches
//! elsewhere.
//!
//! Labels are written in blocks, in the order of the positions, to a partial file beside the
//! output, which is renamed when it is complete. After an interruption the work continues behind
//! the last complete block of the partial file. The header of that file must be the same as that of
//! the new call; otherwise the work starts from the beginning.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::data_set::{RECORD_BYTES, Sample, header, write_samples};
use super::search_settings::{SearchError, SearchSettings};
use crate::batch::executor::{TaskList, in_order};
use crate::eval::Evaluation;
use crate::output_file::{OutputFileError, open_locked, partial_path};
use crate::search::{Request, Searcher, Window};

/// The number of positions of a block: at most some seconds of work.
pub const BLOCK: usize = 256;

/// The size of each thread's table, in bytes.
const TABLE_BYTES: u64 = 16 << 20;

/// Which positions are solved exactly, and how deep the others are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelOptions {
    /// Positions with at most so many empties are solved exactly.
    pub max_exact_empties: u32,
    /// The depth of the search for all other positions, in plies, 0 to 60.
    pub depth: u8,
}

/// Why positions cannot be labelled.
#[derive(Debug, Error)]
pub enum LabelError {
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The positions cannot be searched.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// Returns the position with its label. The label does not depend on the content of the searcher's
/// tables.
pub fn label(sample: &Sample, options: &LabelOptions, searcher: &mut Searcher) -> Sample {
    let position = sample.position;
    if position.empties().count() <= options.max_exact_empties {
        let request = Request { position, window: Window::FULL, all_moves: false };
        // With the full window both bounds are the exact score.
        sample.with_exact(searcher.solve(&request).bounds.lower)
    } else {
        sample.with_value(searcher.estimate(&position, u32::from(options.depth)), options.depth)
    }
}

/// Labels all `samples` and writes them, in their order, to the file `output`. `origin` is the
/// description in its header. Calls `progress` with the number of labelled positions.
///
/// # Errors
/// If the output cannot be written, if there is no memory for the tables, or if a thread cannot be
/// started.
pub fn label_all(
    samples: &[Sample],
    options: &LabelOptions,
    evaluation: &Arc<Evaluation>,
    output: &Path,
    origin: &str,
    mut progress: impl FnMut(usize),
) -> Result<(), LabelError> {
    let settings =
        SearchSettings { table_bytes: TABLE_BYTES, ..SearchSettings::new(evaluation.clone()) };
    let mut searchers = settings.searchers().map_err(SearchError::from)?;
    let partial = partial_path(output);
    let (mut file, done) = open_partial(&partial, origin)?;
    let mut count = (done * BLOCK).min(samples.len());
    progress(count);
    let label_block = |searcher: &mut Searcher, block: &[Sample]| -> Vec<Sample> {
        block.iter().map(|sample| label(sample, options, searcher)).collect()
    };
    let tasks = TaskList::new(samples.chunks(BLOCK).skip(done));
    let written = in_order(&mut searchers, &tasks, label_block, |block| {
        let mut bytes = Vec::with_capacity(block.len() * RECORD_BYTES);
        write_samples(&mut bytes, &block)?;
        file.write_all(&bytes)?;
        count += block.len();
        progress(count);
        Ok::<_, io::Error>(ControlFlow::Continue(()))
    });
    written.map_err(SearchError::from)??;
    file.sync_all()?;
    Ok(fs::rename(partial, output)?)
}

/// Opens the partial file for appending. Returns it and the number of its complete blocks. A file
/// with another header is emptied.
fn open_partial(partial: &Path, origin: &str) -> io::Result<(File, usize)> {
    let header = header(origin);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let locked = || OutputFileError::Locked { file: partial.display().to_string() };
    let mut file = open_locked(&mut options, partial)?.ok_or_else(locked)?;
    let mut found = Vec::new();
    (&file).take(header.len() as u64).read_to_end(&mut found)?;
    let blocks = if found == header.as_bytes() {
        (file.metadata()?.len() as usize - header.len()) / (BLOCK * RECORD_BYTES)
    } else {
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(header.as_bytes())?;
        0
    };
    // A short block at the end of the positions is labelled again. That is cheap.
    let length = (header.len() + blocks * BLOCK * RECORD_BYTES) as u64;
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length))?;
    Ok((file, blocks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::othello::Position;
    use crate::search::Config;
    use crate::training::data_set::{DataSet, LabelKind, PositionSource};
    use crate::training::self_play::{SelfPlay, self_play};
    use crate::training::stratified_sample::EmptiesRange;

    const OPTIONS: LabelOptions = LabelOptions { max_exact_empties: 7, depth: 2 };

    fn evaluation() -> Arc<Evaluation> {
        Arc::new(Evaluation::new(&Weights::zero()))
    }

    fn samples() -> Vec<Sample> {
        let options =
            SelfPlay { empties: EmptiesRange { low: 6, high: 8 }, count: 3 * BLOCK + 10, seed: 5 };
        let positions = self_play(&options, &evaluation(), &[], |_| ()).expect("threads");
        positions
            .into_iter()
            .map(|position| Sample::unlabelled(position, PositionSource::SelfPlay))
            .collect()
    }

    /// The exact score, by a plain negamax search.
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
    fn labels_are_exact_up_to_a_number_of_empties() {
        let mut searcher = Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() })
            .expect("there is memory");
        for sample in &samples()[..60] {
            let labelled = label(sample, &OPTIONS, &mut searcher);
            if sample.position.empties().count() <= 7 {
                assert_eq!(labelled.label, LabelKind::Exact);
                assert_eq!(
                    i32::from(labelled.score),
                    negamax(&sample.position) * crate::eval::UNIT
                );
            } else {
                assert_eq!(labelled.label, LabelKind::Depth(2));
            }
        }
    }

    #[test]
    fn interrupted_work_continues_behind_the_last_complete_block() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let output = folder.path().join("labels");
        let samples = samples();
        let mut done = Vec::new();
        let mut label = |origin: &str| {
            done.clear();
            label_all(&samples, &OPTIONS, &evaluation(), &output, origin, |count| done.push(count))
                .expect("it can be done");
            let data = DataSet::read(&output).expect("it can be read");
            assert_eq!(data.origin, origin);
            (done.first().copied(), data.samples)
        };
        let (first, whole) = label("a");
        assert_eq!((first, whole.len()), (Some(0), samples.len()));
        assert!(
            whole
                .iter()
                .zip(&samples)
                .all(|(a, b)| a.position == b.position && a.label != LabelKind::None)
        );

        let file = fs::read(&output).expect("it is there");
        let partial = partial_path(&output);
        // Cut within a record of the second block, and within the short last block.
        for (bytes, blocks) in [
            (header("a").len() + (BLOCK + 20) * RECORD_BYTES + 3, 1),
            (file.len() - RECORD_BYTES, 3),
        ] {
            fs::write(&partial, &file[..bytes]).expect("it can be written");
            assert_eq!(label("a"), (Some(blocks * BLOCK), whole.clone()));
            assert!(!partial.exists());
        }
        fs::write(&partial, &file).expect("it can be written");
        assert_eq!(label("b").0, Some(0), "another header");
    }
}
