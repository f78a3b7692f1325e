//! Stratified samples of positions: the same number for each number of empties, no duplicates.
//!
//! The strata are the numbers of empties. Without quotas, the stages with most positions would
//! dominate the training set.

use std::collections::HashSet;

use crate::othello::{Position, Symmetry};

/// A range of numbers of empties, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmptiesRange {
    /// The least, 1 to 60.
    pub low: u32,
    /// The most, from `low` to 60.
    pub high: u32,
}

impl EmptiesRange {
    /// Whether a number lies in the range.
    pub fn contains(self, empties: u32) -> bool {
        (self.low..=self.high).contains(&empties)
    }

    /// How many numbers the range has.
    pub fn count(self) -> usize {
        (self.high - self.low + 1) as usize
    }
}

/// A stratified sample of positions. No position in it is symmetric to another, and none is the end
/// of a game.
#[derive(Debug)]
pub struct StratifiedSample {
    empties: EmptiesRange,
    /// The number of positions that each stratum still lacks, from the lowest number of empties on.
    missing: Vec<usize>,
    /// The canonical images of the accepted and of the excluded positions.
    seen: HashSet<Position>,
    positions: Vec<Position>,
}

impl StratifiedSample {
    /// An empty sample for `count` positions, distributed evenly over the strata. The lowest strata
    /// get the remainder.
    pub fn new(empties: EmptiesRange, count: usize) -> StratifiedSample {
        let strata = empties.count();
        let missing = (0..strata)
            .map(|stratum| count / strata + usize::from(stratum < count % strata))
            .collect();
        StratifiedSample {
            empties,
            missing,
            seen: HashSet::new(),
            positions: Vec::with_capacity(count),
        }
    }

    /// Excludes the positions that are equal or symmetric to these.
    pub fn exclude<'a>(&mut self, positions: impl IntoIterator<Item = &'a Position>) {
        self.seen.extend(positions.into_iter().map(|position| Symmetry::canonical(*position).0));
    }

    /// Adds a position unless its stratum is full, it is a duplicate or excluded, or its game is
    /// over. Returns whether it was added.
    pub fn add(&mut self, position: &Position) -> bool {
        let empties = position.empties().count();
        if !self.empties.contains(empties) || position.is_over() {
            return false;
        }
        let missing = &mut self.missing[(empties - self.empties.low) as usize];
        let is_added = *missing > 0 && self.seen.insert(Symmetry::canonical(*position).0);
        if is_added {
            *missing -= 1;
            self.positions.push(*position);
        }
        is_added
    }

    /// Whether all strata are full.
    pub fn is_complete(&self) -> bool {
        self.missing.iter().all(|&missing| missing == 0)
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether the sample has no position.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The positions, in the order in which they were added.
    pub fn into_positions(self) -> Vec<Position> {
        self.positions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Bitboard;

    #[test]
    fn strata_are_filled_evenly_and_without_duplicates() {
        let mut sample = StratifiedSample::new(EmptiesRange { low: 58, high: 60 }, 5);
        let start = Position::START;
        let children = |position: Position| {
            position.moves().into_iter().map(move |s| position.play(s).expect("legal"))
        };
        assert!(
            sample.add(&start) && !sample.add(&Symmetry::ALL[3].position(start)),
            "a duplicate"
        );
        let mut added = children(start).map(|child| sample.add(&child));
        // The four first moves are symmetric.
        assert!(added.next().expect("a move") && !added.any(|is_added| is_added));
        let grandchildren = children(start).flat_map(children);
        assert_eq!(
            grandchildren.filter(|child| sample.add(child)).count(),
            2,
            "the stratum is full"
        );
        assert!(!sample.add(&Position::new(Bitboard(0xff), Bitboard(0))), "the game is over");
        assert!(!sample.is_complete(), "only one position has 59 empties");
        assert_eq!(sample.into_positions().len(), 4);
    }

    #[test]
    fn positions_symmetric_to_excluded_ones_are_left_out() {
        let mut sample = StratifiedSample::new(EmptiesRange { low: 60, high: 60 }, 1);
        sample.exclude([&Symmetry::ALL[5].position(Position::START)]);
        assert!(!sample.add(&Position::START) && !sample.is_complete() && sample.is_empty());
    }
}
