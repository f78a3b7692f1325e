//! What every move of a node costs: the evidence by which the order of moves is judged.
//!
//! A search learns what its moves cost up to the first that refutes, and nothing of those behind it. So at a few nodes,
//! chosen by the hash of their boards, *every* move is searched before the node goes on as it would have: in an order
//! drawn by lot, so that no move owes its price to its place, as a later one finds more in the tables. It is the real
//! search that is watched, with the tables as they are then. While one node is recorded none below it is, as a search
//! would not have come to most of them.
//!
//! Recorded are null windows of the exact round, and only where moves have to be tried: a node that stable discs, the
//! table or a child's entry answers has no use for an order.
//!
//! The records are part of every build, so that each can read them. Making them takes the feature `record`; without it
//! nothing of that is left in the search.

use crate::othello::{Position, Square};

/// A node whose moves were all searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position.
    pub position: Position,
    /// What was asked: is its score for the side to move above this number of discs? From -65 to 63.
    pub alpha: i8,
    /// All of its moves, in the order in which they were searched.
    pub moves: Vec<RecordedMove>,
}

/// What came of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordedMove {
    /// The move.
    pub square: Square,
    /// What the ordering gives it: the higher, the earlier. It can be compared within a node only.
    pub value: i32,
    /// Whether the node's entry in the table remembered it, so that it would be tried before all that are not.
    pub remembered: bool,
    /// Whether it refutes: whether it shows that the score is above alpha.
    pub refutes: bool,
    /// The nodes that it took to tell, the one that it leads to included.
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

    use super::{Record, RecordedMove};
    use crate::othello::{Bitboard, Position, Square};
    use crate::search::constants::DEEP_EMPTIES;
    use crate::search::local_tables::{Key, LocalProbe};
    use crate::search::search_pass::SearchPass;
    use crate::search::stability_cutoff::OwnStability;
    use crate::search::worker::Worker;
    use crate::table::hash;

    /// What was recorded while a position was solved.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Recording {
        /// The nodes whose moves were all searched, as they were met.
        pub records: Vec<Record>,
        /// All nodes that were searched: those of the records, and those of the search about them.
        pub nodes: u64,
    }

    /// Chooses nodes, and collects their records.
    #[derive(Debug)]
    pub(in crate::search) struct Recorder {
        one_in: [u64; 65],
        pub(in crate::search) records: Vec<Record>,
    }

    impl Recorder {
        /// One that chooses about one in `one_in[empties]` nodes, none where that is 0.
        pub(in crate::search) fn new(one_in: &[u64; 65]) -> Recorder {
            Recorder { one_in: *one_in, records: Vec::new() }
        }

        fn chooses(&self, position: &Position) -> bool {
            let one_in = self.one_in[position.empties().count() as usize];
            // The table takes the hash's high bits.
            one_in > 0 && hash(position).is_multiple_of(one_in)
        }
    }

    impl Worker<'_> {
        /// Searches all `moves` of a node and records what each costs, if the recorder chooses the node.
        /// `hash_moves` are those of its table entry. `scores` gives all moves with their scores for
        /// move ordering; `search` searches a child in the null window of a given alpha.
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
            if unordered && self.is_answered_by_child(position, moves, empties, alpha) {
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
                    remembered: hash_moves.contains(&Some(square)),
                    refutes: score > alpha,
                    nodes,
                }
            });
            recorder.records.push(Record {
                position: *position,
                alpha: alpha as i8,
                moves: recorded.collect(),
            });
            self.recorder = Some(recorder);
        }

        /// Whether a child's stable discs or the local table show that it refutes, so that a node without a remembered move
        /// ends before it orders the others.
        fn is_answered_by_child(
            &self,
            position: &Position,
            moves: Bitboard,
            empties: u32,
            alpha: i32,
        ) -> bool {
            let refuting = OwnStability::of(position, alpha);
            if refuting.as_ref().is_some_and(|refuting| refuting.lower_bound().is_some()) {
                return true;
            }
            moves.into_iter().any(|square| {
                let child = position.after(square, position.flips(square));
                let after =
                    |refuting: &OwnStability| refuting.lower_bound_after(square, &child).is_some();
                if refuting.as_ref().is_some_and(after) {
                    return true;
                }
                let child = Key::new(&child, self.normalise_keys);
                let known = child.probe(self.local.of(empties - 1), empties - 1, !alpha);
                matches!(known, LocalProbe::Cutoff(answer) if -answer > alpha)
            })
        }
    }
}

#[cfg(all(test, feature = "record"))]
mod tests {
    use super::*;
    use crate::othello::{Bitboard, Diagram};
    use crate::search::{Config, Request, Searcher, Window};

    /// FFO 21 to 23: 15 to 17 empties, the last in rounds.
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
    fn moves_refute_where_the_scores_say_so() {
        let one_in = std::array::from_fn(|empties| [100, 10][usize::from(empties >= 12)]);
        let (mut solver, mut judge) = (solver(), solver());
        let mut seen = [[0; 2]; 65];
        for position in positions() {
            solver.clear();
            let recording = solver.record(&position, &one_in);
            let spent: u64 =
                recording.records.iter().flat_map(|record| &record.moves).map(|mv| mv.nodes).sum();
            assert!(0 < spent && spent < recording.nodes, "{spent} of {}", recording.nodes);
            for Record { position, alpha, moves } in &recording.records {
                let squares: Bitboard = moves.iter().map(|mv| mv.square).collect();
                assert_eq!(squares, position.moves());
                assert_eq!(squares.count() as usize, moves.len());
                assert!(moves.iter().filter(|mv| mv.remembered).count() <= 2);
                for mv in moves {
                    let child = position.after(mv.square, position.flips(mv.square));
                    let request =
                        Request { position: child, window: Window::FULL, all_moves: false };
                    let score =
                        -judge.solve(&request).bounds.exact().expect("the full window").discs();
                    assert_eq!(mv.refutes, score > i32::from(*alpha), "{mv:?} of {position:?}");
                    assert!(mv.nodes > 0);
                    seen[position.empties().count() as usize][usize::from(mv.refutes)] += 1;
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
    fn a_search_without_records_is_the_plain_one() {
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
