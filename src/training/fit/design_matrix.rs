//! The design matrix of the fit, which is never stored as a matrix: a row for each sample, a column
//! for each coefficient.
//!
//! The columns are the weights of the classes, stage by stage, and then the constants for 0 to 60
//! empties. With n empties between the stages e1 and e2, and p the share of e2, the row of a sample
//! has for each of its 46 features the entry 1 - p in the column of the feature's class at e1, and
//! p at e2; and a 1 in the column of the constant for n.
//!
//! Samples with the same number of empties share p. So the product of their rows with a vector uses
//! one table in which the two stages are blended, and is 46 look-ups per sample in a table that
//! fits into the cache. For that the samples are sorted by their empties, and their class numbers
//! are computed in advance.
//!
//! The work is divided into chunks of samples whose limits depend on the samples only, and the sums
//! of the chunks are added in their order. So no result depends on the number of threads.

use std::ops::Range;

use rayon::prelude::*;

use crate::eval::patterns::{EMPTY_INDICES, FEATURES};
use crate::eval::tapered::TAPER_STEPS;
use crate::eval::{Features, SYMMETRY_CLASSES, StageWeights, UNIT, Weights, symmetry_classes};
use crate::training::data_set::{Sample, fixed_hash};

/// The largest number of samples of a chunk. A chunk sums in single precision, in a table of its
/// own.
const CHUNK: usize = 1 << 15;

/// One position in so many belongs to the validation set.
pub const VALIDATION_ONE_IN: u64 = 40;

/// The absolute score, in discs, at which a sample has half the weight of an even one. Close
/// positions are those that a search must distinguish.
const HALF_WEIGHT: f32 = 20.0;

/// The design matrix, the labels and the sample weights.
pub(super) struct DesignMatrix {
    /// The class of each feature of each sample.
    classes: Vec<[u32; FEATURES]>,
    /// The labels, in 1 / [`UNIT`] disc.
    pub(super) labels: Vec<f32>,
    /// The sample weights 1 / (1 + (score / [`HALF_WEIGHT`])^2).
    pub(super) sample_weights: Vec<f32>,
    chunks: Vec<Chunk>,
    groups: Vec<Group>,
    stages: usize,
}

/// Consecutive samples with the same number of empties, all of the training set or all of the
/// validation set.
struct Chunk {
    samples: Range<usize>,
    /// The index of their group.
    group: usize,
    validation: bool,
}

/// The samples with one number of empties.
struct Group {
    empties: usize,
    /// The index of the first of the two stages around it.
    stage: usize,
    /// The share of the second of these stages, 0 to 1.
    second_share: f32,
}

impl Group {
    /// The share of a stage, 0 to 1.
    fn share(&self, stage: usize) -> f32 {
        match stage.wrapping_sub(self.stage) {
            0 => 1.0 - self.second_share,
            1 => self.second_share,
            _ => 0.0,
        }
    }
}

/// The key by which samples are sorted and divided: the empties, and whether the sample belongs to
/// the validation set.
pub(super) fn sort_key(sample: &Sample) -> (usize, bool) {
    let validation = fixed_hash(&sample.position).is_multiple_of(VALIDATION_ONE_IN);
    (sample.position.empties().count() as usize, validation)
}

/// Weights that are all 0, with stages at these empties.
fn zero_weights(stages: &[u8]) -> Weights {
    let stages =
        stages.iter().map(|&empties| StageWeights { empties, weights: vec![0; SYMMETRY_CLASSES] });
    Weights::new(String::new(), stages.collect(), [0; 61], *Weights::zero().deviation())
}

/// Divides samples that are sorted by [`sort_key`].
fn divide(samples: &[Sample], stages: &[u8]) -> (Vec<Chunk>, Vec<Group>) {
    let zero = zero_weights(stages);
    let mut chunks = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut start = 0;
    for part in samples.chunk_by(|a, b| sort_key(a) == sort_key(b)) {
        let (empties, validation) = sort_key(&part[0]);
        if groups.last().is_none_or(|group| group.empties != empties) {
            let (stage, share) = zero.interpolation(empties);
            // Rounded like the share by which the evaluation interpolates between stages.
            let share = (share * f64::from(TAPER_STEPS)).round() / f64::from(TAPER_STEPS);
            groups.push(Group { empties, stage, second_share: share as f32 });
        }
        let end = start + part.len();
        while start < end {
            let next = end.min(start + CHUNK);
            chunks.push(Chunk { samples: start..next, group: groups.len() - 1, validation });
            start = next;
        }
    }
    (chunks, groups)
}

impl DesignMatrix {
    /// The matrix for samples that are sorted by [`sort_key`].
    pub(super) fn new(samples: &[Sample], stages: &[u8]) -> DesignMatrix {
        let (chunks, groups) = divide(samples, stages);
        let class_of = symmetry_classes();
        let classes = samples.par_iter().map(|sample| {
            let features = *Features::of(&sample.position).as_array();
            std::array::from_fn(|lane| {
                class_of[(EMPTY_INDICES[lane] + i32::from(features[lane])) as usize]
            })
        });
        let weight = |sample: &Sample| {
            let discs = f32::from(sample.score) / UNIT as f32;
            1.0 / (1.0 + (discs / HALF_WEIGHT).powi(2))
        };
        DesignMatrix {
            classes: classes.collect(),
            labels: samples.iter().map(|sample| f32::from(sample.score)).collect(),
            sample_weights: samples.iter().map(weight).collect(),
            chunks,
            groups,
            stages: stages.len(),
        }
    }

    /// The numbers of empties that samples have.
    pub(super) fn empties(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().map(|group| group.empties)
    }

    /// The number of columns.
    pub(super) fn columns(&self) -> usize {
        self.stages * SYMMETRY_CLASSES + 61
    }

    /// The indices of the samples of the validation set, or of the training set.
    pub(super) fn parts(&self, validation: bool) -> impl Iterator<Item = Range<usize>> {
        self.chunks
            .iter()
            .filter(move |chunk| chunk.validation == validation)
            .map(|chunk| chunk.samples.clone())
    }

    /// The product of the matrix with a vector: a number for each sample of both sets.
    pub(super) fn times(&self, vector: &[f32]) -> Vec<f32> {
        let tables: Vec<Vec<f32>> =
            self.groups.par_iter().map(|group| self.blended(group, vector)).collect();
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
            let constant =
                vector[self.stages * SYMMETRY_CLASSES + self.groups[chunk.group].empties];
            for (product, classes) in products.iter_mut().zip(&self.classes[chunk.samples.clone()])
            {
                *product =
                    constant + classes.iter().map(|&class| table[class as usize]).sum::<f32>();
            }
        });
        products
    }

    /// The weights of a group's two stages, blended.
    fn blended(&self, group: &Group, vector: &[f32]) -> Vec<f32> {
        let stage = |index: usize| &vector[index * SYMMETRY_CLASSES..][..SYMMETRY_CLASSES];
        let pairs = stage(group.stage).iter().zip(stage(group.stage + 1));
        pairs.map(|(first, second)| first + (second - first) * group.second_share).collect()
    }

    /// The product of the transposed matrix with `values`, a number for each sample. Samples of the
    /// validation set are left out.
    pub(super) fn transposed_times(&self, values: &[f32]) -> Vec<f32> {
        self.transposed_with_shares(values, |share| share)
    }

    /// The same with every entry of the matrix squared. Two features of one class count as two
    /// columns; the preconditioner, for which this is, need not be exact.
    pub(super) fn squared_transposed_times(&self, values: &[f32]) -> Vec<f32> {
        self.transposed_with_shares(values, |share| share * share)
    }

    /// The product of the transposed matrix with `values`, where `entry` computes the entry for the
    /// share of a stage.
    fn transposed_with_shares(
        &self,
        values: &[f32],
        entry: impl Fn(f32) -> f32 + Sync,
    ) -> Vec<f32> {
        let chunks: Vec<&Chunk> = self.chunks.iter().filter(|chunk| !chunk.validation).collect();
        let sums: Vec<Vec<f32>> =
            chunks.par_iter().map(|chunk| self.sums_by_class(chunk, values)).collect();
        let mut result = vec![0.0; self.columns()];
        let (of_stages, constants) = result.split_at_mut(self.stages * SYMMETRY_CLASSES);
        // The parts of a stage that threads sum up separately.
        const PARTS: usize = 9;
        let length = SYMMETRY_CLASSES / PARTS;
        const { assert!(SYMMETRY_CLASSES.is_multiple_of(PARTS)) };
        of_stages.par_chunks_mut(length).enumerate().for_each(|(index, result)| {
            let (stage, first) = (index / PARTS, index % PARTS * length);
            let mut total = vec![0.0f64; length];
            for (chunk, sums) in chunks.iter().zip(&sums) {
                let share = f64::from(entry(self.groups[chunk.group].share(stage)));
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

    /// The sum of the values of a chunk's samples for each class.
    fn sums_by_class(&self, chunk: &Chunk, values: &[f32]) -> Vec<f32> {
        let mut sums = vec![0.0; SYMMETRY_CLASSES];
        for (classes, value) in
            self.classes[chunk.samples.clone()].iter().zip(&values[chunk.samples.clone()])
        {
            classes.iter().for_each(|&class| sums[class as usize] += value);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::training::data_set::PositionSource;
    use crate::training::self_play::{SelfPlay, self_play};
    use crate::training::stratified_sample::EmptiesRange;

    const STAGES: [u8; 3] = [8, 12, 16];

    fn samples() -> Vec<Sample> {
        let options = SelfPlay { empties: EmptiesRange { low: 7, high: 17 }, count: 2000, seed: 1 };
        let positions =
            self_play(&options, &Evaluation::new(&Weights::zero()), &[], |_| ()).expect("threads");
        let mut samples: Vec<Sample> = positions
            .into_iter()
            .map(|position| Sample::unlabelled(position, PositionSource::SelfPlay))
            .collect();
        samples.sort_by_cached_key(sort_key);
        samples
    }

    /// Integers from -50 to 50, for which single precision is exact.
    fn numbers(count: usize) -> Vec<f32> {
        (0..count as u64)
            .map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32 % 101)
            .map(|n| n as f32 - 50.0)
            .collect()
    }

    #[test]
    fn a_product_is_the_value_of_the_evaluation() {
        let samples = samples();
        let matrix = DesignMatrix::new(&samples, &STAGES);
        let vector = numbers(matrix.columns());
        let stages =
            STAGES.iter().zip(vector.chunks(SYMMETRY_CLASSES)).map(|(&empties, weights)| {
                StageWeights {
                    empties,
                    weights: weights.iter().map(|&weight| weight as i16).collect(),
                }
            });
        let constants =
            std::array::from_fn(|empties| vector[STAGES.len() * SYMMETRY_CLASSES + empties] as i16);
        let weights =
            Weights::new(String::new(), stages.collect(), constants, *Weights::zero().deviation());
        let evaluation = Evaluation::new(&weights);
        for (sample, value) in samples.iter().zip(matrix.times(&vector)) {
            let expected = evaluation
                .value(&Features::of(&sample.position), sample.position.empties().count());
            assert!((value - expected as f32).abs() <= 0.51, "{value} for {expected}");
        }
    }

    #[test]
    fn the_transposed_product_is_adjoint_to_the_product() {
        let matrix = DesignMatrix::new(&samples(), &STAGES);
        let (vector, mut values) = (numbers(matrix.columns()), numbers(matrix.labels.len()));
        let dot = |a: &[f32], b: &[f32]| -> f64 {
            a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        let columns = matrix.transposed_times(&values);
        // The transposed product leaves out the validation set.
        matrix.parts(true).for_each(|part| values[part].fill(0.0));
        let (one, other) = (dot(&matrix.times(&vector), &values), dot(&vector, &columns));
        assert!((one - other).abs() <= 1e-6 * one.abs(), "{one} and {other}");
        assert!(matrix.parts(true).map(|part| part.len()).sum::<usize>() > 20);
    }
}
