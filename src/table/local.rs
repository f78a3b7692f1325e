//! The local transposition table: one thread's, without locks, small enough for a core's cache.
//!
//! Near the end of the game most transpositions occur within a few moves, and a small table finds
//! them. The hash selects the one entry that a position may have, and a store always replaces it.
//! Two entries a line, one of which keeps the position with more empties, cost more nodes and more
//! time: docs/experiments/tables.md, "Replacement in the local tables".
//!
//! An entry holds the whole position and proven bounds, so entries of other searches stay valid. A
//! search clears the table only to make its node count reproducible.

use std::fmt;

use bytemuck::Zeroable;

use super::hash::bucket_index;
use super::prefetch::prefetch;
use crate::large_pages::LargePages;
use crate::othello::{Position, Square};

/// The proven bounds of a position, in discs, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(C, align(32))]
pub struct LocalEntry {
    player: u64,
    opponent: u64,
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// The hash move: the index of its square plus 1, or 0 for none.
    best: u8,
    /// The number that the bounds are relative to. The tables store positions with normalised
    /// solid discs, whose scores differ by this offset (`src/search/local_tables.rs`).
    pub offset: i8,
    _unused: [u8; 12],
}

impl LocalEntry {
    /// The hash move: the move that proved the last lower bound.
    #[inline(always)]
    pub fn best_move(&self) -> Option<Square> {
        self.best.checked_sub(1).map(Square::new)
    }

    #[inline(always)]
    fn is_of(&self, position: &Position) -> bool {
        self.player == position.player.0 && self.opponent == position.opponent.0
    }
}

/// The transposition table of one thread.
pub struct LocalTable {
    entries: LargePages<LocalEntry>,
}

impl LocalTable {
    /// A table of at most `bytes` bytes, or `None` if there is not enough memory. A table of 0
    /// bytes stores nothing: every probe misses.
    pub fn new(bytes: usize) -> Option<LocalTable> {
        let entries = LargePages::try_zeroed(bytes / size_of::<LocalEntry>())?;
        Some(LocalTable { entries })
    }

    /// The bytes of memory that a table of at most `bytes` bytes takes.
    pub(crate) fn memory(bytes: usize) -> usize {
        LargePages::<LocalEntry>::bytes(bytes / size_of::<LocalEntry>())
    }

    /// The index of the entry for `hash`. It is out of range if the table is empty.
    #[inline(always)]
    fn index(&self, hash: u64) -> usize {
        bucket_index(hash, self.entries.len() as u64) as usize
    }

    /// Prefetches the entry for `hash` into the cache.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        if let Some(entry) = self.entries.get(self.index(hash)) {
            prefetch(entry);
        }
    }

    /// The entry of `position`, whose hash is `hash`, if the table has one.
    #[inline(always)]
    pub fn probe(&self, hash: u64, position: &Position) -> Option<&LocalEntry> {
        self.entries.get(self.index(hash)).filter(|entry| entry.is_of(position))
    }

    /// Stores that the score of `position`, relative to `offset`, is at least `lower` and at most
    /// `upper`. If the table has an entry of the same position and offset, the tighter of each
    /// bound stays. An old hash move stays unless there is a new one.
    #[inline(always)]
    pub fn store(
        &mut self,
        hash: u64,
        position: &Position,
        lower: i32,
        upper: i32,
        best_move: Option<Square>,
        offset: i32,
    ) {
        let index = self.index(hash);
        let Some(slot) = self.entries.get_mut(index) else { return };
        let mut entry = LocalEntry {
            player: position.player.0,
            opponent: position.opponent.0,
            lower: lower as i8,
            upper: upper as i8,
            best: best_move.map_or(0, |square| square.index() as u8 + 1),
            offset: offset as i8,
            _unused: [0; 12],
        };
        if slot.is_of(position) {
            if slot.offset == entry.offset {
                entry.lower = entry.lower.max(slot.lower);
                entry.upper = entry.upper.min(slot.upper);
            }
            if best_move.is_none() {
                entry.best = slot.best;
            }
        }
        *slot = entry;
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.fill(LocalEntry::zeroed());
    }
}

impl fmt::Debug for LocalTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalTable").field("bytes", &size_of_val(&*self.entries)).finish()
    }
}
