//! The record of an entry within the sort: the answer to its row, in a few bytes.

use std::time::Duration;

use super::entries::Orientation;
use super::results::FullRecord;
use crate::othello::{Bitboard, Move, Position, Score, Square, Symmetry};
use crate::records::Notes;
use crate::records::output::{Record, Solved};
use crate::search::{Bounds, NodeCounts, Solution, Window};

/// The byte of a pass. Squares have 0 to 63.
const PASS: u8 = 64;

/// The length of the part that all records have.
const FIXED: usize = 8 + 1 + 16 + 2 + 8 + 8 + 1;

/// The record of an entry: its number in the input, its orientation, and the answer. The order of
/// the records is that of their numbers.
pub(super) fn to_bytes(
    number: u64,
    orientation: Orientation,
    row: Position,
    answer: &FullRecord,
    is_first: bool,
    out: &mut Vec<u8>,
) {
    let FullRecord { record, best_move, pv } = answer;
    // Only the first entry of a position has its nodes and its time.
    let (nodes, nanos) = match is_first {
        true => (record.nodes, Duration::from_secs_f64(record.seconds).as_nanos() as u64),
        false => (0, 0),
    };
    out.clear();
    out.extend(number.to_be_bytes());
    out.push(orientation.to_byte());
    out.extend(row.player.0.to_le_bytes());
    out.extend(row.opponent.0.to_le_bytes());
    out.extend(bounds_bytes(record.bounds));
    out.extend(nodes.to_le_bytes());
    out.extend(nanos.to_le_bytes());
    out.push(u8::from(best_move.is_some()));
    // The best move begins the variation.
    let pv = if pv.is_empty() { best_move.as_slice() } else { pv };
    out.push(pv.len() as u8);
    out.extend(pv.iter().map(|&mv| move_byte(mv)));
    for &(mv, bounds) in &record.moves {
        out.push(move_byte(mv));
        out.extend(bounds_bytes(bounds));
    }
}

/// The number of the entry in the input.
pub(super) fn number(bytes: &[u8]) -> u64 {
    word(bytes, 0, u64::from_be_bytes)
}

/// The record of the entry with this identifier.
///
/// # Panics
/// If `bytes` are no record.
pub(super) fn record_of(bytes: &[u8], id: String, window: Window) -> Record {
    let orientation = Orientation::of_byte(bytes[8]);
    let little = |at| word(bytes, at, u64::from_le_bytes);
    let row = Position::new(Bitboard(little(9)), Bitboard(little(17)));
    let symmetry = orientation.symmetry.inverse();
    let has_best = bytes[FIXED - 1] == 1;
    let (pv, moves) = bytes[FIXED + 1..].split_at(bytes[FIXED].into());
    let pv: Vec<Move> = pv.iter().map(|&byte| move_of(byte, symmetry)).collect();
    let moves = moves.chunks_exact(3);
    let solution = Solution {
        bounds: bounds_of(&bytes[25..27]),
        best_move: pv.first().copied().filter(|_| has_best),
        moves: moves.map(|mv| (move_of(mv[0], symmetry), bounds_of(&mv[1..]))).collect(),
        pv,
        nodes: little(27),
        profile: NodeCounts::default(),
        stopped: None,
        #[cfg(feature = "stats")]
        statistics: crate::search::Statistics::default(),
    };
    let time = Duration::from_nanos(little(35));
    let solved = Solved { diagram: orientation.diagram(row), solution, window, time };
    Record { id, notes: Notes::default(), outcome: Ok(solved) }
}

fn word(bytes: &[u8], at: usize, read: fn([u8; 8]) -> u64) -> u64 {
    read(bytes[at..at + 8].try_into().expect("8 bytes"))
}

fn bounds_bytes(Bounds { lower, upper }: Bounds) -> [u8; 2] {
    [lower, upper].map(|score| score.discs() as i8 as u8)
}

fn bounds_of(bytes: &[u8]) -> Bounds {
    let score = |byte: u8| Score::new((byte as i8).into());
    Bounds { lower: score(bytes[0]), upper: score(bytes[1]) }
}

fn move_byte(mv: Move) -> u8 {
    match mv {
        Move::Place(square) => square.index() as u8,
        Move::Pass => PASS,
    }
}

fn move_of(byte: u8, symmetry: Symmetry) -> Move {
    match byte {
        PASS => Move::Pass,
        square => Move::Place(symmetry.square(Square::new(square))),
    }
}
