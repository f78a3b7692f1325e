//! Samples of the positions that the search evaluates for move ordering. The evaluation is trained
//! on them, as these are the positions where its accuracy matters.

use crate::othello::Position;
use crate::table::hash;

/// Collects a part of the positions that it is offered. The hash of a position decides, so that the
/// same search gives the same sample.
#[derive(Debug)]
pub(in crate::search) struct Sampler {
    one_in: u64,
    pub(in crate::search) positions: Vec<Position>,
}

impl Sampler {
    /// A sampler that collects about one position in `one_in`.
    pub(in crate::search) fn new(one_in: u64) -> Sampler {
        Sampler { one_in, positions: Vec::new() }
    }

    /// Collects a position, if its hash is chosen.
    #[inline(always)]
    pub(in crate::search) fn offer(&mut self, position: &Position) {
        // The tables use the high bits of the hash, this uses the low ones.
        if hash(position).is_multiple_of(self.one_in) {
            self.positions.push(*position);
        }
    }
}
