//! One entry of the shared table as it lies in memory, and how threads read and write it without
//! waiting for each other.
//!
//! A sequence word is odd while a writer is at work and changes with every write, so that a reader
//! who saw it even, read the rest, and sees it unchanged, has read one whole entry; anything else
//! is a miss. A writer that finds an entry being written leaves its own result out. (The seqlock of
//! the Linux kernel; Neural Reversi's table does the same, Edax's takes spin locks.)

use crate::othello::Position;
use crate::sync::{AtomicU64, Ordering, fence};

/// Words of a slot: player, opponent, data, sequence.
pub(super) const WORDS: usize = 4;

/// A slot's words. All zeros is an empty slot: it stands for the board without a disc, which is
/// never looked up, as no move can be made on it.
#[derive(Clone, Copy)]
pub(super) struct Slot<'a>(pub(super) &'a [AtomicU64; WORDS]);

impl Slot<'_> {
    /// The position's data if this slot holds it whole.
    #[inline(always)]
    pub(super) fn read(self, position: &Position) -> Option<u64> {
        let [player, opponent, data, sequence] = self.0;
        let before = sequence.load(Ordering::Acquire);
        let (player, opponent) = (player.load(Ordering::Relaxed), opponent.load(Ordering::Relaxed));
        let data = data.load(Ordering::Relaxed);
        if player != position.player.0 || opponent != position.opponent.0 {
            return None;
        }
        // Who has read a word of a write that began since sees its odd sequence, too.
        fence(Ordering::Acquire);
        let after = sequence.load(Ordering::Relaxed);
        (before & 1 == 0 && before == after).then_some(data)
    }

    /// The data of whatever position it holds, which may be another one by the time of the answer.
    #[inline(always)]
    pub(super) fn glance(self) -> u64 {
        self.0[2].load(Ordering::Relaxed)
    }

    /// Makes the slot the position's. `data` gives what is to be in it from what it held of this
    /// position. Nothing happens if another thread is writing there.
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

    /// Empties the slot, as soon as no other thread is writing there.
    pub(super) fn clear(self) {
        let [player, opponent, data, sequence] = self.0;
        // Nobody has ever written here.
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

    /// Takes the slot for writing, unless another thread has it. The answer is its sequence.
    fn lock(self) -> Option<u64> {
        let [.., sequence] = self.0;
        let even = sequence.load(Ordering::Relaxed);
        let taken = even & 1 == 0
            && sequence
                .compare_exchange(even, even + 1, Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        // No store below may be seen before the odd sequence is.
        fence(Ordering::Release);
        taken.then_some(even)
    }

    /// Gives the slot back, changed.
    fn unlock(self, even: u64) {
        let [.., sequence] = self.0;
        sequence.store(even + 2, Ordering::Release);
    }
}
