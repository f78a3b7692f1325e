//! Many positions: what lies between reading a list and writing its scores.
//!
//! [`run()`] has the entries of a list solved on all threads and writes their records, with memory
//! that does not depend on the length of the list. Its parts, in the order in which an entry passes
//! them:
//!
//! | part | what it is for |
//! |---|---|
//! | [`Feed`] | the thread that reads; it skips other [`Shard`]s and what was solved [`Earlier`] |
//! | `queue` | deals out positions, longest first, in chunks, within bounds |
//! | [`Pool`], `work` | the threads that solve; who has nothing to solve helps the others |
//! | `unique` | positions that are equal but for symmetry |
//! | `order` | puts records back into the order of the input |
//! | [`Output`]: [`Stream`], [`Journal`] | a stream of records, or a file that a run can resume |
//! | [`Stop`] | by which a run is ended before its work is done |
//!
//! Beside it: [`cost`] predicts what a position will take, [`estimate`] what a list will take on
//! this machine, [`Survey`] sums that up over the files before the work begins, and [`Progress`]
//! tells from both how far the work is. [`fingerprint`] runs a fixed list to show that a search is
//! the same as another, [`mod@bench`] a suite to show how fast it is. [`merge`] joins the outputs
//! of shards.

pub mod bench;
pub mod cost;
pub mod estimate;
pub(crate) mod executor;
mod feed;
pub mod fingerprint;
mod journal;
pub mod merge;
mod order;
mod output;
mod progress;
pub(crate) mod queue;
mod run;
mod shard;
mod stop;
mod survey;
mod unique;
mod work;

pub use executor::ThreadError;
pub use feed::Feed;
pub use journal::{Earlier, Journal, JournalError, Kept, Place, resume};
pub use output::{Output, Stream};
pub use progress::{Progress, Style};
pub use run::{Plan, Report, RunError, run};
pub use shard::Shard;
pub use stop::{Cause, Stop};
pub use survey::{Survey, Workload};
pub use work::Pool;
pub(crate) use work::{not_begun, solve_within};
