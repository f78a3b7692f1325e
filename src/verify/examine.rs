//! The questions of claims, put to solvers.

use std::time::Instant;

use parking_lot::Mutex;

use super::finding::{Examined, Finding, Note, Verdict};
use super::judge::{self, Known, Question, Step};
use crate::othello::{Move, Position};
use crate::records::{Claim, Entry, Statement};
use crate::search::{Bounds, Limits, Searcher};

/// Examines the claims of entries, one after the other.
pub(super) struct Examiner<'a> {
    pub solver: &'a mut Searcher,
    /// The solver for a second search. One thread at a time has it.
    pub second: &'a Mutex<Searcher>,
    /// How far the searches for one claim may go, the first and the second each.
    pub limits: Limits,
}

/// What was found out about a position.
struct Record {
    known: Known,
    /// Play that was shown to be perfect, by the move that it begins with; none for that of the
    /// position itself.
    lines: Vec<(Option<Move>, Vec<Move>)>,
}

/// What came of a claim's questions.
struct Inquiry {
    /// What is to be done next: there is a question left if a limit was reached.
    step: Step,
    nodes: u64,
}

impl Examiner<'_> {
    /// The findings about an entry, in the order of its claims.
    pub fn entry(&mut self, entry: &Entry) -> Vec<Finding> {
        let finding =
            |outcome| Finding { id: entry.id.clone(), location: entry.location.clone(), outcome };
        let problem = match &entry.problem {
            Ok(problem) => problem,
            Err(error) => return vec![finding(Err(error.clone()))],
        };
        let nothing = Examined {
            diagram: problem.diagram,
            claim: None,
            verdict: Verdict::Unclaimed,
            proven: Bounds::UNKNOWN,
            lesser: None,
            line: Vec::new(),
            nodes: 0,
            time: std::time::Duration::ZERO,
            note: None,
            relation: None,
        };
        if problem.claims.is_empty() {
            return vec![finding(Ok(nothing))];
        }
        let mut record = Record::nothing(&problem.diagram.position);
        let examined = problem.claims.iter().map(|claim| self.claim(claim, &mut record, &nothing));
        examined.map(|examined| finding(Ok(examined))).collect()
    }

    /// Examines one claim. `record` is what the claims before it have brought to light, and
    /// `nothing` a finding without a claim.
    fn claim(&mut self, claim: &Claim, record: &mut Record, nothing: &Examined) -> Examined {
        let start = Instant::now();
        let (position, statement) = (&nothing.diagram.position, &claim.statement);
        let inquiry = record.inquire(self.solver, position, statement, &self.limits);
        let mut examined =
            Examined { claim: Some(claim.clone()), nodes: inquiry.nodes, ..nothing.clone() };
        match inquiry.step {
            Step::Confirmed => examined.verdict = Verdict::Confirmed,
            Step::Ask(_) => examined.verdict = judge::unsettled(statement, &record.known),
            Step::Refuted(_) => self.refuted(position, statement, &mut examined),
        }
        if examined.verdict == Verdict::Refuted {
            // The second search knows more of it.
            record.known.note(subject(statement), examined.proven);
        } else {
            record.tell(statement, &mut examined);
        }
        examined.time = start.elapsed();
        examined
    }

    /// Asks the same again, on one thread that knows nothing, before a claim is called wrong; then
    /// for the whole truth.
    fn refuted(&self, position: &Position, statement: &Statement, examined: &mut Examined) {
        let mut solver = self.second.lock();
        solver.clear();
        let mut record = Record::nothing(position);
        let inquiry = record.inquire(&mut solver, position, statement, &self.limits);
        examined.nodes += inquiry.nodes;
        let lesser = match inquiry.step {
            Step::Refuted(about) => about,
            Step::Ask(_) => {
                examined.verdict = judge::unsettled(statement, &record.known);
                examined.note = Some(Note::NotRepeated);
                return;
            }
            Step::Confirmed => {
                examined.verdict = Verdict::Open;
                examined.note = Some(Note::Disagreement);
                return;
            }
        };
        let about = subject(statement);
        let known = record.known.of(about);
        if known.exact().is_none() {
            examined.nodes += record
                .ask(&mut solver, position, Question::exact(about, known), &self.limits)
                .nodes;
        }
        examined.verdict = Verdict::Refuted;
        if let Statement::BestMoves(_) = statement {
            examined.lesser = lesser.map(|mv| (mv, record.known.of(Some(mv))));
        }
        record.tell(statement, examined);
    }
}

/// What a claim is about: a move, or the position.
fn subject(statement: &Statement) -> Option<Move> {
    match statement {
        Statement::Score(_) | Statement::BestMoves(_) => None,
        Statement::MoveScore(mv, _) => Some(*mv),
    }
}

/// What a question cost.
struct Cost {
    nodes: u64,
    stopped: bool,
}

impl Record {
    fn nothing(position: &Position) -> Record {
        Record { known: Known::nothing(position), lines: Vec::new() }
    }

    /// Asks what a claim needs, until it is settled or a limit is reached.
    fn inquire(
        &mut self,
        solver: &mut Searcher,
        position: &Position,
        statement: &Statement,
        limits: &Limits,
    ) -> Inquiry {
        let (start, mut nodes, mut stopped) = (Instant::now(), 0, false);
        loop {
            let step = judge::next(statement, &self.known);
            let Step::Ask(question) = step else { return Inquiry { step, nodes } };
            let left = Limits {
                nodes: limits.nodes.map(|most| most.saturating_sub(nodes)),
                time: limits.time.map(|most| most.saturating_sub(start.elapsed())),
            };
            if stopped || left.nodes == Some(0) {
                return Inquiry { step, nodes };
            }
            let cost = self.ask(solver, position, question, &left);
            nodes += cost.nodes;
            stopped = cost.stopped;
        }
    }

    /// Asks one question, and notes the answer.
    fn ask(
        &mut self,
        solver: &mut Searcher,
        position: &Position,
        question: Question,
        limits: &Limits,
    ) -> Cost {
        let solution = solver.solve_within(&question.request(position), limits);
        self.known.note(question.about, question.answer(solution.bounds));
        // The reply to a move whose score is only bounded tells nothing of the move.
        if question.about.is_none() || solution.bounds.exact().is_some() {
            self.lines.retain(|(about, _)| *about != question.about);
            self.lines
                .push((question.about, question.about.into_iter().chain(solution.pv).collect()));
        }
        Cost { nodes: solution.nodes, stopped: solution.stopped.is_some() }
    }

    /// Puts what is known of a claim's subject into its finding.
    fn tell(&self, statement: &Statement, examined: &mut Examined) {
        let about = subject(statement);
        examined.proven = self.known.of(about);
        let line = self.lines.iter().find(|(of, _)| *of == about);
        examined.line = line.map(|(_, line)| line.clone()).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Score;
    use crate::records::obf;
    use crate::search::Config;

    /// FFO 20, with one wrong score, and with claims that OBF has no fields for.
    #[test]
    fn claims_are_settled_by_the_search_and_refutations_by_two() {
        const LINE: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-4; F6:-4; H6:-10;";
        let solver =
            || Searcher::new(Config { table_bytes: 1 << 20, ..Config::default() }).expect("1 MiB");
        let (mut first, second) = (solver(), Mutex::new(solver()));
        let mut examiner = Examiner { solver: &mut first, second: &second, limits: Limits::NONE };
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
        let entry = Entry { id: "f:1".to_owned(), location, problem: Ok(problem) };
        let examined: Vec<Examined> = examiner
            .entry(&entry)
            .into_iter()
            .map(|finding| finding.outcome.expect("it can be read"))
            .collect();
        let verdicts: Vec<Verdict> = examined.iter().map(|examined| examined.verdict).collect();
        use Verdict::{Confirmed, Refuted};
        assert_eq!(
            verdicts,
            [
                Confirmed, Refuted, Confirmed, Confirmed, Confirmed, Refuted, Confirmed, Confirmed,
                Refuted
            ]
        );
        assert_eq!(
            (examined[1].proven, examined[1].line[0]),
            (bounds(-2, -2), mv("g6")),
            "the true score and its line"
        );
        assert_eq!(
            (examined[4].proven, examined[4].nodes),
            (bounds(6, 6), 0),
            "the moves have told it"
        );
        assert_eq!((examined[5].proven, examined[5].line[0]), (bounds(6, 6), mv("h5")));
        assert_eq!(examined[8].lesser.map(|(mv, _)| mv), Some(mv("g6")));

        let limits = Limits { nodes: Some(1), time: None };
        // FFO 59, whose score of +64 takes long to prove.
        const HARD: &str =
            "-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X; +64;";
        let entry = Entry { problem: Ok(obf::read(HARD).expect("OBF")), ..entry };
        let findings = Examiner { limits, ..examiner }.entry(&entry);
        assert!(
            matches!(findings[0].verdict(), Verdict::Open | Verdict::Consistent),
            "{findings:?}"
        );
    }
}
