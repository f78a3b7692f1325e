//! NodeEstimate: what the search did at each number of empties. Only in builds with the feature `stats`; without it every method here is empty
//! and costs nothing.
//!
//! The question it answers is where nodes go that a better order of moves would save. At a node that is cut by its third move,
//! what the first two cost was *waste*; the share of waste at one level compounds over the levels of a path.
//! (`research/measured.md` shows this picture for Edax.)

use std::fmt;

/// What was counted at one number of empties, in the exact round.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Row {
    /// Nodes whose moves were looked at or that a bound cut before.
    pub entered: u64,
    /// Of these, answered by stable discs.
    pub stability_cuts: u64,
    /// Answered by the table's entry.
    pub table_cuts: u64,
    /// Answered by a child: its stable discs, or its entry in a table.
    pub child_cuts: u64,
    /// Cut by a move that was searched.
    pub cuts: u64,
    /// Of these, by the first.
    pub first_cuts: u64,
    /// Searched to the last move without a cut.
    pub all_nodes: u64,
    /// Nodes of the subtrees of those that were cut by a move.
    pub cut_tree: u64,
    /// Of these, nodes spent before the move that cut.
    pub waste: u64,
}

/// What was counted in one solve, or in several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    pub(in crate::search) rows: [Row; 65],
    /// Nodes of each round: the selective ones by tenths of a standard deviation, then the exact one, then what finds the line of play.
    rounds: Vec<(String, u64)>,
}

impl Default for Statistics {
    fn default() -> Statistics {
        Statistics { rows: [Row::default(); 65], rounds: Vec::new() }
    }
}

impl Statistics {
    /// What was counted, by empties 0 to 64.
    pub fn rows(&self) -> &[Row; 65] {
        &self.rows
    }

    /// The rounds and their nodes.
    pub fn rounds(&self) -> &[(String, u64)] {
        &self.rounds
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Statistics) {
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            row.entered += other.entered;
            row.stability_cuts += other.stability_cuts;
            row.table_cuts += other.table_cuts;
            row.child_cuts += other.child_cuts;
            row.cuts += other.cuts;
            row.first_cuts += other.first_cuts;
            row.all_nodes += other.all_nodes;
            row.cut_tree += other.cut_tree;
            row.waste += other.waste;
        }
        for (name, nodes) in &other.rounds {
            self.round(name, *nodes);
        }
    }

    pub(in crate::search) fn round(&mut self, name: &str, nodes: u64) {
        match self.rounds.iter_mut().find(|(other, _)| other == name) {
            Some((_, sum)) => *sum += nodes,
            None => self.rounds.push((name.to_owned(), nodes)),
        }
    }
}

impl fmt::Display for Statistics {
    /// A table with a line for each number of empties, and the share of each round.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(
            f,
            "exact round: nodes answered by stable discs, the table, a child; then by moves"
        )?;
        writeln!(
            f,
            "empties       entered  stable   table   child      cut by move  by first   waste       all nodes"
        )?;
        for (empties, row) in self.rows.iter().enumerate().filter(|(_, row)| row.entered > 0) {
            writeln!(
                f,
                "{empties:7} {:13} {:6.1}% {:6.1}% {:6.1}% {:16} {:8.1}% {:6.1}% {:15}",
                row.entered,
                percent(row.stability_cuts, row.entered),
                percent(row.table_cuts, row.entered),
                percent(row.child_cuts, row.entered),
                row.cuts,
                percent(row.first_cuts, row.cuts),
                percent(row.waste, row.cut_tree),
                row.all_nodes,
            )?;
        }
        let total = self.rounds.iter().map(|(_, nodes)| nodes).sum();
        for (name, nodes) in &self.rounds {
            writeln!(f, "{nodes:16} nodes {:5.1}%  {name}", percent(*nodes, total))?;
        }
        Ok(())
    }
}
