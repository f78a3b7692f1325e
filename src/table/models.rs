//! A model of a slot of the shared table for loom ([`crate::sync`]): every order of its reads and
//! writes in three threads, up to three preemptions, and every value that a load may return.

use std::sync::Arc;

use super::slot::Slot;
use crate::othello::{Bitboard, Position};
use crate::sync::model::{check_interleavings, thread};
use crate::sync::{AtomicU64, zeros};

/// Three positions that share words. A torn read of two of them is the third.
fn position(n: u64) -> Position {
    let [player, opponent] = [[1, 8], [1, 16], [2, 16]][n as usize];
    Position { player: Bitboard(player), opponent: Bitboard(opponent) }
}

fn slot(words: &[AtomicU64]) -> Slot<'_> {
    Slot(words.first_chunk().expect("four words"))
}

/// One thread reads a slot while two others write different positions to it. The data that it reads
/// belongs to the position that it probed.
#[test]
fn a_slot_is_never_read_torn() {
    check_interleavings(3, || {
        let words = Arc::new(zeros(4).expect("four words"));
        let writer = |n: u64| {
            let words = Arc::clone(&words);
            move || slot(&words).write(&position(n), |_| n + 100)
        };
        writer(0)();
        let handles = [1, 2].map(|n| thread::spawn(writer(n)));
        for n in [0, 1] {
            if let Some(data) = slot(&words).read(&position(n)) {
                assert_eq!(data, n + 100, "another position's data");
            }
        }
        handles.into_iter().for_each(|handle| handle.join().expect("a writer"));
        // One writer may have dropped its result because the other was writing. The slot is whole.
        let held = [0, 1, 2].map(|n| slot(&words).read(&position(n)));
        assert!(held == [None, Some(101), None] || held == [None, None, Some(102)], "{held:?}");
    });
}
