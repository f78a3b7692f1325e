//! Published claims, confirmed or refuted: entries with claims in, a verdict for each claim out.
//!
//! Somebody says that a score is +6, that a move keeps it, that a bound holds. Each
//! [`Claim`](crate::records::Claim) is taken by itself, and the search is asked only what the claim
//! needs, which is less than the exact score of the position:
//!
//! | part | what it is for |
//! |---|---|
//! | [`Sample`] | a random part of a set that is too large to be checked as a whole |
//! | [`judge`] | from a claim and proven bounds to the next question, or to the verdict |
//! | `examine` | puts those questions to a solver, and a refutation to a second one |
//! | [`Register`] | claims of one position in several places: duplicates, contradictions |
//! | [`Finding`] | what came of a claim, and [`Tally`] of all of them |
//! | `words` | a claim and what is true, in the words of the format that makes the claim |
//! | [`run()`] | all of it, for a list, on several threads |
//! | [`output`] | findings as a table, CSV and JSON Lines |
//!
//! # What a refutation rests on
//!
//! Whoever is told that a published score is wrong wants to be sure of it. So a refutation is found
//! twice: by the threads that work on the list, with the table that they share, and by one thread
//! alone that begins with an empty table and asks the same again. Only then is it reported, with
//! the true score as far as the limits allow and the principal variation that leads to it.

mod examine;
mod finding;
pub mod judge;
pub mod output;
mod register;
mod run;
mod sample;
mod words;

pub use finding::{Examined, Finding, Kind, Note, Tally, Verdict};
pub use register::{Register, Relation};
pub use run::{Report, Run, RunError, Team, run};
pub use sample::Sample;
