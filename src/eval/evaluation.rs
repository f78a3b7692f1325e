//! The weights as they lie in memory, and the value of a position.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use super::file::{DEVIATION_DEPTHS, Weights};
use super::patterns::TABLE_WORDS;
use super::tapered::{TAPER_STEPS, interpolate, pack};
use super::{Features, SYMMETRY_CLASSES, arch, symmetry_classes};
use crate::large_pages::LargePages;

/// One disc, in units of an evaluation.
pub const UNIT: i32 = 64;

/// The learned evaluation, ready for the search.
///
/// Each table holds the weights of two neighbouring stages, packed in one word
/// ([`super::tapered`]), so that one sum gives both values. Empties outside the stages use the
/// first or the last table.
pub struct Evaluation {
    tables: LargePages<[i32; TABLE_WORDS]>,
    stages: [Stage; 61],
    deviation: [[u16; 61]; DEVIATION_DEPTHS],
    parameters: BTreeMap<String, i32>,
}

/// How the value for a number of empties is computed from a table.
#[derive(Clone, Copy, Default, Debug)]
struct Stage {
    /// The index of the table.
    table: u32,
    /// The interpolation step, 0 to [`TAPER_STEPS`], from the table's low stage to its high one.
    step: i32,
    /// The constant term.
    constant: i32,
}

impl Evaluation {
    /// The evaluation with these weights.
    pub fn new(weights: &Weights) -> Evaluation {
        let classes = symmetry_classes();
        let stages = weights.stages();
        let mut tables: LargePages<[i32; TABLE_WORDS]> = LargePages::zeroed(stages.len() - 1);
        let mut words = vec![0; SYMMETRY_CLASSES];
        for (pair, table) in stages.windows(2).zip(tables.iter_mut()) {
            for (word, (&low, &high)) in
                words.iter_mut().zip(pair[0].weights.iter().zip(&pair[1].weights))
            {
                *word = pack(low, high);
            }
            for (word, &class) in table.iter_mut().zip(classes) {
                *word = words[class as usize];
            }
        }
        let stages = std::array::from_fn(|empties| {
            let (low, fraction) = weights.interpolation(empties);
            let constant = i32::from(weights.constants()[empties]);
            let step = (fraction * TAPER_STEPS as f64).round() as i32;
            Stage { table: low as u32, step, constant }
        });
        Evaluation {
            tables,
            stages,
            deviation: *weights.deviation(),
            parameters: weights.parameters().clone(),
        }
    }

    /// The evaluation with the embedded weights.
    ///
    /// # Panics
    /// If the embedded weight file is damaged.
    pub fn embedded() -> Arc<Evaluation> {
        static EMBEDDED: LazyLock<Arc<Evaluation>> = LazyLock::new(|| {
            Arc::new(Evaluation::new(&Weights::embedded().expect("the embedded weights are sound")))
        });
        EMBEDDED.clone()
    }

    /// The parameters of the search that were stored with the weights, by name.
    pub fn parameters(&self) -> &BTreeMap<String, i32> {
        &self.parameters
    }

    /// The estimated score for the side to move, in 1 / [`UNIT`] disc, from -64 to 64 discs.
    #[inline(always)]
    pub fn value(&self, features: &Features, empties: u32) -> i32 {
        let stage = &self.stages[(empties as usize).min(60)];
        let sum = arch::sum(&self.tables[stage.table as usize], features);
        (interpolate(sum, stage.step) + stage.constant).clamp(-64 * UNIT, 64 * UNIT)
    }

    /// The standard deviation of the exact score about the value of a search of `depth` plies, for
    /// positions with this many empties, in 1 / [`UNIT`] disc.
    #[inline(always)]
    pub fn deviation(&self, depth: u32, empties: u32) -> i32 {
        i32::from(
            self.deviation[(depth as usize).min(DEVIATION_DEPTHS - 1)][(empties as usize).min(60)],
        )
    }

    /// The size of the tables in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.tables)
    }

    /// The size of the tables in bytes of an evaluation with this many stages.
    pub const fn bytes_for(stages: usize) -> usize {
        (stages - 1) * size_of::<[i32; TABLE_WORDS]>()
    }
}

impl fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluation").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}
