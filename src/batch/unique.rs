//! Positions that are equal but for symmetry, solved once.
//!
//! The first of them is solved. Those that come while it is being solved wait for it, and later
//! ones find its answer. Each is told the answer as it looks from its own side of the board, at the
//! cost of no nodes. This needs memory for every different position of the list, some 300 bytes
//! each.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::queue::Task;
use crate::othello::{Diagram, Move, Position, Symmetry};
use crate::search::{NodeCounts, Solution};

/// What is known of a list's positions, by their canonical form.
#[derive(Debug, Default)]
pub struct Unique(Mutex<HashMap<Position, Known>>);

#[derive(Debug)]
enum Known {
    /// It is being solved, or waits for that; so do these.
    Begun(Vec<Task>),
    /// The answer, for the canonical form.
    Solved(Arc<Solution>),
}

/// What is to be done with a position.
#[derive(Debug)]
pub enum Admission {
    /// It is the first of its kind, and is to be solved.
    Solve(Task),
    /// Its answer will come with that of the first.
    Waits,
    /// Its answer is known.
    Known(Task, Box<Solution>),
}

impl Unique {
    /// Tells what is to be done with a position.
    pub fn admit(&self, task: Task) -> Admission {
        let (canonical, way) = Symmetry::canonical(task.diagram.position);
        let mut known = self.0.lock();
        match known.get_mut(&canonical) {
            None => {
                known.insert(canonical, Known::Begun(Vec::new()));
                Admission::Solve(task)
            }
            Some(Known::Begun(waiting)) => {
                waiting.push(task);
                Admission::Waits
            }
            Some(Known::Solved(solution)) => {
                let solution = turned(solution, way.inverse());
                Admission::Known(task, Box::new(solution))
            }
        }
    }

    /// Takes the answer of a position that was admitted to be solved. Gives those that waited for
    /// it, with theirs.
    pub fn settle(&self, diagram: &Diagram, solution: &Solution) -> Vec<(Task, Solution)> {
        let (canonical, way) = Symmetry::canonical(diagram.position);
        let solution = Arc::new(turned(solution, way));
        let before = self.0.lock().insert(canonical, Known::Solved(Arc::clone(&solution)));
        let Some(Known::Begun(waiting)) = before else { return Vec::new() };
        let answer = |task: Task| {
            let (_, way) = Symmetry::canonical(task.diagram.position);
            (task, turned(&solution, way.inverse()))
        };
        waiting.into_iter().map(answer).collect()
    }
}

/// An answer as it looks when the board is turned, for which nothing was searched.
fn turned(solution: &Solution, way: Symmetry) -> Solution {
    let turn = |mv: Move| match mv {
        Move::Place(square) => Move::Place(way.square(square)),
        Move::Pass => Move::Pass,
    };
    Solution {
        bounds: solution.bounds,
        best_move: solution.best_move.map(turn),
        pv: solution.pv.iter().copied().map(turn).collect(),
        moves: solution.moves.iter().map(|&(mv, bounds)| (turn(mv), bounds)).collect(),
        nodes: 0,
        profile: NodeCounts::default(),
        stopped: solution.stopped,
        #[cfg(feature = "stats")]
        statistics: crate::search::Statistics::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Config, Request, Searcher, Window};

    fn task(number: u64, position: Position) -> Task {
        let diagram = Diagram { position, to_move: crate::othello::Colour::Black };
        Task { number, id: String::new(), diagram, cost: 1.0 }
    }

    #[test]
    fn the_answer_is_turned_with_the_board() {
        // FFO 21: 15 empties.
        let text = "OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O";
        let position = text.parse::<Diagram>().expect("a position").position;
        let mut solver = Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() })
            .expect("there is memory");
        let solution = solver.solve(&Request { position, window: Window::FULL, all_moves: true });
        let unique = Unique::default();
        for (number, symmetry) in Symmetry::ALL.into_iter().enumerate() {
            match unique.admit(task(number as u64, symmetry.position(position))) {
                Admission::Solve(first) => assert_eq!(first.number, 0),
                Admission::Waits => assert!(number > 0),
                Admission::Known(..) => panic!("nothing is known yet"),
            }
        }
        let answers = unique.settle(&task(0, position).diagram, &solution);
        assert_eq!(
            answers.iter().map(|(task, _)| task.number).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5, 6, 7]
        );
        let Admission::Known(later, answer) =
            unique.admit(task(8, Symmetry::ALL[5].position(position)))
        else {
            panic!("it is known")
        };
        for (task, answer) in answers.into_iter().chain([(later, *answer)]) {
            assert_eq!((answer.bounds, answer.nodes), (solution.bounds, 0));
            assert_eq!(
                (answer.best_move, answer.pv.len()),
                (answer.pv.first().copied(), solution.pv.len())
            );
            // Every move of the line is legal there, and it leads to the score.
            let end =
                answer.pv.iter().try_fold(task.diagram.position, |position, &mv| position.make(mv));
            let (end, plies) = (end.expect("legal moves"), answer.pv.len());
            let score = if plies % 2 == 0 { end.final_score() } else { -end.final_score() };
            assert!(end.is_over() && Some(score) == solution.bounds.exact());
            for &(mv, _) in &answer.moves {
                assert!(task.diagram.position.make(mv).is_some(), "{mv} is legal");
            }
        }
    }
}
