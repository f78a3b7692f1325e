//! The automatic size of the shared table: by the predicted cost of a list, and by the memory that
//! is free.
//!
//! A table begins with 1 MiB in use and grows by steps as a search needs it (`growth.rs`), so a
//! large table costs a small list nothing. What remains to be chosen:
//!
//! - The *first size*, up to which the table grows whatever memory is free meanwhile. It has
//!   [`BYTES_PER_NODE`] bytes for each node that is predicted for the positions that are searched
//!   at a time. Older entries are hardly ever read again. Without a prediction, as for a pipe, it
//!   is [`WITHOUT_PREDICTION`].
//! - The *limit*: half of the memory that is free. A prediction may be far too low, so the table
//!   grows on beyond its first size if the search needs it. Before each of these steps the system
//!   is asked again how much memory is free.
//!
//! The memory up to the limit is only reserved. The system supplies a page of it when it is first
//! written.

use super::memory;
use crate::sync::zeros;

/// A table that takes a mebibyte more or less is of no interest.
const MIB: u64 = 1 << 20;

/// The least first size.
const LEAST: u64 = 16 * MIB;

/// The first size if nothing is known of the input.
const WITHOUT_PREDICTION: u64 = 256 * MIB;

/// The bytes of the table for each predicted node.
/// Measured: docs/experiments/tables.md, "Automatic size".
const BYTES_PER_NODE: f64 = 0.25;

/// The table takes at most this part of the free memory.
const SHARE: u64 = 2;

/// The largest limit where the system counts reserved memory as used, as Windows does.
const LARGEST_WITHOUT_RESERVE: u64 = 1 << 30;

/// A size that was chosen for a shared table, and by what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AutoTable {
    /// The first size in bytes, up to which the table grows whatever memory is free meanwhile.
    pub bytes: u64,
    /// The size in bytes up to which the table grows, while the memory is free.
    pub limit: u64,
    /// The nodes that are predicted for the positions that are searched at a time; `None` without a
    /// prediction.
    pub predicted_nodes: Option<u64>,
    /// The bytes of memory that were free; `None` if the system does not report it.
    pub free: Option<u64>,
}

impl AutoTable {
    /// Chooses a size for the memory that is free now. `nodes` are predicted for the positions that
    /// are searched at a time. The threads need `others` bytes besides the table.
    pub(crate) fn choose(nodes: Option<f64>, others: u64) -> AutoTable {
        let size = AutoTable::of(nodes, memory::unreserved(), others, cfg!(unix));
        size.within(|bytes| zeros(usize::try_from(bytes / 8).unwrap_or(usize::MAX)).is_some())
    }

    /// The size for this much `free` memory. `reserves` says whether reserved memory costs nothing.
    fn of(nodes: Option<f64>, free: Option<u64>, others: u64, reserves: bool) -> AutoTable {
        // A float is converted with saturation.
        let predicted_nodes = nodes.map(|nodes| nodes as u64);
        let wanted = nodes.map_or(WITHOUT_PREDICTION, |nodes| (nodes * BYTES_PER_NODE) as u64);
        let wanted = wanted.max(LEAST).checked_next_multiple_of(MIB).unwrap_or(u64::MAX);
        let limit = match free {
            Some(free) => free.saturating_sub(others) / SHARE / MIB * MIB,
            None => WITHOUT_PREDICTION,
        };
        let limit = if reserves { limit } else { limit.min(LARGEST_WITHOUT_RESERVE) }.max(MIB);
        AutoTable { bytes: wanted.min(limit), limit, predicted_nodes, free }
    }

    /// The same, with a limit that can be `reserved`. A system without overcommitment may refuse
    /// what seems to be free.
    fn within(mut self, reserved: impl Fn(u64) -> bool) -> AutoTable {
        while self.limit > MIB && !reserved(self.limit) {
            self.limit = (self.limit / 2).max(MIB);
        }
        AutoTable { bytes: self.bytes.min(self.limit), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn sizes(nodes: Option<f64>, free: Option<u64>) -> (u64, u64) {
        let AutoTable { bytes, limit, predicted_nodes, free: reported } =
            AutoTable::of(nodes, free, 0, true);
        assert_eq!((predicted_nodes.is_some(), reported), (nodes.is_some(), free));
        (bytes, limit)
    }

    #[test]
    fn the_first_size_follows_the_prediction() {
        let free = Some(16 * GIB);
        assert_eq!(sizes(Some(0.0), free), (16 * MIB, 8 * GIB));
        assert_eq!(sizes(Some(6e7), free), (16 * MIB, 8 * GIB));
        assert_eq!(sizes(Some((800 * MIB) as f64), free), (200 * MIB, 8 * GIB));
        assert_eq!(sizes(None, free), (256 * MIB, 8 * GIB));
        for large in [1e12, 1e300, f64::INFINITY] {
            assert_eq!(sizes(Some(large), free), (8 * GIB, 8 * GIB));
        }
    }

    #[test]
    fn little_free_memory_bounds_both_sizes() {
        let group = Some(100 * MIB);
        assert_eq!(sizes(None, group), (50 * MIB, 50 * MIB));
        assert_eq!(sizes(Some(1.0), group), (16 * MIB, 50 * MIB));
        assert_eq!(sizes(Some(1e9), group), (50 * MIB, 50 * MIB));
        for free in [0, 1, MIB, 2 * MIB] {
            assert_eq!(sizes(Some(1e9), Some(free)), (MIB, MIB), "{free}");
        }
        assert_eq!(sizes(Some(1e10), None), (256 * MIB, 256 * MIB));
        assert_eq!(AutoTable::of(None, group, 60 * MIB, true).limit, 20 * MIB);
        assert_eq!(AutoTable::of(None, group, u64::MAX, true).limit, MIB);
    }

    #[test]
    fn no_more_is_reserved_than_the_system_allows() {
        let without = AutoTable::of(Some(1e12), Some(64 * GIB), 0, false);
        assert_eq!((without.bytes, without.limit), (GIB, GIB));
        let size = AutoTable::of(None, Some(16 * GIB), 0, true).within(|bytes| bytes <= GIB);
        assert_eq!((size.bytes, size.limit), (256 * MIB, GIB));
        let size = AutoTable::of(None, Some(16 * GIB), 0, true).within(|_| false);
        assert_eq!((size.bytes, size.limit), (MIB, MIB));
    }

    #[test]
    fn a_choice_on_this_machine() {
        let size = AutoTable::choose(Some(1e15), 0);
        assert!(MIB <= size.bytes && size.bytes == size.limit);
        assert!(size.free.is_none_or(|free| size.limit <= (free / 2).max(MIB)));
    }
}
