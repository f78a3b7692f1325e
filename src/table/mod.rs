//! tables
use thiserror::Error;

/// Why a table could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// The memory is not to be had.
    #[error("a table of {0} bytes does not fit into memory; give a smaller --hash")]
    OutOfMemory(u64),
}
