//! The size of the transposition table.

use super::size;

/// The size of a table that all threads share.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct TableArgs {
    /// Size of the transposition table, such as 512MiB or 4G; at least 1MiB
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "256MiB",
        env = "YOSE_HASH",
        value_parser = size::parse_table
    )]
    hash: u64,
}

impl TableArgs {
    /// The size in bytes.
    pub fn bytes(self) -> u64 {
        self.hash
    }
}

/// The size of a table that belongs to one thread.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ThreadTableArgs {
    /// Size of the transposition table of each thread; at least 1MiB
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "16MiB",
        value_parser = size::parse_table
    )]
    hash: u64,
}

impl ThreadTableArgs {
    /// The size in bytes.
    pub fn bytes(self) -> u64 {
        self.hash
    }
}
