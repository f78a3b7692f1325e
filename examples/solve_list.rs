//! Solves every position of some files with the library, and prints the scores as they are found.
//!
//! ```sh
//! cargo run --release --example solve_list -- positions/ffo-20-39.obf
//! ```

use std::error::Error;
use std::path::Path;

use yose::records::{Item, ReadOptions, Reader, Source};
use yose::{Options, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let files = std::env::args().skip(1);
    let sources = files.map(|file| Source::of_argument(Path::new(&file))).collect();
    let (mut ids, mut positions) = (Vec::new(), Vec::new());
    for item in Reader::new(sources, ReadOptions::default()) {
        match item {
            Item::Entry(entry) => match entry.problem {
                Ok(problem) => {
                    ids.push(entry.id);
                    positions.push(problem.diagram.position);
                }
                Err(error) => eprintln!("{error}"),
            },
            Item::Failure(error) => eprintln!("{error}"),
            _ => {}
        }
    }
    let mut solver = Solver::new()?;
    solver.solve_all(positions, &Options::default(), |index, solution| {
        if let (id, Some(score)) = (&ids[index], solution.score()) {
            let best_move = solution.best_move.map(|mv| mv.to_string()).unwrap_or_default();
            println!("{id}: {score} {best_move}, {} nodes", solution.nodes);
        }
    });
    Ok(())
}
