//! The regret of the move ordering: the cost of imperfect ordering at recorded cut nodes.
//!
//! At a cut node, the search needs one move that fails high. The least possible cost is that of the
//! cheapest such move. The regret is the number of nodes that the search spends beyond that. It has
//! two causes:
//!
//! - moves that fail low are searched before one that fails high;
//! - the first move that fails high costs more than another one.
//!
//! The table separates them: the column `cut move only` leaves out the first cause.
//!
//! The nodes are divided by their margin, the static value minus alpha
//! ([`NodeRecord::margin`](super::node_records::NodeRecord::margin)). At a large margin many moves
//! fail high, and their costs matter; near 0 there are few, which must be found.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

use super::node_records::NodeRecord;
use crate::search::RecordedNode;

/// The number of margin bands.
pub const BANDS: usize = 5;

/// The lower limits of all bands except the first, in discs.
const BAND_LIMITS: [f64; BANDS - 1] = [-8.0, 0.0, 8.0, 16.0];

/// The names of the bands. A band includes its lower limit and excludes its upper one.
pub const BAND_NAMES: [&str; BANDS] = ["< -8", "-8..0", "0..8", "8..16", "> 16"];

/// The index of the band of a margin, which is in discs.
pub fn band(margin: f64) -> usize {
    BAND_LIMITS.iter().filter(|&&limit| margin >= limit).count()
}

/// The sums over cut nodes. A cut node here has at least two moves, of which at least one fails
/// high. Its move ordering is the recorded one: hash moves first, then by value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Regret {
    /// The number of cut nodes.
    pub cut_nodes: u64,
    /// The number of those whose first move fails high.
    pub first_move_cuts: u64,
    /// The nodes of all moves up to the first that fails high, in the order of the search.
    pub nodes_to_cut: u64,
    /// The part of `nodes_to_cut` that belongs to the move that fails high.
    pub cut_move_nodes: u64,
    /// The nodes of the cheapest moves that fail high.
    pub min_nodes: u64,
    /// The sum of ln(`nodes_to_cut` / `min_nodes`) over the cut nodes.
    ln_ratios: f64,
}

impl Regret {
    /// The regret of one node; `None` if it is no cut node.
    pub fn of(record: &RecordedNode) -> Option<Regret> {
        let mut moves = record.moves.clone();
        // Moves with equal values are searched in the order of their squares.
        moves.sort_by_key(|mv| (!mv.is_hash_move, -i64::from(mv.value), mv.square));
        let first = moves.iter().position(|mv| mv.fails_high).filter(|_| moves.len() >= 2)?;
        let min_nodes = moves.iter().filter(|mv| mv.fails_high).map(|mv| mv.nodes).min()?;
        let nodes_to_cut = moves[..=first].iter().map(|mv| mv.nodes).sum();
        Some(Regret {
            cut_nodes: 1,
            first_move_cuts: u64::from(first == 0),
            nodes_to_cut,
            cut_move_nodes: moves[first].nodes,
            min_nodes,
            ln_ratios: (nodes_to_cut as f64 / min_nodes as f64).ln(),
        })
    }

    /// `nodes_to_cut` / `min_nodes`. The largest nodes dominate it. NaN without cut nodes, like the
    /// other two ratios.
    pub fn ratio(&self) -> f64 {
        self.nodes_to_cut as f64 / self.min_nodes as f64
    }

    /// The geometric mean of the nodes' ratios, in which every node has the same weight.
    pub fn geometric_mean_ratio(&self) -> f64 {
        (self.ln_ratios / self.cut_nodes as f64).exp()
    }

    /// `cut_move_nodes` / `min_nodes`: the ratio without the moves that fail low.
    pub fn cut_move_ratio(&self) -> f64 {
        self.cut_move_nodes as f64 / self.min_nodes as f64
    }
}

impl AddAssign for Regret {
    fn add_assign(&mut self, other: Regret) {
        self.cut_nodes += other.cut_nodes;
        self.first_move_cuts += other.first_move_cuts;
        self.nodes_to_cut += other.nodes_to_cut;
        self.cut_move_nodes += other.cut_move_nodes;
        self.min_nodes += other.min_nodes;
        self.ln_ratios += other.ln_ratios;
    }
}

impl<'a> Sum<&'a Regret> for Regret {
    fn sum<I: Iterator<Item = &'a Regret>>(regrets: I) -> Regret {
        regrets.fold(Regret::default(), |mut sum, regret| {
            sum += *regret;
            sum
        })
    }
}

/// The regret by number of empties and band of margins.
#[derive(Clone, PartialEq, Debug)]
pub struct RegretTable([[Regret; BANDS]; 65]);

impl Default for RegretTable {
    fn default() -> RegretTable {
        RegretTable([[Regret::default(); BANDS]; 65])
    }
}

impl RegretTable {
    /// Adds a node, if it is a cut node.
    pub fn add(&mut self, NodeRecord { node, margin }: &NodeRecord) {
        if let Some(regret) = Regret::of(node) {
            self.0[node.position.empties().count() as usize][band(*margin)] += regret;
        }
    }

    /// The bands of a number of empties.
    pub fn bands(&self, empties: u32) -> &[Regret; BANDS] {
        &self.0[empties as usize]
    }

    /// The bands of all numbers of empties together.
    pub fn total(&self) -> [Regret; BANDS] {
        std::array::from_fn(|band| self.0.iter().map(|bands| &bands[band]).sum())
    }
}

impl fmt::Display for RegretTable {
    /// For each number of empties with cut nodes, and for all of them together: a line for all
    /// margins, and one for each band with cut nodes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "empties  margin  cut nodes  by first  nodes to cut-off  min. nodes  ratio  \
             geom. mean  cut move only"
        )?;
        let total = self.total();
        let by_empties = (0..65).rev().map(|empties| (empties.to_string(), self.bands(empties)));
        for (empties, bands) in by_empties.chain([("all".to_owned(), &total)]) {
            let all = ("all", bands.iter().sum());
            let lines = [all].into_iter().chain(BAND_NAMES.into_iter().zip(*bands));
            for (margin, regret) in lines.filter(|(_, regret)| regret.cut_nodes > 0) {
                writeln!(
                    f,
                    "{empties:>7}  {margin:>6}  {:>9}  {:>6.1} %  {:>16}  {:>10}  {:>5.2}  \
                     {:>10.2}  {:>13.2}",
                    regret.cut_nodes,
                    100.0 * regret.first_move_cuts as f64 / regret.cut_nodes as f64,
                    regret.nodes_to_cut,
                    regret.min_nodes,
                    regret.ratio(),
                    regret.geometric_mean_ratio(),
                    regret.cut_move_ratio(),
                )?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::{Bitboard, Position, Square};
    use crate::search::RecordedMove;

    /// A record with so many empties. Each move has a value, its nodes, and marks: `*` if it fails
    /// high, `h` if it is a hash move.
    fn record(empties: u32, margin: f64, moves: &[(i32, u64, &str)]) -> NodeRecord {
        let position = Position::new(Bitboard(!0 << empties), Bitboard::EMPTY);
        let recorded = |(square, &(value, nodes, marks)): (u8, &(i32, u64, &str))| RecordedMove {
            square: Square::new(square),
            value,
            is_hash_move: marks.contains('h'),
            fails_high: marks.contains('*'),
            nodes,
        };
        NodeRecord {
            node: RecordedNode {
                position,
                alpha: 1,
                moves: (0..).zip(moves).map(recorded).collect(),
            },
            margin,
        }
    }

    #[test]
    fn the_cost_of_the_ordering_is_compared_with_the_cheapest_move_that_fails_high() {
        let regret = |moves| Regret::of(&record(10, 0.0, moves).node);
        // By value: 30 nodes fail low, then 50 fail high. A later move fails high with 20.
        let moves = [(5, 20, "*"), (9, 30, ""), (7, 50, "*"), (-9, 1, "")];
        let expected = Regret {
            cut_nodes: 1,
            first_move_cuts: 0,
            nodes_to_cut: 80,
            cut_move_nodes: 50,
            min_nodes: 20,
            ln_ratios: 4f64.ln(),
        };
        assert_eq!(regret(&moves), Some(expected));
        // Hash moves are first, in the order of their values.
        let moves = [(5, 20, "*"), (9, 30, ""), (1, 40, "*h"), (0, 10, "*h")];
        let expected = Regret {
            cut_nodes: 1,
            first_move_cuts: 1,
            nodes_to_cut: 40,
            cut_move_nodes: 40,
            min_nodes: 10,
            ln_ratios: 4f64.ln(),
        };
        assert_eq!(regret(&moves), Some(expected));
        // Moves with equal values are in the order of their squares.
        assert_eq!(regret(&[(3, 7, ""), (3, 9, "*")]).map(|regret| regret.nodes_to_cut), Some(16));
        // A single move, no move that fails high, no moves.
        assert_eq!(regret(&[(3, 7, "*")]), None);
        assert_eq!(regret(&[(3, 7, ""), (3, 9, "")]), None);
        assert_eq!(regret(&[]), None);
    }

    #[test]
    fn a_band_includes_its_lower_limit() {
        let bands = [-64.0, -8.1, -8.0, -0.1, 0.0, 7.9, 8.0, 15.9, 16.0, 64.0].map(band);
        assert_eq!(bands, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    }

    #[test]
    fn the_table_has_the_sums_of_its_nodes() {
        let nodes = [
            // Ratio 1, cut move only 1.
            record(10, 4.0, &[(2, 100, "*"), (1, 5, "")]),
            // Ratio 4, cut move only 2.
            record(10, 7.9, &[(3, 200, ""), (2, 200, "*"), (1, 100, "*")]),
            // Ratio 9, cut move only 1.
            record(10, -20.0, &[(2, 80, ""), (1, 10, "*"), (0, 11, "*")]),
            // No cut node.
            record(10, 20.0, &[(2, 80, ""), (1, 10, "")]),
            // Ratio 1.5, cut move only 1.5.
            record(12, 16.0, &[(1, 900, "*h"), (5, 600, "*")]),
        ];
        let mut table = RegretTable::default();
        nodes.iter().for_each(|node| table.add(node));
        assert_eq!(table.bands(10).iter().sum::<Regret>().cut_nodes, 3);
        assert_eq!(
            table.to_string(),
            "\
empties  margin  cut nodes  by first  nodes to cut-off  min. nodes  ratio  geom. mean  cut move only
     12     all          1   100.0 %               900         600   1.50        1.50           1.50
     12    > 16          1   100.0 %               900         600   1.50        1.50           1.50
     10     all          3    33.3 %               590         210   2.81        3.30           1.48
     10    < -8          1     0.0 %                90          10   9.00        9.00           1.00
     10    0..8          2    50.0 %               500         200   2.50        2.00           1.50
    all     all          4    50.0 %              1490         810   1.84        2.71           1.49
    all    < -8          1     0.0 %                90          10   9.00        9.00           1.00
    all    0..8          2    50.0 %               500         200   2.50        2.00           1.50
    all    > 16          1   100.0 %               900         600   1.50        1.50           1.50
"
        );
        let none = RegretTable::default().to_string();
        assert_eq!(none.lines().count(), 1);
    }
}
