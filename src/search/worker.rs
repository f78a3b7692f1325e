//! What one thread needs to search: its node counts, its local tables, and what it shares with others.

use crate::eval::{Evaluation, Features};
use crate::othello::Position;
use crate::search::constants::{DEEP_EMPTIES, EVALUATION_EMPTIES, MIDDLE_EMPTIES};
#[cfg(feature = "record")]
use crate::search::instrument::recorder::Recorder;
use crate::search::instrument::sampler::Sampler;
#[cfg(feature = "stats")]
use crate::search::instrument::statistics::Statistics;
use crate::search::node_counts::NodeCounts;
use crate::search::nodes::local_tables::{Key, LocalTables};
use crate::search::nodes::middle::NodeEstimate;
use crate::search::nodes::node_type::Expected;
use crate::search::nodes::prob_cut::SearchPass;
use crate::search::nodes::stability_cutoff::Stability;
use crate::search::ordering::static_score::ScoredMove;
use crate::search::parallel::pool::ThreadPool;
use crate::search::parallel::registry::WorkerId;
use crate::search::parallel::split_point::Place;
use crate::search::parameters::Parameters;
use crate::table::SharedTable;

/// One thread's search. The stages of the tree are its methods, a file each, from the top down: [`deep`](crate::search::nodes::deep),
/// [`middle`](crate::search::nodes::middle), [`shallow`](crate::search::nodes::shallow), [`last`](crate::search::nodes::last_four).
///
/// All of them answer the same question. `alpha` is a number of discs; the answer is a *fail-soft bound*: an answer above
/// `alpha` says that the score is at least that, an answer at or below `alpha` that it is at most that. MoveList are those of
/// the side to move, so a child is asked with `-alpha - 1`, which is `!alpha`, and its answer negated.
pub(super) struct Worker<'a> {
    pub(super) crew: &'a ThreadPool,
    /// The thread's place in the crew.
    pub(super) place: Place,
    /// The seat of the thread whose position it works on.
    pub(super) task: WorkerId,
    /// How many of its nodes it has told the account of, and how many more make it worth telling.
    pub(super) flushed: u64,
    pub(super) flush_interval: u64,
    pub(super) table: &'a SharedTable,
    pub(super) local: &'a mut LocalTables,
    pub(super) evaluation: &'a Evaluation,
    pub(super) parameters: &'a Parameters,
    pub(super) nodes: NodeCounts,
    #[cfg(feature = "stats")]
    pub(super) statistics: Statistics,
    /// Which round of the search this is.
    pub(super) round: SearchPass,
    /// The table's generation that this round writes.
    pub(super) generation: u8,
    /// Whether the last answer rests on a guess ([`crate::search::nodes::prob_cut`]). Who asks sets it to false before.
    pub(super) guessed: bool,
    /// Where boards that are ordered are collected, if they are.
    pub(super) sampler: Option<Sampler>,
    /// Where nodes are recorded, if they are; away while one is.
    #[cfg(feature = "record")]
    pub(super) recorder: Option<Recorder>,
    /// Whether the local tables' keys have their solid discs repainted ([`cached`](crate::search::nodes::local_tables)).
    pub(super) solid_keys: bool,
}

/// A position with five to eleven empties that the search has come to, and what is known of it by then.
pub(super) struct NodeContext<'a> {
    pub(super) position: &'a Position,
    pub(super) key: &'a Key,
    /// Its legal moves.
    pub(super) moves: u64,
    pub(super) stability: Stability,
}

impl Worker<'_> {
    /// Searches a position with any number of `empties`; `moves` are its legal moves.
    pub(super) fn search(
        &mut self,
        position: &Position,
        moves: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        self.guessed = false;
        match empties {
            DEEP_EMPTIES.. => self.deep(position, &Features::of(position), moves, empties, alpha),
            EVALUATION_EMPTIES.. => {
                let key = Key::new(position, self.solid_keys);
                let arrival =
                    NodeContext { position, key: &key, moves, stability: Stability::Unknown };
                self.middle(
                    &arrival,
                    NodeEstimate::Features(&Features::of(position), None),
                    empties,
                    alpha,
                )
            }
            _ => self.search_near_end(position, moves, empties, alpha),
        }
    }

    /// Searches what a move leads to. `features` are those of `position`, where the move is made; `alpha` is the child's, and so is the
    /// answer.
    #[inline(always)]
    pub(super) fn search_child(
        &mut self,
        position: &Position,
        features: &Features,
        mv: &ScoredMove,
        alpha: i32,
    ) -> i32 {
        self.guessed = false;
        let empties = position.empties().count() - 1;
        if empties < EVALUATION_EMPTIES {
            return self.search_near_end(&mv.child, mv.replies, empties, alpha);
        }
        if empties >= DEEP_EMPTIES {
            let features = features.after(mv.square, mv.flips(position));
            self.deep(&mv.child, &features, mv.replies, empties, alpha)
        } else {
            let key = Key::new(&mv.child, self.solid_keys);
            key.prefetch(&self.local.middle);
            let features = features.after(mv.square, mv.flips(position));
            // The node may have asked about its children's stable discs; to ask again costs nothing to speak of up here.
            let arrival = NodeContext {
                position: &mv.child,
                key: &key,
                moves: mv.replies,
                stability: Stability::Unknown,
            };
            self.middle(&arrival, NodeEstimate::Features(&features, None), empties, alpha)
        }
    }

    /// Searches a position with fewer than [`EVALUATION_EMPTIES`] empties, whose patterns nobody asks for.
    #[inline(always)]
    pub(super) fn search_near_end(
        &mut self,
        position: &Position,
        moves: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        if empties < 5 {
            return self.last(position, alpha);
        }
        let key = Key::new(position, self.solid_keys);
        let arrival = NodeContext { position, key: &key, moves, stability: Stability::Unknown };
        if empties >= MIDDLE_EMPTIES {
            self.middle(&arrival, NodeEstimate::Expected(Expected::Open), empties, alpha)
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
        if moves.is_empty() {
            position.final_score().discs()
        } else {
            -self.search(&passed, moves.0, empties, !alpha)
        }
    }
}
