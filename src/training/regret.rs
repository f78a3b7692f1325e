//! What the order of moves costs: the regret table of recorded nodes.
//!
//! At a node that some move refutes, all that is searched beyond the cheapest refuter is regretted.
//! There are two ways to come to it: to try moves that do not refute, and to try a refuter that is
//! dearer than another. The table tells them apart: its column `refuter first` has what would be
//! left of the regret if the ordering skipped every move that does not refute.
//!
//! Margins are those of the evaluation ([`Evidence::margin`]): a node that is believed to lie far
//! above alpha has many refuters, and it is their price that matters; near alpha there are few,
//! which have to be found.

use std::fmt;
use std::ops::AddAssign;

use super::evidence::Evidence;
use crate::search::RecordedNode;

/// The least margins of the bands but the first, in discs.
const BANDS_FROM: [f64; BANDS - 1] = [-8.0, 0.0, 8.0, 16.0];

/// How many bands of margins there are.
pub const BANDS: usize = 5;

/// The names of the bands. Each begins with its lower edge and ends before its upper one.
pub const BAND_NAMES: [&str; BANDS] = ["< -8", "-8..0", "0..8", "8..16", "> 16"];

/// The band in which a margin lies.
pub fn band(margin: f64) -> usize {
    BANDS_FROM.iter().filter(|&&from| margin >= from).count()
}

/// What some cut nodes cost: nodes with two moves or more, of which at least one refutes.
///
/// The ordering is the one that was recorded: hash moves first, then by value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Regret {
    /// How many cut nodes there are.
    pub cut_nodes: u64,
    /// Of these, those whose first move refutes.
    pub by_first: u64,
    /// The nodes that the ordering spends until the first refuter is searched.
    pub ordering: u64,
    /// Of these, those of the refuter.
    pub refuter: u64,
    /// The nodes of the cheapest refuters.
    pub cheapest: u64,
    /// The natural logarithms of what the ordering spends over what the cheapest refuter does,
    /// summed up.
    ln_ratios: f64,
}

impl Regret {
    /// What a record costs; none if it is no cut node.
    pub fn of(record: &RecordedNode) -> Option<Regret> {
        let mut moves = record.moves.clone();
        // Of equal ones, the search tries the first on the board.
        moves.sort_by_key(|mv| (!mv.is_hash_move, -i64::from(mv.value), mv.square));
        let first = moves.iter().position(|mv| mv.fails_high).filter(|_| moves.len() >= 2)?;
        let cheapest = moves.iter().filter(|mv| mv.fails_high).map(|mv| mv.nodes).min()?;
        let ordering = moves[..=first].iter().map(|mv| mv.nodes).sum();
        Some(Regret {
            cut_nodes: 1,
            by_first: u64::from(first == 0),
            ordering,
            refuter: moves[first].nodes,
            cheapest,
            ln_ratios: (ordering as f64 / cheapest as f64).ln(),
        })
    }

    /// How many times the nodes of the cheapest refuters the ordering spends. The largest nodes
    /// decide it. Not a number without nodes, as the other two are.
    pub fn ratio(&self) -> f64 {
        self.ordering as f64 / self.cheapest as f64
    }

    /// The geometric mean of that over the nodes, in which each has the same say.
    pub fn mean_ratio(&self) -> f64 {
        (self.ln_ratios / self.cut_nodes as f64).exp()
    }

    /// What the ratio would be if the first refuter of the ordering was always tried first.
    pub fn refuter_first(&self) -> f64 {
        self.refuter as f64 / self.cheapest as f64
    }
}

impl AddAssign for Regret {
    fn add_assign(&mut self, other: Regret) {
        self.cut_nodes += other.cut_nodes;
        self.by_first += other.by_first;
        self.ordering += other.ordering;
        self.refuter += other.refuter;
        self.cheapest += other.cheapest;
        self.ln_ratios += other.ln_ratios;
    }
}

/// The regret of each number of empties and each band of margins.
#[derive(Clone, PartialEq, Debug)]
pub struct Regrets([[Regret; BANDS]; 65]);

impl Default for Regrets {
    fn default() -> Regrets {
        Regrets([[Regret::default(); BANDS]; 65])
    }
}

impl Regrets {
    /// Takes in a node.
    pub fn add(&mut self, Evidence { record, margin }: &Evidence) {
        if let Some(regret) = Regret::of(record) {
            self.0[record.position.empties().count() as usize][band(*margin)] += regret;
        }
    }

    /// The bands of a number of empties.
    pub fn bands(&self, empties: u32) -> &[Regret; BANDS] {
        &self.0[empties as usize]
    }

    /// The bands of all numbers of empties together.
    pub fn total(&self) -> [Regret; BANDS] {
        let mut total = [Regret::default(); BANDS];
        for bands in &self.0 {
            total.iter_mut().zip(bands).for_each(|(sum, band)| *sum += *band);
        }
        total
    }
}

/// All bands together.
pub fn sum(bands: &[Regret; BANDS]) -> Regret {
    let mut sum = Regret::default();
    bands.iter().for_each(|band| sum += *band);
    sum
}

impl fmt::Display for Regrets {
    /// A table: for each number of empties that has cut nodes, and for all of them, a line for all
    /// margins and one for each band that has any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "empties  margin  cut nodes  by first  ordering's nodes  cheapest's  ratio  mean ratio  refuter first"
        )?;
        let total = self.total();
        let known = (0..65).rev().map(|empties| (empties.to_string(), self.bands(empties)));
        for (empties, bands) in known.chain([("all".to_owned(), &total)]) {
            let lines = [("all", sum(bands))].into_iter().chain(BAND_NAMES.into_iter().zip(*bands));
            for (margin, regret) in lines.filter(|(_, regret)| regret.cut_nodes > 0) {
                writeln!(
                    f,
                    "{empties:>7}  {margin:>6}  {:>9}  {:>6.1} %  {:>16}  {:>10}  {:>5.2}  {:>10.2}  {:>13.2}",
                    regret.cut_nodes,
                    100.0 * regret.by_first as f64 / regret.cut_nodes as f64,
                    regret.ordering,
                    regret.cheapest,
                    regret.ratio(),
                    regret.mean_ratio(),
                    regret.refuter_first(),
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

    /// A node with so many empties. Of each move: its value, its nodes, and `*` if it refutes, `r`
    /// if it is remembered.
    fn evidence(empties: u32, margin: f64, moves: &[(i32, u64, &str)]) -> Evidence {
        let position = Position::new(Bitboard(!0 << empties), Bitboard::EMPTY);
        let tried = |(square, &(value, nodes, marks)): (u8, &(i32, u64, &str))| RecordedMove {
            square: Square::new(square),
            value,
            is_hash_move: marks.contains('r'),
            fails_high: marks.contains('*'),
            nodes,
        };
        Evidence {
            record: RecordedNode {
                position,
                alpha: 1,
                moves: (0..).zip(moves).map(tried).collect(),
            },
            margin,
        }
    }

    #[test]
    fn the_ordering_is_held_against_the_cheapest_refuter() {
        let regret = |moves| Regret::of(&evidence(10, 0.0, moves).record);
        // By value: 30 nodes in vain, then a refuter of 50, while one of 20 stands behind.
        let moves = [(5, 20, "*"), (9, 30, ""), (7, 50, "*"), (-9, 1, "")];
        let expected = Regret {
            cut_nodes: 1,
            by_first: 0,
            ordering: 80,
            refuter: 50,
            cheapest: 20,
            ln_ratios: 4f64.ln(),
        };
        assert_eq!(regret(&moves), Some(expected));
        // What is remembered comes first, by value where there are two.
        let moves = [(5, 20, "*"), (9, 30, ""), (1, 40, "*r"), (0, 10, "*r")];
        let expected = Regret {
            cut_nodes: 1,
            by_first: 1,
            ordering: 40,
            refuter: 40,
            cheapest: 10,
            ln_ratios: 4f64.ln(),
        };
        assert_eq!(regret(&moves), Some(expected));
        // Of equal values the first on the board is first.
        assert_eq!(regret(&[(3, 7, ""), (3, 9, "*")]).map(|regret| regret.ordering), Some(16));
        // Nothing to order, or nothing that refutes.
        assert_eq!(regret(&[(3, 7, "*")]), None);
        assert_eq!(regret(&[(3, 7, ""), (3, 9, "")]), None);
        assert_eq!(regret(&[]), None);
    }

    #[test]
    fn margins_have_bands() {
        let bands = [-64.0, -8.1, -8.0, -0.1, 0.0, 7.9, 8.0, 15.9, 16.0, 64.0].map(band);
        assert_eq!(bands, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    }

    #[test]
    fn the_table_is_that_of_hand_made_nodes() {
        let nodes = [
            // Ratio 1, refuter first 1.
            evidence(10, 4.0, &[(2, 100, "*"), (1, 5, "")]),
            // Ratio 4, refuter first 2.
            evidence(10, 7.9, &[(3, 200, ""), (2, 200, "*"), (1, 100, "*")]),
            // Ratio 9, refuter first 1.
            evidence(10, -20.0, &[(2, 80, ""), (1, 10, "*"), (0, 11, "*")]),
            // No cut node.
            evidence(10, 20.0, &[(2, 80, ""), (1, 10, "")]),
            // Ratio 1.5, refuter first 1.5.
            evidence(12, 16.0, &[(1, 900, "*r"), (5, 600, "*")]),
        ];
        let mut regrets = Regrets::default();
        nodes.iter().for_each(|node| regrets.add(node));
        assert_eq!(sum(regrets.bands(10)).cut_nodes, 3);
        assert_eq!(
            regrets.to_string(),
            "\
empties  margin  cut nodes  by first  ordering's nodes  cheapest's  ratio  mean ratio  refuter first
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
        let none = Regrets::default().to_string();
        assert_eq!(none.lines().count(), 1);
    }
}
