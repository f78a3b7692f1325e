//! The size of the transposition table.

use std::env;

use anyhow::{Result, anyhow};

use super::size;

/// The environment variable with the default of `--hash`.
const VARIABLE: &str = "YOSE_HASH";

/// The default without that variable.
const DEFAULT: u64 = 256 << 20;

/// The size of a table that all threads share.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct TableArgs {
    /// Size of the transposition table, such as 512MiB or 4G; at least 1MiB
    ///
    /// The default is the value of the environment variable YOSE_HASH, or 256MiB if it is not set
    /// or empty.
    #[arg(long, value_name = "SIZE", value_parser = size::parse_table)]
    hash: Option<u64>,
}

impl TableArgs {
    /// The size in bytes.
    ///
    /// # Errors
    /// If it comes from the environment variable, which has no valid size.
    pub fn bytes(self) -> Result<u64> {
        // Not read by clap, whose message would blame `--hash` for the variable.
        let variable = || env::var_os(VARIABLE).filter(|value| !value.is_empty());
        match (self.hash, variable()) {
            (Some(bytes), _) => Ok(bytes),
            (None, None) => Ok(DEFAULT),
            (None, Some(value)) => {
                let value = value.to_string_lossy();
                size::parse_table(&value).map_err(|error| {
                    anyhow!("the environment variable {VARIABLE} is `{value}`: {error}")
                })
            }
        }
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
