//! What came of a claim, and of all of them.

use std::fmt;
use std::time::Duration;

use super::register::Relation;
use crate::othello::{Diagram, Move, Score};
use crate::records::{Claim, LineOrGame, Location, ReadError, Statement};
use crate::search::Bounds;

/// The verdict about a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is true.
    Confirmed,
    /// It is wrong.
    Refuted,
    /// A limit was reached, and what is proven by then agrees with it, but is weaker.
    Consistent,
    /// A limit was reached, and nothing is proven.
    Open,
    /// The line cannot be read, or claims what cannot be: nothing can be said of it.
    Malformed,
    /// The entry claims nothing: a position alone, or a prediction.
    Unclaimed,
}

impl Verdict {
    /// All of them, the order being that of a summary.
    pub const ALL: [Verdict; 6] = [
        Verdict::Confirmed,
        Verdict::Refuted,
        Verdict::Consistent,
        Verdict::Open,
        Verdict::Malformed,
        Verdict::Unclaimed,
    ];

    /// The word that findings have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Refuted => "refuted",
            Verdict::Consistent => "consistent",
            Verdict::Open => "open",
            Verdict::Malformed => "malformed",
            Verdict::Unclaimed => "unclaimed",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What sort of claim it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The exact score of a position.
    Score,
    /// The exact score of a move.
    MoveScore,
    /// That a score is at least some number; a win is at least +2.
    Lower,
    /// That a score is at most some number; a loss is at most -2.
    Upper,
    /// Both.
    Between,
    /// That moves keep the score of the position.
    BestMove,
    /// The discs of Black at the end of perfect play, as a WTHOR database has them.
    Discs,
}

impl Kind {
    /// All of them, the order being that of a summary.
    pub const ALL: [Kind; 7] = [
        Kind::Score,
        Kind::MoveScore,
        Kind::Lower,
        Kind::Upper,
        Kind::Between,
        Kind::BestMove,
        Kind::Discs,
    ];

    /// The sort of a statement that stands at this line or game of a file.
    pub fn of(statement: &Statement, at: LineOrGame) -> Kind {
        let bounds = match statement {
            Statement::BestMoves(_) => return Kind::BestMove,
            Statement::Score(bounds) | Statement::MoveScore(_, bounds) => *bounds,
        };
        match (bounds.exact(), statement, at) {
            (Some(_), Statement::Score(_), LineOrGame::Game(_)) => Kind::Discs,
            (Some(_), Statement::Score(_), LineOrGame::Line(_)) => Kind::Score,
            (Some(_), ..) => Kind::MoveScore,
            (None, ..) if bounds.upper == Score::MAX => Kind::Lower,
            (None, ..) if bounds.lower == Score::MIN => Kind::Upper,
            (None, ..) => Kind::Between,
        }
    }

    /// The words that findings have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Score => "score",
            Kind::MoveScore => "score of a move",
            Kind::Lower => "lower bound",
            Kind::Upper => "upper bound",
            Kind::Between => "two bounds",
            Kind::BestMove => "best move",
            Kind::Discs => "discs of Black",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What came of one claim, of an entry that claims nothing, or of one that cannot be read.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The entry's identifier.
    pub id: String,
    /// Where the entry stands.
    pub location: Location,
    /// The answer, or why there is none.
    pub outcome: Result<Examined, ReadError>,
}

impl Finding {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.outcome.as_ref().map_or(Verdict::Malformed, |examined| examined.verdict)
    }

    /// The sort of the claim, if there is one.
    pub fn kind(&self) -> Option<Kind> {
        let claim = self.outcome.as_ref().ok()?.claim.as_ref()?;
        Some(Kind::of(&claim.statement, self.location.at))
    }
}

/// A claim with its verdict, and what the verdict rests on. All scores are seen by the side to move
/// of the position.
#[derive(Clone, PartialEq, Debug)]
pub struct Examined {
    /// The position.
    pub diagram: Diagram,
    /// What is claimed of it, if anything.
    pub claim: Option<Claim>,
    /// The verdict.
    pub verdict: Verdict,
    /// What is proven of the move that the claim is about, or of the position. For a claim about
    /// best moves that is the position.
    pub proven: Bounds,
    /// Of a refuted claim about best moves: the first move that is not one, and what is proven of
    /// it.
    pub lesser: Option<(Move, Bounds)>,
    /// Perfect play by both sides from the position on, beginning with the move that the claim is
    /// about: known where the score is exact. Else no more than the move that proves a bound.
    pub line: Vec<Move>,
    /// Nodes searched.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// What else is to be said of it.
    pub note: Option<Note>,
    /// How it stands to what was claimed of the same position before.
    pub relation: Option<Relation>,
}

/// What is to be said of a verdict beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// It was refuted, but the second search, on one thread with an empty table, reached a limit
    /// before it could say so too.
    NotRepeated,
    /// It was refuted, and the second search confirmed it. One of the two is wrong, so Yose is.
    Disagreement,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Note::NotRepeated => {
                "refuted once; the second search, with an empty table, reached a limit"
            }
            Note::Disagreement => {
                "two searches disagree: this is a fault of yose, please report it"
            }
        })
    }
}

/// Findings, counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    claims: [[u64; Verdict::ALL.len()]; Kind::ALL.len()],
    /// Entries that cannot be read.
    pub malformed: u64,
    /// Entries that claim nothing.
    pub unclaimed: u64,
    /// Claims that were made of the same position before, by the way of [`Relation`].
    pub repeated: u64,
    /// Claims that cannot be true together with an earlier one.
    pub contradictions: u64,
    /// Nodes searched.
    pub nodes: u64,
}

impl Tally {
    /// Counts a finding in.
    pub fn add(&mut self, finding: &Finding) {
        let Ok(examined) = &finding.outcome else {
            self.malformed += 1;
            return;
        };
        self.nodes += examined.nodes;
        match &examined.relation {
            None => {}
            Some(Relation::Contradicts { .. }) => self.contradictions += 1,
            Some(_) => self.repeated += 1,
        }
        match finding.kind() {
            Some(kind) => self.claims[kind as usize][examined.verdict as usize] += 1,
            None => self.unclaimed += 1,
        }
    }

    /// How many claims of one sort have this verdict.
    pub fn count(&self, kind: Kind, verdict: Verdict) -> u64 {
        self.claims[kind as usize][verdict as usize]
    }

    /// How many claims have this verdict.
    pub fn with(&self, verdict: Verdict) -> u64 {
        Kind::ALL.iter().map(|&kind| self.count(kind, verdict)).sum()
    }

    /// How many claims there are.
    pub fn claims(&self) -> u64 {
        self.claims.iter().flatten().sum()
    }

    /// How many findings there are.
    pub fn findings(&self) -> u64 {
        self.claims() + self.malformed + self.unclaimed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sort_of_a_claim_is_told_by_its_bounds_and_its_place() {
        let bounds = |lower, upper| Bounds { lower: Score::new(lower), upper: Score::new(upper) };
        let (line, game) = (LineOrGame::Line(1), LineOrGame::Game(1));
        let kind = |lower, upper, at| Kind::of(&Statement::Score(bounds(lower, upper)), at);
        assert_eq!(
            [kind(2, 2, line), kind(2, 2, game), kind(2, 64, line)],
            [Kind::Score, Kind::Discs, Kind::Lower]
        );
        assert_eq!(
            [kind(-64, -2, line), kind(-2, 2, line), kind(64, 64, line)],
            [Kind::Upper, Kind::Between, Kind::Score]
        );
        assert_eq!(
            Kind::of(&Statement::MoveScore(Move::Pass, bounds(2, 2)), line),
            Kind::MoveScore
        );
        assert_eq!(Kind::of(&Statement::MoveScore(Move::Pass, bounds(2, 64)), line), Kind::Lower);
    }

    #[test]
    fn words_stand_in_the_order_in_which_they_are_counted() {
        for (place, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
        }
        for (place, verdict) in Verdict::ALL.into_iter().enumerate() {
            assert_eq!(verdict as usize, place);
        }
    }
}
