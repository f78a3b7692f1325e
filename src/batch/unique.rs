//! Positions that are equal but for symmetry, solved once.
//!
//! The first of them is solved. Those that are read meanwhile wait for its solution; later ones get
//! it at once. Each gets the solution for its own orientation of the board, with a node count of 0.
//! This needs some 300 bytes of memory for every different position of the list.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::queue::Task;
use crate::othello::{Diagram, Move, Position, Symmetry};
use crate::search::{NodeCounts, Solution};

/// The positions of a list so far, by their canonical form.
#[derive(Debug, Default)]
pub struct Unique(Mutex<HashMap<Position, State>>);

#[derive(Debug)]
enum State {
    /// The position is in the queue or is being solved. These tasks wait for its solution.
    Pending(Vec<Task>),
    /// The solution, for the canonical form.
    Solved(Arc<Solution>),
}

/// The state of a position when it is read.
#[derive(Debug)]
pub enum Lookup {
    /// It is the first of its kind, and must be solved.
    New(Task),
    /// It waits for the solution of the first. [`Unique::complete`] returns it.
    Pending,
    /// Its solution is known.
    Solved(Task, Box<Solution>),
}

impl Unique {
    /// Looks a position up, and adds it if it is new.
    pub fn look_up(&self, task: Task) -> Lookup {
        let (canonical, symmetry) = Symmetry::canonical(task.diagram.position);
        let mut positions = self.0.lock();
        match positions.get_mut(&canonical) {
            None => {
                positions.insert(canonical, State::Pending(Vec::new()));
                Lookup::New(task)
            }
            Some(State::Pending(waiting)) => {
                waiting.push(task);
                Lookup::Pending
            }
            Some(State::Solved(solution)) => {
                let solution = transformed(solution, symmetry.inverse());
                Lookup::Solved(task, Box::new(solution))
            }
        }
    }

    /// Stores the solution of a position that was new. Returns the tasks that wait for it, each
    /// with its solution.
    pub fn complete(&self, diagram: &Diagram, solution: &Solution) -> Vec<(Task, Solution)> {
        let (canonical, symmetry) = Symmetry::canonical(diagram.position);
        let solution = Arc::new(transformed(solution, symmetry));
        let before = self.0.lock().insert(canonical, State::Solved(Arc::clone(&solution)));
        let Some(State::Pending(waiting)) = before else { return Vec::new() };
        let with_solution = |task: Task| {
            let (_, symmetry) = Symmetry::canonical(task.diagram.position);
            (task, transformed(&solution, symmetry.inverse()))
        };
        waiting.into_iter().map(with_solution).collect()
    }
}

/// The solution of the position that a symmetry makes of the solved one, with a node count of 0.
fn transformed(solution: &Solution, symmetry: Symmetry) -> Solution {
    let transform = |mv: Move| match mv {
        Move::Place(square) => Move::Place(symmetry.square(square)),
        Move::Pass => Move::Pass,
    };
    Solution {
        bounds: solution.bounds,
        best_move: solution.best_move.map(transform),
        pv: solution.pv.iter().copied().map(transform).collect(),
        moves: solution.moves.iter().map(|&(mv, bounds)| (transform(mv), bounds)).collect(),
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
    use crate::batch::Cost;
    use crate::records::Notes;
    use crate::search::{Config, Request, Searcher, Window};

    fn task(number: u64, position: Position) -> Task {
        let diagram = Diagram { position, to_move: crate::othello::Colour::Black };
        Task { number, id: String::new(), notes: Notes::default(), diagram, cost: Cost::ZERO }
    }

    #[test]
    fn the_solution_is_transformed_with_the_board() {
        // FFO 21: 15 empties.
        let text = "OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O";
        let position = text.parse::<Diagram>().expect("a position").position;
        let mut solver =
            Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() }).expect("1 MiB");
        let solution = solver.solve(&Request { position, window: Window::FULL, all_moves: true });
        let unique = Unique::default();
        for (number, symmetry) in Symmetry::ALL.into_iter().enumerate() {
            match unique.look_up(task(number as u64, symmetry.position(position))) {
                Lookup::New(first) => assert_eq!(first.number, 0),
                Lookup::Pending => assert!(number > 0),
                Lookup::Solved(..) => panic!("nothing is solved yet"),
            }
        }
        let solutions = unique.complete(&task(0, position).diagram, &solution);
        assert_eq!(
            solutions.iter().map(|(task, _)| task.number).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5, 6, 7]
        );
        let Lookup::Solved(later, solved) =
            unique.look_up(task(8, Symmetry::ALL[5].position(position)))
        else {
            panic!("it is solved")
        };
        for (task, other) in solutions.into_iter().chain([(later, *solved)]) {
            assert_eq!((other.bounds, other.nodes), (solution.bounds, 0));
            assert_eq!(
                (other.best_move, other.pv.len()),
                (other.pv.first().copied(), solution.pv.len())
            );
            // The principal variation is legal and leads to the score.
            let end =
                other.pv.iter().try_fold(task.diagram.position, |position, &mv| position.make(mv));
            let (end, plies) = (end.expect("legal moves"), other.pv.len());
            let score = if plies % 2 == 0 { end.final_score() } else { -end.final_score() };
            assert!(end.is_over() && Some(score) == solution.bounds.exact());
            for &(mv, _) in &other.moves {
                assert!(task.diagram.position.make(mv).is_some(), "{mv} is legal");
            }
        }
    }
}
