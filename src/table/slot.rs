//! One slot of the shared table: four words that threads read and write without waiting for each
//! other (a seqlock).
//!
//! ```text
//! word 0  player      64 bits
//! word 1  opponent    64 bits
//! word 2  data        64 bits: bounds, hash moves, cost, generation
//! word 3  sequence    even: the slot is whole; odd: a thread is writing
//! ```
//!
//! A writer makes the sequence odd, writes the words, and makes the sequence even again, two above
//! the old one. A reader loads the sequence, the words, and the sequence again. If both sequences
//! are the same even number, the words belong together. Otherwise the read is torn, and the probe
//! is a miss. A writer that finds an odd sequence drops its own result. So no probe and no store
//! ever waits.
//!
//! This differs from lockless hashing (the XOR trick of chess engines), where an entry stores the
//! key XOR the data and a torn entry is recognised by a key that does not match, up to a chance
//! collision. A sequence recognises every torn read, which exactness requires.
//!
//! # Memory ordering
//!
//! Words are relaxed atomics, so no access is a data race. *Version* `s` of a slot is what the
//! writer that stores the even sequence `s` leaves behind; version 0 is the zeroed memory.
//!
//! The claim: if a reader loads the even sequence `s` before and after, its words are those of
//! version `s`.
//!
//! 1. *The words are not older.* The writer's last store (`sequence = s`) is a release, and the
//!    reader's first load is an acquire. All words of version `s` happen before the reader's loads.
//! 2. *The words are not newer.* Suppose that the reader loads a word which a later writer stored.
//!    That writer first made the sequence odd, then executed a release fence, then stored the word.
//!    The reader executes an acquire fence between its loads of words and its second load of the
//!    sequence. The two fences synchronise through that word. So the second load returns that
//!    writer's odd sequence or a later one, never `s`. (Sequences have 64 bits and do not wrap.)
//! 3. *Writers exclude each other.* The sequence becomes odd by a compare-and-swap from an even
//!    value, so one writer succeeds. It is an acquire, which synchronises with the last writer's
//!    release. So the new writer reads the words of version `s`, its stores come after them, and
//!    the words that it does not store belong to the new version as well.
//!
//! `models.rs` runs these steps in loom, which tries every order and every value that the memory
//! model allows.
//!
//! # Sources
//!
//! - H.-J. Boehm, "Can seqlocks get along with programming language memory models?" (2012),
//!   <https://doi.org/10.1145/2247684.2247688>: the reader with two loads and an acquire fence.
//! - Neural Reversi's transposition table uses a seqlock, too. Edax uses spin locks.

use crate::othello::{Bitboard, Position};
use crate::sync::{AtomicU64, Ordering, fence};

/// The number of words in a slot: player, opponent, data, sequence.
pub(super) const WORDS: usize = 4;

/// The words of a slot. All zeros is an empty slot: it matches only the board without a disc, which
/// is never probed because it has no legal move.
#[derive(Clone, Copy)]
pub(super) struct Slot<'a>(pub(super) &'a [AtomicU64; WORDS]);

impl Slot<'_> {
    /// The data of `position`. `None` if the slot holds another position, or if the read is torn.
    #[inline(always)]
    pub(super) fn read(self, position: &Position) -> Option<u64> {
        let [player, opponent, data, sequence] = self.0;
        let before = sequence.load(Ordering::Acquire);
        let (player, opponent) = (player.load(Ordering::Relaxed), opponent.load(Ordering::Relaxed));
        let data = data.load(Ordering::Relaxed);
        if player != position.player.0 || opponent != position.opponent.0 {
            return None;
        }
        // Pairs with the release fence in `lock` (step 2).
        fence(Ordering::Acquire);
        let after = sequence.load(Ordering::Relaxed);
        (before & 1 == 0 && before == after).then_some(data)
    }

    /// The position and the data, whichever position the slot holds. `None` if it is empty, or
    /// if the read is torn.
    pub(super) fn read_any(self) -> Option<(Position, u64)> {
        let [player, opponent, ..] = self.0;
        let board = |word: &AtomicU64| Bitboard(word.load(Ordering::Relaxed));
        let position = Position { player: board(player), opponent: board(opponent) };
        if (position.player | position.opponent).is_empty() {
            return None;
        }
        Some((position, self.read(&position)?))
    }

    /// The data word alone, of any position and of any version. It serves the replacement policy,
    /// where a wrong value only costs time.
    #[inline(always)]
    pub(super) fn peek_data(self) -> u64 {
        self.0[2].load(Ordering::Relaxed)
    }

    /// Writes `position` and its data. `data` receives the old data of this position, if the slot
    /// holds it, and returns the new data. Does nothing if another thread is writing here.
    pub(super) fn write(self, position: &Position, data: impl FnOnce(Option<u64>) -> u64) {
        let Some(even) = self.lock() else { return };
        let [player, opponent, word, _] = self.0;
        let same = player.load(Ordering::Relaxed) == position.player.0
            && opponent.load(Ordering::Relaxed) == position.opponent.0;
        let data = data(same.then(|| word.load(Ordering::Relaxed)));
        if !same {
            player.store(position.player.0, Ordering::Relaxed);
            opponent.store(position.opponent.0, Ordering::Relaxed);
        }
        word.store(data, Ordering::Relaxed);
        self.unlock(even);
    }

    /// Empties the slot. Waits while another thread is writing here.
    pub(super) fn clear(self) {
        let [player, opponent, data, sequence] = self.0;
        // The slot was never written.
        if sequence.load(Ordering::Relaxed) == 0 {
            return;
        }
        let even = loop {
            match self.lock() {
                Some(even) => break even,
                None => std::hint::spin_loop(),
            }
        };
        for word in [player, opponent, data] {
            word.store(0, Ordering::Relaxed);
        }
        self.unlock(even);
    }

    /// Makes the sequence odd and returns the even one before. `None` if another thread is writing.
    fn lock(self) -> Option<u64> {
        let [.., sequence] = self.0;
        let even = sequence.load(Ordering::Relaxed);
        let locked = even & 1 == 0
            && sequence
                .compare_exchange(even, even + 1, Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        // Pairs with the acquire fence in `read` (step 2): a reader that sees a later store sees
        // the odd sequence, too.
        fence(Ordering::Release);
        locked.then_some(even)
    }

    /// Makes the sequence even again, two above the old one.
    fn unlock(self, even: u64) {
        let [.., sequence] = self.0;
        sequence.store(even + 2, Ordering::Release);
    }
}
