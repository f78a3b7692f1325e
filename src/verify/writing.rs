//! The thread that writes the findings of a run, and reports what a user should see at once.

use std::time::Instant;

use super::finding::{ClaimOutcome, Finding};
use super::messages::{certificate_messages, contradiction_message, finding_message};
use super::summary::{Run, Summary};
use super::verdict::Verdict;
use crate::batch::{Cost, Finished, Output, Progress, RecordOffset, ReorderBuffer};
use crate::records::output::SinkError;
use crate::records::{EmptySource, FileError, MissingPositions};

/// The result of an item of the input.
pub(super) enum ItemResult {
    /// The findings about an entry in the order of their numbers, and the predicted cost of its
    /// position in nodes.
    Findings { findings: Vec<NumberedFinding>, cost: Cost },
    /// A source without positions.
    Empty(EmptySource),
    /// A file with fewer positions than its header declares.
    MissingPositions(MissingPositions),
    /// A source that could not be read.
    Failure(FileError),
}

/// A finding with its number in the output.
pub(super) struct NumberedFinding {
    pub number: u64,
    pub finding: Finding,
    /// The offset of a finding that an earlier run has written.
    pub kept: Option<RecordOffset>,
}

/// The calling thread of [`run()`](super::run()).
pub(super) struct Writing<'a> {
    output: &'a mut dyn Output<Run, Finding, Summary>,
    progress: &'a dyn Progress,
    /// Set if findings are written in the order of the input.
    reorder: Option<ReorderBuffer<ItemResult>>,
    summary: Summary,
    /// The number of items so far.
    items: u64,
    /// The number of findings that were reserved.
    reserved: u64,
}

impl<'a> Writing<'a> {
    pub fn new(
        output: &'a mut dyn Output<Run, Finding, Summary>,
        progress: &'a dyn Progress,
    ) -> Writing<'a> {
        let reorder = output.in_order().then(ReorderBuffer::default);
        Writing { output, progress, reorder, summary: Summary::default(), items: 0, reserved: 0 }
    }

    /// The number of the next item of the input.
    pub fn reserve(&mut self) -> u64 {
        self.items += 1;
        self.items - 1
    }

    /// The number of the first of `count` findings, which follow those that were reserved before.
    pub fn reserve_findings(&mut self, count: u64) -> u64 {
        self.reserved += count;
        self.reserved - count
    }

    /// Writes the result of the item with this number, or keeps it until those before it are
    /// written.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn add(&mut self, number: u64, result: ItemResult) -> Result<(), SinkError> {
        let Some(reorder) = &mut self.reorder else { return self.write(result) };
        reorder.insert(number, result);
        while let Some((_, result)) = self.reorder.as_mut().and_then(ReorderBuffer::pop) {
            self.write(result)?;
        }
        Ok(())
    }

    fn write(&mut self, result: ItemResult) -> Result<(), SinkError> {
        match result {
            ItemResult::Findings { findings, cost } => return self.findings(&findings, cost),
            ItemResult::Empty(empty) => self.progress.message(&empty),
            ItemResult::MissingPositions(missing) => self.progress.message(&missing),
            ItemResult::Failure(error) => {
                self.summary.unreadable += 1;
                self.progress.message(&error);
            }
        }
        Ok(())
    }

    /// Writes the findings about an entry, and adds them to the summary.
    fn findings(&mut self, findings: &[NumberedFinding], cost: Cost) -> Result<(), SinkError> {
        let (mut nodes, mut searched, mut kept) = (0, false, false);
        for NumberedFinding { finding, kept: offset, .. } in findings {
            self.summary.tally.add(finding);
            self.report(finding);
            let outcome = finding.outcome.as_ref();
            if offset.is_some() {
                self.summary.kept += 1;
                let nodes = outcome.map_or(0, |outcome| outcome.nodes);
                self.summary.kept_nodes = self.summary.kept_nodes.saturating_add(nodes);
                kept = true;
            } else if let Ok(outcome) = outcome {
                nodes += outcome.nodes;
                searched = true;
            }
        }
        self.progress.writing(|| {
            for NumberedFinding { number, finding, kept } in findings {
                match kept {
                    Some(offset) => self.output.keep(*number, *offset),
                    None => self.output.record(*number, finding),
                }
            }
            self.output.flush()
        })?;
        if searched {
            let mut finished = Finished::default();
            finished.add(cost, nodes);
            self.progress.done(finished);
        } else if kept {
            self.progress.resumed(cost);
        }
        Ok(())
    }

    /// Reports a contradiction, a refutation, an unconfirmed refutation, or an error.
    fn report(&self, finding: &Finding) {
        if let Some(message) = contradiction_message(finding) {
            self.progress.message(&message);
        }
        for message in certificate_messages(finding) {
            self.progress.message(&message);
        }
        let unconfirmed = |outcome: &ClaimOutcome| outcome.unconfirmed.is_some();
        if finding.verdict() == Verdict::Refuted
            || finding.outcome.as_ref().map_or(true, unconfirmed)
        {
            self.progress.message(&finding_message(finding).unwrap_or_default());
        }
    }

    /// Writes the footer. Returns the sums over the findings.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn end(mut self, start: Instant) -> Result<Summary, SinkError> {
        self.summary.time = start.elapsed();
        self.progress.writing(|| self.output.end(&self.summary))?;
        Ok(self.summary)
    }
}
