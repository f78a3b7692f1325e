//! The searches of a run, block by block.

use std::sync::Arc;

use super::claim_register::{ClaimRegister, Comparison};
use super::finding::{ClaimOutcome, Finding};
use super::run::RunError;
use super::stored::EarlierFindings;
use super::verifier::ClaimVerifier;
use super::writing::{ItemResult, NumberedFinding, Writing};
use crate::batch::executor::{Help, HelpedTaskList, Worker, channel, execute};
use crate::batch::{Cost, JournalError, Progress, ThreadError, cost};
use crate::records::{Claim, Entry, Item};
use crate::search::{Searcher, ThreadPool};

/// Verifies blocks of entries, one after the other.
pub(super) struct Blocks<'a> {
    /// One for each thread.
    pub verifiers: Vec<ClaimVerifier<'a>>,
    /// That of the verifiers, and that of the second searches.
    pub thread_pools: &'a [Arc<ThreadPool>],
    pub register: ClaimRegister,
    /// The findings of an earlier run.
    pub earlier: Option<EarlierFindings>,
    pub progress: &'a dyn Progress,
}

/// The claims of an entry that must be verified.
struct Task {
    /// The number of the item.
    number: u64,
    /// The entry, with these claims only.
    entry: Entry,
    /// For each of them, the number of its finding, and its comparison with earlier claims.
    claims: Vec<(u64, Option<Comparison>)>,
    /// The other findings about the entry.
    ready: Vec<NumberedFinding>,
}

impl Blocks<'_> {
    /// Verifies the entries of a block on all threads, and writes their findings.
    pub fn verify(&mut self, block: Vec<Item>, writing: &mut Writing<'_>) -> Result<(), RunError> {
        let mut tasks = Vec::with_capacity(block.len());
        for item in block {
            let number = writing.reserve();
            let result = match item {
                Item::Entry(entry) => {
                    let task = self.prepare(number, entry, writing)?;
                    if !task.claims.is_empty() {
                        tasks.push(task);
                        continue;
                    }
                    ItemResult::Findings { findings: task.ready, cost: predicted_cost(&task.entry) }
                }
                Item::Empty(empty) => ItemResult::Empty(empty),
                Item::MissingPositions(missing) => ItemResult::MissingPositions(missing),
                Item::Failure(error) => ItemResult::Failure(error),
            };
            writing.add(number, result)?;
        }
        let tasks = HelpedTaskList::new(tasks, &self.thread_pools[0]);
        let work = |worker: &Worker<_>, verifier: &mut ClaimVerifier<'_>, (_, task): (_, Task)| {
            let cost = predicted_cost(&task.entry);
            self.progress.begin(worker.index, cost);
            let findings = verifier.verify_entry(&task.entry);
            self.progress.end(worker.index);
            let findings = all_findings(findings, task.claims, task.ready);
            worker.report((task.number, ItemResult::Findings { findings, cost }));
        };
        let (sender, results) = channel();
        let verifiers = &mut self.verifiers;
        let progress = self.progress;
        let refused = |error: ThreadError| {
            progress.message(&format_args!("{error}; the run continues with fewer threads"));
        };
        execute(verifiers, &tasks, work, refused, sender, || {
            while let Some((number, result)) = results.receive() {
                if let Err(error) = writing.add(number, result) {
                    self.thread_pools.iter().for_each(|thread_pool| thread_pool.abort());
                    return Err(RunError::Output(error));
                }
            }
            Ok(())
        })?
    }

    /// Numbers the findings about an entry in the order of their columns. Separates the claims that
    /// must be verified from those that need no search.
    fn prepare(
        &mut self,
        number: u64,
        mut entry: Entry,
        writing: &mut Writing<'_>,
    ) -> Result<Task, JournalError> {
        let comparisons = self.register.add_entry(&entry);
        let (mut claims, mut ready) = (Vec::new(), Vec::new());
        let without_search = |finding, number| NumberedFinding { number, finding, kept: None };
        let Ok(problem) = &mut entry.problem else {
            let finding = Finding::without_claim(&entry);
            ready.push(without_search(finding, writing.reserve_findings(1)));
            return Ok(Task { number, entry, claims, ready });
        };
        let listed = std::mem::take(&mut problem.claims);
        let diagram = problem.diagram;
        let malformed: Vec<Finding> = Finding::malformed(&entry).collect();
        if listed.is_empty() && malformed.is_empty() {
            let finding = Finding::without_claim(&entry);
            ready.push(without_search(finding, writing.reserve_findings(1)));
        }
        // The number of the finding at a column: a stable order, as each claim has a column.
        let mut columns: Vec<(usize, usize)> = listed
            .iter()
            .map(|claim| claim.column)
            .chain(malformed.iter().map(Finding::column))
            .enumerate()
            .map(|(index, column)| (column, index))
            .collect();
        columns.sort_unstable();
        let first = writing.reserve_findings(columns.len() as u64);
        let mut numbers = vec![0; columns.len()];
        for (rank, (_, index)) in columns.into_iter().enumerate() {
            numbers[index] = first + rank as u64;
        }
        let (of_claims, of_malformed) = numbers.split_at(listed.len());
        ready.extend(
            malformed
                .into_iter()
                .zip(of_malformed)
                .map(|(finding, &number)| without_search(finding, number)),
        );
        let mut unverified: Vec<Claim> = Vec::new();
        for ((claim, &number), comparison) in listed.into_iter().zip(of_claims).zip(comparisons) {
            let earlier = match &mut self.earlier {
                Some(earlier) => earlier.claim(&entry, &diagram, &claim)?,
                None => None,
            };
            match earlier {
                Some((offset, outcome)) => {
                    let finding = Finding::of(&entry, Ok(ClaimOutcome { comparison, ..outcome }));
                    ready.push(NumberedFinding { number, finding, kept: Some(offset) });
                }
                None => {
                    unverified.push(claim);
                    claims.push((number, comparison));
                }
            }
        }
        if let Ok(problem) = &mut entry.problem {
            problem.claims = unverified;
        }
        if claims.is_empty() {
            ready.sort_by_key(|finding| finding.number);
        }
        Ok(Task { number, entry, claims, ready })
    }
}

/// The findings about an entry in their order: those of its searches with their numbers and
/// comparisons, and the others.
fn all_findings(
    searched: Vec<Finding>,
    claims: Vec<(u64, Option<Comparison>)>,
    mut others: Vec<NumberedFinding>,
) -> Vec<NumberedFinding> {
    for (mut finding, (number, comparison)) in searched.into_iter().zip(claims) {
        if let Ok(outcome) = &mut finding.outcome {
            outcome.comparison = comparison;
        }
        others.push(NumberedFinding { number, finding, kept: None });
    }
    others.sort_by_key(|finding| finding.number);
    others
}

impl Help for ClaimVerifier<'_> {
    fn searcher(&mut self) -> &mut Searcher {
        self.searcher
    }
}

/// The predicted cost of an entry; zero if it cannot be read.
fn predicted_cost(entry: &Entry) -> Cost {
    entry.problem.as_ref().map_or(Cost::ZERO, |problem| cost::predict(&problem.diagram.position))
}
