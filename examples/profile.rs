//! Solves the positions of a file one by one and prints nodes, time, and where the nodes are by empties.

use std::time::Instant;

use yose::othello::Diagram;
use yose::search::{Config, Request, Searcher, Window};

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("usage: profile FILE [FROM TO]");
    let from: usize = args.next().map_or(0, |n| n.parse().expect("a number"));
    let to: usize = args.next().map_or(usize::MAX, |n| n.parse().expect("a number"));
    let text = std::fs::read_to_string(&file).expect("a file");
    let config = Config { table_bytes: 1 << 30, ..Config::default() };
    let mut solver = Searcher::new(config).expect("memory");
    let mut by_empties = [0u64; 65];
    let (mut nodes, mut seconds) = (0, 0.0);
    for (n, line) in text.lines().enumerate().skip(from).take_while(|&(n, _)| n < to) {
        let (diagram, rest) = Diagram::read(line, None).expect("a position");
        let claim: Option<i32> = line[rest..]
            .split(';')
            .filter_map(|field| field.trim().split_once(':'))
            .filter_map(|(_, score)| score.parse().ok())
            .max();
        let request =
            Request { position: diagram.position, window: Window::FULL, all_moves: false };
        let start = Instant::now();
        let solution = solver.solve(&request);
        let time = start.elapsed().as_secs_f64();
        let total = solution.nodes;
        let score = solution.bounds.exact().expect("exact");
        let verdict = if claim.is_none_or(|claim| claim == score.discs()) { "" } else { "  WRONG" };
        println!(
            "{:3} {:2} {score:>4} {total:>14} {time:>8.2}s {:>6.1} M/s{verdict}",
            n + 1,
            diagram.position.empties().count(),
            total as f64 / time / 1e6
        );
        nodes += total;
        seconds += time;
        for (sum, n) in by_empties.iter_mut().zip(solution.profile.by_empties()) {
            *sum += n;
        }
    }
    println!("total {nodes} nodes {seconds:.2} s {:.1} M/s", nodes as f64 / seconds / 1e6);
    for (empties, &n) in by_empties.iter().enumerate().filter(|&(_, &n)| n > 0) {
        println!("{empties:2} {n:>14} {:5.1} %", 100.0 * n as f64 / nodes as f64);
    }
}
