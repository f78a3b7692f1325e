//! What is claimed of one position in several places.
//!
//! Files of knowledge are put together from many searches, so that a position comes more than once.
//! Bounds of equal boards are intersected, as "Othello is Solved" does with its own; where nothing
//! is left, two claims cannot both be true, whatever the search says. Positions that are equal but
//! for symmetry are equal.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::othello::{Position, Symmetry};
use crate::records::Location;
use crate::search::Bounds;

/// How a claim about a position's score stands to the earlier ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Relation {
    /// It says the same.
    Duplicate {
        /// Where the first of them stands.
        first: Location,
    },
    /// It says something else, and both may be true.
    Agrees {
        /// Where the first of them stands.
        first: Location,
    },
    /// It cannot be true if they are.
    Contradicts {
        /// Where the first of them stands.
        first: Location,
        /// What they come to.
        claimed: Bounds,
    },
}

/// Remembers the claims about positions' scores. It takes some hundred bytes for each position.
#[derive(Clone, Debug, Default)]
pub struct Register {
    claims: HashMap<Position, Claimed>,
}

#[derive(Clone, Debug)]
struct Claimed {
    /// The bounds that all claims have in common.
    bounds: Bounds,
    first: Location,
}

impl Register {
    /// Takes in that the score of `position` is claimed to lie within `bounds`. None if it is the
    /// first claim about it.
    pub fn note(
        &mut self,
        position: &Position,
        bounds: Bounds,
        location: &Location,
    ) -> Option<Relation> {
        let known = match self.claims.entry(Symmetry::canonical(*position).0) {
            Entry::Vacant(vacant) => {
                vacant.insert(Claimed { bounds, first: location.clone() });
                return None;
            }
            Entry::Occupied(known) => known.into_mut(),
        };
        let first = known.first.clone();
        let common = Bounds {
            lower: known.bounds.lower.max(bounds.lower),
            upper: known.bounds.upper.min(bounds.upper),
        };
        if common.lower > common.upper {
            return Some(Relation::Contradicts { first, claimed: known.bounds });
        }
        let same = known.bounds == bounds;
        known.bounds = common;
        Some(if same { Relation::Duplicate { first } } else { Relation::Agrees { first } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Score;
    use crate::records::LineOrGame;

    #[test]
    fn bounds_of_equal_boards_are_intersected() {
        let mut register = Register::default();
        let location = |line| Location { file: "k.csv".into(), at: LineOrGame::Line(line) };
        let position = Position::START.play("d3".parse().expect("a square")).expect("legal");
        let turned = Symmetry::ALL[5].position(position);
        let mut note = |position: &Position, lower, upper, line| {
            let bounds = Bounds { lower: Score::new(lower), upper: Score::new(upper) };
            register.note(position, bounds, &location(line))
        };
        let first = location(2);
        assert_eq!(note(&position, -64, 4, 2), None);
        assert_eq!(note(&Position::START, -64, -4, 3), None, "another position");
        assert_eq!(note(&turned, -64, 4, 4), Some(Relation::Duplicate { first: first.clone() }));
        assert_eq!(note(&position, 0, 64, 5), Some(Relation::Agrees { first: first.clone() }));
        let claimed = Bounds { lower: Score::new(0), upper: Score::new(4) };
        assert_eq!(
            note(&turned, 6, 6, 6),
            Some(Relation::Contradicts { first, claimed }),
            "with both together"
        );
        assert!(
            matches!(note(&position, 2, 2, 7), Some(Relation::Agrees { .. })),
            "what contradicts is left out"
        );
    }
}
