//! The number of move sequences from a position, a check of flips and legal moves against published
//! counts.

use super::Position;

/// The number of sequences of `depth` plies from `position`. A forced pass is a ply. A game that
/// ends earlier counts as one sequence.
///
/// ```
/// use yose::othello::{Position, perft};
///
/// assert_eq!(perft(Position::START, 6), 8200);
/// ```
pub fn perft(position: Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.moves();
    if moves.is_empty() {
        let passed = position.passed();
        return if passed.moves().is_empty() { 1 } else { perft(passed, depth - 1) };
    }
    if depth == 1 {
        return u64::from(moves.count());
    }
    moves
        .into_iter()
        .map(|square| perft(position.after(square, position.flips(square)), depth - 1))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published counts, to a depth that takes a second with debug checks; `yose perft 11`
    /// continues.
    #[test]
    fn the_start_position() {
        let counts = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288, 24_571_284];
        for (depth, &count) in counts.iter().enumerate() {
            assert_eq!(perft(Position::START, depth as u32), count, "depth {depth}");
        }
    }
}
