//! What one thread needs to search: its node counts, its local tables, and what it shares with others.

use super::board::SeatId;
use super::cached::{Key, LocalTables};
use super::constants::{DEEP_EMPTIES, EVALUATED_EMPTIES, MIDDLE_EMPTIES};
use super::crew::Crew;
use super::expected::Expected;
use super::likely::Round;
use super::middle::Sight;
use super::nodes::NodeCounts;
use super::ordering::Scored;
#[cfg(feature = "record")]
use super::recorder::Recorder;
use super::sampler::Sampler;
use super::split::Place;
use super::stable::Stability;
#[cfg(feature = "stats")]
use super::statistics::Statistics;
use super::tuning::Tuning;
use crate::eval::{Evaluation, Features};
use crate::othello::Position;
use crate::table::SharedTable;

/// One thread's search. The stages of the tree are its methods, a file each, from the top down: [`deep`](super::deep),
/// [`middle`](super::middle), [`shallow`](super::shallow), [`last`](super::last).
///
/// All of them answer the same question. `alpha` is a number of discs; the answer is a *fail-soft bound*: an answer above
/// `alpha` says that the score is at least that, an answer at or below `alpha` that it is at most that. Scores are those of
/// the side to move, so a child is asked with `-alpha - 1`, which is `!alpha`, and its answer negated.
pub(super) struct Worker<'a> {
    pub(super) crew: &'a Crew,
    /// The thread's place in the crew.
    pub(super) place: Place,
    /// The seat of the thread whose position it works on.
    pub(super) task: SeatId,
    /// How many of its nodes it has told the account of, and how many more make it worth telling.
    pub(super) told: u64,
    pub(super) next_look: u64,
    pub(super) table: &'a SharedTable,
    pub(super) local: &'a mut LocalTables,
    pub(super) evaluation: &'a Evaluation,
    pub(super) tuning: &'a Tuning,
    pub(super) nodes: NodeCounts,
    #[cfg(feature = "stats")]
    pub(super) statistics: Statistics,
    /// Which round of the search this is.
    pub(super) round: Round,
    /// The table's generation that this round writes.
    pub(super) generation: u8,
    /// Whether the last answer rests on a guess ([`super::likely`]). Who asks sets it to false before.
    pub(super) guessed: bool,
    /// Where boards that are ordered are collected, if they are.
    pub(super) sampler: Option<Sampler>,
    /// Where nodes are recorded, if they are; away while one is.
    #[cfg(feature = "record")]
    pub(super) recorder: Option<Recorder>,
    /// Whether the local tables' keys have their solid discs repainted ([`cached`](super::cached)).
    pub(super) solid_keys: bool,
}

/// A position with five to eleven empties that the search has come to, and what is known of it by then.
pub(super) struct Arrival<'a> {
    pub(super) position: &'a Position,
    pub(super) key: &'a Key,
    /// Its legal moves.
    pub(super) moves: u64,
    pub(super) stability: Stability,
}

impl Worker<'_> {
    /// Searches a position with any number of `empties`; `moves` are its legal moves.
    pub(super) fn search(&mut self, position: &Position, moves: u64, empties: u32, alpha: i32) -> i32 {
        self.guessed = false;
        match empties {
            DEEP_EMPTIES.. => self.deep(position, &Features::of(position), moves, empties, alpha),
            EVALUATED_EMPTIES.. => {
                let key = Key::new(position, self.solid_keys);
                let arrival = Arrival { position, key: &key, moves, stability: Stability::Unknown };
                self.middle(&arrival, Sight::Features(&Features::of(position), None), empties, alpha)
            }
            _ => self.near_the_end(position, moves, empties, alpha),
        }
    }

    /// Searches what a move leads to. `features` are those of `position`, where the move is made; `alpha` is the child's, and so is the
    /// answer.
    #[inline(always)]
    pub(super) fn search_child(&mut self, position: &Position, features: &Features, mv: &Scored, alpha: i32) -> i32 {
        self.guessed = false;
        let empties = position.empties().count() - 1;
        if empties < EVALUATED_EMPTIES {
            return self.near_the_end(&mv.child, mv.replies, empties, alpha);
        }
        if empties >= DEEP_EMPTIES {
            let features = features.after(mv.square, mv.flips(position));
            self.deep(&mv.child, &features, mv.replies, empties, alpha)
        } else {
            let key = Key::new(&mv.child, self.solid_keys);
            key.prefetch(&self.local.middle);
            let features = features.after(mv.square, mv.flips(position));
            // The node may have asked about its children's stable discs; to ask again costs nothing to speak of up here.
            let arrival = Arrival { position: &mv.child, key: &key, moves: mv.replies, stability: Stability::Unknown };
            self.middle(&arrival, Sight::Features(&features, None), empties, alpha)
        }
    }

    /// Searches a position with fewer than [`EVALUATED_EMPTIES`] empties, whose patterns nobody asks for.
    #[inline(always)]
    pub(super) fn near_the_end(&mut self, position: &Position, moves: u64, empties: u32, alpha: i32) -> i32 {
        if empties < 5 {
            return self.last(position, alpha);
        }
        let key = Key::new(position, self.solid_keys);
        let arrival = Arrival { position, key: &key, moves, stability: Stability::Unknown };
        if empties >= MIDDLE_EMPTIES {
            self.middle(&arrival, Sight::Expected(Expected::Open), empties, alpha)
        } else {
            self.shallow(&arrival, empties, alpha)
        }
    }

    /// The answer of a node without a legal move: the other side's if it can move, else the final score.
    #[cold]
    #[inline(never)]
    pub(super) fn pass(&mut self, position: &Position, empties: u32, alpha: i32) -> i32 {
        let passed = position.passed();
        let moves = passed.moves();
        if moves.is_empty() { position.final_score().discs() } else { -self.search(&passed, moves.0, empties, !alpha) }
    }
}
