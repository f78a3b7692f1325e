//! The result of one claim.

use std::fmt;
use std::time::Duration;

use super::claim_register::Comparison;
use super::verdict::Verdict;
use crate::othello::{Diagram, Move, Score};
use crate::records::{Claim, Entry, LineOrGame, Location, ReadError, Statement};
use crate::search::Bounds;

/// The kind of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimKind {
    /// The exact score of a position.
    Score,
    /// The exact score of a move.
    MoveScore,
    /// A lower bound of a score. A win is the lower bound +2.
    Lower,
    /// An upper bound of a score. A loss is the upper bound -2.
    Upper,
    /// A lower and an upper bound of a score.
    Between,
    /// Moves whose score is the score of the position.
    BestMove,
    /// Black's discs at the end of perfect play, as in a WTHOR database.
    Discs,
}

impl ClaimKind {
    /// All kinds, in the order of the summary.
    pub const ALL: [ClaimKind; 7] = [
        ClaimKind::Score,
        ClaimKind::MoveScore,
        ClaimKind::Lower,
        ClaimKind::Upper,
        ClaimKind::Between,
        ClaimKind::BestMove,
        ClaimKind::Discs,
    ];

    /// The kind of a statement at this line or game (`at`) of a file. An exact score of a game's
    /// position is a number of discs in the file.
    pub fn of(statement: &Statement, at: LineOrGame) -> ClaimKind {
        let bounds = match statement {
            Statement::BestMoves(_) => return ClaimKind::BestMove,
            Statement::Score(bounds) | Statement::MoveScore(_, bounds) => *bounds,
        };
        match (bounds.exact(), statement, at) {
            (Some(_), Statement::Score(_), LineOrGame::Game(_)) => ClaimKind::Discs,
            (Some(_), Statement::Score(_), LineOrGame::Line(_)) => ClaimKind::Score,
            (Some(_), ..) => ClaimKind::MoveScore,
            (None, ..) if bounds.upper == Score::MAX => ClaimKind::Lower,
            (None, ..) if bounds.lower == Score::MIN => ClaimKind::Upper,
            (None, ..) => ClaimKind::Between,
        }
    }

    /// The name of the kind in findings.
    pub const fn name(self) -> &'static str {
        match self {
            ClaimKind::Score => "score",
            ClaimKind::MoveScore => "score of a move",
            ClaimKind::Lower => "lower bound",
            ClaimKind::Upper => "upper bound",
            ClaimKind::Between => "two bounds",
            ClaimKind::BestMove => "best move",
            ClaimKind::Discs => "discs of Black",
        }
    }
}

impl fmt::Display for ClaimKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The result of one claim, of an entry without a claim, or of an entry or a claim that cannot be
/// read.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The entry's identifier.
    pub id: String,
    /// The location of the entry.
    pub location: Location,
    /// The verdict and its grounds, or the error if the entry or the claim cannot be read.
    pub outcome: Result<ClaimOutcome, ReadError>,
}

impl Finding {
    /// A finding about an entry.
    pub(super) fn of(entry: &Entry, outcome: Result<ClaimOutcome, ReadError>) -> Finding {
        Finding { id: entry.id.clone(), location: entry.location.clone(), outcome }
    }

    /// The finding about an entry without a claim, or about one that cannot be read.
    pub(super) fn without_claim(entry: &Entry) -> Finding {
        let outcome = entry.problem.as_ref().map_err(Clone::clone);
        Finding::of(entry, outcome.map(|problem| ClaimOutcome::unclaimed(problem.diagram)))
    }

    /// The findings about the claims of an entry that cannot be read.
    pub(super) fn malformed(entry: &Entry) -> impl Iterator<Item = Finding> + '_ {
        let claims = entry.problem.as_ref().map_or(&[][..], |problem| &problem.malformed);
        claims.iter().map(|claim| Finding::of(entry, Err(claim.error(&entry.location))))
    }

    /// The column of the claim, or of the error. 0 for an entry without a claim.
    pub(super) fn column(&self) -> usize {
        match &self.outcome {
            Ok(outcome) => outcome.claim.as_ref().map_or(0, |claim| claim.column),
            Err(error) => error.column,
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.outcome.as_ref().map_or(Verdict::Malformed, |outcome| outcome.verdict)
    }

    /// The kind of the claim, if there is one.
    pub fn kind(&self) -> Option<ClaimKind> {
        let claim = self.outcome.as_ref().ok()?.claim.as_ref()?;
        Some(ClaimKind::of(&claim.statement, self.location.at))
    }
}

/// The verdict about a claim, and the search results that it rests on. All scores are those of the
/// side to move of the position.
#[derive(Clone, PartialEq, Debug)]
pub struct ClaimOutcome {
    /// The position.
    pub diagram: Diagram,
    /// The claim, if there is one.
    pub claim: Option<Claim>,
    /// The verdict.
    pub verdict: Verdict,
    /// The proven bounds of the claim's subject: of the move in a claim about the score of a move,
    /// else of the position.
    pub proven: Bounds,
    /// In a refuted claim about best moves: the first claimed move that is not a best move, and its
    /// proven bounds.
    pub inferior_move: Option<(Move, Bounds)>,
    /// The principal variation if the score is exact, else at most the move that proves a bound. It
    /// begins with the move that the claim is about, if there is one.
    pub pv: Vec<Move>,
    /// The nodes of all searches for the claim, the second search included.
    pub nodes: u64,
    /// The time of these searches.
    pub time: Duration,
    /// Set if the first search refuted the claim and the second did not.
    pub unconfirmed: Option<Unconfirmed>,
    /// The comparison with the earlier claims about the same position; none if there are none.
    pub comparison: Option<Comparison>,
    /// Whether the checker alone has confirmed the claim, by certificates, without a search.
    pub by_certificate: bool,
    /// The certificates that the checker has refused, and why. The claim was searched.
    pub refused_certificates: Vec<String>,
}

impl ClaimOutcome {
    /// The outcome for a position about which nothing is claimed.
    pub(super) fn unclaimed(diagram: Diagram) -> ClaimOutcome {
        ClaimOutcome {
            diagram,
            claim: None,
            verdict: Verdict::Unclaimed,
            proven: Bounds::UNKNOWN,
            inferior_move: None,
            pv: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
            unconfirmed: None,
            comparison: None,
            by_certificate: false,
            refused_certificates: Vec::new(),
        }
    }
}

/// The reason why the second search did not confirm a refutation. The second search runs on one
/// thread and begins with an empty table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unconfirmed {
    /// It reached a limit.
    LimitReached,
    /// It confirmed the claim. One of the two searches is wrong, which is a bug in Yose.
    Disagreement,
}

impl fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unconfirmed::LimitReached => {
                "refuted once; the second search, with an empty table, reached a limit"
            }
            Unconfirmed::Disagreement => {
                "two searches disagree: this is a fault of yose, please report it"
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_claim_follows_from_its_bounds_and_its_location() {
        let bounds = |lower, upper| Bounds { lower: Score::new(lower), upper: Score::new(upper) };
        let (line, game) = (LineOrGame::Line(1), LineOrGame::Game(1));
        let kind = |lower, upper, at| ClaimKind::of(&Statement::Score(bounds(lower, upper)), at);
        assert_eq!(
            [kind(2, 2, line), kind(2, 2, game), kind(2, 64, line)],
            [ClaimKind::Score, ClaimKind::Discs, ClaimKind::Lower]
        );
        assert_eq!(
            [kind(-64, -2, line), kind(-2, 2, line), kind(64, 64, line)],
            [ClaimKind::Upper, ClaimKind::Between, ClaimKind::Score]
        );
        assert_eq!(
            ClaimKind::of(&Statement::MoveScore(Move::Pass, bounds(2, 2)), line),
            ClaimKind::MoveScore
        );
        assert_eq!(
            ClaimKind::of(&Statement::MoveScore(Move::Pass, bounds(2, 64)), line),
            ClaimKind::Lower
        );
    }
}
