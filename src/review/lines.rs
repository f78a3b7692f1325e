//! The lines of a review in JSON Lines, to be written and to be read back.
//!
//! - The first object has `"type":"review"`: the version of the keys (`schema`) and of the program,
//!   its build tier, the threads, table size and weights, the numbers of empties, the name that
//!   selects games, and the inputs with their SHA-256.
//! - For each game, an object with `"type":"move"` for each reviewed move, and then one with
//!   `"type":"game"`.
//! - Then an object with `"type":"player"` for each player, and one with `"type":"summary"`. A file
//!   without the last line is not complete.
//!
//! `score` and `best_score` are seen by the side to move; `result` is the theoretical result before
//! the move, for Black, as are `real_score` and `theoretical` of a game.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::games::{Game, Turn};
use super::moves::{PlayerSummary, Review, ReviewedMove, SideSummary};
use crate::othello::{Colour, Diagram, Move, Score};
use crate::records::output::moves_text;
use crate::records::{GameDetails, Input, Span};

/// The version of the keys. It grows when a key changes its meaning or is removed, not when one is
/// added.
pub const SCHEMA: u32 = 1;

/// A line.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Line {
    /// The first line.
    Review(Box<RunLine>),
    /// A move.
    Move(Box<MoveLine>),
    /// A game, after its moves.
    Game(Box<GameLine>),
    /// A player.
    Player(PlayerLine),
    /// The last line.
    Summary(SummaryLine),
}

/// The options of a review.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct RunLine {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The name of the program.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// Its build tier.
    pub tier: String,
    /// The number of threads.
    pub threads: usize,
    /// The size of the transposition table.
    pub table_bytes: u64,
    /// The name of the weights.
    pub weights: String,
    /// The numbers of empties of the positions: `A-B`.
    pub empties: String,
    /// The part of a name that selects games.
    pub player: Option<String>,
    /// The files.
    pub inputs: Vec<InputLine>,
}

/// A file of games.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct InputLine {
    /// Its name.
    pub name: String,
    /// The SHA-256 of its bytes.
    pub sha256: Option<String>,
}

/// A move of a game.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct MoveLine {
    pub id: String,
    pub game: String,
    pub number: u64,
    pub position: String,
    pub empties: u64,
    pub side: String,
    pub player: Option<String>,
    #[serde(rename = "move")]
    pub mv: String,
    pub score: i32,
    pub best_score: i32,
    pub best_moves: String,
    pub lost: i32,
    pub result: i32,
    pub turning_point: bool,
    pub moves: Vec<ScoreLine>,
    pub nodes: u64,
    pub seconds: f64,
}

/// The score of a move.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct ScoreLine {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its score for the side to move.
    pub score: i32,
}

/// A game.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct GameLine {
    pub id: String,
    pub file: String,
    pub number: u64,
    pub year: Option<u16>,
    pub black: Option<String>,
    pub white: Option<String>,
    pub real_score: Option<i32>,
    pub start: String,
    pub moves: String,
    pub theoretical: Option<i32>,
    pub complete: bool,
    pub sides: [SideLine; 2],
}

/// The sums of Black, or of White.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct SideLine {
    pub moves: u64,
    pub perfect: u64,
    pub lost: i64,
    pub turning_points: u64,
    pub first_mistake: Option<u64>,
}

/// The sums of a player.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct PlayerLine {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The sums.
    #[serde(flatten)]
    pub sums: SideLine,
}

/// The sums of a review.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct SummaryLine {
    pub games: u64,
    pub complete: u64,
    pub moves: u64,
    pub mistakes: u64,
    pub lost: i64,
    pub nodes: u64,
    pub seconds: f64,
}

impl InputLine {
    /// The line of an input.
    pub fn of(input: &Input) -> InputLine {
        InputLine { name: input.name.clone(), sha256: input.sha256.clone() }
    }
}

impl SideLine {
    fn of(side: &SideSummary) -> SideLine {
        let &SideSummary { moves, perfect, lost, turning_points, first_mistake } = side;
        SideLine { moves, perfect, lost, turning_points, first_mistake }
    }
}

impl PlayerLine {
    /// The line of a player.
    pub fn of(player: &PlayerSummary) -> PlayerLine {
        PlayerLine {
            name: player.name.clone(),
            games: player.games,
            sums: SideLine::of(&player.sums),
        }
    }
}

impl MoveLine {
    /// The line of a move of a game.
    pub fn of(game: &Game, one: &ReviewedMove) -> MoveLine {
        let Turn { number, diagram, square } = one.turn;
        let best: Vec<Move> = one.best_moves().collect();
        let scores = one
            .scores
            .iter()
            .map(|&(mv, score)| ScoreLine { mv: mv.to_string(), score: score.discs() });
        MoveLine {
            id: format!("{}@{}", game.id, one.turn.empties()),
            game: game.id.clone(),
            number,
            position: diagram.to_string(),
            empties: one.turn.empties(),
            side: diagram.to_move.to_string(),
            player: game.player(diagram.to_move).map(str::to_owned),
            mv: square.to_string(),
            score: one.score().discs(),
            best_score: one.best_score().discs(),
            best_moves: moves_text(&best),
            lost: one.lost(),
            result: one.result_before().discs(),
            turning_point: one.is_turning_point(),
            moves: scores.collect(),
            nodes: one.nodes,
            seconds: (one.time.as_secs_f64() * 1e6).round() / 1e6,
        }
    }

    /// The move that the line is of; `None` if the line contradicts itself.
    pub fn reviewed(&self) -> Option<ReviewedMove> {
        let diagram: Diagram = self.position.parse().ok()?;
        let square = self.mv.parse().ok()?;
        let score = |line: &ScoreLine| {
            let mv: Move = line.mv.parse().ok()?;
            diagram.make(mv)?;
            Some((mv, Score::try_new(line.score).filter(|score| score.discs() % 2 == 0)?))
        };
        let scores: Vec<(Move, Score)> = self.moves.iter().map(score).collect::<Option<_>>()?;
        let sorted = scores.windows(2).all(|pair| pair[0].1 >= pair[1].1);
        let mut squares: Vec<Move> = scores.iter().map(|&(mv, _)| mv).collect();
        squares.sort();
        squares.dedup();
        let legal = diagram.position.moves();
        let complete = squares.len() == legal.count() as usize && legal.contains(square);
        let time = Duration::try_from_secs_f64(self.seconds).ok()?;
        (sorted && complete && scores.len() == squares.len()).then_some(ReviewedMove {
            turn: Turn { number: self.number, diagram, square },
            scores,
            nodes: self.nodes,
            time,
        })
    }
}

impl GameLine {
    /// The line of a game.
    pub fn of(review: &Review) -> GameLine {
        let Game { id, file, number, details, turns, end } = &review.game;
        let GameDetails { year, black, white, real_score } = details;
        let moves: Vec<Move> = turns.iter().map(|turn| Move::Place(turn.square)).collect();
        GameLine {
            id: id.clone(),
            file: file.to_string(),
            number: *number,
            year: *year,
            black: black.as_deref().map(str::to_owned),
            white: white.as_deref().map(str::to_owned),
            real_score: real_score.map(|score| score.discs()),
            start: turns.first().map_or(end, |turn| &turn.diagram).to_string(),
            moves: moves_text(&moves),
            theoretical: review.theoretical_result().map(|score| score.discs()),
            complete: review.complete,
            sides: [Colour::Black, Colour::White].map(|side| SideLine::of(&review.side(side))),
        }
    }

    /// The game; `None` if a move is not legal.
    fn game(&self) -> Option<Game> {
        let mut current: Diagram = self.start.parse().ok()?;
        let mut turns = Vec::new();
        for text in self.moves.split_whitespace() {
            let square = text.parse().ok()?;
            current = match current.make(Move::Place(square)) {
                Some(_) => current,
                None => current.make(Move::Pass)?,
            };
            turns.push(Turn { number: turns.len() as u64 + 1, diagram: current, square });
            current = current.make(Move::Place(square))?;
        }
        let details = GameDetails {
            year: self.year,
            black: self.black.as_deref().map(Into::into),
            white: self.white.as_deref().map(Into::into),
            real_score: self.real_score.and_then(Score::try_new),
        };
        let (id, file, number) = (self.id.clone(), self.file.as_str().into(), self.number);
        let end = current.make(Move::Pass).unwrap_or(current);
        Some(Game { id, file, number, details, turns, end })
    }
}

/// A review that was read back.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StoredReview {
    /// The options.
    pub run: Option<RunLine>,
    /// The games that are finished.
    pub reviews: Vec<Review>,
    /// The last line, if the file is complete.
    pub summary: Option<SummaryLine>,
}

impl StoredReview {
    /// Reads the text of a file of JSON Lines. A last line without an end is torn, and skipped.
    ///
    /// # Errors
    /// With the number of the first line that is not as it was written, and what is wrong.
    pub fn read(text: &str) -> Result<StoredReview, (u64, String)> {
        let mut stored = StoredReview::default();
        let mut moves = Vec::new();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for (line, number) in whole.lines().zip(1..) {
            let fault = |what: &str| (number, what.to_owned());
            match serde_json::from_str(line).map_err(|error| (number, error.to_string()))? {
                Line::Review(run) if run.schema != SCHEMA => {
                    return Err((number, format!("is of schema {}", run.schema)));
                }
                Line::Review(run) => stored.run = Some(*run),
                _ if stored.run.is_none() => {
                    return Err(fault("does not begin as a review does"));
                }
                Line::Move(one) => {
                    moves.push(one.reviewed().ok_or_else(|| fault("contradicts itself"))?);
                }
                Line::Game(game) => {
                    let complete = game.complete;
                    let game = game.game().ok_or_else(|| fault("has a move that is not legal"))?;
                    let moves = std::mem::take(&mut moves);
                    stored.reviews.push(Review { game, moves, complete });
                }
                Line::Player(_) => {}
                Line::Summary(summary) => stored.summary = Some(summary),
            }
        }
        if stored.run.is_none() {
            return Err((1, "does not begin as a review does".to_owned()));
        }
        Ok(stored)
    }

    /// The moves by their positions, for a run that continues this one.
    pub fn by_position(&self) -> HashMap<Diagram, ReviewedMove> {
        let moves = self.reviews.iter().flat_map(|review| &review.moves);
        moves.map(|one| (one.turn.diagram, one.clone())).collect()
    }

    /// The numbers of empties of the run.
    pub fn empties(&self) -> Option<Span> {
        self.run.as_ref()?.empties.parse().ok()
    }
}
