//! Position files and game files: the input; and files of results: the output.
//!
//! - **Input**: [`Reader`] turns files and standard input into [`Entry`]s: one for each line that
//!   is neither blank nor a comment, and one for each selected position of a game. Entries come in
//!   order, one at a time, so a list of any length needs the memory of one line. An entry has a
//!   [`Problem`] (a position, and the [`Claim`]s that its line makes about it) or a [`ReadError`]
//!   (where the error is, what is wrong, and what would be right).
//! - **Output**: a [`Record`](output::Record) for each entry is written by one of the writers in
//!   [`output`].
//!
//! # Formats
//! Each format has a file. Its head has the source of the format, what is read leniently, and what
//! is refused.
//!
//! | module | content |
//! |---|---|
//! | [`obf`], [`plain`] | positions, with and without the scores of their moves |
//! | [`transcript`], [`ggf`], [`sgf`], [`wthor`] | games |
//! | [`csv`], [`jsonl`] | Yose's own output; tables of positions and of games |
//! | [`solved`] | the files of "Othello is Solved" |
//!
//! # The other modules, in the order of the data
//!
//! | module | content |
//! |---|---|
//! | `source`, `stream` | files and standard input; lines within bounded memory, and their digest |
//! | `compression`, `parquet` | gzip and Zstandard; Parquet, read as JSON Lines |
//! | `reader`, `open_source`, `entry` | the iterator over all sources, one source, one entry |
//! | `formats` | the list of formats |
//! | `format_reader`, `lines` | the interfaces of formats; the reader of each line of a text |
//! | `joined_lines` | an entry with several lines |
//! | `columns`, `table`, `row` | CSV: cells, rows; a record of CSV or JSON Lines as an input |
//! | `game`, `notes` | the positions of a game, and their selection; comments, players and years |
//! | `problem`, `error`, `text` | positions with claims; errors with locations; small texts |
//! | [`output`], `results` | writers of results; results of an earlier run, read back |
//!
//! # What must hold
//! - Each line, and each selected position of a game, gives exactly one entry. An error costs one
//!   line or one game, and the reader continues.
//! - The moves of claims are legal and their scores are even. Nothing is guessed.
//! - No module uses the search or the command line. Of the search only its types of scores are
//!   used.

mod columns;
#[doc(hidden)]
pub mod compression;
pub mod csv;
mod entry;
mod error;
mod format_reader;
mod formats;
mod game;
pub mod ggf;
mod joined_lines;
pub mod jsonl;
mod lines;
mod notes;
pub mod obf;
mod open_source;
pub mod output;
#[cfg(feature = "parquet")]
#[doc(hidden)]
pub mod parquet;
pub mod plain;
mod problem;
mod reader;
pub(crate) mod results;
mod row;
pub mod sgf;
pub mod solved;
mod source;
mod stream;
mod table;
mod text;
pub mod transcript;
pub mod wthor;

pub(crate) use columns::{Cell, split};
pub use entry::{EmptySource, Entry, Item, MissingPositions, ReadOptions};
pub use error::{LineError, LineOrGame, Location, ReadError};
pub use formats::Format;
pub use game::{Selection, Span};
pub use notes::{GameDetails, GameNotes, Notes};
pub use problem::{Claim, MalformedClaim, MalformedClaims, Problem, Statement};
pub use reader::Reader;
pub(crate) use source::open_file;
pub use source::{FileError, Input, Source};
#[doc(hidden)]
pub use text::printable;
pub(crate) use text::{column_of, shortened};
