//! The settings with which the training steps search positions.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use thiserror::Error;

use crate::batch::ThreadError;
use crate::eval::Evaluation;
use crate::search::{Config, Parameters, Searcher};
use crate::table::TableError;

/// The default size of a table, in bytes. It is small, because it is cleared for each position, and
/// large enough for about 20 empties.
pub const TABLE_BYTES: u64 = 16 << 20;

/// The number of processors that this program may use; 1 if the system does not report it.
pub(super) fn all_cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Why positions cannot be searched.
#[derive(Debug, Error)]
pub enum SearchError {
    /// There is no memory for the tables.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
}

/// The settings with which the positions of a list are searched.
#[derive(Clone, Debug)]
pub struct SearchSettings {
    /// The evaluation, which orders moves.
    pub evaluation: Arc<Evaluation>,
    /// The size of a table in bytes. Each thread has one for each set of parameters.
    pub table_bytes: u64,
    /// The number of threads. It changes the time and no result.
    pub threads: NonZeroUsize,
}

impl SearchSettings {
    /// This evaluation, all cores, and tables of [`TABLE_BYTES`].
    pub fn new(evaluation: Arc<Evaluation>) -> SearchSettings {
        SearchSettings { evaluation, table_bytes: TABLE_BYTES, threads: all_cores() }
    }

    /// A searcher for each thread, each with a table of its own.
    ///
    /// # Errors
    /// If there is no memory for the tables.
    pub(super) fn searchers(&self) -> Result<Vec<Searcher>, TableError> {
        let mut searchers = Searcher::independent(&self.config(None), self.threads)?;
        searchers.iter_mut().try_for_each(Searcher::prepare)?;
        Ok(searchers)
    }

    /// A searcher with these parameters; `None`: with those of the weights.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub(super) fn searcher(&self, parameters: Option<Parameters>) -> Result<Searcher, TableError> {
        Searcher::new(self.config(parameters))
    }

    fn config(&self, parameters: Option<Parameters>) -> Config {
        Config {
            table_bytes: self.table_bytes,
            evaluation: self.evaluation.clone(),
            parameters,
            ..Config::default()
        }
    }
}
