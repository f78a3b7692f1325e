//! A whole list in memory, for those that need every position of it.

use crate::records::{Item, Problem, ReadOptions, Reader, Source};

/// Reads the positions of a list, with their identifiers.
///
/// # Errors
/// The message of the first error, if a part of the list cannot be read or has no positions.
pub(super) fn read_list(list: Source) -> Result<Vec<(String, Problem)>, String> {
    let read = |item| match item {
        Item::Entry(entry) => {
            entry.problem.map(|problem| (entry.id, problem)).map_err(|error| error.to_string())
        }
        Item::Empty(empty) => Err(empty.to_string()),
        Item::MissingPositions(missing) => Err(missing.to_string()),
        Item::Failure(error) => Err(error.to_string()),
    };
    Reader::new(vec![list], ReadOptions::default()).map(read).collect()
}
