//! Yose, a perfect-play Othello endgame solver.
pub mod batch;
pub mod othello;
pub mod records;
pub mod search;
pub mod table;
pub mod tier;
