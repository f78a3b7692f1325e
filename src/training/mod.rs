//! The weights of the evaluation and the parameters of the search: the library behind `yose train`.
//!
//! ```text
//! self_play, tree_sampling -> label -> fit -> deviation -> evaluation_errors -> tune
//!             ^                         |
//!             '- better games, labels --'
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`self_play`] | positions from games that Yose plays against itself |
//! | [`tree_sampling`] | positions from Yose's own search trees |
//! | [`stratified_sample`] | equally many positions for each number of empties, no duplicates |
//! | [`mod@label`] | scores of positions: exact, or by a depth-limited search |
//! | [`data_set`] | the files of positions between the steps |
//! | [`mod@fit`] | weights by regularised least squares, all stages at once |
//! | [`deviation`] | standard deviations of depth-limited searches, for ProbCut |
//! | [`evaluation_errors`] | errors of the evaluation on labelled positions |
//! | [`node_counts`] | the node counts of a list of positions with given parameters |
//! | [`mod@tune`] | parameters of the search by SPSA on node counts |
//! | [`node_prediction`] | the regression by which node counts are predicted |
//! | [`node_records`] | files with the cost of every move at a sample of nodes |
//! | [`regret`] | the cost of imperfect move ordering, from these files |
//! | [`search_settings`] | the evaluation, tables and threads with which positions are searched |
//!
//! Near the end of the game exact scores are cheap. Weights that are fitted to them serve to label
//! positions with a few more empties by depth-limited searches, and so on upward, band by band
//! (`scripts/train.sh`). The pattern evaluation, its fit by linear regression and such labels
//! follow Logistello (M. Buro, "Experiments with Multi-ProbCut and a New High-Quality Evaluation
//! Function for Othello", 1997).
//!
//! When the weights are finished, the parameters of the search are fitted to its node counts, and
//! are stored in the same file.
//!
//! Every step gives the same result on every machine and with any number of threads: all random
//! numbers have a seed, and results are combined in a fixed order.

pub mod data_set;
pub mod deviation;
pub mod evaluation_errors;
pub mod fit;
pub mod label;
pub mod node_counts;
pub mod node_prediction;
pub mod node_records;
pub mod regret;
pub mod search_settings;
pub mod self_play;
pub mod stratified_sample;
pub mod tree_sampling;
pub mod tune;
