//! The size of the transposition table.

use std::env;

use anyhow::{Result, anyhow};

use yose::AutoTable;
use yose::batch::{SearcherOptions, Workload};
use yose::table::readable_size;

use super::size;
use crate::commands::say;

/// The environment variable with the default of `--hash`.
const VARIABLE: &str = "YOSE_HASH";

/// The size of each thread's table in a deterministic run, if none is given. It must not depend on
/// the machine.
const DETERMINISTIC: u64 = 256 << 20;

/// The size of a table that all threads share.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct TableArgs {
    /// Size of the transposition table, such as 512MiB or 4G; at least 1MiB; or `auto`
    ///
    /// The default is the value of the environment variable YOSE_HASH, or `auto` if it is not set
    /// or empty. `auto` chooses a size by the predicted cost of the list and by the memory that is
    /// free. The table begins small and grows if the search needs it, up to half of that memory.
    #[arg(long, value_name = "SIZE", value_parser = TableSize::parse)]
    hash: Option<TableSize>,
}

/// Whether the size of the table is explained.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct VerboseArgs {
    /// Print the size of the transposition table and its reason on standard error
    ///
    /// `solve` also prints a line for each null window at the root of a position that takes more
    /// than ten seconds, unless it shows no progress, such as `24@73%, score >= +14, best f5, 23 M
    /// nodes`: depth and selectivity, the bounds so far, the best move, the nodes so far. Bounds
    /// are proven at 100%.
    #[arg(short, long)]
    verbose: bool,
}

/// The size of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableSize {
    /// Chosen by the input and by the free memory.
    Auto,
    /// This many bytes.
    Bytes(u64),
}

impl TableSize {
    fn parse(text: &str) -> Result<TableSize, String> {
        match text.trim() {
            "auto" => Ok(TableSize::Auto),
            text => size::parse_table(text).map(TableSize::Bytes),
        }
    }

    /// The same for tables of which each belongs to one thread of a deterministic run: never
    /// automatic.
    pub fn deterministic(self) -> TableSize {
        match self {
            TableSize::Auto => TableSize::Bytes(DETERMINISTIC),
            bytes @ TableSize::Bytes(_) => bytes,
        }
    }

    /// The options with a table of this size. `workload` is the cost of the input; `None` if it is
    /// not known.
    pub fn apply(self, options: SearcherOptions, workload: Option<Workload>) -> SearcherOptions {
        match self {
            TableSize::Auto => options.auto_table(workload),
            TableSize::Bytes(bytes) => options.table_bytes(bytes),
        }
    }
}

impl TableArgs {
    /// The size.
    ///
    /// # Errors
    /// If it comes from the environment variable, which has no valid size.
    pub fn size(self) -> Result<TableSize> {
        // Not read by clap, whose message would blame `--hash` for the variable.
        let variable = || env::var_os(VARIABLE).filter(|value| !value.is_empty());
        match (self.hash, variable()) {
            (Some(size), _) => Ok(size),
            (None, None) => Ok(TableSize::Auto),
            (None, Some(value)) => {
                let value = value.to_string_lossy();
                TableSize::parse(&value).map_err(|error| {
                    anyhow!("the environment variable {VARIABLE} is `{value}`: {error}")
                })
            }
        }
    }
}

impl VerboseArgs {
    /// Whether the option is given.
    pub fn is_given(self) -> bool {
        self.verbose
    }

    /// Prints the size of a table and its reason, if the user wants that.
    pub fn table(self, table_bytes: u64, auto: Option<AutoTable>) {
        if self.verbose {
            say(&format!("yose: table: {}", reason(table_bytes, auto)));
        }
    }

    /// Prints how much of the table the run has used, if the user wants that.
    pub fn table_use(self, bytes: u64) {
        if self.verbose {
            say(&format!("yose: table: {} were used", readable_size(bytes)));
        }
    }
}

/// The size of a table, and why it is that.
fn reason(table_bytes: u64, auto: Option<AutoTable>) -> String {
    let size = readable_size(table_bytes);
    let Some(AutoTable { limit, predicted_nodes, free, .. }) = auto else {
        return format!("{size} at most, a fixed size");
    };
    let why = match predicted_nodes {
        Some(nodes) => format!("for {nodes:.1e} nodes that are predicted at a time"),
        None => "without a prediction for the input".to_owned(),
    };
    let free = match free {
        Some(free) => format!("{} of memory are free", readable_size(free)),
        None => "the system does not report its free memory".to_owned(),
    };
    format!("{size} {why}; up to {} if the search needs it: {free}", readable_size(limit))
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
