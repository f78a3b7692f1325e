//! Claims, proven bounds and refutations as text.
//!
//! Scores are written as in the format of the claim, so that a reader finds the claim in its file.
//! Most formats have scores for the side to move; a WTHOR database has Black's discs.

use std::fmt;

use super::claim_register::Comparison;
use super::finding::{ClaimKind, ClaimOutcome, Finding};
use crate::othello::{Colour, Diagram, Score};
use crate::records::output::{bounds_text, moves_text, readable};
use crate::records::{Claim, LineOrGame, Statement};
use crate::search::Bounds;

/// A short text for a claim: `score +18`, `h5 +6`, `score >=+4`, `best h5`, `Black 33`.
pub fn claim_text(statement: &Statement, diagram: &Diagram, at: LineOrGame) -> String {
    match statement {
        Statement::Score(bounds) => match (ClaimKind::of(statement, at), bounds.exact()) {
            (ClaimKind::Discs, Some(score)) => format!("Black {}", discs(score, diagram)),
            _ => format!("score {}", bounds_text(*bounds)),
        },
        Statement::MoveScore(mv, bounds) => format!("{mv} {}", bounds_text(*bounds)),
        Statement::BestMoves(moves) => format!("best {}", moves_text(moves)),
    }
}

/// The proven bounds as a short text, in the terms of the claim: `+18`, `>=+4`, `Black 33`.
pub fn proven_text(outcome: &ClaimOutcome, kind: Option<ClaimKind>) -> String {
    match (kind, outcome.proven.exact()) {
        (Some(ClaimKind::Discs), Some(score)) => {
            format!("Black {}", discs(score, &outcome.diagram))
        }
        _ => bounds_text(outcome.proven),
    }
}

/// Black's discs at the end of the game, for a score of the side to move. The winner gets the empty
/// squares.
fn discs(score: Score, diagram: &Diagram) -> i32 {
    let black = if diagram.to_move == Colour::Black { score } else { -score };
    32 + black.discs() / 2
}

/// Displays bounds as a phrase: `+4`, `at least +4`, `at most -4`, `from -2 to +4`.
struct BoundsPhrase(Bounds);

impl fmt::Display for BoundsPhrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { lower, upper } = self.0;
        match self.0.exact() {
            Some(score) => write!(f, "{score}"),
            None if upper == Score::MAX => write!(f, "at least {lower}"),
            None if lower == Score::MIN => write!(f, "at most {upper}"),
            None => write!(f, "from {lower} to {upper}"),
        }
    }
}

/// The messages for standard error about certificates that the checker refused.
pub fn certificate_messages(finding: &Finding) -> impl Iterator<Item = String> + '_ {
    let refused = finding.outcome.as_ref().map_or(&[][..], |outcome| &outcome.refused_certificates);
    let place = format!("{}:{}", finding.location, finding.column());
    refused.iter().map(move |why| {
        format!("{place}: the claim is searched, as its certificate is refused: {why}")
    })
}

/// The message for standard error about a refutation, an unconfirmed refutation, or an entry that
/// cannot be read: `file:line:column: refuted: ...`. `None` if the entry has no claim.
pub fn finding_message(finding: &Finding) -> Option<String> {
    let outcome = match &finding.outcome {
        Err(error) => return Some(error.to_string()),
        Ok(outcome) => outcome,
    };
    let claim = outcome.claim.as_ref()?;
    let location = format!("{}:{}", finding.location, claim.column);
    if let Some(reason) = outcome.unconfirmed {
        return Some(format!("{location}: {}: {reason}", outcome.verdict));
    }
    let refutation = refutation(outcome, claim, finding.kind())?;
    let pv = if outcome.pv.is_empty() {
        String::new()
    } else {
        format!(": {}", moves_text(&outcome.pv))
    };
    let nodes = readable(outcome.nodes);
    Some(format!("{location}: refuted: {refutation}{pv}; {nodes} nodes"))
}

/// The message for standard error about a claim that contradicts an earlier one:
/// `file:line:column: contradiction: ...`. `None` if it contradicts none.
pub fn contradiction_message(finding: &Finding) -> Option<String> {
    let outcome = finding.outcome.as_ref().ok()?;
    let Claim { column, statement: Statement::Score(bounds) } = outcome.claim.as_ref()? else {
        return None;
    };
    let Comparison::Contradiction { first, earlier } = outcome.comparison.as_ref()? else {
        return None;
    };
    let (bounds, earlier) = (bounds_text(*bounds), bounds_text(*earlier));
    Some(format!(
        "{}:{column}: contradiction: the score is claimed to be {bounds} here, and {earlier} in \
         {first}",
        finding.location
    ))
}

/// The claimed and the true score of a refuted claim. `None` for a claim about no best move.
fn refutation(outcome: &ClaimOutcome, claim: &Claim, kind: Option<ClaimKind>) -> Option<String> {
    let side = outcome.diagram.to_move;
    let proven = BoundsPhrase(outcome.proven);
    let text = match (&claim.statement, kind) {
        (Statement::Score(bounds), Some(ClaimKind::Discs)) => {
            let discs = |score: Score| discs(score, &outcome.diagram);
            let claimed = bounds.exact().map_or(0, discs);
            match outcome.proven.exact() {
                Some(score) => format!(
                    "Black is claimed to get {claimed} discs, and gets {} ({side} to move, \
                     {score})",
                    discs(score)
                ),
                None => format!(
                    "Black is claimed to get {claimed} discs, but the score of {side} to move is \
                     {proven}"
                ),
            }
        }
        (Statement::Score(bounds), _) => {
            let claimed = BoundsPhrase(*bounds);
            format!("the score of {side} to move is claimed to be {claimed}, and is {proven}")
        }
        (Statement::MoveScore(mv, bounds), _) => {
            let claimed = BoundsPhrase(*bounds);
            format!("{mv} is claimed to lead to {claimed} for {side}, and leads to {proven}")
        }
        (Statement::BestMoves(moves), _) => {
            let (mv, bounds) =
                outcome.inferior_move.or_else(|| Some((*moves.first()?, Bounds::UNKNOWN)))?;
            let score = BoundsPhrase(bounds);
            format!(
                "{mv} is claimed to be a best move for {side}, and leads to {score}; the best \
                 score is {proven}"
            )
        }
    };
    Some(text)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::othello::Move;
    use crate::records::Location;
    use crate::verify::Verdict;

    fn bounds(lower: i32, upper: i32) -> Bounds {
        Bounds { lower: Score::new(lower), upper: Score::new(upper) }
    }

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    fn finding(
        statement: Statement,
        at: LineOrGame,
        proven: Bounds,
        inferior_move: Option<(Move, Bounds)>,
    ) -> Finding {
        let diagram = "---------------------------OX------XO--------------------------- O"
            .parse()
            .expect("a position");
        Finding {
            id: "f:3".to_owned(),
            location: Location { file: "f".into(), at },
            outcome: Ok(ClaimOutcome {
                diagram,
                claim: Some(Claim { column: 8, statement }),
                verdict: Verdict::Refuted,
                proven,
                inferior_move,
                pv: vec![mv("e3"), mv("f3")],
                nodes: 12345,
                time: Duration::ZERO,
                unconfirmed: None,
                comparison: None,
                by_certificate: false,
                refused_certificates: Vec::new(),
            }),
        }
    }

    #[test]
    fn a_refutation_message_has_the_claimed_and_the_true_score() {
        let line = LineOrGame::Line(3);
        let message = |statement, at, proven, inferior_move| {
            finding_message(&finding(statement, at, proven, inferior_move)).expect("a message")
        };
        assert_eq!(
            message(Statement::Score(bounds(4, 4)), line, bounds(-2, -2), None),
            "f:3:8: refuted: the score of O to move is claimed to be +4, and is -2: e3 f3; \
             12,345 nodes"
        );
        assert_eq!(
            message(Statement::MoveScore(mv("e3"), bounds(4, 64)), line, bounds(-64, 2), None),
            "f:3:8: refuted: e3 is claimed to lead to at least +4 for O, and leads to at most +2: \
             e3 f3; 12,345 nodes"
        );
        assert_eq!(
            message(
                Statement::BestMoves(vec![mv("f4")]),
                line,
                bounds(6, 6),
                Some((mv("f4"), bounds(-64, 4)))
            ),
            "f:3:8: refuted: f4 is claimed to be a best move for O, and leads to at most +4; the \
             best score is +6: e3 f3; 12,345 nodes"
        );
        assert_eq!(
            message(Statement::Score(bounds(4, 4)), LineOrGame::Game(3), bounds(-2, -2), None),
            "f#3:8: refuted: Black is claimed to get 30 discs, and gets 33 (O to move, -2): e3 f3; \
             12,345 nodes"
        );
    }

    #[test]
    fn a_claim_has_a_short_text() {
        let text = |statement: Statement, at| {
            let diagram = Diagram { to_move: Colour::White, ..Diagram::START };
            claim_text(&statement, &diagram, at)
        };
        let line = LineOrGame::Line(1);
        assert_eq!(text(Statement::Score(bounds(4, 4)), line), "score +4");
        assert_eq!(text(Statement::Score(bounds(4, 4)), LineOrGame::Game(1)), "Black 30");
        assert_eq!(text(Statement::Score(bounds(-64, -4)), line), "score <=-4");
        assert_eq!(text(Statement::MoveScore(mv("d3"), bounds(0, 0)), line), "d3 +0");
        assert_eq!(text(Statement::BestMoves(vec![mv("d3"), mv("c4")]), line), "best d3 c4");
    }
}
