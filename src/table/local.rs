//! The table that belongs to one thread: small enough for its core's cache, without locks, never
//! cleared.
//!
//! Most transpositions in the last dozen plies happen within a few moves, so a small table catches
//! them. Two entries to a bucket of one cache line: the first keeps the position
//! with more empties (it cost more), the second takes whatever comes.

use std::fmt;

use bytemuck::Zeroable;

use super::hash::index;
use super::prefetch::prefetch;
use crate::large_pages::LargePages;
use crate::othello::{Position, Square};

/// What is known of a position, in discs for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(C)]
pub struct LocalEntry {
    player: u64,
    opponent: u64,
    /// Proven: the score is at least this.
    pub lower: i8,
    /// Proven: the score is at most this.
    pub upper: i8,
    /// The index of the move that proved the last lower bound, plus 1; 0 is none.
    best: u8,
    /// What the bounds are reckoned from: see [`crate::search`] on solid discs.
    pub offset: i8,
    empties: u8,
    _unused: [u8; 3],
}

impl LocalEntry {
    /// The move that proved the last lower bound.
    #[inline(always)]
    pub fn best_move(&self) -> Option<Square> {
        self.best.checked_sub(1).map(Square::new)
    }

    #[inline(always)]
    fn is(&self, position: &Position) -> bool {
        self.player == position.player.0 && self.opponent == position.opponent.0
    }
}

#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(64))]
struct Bucket([LocalEntry; 2]);

/// One thread's table.
pub struct LocalTable {
    buckets: LargePages<Bucket>,
}

impl LocalTable {
    /// A table of `bytes` bytes; with 0 bytes it holds nothing, and every probe misses.
    pub fn new(bytes: usize) -> LocalTable {
        LocalTable { buckets: LargePages::zeroed(bytes / size_of::<Bucket>()) }
    }

    /// Starts to bring the bucket for `hash` into the cache.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        if let Some(bucket) = self.buckets.get(index(hash, self.buckets.len() as u64) as usize) {
            prefetch(bucket);
        }
    }

    /// What is known of `position`, whose hash is `hash`.
    #[inline(always)]
    pub fn probe(&self, hash: u64, position: &Position) -> Option<&LocalEntry> {
        let Bucket([first, second]) =
            self.buckets.get(index(hash, self.buckets.len() as u64) as usize)?;
        if first.is(position) {
            Some(first)
        } else if second.is(position) {
            Some(second)
        } else {
            None
        }
    }

    /// Notes what was proven of `position`: the score, reckoned from `offset`, is at least `lower`
    /// and at most `upper`. An entry of the same position and offset keeps the tighter of each
    /// bound, and its move if there is no new one.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "an entry's fields, in registers")]
    pub fn store(
        &mut self,
        hash: u64,
        position: &Position,
        empties: u32,
        lower: i32,
        upper: i32,
        best_move: Option<Square>,
        offset: i32,
    ) {
        let place = index(hash, self.buckets.len() as u64) as usize;
        let Some(Bucket([first, second])) = self.buckets.get_mut(place) else { return };
        let slot = if first.is(position) {
            first
        } else if second.is(position) || empties < u32::from(first.empties) {
            second
        } else {
            // The first slot's entry is not lost: it has at most as many empties, and moves to the
            // second.
            *second = *first;
            first
        };
        let same = slot.is(position);
        let mut entry = LocalEntry {
            player: position.player.0,
            opponent: position.opponent.0,
            lower: lower as i8,
            upper: upper as i8,
            best: best_move.map_or(0, |square| square.index() as u8 + 1),
            offset: offset as i8,
            empties: empties as u8,
            _unused: [0; 3],
        };
        if same {
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

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill(Bucket::zeroed());
    }
}

impl fmt::Debug for LocalTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalTable").field("bytes", &size_of_val(&*self.buckets)).finish()
    }
}
