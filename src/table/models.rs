//! Every order in which threads may come to an entry of the shared table, and everything that they
//! may see there ([`crate::sync`]).

use std::sync::Arc;

use super::slot::Slot;
use crate::othello::{Bitboard, Position};
use crate::sync::model::{thread, try_orders};
use crate::sync::{AtomicU64, zeros};

/// Positions that share words, so that a torn one would be another's.
fn position(n: u64) -> Position {
    let [player, opponent] = [[1, 8], [1, 16], [2, 16]][n as usize];
    Position { player: Bitboard(player), opponent: Bitboard(opponent) }
}

fn slot(words: &[AtomicU64]) -> Slot<'_> {
    Slot(words.first_chunk().expect("four words"))
}

/// What a slot holds of a position belongs to it, while two threads write others there.
#[test]
fn a_slot_is_never_read_torn() {
    try_orders(3, || {
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
        // One of them may have found the other at work; nobody is there now, and the slot is whole.
        let held = [0, 1, 2].map(|n| slot(&words).read(&position(n)));
        assert!(held == [None, Some(101), None] || held == [None, None, Some(102)], "{held:?}");
    });
}
