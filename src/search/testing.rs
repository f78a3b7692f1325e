//! Helpers for the tests of several files of the search.

use rand::RngExt;
use rand::rngs::SmallRng;

use crate::othello::Position;

/// A position with this many `empties`, reached by random play.
pub(super) fn position(rng: &mut SmallRng, empties: u32) -> Position {
    'game: loop {
        let mut position = Position::START;
        while position.empties().count() > empties {
            let moves: Vec<_> = position.moves().into_iter().collect();
            if moves.is_empty() {
                if !position.must_pass() {
                    continue 'game;
                }
                position = position.passed();
                continue;
            }
            let square = moves[rng.random_range(0..moves.len())];
            position = position.after(square, position.flips(square));
        }
        return position;
    }
}
