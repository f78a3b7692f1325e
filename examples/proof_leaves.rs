//! Positions such as a proof of a score reaches: one side plays well, the other anything.
//!
//! ```text
//! cargo run --release --example proof_leaves -- ROOTS.obf EMPTIES COUNT SEED > LEAVES.obf
//! ```
//!
//! A proof that a position is worth at least a score has one move of one side, and all moves of the
//! other (Knuth and Moore, "An Analysis of Alpha-Beta Pruning", 1975,
//! <https://doi.org/10.1016/0004-3702(75)90019-3>). So most of its leaves are far from even, and
//! games between equal players do not stand for them. Here a root and the side that plays well are
//! drawn at random. That side takes the move with the best value after the best answer, by the
//! embedded evaluation. The other side takes any legal move. A leaf that is drawn so has a
//! probability of the product of 1 / legal moves; to draw leaves of the proof with equal
//! probability, a hundred times as many are made, and chosen by the inverse weight (Knuth,
//! "Estimating the Efficiency of Backtrack Programs", 1975,
//! <https://doi.org/10.1090/S0025-5718-1975-0373371-6>), without replacement (Efraimidis and
//! Spirakis, "Weighted random sampling with a reservoir", 2006,
//! <https://doi.org/10.1016/j.ipl.2005.11.003>). Positions that differ by symmetry alone count
//! once. The order of the output is random: each prefix of it is a sample too.

use std::collections::HashSet;
use std::error::Error;
use std::fs;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use yose::eval::{Evaluation, Features};
use yose::othello::{Colour, Symmetry};
use yose::{Diagram, Position};

/// Leaves that are made for each one that is chosen.
const MADE_FOR_EACH: usize = 100;

/// The positions after each legal move; after a pass alone, the position after it.
fn children(position: &Position) -> Vec<Position> {
    if position.must_pass() {
        return vec![position.passed()];
    }
    position.moves().into_iter().filter_map(|square| position.play(square)).collect()
}

/// The value for the side to move, after its best move if `plies` is 1.
fn value(position: &Position, plies: u32, evaluation: &Evaluation) -> i32 {
    if position.is_over() {
        return position.final_score().discs() * yose::eval::UNIT;
    }
    if plies == 0 {
        return evaluation.value(&Features::of(position), position.empties().count());
    }
    let values = children(position).into_iter().map(|child| -value(&child, plies - 1, evaluation));
    values.max().expect("the game is not over")
}

/// A leaf below `root`, and the logarithm of the inverse of its probability.
fn leaf(
    root: Position,
    empties: u32,
    evaluation: &Evaluation,
    rng: &mut Pcg64Mcg,
) -> Option<(Position, f64)> {
    let mut position = root;
    let mut plays_well = rng.random::<bool>();
    let mut weight = 0.0;
    while position.empties().count() > empties || position.must_pass() {
        if position.is_over() {
            return None;
        }
        let children = children(&position);
        position = if plays_well {
            children.into_iter().min_by_key(|child| value(child, 1, evaluation))?
        } else {
            weight += (children.len() as f64).ln();
            children[rng.random_range(0..children.len())]
        };
        plays_well = !plays_well;
    }
    (position.empties().count() == empties && !position.is_over()).then_some((position, weight))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, empties, count, seed] = &arguments[..] else {
        return Err("give a file of roots, the empties, the count and a seed".into());
    };
    let (empties, count): (u32, usize) = (empties.parse()?, count.parse()?);
    let mut rng = Pcg64Mcg::seed_from_u64(seed.parse()?);
    let roots: Vec<Position> = fs::read_to_string(file)?
        .lines()
        .map(|line| line.split(';').next().unwrap_or_default().parse::<Diagram>())
        .map(|diagram| diagram.map(|diagram| diagram.position))
        .collect::<Result<_, _>>()?;
    let evaluation = Evaluation::embedded();
    let mut seen = HashSet::new();
    let mut made = Vec::new();
    for _ in 0..count * MADE_FOR_EACH {
        let root = roots[rng.random_range(0..roots.len())];
        let Some((position, weight)) = leaf(root, empties, &evaluation, &mut rng) else { continue };
        if seen.insert(Symmetry::canonical(position).0) {
            // The logarithm of -ln(u) / w: the smallest keys are the sample.
            let key = (-rng.random::<f64>().ln()).ln() - weight;
            made.push((key, position));
        }
    }
    made.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    made.truncate(count);
    made.shuffle(&mut rng);
    for (_, position) in made {
        let diagram = Diagram::of_colours(position.player, position.opponent, Colour::Black);
        println!("{diagram};");
    }
    Ok(())
}
