//! The errors of tables that could not be made.

use thiserror::Error;

use super::memory::readable_size as size;

/// Why a transposition table could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// The system refuses to allocate a table of this many bytes.
    #[error("there is not enough memory for a table of {}", size(*.0))]
    OutOfMemory(u64),
    /// The tables are larger than the memory.
    #[error("{}", too_large(*bytes, *count, *memory))]
    TooLarge {
        /// Bytes of each table.
        bytes: u64,
        /// The number of tables.
        count: usize,
        /// Bytes of memory of this machine, or of the limits of this process.
        memory: u64,
    },
    /// The tables fit into the memory, but not together with what each thread needs of its own.
    #[error(
        "{threads} threads of {} each and {} for the table do not fit into the memory of {}",
        size(*each), size(*tables), size(*memory)
    )]
    TooManyThreads {
        /// The number of threads.
        threads: usize,
        /// Bytes of each thread.
        each: u64,
        /// Bytes of all shared tables.
        tables: u64,
        /// Bytes of memory of this machine, or of the limits of this process.
        memory: u64,
    },
    /// The system refuses to allocate this many bytes for the local tables of a thread.
    #[error("there is not enough memory for the tables of a thread, {}", size(*.0))]
    NoLocalTables(u64),
}

fn too_large(bytes: u64, count: usize, memory: u64) -> String {
    let (bytes, memory) = (size(bytes), size(memory));
    match count {
        1 => format!("a table of {bytes} does not fit into the memory of {memory}"),
        _ => format!("{count} tables of {bytes} each do not fit into the memory of {memory}"),
    }
}
