//! Files with the cost of every move at a sample of nodes ([`RecordedNode`]), for the analysis of
//! move ordering.
//!
//! The files are CSV, so that other tools can read them. A line is a move. The moves of a node
//! are on consecutive lines, in the order in which they were searched:
//!
//! | column | content |
//! |---|---|
//! | `node` | the number of the node in the file, from 1 on |
//! | `board` | the 64 squares and the side to move, which is always X |
//! | `empties` | the number of empty squares |
//! | `alpha` | the alpha of the null window, in discs |
//! | `margin` | the static value minus alpha, in discs |
//! | `move` | a legal move |
//! | `value` | its place in the move ordering: the higher, the earlier |
//! | `hash_move` | whether it is a hash move of the node |
//! | `fails_high` | whether it fails high |
//! | `nodes` | the nodes of its search |
//!
//! Every build reads these files. A build with the feature `record` makes them.

mod reader;
#[cfg(feature = "record")]
mod recording;
#[cfg(test)]
mod tests;
mod writer;

use serde::{Deserialize, Serialize};

use crate::eval::{Evaluation, Features, UNIT};
use crate::search::RecordedNode;

pub use reader::{NodeRecordError, Reader};
#[cfg(feature = "record")]
pub use recording::{RecordedPosition, record};
pub use writer::Writer;

/// The columns, in their order.
pub const COLUMNS: [&str; 10] = [
    "node",
    "board",
    "empties",
    "alpha",
    "margin",
    "move",
    "value",
    "hash_move",
    "fails_high",
    "nodes",
];

/// A recorded node with its margin.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeRecord {
    /// The node.
    pub node: RecordedNode,
    /// The static value of its position for the side to move, minus alpha: in discs, with one
    /// decimal.
    pub margin: f64,
}

impl NodeRecord {
    /// The record of a node, with the margin by this evaluation.
    pub fn new(node: RecordedNode, evaluation: &Evaluation) -> NodeRecord {
        let position = &node.position;
        let value = evaluation.value(&Features::of(position), position.empties().count());
        let tenths = f64::from(10 * (value - i32::from(node.alpha) * UNIT)) / f64::from(UNIT);
        // The sum with 0.0 turns -0.0 into 0.0.
        NodeRecord { node, margin: tenths.round() / 10.0 + 0.0 }
    }
}

/// A line of a file.
#[derive(Serialize, Deserialize)]
struct Row {
    node: u64,
    board: String,
    empties: u32,
    alpha: i8,
    margin: f64,
    #[serde(rename = "move")]
    square: String,
    value: i32,
    hash_move: bool,
    fails_high: bool,
    nodes: u64,
}
