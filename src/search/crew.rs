//! What the threads that solve together share: the table, the limits of each one's position, and the
//! [`board`](super::board) on which they find each other.

use std::time::Instant;

use crossbeam_utils::CachePadded;

use super::board::{Board, SeatId};
use super::divide::Moves;
use super::limits::Account;
use super::solution::Config;
use super::tuning::Tuning;
use crate::sync::{AtomicBool, Ordering};
use crate::table::{SharedTable, TableError};

/// What the solvers of a crew share. It is made with them ([`Solver::crew`](super::Solver::crew)).
#[derive(Debug)]
pub struct Crew {
    pub(super) config: Config,
    pub(super) tuning: Tuning,
    pub(super) table: SharedTable,
    pub(super) board: Board<Moves>,
    /// For each seat: the limits of the position that the thread there solves.
    accounts: Box<[CachePadded<Account>]>,
    /// Whether everybody is to stop.
    called: AtomicBool,
    beginning: Instant,
}

impl Crew {
    /// A crew with so many seats, and a fresh table.
    ///
    /// # Errors
    /// If the memory for the table cannot be had.
    pub(super) fn new(config: Config, seats: usize) -> Result<Crew, TableError> {
        let table = SharedTable::new(config.table_bytes)?;
        let tuning = config.tuning.unwrap_or_else(|| Tuning::of(&config.evaluation));
        Ok(Crew {
            config,
            tuning,
            table,
            board: Board::new(seats),
            accounts: (0..seats).map(|_| CachePadded::default()).collect(),
            called: AtomicBool::new(false),
            beginning: Instant::now(),
        })
    }

    /// How many solvers the crew has.
    pub fn seats(&self) -> usize {
        self.board.seats()
    }

    /// Has everybody stop, now and from now on: searches end within a fraction of a millisecond and tell what is proven
    /// so far.
    pub fn stop(&self) {
        self.called.store(true, Ordering::Relaxed);
        self.nudge();
    }

    /// Whether [`Crew::stop`] was called.
    pub fn stopped(&self) -> bool {
        self.called.load(Ordering::Relaxed)
    }

    /// Wakes those who have nothing to help with, so that they look whether they are wanted elsewhere.
    pub fn nudge(&self) {
        self.board.nudge();
    }

    pub(super) fn called(&self) -> &AtomicBool {
        &self.called
    }

    pub(super) fn beginning(&self) -> Instant {
        self.beginning
    }

    #[inline(always)]
    pub(super) fn account(&self, seat: SeatId) -> &Account {
        &self.accounts[seat]
    }
}
