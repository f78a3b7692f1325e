//! From a claim to a verdict, by as few and as narrow questions as it takes.
//!
//! A claim about a score says that it lies within bounds. What is not known yet is asked with a
//! null window at each bound: *is it at least the lower one?* and *is it at most the upper one?* A
//! bound at the end of the scale needs no question, so a one-sided bound costs one null window; an
//! exact score, whose bounds meet, costs one window that holds this score alone. A claim about a
//! move is asked of the position after it, so that wrong scores of lesser moves come to light,
//! which a search of the position never looks at.
//!
//! Answers are kept for the whole entry ([`Known`]): the score of a position is that of its best
//! move, so one claim's answer is often half of the next one's.
//!
//! Nothing here searches, so every rule is tested without it.

use super::Verdict;
use crate::othello::{Move, Position, Score};
use crate::records::Statement;
use crate::search::{Bounds, Request, Window};

/// What is proven of a position and of each of its moves. All scores are seen by the side to move
/// of the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    whole: Bounds,
    moves: Vec<(Move, Bounds)>,
}

impl Known {
    /// Nothing, of a position.
    pub fn nothing(position: &Position) -> Known {
        let moves = position
            .moves()
            .into_iter()
            .map(Move::Place)
            .chain(position.must_pass().then_some(Move::Pass));
        Known { whole: Bounds::UNKNOWN, moves: moves.map(|mv| (mv, Bounds::UNKNOWN)).collect() }
    }

    /// What is proven of a legal move, or, without one, of the position.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn of(&self, about: Option<Move>) -> Bounds {
        let Some(mv) = about else { return self.whole };
        let known = self.moves.iter().find(|(other, _)| *other == mv);
        known.expect("claims are about legal moves").1
    }

    /// Notes what was proven, and what follows from it for the others.
    pub fn note(&mut self, about: Option<Move>, bounds: Bounds) {
        match about {
            None => self.whole = both(self.whole, bounds),
            Some(mv) => {
                for (_, known) in self.moves.iter_mut().filter(|(other, _)| *other == mv) {
                    *known = both(*known, bounds);
                }
            }
        }
        // The position's score is the highest of its moves'. Without moves the game is over.
        let highest =
            |of: fn(Bounds) -> Score| self.moves.iter().map(|&(_, known)| of(known)).max();
        if let (Some(lower), Some(upper)) =
            (highest(|known| known.lower), highest(|known| known.upper))
        {
            self.whole = both(self.whole, Bounds { lower, upper });
        }
        for (_, known) in &mut self.moves {
            known.upper = known.upper.min(self.whole.upper);
        }
        // If one move alone can reach the position's score, it does.
        let lower = self.whole.lower;
        let mut able = self.moves.iter_mut().filter(|(_, known)| known.upper >= lower);
        if let (Some((_, known)), None) = (able.next(), able.next()) {
            known.lower = known.lower.max(lower);
        }
    }
}

/// What lies within both.
fn both(one: Bounds, other: Bounds) -> Bounds {
    let bounds = Bounds { lower: one.lower.max(other.lower), upper: one.upper.min(other.upper) };
    debug_assert!(bounds.lower <= bounds.upper, "{one:?} and {other:?} are proven");
    bounds
}

/// What the search is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// About which legal move; none means the position.
    pub about: Option<Move>,
    /// Between which scores the answer is to be exact, seen by the side to move of the position.
    pub window: Window,
}

impl Question {
    /// Whether the score is at least `score`, which is above the lowest.
    fn at_least(about: Option<Move>, score: Score) -> Question {
        Question::between(about, score.discs() - 1, score.discs())
    }

    /// Whether the score is at most `score`, which is below the highest.
    fn at_most(about: Option<Move>, score: Score) -> Question {
        Question::between(about, score.discs(), score.discs() + 1)
    }

    /// The score, of which some bounds are known.
    pub fn exact(about: Option<Move>, known: Bounds) -> Question {
        Question::between(about, known.lower.discs() - 1, known.upper.discs() + 1)
    }

    fn between(about: Option<Move>, alpha: i32, beta: i32) -> Question {
        let (alpha, beta) = (Score::new(alpha.max(-64)), Score::new(beta.min(64)));
        Question { about, window: Window::new(alpha, beta).expect("a window has two edges") }
    }

    /// The same as a request to a solver. After a move it is the other side's turn, so the window
    /// is turned round.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn request(&self, position: &Position) -> Request {
        let Some(mv) = self.about else {
            return Request { position: *position, window: self.window, all_moves: false };
        };
        let window = Window::new(-self.window.beta(), -self.window.alpha())
            .expect("a window turned round is a window");
        Request {
            position: position.make(mv).expect("questions are about legal moves"),
            window,
            all_moves: false,
        }
    }

    /// A solver's answer, seen by the side to move of the position again.
    pub fn answer(&self, bounds: Bounds) -> Bounds {
        match self.about {
            None => bounds,
            Some(_) => Bounds { lower: -bounds.upper, upper: -bounds.lower },
        }
    }
}

/// What is to be done next about a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// To ask this. The answer leads on, whatever it is.
    Ask(Question),
    /// Nothing: it is confirmed.
    Confirmed,
    /// Nothing: it is refuted. Of this move, or of the position, something else was claimed than is
    /// proven.
    Refuted(Option<Move>),
}

/// What is to be done next about a claim, given what is known.
pub fn next(statement: &Statement, known: &Known) -> Step {
    match statement {
        Statement::Score(claimed) => within(None, *claimed, known),
        Statement::MoveScore(mv, claimed) => within(Some(*mv), *claimed, known),
        Statement::BestMoves(moves) => best(moves, known),
    }
}

fn within(about: Option<Move>, claimed: Bounds, known: &Known) -> Step {
    let known = known.of(about);
    if known.lower > claimed.upper || known.upper < claimed.lower {
        return Step::Refuted(about);
    }
    match (known.lower < claimed.lower, known.upper > claimed.upper) {
        (false, false) => Step::Confirmed,
        (true, true) if claimed.exact().is_some() => Step::Ask(Question::exact(about, claimed)),
        (true, _) => Step::Ask(Question::at_least(about, claimed.lower)),
        (false, true) => Step::Ask(Question::at_most(about, claimed.upper)),
    }
}

/// Each of these moves is said to keep the position's score.
fn best(moves: &[Move], known: &Known) -> Step {
    let whole = known.of(None);
    let of = |mv: Move| known.of(Some(mv));
    if let Some(&mv) = moves.iter().find(|&&mv| of(mv).upper < whole.lower) {
        return Step::Refuted(Some(mv));
    }
    match (moves.iter().find(|&&mv| of(mv).lower < whole.upper), whole.exact()) {
        (None, _) => Step::Confirmed,
        (Some(&mv), Some(score)) => Step::Ask(Question::at_least(Some(mv), score)),
        (Some(_), None) => Step::Ask(Question::exact(None, whole)),
    }
}

/// The verdict about a claim that could not be settled within the limits, given what is known:
/// whether something was proven of what it is about, all of which agrees with it.
pub fn unsettled(statement: &Statement, known: &Known) -> Verdict {
    let about = match statement {
        Statement::Score(_) | Statement::BestMoves(_) => None,
        Statement::MoveScore(mv, _) => Some(*mv),
    };
    if known.of(about) == Bounds::UNKNOWN { Verdict::Open } else { Verdict::Consistent }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: Position = Position::START;
    const SCALE: std::ops::RangeInclusive<i32> = -32..=32;

    fn bounds(lower: i32, upper: i32) -> Bounds {
        Bounds { lower: Score::new(lower), upper: Score::new(upper) }
    }

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    fn asked(about: Option<Move>, alpha: i32, beta: i32) -> Step {
        Step::Ask(Question {
            about,
            window: Window::new(Score::new(alpha), Score::new(beta)).expect("a window"),
        })
    }

    fn known(whole: Bounds) -> Known {
        let mut known = Known::nothing(&START);
        known.note(None, whole);
        known
    }

    #[test]
    fn a_claim_asks_only_what_it_needs() {
        let first =
            |claimed: Bounds, whole: Bounds| next(&Statement::Score(claimed), &known(whole));
        let nothing = Bounds::UNKNOWN;
        assert_eq!(
            first(bounds(4, 4), nothing),
            asked(None, 3, 5),
            "an exact score: one window about it"
        );
        assert_eq!(
            first(bounds(4, 64), nothing),
            asked(None, 3, 4),
            "a lower bound: one null window"
        );
        assert_eq!(first(bounds(-64, -4), nothing), asked(None, -4, -3), "an upper bound");
        assert_eq!(first(bounds(2, 64), nothing), asked(None, 1, 2), "a win");
        assert_eq!(
            first(bounds(0, 6), nothing),
            asked(None, -1, 0),
            "two bounds, the lower one first"
        );
        assert_eq!(first(bounds(0, 6), bounds(2, 64)), asked(None, 6, 7), "then the upper one");
        assert_eq!(first(bounds(4, 4), bounds(4, 64)), asked(None, 4, 5), "half of it is known");
        assert_eq!(first(bounds(64, 64), nothing), asked(None, 63, 64), "the ends of the scale");
        assert_eq!(first(bounds(-64, -64), nothing), asked(None, -64, -63));
    }

    #[test]
    fn what_is_known_decides() {
        let first =
            |claimed: Bounds, whole: Bounds| next(&Statement::Score(claimed), &known(whole));
        assert_eq!(first(bounds(4, 4), bounds(4, 4)), Step::Confirmed);
        assert_eq!(first(bounds(2, 64), bounds(4, 8)), Step::Confirmed, "a weaker claim");
        assert_eq!(first(bounds(4, 4), bounds(-64, 2)), Step::Refuted(None));
        assert_eq!(first(bounds(-64, 2), bounds(4, 64)), Step::Refuted(None));
        assert_eq!(
            unsettled(&Statement::Score(bounds(4, 4)), &known(bounds(2, 64))),
            Verdict::Consistent
        );
        assert_eq!(
            unsettled(&Statement::Score(bounds(4, 4)), &known(Bounds::UNKNOWN)),
            Verdict::Open
        );
        let of_move = Statement::MoveScore(mv("d3"), bounds(0, 0));
        assert_eq!(
            unsettled(&of_move, &known(bounds(0, 64))),
            Verdict::Open,
            "nothing is known of the move"
        );
    }

    #[test]
    fn a_move_is_seen_by_the_side_that_makes_it() {
        let statement = Statement::MoveScore(mv("d3"), bounds(4, 64));
        let Step::Ask(question) = next(&statement, &Known::nothing(&START)) else {
            panic!("nothing is known")
        };
        let request = question.request(&START);
        assert_eq!(Some(request.position), START.make(mv("d3")));
        assert_eq!((request.window.alpha().discs(), request.window.beta().discs()), (-4, -3));
        assert_eq!(question.answer(bounds(-64, -4)), bounds(4, 64));
    }

    #[test]
    fn a_best_move_is_one_that_keeps_the_score() {
        let statement = Statement::BestMoves(vec![mv("d3"), mv("c4")]);
        let mut known = Known::nothing(&START);
        assert_eq!(next(&statement, &known), asked(None, -64, 64), "the score first");
        known.note(None, bounds(2, 2));
        assert_eq!(next(&statement, &known), asked(Some(mv("d3")), 1, 2));
        known.note(Some(mv("d3")), bounds(2, 64));
        assert_eq!(next(&statement, &known), asked(Some(mv("c4")), 1, 2));
        let mut right = known.clone();
        right.note(Some(mv("c4")), bounds(2, 64));
        assert_eq!(next(&statement, &right), Step::Confirmed);
        known.note(Some(mv("c4")), bounds(-64, 0));
        assert_eq!(
            next(&statement, &known),
            Step::Refuted(Some(mv("c4"))),
            "one of the two is not"
        );
    }

    #[test]
    fn a_position_is_worth_its_best_move() {
        let mut known = Known::nothing(&START);
        known.note(Some(mv("d3")), bounds(4, 6));
        assert_eq!(known.of(None), bounds(4, 64), "it has this move at least");
        for other in ["c4", "f5", "e6"] {
            known.note(Some(mv(other)), bounds(-64, 0));
        }
        assert_eq!(known.of(None), bounds(4, 6), "and no other");
        known.note(None, bounds(6, 64));
        assert_eq!(known.of(Some(mv("d3"))), bounds(6, 6), "none but it can reach that");
        let pass: crate::othello::Diagram =
            "-XXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X"
                .parse()
                .expect("a position");
        let mut known = Known::nothing(&pass.position);
        known.note(None, bounds(-64, -64));
        assert_eq!(known.of(Some(Move::Pass)), bounds(-64, -64), "a pass changes nothing");
    }

    proptest! {
        /// Whatever the scores are: a true claim is confirmed, a false one refuted, and each
        /// question brings it nearer.
        #[test]
        fn every_claim_is_settled(
            scores in prop::array::uniform4(SCALE),
            (one, two) in (SCALE, SCALE),
            about in 0usize..5,
            best: u8,
        ) {
            let moves = ["d3", "c4", "f5", "e6"].map(mv);
            let truth = |about: Option<Move>| match about {
                None => 2 * scores.iter().copied().max().expect("four moves"),
                Some(mv) => 2 * scores[moves.iter().position(|&other| other == mv).expect("a move")],
            };
            let claimed = bounds(2 * one.min(two), 2 * one.max(two));
            let named: Vec<Move> = (0..4).filter(|bit| best >> bit & 1 == 1).map(|bit| moves[bit]).collect();
            let holds = |about| (claimed.lower..=claimed.upper).contains(&Score::new(truth(about)));
            let (statement, right) = match about {
                0 => (Statement::Score(claimed), holds(None)),
                4 => {
                    let right = named.iter().all(|&mv| truth(Some(mv)) == truth(None));
                    (Statement::BestMoves(named), right)
                }
                _ => {
                    (Statement::MoveScore(moves[about], claimed), holds(Some(moves[about])))
                }
            };
            let mut known = Known::nothing(&START);
            let mut questions = 0;
            let verdict = loop {
                match next(&statement, &known) {
                    Step::Ask(question) => {
                        let (score, alpha, beta) =
                            (truth(question.about), question.window.alpha().discs(), question.window.beta().discs());
                        // As a solver answers: the ends of the scale lie within the window.
                        let (from, to) = (if alpha == -64 { -65 } else { alpha }, if beta == 64 { 65 } else { beta });
                        let answer = if score <= from {
                            bounds(-64, alpha - (alpha & 1))
                        } else if score >= to {
                            bounds(beta + (beta & 1), 64)
                        } else {
                            bounds(score, score)
                        };
                        known.note(question.about, answer);
                        questions += 1;
                        prop_assert!(questions <= 6, "{statement:?} asks on and on");
                    }
                    Step::Confirmed => break true,
                    Step::Refuted(_) => break false,
                }
            };
            prop_assert_eq!(verdict, right);
        }
    }
}
