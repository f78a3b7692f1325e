//! Yose solves Othello endgames exactly.
//!
//! ```
//! use yose::{Diagram, Solver};
//!
//! // FFO 20: six empties, X to move.
//! let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
//! let diagram: Diagram = board.parse()?;
//! let solution = Solver::new()?.solve(&diagram.position);
//! assert_eq!(solution.score().map(|score| score.discs()), Some(6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A score is the disc difference at the end of perfect play, from the point of view of the side to
//! move: an even number from -64 to 64. Squares that stay empty count for the winner.
//!
//! # What a user of the library needs
//!
//! | item | purpose |
//! |---|---|
//! | [`Solver`], [`Options`], [`CancelToken`] | one position, or a list on all cores |
//! | [`Solution`], [`Bounds`], [`Window`], [`Limits`] | windows, limits and results of a search |
//! | [`othello`] | the rules: squares, moves, positions, diagrams, scores, perft |
//! | [`records`] | files of positions and games, and files of results |
//! | [`batch`] | what `yose solve` does: a list from its files to a journal of results |
//! | [`verify`] | published claims, confirmed or refuted |
//!
//! The other modules are public for the `yose` program, the tests and the benchmarks of this
//! repository. They are hidden from this documentation, and may change in any version.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `cli` (default) | the `yose` program with all commands; includes `training` and `report` |
//! | `training` | the module behind `yose train` |
//! | `report` | boards as SVG, and pages of results |
//! | `parquet` | results in Parquet |
//! | `stats` | search statistics by number of empties |
//! | `record` | the recorder of the cost of moves |
//!
//! A program that only uses the library sets `default-features = false`.
//!
//! # Exactness
//!
//! A reported score is exact with any table size, any number of threads, on every build tier.
//! The transposition tables identify a position by all of its 128 bits, a torn read is a miss, and
//! the evaluation only orders moves and chooses where the search begins. One thread with empty
//! tables searches the same nodes on every machine: these node counts are the fingerprint, and
//! every commit that touches the search compares it.
//!
//! # The source in reading order
//!
//! ```text
//! files → records → batch → search → (table, eval, othello) → batch → records → files
//! ```
//!
//! | module | content |
//! |---|---|
//! | `othello` | the rules; its `arch` has the kernels, one file for each build tier |
//! | `tier` | the build tier: the instructions that this build uses, and whether the CPU has them |
//! | `table` | the position hash, the shared transposition table, the local tables |
//! | `eval` | the learned evaluation: patterns, features, weights |
//! | `search` | the exact search: driver, nodes, move ordering, threads |
//! | `records` | input and output formats, a file for each |
//! | `batch` | lists: executor, queue, journal, shards, progress; fingerprint, bench, estimate |
//! | `certificate` | files that prove a score to an independent checker |
//! | `solver` | the front: [`Solver`] |
//! | `verify` | claims and verdicts |
//! | `plan` | lists cut into tasks for an engine of a cluster, and their results joined |
//! | `drawing` | boards as text and as SVG |
//! | `review` | games: the mistakes, the turning points, the players |
//! | `report` | pages of results, for people |
//! | `engine` | the protocols of graphical interfaces and scripts: NBoard, GTP |
//! | `training` | the weights of the evaluation and the parameters of the search |
//! | `digest` | SHA-256 of bytes |
//! | `large_pages` | memory on large pages, for tables |
//! | `output_file` | files that have their name when they are complete |
//! | `sync` | atomics and locks, and their stand-ins for models of threads |
//!
//! No module depends on one below it in this table, except for the last three. `othello` does not
//! use `search`, and `search` does not use files. The program (`src/main.rs`) parses arguments and
//! calls one of `src/commands/`. Commands contain no logic that a user of the library would miss.

pub mod batch;
#[doc(hidden)]
pub mod certificate;
mod digest;
#[doc(hidden)]
pub mod drawing;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod eval;
mod large_pages;
pub mod othello;
#[doc(hidden)]
pub mod output_file;
#[doc(hidden)]
pub mod plan;
pub mod records;
#[cfg(feature = "report")]
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod review;
#[doc(hidden)]
pub mod search;
mod solver;
mod sync;
#[doc(hidden)]
pub mod table;
#[doc(hidden)]
pub mod tier;
#[cfg(feature = "training")]
#[doc(hidden)]
pub mod training;
pub mod verify;

pub use othello::{
    Bitboard, Colour, Diagram, DiagramError, Move, MoveError, Position, Score, Square,
};
#[doc(inline)]
pub use search::{Bounds, Limits, NodeCounts, Solution, StopReason, Window};
pub use solver::{CancelToken, Options, Solver, SolverBuilder, SolverError};
#[doc(inline)]
pub use table::{AutoTable, TableError};
