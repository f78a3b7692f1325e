//! What is asked of the solver, and what it answers.

use std::sync::Arc;

use crate::eval::Evaluation;
use crate::othello::{Move, Position, Score};
use crate::search::constants::SPLIT_EMPTIES;
use crate::search::limits::StopReason;
use crate::search::node_counts::NodeCounts;
use crate::search::parameters::Parameters;

/// The scores that are of interest: those strictly between `alpha` and `beta` are told exactly; of others it is only
/// shown that they are at most `alpha` or at least `beta`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    /// Every score is of interest: -64…64. (The bounds themselves are exact too, as no score lies beyond them.)
    pub const FULL: Window = Window { alpha: Score::MIN, beta: Score::MAX };
    /// Win, loss or draw: -1…+1.
    pub const WIN_LOSS_DRAW: Window = Window { alpha: Score::new(-1), beta: Score::new(1) };

    /// The window between two scores; `None` unless `alpha < beta`.
    pub fn new(alpha: Score, beta: Score) -> Option<Window> {
        (alpha < beta).then_some(Window { alpha, beta })
    }

    /// The lower edge.
    pub const fn alpha(self) -> Score {
        self.alpha
    }

    /// The upper edge.
    pub const fn beta(self) -> Score {
        self.beta
    }
}

/// What is known of a score: it is at least `lower` and at most `upper`. Both are even.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Proven: the score is not below it.
    pub lower: Score,
    /// Proven: the score is not above it.
    pub upper: Score,
}

impl Bounds {
    /// Nothing known.
    pub const UNKNOWN: Bounds = Bounds { lower: Score::MIN, upper: Score::MAX };

    /// The score, where the bounds meet.
    pub fn exact(self) -> Option<Score> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// A position to solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The position.
    pub position: Position,
    /// The scores of interest.
    pub window: Window,
    /// Whether every legal move's score is wanted, not only the best one's.
    pub all_moves: bool,
}

/// The answer to a [`Request`]. All scores are seen by the side to move of the request's position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The score, or bounds on it where it lies outside the window.
    pub bounds: Bounds,
    /// A move that keeps the score: none if the game is over, or if no move was shown to be good enough (the score lies
    /// at or below the window).
    pub best_move: Option<Move>,
    /// Perfect play from here to the end for both sides, passes included, where the score is exact; otherwise
    /// the best move alone.
    pub pv: Vec<Move>,
    /// Under [`Request::all_moves`]: every legal move (a forced pass among them) with what is known of its score, best first.
    pub moves: Vec<(Move, Bounds)>,
    /// Nodes searched ([`NodeCounts`] says what counts as one).
    pub nodes: u64,
    /// The same by their number of empties.
    pub profile: NodeCounts,
    /// Why the search ended before it was done, if it did. What is told is proven all the same.
    pub stopped: Option<StopReason>,
    /// What the search did at each number of empties.
    #[cfg(feature = "stats")]
    pub statistics: super::Statistics,
}

/// What a [`Searcher`](super::Searcher) is made with.
#[derive(Clone, Debug)]
pub struct Config {
    /// Size of the shared table in bytes; at most that much is used.
    pub table_bytes: u64,
    /// Whether each thread keeps its local tables. Without them every score is the same and the search slower: for tests
    /// and measurements.
    pub local_tables: bool,
    /// Whether those tables take positions that differ only in solid discs for one (see the source of `search::cached`). Again every
    /// score is the same without.
    pub normalise_keys: bool,
    /// What moves are ordered by and windows guessed from. Again every score is the same with any other.
    pub evaluation: Arc<Evaluation>,
    /// From how many empties up, 12 at the least, a node's moves may be divided among threads. Again every score is the same with any
    /// other number.
    pub split_empties: u32,
    /// The parameters that steer the search, if not those that came with the evaluation. Again every score is the same with any others.
    pub parameters: Option<Parameters>,
}

impl Default for Config {
    /// 256 MiB, everything on, and the embedded evaluation.
    fn default() -> Config {
        Config {
            table_bytes: 256 << 20,
            local_tables: true,
            normalise_keys: true,
            evaluation: Evaluation::embedded(),
            split_empties: SPLIT_EMPTIES,
            parameters: None,
        }
    }
}
