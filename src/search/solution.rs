//! The input and output of a search: [`Config`], [`Request`] and [`Solution`].

use std::sync::Arc;

use crate::eval::Evaluation;
use crate::othello::{Move, Position, Score};
use crate::search::constants::SPLIT_EMPTIES;
use crate::search::limits::StopReason;
use crate::search::node_counts::NodeCounts;
use crate::search::parameters::Parameters;
use crate::table::AutoTable;

/// A search window. Scores strictly between `alpha` and `beta` are found exactly. Of other scores
/// the search only proves that they are at most `alpha` or at least `beta`.
///
/// ```
/// use yose::{Score, Window};
///
/// // Is the score above +4?
/// let window = Window::new(Score::new(4), Score::new(5)).expect("4 is below 5");
/// assert_eq!((window.alpha(), window.beta()), (Score::new(4), Score::new(5)));
/// assert_eq!(Window::new(Score::new(5), Score::new(4)), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    /// The full window, -64 to 64: every score is found exactly. (No score lies beyond the bounds,
    /// so the bounds themselves are exact too.)
    pub const FULL: Window = Window { alpha: Score::MIN, beta: Score::MAX };
    /// The window for win, loss or draw: -1 to +1.
    pub const WIN_LOSS_DRAW: Window = Window { alpha: Score::new(-1), beta: Score::new(1) };

    /// The window between two scores; `None` unless `alpha < beta`.
    pub fn new(alpha: Score, beta: Score) -> Option<Window> {
        (alpha < beta).then_some(Window { alpha, beta })
    }

    /// The lower bound.
    pub const fn alpha(self) -> Score {
        self.alpha
    }

    /// The upper bound.
    pub const fn beta(self) -> Score {
        self.beta
    }
}

/// Proven bounds of a score. Both are even.
///
/// ```
/// use yose::{Bounds, Score};
///
/// let bounds = Bounds { lower: Score::new(2), upper: Score::MAX };
/// assert_eq!(bounds.exact(), None);
/// let bounds = Bounds { upper: Score::new(2), ..bounds };
/// assert_eq!(bounds.exact(), Some(Score::new(2)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The score is at least this.
    pub lower: Score,
    /// The score is at most this.
    pub upper: Score,
}

impl Bounds {
    /// The bounds of an unknown score: -64 and 64.
    pub const UNKNOWN: Bounds = Bounds { lower: Score::MIN, upper: Score::MAX };

    /// The score if the bounds are equal.
    pub fn exact(self) -> Option<Score> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// A position to solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The position.
    pub position: Position,
    /// The search window.
    pub window: Window,
    /// Whether to find the score of every legal move, not only the best one's.
    pub all_moves: bool,
}

/// The solution of a position. All scores are those of the side to move in that position.
///
/// ```
/// use yose::{Diagram, Solver};
///
/// // FFO 20: six empties, X to move.
/// let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// let position = board.parse::<Diagram>()?.position;
/// let mut solver = Solver::builder().threads(1).table_bytes(1 << 20).build()?;
/// let solution = solver.solve(&position);
/// assert_eq!(solution.score().map(|score| score.discs()), Some(6));
/// assert_eq!(solution.best_move, solution.pv.first().copied());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The score, or bounds of it if it lies outside the window.
    pub bounds: Bounds,
    /// A move that leads to the score. `None` if the game is over, or if the score lies at or below
    /// the window, so that no move is proven to be the best.
    pub best_move: Option<Move>,
    /// The principal variation. If the score is exact: perfect play of both sides to the end of the
    /// game, passes included. Otherwise the best move alone.
    pub pv: Vec<Move>,
    /// With [`Request::all_moves`]: every legal move, or the forced pass, with the bounds of its
    /// score; best first.
    pub moves: Vec<(Move, Bounds)>,
    /// The number of nodes that were searched, as [`NodeCounts`] defines it.
    pub nodes: u64,
    /// The same by number of empties.
    pub profile: NodeCounts,
    /// The reason for which the search ended early, or `None`. The bounds are proven in any case.
    pub stopped: Option<StopReason>,
    /// Statistics of the search by number of empties.
    #[cfg(feature = "stats")]
    pub statistics: super::Statistics,
}

impl Solution {
    /// The exact score; `None` if it lies outside the window, or if the search ended early.
    pub fn score(&self) -> Option<Score> {
        self.bounds.exact()
    }
}

/// The configuration of a [`Searcher`](super::Searcher). No setting can change a score.
#[derive(Clone, Debug)]
pub struct Config {
    /// The largest size of the shared transposition table, in bytes.
    pub table_bytes: u64,
    /// The size in bytes up to which the shared table grows beyond `table_bytes` while memory is
    /// free; `None`: it does not.
    pub table_limit: Option<u64>,
    /// Whether each thread has local tables. Without them the search is slower. For tests and
    /// measurements.
    pub local_tables: bool,
    /// Whether the keys of the local tables are solid-disc-normalised, so that positions which
    /// differ only in solid discs share an entry.
    pub normalise_keys: bool,
    /// The evaluation for move ordering, ProbCut and the first guess of a score.
    pub evaluation: Arc<Evaluation>,
    /// The least number of empties at which a node may become a split point, at least 12.
    pub split_empties: u32,
    /// The parameters of the search; `None`: those in the weights of the evaluation.
    pub parameters: Option<Parameters>,
}

impl Config {
    /// The same with a table of this size.
    #[must_use]
    pub(crate) fn with_auto_table(self, size: &AutoTable) -> Config {
        Config { table_bytes: size.bytes, table_limit: Some(size.limit), ..self }
    }
}

impl Default for Config {
    /// A table of 256 MiB, local tables with normalised keys, and the embedded evaluation.
    fn default() -> Config {
        Config {
            table_bytes: 256 << 20,
            table_limit: None,
            local_tables: true,
            normalise_keys: true,
            evaluation: Evaluation::embedded(),
            split_empties: SPLIT_EMPTIES,
            parameters: None,
        }
    }
}
