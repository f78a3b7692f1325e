//! map
pub mod othello;
pub mod search;
pub mod table;
