//! How much a review takes, and from how many empties a machine can do it in a given time.

use crate::batch::cost::{self, Cost};
use crate::othello::Position;
use crate::records::Span;

use super::games::Game;

/// The share of the predicted cost of a position with all moves that a review takes, as the table
/// has much of it from the positions after it. Measured: docs/reviewing-games.md, "Time".
const BACKWARDS_SHARE: f64 = 0.5;

/// The predicted cost of a position with all moves, within a review: that of each position after a
/// move, of which the table answers a part.
pub fn all_moves_cost(position: &Position) -> Cost {
    let children = position.moves().into_iter().filter_map(|square| position.play(square));
    let mut cost: Cost = children.map(|child| cost::predict(&child)).sum();
    cost.mean *= BACKWARDS_SHARE;
    cost.low *= BACKWARDS_SHARE;
    cost.variance *= BACKWARDS_SHARE * BACKWARDS_SHARE;
    cost
}

/// The predicted cost of reviewing games, by the number of empties.
#[derive(Clone, PartialEq, Debug)]
pub struct Effort {
    by_empties: [f64; 61],
}

impl Effort {
    /// The effort for all positions of the games.
    pub fn of(games: &[Game]) -> Effort {
        let mut by_empties = [0.0; 61];
        for turn in games.iter().flat_map(|game| &game.turns) {
            by_empties[turn.empties() as usize] += all_moves_cost(&turn.diagram.position).mean;
        }
        Effort { by_empties }
    }

    /// The predicted nodes for all positions with at most this many empties.
    pub fn up_to(&self, empties: u64) -> f64 {
        self.by_empties.iter().take(empties as usize + 1).sum()
    }

    /// The largest number of empties from which the games can be reviewed with this many nodes.
    pub fn affordable(&self, nodes: f64) -> Span {
        let last = (0..=60).rev().find(|&empties| self.up_to(empties) <= nodes).unwrap_or(0);
        Span { first: 0, last }
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::read_games;
    use super::*;
    use crate::records::{ReadOptions, Source};

    #[test]
    fn more_nodes_afford_more_empties() {
        let game = "f5d6c3d3c4f4c5b3c2e3d2c6b4b5f2e6\n";
        let source = Source::Memory { name: "game", bytes: game.as_bytes().into() };
        let (games, ..) = read_games(vec![source], ReadOptions::default(), None, |_| ());
        let effort = Effort::of(&games);
        // The game ends with 44 empties: all positions without moves cost nothing.
        assert_eq!(effort.affordable(0.0).last, 44);
        let all = effort.up_to(60);
        assert_eq!(effort.affordable(all).last, 60);
        let last = effort.affordable(all / 100.0).last;
        assert!((45..60).contains(&last), "{last}");
    }
}
