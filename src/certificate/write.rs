//! The file of a certificate: the moves of the proofs, level by level, compressed.
//!
//! `docs/certificate.md` specifies it.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use yose_check::{Board, HEADER, MAGIC};

use super::walk::{Node, WinnersMoves};
use crate::digest::sha256;
use crate::othello::{Position, Square, Symmetry};
use crate::search::Bounds;

/// So many leaves are searched to find out what all cost a checker.
const FIRST: u64 = 16;
/// Of the other leaves, one in so many is searched.
const SAMPLED: u64 = 64;
/// The permitted cost of the leaves, as a multiple of the estimate.
const MARGIN: u64 = 4;

/// With this many empties and fewer, a checker takes the moves in the order of the squares.
const UNORDERED: u32 = 5;

/// The moves of the proofs in the order of the format, and what the header says about them.
#[derive(Default)]
pub(super) struct Moves {
    /// One byte for each move: its number in the order of [`numbered`].
    pub(super) numbers: Vec<u8>,
    /// The largest number of positions of a level.
    pub(super) width: u64,
    /// The number of positions that a checker searches.
    pub(super) leaves: u64,
    /// The cost of the first leaves.
    first_cost: u64,
    /// The cost of the other leaves that were searched.
    sampled_cost: u64,
}

impl Moves {
    /// Adds the moves of the proof of `root`.
    pub(super) fn add(&mut self, root: Option<Node>, leaf: u32, bound: i32, moves: &WinnersMoves) {
        let mut level: Vec<Node> = root.into_iter().map(canonical).collect();
        while !level.is_empty() {
            level.sort_unstable();
            level.dedup();
            self.width = self.width.max(level.len() as u64);
            let mut next = Vec::new();
            for node in &level {
                if node.is_leaf(leaf) {
                    self.leaf(node, bound);
                } else if node.winner_to_move {
                    let square = moves.get(&node.position).expect("the walk has met the node");
                    let number = numbered(&node.position).position(|other| other == square);
                    self.numbers.push(number.expect("a legal move") as u8);
                    next.extend(node.after(square).map(canonical));
                } else {
                    let squares = node.position.moves().into_iter();
                    next.extend(squares.filter_map(|square| node.after(square)).map(canonical));
                }
            }
            level = next;
        }
    }

    /// Counts a leaf. Searches the first [`FIRST`], and one in [`SAMPLED`] of the others.
    fn leaf(&mut self, node: &Node, bound: i32) {
        let sought = if node.winner_to_move { bound } else { 2 - bound };
        if self.leaves < FIRST {
            search(node, sought, &mut self.first_cost);
        } else if self.leaves.is_multiple_of(SAMPLED) {
            search(node, sought, &mut self.sampled_cost);
        }
        self.leaves += 1;
    }

    /// The number of positions that the leaf searches may look at.
    fn work(&self, leaf_empties: u32) -> u64 {
        // A few leaves may cost much more than those of the sample.
        let spare = 1 << (2 * leaf_empties + 6).min(26);
        MARGIN * (self.first_cost + SAMPLED * self.sampled_cost) + spare
    }

    /// The file.
    pub(super) fn file(&self, position: &Position, bounds: Bounds, leaves: [u32; 2]) -> Vec<u8> {
        let mut file = vec![0; HEADER];
        let Board { player, opponent } = board(position);
        let (lower, upper) = (bounds.lower.discs() as i8, bounds.upper.discs() as i8);
        let small = [lower as u8, upper as u8, leaves[0] as u8, leaves[1] as u8];
        let work = self.work(leaves[0].max(leaves[1]));
        for (at, bytes) in [
            (0, &MAGIC[..]),
            (44, &player.to_le_bytes()),
            (52, &opponent.to_le_bytes()),
            (60, &small),
            (64, &(self.numbers.len() as u64).to_le_bytes()),
            (72, &self.width.to_le_bytes()),
            (80, &work.to_le_bytes()),
        ] {
            file[at..at + bytes.len()].copy_from_slice(bytes);
        }
        let mut encoder = ZlibEncoder::new(file, Compression::best());
        let written = encoder.write_all(&self.numbers).and_then(|()| encoder.finish());
        let mut file = written.expect("memory can be written");
        let digest = sha256(&file[44..]);
        file[12..44].copy_from_slice(&digest);
        file
    }
}

/// A position for the checker.
fn board(position: &Position) -> Board {
    Board { player: position.player.0, opponent: position.opponent.0 }
}

/// The canonical image of a node.
fn canonical(node: Node) -> Node {
    Node { position: Symmetry::canonical(node.position).0, ..node }
}

/// Searches a leaf as a checker does: whether the side to move gets at least `bound`. Counts the
/// positions that the search looks at.
fn search(node: &Node, bound: i32, count: &mut u64) -> bool {
    let Node { position, winner_to_move } = *node;
    *count += 1;
    if position.is_over() {
        return position.final_score().discs() >= bound;
    }
    let mut gets = |position| {
        let next = Node { position, winner_to_move: !winner_to_move };
        !search(&next, 2 - bound, count)
    };
    if position.must_pass() {
        return gets(position.passed());
    }
    let play = |square| position.after(square, position.flips(square));
    if winner_to_move && position.empties().count() > UNORDERED {
        numbered(&position).any(|square| gets(play(square)))
    } else {
        position.moves().into_iter().any(|square| gets(play(square)))
    }
}

/// The legal moves in the order in which the format numbers them: by the number of replies, then by
/// square.
fn numbered(position: &Position) -> impl Iterator<Item = Square> {
    let mut moves: Vec<(u32, Square)> = position
        .moves()
        .into_iter()
        .map(|square| (position.after(square, position.flips(square)).moves().count(), square))
        .collect();
    moves.sort_unstable();
    moves.into_iter().map(|(_, square)| square)
}
