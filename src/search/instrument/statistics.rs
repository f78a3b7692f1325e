//! Search statistics: how nodes end, by number of empties. Counted in builds with the feature
//! `stats` only ([`tally`](super::tally)).
//!
//! They show which nodes a better move ordering would save. If the third move of a node fails high,
//! the nodes below the first two are *waste*. Waste occurs at every level of the tree, so a small
//! share of waste at each level adds up.

use std::fmt;

/// The counts of one number of empties, in the exact pass.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Row {
    /// All nodes.
    pub entered: u64,
    /// Nodes with a stability cut-off.
    pub stability_cuts: u64,
    /// Nodes with a cut-off by their entry in a table.
    pub table_cuts: u64,
    /// Nodes with a cut-off by a child's stable discs or by its entry in a table.
    pub child_cuts: u64,
    /// Nodes where a searched move failed high.
    pub cuts: u64,
    /// Nodes where the first searched move failed high.
    pub first_cuts: u64,
    /// Nodes where all moves failed low.
    pub all_nodes: u64,
    /// The nodes below those of `cuts`, and these themselves.
    pub cut_tree: u64,
    /// Of `cut_tree`, the nodes before the search of the move that failed high.
    pub waste: u64,
}

/// The statistics of one or several searches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    pub(in crate::search) rows: [Row; 65],
    /// The names of the search passes, in their order, and their nodes.
    search_passes: Vec<(String, u64)>,
}

impl Default for Statistics {
    fn default() -> Statistics {
        Statistics { rows: [Row::default(); 65], search_passes: Vec::new() }
    }
}

impl Statistics {
    /// The counts by number of empties, 0 to 64.
    pub fn rows(&self) -> &[Row; 65] {
        &self.rows
    }

    /// The nodes by search pass: the selective passes, the exact pass, then the search for the
    /// principal variation.
    pub fn search_passes(&self) -> &[(String, u64)] {
        &self.search_passes
    }

    /// Adds the counts of `other`.
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
        for (name, nodes) in &other.search_passes {
            self.add_search_pass(name, *nodes);
        }
    }

    /// Adds the nodes of a search pass.
    pub(in crate::search) fn add_search_pass(&mut self, name: &str, nodes: u64) {
        match self.search_passes.iter_mut().find(|(other, _)| other == name) {
            Some((_, sum)) => *sum += nodes,
            None => self.search_passes.push((name.to_owned(), nodes)),
        }
    }
}

impl fmt::Display for Statistics {
    /// A table with a line for each number of empties, then the share of each search pass.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(
            f,
            "exact pass: cut-offs by stable discs, by the table, by a child; then by moves"
        )?;
        writeln!(
            f,
            "empties       entered  stable   table   child      cut by move  by first   waste  \
             \x20    all nodes"
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
        let total = self.search_passes.iter().map(|(_, nodes)| nodes).sum();
        for (name, nodes) in &self.search_passes {
            writeln!(f, "{nodes:16} nodes {:5.1}%  {name}", percent(*nodes, total))?;
        }
        Ok(())
    }
}
