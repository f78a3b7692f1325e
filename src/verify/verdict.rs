//! From a claim to a verdict, with few and narrow searches.
//!
//! A claim about a score says that the score lies within bounds. Each bound that is not proven yet
//! takes one null-window search: is the score at least the lower bound, and at most the upper? A
//! bound at the end of the scale needs no search, so a one-sided bound costs one null window. An
//! exact score costs one search, whose window contains this score alone. A claim about a move is
//! decided by a search of the position after the move. So wrong scores of inferior moves are found,
//! too; a search of the position itself does not compute them.
//!
//! The results of all searches of an entry are kept ([`ProvenBounds`]). The score of a position is
//! that of its best move, so the result for one claim is often half of the result for the next.
//!
//! This module decides what to search, and does not search. So its tests need no solver.

use std::fmt;

use crate::othello::{Move, Position, Score};
use crate::records::Statement;
use crate::search::{Bounds, Request, Window};

/// The verdict about a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The claim is true.
    Confirmed,
    /// The claim is wrong.
    Refuted,
    /// A limit was reached. The bounds that are proven agree with the claim and are weaker.
    Consistent,
    /// A limit was reached, and nothing is proven.
    Open,
    /// The entry or the claim cannot be read, or the claim is impossible.
    Malformed,
    /// The entry has no claim: it is a position alone, or a prediction.
    Unclaimed,
}

impl Verdict {
    /// All verdicts, in the order of the summary.
    pub const ALL: [Verdict; 6] = [
        Verdict::Confirmed,
        Verdict::Refuted,
        Verdict::Consistent,
        Verdict::Open,
        Verdict::Malformed,
        Verdict::Unclaimed,
    ];

    /// The name of the verdict in findings.
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

/// The move that a statement is about; `None` if it is about the position.
pub fn subject(statement: &Statement) -> Option<Move> {
    match statement {
        Statement::Score(_) | Statement::BestMoves(_) => None,
        Statement::MoveScore(mv, _) => Some(*mv),
    }
}

/// The searches that decide a claim about a position, without regard to what the one finds for the
/// other: of the position after the move, if the claim is about a move.
pub fn requests(statement: &Statement, position: &Position) -> Vec<Request> {
    let searches = match statement {
        Statement::Score(bounds) | Statement::MoveScore(_, bounds) => {
            let (lower, upper) = (bounds.lower, bounds.upper);
            let subject = subject(statement);
            let search = match (lower > Score::MIN, upper < Score::MAX) {
                (false, false) => return Vec::new(),
                (true, false) if lower < Score::MAX => ClaimSearch::at_least(subject, lower),
                (false, true) if upper > Score::MIN => ClaimSearch::at_most(subject, upper),
                _ => ClaimSearch::exact(subject, *bounds),
            };
            vec![search]
        }
        Statement::BestMoves(moves) => {
            let subjects = [None].into_iter().chain(moves.iter().copied().map(Some));
            subjects.map(|subject| ClaimSearch::exact(subject, Bounds::UNKNOWN)).collect()
        }
    };
    searches.iter().map(|search| search.request(position)).collect()
}

/// The proven bounds of a position and of each of its moves. All scores are those of the side to
/// move of the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProvenBounds {
    position: Bounds,
    moves: Vec<(Move, Bounds)>,
}

impl ProvenBounds {
    /// The bounds of a position before any search: those of the scale.
    pub fn unknown(position: &Position) -> ProvenBounds {
        let moves = position
            .moves()
            .into_iter()
            .map(Move::Place)
            .chain(position.must_pass().then_some(Move::Pass));
        ProvenBounds {
            position: Bounds::UNKNOWN,
            moves: moves.map(|mv| (mv, Bounds::UNKNOWN)).collect(),
        }
    }

    /// The bounds of a legal move, or of the position if `subject` is `None`.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn of(&self, subject: Option<Move>) -> Bounds {
        let Some(mv) = subject else { return self.position };
        let entry = self.moves.iter().find(|(other, _)| *other == mv);
        entry.expect("claims are about legal moves").1
    }

    /// Adds proven bounds of a legal move, or of the position if `subject` is `None`. Derives what
    /// follows from them for the position and the other moves.
    pub fn add(&mut self, subject: Option<Move>, bounds: Bounds) {
        match subject {
            None => self.position = intersection(self.position, bounds),
            Some(mv) => {
                for (_, proven) in self.moves.iter_mut().filter(|(other, _)| *other == mv) {
                    *proven = intersection(*proven, bounds);
                }
            }
        }
        // The score of the position is the maximum of its moves' scores. Without moves there is no
        // maximum: the game has ended.
        let maximum =
            |end: fn(Bounds) -> Score| self.moves.iter().map(|&(_, proven)| end(proven)).max();
        if let (Some(lower), Some(upper)) =
            (maximum(|proven| proven.lower), maximum(|proven| proven.upper))
        {
            self.position = intersection(self.position, Bounds { lower, upper });
        }
        for (_, proven) in &mut self.moves {
            proven.upper = proven.upper.min(self.position.upper);
        }
        // If only one move can have the position's score, it has that score.
        let lower = self.position.lower;
        let mut candidates = self.moves.iter_mut().filter(|(_, proven)| proven.upper >= lower);
        if let (Some((_, proven)), None) = (candidates.next(), candidates.next()) {
            proven.lower = proven.lower.max(lower);
        }
    }
}

/// The scores that lie within both bounds. Both are proven, so there is at least one.
fn intersection(one: Bounds, other: Bounds) -> Bounds {
    let bounds = Bounds { lower: one.lower.max(other.lower), upper: one.upper.min(other.upper) };
    debug_assert!(bounds.lower <= bounds.upper, "{one:?} and {other:?} are proven");
    bounds
}

/// A search that a claim needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimSearch {
    /// The legal move whose score is searched; `None` for the score of the position.
    pub subject: Option<Move>,
    /// The window, for the side to move of the position.
    pub window: Window,
}

impl ClaimSearch {
    /// Decides whether the score is at least `score`, which is not the lowest of the scale.
    fn at_least(subject: Option<Move>, score: Score) -> ClaimSearch {
        ClaimSearch::between(subject, score.discs() - 1, score.discs())
    }

    /// Decides whether the score is at most `score`, which is not the highest of the scale.
    fn at_most(subject: Option<Move>, score: Score) -> ClaimSearch {
        ClaimSearch::between(subject, score.discs(), score.discs() + 1)
    }

    /// Finds the exact score if it lies within `bounds`, else proves that it does not.
    pub fn exact(subject: Option<Move>, bounds: Bounds) -> ClaimSearch {
        ClaimSearch::between(subject, bounds.lower.discs() - 1, bounds.upper.discs() + 1)
    }

    fn between(subject: Option<Move>, alpha: i32, beta: i32) -> ClaimSearch {
        let (alpha, beta) = (Score::new(alpha.max(-64)), Score::new(beta.min(64)));
        ClaimSearch { subject, window: Window::new(alpha, beta).expect("alpha is below beta") }
    }

    /// The request to a solver. After a move the opponent is to move, so the window is negated.
    ///
    /// # Panics
    /// If the move is not legal in `position`.
    pub fn request(&self, position: &Position) -> Request {
        let Some(mv) = self.subject else {
            return Request { position: *position, window: self.window, all_moves: false };
        };
        let window = Window::new(-self.window.beta(), -self.window.alpha())
            .expect("a negated window is a window");
        Request {
            position: position.make(mv).expect("the move is legal"),
            window,
            all_moves: false,
        }
    }

    /// Converts the bounds that a solver returned for [`ClaimSearch::request`] to bounds for the
    /// side to move of the position.
    pub fn result(&self, bounds: Bounds) -> Bounds {
        match self.subject {
            None => bounds,
            Some(_) => Bounds { lower: -bounds.upper, upper: -bounds.lower },
        }
    }
}

/// The next step for a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The claim needs this search. Every result of it narrows the proven bounds.
    Search(ClaimSearch),
    /// The claim is confirmed.
    Confirmed,
    /// The claim is refuted: the proven bounds of this move, or of the position if `None`,
    /// contradict it.
    Refuted(Option<Move>),
}

/// The next step for a claim, given the proven bounds.
pub fn next_step(statement: &Statement, proven: &ProvenBounds) -> Step {
    match statement {
        Statement::Score(claimed) => score_step(None, *claimed, proven),
        Statement::MoveScore(mv, claimed) => score_step(Some(*mv), *claimed, proven),
        Statement::BestMoves(moves) => best_moves_step(moves, proven),
    }
}

/// The next step for the claim that the score of `subject` lies within `claimed`.
fn score_step(subject: Option<Move>, claimed: Bounds, proven: &ProvenBounds) -> Step {
    let proven = proven.of(subject);
    if proven.lower > claimed.upper || proven.upper < claimed.lower {
        return Step::Refuted(subject);
    }
    match (proven.lower < claimed.lower, proven.upper > claimed.upper) {
        (false, false) => Step::Confirmed,
        (true, true) if claimed.exact().is_some() => {
            Step::Search(ClaimSearch::exact(subject, claimed))
        }
        (true, _) => Step::Search(ClaimSearch::at_least(subject, claimed.lower)),
        (false, true) => Step::Search(ClaimSearch::at_most(subject, claimed.upper)),
    }
}

/// The next step for the claim that each of `moves` has the score of the position.
fn best_moves_step(moves: &[Move], proven: &ProvenBounds) -> Step {
    let position = proven.of(None);
    let of = |mv: Move| proven.of(Some(mv));
    if let Some(&mv) = moves.iter().find(|&&mv| of(mv).upper < position.lower) {
        return Step::Refuted(Some(mv));
    }
    match (moves.iter().find(|&&mv| of(mv).lower < position.upper), position.exact()) {
        (None, _) => Step::Confirmed,
        (Some(&mv), Some(score)) => Step::Search(ClaimSearch::at_least(Some(mv), score)),
        (Some(_), None) => Step::Search(ClaimSearch::exact(None, position)),
    }
}

/// The verdict about a claim that is neither confirmed nor refuted when a limit is reached:
/// [`Verdict::Consistent`] if bounds of its subject are proven, else [`Verdict::Open`].
pub fn at_limit(statement: &Statement, proven: &ProvenBounds) -> Verdict {
    if proven.of(subject(statement)) == Bounds::UNKNOWN {
        Verdict::Open
    } else {
        Verdict::Consistent
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: Position = Position::START;
    /// Half of each score.
    const SCALE: std::ops::RangeInclusive<i32> = -32..=32;

    fn bounds(lower: i32, upper: i32) -> Bounds {
        Bounds { lower: Score::new(lower), upper: Score::new(upper) }
    }

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    fn search(subject: Option<Move>, alpha: i32, beta: i32) -> Step {
        Step::Search(ClaimSearch {
            subject,
            window: Window::new(Score::new(alpha), Score::new(beta)).expect("a window"),
        })
    }

    fn proven(position: Bounds) -> ProvenBounds {
        let mut proven = ProvenBounds::unknown(&START);
        proven.add(None, position);
        proven
    }

    #[test]
    fn a_claim_gets_the_narrowest_search_that_it_needs() {
        let step = |claimed: Bounds, position: Bounds| {
            next_step(&Statement::Score(claimed), &proven(position))
        };
        let unknown = Bounds::UNKNOWN;
        assert_eq!(
            step(bounds(4, 4), unknown),
            search(None, 3, 5),
            "an exact score: a window that contains it alone"
        );
        assert_eq!(
            step(bounds(4, 64), unknown),
            search(None, 3, 4),
            "a lower bound: one null window"
        );
        assert_eq!(step(bounds(-64, -4), unknown), search(None, -4, -3), "an upper bound");
        assert_eq!(step(bounds(2, 64), unknown), search(None, 1, 2), "a win");
        assert_eq!(
            step(bounds(0, 6), unknown),
            search(None, -1, 0),
            "two bounds, the lower one first"
        );
        assert_eq!(step(bounds(0, 6), bounds(2, 64)), search(None, 6, 7), "then the upper one");
        assert_eq!(
            step(bounds(4, 4), bounds(4, 64)),
            search(None, 4, 5),
            "the lower half is proven"
        );
        assert_eq!(
            step(bounds(64, 64), unknown),
            search(None, 63, 64),
            "the ends of the scale need no search"
        );
        assert_eq!(step(bounds(-64, -64), unknown), search(None, -64, -63));
    }

    #[test]
    fn proven_bounds_decide_without_a_search() {
        let step = |claimed: Bounds, position: Bounds| {
            next_step(&Statement::Score(claimed), &proven(position))
        };
        assert_eq!(step(bounds(4, 4), bounds(4, 4)), Step::Confirmed);
        assert_eq!(step(bounds(2, 64), bounds(4, 8)), Step::Confirmed, "a weaker claim");
        assert_eq!(step(bounds(4, 4), bounds(-64, 2)), Step::Refuted(None));
        assert_eq!(step(bounds(-64, 2), bounds(4, 64)), Step::Refuted(None));
        assert_eq!(
            at_limit(&Statement::Score(bounds(4, 4)), &proven(bounds(2, 64))),
            Verdict::Consistent
        );
        assert_eq!(
            at_limit(&Statement::Score(bounds(4, 4)), &proven(Bounds::UNKNOWN)),
            Verdict::Open
        );
        let of_move = Statement::MoveScore(mv("d3"), bounds(0, 0));
        assert_eq!(
            at_limit(&of_move, &proven(bounds(0, 64))),
            Verdict::Open,
            "no bounds of the move are proven"
        );
    }

    #[test]
    fn bounds_of_a_move_are_those_of_the_side_that_makes_it() {
        let statement = Statement::MoveScore(mv("d3"), bounds(4, 64));
        let Step::Search(search) = next_step(&statement, &ProvenBounds::unknown(&START)) else {
            panic!("nothing is proven")
        };
        let request = search.request(&START);
        assert_eq!(Some(request.position), START.make(mv("d3")));
        assert_eq!((request.window.alpha().discs(), request.window.beta().discs()), (-4, -3));
        assert_eq!(search.result(bounds(-64, -4)), bounds(4, 64));
    }

    #[test]
    fn a_best_move_has_the_score_of_the_position() {
        let statement = Statement::BestMoves(vec![mv("d3"), mv("c4")]);
        let mut proven = ProvenBounds::unknown(&START);
        assert_eq!(
            next_step(&statement, &proven),
            search(None, -64, 64),
            "the score of the position first"
        );
        proven.add(None, bounds(2, 2));
        assert_eq!(next_step(&statement, &proven), search(Some(mv("d3")), 1, 2));
        proven.add(Some(mv("d3")), bounds(2, 64));
        assert_eq!(next_step(&statement, &proven), search(Some(mv("c4")), 1, 2));
        let mut confirmed = proven.clone();
        confirmed.add(Some(mv("c4")), bounds(2, 64));
        assert_eq!(next_step(&statement, &confirmed), Step::Confirmed);
        proven.add(Some(mv("c4")), bounds(-64, 0));
        assert_eq!(
            next_step(&statement, &proven),
            Step::Refuted(Some(mv("c4"))),
            "one of the two is not a best move"
        );
    }

    #[test]
    fn a_position_has_the_score_of_its_best_move() {
        let mut proven = ProvenBounds::unknown(&START);
        proven.add(Some(mv("d3")), bounds(4, 6));
        assert_eq!(proven.of(None), bounds(4, 64), "at least the score of this move");
        for other in ["c4", "f5", "e6"] {
            proven.add(Some(mv(other)), bounds(-64, 0));
        }
        assert_eq!(proven.of(None), bounds(4, 6), "no other move is better");
        proven.add(None, bounds(6, 64));
        assert_eq!(proven.of(Some(mv("d3"))), bounds(6, 6), "no other move can have that score");
        let pass: crate::othello::Diagram =
            "-XXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X"
                .parse()
                .expect("a position");
        let mut proven = ProvenBounds::unknown(&pass.position);
        proven.add(None, bounds(-64, -64));
        assert_eq!(
            proven.of(Some(Move::Pass)),
            bounds(-64, -64),
            "a pass has the score of the position"
        );
    }

    /// The bounds that a solver returns for a score and a window. The ends of the scale lie within
    /// the window.
    fn solver_bounds(score: i32, window: Window) -> Bounds {
        let (alpha, beta) = (window.alpha().discs(), window.beta().discs());
        if alpha > -64 && score <= alpha {
            bounds(-64, alpha - (alpha & 1))
        } else if beta < 64 && score >= beta {
            bounds(beta + (beta & 1), 64)
        } else {
            bounds(score, score)
        }
    }

    proptest! {
        /// Whatever the scores are: a true claim is confirmed and a wrong claim refuted, after at
        /// most six searches.
        #[test]
        fn every_claim_is_confirmed_or_refuted(
            scores in prop::array::uniform4(SCALE),
            (one, two) in (SCALE, SCALE),
            about in 0usize..5,
            best: u8,
        ) {
            let moves = ["d3", "c4", "f5", "e6"].map(mv);
            let index = |mv| moves.iter().position(|&other| other == mv).expect("a move");
            let score_of = |subject: Option<Move>| match subject {
                None => 2 * scores.iter().copied().max().expect("four moves"),
                Some(mv) => 2 * scores[index(mv)],
            };
            let claimed = bounds(2 * one.min(two), 2 * one.max(two));
            let best_moves: Vec<Move> =
                (0..4).filter(|bit| best >> bit & 1 == 1).map(|bit| moves[bit]).collect();
            let holds =
                |subject| (claimed.lower..=claimed.upper).contains(&Score::new(score_of(subject)));
            let (statement, is_true) = match about {
                0 => (Statement::Score(claimed), holds(None)),
                4 => {
                    let is_true =
                        best_moves.iter().all(|&mv| score_of(Some(mv)) == score_of(None));
                    (Statement::BestMoves(best_moves), is_true)
                }
                _ => (Statement::MoveScore(moves[about], claimed), holds(Some(moves[about]))),
            };
            let mut proven = ProvenBounds::unknown(&START);
            let mut searches = 0;
            let confirmed = loop {
                match next_step(&statement, &proven) {
                    Step::Search(search) => {
                        let score = score_of(search.subject);
                        proven.add(search.subject, solver_bounds(score, search.window));
                        searches += 1;
                        prop_assert!(searches <= 6, "{statement:?} takes too many searches");
                    }
                    Step::Confirmed => break true,
                    Step::Refuted(_) => break false,
                }
            };
            prop_assert_eq!(confirmed, is_true);
        }
    }
}
