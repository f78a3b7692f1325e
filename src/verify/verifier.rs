//! Verification of the claims of one entry: runs the searches that [`verdict`] selects.

use std::time::Instant;

use parking_lot::Mutex;

use super::finding::{ClaimOutcome, Finding, Unconfirmed};
use super::verdict::{self, ClaimSearch, ProvenBounds, Step, Verdict, subject};
use crate::certificate::CertificateFolder;
use crate::othello::{Diagram, Move, Position};
use crate::records::{Claim, Entry, Statement};
use crate::search::{Limits, Searcher};

/// Verifies the claims of entries, one after the other.
pub(super) struct ClaimVerifier<'a> {
    pub searcher: &'a mut Searcher,
    /// The searcher for second searches. All threads share it; one at a time uses it.
    pub second: &'a Mutex<Searcher>,
    /// The limits for one claim: of the first search and of the second, each.
    pub limits: Limits,
    /// Certificates that are evidence, beside the searches.
    pub certificates: Option<&'a CertificateFolder>,
}

/// The search results for one position.
struct PositionResults {
    proven: ProvenBounds,
    /// Principal variations with the moves that they belong to; `None` for that of the position.
    pvs: Vec<(Option<Move>, Vec<Move>)>,
    /// The subjects whose certificates were looked for.
    looked_for: Vec<Option<Move>>,
    /// What certificates alone prove; `None` before the first.
    certified: Option<ProvenBounds>,
}

/// The result of the searches for one claim.
struct ClaimResult {
    /// The last step. [`Step::Search`] if a limit was reached.
    step: Step,
    nodes: u64,
    /// The certificates that the checker refused, and why.
    refused: Vec<String>,
}

impl ClaimVerifier<'_> {
    /// The findings about an entry, in the order of its claims.
    pub fn verify_entry(&mut self, entry: &Entry) -> Vec<Finding> {
        let problem = match &entry.problem {
            Ok(problem) if !problem.claims.is_empty() => problem,
            _ => return vec![Finding::without_claim(entry)],
        };
        let mut results = PositionResults::unknown(&problem.diagram.position);
        let outcomes = problem
            .claims
            .iter()
            .map(|claim| self.verify_claim(&problem.diagram, claim, &mut results));
        outcomes.map(|outcome| Finding::of(entry, Ok(outcome))).collect()
    }

    /// Verifies one claim about a position. `results` are those of the claims before it, and are
    /// extended.
    fn verify_claim(
        &mut self,
        diagram: &Diagram,
        claim: &Claim,
        results: &mut PositionResults,
    ) -> ClaimOutcome {
        let start = Instant::now();
        let (position, statement) = (diagram.position, &claim.statement);
        let (searcher, limits) = (&mut *self.searcher, &self.limits);
        let result =
            results.search_claim(searcher, &position, statement, limits, self.certificates);
        let mut outcome = ClaimOutcome {
            claim: Some(claim.clone()),
            nodes: result.nodes,
            refused_certificates: result.refused,
            ..ClaimOutcome::unclaimed(*diagram)
        };
        match result.step {
            Step::Confirmed => {
                outcome.verdict = Verdict::Confirmed;
                let certified = results.certified.as_ref();
                outcome.by_certificate = certified
                    .is_some_and(|proven| verdict::next_step(statement, proven) == Step::Confirmed);
            }
            Step::Search(_) => outcome.verdict = verdict::at_limit(statement, &results.proven),
            Step::Refuted(_) => self.confirm_refutation(&position, statement, &mut outcome),
        }
        if outcome.verdict == Verdict::Refuted {
            // The second search has proven more about the claim's subject.
            results.proven.add(subject(statement), outcome.proven);
        } else {
            results.copy_to(statement, &mut outcome);
        }
        outcome.time = start.elapsed();
        outcome
    }

    /// Repeats the searches for a refuted claim on one thread that begins with an empty table. If
    /// the claim is refuted again, searches for the exact score of its subject. Sets the verdict
    /// and the results in `outcome`.
    fn confirm_refutation(
        &self,
        position: &Position,
        statement: &Statement,
        outcome: &mut ClaimOutcome,
    ) {
        let mut searcher = self.second.lock();
        searcher.clear();
        let mut results = PositionResults::unknown(position);
        let result = results.search_claim(&mut searcher, position, statement, &self.limits, None);
        outcome.nodes += result.nodes;
        let refuted_subject = match result.step {
            Step::Refuted(refuted_subject) => refuted_subject,
            Step::Search(_) => {
                outcome.verdict = verdict::at_limit(statement, &results.proven);
                outcome.unconfirmed = Some(Unconfirmed::LimitReached);
                return;
            }
            Step::Confirmed => {
                outcome.verdict = Verdict::Open;
                outcome.unconfirmed = Some(Unconfirmed::Disagreement);
                return;
            }
        };
        let subject = subject(statement);
        let proven = results.proven.of(subject);
        if proven.exact().is_none() {
            let search = ClaimSearch::exact(subject, proven);
            outcome.nodes += results.search(&mut searcher, position, search, &self.limits).nodes;
        }
        outcome.verdict = Verdict::Refuted;
        if let Statement::BestMoves(_) = statement {
            outcome.inferior_move = refuted_subject.map(|mv| (mv, results.proven.of(Some(mv))));
        }
        results.copy_to(statement, outcome);
    }
}

/// The cost of one search.
struct SearchCost {
    nodes: u64,
    /// Whether a limit or an abort ended the search.
    stopped: bool,
}

impl PositionResults {
    /// The results before any search.
    fn unknown(position: &Position) -> PositionResults {
        PositionResults {
            proven: ProvenBounds::unknown(position),
            pvs: Vec::new(),
            looked_for: Vec::new(),
            certified: None,
        }
    }

    /// Runs the searches that a claim needs, until it is confirmed or refuted, or a limit is
    /// reached. A certificate of what would be searched comes first.
    fn search_claim(
        &mut self,
        searcher: &mut Searcher,
        position: &Position,
        statement: &Statement,
        limits: &Limits,
        certificates: Option<&CertificateFolder>,
    ) -> ClaimResult {
        let (start, mut nodes, mut stopped) = (Instant::now(), 0, false);
        let mut refused = Vec::new();
        loop {
            let step = verdict::next_step(statement, &self.proven);
            let Step::Search(search) = step else { return ClaimResult { step, nodes, refused } };
            if let Some(folder) = certificates
                && !self.looked_for.contains(&search.subject)
            {
                let thread_pool = searcher.thread_pool();
                let end = || {
                    thread_pool.is_aborted()
                        || limits.time.is_some_and(|limit| start.elapsed() >= limit)
                };
                refused.extend(self.certificate(folder, position, search, &end));
                continue;
            }
            let left = Limits {
                nodes: limits.nodes.map(|limit| limit.saturating_sub(nodes)),
                time: limits.time.map(|limit| limit.saturating_sub(start.elapsed())),
            };
            if stopped || left.nodes == Some(0) {
                return ClaimResult { step, nodes, refused };
            }
            let cost = self.search(searcher, position, search, &left);
            nodes += cost.nodes;
            stopped = cost.stopped;
        }
    }

    /// Adds what a certificate of the subject of a search proves, if there is one. Returns why it
    /// is refused.
    fn certificate(
        &mut self,
        folder: &CertificateFolder,
        position: &Position,
        search: ClaimSearch,
        end: &dyn Fn() -> bool,
    ) -> Option<String> {
        self.looked_for.push(search.subject);
        match folder.proven(&search.request(position).position, end) {
            Ok(None) => None,
            Ok(Some(bounds)) => {
                let bounds = search.result(bounds);
                self.proven.add(search.subject, bounds);
                let unknown = || ProvenBounds::unknown(position);
                self.certified.get_or_insert_with(unknown).add(search.subject, bounds);
                None
            }
            Err(_) if end() => None,
            Err(reason) => Some(reason),
        }
    }

    /// Runs one search and stores its results.
    fn search(
        &mut self,
        searcher: &mut Searcher,
        position: &Position,
        search: ClaimSearch,
        limits: &Limits,
    ) -> SearchCost {
        let solution = searcher.solve_within(&search.request(position), limits);
        self.proven.add(search.subject, search.result(solution.bounds));
        // If only bounds of a move's score are proven, the reply to it says nothing about the move.
        if search.subject.is_none() || solution.bounds.exact().is_some() {
            self.pvs.retain(|(subject, _)| *subject != search.subject);
            let pv = search.subject.into_iter().chain(solution.pv).collect();
            self.pvs.push((search.subject, pv));
        }
        SearchCost { nodes: solution.nodes, stopped: solution.stopped.is_some() }
    }

    /// Copies the proven bounds and the principal variation of a claim's subject to its outcome.
    fn copy_to(&self, statement: &Statement, outcome: &mut ClaimOutcome) {
        let subject = subject(statement);
        outcome.proven = self.proven.of(subject);
        let pv = self.pvs.iter().find(|(other, _)| *other == subject);
        outcome.pv = pv.map(|(_, pv)| pv.clone()).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Score;
    use crate::records::{Notes, obf};
    use crate::search::{Bounds, Config};

    /// FFO 20, with one wrong score, and with claims that OBF cannot hold.
    #[test]
    fn claims_are_confirmed_or_refuted_until_a_limit_is_reached() {
        const LINE: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; \
            H5:+6; G6:-4; F6:-4; H6:-10;";
        let searcher =
            || Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() }).expect("1 MiB");
        let (mut first, second) = (searcher(), Mutex::new(searcher()));
        let mut verifier = ClaimVerifier {
            searcher: &mut first,
            second: &second,
            limits: Limits::NONE,
            certificates: None,
        };
        let mut problem = obf::read(LINE).expect("OBF");
        let bounds = |lower, upper| Bounds { lower: Score::new(lower), upper: Score::new(upper) };
        let mv = |text: &str| text.parse::<Move>().expect("a move");
        let others = [
            Statement::Score(bounds(6, 6)),
            Statement::Score(bounds(8, 64)),
            Statement::Score(bounds(2, 64)),
            Statement::BestMoves(vec![mv("h5")]),
            Statement::BestMoves(vec![mv("h5"), mv("g6")]),
        ];
        problem.claims.extend(others.map(|statement| Claim { column: 1, statement }));
        let location =
            crate::records::Location { file: "f".into(), at: crate::records::LineOrGame::Line(1) };
        let entry =
            Entry { id: "f:1".to_owned(), location, notes: Notes::default(), problem: Ok(problem) };
        let outcomes: Vec<ClaimOutcome> = verifier
            .verify_entry(&entry)
            .into_iter()
            .map(|finding| finding.outcome.expect("a valid entry"))
            .collect();
        let verdicts: Vec<Verdict> = outcomes.iter().map(|outcome| outcome.verdict).collect();
        use Verdict::{Confirmed, Refuted};
        assert_eq!(
            verdicts,
            [
                Confirmed, Refuted, Confirmed, Confirmed, Confirmed, Refuted, Confirmed, Confirmed,
                Refuted
            ]
        );
        assert_eq!(
            (outcomes[1].proven, outcomes[1].pv[0]),
            (bounds(-2, -2), mv("g6")),
            "the true score and its principal variation"
        );
        assert_eq!(
            (outcomes[4].proven, outcomes[4].nodes),
            (bounds(6, 6), 0),
            "the scores of the moves prove it"
        );
        assert_eq!((outcomes[5].proven, outcomes[5].pv[0]), (bounds(6, 6), mv("h5")));
        assert_eq!(outcomes[8].inferior_move.map(|(mv, _)| mv), Some(mv("g6")));

        let limits = Limits { nodes: Some(1), time: None };
        // FFO 59, whose score of +64 takes many nodes to prove.
        const HARD: &str =
            "-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X; +64;";
        let entry = Entry { problem: Ok(obf::read(HARD).expect("OBF")), ..entry };
        let findings = ClaimVerifier { limits, ..verifier }.verify_entry(&entry);
        assert!(
            matches!(findings[0].verdict(), Verdict::Open | Verdict::Consistent),
            "{findings:?}"
        );
    }
}
