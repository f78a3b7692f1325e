//! Comparison of the claims that are made about one position.
//!
//! Published lists are put together from many searches, so a position may occur more than once. The
//! bounds of all its claims are intersected; "Othello is Solved" (Takizawa, 2023,
//! <https://arxiv.org/abs/2310.19387>) does the same with its own. If the intersection is empty,
//! the claims cannot all be true, whatever the search says. Positions that are equal but for
//! symmetry are one position here.

use std::collections::HashMap;
use std::collections::hash_map;

use crate::othello::{Position, Symmetry};
use crate::records::{Entry, Location, Statement};
use crate::search::Bounds;

/// The comparison of a claim about a position's score with the earlier claims about the same
/// position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// The bounds are the same.
    Same {
        /// The location of the first claim about the position.
        first: Location,
    },
    /// The bounds differ, and all claims may be true.
    Compatible {
        /// The location of the first claim about the position.
        first: Location,
    },
    /// The claim and the earlier ones cannot all be true.
    Contradiction {
        /// The location of the first claim about the position.
        first: Location,
        /// The intersection of the earlier claims' bounds.
        earlier: Bounds,
    },
}

/// The claims about the scores of positions: some hundred bytes for each position.
#[derive(Clone, Debug, Default)]
pub struct ClaimRegister {
    claims: HashMap<Position, EarlierClaims>,
}

/// The claims about one position.
#[derive(Clone, Debug)]
struct EarlierClaims {
    /// The intersection of the bounds of all claims, without those that contradict earlier ones.
    bounds: Bounds,
    /// The location of the first claim.
    first: Location,
}

impl ClaimRegister {
    /// Adds the claim that the score of `position`, for its side to move, lies within `bounds`, and
    /// compares it with the earlier claims. `location` is that of the claim. Returns `None` for the
    /// first claim about the position. A contradictory claim is not added.
    pub fn add(
        &mut self,
        position: &Position,
        bounds: Bounds,
        location: &Location,
    ) -> Option<Comparison> {
        let earlier = match self.claims.entry(Symmetry::canonical(*position).0) {
            hash_map::Entry::Vacant(vacant) => {
                vacant.insert(EarlierClaims { bounds, first: location.clone() });
                return None;
            }
            hash_map::Entry::Occupied(occupied) => occupied.into_mut(),
        };
        let first = earlier.first.clone();
        let common = Bounds {
            lower: earlier.bounds.lower.max(bounds.lower),
            upper: earlier.bounds.upper.min(bounds.upper),
        };
        if common.lower > common.upper {
            return Some(Comparison::Contradiction { first, earlier: earlier.bounds });
        }
        let same = earlier.bounds == bounds;
        earlier.bounds = common;
        Some(if same { Comparison::Same { first } } else { Comparison::Compatible { first } })
    }

    /// Adds the claims of an entry about the score of its position. Returns the comparison of each
    /// claim of the entry; none for a claim about moves, and none for the first.
    pub(super) fn add_entry(&mut self, entry: &Entry) -> Vec<Option<Comparison>> {
        let Ok(problem) = &entry.problem else { return Vec::new() };
        let add = |statement: &Statement| match statement {
            Statement::Score(bounds) => {
                self.add(&problem.diagram.position, *bounds, &entry.location)
            }
            Statement::MoveScore(..) | Statement::BestMoves(_) => None,
        };
        problem.claims.iter().map(|claim| &claim.statement).map(add).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Score;
    use crate::records::LineOrGame;

    #[test]
    fn bounds_of_equal_positions_are_intersected() {
        let mut register = ClaimRegister::default();
        let location = |line| Location { file: "k.csv".into(), at: LineOrGame::Line(line) };
        let position = Position::START.play("d3".parse().expect("a square")).expect("legal");
        let rotated = Symmetry::ALL[5].position(position);
        let mut add = |position: &Position, lower, upper, line| {
            let bounds = Bounds { lower: Score::new(lower), upper: Score::new(upper) };
            register.add(position, bounds, &location(line))
        };
        let first = location(2);
        assert_eq!(add(&position, -64, 4, 2), None);
        assert_eq!(add(&Position::START, -64, -4, 3), None, "another position");
        assert_eq!(add(&rotated, -64, 4, 4), Some(Comparison::Same { first: first.clone() }));
        assert_eq!(add(&position, 0, 64, 5), Some(Comparison::Compatible { first: first.clone() }));
        let earlier = Bounds { lower: Score::new(0), upper: Score::new(4) };
        assert_eq!(
            add(&rotated, 6, 6, 6),
            Some(Comparison::Contradiction { first, earlier }),
            "it contradicts both together"
        );
        assert!(
            matches!(add(&position, 2, 2, 7), Some(Comparison::Compatible { .. })),
            "a contradictory claim is not added"
        );
    }
}
