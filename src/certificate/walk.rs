//! The walk through a proof: which move the winner plays at each of its positions.
//!
//! The walk is depth-first, so that what a search has left in the local tables is still there when
//! the walk comes to the positions below it. A position that was met before, or one of its seven
//! images, is not walked again.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::othello::{Bitboard, Position, Square, Symmetry};
use crate::search::Refuter;
use crate::table::hash;

/// Why a proof was not found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unproved {
    /// The search was aborted.
    Aborted,
    /// The bound does not hold.
    Wrong,
}

/// A position of a proof, after a pass if there is one: at least one move is legal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) winner_to_move: bool,
}

impl Node {
    /// The node of a position. `None` if the game is over.
    pub(super) fn of(position: Position, winner_to_move: bool) -> Option<Node> {
        if !position.moves().is_empty() {
            Some(Node { position, winner_to_move })
        } else if position.must_pass() {
            Some(Node { position: position.passed(), winner_to_move: !winner_to_move })
        } else {
            None
        }
    }

    /// Whether a checker searches this node by itself. The moves of the loser lead to leaves at
    /// `leaf_empties`, so its positions with one empty more need not be kept.
    pub(super) fn is_leaf(&self, leaf_empties: u32) -> bool {
        self.position.empties().count() <= leaf_empties + u32::from(!self.winner_to_move)
    }

    /// The node after a move. `None` if the game is over.
    pub(super) fn after(&self, square: Square) -> Option<Node> {
        let position = self.position.after(square, self.position.flips(square));
        Node::of(position, !self.winner_to_move)
    }
}

/// The winner's moves: of each canonical position with more than the leaves' empties, one.
#[derive(Default)]
pub(super) struct WinnersMoves {
    moves: HashMap<(u64, u64), u8, BuildHasherDefault<BoardHasher>>,
}

impl WinnersMoves {
    /// The bytes of memory that an entry takes: a key, a move, and the control byte of the map,
    /// whose tables are half full after they have grown.
    pub(super) const ENTRY_BYTES: u64 = 58;

    pub(super) fn get(&self, canonical: &Position) -> Option<Square> {
        self.moves.get(&boards(canonical)).map(|&square| Square::new(square))
    }

    fn insert(&mut self, canonical: &Position, square: Square) {
        self.moves.insert(boards(canonical), square.index() as u8);
    }

    /// Removes the positions with this many empties.
    fn remove(&mut self, empties: u32) {
        self.moves.retain(|(player, opponent), _| (player | opponent).count_zeros() != empties);
        self.moves.shrink_to_fit();
    }
}

fn boards(position: &Position) -> (u64, u64) {
    (position.player.0, position.opponent.0)
}

/// The hash of the shared transposition table.
#[derive(Default)]
struct BoardHasher {
    words: [u64; 2],
    count: usize,
}

impl Hasher for BoardHasher {
    fn write(&mut self, _: &[u8]) {
        unreachable!("a key is two numbers");
    }

    fn write_u64(&mut self, word: u64) {
        self.words[self.count & 1] = word;
        self.count += 1;
    }

    fn finish(&self) -> u64 {
        let [player, opponent] = self.words.map(Bitboard);
        hash(&Position { player, opponent })
    }
}

/// A walk through the proof that the winner gets at least `bound`.
pub(super) struct Walk<'a, 'b> {
    pub(super) refuter: &'a mut Refuter<'b>,
    /// An even number, from the winner's point of view.
    pub(super) bound: i32,
    /// The number of empties of leaves. The walk raises it if there are more than `most` moves.
    pub(super) leaf_empties: u32,
    /// The largest number of empties that leaves may get.
    pub(super) most_leaf_empties: u32,
    pub(super) most: usize,
    pub(super) moves: WinnersMoves,
}

impl Walk<'_, '_> {
    /// Finds the moves of the proof of a node, whose claim must be true.
    pub(super) fn prove(&mut self, node: &Node) -> Result<(), Unproved> {
        if node.is_leaf(self.leaf_empties) {
            return Ok(());
        }
        if !node.winner_to_move {
            for square in node.position.moves() {
                if let Some(next) = node.after(square) {
                    self.prove(&next)?;
                }
            }
            return Ok(());
        }
        let (canonical, symmetry) = Symmetry::canonical(node.position);
        if self.moves.get(&canonical).is_some() {
            return Ok(());
        }
        if self.refuter.is_aborted() {
            return Err(Unproved::Aborted);
        }
        let found = self.refuter.find(&node.position, self.bound);
        let Some(square) = found else {
            let aborted = self.refuter.is_aborted();
            return Err(if aborted { Unproved::Aborted } else { Unproved::Wrong });
        };
        self.moves.insert(&canonical, symmetry.square(square));
        if self.moves.moves.len() > self.most && self.leaf_empties < self.most_leaf_empties {
            self.leaf_empties += 1;
            self.moves.remove(self.leaf_empties);
        }
        match node.after(square) {
            Some(next) => self.prove(&next),
            None => Ok(()),
        }
    }
}
