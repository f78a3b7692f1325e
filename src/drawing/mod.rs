//! Boards drawn as text and as SVG.
//!
//! A [`Board`] is a position and what is marked on it: legal moves, the last move, scores on the
//! squares of moves. [`text`] draws it with ASCII or Unicode symbols, perhaps in colour, and puts
//! several boards beside each other. `svg` draws it for pages and as a file of its own.

#[cfg(feature = "report")]
pub mod svg;
pub mod text;

use crate::othello::{Diagram, Move, Score, Square};

/// A position to be drawn, with its marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The position.
    pub diagram: Diagram,
    /// The last move, which is marked.
    pub last: Option<Square>,
    /// Whether the legal moves are marked.
    pub legal: bool,
    /// The scores of moves, for the side to move, written on their squares.
    pub scores: Vec<(Square, Score)>,
    /// A move that is marked beside the best ones: the one that was played.
    pub played: Option<Square>,
}

impl Board {
    /// A board with its legal moves marked.
    pub fn new(diagram: Diagram) -> Board {
        Board { diagram, last: None, legal: true, scores: Vec::new(), played: None }
    }

    /// Writes the scores of these moves on their squares.
    #[must_use]
    pub fn with_scores(mut self, scores: &[(Move, Score)]) -> Board {
        let on_square = |&(mv, score): &(Move, Score)| match mv {
            Move::Place(square) => Some((square, score)),
            Move::Pass => None,
        };
        self.scores = scores.iter().filter_map(on_square).collect();
        self
    }

    /// The score that is written on a square.
    fn score(&self, square: Square) -> Option<Score> {
        self.scores.iter().find(|&&(own, _)| own == square).map(|&(_, score)| score)
    }

    /// The highest of the scores.
    fn best(&self) -> Option<Score> {
        self.scores.iter().map(|&(_, score)| score).max()
    }

    /// What the board shows, in words: for readers that see no picture.
    pub fn description(&self) -> String {
        let diagram = &self.diagram;
        let squares = |discs: crate::othello::Bitboard| {
            let names: Vec<String> = discs.into_iter().map(|square| square.to_string()).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(" ") }
        };
        let (black, white) = (diagram.black(), diagram.white());
        let mut text = format!("{} to move.", diagram.to_move);
        if let Some(last) = self.last {
            text += &format!(" Last move {last}.");
        }
        text + &format!(" X: {}. O: {}.", squares(black), squares(white))
    }
}
