//! A claim and what is true, in the words of the format that makes the claim.
//!
//! Most formats give scores seen by the side to move; a WTHOR database gives discs of Black.
//! Whoever looks the claim up in its file finds it there as it is told here.

use std::fmt;

use super::finding::{Examined, Finding, Kind};
use crate::othello::{Colour, Diagram, Score};
use crate::records::output::{bounds_text, moves_text, readable};
use crate::records::{LineOrGame, Statement};
use crate::search::Bounds;

/// A claim in a few words: `score +18`, `h5 +6`, `score >=+4`, `best h5`, `Black 33`.
pub fn claim_text(statement: &Statement, diagram: &Diagram, at: LineOrGame) -> String {
    match statement {
        Statement::Score(bounds) => match (Kind::of(statement, at), bounds.exact()) {
            (Kind::Discs, Some(score)) => format!("Black {}", discs(score, diagram)),
            _ => format!("score {}", bounds_text(*bounds)),
        },
        Statement::MoveScore(mv, bounds) => format!("{mv} {}", bounds_text(*bounds)),
        Statement::BestMoves(moves) => format!("best {}", moves_text(moves)),
    }
}

/// What is proven of the same, in the same words.
pub fn proven_text(examined: &Examined, kind: Option<Kind>) -> String {
    match (kind, examined.proven.exact()) {
        (Some(Kind::Discs), Some(score)) => format!("Black {}", discs(score, &examined.diagram)),
        _ => bounds_text(examined.proven),
    }
}

/// Black's discs at the end, empties to the winner, of a score for the side to move.
fn discs(score: Score, diagram: &Diagram) -> i32 {
    let black = if diagram.to_move == Colour::Black { score } else { -score };
    32 + black.discs() / 2
}

/// A score as one speaks of it: `+4`, `at least +4`, `at most -4`, `from -2 to +4`.
struct Spoken(Bounds);

impl fmt::Display for Spoken {
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

/// What a finding that is worth a word on standard error says: `file:line:column: refuted: ...`.
pub fn sentence(finding: &Finding) -> Option<String> {
    let examined = match &finding.outcome {
        Err(error) => return Some(error.to_string()),
        Ok(examined) => examined,
    };
    let claim = examined.claim.as_ref()?;
    let place = format!("{}:{}", finding.location, claim.column);
    if let Some(note) = examined.note {
        return Some(format!("{place}: {}: {note}", examined.verdict));
    }
    let side = examined.diagram.to_move;
    let proven = Spoken(examined.proven);
    let truth = match (&claim.statement, finding.kind()) {
        (Statement::Score(bounds), Some(Kind::Discs)) => {
            let of = |score: Score| discs(score, &examined.diagram);
            let claimed = bounds.exact().map_or(0, of);
            match examined.proven.exact() {
                Some(score) => {
                    format!(
                        "Black is claimed to get {claimed} discs, and gets {} ({side} to move, {score})",
                        of(score)
                    )
                }
                None => format!(
                    "Black is claimed to get {claimed} discs, but the score of {side} to move is {proven}"
                ),
            }
        }
        (Statement::Score(bounds), _) => {
            format!(
                "the score of {side} to move is claimed to be {}, and is {proven}",
                Spoken(*bounds)
            )
        }
        (Statement::MoveScore(mv, bounds), _) => {
            format!(
                "{mv} is claimed to lead to {} for {side}, and leads to {proven}",
                Spoken(*bounds)
            )
        }
        (Statement::BestMoves(moves), _) => {
            let (mv, score) =
                examined.lesser.or_else(|| Some((*moves.first()?, Bounds::UNKNOWN)))?;
            format!(
                "{mv} is claimed to be a best move for {side}, and leads to {}, where {proven} can be had",
                Spoken(score)
            )
        }
    };
    let line = if examined.line.is_empty() {
        String::new()
    } else {
        format!(": {}", moves_text(&examined.line))
    };
    Some(format!("{place}: refuted: {truth}{line}; {} nodes", readable(examined.nodes)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::othello::Move;
    use crate::records::{Claim, Location};
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
        lesser: Option<(Move, Bounds)>,
    ) -> Finding {
        let diagram = "---------------------------OX------XO--------------------------- O"
            .parse()
            .expect("a position");
        Finding {
            id: "f:3".to_owned(),
            location: Location { file: "f".into(), at },
            outcome: Ok(Examined {
                diagram,
                claim: Some(Claim { column: 8, statement }),
                verdict: Verdict::Refuted,
                proven,
                lesser,
                line: vec![mv("e3"), mv("f3")],
                nodes: 12345,
                time: Duration::ZERO,
                note: None,
                relation: None,
            }),
        }
    }

    #[test]
    fn a_refutation_says_what_was_claimed_and_what_is_true() {
        let line = LineOrGame::Line(3);
        let told = |statement, at, proven, lesser| {
            sentence(&finding(statement, at, proven, lesser)).expect("words")
        };
        assert_eq!(
            told(Statement::Score(bounds(4, 4)), line, bounds(-2, -2), None),
            "f:3:8: refuted: the score of O to move is claimed to be +4, and is -2: e3 f3; 12,345 nodes"
        );
        assert_eq!(
            told(Statement::MoveScore(mv("e3"), bounds(4, 64)), line, bounds(-64, 2), None),
            "f:3:8: refuted: e3 is claimed to lead to at least +4 for O, and leads to at most +2: e3 f3; 12,345 nodes"
        );
        assert_eq!(
            told(
                Statement::BestMoves(vec![mv("f4")]),
                line,
                bounds(6, 6),
                Some((mv("f4"), bounds(-64, 4)))
            ),
            "f:3:8: refuted: f4 is claimed to be a best move for O, and leads to at most +4, where +6 can be \
             had: e3 f3; 12,345 nodes"
        );
        assert_eq!(
            told(Statement::Score(bounds(4, 4)), LineOrGame::Game(3), bounds(-2, -2), None),
            "f#3:8: refuted: Black is claimed to get 30 discs, and gets 33 (O to move, -2): e3 f3; 12,345 nodes"
        );
    }

    #[test]
    fn a_claim_fits_in_a_few_words() {
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
