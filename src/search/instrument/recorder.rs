//! Records of the cost of *every* move at a sample of nodes. The move ordering is judged by them.
//!
//! A search finds the cost of its moves up to the first that fails high, but not of those after it.
//! So at a few nodes, chosen by the hash of their positions, all moves are searched before the
//! search of the node goes on. Their order is random: a later move finds more in the tables, and no
//! move should be cheaper because of its place in the move ordering. The search and the tables are
//! those of the real search. Below a recorded node no node is recorded.
//!
//! Recorded nodes are null windows of the exact pass, at which moves must be searched: a node with
//! a cut-off by stable discs, by the table or by a child needs no move ordering.
//!
//! The types of the records are part of every build. The code that makes records needs the feature
//! `record`, and is absent from the search without it.

use crate::othello::{Position, Square};

/// A node of which all moves were searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedNode {
    /// The position.
    pub position: Position,
    /// The alpha of the null window, for the side to move: -65 to 63 discs.
    pub alpha: i8,
    /// All moves, in the order in which they were searched.
    pub moves: Vec<RecordedMove>,
}

/// A move of a recorded node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordedMove {
    /// The square of the move.
    pub square: Square,
    /// The place in the move ordering: the higher, the earlier. It can be compared only within a
    /// node.
    pub value: i32,
    /// Whether it is a hash move of the node. Hash moves are searched before all other moves.
    pub is_hash_move: bool,
    /// Whether it fails high.
    pub fails_high: bool,
    /// The nodes of its search, including its child.
    pub nodes: u64,
}

#[cfg(feature = "record")]
pub(in crate::search) use recording::Recorder;
#[cfg(feature = "record")]
pub use recording::Recording;

#[cfg(feature = "record")]
mod recording {
    use rand::SeedableRng;
    use rand::seq::SliceRandom;
    use rand_pcg::Pcg64Mcg;

    use super::{RecordedMove, RecordedNode};
    use crate::othello::{Bitboard, Position, Square};
    use crate::search::constants::DEEP_EMPTIES;
    use crate::search::local_tables::{Key, LocalProbe};
    use crate::search::search_pass::SearchPass;
    use crate::search::stability_cutoff::OwnStability;
    use crate::search::worker::Worker;
    use crate::table::hash;

    /// The records of one solved position.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Recording {
        /// The recorded nodes, in the order of the search.
        pub records: Vec<RecordedNode>,
        /// All nodes, those of the search itself and those that the records needed.
        pub nodes: u64,
    }

    /// Chooses nodes, and collects their records.
    #[derive(Debug)]
    pub(in crate::search) struct Recorder {
        one_in: [u64; 65],
        pub(in crate::search) records: Vec<RecordedNode>,
    }

    impl Recorder {
        /// A recorder that chooses about one in `one_in[empties]` nodes, and none where that is 0.
        pub(in crate::search) fn new(one_in: &[u64; 65]) -> Recorder {
            Recorder { one_in: *one_in, records: Vec::new() }
        }

        fn chooses(&self, position: &Position) -> bool {
            let one_in = self.one_in[position.empties().count() as usize];
            // The tables use the high bits of the hash, this uses the low ones.
            one_in > 0 && hash(position).is_multiple_of(one_in)
        }
    }

    impl Worker<'_> {
        /// Searches all `moves` of a node and records what each costs, if the recorder chooses the
        /// node. `hash_moves` are those of its table entry. `scores` gives all moves with their
        /// scores for move ordering; `search` searches a child in the null window of a given alpha.
        pub(in crate::search) fn record(
            &mut self,
            position: &Position,
            moves: Bitboard,
            hash_moves: &[Option<Square>],
            alpha: i32,
            scores: impl FnOnce(&mut Self) -> Vec<(Square, i32)>,
            search: impl Fn(&mut Self, &Position, i32) -> i32,
        ) {
            let chosen = self.recorder.as_ref().is_some_and(|recorder| recorder.chooses(position));
            if !chosen || self.search_pass != SearchPass::Exact {
                return;
            }
            let empties = position.empties().count();
            let unordered = empties < DEEP_EMPTIES && hash_moves.iter().all(Option::is_none);
            if unordered && self.has_child_cutoff(position, moves, empties, alpha) {
                return;
            }
            // No node below this one is recorded meanwhile.
            let Some(mut recorder) = self.recorder.take() else { return };
            let mut scored = scores(self);
            scored.shuffle(&mut Pcg64Mcg::seed_from_u64(hash(position)));
            let recorded = scored.into_iter().map(|(square, value)| {
                let child = position.after(square, position.flips(square));
                let before = self.nodes.total();
                let score = -search(self, &child, !alpha);
                let nodes = self.nodes.total() - before;
                RecordedMove {
                    square,
                    value,
                    is_hash_move: hash_moves.contains(&Some(square)),
                    fails_high: score > alpha,
                    nodes,
                }
            });
            recorder.records.push(RecordedNode {
                position: *position,
                alpha: alpha as i8,
                moves: recorded.collect(),
            });
            self.recorder = Some(recorder);
        }

        /// Whether the node's own stable discs, those after a move, or a child's entry in the local
        /// table give a cut-off. Such a node without a hash move ends before it orders its moves.
        fn has_child_cutoff(
            &self,
            position: &Position,
            moves: Bitboard,
            empties: u32,
            alpha: i32,
        ) -> bool {
            let own_stability = OwnStability::of(position, alpha);
            if own_stability.as_ref().is_some_and(|own| own.lower_bound().is_some()) {
                return true;
            }
            moves.into_iter().any(|square| {
                let child = position.after(square, position.flips(square));
                let after = |own: &OwnStability| own.lower_bound_after(square, &child).is_some();
                if own_stability.as_ref().is_some_and(after) {
                    return true;
                }
                let child = Key::new(&child, self.normalise_keys);
                let probe = child.probe(self.local.of(empties - 1), empties - 1, !alpha);
                matches!(probe, LocalProbe::Cutoff(bound) if -bound > alpha)
            })
        }
    }
}

#[cfg(all(test, feature = "record"))]
mod tests {
    use super::*;
    use crate::othello::{Bitboard, Diagram};
    use crate::search::{Config, Request, Searcher, Window};

    /// FFO 21 to 23: 15 to 17 empties. Some have selective passes.
    fn positions() -> Vec<Position> {
        let suite = include_str!("../../../positions/ffo-20-39.obf");
        let lines = suite.lines().filter(|line| !line.is_empty() && !line.starts_with('%'));
        let position = |line| Diagram::read(line, None).expect("a position").0.position;
        lines.skip(1).take(3).map(position).collect()
    }

    fn solver() -> Searcher {
        Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() }).expect("a mebibyte")
    }

    #[test]
    fn moves_fail_high_exactly_if_their_score_is_above_alpha() {
        let one_in = std::array::from_fn(|empties| [100, 10][usize::from(empties >= 12)]);
        let (mut solver, mut judge) = (solver(), solver());
        let mut seen = [[0; 2]; 65];
        for position in positions() {
            solver.clear();
            let recording = solver.record(&position, &one_in);
            let spent: u64 =
                recording.records.iter().flat_map(|record| &record.moves).map(|mv| mv.nodes).sum();
            assert!(0 < spent && spent < recording.nodes, "{spent} of {}", recording.nodes);
            for RecordedNode { position, alpha, moves } in &recording.records {
                let squares: Bitboard = moves.iter().map(|mv| mv.square).collect();
                assert_eq!(squares, position.moves());
                assert_eq!(squares.count() as usize, moves.len());
                assert!(moves.iter().filter(|mv| mv.is_hash_move).count() <= 2);
                for mv in moves {
                    let child = position.after(mv.square, position.flips(mv.square));
                    let request =
                        Request { position: child, window: Window::FULL, all_moves: false };
                    let score =
                        -judge.solve(&request).bounds.exact().expect("the full window").discs();
                    assert_eq!(mv.fails_high, score > i32::from(*alpha), "{mv:?} of {position:?}");
                    assert!(mv.nodes > 0);
                    seen[position.empties().count() as usize][usize::from(mv.fails_high)] += 1;
                }
            }
        }
        for (empties, seen) in seen.iter().enumerate() {
            match empties {
                0..7 => assert_eq!(*seen, [0; 2], "{empties} empties"),
                7..14 => {
                    assert!(seen.iter().all(|&count| count > 0), "{empties} empties: {seen:?}")
                }
                _ => {}
            }
        }
    }

    #[test]
    fn a_recorder_that_chooses_no_node_changes_no_node_count() {
        let mut solver = solver();
        for position in positions() {
            let mut nodes = [0; 2];
            for (nodes, recording) in nodes.iter_mut().zip([false, true]) {
                solver.clear();
                let mut worker = solver.worker();
                worker.recorder = recording.then(|| Recorder::new(&[0; 65]));
                worker.iterate_passes(&position, -65, 65);
                *nodes = worker.nodes.total();
            }
            assert_eq!(nodes[0], nodes[1]);
        }
    }

    #[test]
    fn the_same_search_gives_the_same_records() {
        let position = positions()[0];
        let one_in = [50; 65];
        assert_eq!(solver().record(&position, &one_in), solver().record(&position, &one_in));
    }
}
