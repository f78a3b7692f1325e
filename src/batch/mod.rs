//! Lists of positions: everything between reading a list and writing its scores.
//!
//! [`run()`] solves the entries of a list on all threads and writes their records. Its memory does
//! not depend on the length of the list. These are its parts, in the order in which an entry passes
//! them:
//!
//! | part | purpose |
//! |---|---|
//! | [`InputReader`] | reads; skips other [`Shard`]s and [`EarlierResults`] |
//! | `unique` | finds positions that are equal but for symmetry |
//! | `queue` | bounded; gives out positions in chunks, longest first |
//! | `executor`, [`Searchers`], `solving` | the worker threads; an idle worker helps the others |
//! | `reorder` | puts records back into the order of the input |
//! | [`Output`]: [`Stream`], [`Journal`] | a stream of records, or a file that a run can continue |
//! | [`RunFile`], `stored_run` | the run and the summary of an output with records only |
//! | [`StopSignal`] | ends a run before its work is done |
//! | [`Progress`] | receives the progress of a run; a program can show it |
//!
//! Data flows one way: the modules of a run use `shared`, which has the events that the threads
//! send and the state that they share, and no module uses `run`.
//!
//! Other modules: [`cost`] predicts the nodes of a position, [`remaining`] those of the rest of a
//! run, [`estimate`] those of a list and the time on this machine. [`Survey`] sums them up before a
//! run. [`fingerprint`] counts the nodes of a fixed list, to show that a search is unchanged.
//! [`mod@bench`] measures how fast a suite is solved, and `other_solver` runs another program
//! on it. [`merge`] joins the outputs of shards.

#[doc(hidden)]
pub mod bench;
#[doc(hidden)]
pub mod cost;
#[doc(hidden)]
pub mod estimate;
pub(crate) mod executor;
#[doc(hidden)]
pub mod fingerprint;
mod input_reader;
mod journal;
mod list;
pub mod merge;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod other_solver;
mod output;
mod progress;
pub(crate) mod queue;
#[doc(hidden)]
pub mod remaining;
mod reorder;
mod run;
mod run_file;
mod searchers;
mod shard;
mod shared;
mod solving;
mod stop;
mod stored_run;
mod survey;
mod unique;

pub use cost::{Cost, Range};
pub use executor::ThreadError;
pub use input_reader::InputReader;
pub use journal::{EarlierResults, Journal, JournalError, ResumedRecord, resume};
pub(crate) use journal::{HeaderError, StoredFormat, StoredRecords, resume_with};
pub use output::{Output, RecordOffset, Stream};
pub use progress::{Finished, NoProgress, Progress};
pub(crate) use reorder::ReorderBuffer;
pub use run::{Report, RunError, RunOptions, run};
pub use run_file::RunFile;
pub use searchers::{NodeMeter, SearcherOptions, Searchers};
pub(crate) use searchers::{not_begun, solve_within};
pub use shard::Shard;
#[doc(hidden)]
pub use shared::SolvedHook;
pub use stop::{StopCause, StopSignal};
pub use survey::{Survey, Workload};
