//! Checks certificates: files that prove the score of an Othello position, or bounds of it.
//!
//! `docs/certificate.md` of Yose specifies the format. This checker is written from that page and
//! the rules of the game, and shares no line with the solver. It has no tables, no evaluation and
//! no theorems about stable discs: it replays moves, and searches the last few of them.
//!
//! What must hold for every file: [`check`] returns, within its limits, and it returns a claim
//! only if that claim is true.

#![forbid(unsafe_code)]

mod rules;
mod sha256;

use miniz_oxide::inflate::TINFLStatus::Done;
use miniz_oxide::inflate::core::{decompress, inflate_flags as zlib};
use std::fmt;

pub use rules::Board;
pub use sha256::sha256;

/// The first bytes of a certificate: a name and the version of the format.
pub const MAGIC: &[u8; 12] = b"YOSECERT\x01\0\0\0";
/// The number of bytes before the compressed moves.
pub const HEADER: usize = 88;
/// The largest number of empties of a leaf.
pub const MAX_LEAF_EMPTIES: u32 = 14;
/// A level is sorted again when it has twice its declared number of positions, or twice this many.
const SLACK: u64 = 4096;

/// What a certificate claims, and what it declares about its cost: the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Claim {
    /// The position.
    pub board: Board,
    /// The score of the side to move is at least this; -64 claims nothing.
    pub lower: i8,
    /// The score is at most this; 64 claims nothing.
    pub upper: i8,
    /// The number of empties of leaves, in the proof of each bound.
    pub leaf_empties: [u32; 2],
    /// The number of moves.
    pub moves: u64,
    /// The largest number of different positions of a level.
    pub width: u64,
    /// The largest number of positions that the leaf searches may look at.
    pub work: u64,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lower, self.upper) {
            (lower, upper) if lower == upper => write!(f, "{lower:+}")?,
            (lower, 64) => write!(f, "at least {lower:+}")?,
            (-64, upper) => write!(f, "at most {upper:+}")?,
            (lower, upper) => write!(f, "from {lower:+} to {upper:+}")?,
        }
        write!(f, ", {}", self.board.text())
    }
}

/// Positions of the proofs without the leaves, leaves, and positions that their searches looked at.
pub type Counts = [u64; 3];

/// Reads the header and compares the digest. The claim is not checked.
pub fn read_claim(file: &[u8]) -> Result<Claim, String> {
    if !file.starts_with(MAGIC) || file.len() < HEADER {
        return Err("it does not begin as a certificate of version 1".to_owned());
    }
    let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| file[at + byte]));
    if sha256(&file[44..]) != file[12..44] {
        return Err("the digest differs from the content: the file is damaged".to_owned());
    }
    let claim = Claim {
        board: Board { player: number(44), opponent: number(52) },
        lower: file[60] as i8,
        upper: file[61] as i8,
        leaf_empties: [file[62].into(), file[63].into()],
        moves: number(64),
        width: number(72),
        work: number(80),
    };
    let Claim { lower, upper, .. } = claim;
    if claim.board.player & claim.board.opponent != 0 {
        Err("a square of the position has discs of both sides".to_owned())
    } else if lower < -64 || upper > 64 || lower > upper || lower % 2 != 0 || upper % 2 != 0 {
        Err(format!("{lower} and {upper} are no bounds of a score"))
    } else if claim.leaf_empties.into_iter().any(|empties| empties > MAX_LEAF_EMPTIES) {
        Err(format!("leaves have at most {MAX_LEAF_EMPTIES} empties"))
    } else {
        Ok(claim)
    }
}

/// Checks a certificate. The claim that it returns is proved. An error says what is wrong with the
/// file, and at which position of the proof. The limits are bytes of memory, and positions that the
/// searches of leaves look at. `stop` is called now and then, and ends the check if it is true.
pub fn check(
    file: &[u8],
    limits: [u64; 2],
    stop: &dyn Fn() -> bool,
) -> Result<(Claim, Counts), String> {
    let claim = read_claim(file)?;
    let stream = &file[HEADER..];
    // Two levels are in memory at a time. Vectors grow by doubling.
    let levels = claim.width.max(SLACK).saturating_mul(8 * size_of::<Node>() as u64);
    let memory = levels.saturating_add(claim.moves);
    if memory > limits[0] || claim.work > limits[1] {
        return Err(format!("over the limits: {memory} bytes, {} searched", claim.work));
    }
    // No zlib stream has more than 1032 times its size.
    let size = claim.moves.min(1032 * stream.len() as u64) as usize;
    let mut moves = vec![0; size];
    let all = zlib::TINFL_FLAG_PARSE_ZLIB_HEADER | zlib::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let end = decompress(&mut Box::default(), stream, &mut moves, 0, all);
    if end != (Done, stream.len(), size) || size as u64 != claim.moves {
        return Err("the rest of the file is not the declared number of moves".to_owned());
    }
    let mut checker = Checker { claim, moves: moves.into_iter(), counts: [0; 3], stop };
    for (proof, bound) in [claim.lower, -claim.upper].into_iter().enumerate() {
        if bound > -64 {
            let root = Node { board: claim.board, winner_to_move: proof == 0 };
            checker.proof(root, bound.into(), claim.leaf_empties[proof])?;
        }
    }
    match checker.moves.len() {
        0 => Ok((claim, checker.counts)),
        left => Err(format!("{left} moves are left over after the proof")),
    }
}

/// A position of a proof that one side, the winner, gets at least some score.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Node {
    board: Board,
    winner_to_move: bool,
}

struct Checker<'a> {
    claim: Claim,
    /// The moves that are not read yet.
    moves: std::vec::IntoIter<u8>,
    counts: Counts,
    stop: &'a dyn Fn() -> bool,
}

impl Checker<'_> {
    /// Checks the proof that the winner gets at least `bound`. Every position of a level must be
    /// proved: by a search, or by positions of the next level.
    fn proof(&mut self, root: Node, bound: i32, leaf_empties: u32) -> Result<(), String> {
        let (mut level, mut next) = (Vec::new(), Vec::new());
        self.add(&mut level, root, bound)?;
        for empties in (0..=root.board.empties()).rev() {
            self.remove_repetitions(&mut level)?;
            for &node in &level {
                let Node { board, winner_to_move } = node;
                // The loser's moves lead to leaves at once, which need not be compared.
                if empties <= leaf_empties + u32::from(!winner_to_move) {
                    self.leaf(node, bound)?;
                    continue;
                }
                self.counts[0] += 1;
                if self.counts[0].is_multiple_of(1 << 16) && (self.stop)() {
                    return Err("the check was stopped".to_owned());
                }
                if winner_to_move {
                    let number = self.moves.next().ok_or("the moves end before the proof")?;
                    let Some(board) = numbered(board).nth(number.into()) else {
                        return wrong(node, bound, &format!("it has no move number {number}"));
                    };
                    self.add(&mut next, Node { board, winner_to_move: false }, bound)?;
                } else {
                    for board in board.children() {
                        self.add(&mut next, Node { board, winner_to_move: true }, bound)?;
                    }
                }
            }
            level.clear();
            std::mem::swap(&mut level, &mut next);
        }
        Ok(())
    }

    /// Adds a position to its level: normalised, after the pass if there is one. The end of a game
    /// is checked at once.
    fn add(&self, level: &mut Vec<Node>, mut node: Node, bound: i32) -> Result<(), String> {
        if node.board.moves() == 0 {
            node = Node { board: node.board.passed(), winner_to_move: !node.winner_to_move };
            if node.board.moves() == 0 {
                let score = node.board.final_score() * if node.winner_to_move { 1 } else { -1 };
                let text = "the game is over, and the score is another";
                return if score >= bound { Ok(()) } else { wrong(node, bound, text) };
            }
        }
        level.push(Node { board: node.board.normalised(), ..node });
        if level.len() as u64 / 2 >= self.claim.width.max(SLACK) {
            self.remove_repetitions(level)?;
        }
        Ok(())
    }

    /// Sorts a level, and removes positions that it has twice.
    fn remove_repetitions(&self, level: &mut Vec<Node>) -> Result<(), String> {
        level.sort_unstable();
        level.dedup();
        let fits = level.len() as u64 <= self.claim.width;
        if fits { Ok(()) } else { Err("a level has more positions than declared".to_owned()) }
    }

    /// Searches a leaf. The loser gets less than 2 - `bound`, which is at most -`bound`.
    fn leaf(&mut self, node: Node, bound: i32) -> Result<(), String> {
        self.counts[1] += 1;
        let sought = if node.winner_to_move { bound } else { 2 - bound };
        let gets = self.gets(node.board, sought, node.winner_to_move, false);
        let gets = gets.ok_or("the leaf searches cost more than declared, or were stopped")?;
        let right = gets == node.winner_to_move;
        if right { Ok(()) } else { wrong(node, bound, "a search finds that it is wrong") }
    }

    /// Whether the side to move gets at least `bound`, an even number: tries its moves until one
    /// suffices. None of the loser's does, if the claim is true. `passed`: the other side has no
    /// move. `None` if the search costs more than declared, or is stopped.
    fn gets(&mut self, board: Board, bound: i32, winner: bool, passed: bool) -> Option<bool> {
        self.counts[2] += 1;
        let number = self.counts[2];
        if number > self.claim.work || number.is_multiple_of(1 << 20) && (self.stop)() {
            return None;
        }
        // The last moves are in the order of the squares: another costs more than it saves.
        let ordered = winner && board.empties() > 5;
        let (mut list, mut children) = (ordered.then(|| numbered(board)), board.children());
        let mut has_moves = false;
        while let Some(child) = list.as_mut().map_or_else(|| children.next(), |list| list.next()) {
            has_moves = true;
            if !self.gets(child, 2 - bound, !winner, false)? {
                return Some(true);
            }
        }
        match has_moves {
            true => Some(false),
            false if passed || board.empties() == 0 => Some(board.final_score() >= bound),
            false => self.gets(board.passed(), 2 - bound, !winner, true).map(|gets| !gets),
        }
    }
}

/// The boards after the legal moves, in the order of their numbers: by replies, then by square.
fn numbered(board: Board) -> impl Iterator<Item = Board> {
    let mut list = Vec::with_capacity(16);
    list.extend(board.children().map(|child| (child.moves().count_ones(), child)));
    list.sort_by_key(|&(replies, _)| replies);
    list.into_iter().map(|(_, child)| child)
}

/// The fault of a position of the proof.
fn wrong<T>(Node { board, winner_to_move }: Node, bound: i32, what: &str) -> Result<T, String> {
    let (text, empties) = (board.text(), board.empties());
    let (word, bound) = if winner_to_move { ("least", bound) } else { ("most", -bound) };
    Err(format!("not proved: {text} gets at {word} {bound:+}, {empties} empties: {what}"))
}
