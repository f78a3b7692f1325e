//! Making the weights of the evaluation from nothing: what `yose train` does.
//!
//! # The way round
//!
//! ```text
//! self_play, tree (positions) → label (their scores) → fit (weights) → deviation (margins) → check
//!      ↑                                                   │
//!      └──────────── better games, better labels ──────────┘
//! ```
//!
//! | step | file |
//! |---|---|
//! | positions from games that Yose plays against itself | [`self_play`] |
//! | boards that Yose's own searches meet while they order moves | [`tree`] |
//! | as many as wanted of each number of empties, none twice | [`pool`] |
//! | scores: exact where that is cheap, else by the evaluation some plies ahead | [`mod@label`] |
//! | weights by least squares over all stages at once | [`mod@fit`] |
//! | how far shallow searches lie from the score | [`deviation`] |
//! | how far weights lie from the labels | [`check`] |
//! | the files between the steps | [`data`] |
//! | nodes of a list of positions with given parameters of the search | [`nodes`] |
//! | the parameters with which those are fewest | [`mod@tune`] |
//! | what those nodes depend on, by which they are predicted | [`cost`] |
//! | files with the cost of every move of some nodes | [`evidence`] |
//! | what the order of moves costs, from these | [`regret`] |
//! | many small pieces of work on all cores, their results in order | [`work`] |
//!
//! Near the end of the game scores are cheap and exact. Weights fitted there judge, a few plies
//! ahead, positions with a few more empties, to which they are fitted next; so the knowledge
//! climbs, band by band (`scripts/train.sh`). Logistello and Edax were taught like this.
//!
//! When the weights are made, the few numbers by which the search uses them are fitted to its own
//! node counts and kept with them. How much a better order of moves could still save is told by
//! what the moves cost that were not tried: at a few nodes all moves are searched and recorded.
//!
//! Every step gives the same result on every machine and with any number of threads.

pub mod check;
pub mod cost;
pub mod data;
pub mod deviation;
pub mod evidence;
pub mod fit;
pub mod label;
pub mod nodes;
pub mod pool;
pub mod regret;
pub mod self_play;
pub mod tree;
pub mod tune;
pub mod work;
