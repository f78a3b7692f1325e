//! Solves the positions of a file one by one, on one thread with one table, and prints nodes and
//! times, then the share of the nodes for each number of empties.
//!
//! ```sh
//! cargo run --release --example profile -- positions/ffo-20-39.obf [FROM TO]
//! ```
//!
//! FROM and TO select positions by their index, from 0; TO is excluded.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use yose::records::{Entry, Item, ReadOptions, Reader, Source};
use yose::search::{Config, Request, Searcher, Window};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("usage: profile FILE [FROM TO]")?;
    let from: usize = args.next().map_or(Ok(0), |n| n.parse())?;
    let to: usize = args.next().map_or(Ok(usize::MAX), |n| n.parse())?;

    let mut searcher = Searcher::new(Config { table_bytes: 1 << 30, ..Config::default() })?;
    let mut by_empties = [0u64; 65];
    let (mut nodes, mut seconds) = (0, 0.0);
    let reader = Reader::new(vec![Source::of_argument(Path::new(&file))], ReadOptions::default());
    for (index, item) in reader.enumerate().take(to).skip(from) {
        let problem = match item {
            Item::Entry(Entry { problem, .. }) => problem?,
            Item::Failure(error) => return Err(error.into()),
            _ => continue,
        };
        let position = problem.diagram.position;
        let start = Instant::now();
        let solution =
            searcher.solve(&Request { position, window: Window::FULL, all_moves: false });
        let time = start.elapsed().as_secs_f64();

        let score = solution.score().ok_or("the full window has an exact score")?;
        let wrong = problem.claimed_score().is_some_and(|claim| claim != score);
        println!(
            "{:3} {:2} {score:>4} {:>14} {time:>8.2}s {:>6.1} M/s{}",
            index + 1,
            position.empties().count(),
            solution.nodes,
            solution.nodes as f64 / time / 1e6,
            if wrong { "  WRONG" } else { "" },
        );
        nodes += solution.nodes;
        seconds += time;
        for (sum, n) in by_empties.iter_mut().zip(solution.profile.by_empties()) {
            *sum += n;
        }
    }
    println!("total {nodes} nodes {seconds:.2} s {:.1} M/s", nodes as f64 / seconds / 1e6);
    for (empties, &n) in by_empties.iter().enumerate().filter(|&(_, &n)| n > 0) {
        println!("{empties:2} {n:>14} {:5.1} %", 100.0 * n as f64 / nodes as f64);
    }
    Ok(())
}
