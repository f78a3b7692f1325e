//! Verification of published claims: entries with claims in, one verdict for each claim out.
//!
//! A claim is a statement about a position: its score, bounds of its score, the score of a move, or
//! its best moves. Each [`Claim`](crate::records::Claim) is verified by itself. The search gets the
//! narrowest windows that decide the claim, which cost less than the exact score of the position.
//!
//! | part | what it does |
//! |---|---|
//! | [`Sample`] | draws a random part of a list that is too long to be verified as a whole |
//! | `verdict` | from a claim and proven bounds to the next search, or to the verdict |
//! | `verifier` | runs these searches, and repeats them for a refuted claim |
//! | [`ClaimRegister`] | finds equal and contradictory claims about one position |
//! | [`Finding`] | the result of one claim |
//! | [`Run`], [`Summary`], [`Tally`] | the settings of a run, and the sums over its findings |
//! | `messages` | claims, proven bounds and refutations as text |
//! | [`run()`], `incoming`, `blocks`, `writing` | all of this for a list, on several threads |
//! | [`resume`], [`EarlierFindings`] | continue an earlier run: its findings are read back |
//! | [`output`] | findings as a table, CSV and JSON Lines |
//!
//! # Refutations
//!
//! A claim is reported as refuted only if two searches refute it. The first is that of the threads
//! that work on the list and share a table. The second runs on one thread, beginning with an empty
//! table. The report has the true score, as far as the limits allow, and the principal variation.

mod blocks;
mod claim_register;
mod finding;
mod incoming;
mod messages;
#[doc(hidden)]
pub mod output;
mod run;
mod sample;
mod stored;
mod summary;
mod verdict;
mod verifier;
mod writing;

pub use claim_register::{ClaimRegister, Comparison};
pub use finding::{ClaimKind, ClaimOutcome, Finding, Unconfirmed};
pub use run::{Report, RunError, VerifyInput, VerifySearchers, run};
pub use sample::Sample;
pub use stored::{EarlierFindings, FindingJournal, resume};
pub use summary::{Run, Summary, Tally};
pub use verdict::Verdict;
#[doc(hidden)]
pub use verdict::requests;
