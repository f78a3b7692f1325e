//! Solves one position. `docs/library.md` shows this program.

use yose::{Diagram, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // FFO 20: six empties, X to move.
    let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    let diagram: Diagram = board.parse()?;
    let mut solver = Solver::new()?;
    let solution = solver.solve(&diagram.position);
    println!("{:?}, {:?}", solution.score(), solution.best_move);
    Ok(())
}
