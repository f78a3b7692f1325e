//! NodeEstimate: what the search did at each number of empties. Only in builds with the feature `stats`; without it every method here is empty
//! and costs nothing.
//!
//! The question it answers is where nodes go that a better order of moves would save. At a node that is cut by its third move,
//! what the first two cost was *waste*; the share of waste at one level compounds over the levels of a path.
//! (`research/measured.md` shows this picture for Edax.)

use std::fmt;

#[cfg(feature = "stats")]
use crate::search::nodes::prob_cut::SearchPass;

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
    rows: [Row; 65],
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

/// How a node was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum NodeOutcome {
    /// By stable discs.
    Stability,
    /// By the table.
    Table,
    /// By a child's stable discs, or its entry in a table.
    Child,
    /// By a move: the first, the second, ...
    Cut(u32),
    /// By all of its moves.
    All,
}

/// The clock of a node under watch: the nodes searched when it was entered, and when its last move was begun.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct NodeTally {
    #[cfg(feature = "stats")]
    entered: u64,
    #[cfg(feature = "stats")]
    moved: u64,
}

impl crate::search::worker::Worker<'_> {
    /// Begins to watch a node.
    #[inline(always)]
    pub(in crate::search) fn watch(&self) -> NodeTally {
        NodeTally {
            #[cfg(feature = "stats")]
            entered: self.nodes.total(),
            #[cfg(feature = "stats")]
            moved: 0,
        }
    }

    /// Says that the node's next move is begun.
    #[inline(always)]
    pub(in crate::search) fn begin_move(&self, _watch: &mut NodeTally) {
        #[cfg(feature = "stats")]
        {
            _watch.moved = self.nodes.total();
        }
    }

    /// Notes how a node was answered. A node of a selective round is left out.
    #[inline(always)]
    pub(in crate::search) fn note(
        &mut self,
        _watch: &NodeTally,
        _empties: u32,
        _outcome: NodeOutcome,
    ) {
        #[cfg(feature = "stats")]
        if self.round == SearchPass::Exact {
            let now = self.nodes.total();
            let row = &mut self.statistics.rows[_empties as usize];
            row.entered += 1;
            match _outcome {
                NodeOutcome::Stability => row.stability_cuts += 1,
                NodeOutcome::Table => row.table_cuts += 1,
                NodeOutcome::Child => row.child_cuts += 1,
                NodeOutcome::All => row.all_nodes += 1,
                NodeOutcome::Cut(tried) => {
                    row.cuts += 1;
                    row.first_cuts += u64::from(tried == 1);
                    row.cut_tree += now - _watch.entered;
                    // What was spent on ordering is no waste of the moves before.
                    row.waste += if tried > 1 { _watch.moved - _watch.entered } else { 0 };
                }
            }
        }
    }

    /// Notes that a round has ended, which began at so many nodes.
    pub(in crate::search) fn count_pass_nodes(&mut self, _name: &str, _before: u64) {
        #[cfg(feature = "stats")]
        {
            let nodes = self.nodes.total() - _before;
            self.statistics.round(_name, nodes);
        }
    }
}
