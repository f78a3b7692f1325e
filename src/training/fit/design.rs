//! The linear model of the evaluation as a matrix that is never written down: a row for each
//! sample, a column for each number to be fitted.
//!
//! The columns are the weights, stage by stage, and then the constants for 0 to 60 empties. A row
//! holds, for each of its 46 features, a one at the feature's class, shared between the two stages
//! around its number of empties; so rows with the same number of empties share a table in which the
//! two stages are blended already, and a row times a vector is 46 look-ups in a table that fits the
//! cache. The samples are kept in order of their empties for that, with their class numbers looked
//! up beforehand.
//!
//! Work is cut into chunks of samples whose bounds depend on the samples alone, and what chunks
//! give is added in their order: the sums are the same whatever number of threads share the work.

use std::ops::Range;

use rayon::prelude::*;

use crate::eval::packed::BLENDS;
use crate::eval::patterns::{CENTRES, FEATURES};
use crate::eval::{CLASSES, Classes, Features, StageWeights, UNIT, Weights};
use crate::training::data::{Sample, fixed_hash};

/// The largest number of samples of a chunk. A chunk sums in single precision, in a table of its
/// own.
const CHUNK: usize = 1 << 15;

/// One position in so many is held out: never fitted to, only predicted.
pub const HELD_OUT: u64 = 40;

/// How far, in discs, a score must lie from a draw for the sample to weigh half as much. Close
/// positions are those that a search must tell apart.
const HALF_WEIGHT: f32 = 20.0;

/// The samples, as the fit sees them.
pub(super) struct Design {
    /// The class of each feature.
    classes: Vec<[u32; FEATURES]>,
    /// The scores, in 1 / [`UNIT`] disc.
    pub(super) targets: Vec<f32>,
    /// What each sample weighs, 0 to 1.
    pub(super) importance: Vec<f32>,
    chunks: Vec<Chunk>,
    groups: Vec<Group>,
    stages: usize,
}

/// Samples with the same number of empties that are all fitted to, or all held out.
struct Chunk {
    samples: Range<usize>,
    /// Which of the groups.
    group: usize,
    held_out: bool,
}

/// All samples with one number of empties.
struct Group {
    empties: usize,
    /// The first of the two stages around it.
    stage: usize,
    /// The share of the second one, 0 to 1.
    part: f32,
}

impl Group {
    /// The share of a stage.
    fn share(&self, stage: usize) -> f32 {
        match stage.wrapping_sub(self.stage) {
            0 => 1.0 - self.part,
            1 => self.part,
            _ => 0.0,
        }
    }
}

/// Whether a position is held out.
pub(super) fn is_held_out(sample: &Sample) -> bool {
    fixed_hash(&sample.position).is_multiple_of(HELD_OUT)
}

/// Weights that are all zero, for the stages at these empties.
pub(super) fn blank(stages: &[u8]) -> Weights {
    let stages = stages.iter().map(|&empties| StageWeights { empties, weights: vec![0; CLASSES] });
    Weights::new(String::new(), stages.collect(), [0; 61], *Weights::zero().deviation())
}

impl Design {
    /// The design for samples that stand in order of their empties, those with the same number
    /// beginning with what is fitted to.
    pub(super) fn new(samples: &[Sample], stages: &[u8]) -> Design {
        let blank = blank(stages);
        let mut chunks = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        let mut start = 0;
        for part in samples.chunk_by(|a, b| key(a) == key(b)) {
            let (empties, held_out) = key(&part[0]);
            if groups.last().is_none_or(|group| group.empties != empties) {
                let (stage, part) = blank.place(empties);
                // As coarse as the evaluation's own blend.
                let part = (part * f64::from(BLENDS)).round() / f64::from(BLENDS);
                groups.push(Group { empties, stage, part: part as f32 });
            }
            let end = start + part.len();
            while start < end {
                let next = end.min(start + CHUNK);
                chunks.push(Chunk { samples: start..next, group: groups.len() - 1, held_out });
                start = next;
            }
        }
        let of_indices = Classes::get().of_indices();
        let classes = samples.par_iter().map(|sample| {
            let features = *Features::of(&sample.position).as_array();
            std::array::from_fn(|lane| {
                of_indices[(CENTRES[lane] + i32::from(features[lane])) as usize]
            })
        });
        let importance = |sample: &Sample| {
            let discs = f32::from(sample.score) / UNIT as f32;
            1.0 / (1.0 + (discs / HALF_WEIGHT).powi(2))
        };
        Design {
            classes: classes.collect(),
            targets: samples.iter().map(|sample| f32::from(sample.score)).collect(),
            importance: samples.iter().map(importance).collect(),
            chunks,
            groups,
            stages: stages.len(),
        }
    }

    /// The numbers of empties of which there are samples.
    pub(super) fn empties(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().map(|group| group.empties)
    }

    /// How many numbers are fitted.
    pub(super) fn columns(&self) -> usize {
        self.stages * CLASSES + 61
    }

    /// The samples that are held out, or those that are not.
    pub(super) fn parts(&self, held_out: bool) -> impl Iterator<Item = Range<usize>> {
        self.chunks
            .iter()
            .filter(move |chunk| chunk.held_out == held_out)
            .map(|chunk| chunk.samples.clone())
    }

    /// Every row times `vector`.
    pub(super) fn rows_times(&self, vector: &[f32]) -> Vec<f32> {
        let tables: Vec<Vec<f32>> =
            self.groups.par_iter().map(|group| self.table(group, vector)).collect();
        let mut products = vec![0.0; self.classes.len()];
        let mut rest = products.as_mut_slice();
        let mut work = Vec::with_capacity(self.chunks.len());
        for chunk in &self.chunks {
            let (part, after) = rest.split_at_mut(chunk.samples.len());
            work.push((chunk, part));
            rest = after;
        }
        work.into_par_iter().for_each(|(chunk, products)| {
            let table = &tables[chunk.group];
            let constant = vector[self.stages * CLASSES + self.groups[chunk.group].empties];
            for (product, classes) in products.iter_mut().zip(&self.classes[chunk.samples.clone()])
            {
                *product =
                    constant + classes.iter().map(|&class| table[class as usize]).sum::<f32>();
            }
        });
        products
    }

    /// The weights of a group's two stages, blended.
    fn table(&self, group: &Group, vector: &[f32]) -> Vec<f32> {
        let stage = |number: usize| &vector[number * CLASSES..][..CLASSES];
        let pairs = stage(group.stage).iter().zip(stage(group.stage + 1));
        pairs.map(|(early, late)| early + (late - early) * group.part).collect()
    }

    /// Every column times `values`, a number for each sample; held-out samples are left out.
    pub(super) fn columns_times(&self, values: &[f32]) -> Vec<f32> {
        self.columns_weighted(values, |share| share)
    }

    /// The same with every element of the matrix squared, taking two features of one class for two
    /// columns: for the preconditioner, which need not be exact.
    pub(super) fn squared_columns_times(&self, values: &[f32]) -> Vec<f32> {
        self.columns_weighted(values, |share| share * share)
    }

    fn columns_weighted(&self, values: &[f32], weigh: impl Fn(f32) -> f32 + Sync) -> Vec<f32> {
        let chunks: Vec<&Chunk> = self.chunks.iter().filter(|chunk| !chunk.held_out).collect();
        let sums: Vec<Vec<f32>> = chunks
            .par_iter()
            .map(|chunk| {
                let mut sums = vec![0.0; CLASSES];
                for (classes, value) in
                    self.classes[chunk.samples.clone()].iter().zip(&values[chunk.samples.clone()])
                {
                    classes.iter().for_each(|&class| sums[class as usize] += value);
                }
                sums
            })
            .collect();
        let mut result = vec![0.0; self.columns()];
        let (of_stages, constants) = result.split_at_mut(self.stages * CLASSES);
        // Pieces of a stage, so that all threads have something to add.
        const PIECES: usize = 9;
        let piece = CLASSES / PIECES;
        const { assert!(CLASSES.is_multiple_of(PIECES)) };
        of_stages.par_chunks_mut(piece).enumerate().for_each(|(number, result)| {
            let (stage, first) = (number / PIECES, number % PIECES * piece);
            let mut total = vec![0.0f64; piece];
            for (chunk, sums) in chunks.iter().zip(&sums) {
                let share = f64::from(weigh(self.groups[chunk.group].share(stage)));
                if share != 0.0 {
                    total
                        .iter_mut()
                        .zip(&sums[first..])
                        .for_each(|(total, &sum)| *total += share * f64::from(sum));
                }
            }
            result.iter_mut().zip(total).for_each(|(result, total)| *result = total as f32);
        });
        for chunk in chunks {
            let sum: f64 =
                values[chunk.samples.clone()].iter().map(|&value| f64::from(value)).sum();
            constants[self.groups[chunk.group].empties] += sum as f32;
        }
        result
    }
}

/// By what samples are ordered and grouped.
pub(super) fn key(sample: &Sample) -> (usize, bool) {
    (sample.position.empties().count() as usize, is_held_out(sample))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::training::data::Origin;
    use crate::training::pool::Empties;
    use crate::training::self_play::{SelfPlay, self_play};

    const STAGES: [u8; 3] = [8, 12, 16];

    fn samples() -> Vec<Sample> {
        let wanted = SelfPlay { empties: Empties { low: 7, high: 17 }, count: 2000, seed: 1 };
        let positions = self_play(&wanted, &Evaluation::new(&Weights::zero()), &[], |_| ());
        let mut samples: Vec<Sample> = positions
            .into_iter()
            .map(|position| Sample::unlabelled(position, Origin::SelfPlay))
            .collect();
        samples.sort_by_cached_key(key);
        samples
    }

    /// Whole numbers from -50 to 50, so that single precision is exact.
    fn numbers(count: usize) -> Vec<f32> {
        (0..count as u64)
            .map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32 % 101)
            .map(|n| n as f32 - 50.0)
            .collect()
    }

    #[test]
    fn a_row_gives_the_value_of_the_evaluation() {
        let samples = samples();
        let design = Design::new(&samples, &STAGES);
        let vector = numbers(design.columns());
        let stages = STAGES.iter().zip(vector.chunks(CLASSES)).map(|(&empties, weights)| {
            StageWeights { empties, weights: weights.iter().map(|&weight| weight as i16).collect() }
        });
        let constants =
            std::array::from_fn(|empties| vector[STAGES.len() * CLASSES + empties] as i16);
        let weights =
            Weights::new(String::new(), stages.collect(), constants, *Weights::zero().deviation());
        let evaluation = Evaluation::new(&weights);
        for (sample, value) in samples.iter().zip(design.rows_times(&vector)) {
            let expected = evaluation
                .value(&Features::of(&sample.position), sample.position.empties().count());
            assert!((value - expected as f32).abs() <= 0.51, "{value} for {expected}");
        }
    }

    #[test]
    fn columns_are_the_rows_turned_round() {
        let design = Design::new(&samples(), &STAGES);
        let (vector, mut values) = (numbers(design.columns()), numbers(design.targets.len()));
        let dot = |a: &[f32], b: &[f32]| -> f64 {
            a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        let columns = design.columns_times(&values);
        // What is held out has no part in the columns.
        design.parts(true).for_each(|part| values[part].fill(0.0));
        let (one, other) = (dot(&design.rows_times(&vector), &values), dot(&vector, &columns));
        assert!((one - other).abs() <= 1e-6 * one.abs(), "{one} and {other}");
        assert!(design.parts(true).map(|part| part.len()).sum::<usize>() > 20);
    }
}
