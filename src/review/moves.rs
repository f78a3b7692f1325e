//! What a review finds: of a move, of a game, of a player.

use std::collections::BTreeMap;
use std::time::Duration;

use super::games::{Game, Turn};
use crate::othello::{Colour, Move, Score};

/// A move of a game, and the scores of all moves in its position.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedMove {
    /// The position and the move that was played.
    pub turn: Turn,
    /// The score of every legal move for the side to move, best first.
    pub scores: Vec<(Move, Score)>,
    /// The nodes of the search.
    pub nodes: u64,
    /// The time of the search.
    pub time: Duration,
}

impl ReviewedMove {
    /// The score of the position: that of the best moves, for the side to move.
    pub fn best_score(&self) -> Score {
        self.scores.first().map_or(Score::DRAW, |&(_, score)| score)
    }

    /// The score of the move that was played, for the side to move.
    pub fn score(&self) -> Score {
        let played = Move::Place(self.turn.square);
        let found = self.scores.iter().find(|&&(mv, _)| mv == played);
        found.map_or(self.best_score(), |&(_, score)| score)
    }

    /// The moves that keep the score of the position.
    pub fn best_moves(&self) -> impl Iterator<Item = Move> {
        let best = self.best_score();
        self.scores.iter().take_while(move |&&(_, score)| score == best).map(|&(mv, _)| mv)
    }

    /// The discs that the move has lost against perfect play; 0 for a perfect move.
    pub fn lost(&self) -> i32 {
        self.best_score().discs() - self.score().discs()
    }

    /// Whether the move has lost discs.
    pub fn is_mistake(&self) -> bool {
        self.lost() > 0
    }

    /// Whether the move changes the winner under perfect play, or makes a draw of a win.
    pub fn is_turning_point(&self) -> bool {
        self.best_score().discs().signum() != self.score().discs().signum()
    }

    /// The theoretical result before the move, for Black.
    pub fn result_before(&self) -> Score {
        self.seen_by_black(self.best_score())
    }

    /// The theoretical result after the move, for Black.
    pub fn result_after(&self) -> Score {
        self.seen_by_black(self.score())
    }

    fn seen_by_black(&self, score: Score) -> Score {
        if self.turn.diagram.to_move == Colour::Black { score } else { -score }
    }
}

/// The review of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The game.
    pub game: Game,
    /// The moves that are reviewed, in the order of the game.
    pub moves: Vec<ReviewedMove>,
    /// Whether all selected moves are reviewed. A search that was stopped leaves some out.
    pub complete: bool,
}

/// What one side did in a game, or a player in several games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideSummary {
    /// The number of reviewed moves with a choice: positions with one legal move are left out.
    pub moves: u64,
    /// How many of these moves kept the score.
    pub perfect: u64,
    /// The discs lost.
    pub lost: i64,
    /// The number of turning points.
    pub turning_points: u64,
    /// The number of the first move that lost discs.
    pub first_mistake: Option<u64>,
}

impl SideSummary {
    /// Adds a move.
    pub fn add(&mut self, one: &ReviewedMove) {
        if one.scores.len() < 2 {
            return;
        }
        self.moves += 1;
        self.lost += i64::from(one.lost());
        self.turning_points += u64::from(one.is_turning_point());
        if one.is_mistake() {
            self.first_mistake.get_or_insert(one.turn.number);
        } else {
            self.perfect += 1;
        }
    }

    /// The share of perfect moves, 0 to 1; `None` without a move.
    pub fn share(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.perfect as f64 / self.moves as f64)
    }
}

impl Review {
    /// The summary of a side.
    pub fn side(&self, colour: Colour) -> SideSummary {
        let mut summary = SideSummary::default();
        let of_side = |one: &&ReviewedMove| one.turn.diagram.to_move == colour;
        self.moves.iter().filter(of_side).for_each(|one| summary.add(one));
        summary
    }

    /// The result of the game for Black under perfect play from the first reviewed position;
    /// `None` if no move is reviewed.
    pub fn theoretical_result(&self) -> Option<Score> {
        self.moves.first().map(ReviewedMove::result_before)
    }
}

/// What a player did in all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerSummary {
    /// The name; the colour where the games have no names.
    pub name: String,
    /// The number of games with a reviewed move of the player.
    pub games: u64,
    /// The sums. The first mistake is the smallest move number of all games.
    pub sums: SideSummary,
}

/// The summaries of players, added up game by game.
#[derive(Clone, Debug, Default)]
pub struct Players(BTreeMap<String, PlayerSummary>);

impl Players {
    /// Adds the players of a game.
    pub fn add(&mut self, review: &Review) {
        for colour in [Colour::Black, Colour::White] {
            let side = review.side(colour);
            if side.moves == 0 {
                continue;
            }
            let name = match (review.game.player(colour), colour) {
                (Some(name), _) => name.to_owned(),
                (None, Colour::Black) => "Black (X)".to_owned(),
                (None, Colour::White) => "White (O)".to_owned(),
            };
            let empty =
                PlayerSummary { name: name.clone(), games: 0, sums: SideSummary::default() };
            let player = self.0.entry(name).or_insert(empty);
            player.games += 1;
            player.sums.moves += side.moves;
            player.sums.perfect += side.perfect;
            player.sums.lost += side.lost;
            player.sums.turning_points += side.turning_points;
            let first = [player.sums.first_mistake, side.first_mistake];
            player.sums.first_mistake = first.into_iter().flatten().min();
        }
    }

    /// The players: those with the most games first, then by name.
    pub fn finish(self) -> Vec<PlayerSummary> {
        let mut players: Vec<PlayerSummary> = self.0.into_values().collect();
        players.sort_by(|one, other| {
            other.games.cmp(&one.games).then_with(|| one.name.cmp(&other.name))
        });
        players
    }
}

/// The summaries of the players of some reviews.
pub fn players<'a>(reviews: impl IntoIterator<Item = &'a Review>) -> Vec<PlayerSummary> {
    let mut players = Players::default();
    reviews.into_iter().for_each(|review| players.add(review));
    players.finish()
}

#[cfg(test)]
pub(super) mod samples {
    use super::*;
    use crate::othello::{Diagram, Square};

    /// A move of the side to move in FFO 20, where h5 is best with +6.
    pub fn played(square: &str, to_move: Colour) -> ReviewedMove {
        let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
        let diagram: Diagram = board.parse().expect("a position");
        let square: Square = square.parse().expect("a square");
        let scores = [("h5", 6), ("g6", -2), ("f6", -4), ("h6", -10)];
        ReviewedMove {
            turn: Turn { number: 55, diagram: Diagram { to_move, ..diagram }, square },
            scores: scores
                .map(|(mv, score)| (mv.parse().expect("a move"), Score::new(score)))
                .to_vec(),
            nodes: 100,
            time: Duration::from_millis(2),
        }
    }

    /// A perfect reply to that move, if it was a mistake.
    fn reply(before: &ReviewedMove) -> ReviewedMove {
        let played = Move::Place(before.turn.square);
        let diagram = before.turn.diagram.make(played).expect("a legal move");
        let legal: Vec<Square> = diagram.position.moves().into_iter().collect();
        let best = -before.score();
        let score = |index: usize| if index == 0 { best } else { Score::new(best.discs() - 2) };
        let moves = legal.iter().enumerate();
        ReviewedMove {
            turn: Turn { number: before.turn.number + 1, diagram, square: legal[0] },
            scores: moves.map(|(index, &square)| (Move::Place(square), score(index))).collect(),
            ..before.clone()
        }
    }

    /// A game with a mistake of Black that changes the winner, and a perfect move of White.
    pub fn review() -> Review {
        let mistake = played("g6", Colour::Black);
        let moves = vec![mistake.clone(), reply(&mistake)];
        let game = Game {
            id: "games.ggf#1".to_owned(),
            file: "games.ggf".into(),
            number: 1,
            details: crate::records::GameDetails {
                black: Some("Ann".into()),
                white: Some("Bob".into()),
                ..Default::default()
            },
            turns: moves.iter().map(|one| one.turn).collect(),
            end: Diagram::START,
        };
        Review { game, moves, complete: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_loses_discs_and_may_turn_the_game() {
        let perfect = samples::played("h5", Colour::Black);
        assert_eq!((perfect.lost(), perfect.is_turning_point()), (0, false));
        assert_eq!(perfect.best_moves().count(), 1);
        let mistake = samples::played("g6", Colour::White);
        assert_eq!((mistake.lost(), mistake.is_turning_point()), (8, true));
        assert_eq!(mistake.result_before(), Score::new(-6));
        assert_eq!(mistake.result_after(), Score::new(2));
    }

    #[test]
    fn sides_and_players_are_summed_up() {
        let review = samples::review();
        let black = review.side(Colour::Black);
        assert_eq!((black.moves, black.perfect, black.lost), (1, 0, 8));
        assert_eq!((black.turning_points, black.first_mistake), (1, Some(55)));
        // One legal move is no choice.
        assert_eq!(review.side(Colour::White), SideSummary::default());
        let players = players([&review, &review]);
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["Ann"]);
        assert_eq!((players[0].games, players[0].sums.lost), (2, 16));
    }
}
