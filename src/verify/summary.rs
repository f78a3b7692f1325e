//! The settings of a run, and the sums over its findings. The run and its output both use them.

use std::path::PathBuf;
use std::time::Duration;

use super::claim_register::Comparison;
use super::finding::{ClaimKind, Finding};
use super::sample::Sample;
use super::verdict::Verdict;
use crate::batch::{SearcherOptions, Shard};
use crate::records::{Entry, Input};
use crate::search::Limits;
use crate::table::AutoTable;

/// The settings of a run, as its output records them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The number of threads that search.
    pub threads: usize,
    /// The size of the shared table in bytes.
    pub table_bytes: u64,
    /// What this size was chosen by, and how far the table may grow; `None` if it is fixed.
    pub auto_table: Option<AutoTable>,
    /// The source of the evaluation's weights, with the digest of their file. They change node
    /// counts and no verdict.
    pub weights: Input,
    /// The limits for one claim: of its first search and of its second, each.
    pub limits: Limits,
    /// The sample of entries that is verified; none if all are.
    pub sample: Option<Sample>,
    /// The part of the list that is verified; `None`: all of it. A position, with all claims about
    /// it, belongs to one part. An entry that cannot be read belongs to the first.
    pub shard: Option<Shard>,
    /// The sources, with the digests of those that could be read beforehand.
    pub inputs: Vec<Input>,
    /// The folder of certificates that confirm claims without a search.
    pub certificates: Option<PathBuf>,
}

impl Run {
    /// A run on searchers of these options: with the embedded weights, without limits, over a whole
    /// list without a name.
    pub fn new(options: &SearcherOptions) -> Run {
        Run {
            threads: options.thread_count().get(),
            table_bytes: options.config().table_bytes,
            auto_table: options.chosen_table(),
            weights: Input { name: "embedded".to_owned(), sha256: None },
            limits: Limits::NONE,
            sample: None,
            shard: None,
            inputs: Vec::new(),
            certificates: None,
        }
    }

    /// Whether the entry belongs to the shard.
    pub(super) fn selects(&self, entry: &Entry) -> bool {
        let position = entry.problem.as_ref().ok().map(|problem| &problem.diagram.position);
        self.shard.is_none_or(|shard| shard.contains(position))
    }
}

/// The sums over a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The counts of the findings, those of an earlier run included.
    pub tally: Tally,
    /// The number of findings of an earlier run.
    pub kept: u64,
    /// The nodes of these findings.
    pub kept_nodes: u64,
    /// Files that could not be read, or not to their end.
    pub unreadable: u64,
    /// The time of this run, from the first line read to the last finding written.
    pub time: Duration,
}

/// Counts of findings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    claims: [[u64; Verdict::ALL.len()]; ClaimKind::ALL.len()],
    /// Entries and claims that cannot be read.
    pub malformed: u64,
    /// Entries without a claim.
    pub unclaimed: u64,
    /// Claims that are the same as earlier claims about their position, or compatible with them.
    pub repeated: u64,
    /// Claims that contradict earlier claims about their position.
    pub contradictions: u64,
    /// Claims that certificates alone have confirmed.
    pub by_certificate: u64,
    /// The nodes of all searches.
    pub nodes: u64,
}

impl Tally {
    /// Adds a finding to the counts, and its nodes to theirs.
    pub fn add(&mut self, finding: &Finding) {
        let Ok(outcome) = &finding.outcome else {
            self.malformed += 1;
            return;
        };
        // A journal that was edited may have any numbers.
        self.nodes = self.nodes.saturating_add(outcome.nodes);
        match &outcome.comparison {
            None => {}
            Some(Comparison::Contradiction { .. }) => self.contradictions += 1,
            Some(_) => self.repeated += 1,
        }
        self.by_certificate += u64::from(outcome.by_certificate);
        match finding.kind() {
            Some(kind) => self.claims[kind as usize][outcome.verdict as usize] += 1,
            None => self.unclaimed += 1,
        }
    }

    /// The number of claims of this kind with this verdict.
    pub fn count(&self, kind: ClaimKind, verdict: Verdict) -> u64 {
        self.claims[kind as usize][verdict as usize]
    }

    /// The number of claims with this verdict.
    pub fn with_verdict(&self, verdict: Verdict) -> u64 {
        ClaimKind::ALL.iter().map(|&kind| self.count(kind, verdict)).sum()
    }

    /// The number of claims.
    pub fn claims(&self) -> u64 {
        self.claims.iter().flatten().sum()
    }

    /// The number of findings.
    pub fn findings(&self) -> u64 {
        self.claims() + self.malformed + self.unclaimed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_verdicts_are_listed_in_the_order_of_their_counts() {
        for (index, kind) in ClaimKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index);
        }
        for (index, verdict) in Verdict::ALL.into_iter().enumerate() {
            assert_eq!(verdict as usize, index);
        }
    }
}
