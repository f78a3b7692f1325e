//! Groups of arguments that several commands have: each is defined once and flattened into them.
//!
//! | group | arguments |
//! |---|---|
//! | [`ThreadArgs`] | `--threads` |
//! | [`TableArgs`], [`ThreadTableArgs`] | `--hash`: one table for all threads; one for each |
//! | [`VerboseArgs`] | `--verbose` |
//! | [`WeightsArgs`] | `--weights` |
//! | [`LimitArgs`] | `--node-limit`, `--time-limit`, `--deadline` |
//! | [`OutputFileArgs`] | `--output`, `--force` |
//! | [`OutputArgs`] | the same and `--format` |
//! | [`CertificateArgs`] | `--leaf-empties` |

mod certificates;
mod limits;
mod output;
mod size;
mod table;
mod threads;
mod weights;

pub use certificates::{CertificateArgs, made_folder};
pub use limits::{Deadline, LimitArgs};
pub use output::{
    Destination, Format, OutputArgs, OutputFileArgs, OutputStream, Unfinished, is_parquet,
    is_same_file, not_an_input,
};
pub use table::{TableArgs, TableSize, ThreadTableArgs, VerboseArgs};
pub use threads::{ThreadArgs, all_cores};
pub use weights::{WeightsArgs, WeightsSource, digest_prefix};
