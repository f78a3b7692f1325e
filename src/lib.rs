//! Yose, a perfect-play Othello endgame solver: positions in, exact scores out.
//!
//! # The map
//!
//! Data flows one way, and the modules may be read in its order:
//!
//! ```text
//! a file of positions → records → batch → search → (eval, table, othello) → batch → records → a file of scores
//! ```
//!
//! | module | what it is for |
//! |---|---|
//! | [`tier`] | which instructions this build uses, and whether this CPU has them |
//! | [`othello`] | the rules and nothing else: squares, positions, flips, legal moves, final score, symmetries, stability, perft. Its `arch` holds the kernels, one file a tier |
//! | [`eval`] | the learned evaluation: a guess at a score from the patterns of a board. It orders moves; no score depends on it |
//! | [`table`] | what has been proven: the position hash, the shared four-way table, the per-thread local table |
//! | [`search`] | the exact solver: root, rounds, deep, middle and shallow nodes, the last four empties, move ordering |
//! | [`records`] | what is read (positions, games, databases, what others claim) and what is written (table, CSV, JSON Lines, OBF), a file each |
//! | [`training`] | how the evaluation's weights are made: positions, labels, the fit; the searches do not need it |
//! | `pages` | memory on large pages, for tables that are looked up at random |
//! | `sync` | the atomics and locks that threads share, in a second make for models that try every order of threads |
//! | [`batch`] | many positions on all cores: queue, threads, order, the journal, limits, shards, progress; the fingerprint and the bench |
//! | [`verify`] | claims that somebody published: what must be asked to confirm or refute each, and what came of it |
//!
//! `othello` knows nothing of `search`, `search` knows nothing of files. The binary (`src/main.rs`) parses arguments, calls one of
//! `src/commands/`, and turns errors into exit statuses; whatever it can do, this library can.
//!
//! # The promise
//!
//! A score that Yose reports is exact whatever the tables held, on every tier and with any table size: positions are identified by
//! all of their 128 bits, a torn read is a miss, and estimates only order moves and tell where to begin. One thread with
//! fresh tables searches the same nodes on every machine: that is the fingerprint, and every commit that touches the search names it.
//!
//! # Example
//!
//! ```
//! use yose::othello::Diagram;
//! use yose::search::{Config, Request, Searcher, Window};
//!
//! // FFO 20: six empties, X to move.
//! let diagram: Diagram = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X".parse()?;
//! let mut solver = Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() })?;
//! let solution = solver.solve(&Request { position: diagram.position, window: Window::FULL, all_moves: false });
//! assert_eq!(solution.bounds.exact().map(|score| score.discs()), Some(6));
//! assert_eq!(solution.best_move.map(|mv| mv.to_string()).as_deref(), Some("h5"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
pub mod eval;
mod large_pages;
pub mod othello;
pub mod records;
pub mod search;
pub mod solver;
mod sync;
pub mod table;
pub mod tier;
#[cfg(feature = "training")]
pub mod training;
pub mod verify;

pub use othello::{
    Bitboard, Colour, Diagram, DiagramError, Move, MoveError, Position, Score, Square,
};
pub use search::{Bounds, Limits, NodeCounts, Solution, StopReason, Window};
pub use solver::{CancelToken, Options, Solver, SolverBuilder, SolverError};
pub use table::TableError;
