//! Collecting positions: as many as wanted of each number of empties, and none twice.

use std::collections::HashSet;

use super::data::canonical;
use crate::othello::Position;

/// A range of numbers of empties, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Empties {
    /// The least, 1 to 60.
    pub low: u32,
    /// The most, from `low` to 60.
    pub high: u32,
}

impl Empties {
    /// Whether a number lies in the range.
    pub fn contains(self, empties: u32) -> bool {
        (self.low..=self.high).contains(&empties)
    }
}

/// A collection of positions within a range of empties: none that is symmetric to another, no
/// finished game, and as many of each number of empties as wanted.
#[derive(Debug)]
pub struct Pool {
    empties: Empties,
    /// How many are still wanted, from the lowest number of empties on.
    wanted: Vec<usize>,
    known: HashSet<Position>,
    positions: Vec<Position>,
}

impl Pool {
    /// An empty collection for `count` positions in all, shared out evenly.
    pub fn new(empties: Empties, count: usize) -> Pool {
        let numbers = (empties.high - empties.low + 1) as usize;
        // What is left over goes to the lowest numbers.
        let wanted = (0..numbers)
            .map(|number| count / numbers + usize::from(number < count % numbers))
            .collect();
        Pool { empties, wanted, known: HashSet::new(), positions: Vec::with_capacity(count) }
    }

    /// Makes positions that are symmetric to these count as known already.
    pub fn exclude<'a>(&mut self, positions: impl IntoIterator<Item = &'a Position>) {
        self.known.extend(positions.into_iter().map(canonical));
    }

    /// Takes a position in, if it is wanted. Tells whether it was.
    pub fn offer(&mut self, position: &Position) -> bool {
        let empties = position.empties().count();
        if !self.empties.contains(empties) || position.is_over() {
            return false;
        }
        let wanted = &mut self.wanted[(empties - self.empties.low) as usize];
        let taken = *wanted > 0 && self.known.insert(canonical(position));
        if taken {
            *wanted -= 1;
            self.positions.push(*position);
        }
        taken
    }

    /// Whether nothing more is wanted.
    pub fn is_full(&self) -> bool {
        self.wanted.iter().all(|&wanted| wanted == 0)
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The positions, in the order in which they came.
    pub fn into_positions(self) -> Vec<Position> {
        self.positions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::{Bitboard, Symmetry};

    #[test]
    fn each_number_of_empties_has_its_share_and_nothing_comes_twice() {
        let mut pool = Pool::new(Empties { low: 58, high: 60 }, 5);
        let start = Position::START;
        let children = |position: Position| {
            position.moves().into_iter().map(move |s| position.play(s).expect("legal"))
        };
        assert!(pool.offer(&start) && !pool.offer(&Symmetry::ALL[3].position(start)), "known");
        let mut offered = children(start).map(|child| pool.offer(&child));
        // The four first moves are one and the same.
        assert!(offered.next().expect("a move") && !offered.any(|taken| taken));
        let grandchildren = children(start).flat_map(children);
        assert_eq!(
            grandchildren.filter(|child| pool.offer(child)).count(),
            2,
            "no more are wanted"
        );
        assert!(!pool.offer(&Position::new(Bitboard(0xff), Bitboard(0))), "over, and out of range");
        assert!(!pool.is_full(), "there is but one position with 59 empties");
        assert_eq!(pool.into_positions().len(), 4);
    }

    #[test]
    fn what_is_excluded_is_not_taken() {
        let mut pool = Pool::new(Empties { low: 60, high: 60 }, 1);
        pool.exclude([&Symmetry::ALL[5].position(Position::START)]);
        assert!(!pool.offer(&Position::START) && !pool.is_full() && pool.is_empty());
    }
}
