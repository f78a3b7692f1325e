//! Boards that the search meets while it orders moves: what the evaluation is to be good at, and so what it is trained on.

use crate::othello::Position;
use crate::table::hash;

/// Keeps a share of the boards that it is shown, chosen by their hash, so that the same search gives the same sample.
#[derive(Debug)]
pub(in crate::search) struct Sampler {
    one_in: u64,
    pub(in crate::search) positions: Vec<Position>,
}

impl Sampler {
    /// One that keeps about one board in so many.
    pub(in crate::search) fn new(one_in: u64) -> Sampler {
        Sampler { one_in, positions: Vec::new() }
    }

    /// Shows it a board.
    #[inline(always)]
    pub(in crate::search) fn offer(&mut self, position: &Position) {
        // The table takes the hash's high bits.
        if hash(position).is_multiple_of(self.one_in) {
            self.positions.push(*position);
        }
    }
}
