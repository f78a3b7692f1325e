//! The weights as they lie in memory, and the sum over them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use super::file::{DEVIATION_DEPTHS, Weights};
use super::packed::{BLENDS, blend, pack};
use super::patterns::TABLE;
use super::{CLASSES, Classes, Features, arch};
use crate::large_pages::LargePages;

/// One disc, in units of an evaluation.
pub const UNIT: i32 = 64;

/// An evaluation that can be asked for values.
///
/// The weights of two neighbouring stages share a word ([`super::packed`]), so that one sum gives
/// both. Stages that the search does not ask for share the first or the last table.
pub struct Evaluation {
    tables: LargePages<[i32; TABLE]>,
    stages: [Stage; 61],
    deviation: [[u16; 61]; DEVIATION_DEPTHS],
    parameters: BTreeMap<String, i32>,
}

/// How the value for a number of empties is made.
#[derive(Clone, Copy, Default, Debug)]
struct Stage {
    /// Which table.
    table: u32,
    /// The share of the table's high half.
    part: i32,
    constant: i32,
}

impl Evaluation {
    /// The evaluation with these weights.
    pub fn new(weights: &Weights) -> Evaluation {
        let classes = Classes::get().of_indices();
        let stages = weights.stages();
        let mut tables: LargePages<[i32; TABLE]> = LargePages::zeroed(stages.len() - 1);
        let mut words = vec![0; CLASSES];
        for (pair, table) in stages.windows(2).zip(tables.iter_mut()) {
            for (word, (&early, &late)) in
                words.iter_mut().zip(pair[0].weights.iter().zip(&pair[1].weights))
            {
                *word = pack(early, late);
            }
            for (word, &class) in table.iter_mut().zip(classes) {
                *word = words[class as usize];
            }
        }
        let stages = std::array::from_fn(|empties| {
            let (first, part) = weights.place(empties);
            let constant = i32::from(weights.constants()[empties]);
            Stage { table: first as u32, part: (part * BLENDS as f64).round() as i32, constant }
        });
        Evaluation {
            tables,
            stages,
            deviation: *weights.deviation(),
            parameters: weights.parameters().clone(),
        }
    }

    /// The evaluation that is part of the program.
    ///
    /// # Panics
    /// If the weight file that was embedded is damaged.
    pub fn embedded() -> Arc<Evaluation> {
        static EMBEDDED: LazyLock<Arc<Evaluation>> = LazyLock::new(|| {
            Arc::new(Evaluation::new(&Weights::embedded().expect("the embedded weights are sound")))
        });
        EMBEDDED.clone()
    }

    /// The parameters of the search that came with the weights, by name.
    pub fn parameters(&self) -> &BTreeMap<String, i32> {
        &self.parameters
    }

    /// The estimated score for the side to move, in units of 1 / [`UNIT`] disc, between -64 and 64
    /// discs.
    #[inline(always)]
    pub fn value(&self, features: &Features, empties: u32) -> i32 {
        let stage = &self.stages[(empties as usize).min(60)];
        let sum = arch::sum(&self.tables[stage.table as usize], features);
        (blend(sum, stage.part) + stage.constant).clamp(-64 * UNIT, 64 * UNIT)
    }

    /// How far, as a standard deviation in units of 1 / [`UNIT`] disc, the value of a search
    /// `depth` plies deep lies from the score of a position with this many empties.
    #[inline(always)]
    pub fn deviation(&self, depth: u32, empties: u32) -> i32 {
        i32::from(
            self.deviation[(depth as usize).min(DEVIATION_DEPTHS - 1)][(empties as usize).min(60)],
        )
    }

    /// Bytes of its tables.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.tables)
    }

    /// The same for any evaluation with so many stages, without making it.
    pub const fn bytes_for(stages: usize) -> usize {
        (stages - 1) * size_of::<[i32; TABLE]>()
    }
}

impl fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluation").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}
