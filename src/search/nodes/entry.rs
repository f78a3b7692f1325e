//! The entry of the search from outside the tree.

use crate::othello::Position;
use crate::search::constants::{DEEP_EMPTIES, MIDDLE_EMPTIES};
use crate::search::worker::Worker;

impl Worker<'_> {
    /// Searches `position`, which has `empties` empties and the legal moves `moves`, with a null
    /// window. The result is a fail-soft bound, as [`Worker`] defines it.
    pub(in crate::search) fn search(
        &mut self,
        position: &Position,
        moves: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        self.unproven = false;
        match empties {
            DEEP_EMPTIES.. => self.enter_deep(position, moves, empties, alpha),
            MIDDLE_EMPTIES.. => self.enter_middle(position, moves, empties, alpha),
            5.. => self.enter_shallow(position, moves, empties, alpha),
            _ => self.last_four(position, alpha),
        }
    }
}
