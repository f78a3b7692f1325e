//! Certificates: files that prove a score, or a bound of it, to a small independent checker.
//!
//! A certificate has two proofs: that the side to move gets at least the lower bound, and that the
//! other side gets at least the upper bound, negated. In each of them one side is the *winner*: one
//! move at each of its positions, and all moves at the other's, down to the *leaves*, which a
//! checker searches by itself. Only the winner's moves are in the file. `docs/certificate.md`
//! specifies the format; `checker/` is the checker.
//!
//! | part | what it does |
//! |---|---|
//! | `walk` | finds the winner's moves, with the search and its tables |
//! | `write` | the file |
//! | `folder` | a folder of certificates: their names, and what the checker says about them |
//! | `list` | certificates for a list of positions |
//! | `beside` | certificates beside the records of `yose solve` |

mod beside;
mod folder;
mod list;
mod walk;
mod write;

use crate::othello::Position;
use crate::search::{Bounds, Searcher};
use walk::{Node, Unproved, Walk, WinnersMoves};
use write::Moves;

pub use beside::{CertificatesBeside, MadeBeside};
pub use folder::{CertificateFolder, WriteError, file_name};
pub use list::{Certified, CertifyError, ListOptions, ToCertify, certify_list};

/// How a certificate is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CertificateOptions {
    /// Positions with at most this many empties are left to the checker.
    pub leaf_empties: u32,
    /// The bytes of memory for the moves of a proof. If they do not suffice, leaves get more
    /// empties.
    pub memory: u64,
}

impl Default for CertificateOptions {
    fn default() -> CertificateOptions {
        CertificateOptions { leaf_empties: LEAF_EMPTIES, memory: 1 << 30 }
    }
}

/// The number of empties of leaves. To find the moves of smaller leaves can cost more than the
/// score, and a check gets hardly faster: `docs/certificate.md`.
const LEAF_EMPTIES: u32 = 12;

/// The largest number of empties that leaves can have.
pub const MAX_LEAF_EMPTIES: u32 = yose_check::MAX_LEAF_EMPTIES;

/// A certificate, and what it took to make it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The content of the file.
    pub file: Vec<u8>,
    /// The number of moves in it.
    pub moves: u64,
    /// The number of positions that a checker searches.
    pub leaves: u64,
    /// The nodes that were searched to find the moves.
    pub nodes: u64,
}

/// Makes a certificate for proven `bounds` of a position. `None` if the search is aborted.
///
/// # Panics
/// If the bounds do not hold.
pub fn certify(
    searcher: &mut Searcher,
    position: &Position,
    bounds: Bounds,
    options: &CertificateOptions,
) -> Option<Certificate> {
    let mut refuter = searcher.refuter();
    let mut moves = Moves::default();
    let mut leaves = [options.leaf_empties; 2];
    let proofs = [(true, bounds.lower.discs()), (false, -bounds.upper.discs())];
    for ((winner_to_move, bound), leaf_empties) in proofs.into_iter().zip(&mut leaves) {
        if bound == -64 {
            continue;
        }
        let mut walk = Walk {
            refuter: &mut refuter,
            bound,
            leaf_empties: *leaf_empties,
            most_leaf_empties: MAX_LEAF_EMPTIES,
            most: (options.memory / WinnersMoves::ENTRY_BYTES) as usize,
            moves: WinnersMoves::default(),
        };
        let root = Node::of(*position, winner_to_move);
        match root.map_or(Ok(()), |root| walk.prove(&root)) {
            Ok(()) => {}
            Err(Unproved::Aborted) => return None,
            Err(Unproved::Wrong) => panic!("{bounds:?} do not hold for {position:?}"),
        }
        *leaf_empties = walk.leaf_empties;
        moves.add(root, walk.leaf_empties, bound, &walk.moves);
    }
    Some(Certificate {
        file: moves.file(position, bounds, leaves),
        moves: moves.numbers.len() as u64,
        leaves: moves.leaves,
        nodes: refuter.nodes(),
    })
}
